//! The mouse over the viewport: dragging the gizmo, modal transforms, picking, box select.

use crate::anim::skeleton::BoneIndex;
use crate::editor::gesture::reach::{EndTurn, Reach};
use crate::editor::gesture::transform::{BoneStart, Transforming};
use crate::editor::gesture::{gizmo, pick};
use crate::editor::ops::limb::MOST_JOINTS;
use crate::editor::posing::change::Change;
use crate::editor::session::display::ShownPose;
use crate::editor::session::notice::NoticeKind;
use crate::editor::session::pointer::{Axis, ModalKey, PointerEvent, PointerKind, Press};
use crate::editor::session::selection::Pick;
use crate::editor::session::shortcuts::Modifiers;
use crate::editor::session::switch::Switch;
use crate::editor::session::tool::Space;
use crate::editor::session::tool::{Constraint, TransformKind};
use crate::editor::state::Editor;
use crate::editor::state::effect::Effect;
use crate::editor::update::{notice, select, transaction};
use crate::editor::view::View;

/// A press that moves further than this many pixels is a box, not a click.
const CLICK_PIXELS: f32 = 4.0;

/// The mouse did something.
pub fn pointer(editor: &mut Editor, event: PointerEvent, effects: &mut Vec<Effect>) {
    let PointerEvent { kind, pixel, held } = event;
    if !pixel.is_finite() {
        return;
    }
    if kind != PointerKind::Left {
        editor.session.transient.pointer.pixel = pixel;
    }
    if editor.gesture.as_ref().is_some_and(|gesture| gesture.slide.is_some()) {
        return slide(editor, event, effects);
    }
    let transform = editor.gesture.as_ref().and_then(|gesture| gesture.transform.as_ref());
    match (transform.map(|transform| transform.is_modal), kind) {
        (Some(_), PointerKind::Moved) => steer(editor, pixel, held, effects),
        (Some(true), PointerKind::Pressed | PointerKind::DoubleClicked) => finish(editor),
        (Some(false), PointerKind::Released) => finish(editor),
        (Some(_), _) => {}
        (None, PointerKind::Moved) => hover(editor, pixel),
        (None, PointerKind::Pressed) => press(editor, event, effects),
        (None, PointerKind::Released) => release(editor, event),
        (None, PointerKind::DoubleClicked) => select::chain(editor),
        (None, PointerKind::Left) => {
            editor.session.transient.hover = None;
            editor.session.transient.pointer.hot = None;
        }
    }
}

/// The mouse while a mix runs: to the side is more or less, a click keeps it.
fn slide(editor: &mut Editor, event: PointerEvent, effects: &mut Vec<Effect>) {
    match event.kind {
        PointerKind::Moved => {
            if let Some(slide) = editor.gesture.as_mut().and_then(|gesture| gesture.slide.as_mut()) {
                slide.moved(event.pixel, event.held);
            }
            show_slide(editor, effects);
        }
        PointerKind::Pressed | PointerKind::DoubleClicked => finish(editor),
        PointerKind::Released | PointerKind::Left => {}
    }
}

fn show_slide(editor: &mut Editor, effects: &mut Vec<Effect>) {
    let slide = editor.gesture.as_ref().and_then(|gesture| gesture.slide.as_ref());
    if let Some(change) = slide.map(|slide| Change::Mix(slide.mix, slide.amount())) {
        transaction::preview(editor, &change, effects);
    }
}

/// A key while a mix runs.
fn slide_key(editor: &mut Editor, key: ModalKey, effects: &mut Vec<Effect>) {
    let Some(slide) = editor.gesture.as_mut().and_then(|gesture| gesture.slide.as_mut()) else { return };
    match key {
        ModalKey::Digit(digit) => type_digit(&mut slide.typed, digit),
        ModalKey::Backspace => drop(slide.typed.pop()),
        ModalKey::Confirm => return finish(editor),
        ModalKey::Cancel => return transaction::cancel(editor),
        _ => return,
    }
    show_slide(editor, effects);
}

fn hover(editor: &mut Editor, pixel: glam::Vec2) {
    if editor.session.transient.pointer.press.is_some() {
        return;
    }
    let view = editor.view();
    editor.session.transient.pointer.hot = gizmo::hit(editor, &view, pixel);
    let is_free = editor.session.transient.pointer.hot.is_none();
    editor.session.transient.hover = pick::bone(editor, &view, pixel).filter(|_| is_free);
}

fn press(editor: &mut Editor, event: PointerEvent, effects: &mut Vec<Effect>) {
    hover(editor, event.pixel);
    let is_boxing = std::mem::take(&mut editor.session.transient.pointer.is_boxing);
    match editor.session.transient.pointer.hot.filter(|_| !is_boxing) {
        Some(handle) => {
            let space = if handle.kind == TransformKind::Scale { Space::Local } else { editor.session.workspace.space };
            let Some(transform) = transform_of(editor, handle.kind, space, effects) else { return };
            let (camera, size) = (editor.session.focus.camera.camera(), editor.session.workspace.viewport);
            let transform = transform.dragging(handle.constraint, &camera, size);
            begin(editor, transform);
        }
        None => editor.session.transient.pointer.press = Some(Press { pixel: event.pixel, held: event.held }),
    }
}

/// A click picks the bone, or the one that moves the mesh there; a drag picks what lies in the box.
fn release(editor: &mut Editor, event: PointerEvent) {
    let Some(Press { pixel, held }) = editor.session.transient.pointer.press.take() else { return };
    let view = editor.view();
    if pixel.distance(event.pixel) > CLICK_PIXELS {
        let bones = pick::bones_in_box(editor, &view, pixel, event.pixel);
        let pick = if held.shift { Pick::Add } else { Pick::Only };
        return select::bones(editor, &bones, pick);
    }
    let ray = editor.session.focus.camera.ray(event.pixel, editor.session.workspace.viewport);
    let of_mesh =
        |view: &View| pick::bone_of_mesh(view, &ray).filter(|bone| !editor.session.focus.hidden.contains(bone));
    let found = pick::bone(editor, &view, event.pixel).or_else(|| of_mesh(&view));
    match (found, held.shift) {
        (Some(bone), is_more) => select::bones(editor, &[bone], if is_more { Pick::Toggle } else { Pick::Only }),
        (None, false) => select::bones(editor, &[], Pick::Only),
        (None, true) => {}
    }
}

/// Starts a modal transform of the selected bones at the mouse.
pub fn start(editor: &mut Editor, kind: TransformKind, effects: &mut Vec<Effect>) {
    if let Some(transform) = transform_of(editor, kind, Space::Model, effects) {
        begin(editor, transform);
    }
}

fn transform_of(
    editor: &mut Editor,
    kind: TransformKind,
    space: Space,
    effects: &mut Vec<Effect>,
) -> Option<Transforming> {
    if editor.session.is_in_motion() {
        editor.update(crate::editor::state::action::Action::SetPlaying(false));
    }
    editor.session.workspace.display.pose = ShownPose::Clip;
    transaction::commit(editor);
    let bones = starts(editor, kind, space);
    if bones.is_empty() {
        notice(editor, NoticeKind::Info, "Select a bone first.", effects);
        return None;
    }
    let (camera, size) = (editor.session.focus.camera.camera(), editor.session.workspace.viewport);
    let reach = reach_of(editor, kind, &bones);
    let transform = Transforming::new(kind, space, bones, editor.session.transient.pointer.pixel, &camera, size);
    Some(match reach {
        Some(reach) => transform.reaching(reach),
        None if editor.session.is_on(Switch::SharedPivot) && transform.bones.len() > 1 => transform.about_the_middle(),
        None => transform,
    })
}

/// The limbs of the bones that are dragged; of a pole's drag the active bone's alone.
fn reach_of(editor: &Editor, kind: TransformKind, bones: &[BoneStart]) -> Option<Reach> {
    let meant = match kind {
        TransformKind::Reach => bones,
        TransformKind::Pole => &bones[bones.len() - 1..],
        _ => return None,
    };
    let view = editor.view();
    let bones: Vec<BoneIndex> = meant.iter().map(|start| start.bone).collect();
    let turn = if editor.session.is_on(Switch::HoldTurn) { EndTurn::Held } else { EndTurn::Natural };
    let skeleton = view.model.as_ref()?.skeleton.clone();
    Some(Reach::new(skeleton, view.local, &bones, editor.session.workspace.chain_joints, turn))
}

/// The selected bones as they stand. A bone below another selected one comes along with that; only turning about
/// local axes turns each by itself, as one curls fingers.
fn starts(editor: &Editor, kind: TransformKind, space: Space) -> Vec<BoneStart> {
    let view = editor.view();
    let Some(model) = view.model.as_deref() else { return Vec::new() };
    let selected = &editor.session.focus.selection.bones;
    let is_shared = editor.session.is_on(Switch::SharedPivot);
    let each = kind == TransformKind::Rotate && space == Space::Local && !is_shared;
    let hangs_below =
        |bone: BoneIndex| selected.iter().any(|&other| other != bone && model.skeleton.is_below(bone, other));
    let meant = selected.iter().copied().filter(|&bone| usize::from(bone) < view.local.len());
    let meant = meant.filter(|&bone| each || !hangs_below(bone));
    let start = |bone: BoneIndex| {
        let parent = model.skeleton.parent(bone);
        let model_from_parent = parent.map(|parent| view.pose.get(parent).to_mat4()).unwrap_or_default();
        BoneStart { bone, local: view.local.get(usize::from(bone)), model_from_parent }
    };
    meant.map(start).collect()
}

fn begin(editor: &mut Editor, transform: Transforming) {
    transaction::begin(editor, transform.kind.name().into());
    if let Some(gesture) = &mut editor.gesture {
        gesture.transform = Some(transform);
    }
}

fn steer(editor: &mut Editor, pixel: glam::Vec2, held: Modifiers, effects: &mut Vec<Effect>) {
    let (camera, size) = (editor.session.focus.camera.camera(), editor.session.workspace.viewport);
    if let Some(transform) = editor.gesture.as_mut().and_then(|gesture| gesture.transform.as_mut()) {
        transform.moved(pixel, held, &camera, size);
    }
    show(editor, effects);
}

/// Previews the whole change so far.
fn show(editor: &mut Editor, effects: &mut Vec<Effect>) {
    let posed = editor.gesture.as_ref().and_then(|gesture| Some(gesture.transform.as_ref()?.posed()));
    if let Some(posed) = posed {
        transaction::preview(editor, &Change::Pose(posed), effects);
    }
}

fn finish(editor: &mut Editor) {
    transaction::commit(editor);
    editor.session.transient.pointer.hot = None;
}

/// A key while a transform runs.
pub fn modal(editor: &mut Editor, key: ModalKey, effects: &mut Vec<Effect>) {
    if editor.gesture.as_ref().is_some_and(|gesture| gesture.slide.is_some()) {
        return slide_key(editor, key, effects);
    }
    let (camera, size) = (editor.session.focus.camera.camera(), editor.session.workspace.viewport);
    if matches!(key, ModalKey::Longer | ModalKey::Shorter) {
        lengthen(editor, key);
    }
    let Some(transform) = editor.gesture.as_mut().and_then(|gesture| gesture.transform.as_mut()) else { return };
    match key {
        ModalKey::Axis(axis) => lock(transform, Constraint::Axis(axis)),
        ModalKey::Plane(axis) => lock(transform, Constraint::Plane(axis)),
        ModalKey::Digit(digit) => type_digit(&mut transform.typed, digit),
        ModalKey::Backspace => {
            transform.typed.pop();
        }
        ModalKey::Longer | ModalKey::Shorter => {}
        ModalKey::Switch(kind) => {
            transaction::cancel(editor);
            return start(editor, kind, effects);
        }
        ModalKey::Confirm => return finish(editor),
        ModalKey::Cancel => return transaction::cancel(editor),
    }
    transform.measure(&camera, size);
    show(editor, effects);
}

/// One joint more or less above the ends that are dragged; the next drag has as many.
fn lengthen(editor: &mut Editor, key: ModalKey) {
    let transform = editor.gesture.as_mut().and_then(|gesture| gesture.transform.as_mut());
    let Some(reach) = transform.and_then(|transform| transform.reach.as_mut()) else { return };
    let joints = if key == ModalKey::Longer { reach.joints() + 1 } else { reach.joints().saturating_sub(1) };
    *reach = reach.with_joints(joints);
    editor.session.workspace.chain_joints = joints.clamp(1, MOST_JOINTS);
}

/// The model's axis, then the bone's own, then none.
fn lock(transform: &mut Transforming, constraint: Constraint) {
    (transform.constraint, transform.space) = match (transform.constraint == constraint, transform.space) {
        (false, _) => (constraint, Space::Model),
        (true, Space::Model) => (constraint, Space::Local),
        (true, _) => (Constraint::Free, Space::Model),
    };
}

/// Digits and one point; a minus sign turns the sign.
fn type_digit(typed: &mut String, digit: char) {
    match digit {
        '-' if typed.starts_with('-') => drop(typed.remove(0)),
        '-' => typed.insert(0, '-'),
        '.' if typed.contains('.') => {}
        '0'..='9' | '.' if typed.len() < LONGEST_TYPED => typed.push(digit),
        _ => {}
    }
}

/// Characters of a typed amount.
const LONGEST_TYPED: usize = 12;

/// The axis of a letter.
pub fn axis_of(letter: char) -> Option<Axis> {
    Axis::ALL.into_iter().find(|axis| axis.name().starts_with(letter.to_ascii_uppercase()))
}
