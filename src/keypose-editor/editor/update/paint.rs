//! Actions of weight painting, and the mouse over the viewport while it is on.

use std::sync::Arc;

use glam::{Vec2, Vec3};

use crate::editor::commands::needs;
use crate::editor::gesture::paint::{PaintDrag, change, over};
use crate::editor::gesture::{Driver, pick, rig as joints};
use crate::editor::session::display::Shading;
use crate::editor::session::paint::{Adjusted, BrushSettings, BrushValue, PaintAction, PaintDesk};
use crate::editor::session::pointer::{PointerEvent, PointerKind};
use crate::editor::session::rig::RigDesk;
use crate::editor::session::selection::Pick;
use crate::editor::state::Editor;
use crate::editor::update::{error, info, rig, select, transaction};
use keypose::anim::skeleton::BoneIndex;
use keypose::assets::model::Model;
use keypose_tools::rig::paint::{Action, Brush, Canvas, Shape, Stroke};

/// Pixels per point of the mouse by which the strength goes from 0 to 1.
const STRENGTH_PIXELS: f32 = 200.0;

/// Handles an action of weight painting.
pub fn act(editor: &mut Editor, action: PaintAction) {
    match action {
        PaintAction::Toggle => toggle(editor),
        PaintAction::TogglePose => {
            transaction::commit(editor);
            with_desk(editor, |paint| (paint.is_posed, paint.over) = (!paint.is_posed, None));
        }
        PaintAction::Set(brush) => set(editor, brush),
        PaintAction::Adjust(value) => adjust(editor, value),
        PaintAction::CancelAdjust => with_desk(editor, |paint| {
            if let Some(adjusted) = paint.adjusted.take() {
                paint.brush = adjusted.before;
            }
        }),
        PaintAction::Turn(value, notches) => turn(editor, value, notches),
        PaintAction::ToggleLock(bones) => toggle_lock(editor, &bones),
        PaintAction::UnlockAll => with_desk(editor, |paint| paint.locked.clear()),
        PaintAction::Dab { settings, bone, at, radius } => dab(editor, (settings, bone), at, radius),
    }
}

fn desk(editor: &Editor) -> Option<&RigDesk> {
    editor.session.transient.scene.rig()
}

fn with_desk(editor: &mut Editor, change: impl FnOnce(&mut PaintDesk)) {
    if let Some(desk) = editor.session.transient.scene.rig_mut() {
        change(&mut desk.paint);
    }
}

/// Begins to paint, with the weights shown, or ends it.
fn toggle(editor: &mut Editor) {
    transaction::commit(editor);
    rig::open(editor);
    let shading = editor.session.workspace.display.shading;
    if !desk(editor).is_some_and(|desk| desk.paint.is_on) && !shading.shows_weights() {
        editor.session.workspace.display.shade(Shading::Weights);
    }
    with_desk(editor, |paint| {
        (paint.is_on, paint.over, paint.adjusted) = (!paint.is_on, None, None);
    });
    editor.session.transient.pointer.press = None;
    editor.session.transient.hover = None;
    hover(editor);
}

fn set(editor: &mut Editor, brush: BrushSettings) {
    with_desk(editor, |paint| paint.brush = brush.clamped());
    hover(editor);
}

fn adjust(editor: &mut Editor, value: BrushValue) {
    let from = editor.session.transient.pointer.pixel;
    with_desk(editor, |paint| {
        let before = paint.brush;
        // The key that began it ends it, too.
        paint.adjusted = match paint.adjusted {
            Some(now) if now.value == value => None,
            _ => Some(Adjusted { value, before, from }),
        };
    });
}

fn turn(editor: &mut Editor, value: BrushValue, notches: f32) {
    let Some(brush) = desk(editor).map(|desk| desk.paint.brush) else { return };
    set(
        editor,
        match value {
            BrushValue::Radius => BrushSettings { radius: brush.radius * 1.1_f32.powf(notches), ..brush },
            BrushValue::Strength => BrushSettings { strength: brush.strength + 0.05 * notches, ..brush },
        },
    );
}

fn toggle_lock(editor: &mut Editor, bones: &[BoneIndex]) {
    let Some(model) = editor.model().cloned() else { return };
    let name = |bone: &BoneIndex| model.skeleton.get(*bone).map(|bone| bone.name.clone());
    let names: Vec<String> = bones.iter().filter_map(name).collect();
    rig::open(editor);
    with_desk(editor, |paint| {
        if names.iter().all(|name| paint.locked.contains(name)) {
            paint.locked.retain(|name| !names.contains(name));
        } else {
            paint.locked.extend(names);
        }
    });
}

/// The canvas of the model, and its shape on screen.
fn canvas(editor: &Editor, model: &Arc<Model>) -> Result<(Arc<Canvas>, Arc<Shape>), String> {
    let canvas = editor.caches.canvases.of(model);
    let canvas = canvas.map_err(|_| "There is no skinned mesh to paint. Bind the meshes first: press W.".to_owned())?;
    let is_posed = desk(editor).is_some_and(|desk| desk.paint.shows_pose());
    let posed = || editor.caches.canvases.posed(&canvas, model, &editor.view().pose);
    let shape = if is_posed { posed() } else { canvas.bound.clone() };
    Ok((canvas, shape))
}

/// Finds where the brush is.
pub fn hover(editor: &mut Editor) {
    let Some(RigDesk { paint, .. }) = desk(editor).filter(|desk| desk.paint.is_on) else { return };
    let pointer = &editor.session.transient.pointer;
    let (radius, pixel, is_inside) = (paint.brush.radius, pointer.pixel, pointer.is_inside);
    // While a setting changes, the brush stays.
    let pixel = paint.adjusted.map_or(pixel, |adjusted| adjusted.from);
    let found = editor.model().filter(|_| is_inside).cloned().and_then(|model| {
        if let Some(drag) = editor.gesture.as_ref().and_then(|gesture| gesture.paint()) {
            return drag.over(&editor.session, pixel);
        }
        let (canvas, shape) = self::canvas(editor, &model).ok()?;
        over(&editor.session, &canvas, &shape, radius, pixel)
    });
    with_desk(editor, |paint| paint.over = found);
}

/// Handles the mouse over the viewport.
pub fn pointer(editor: &mut Editor, event: &PointerEvent) {
    let adjusted = desk(editor).and_then(|desk| desk.paint.adjusted);
    match (event.kind, adjusted) {
        (PointerKind::Moved, Some(adjusted)) => {
            let moved = (event.pixel.x - adjusted.from.x) / editor.session.workspace.pixels_per_point;
            let before = adjusted.before;
            set(
                editor,
                match adjusted.value {
                    BrushValue::Radius => BrushSettings { radius: before.radius + moved, ..before },
                    BrushValue::Strength => {
                        BrushSettings { strength: before.strength + moved / STRENGTH_PIXELS, ..before }
                    }
                },
            );
        }
        (PointerKind::Pressed | PointerKind::DoubleClicked, Some(_)) => {
            with_desk(editor, |paint| paint.adjusted = None);
            hover(editor);
        }
        (PointerKind::MenuClicked, Some(_)) => act(editor, PaintAction::CancelAdjust),
        (PointerKind::Pressed | PointerKind::DoubleClicked, None) if event.held.ctrl && event.held.shift => {
            pick_bone(editor, event.pixel);
        }
        (PointerKind::Pressed | PointerKind::DoubleClicked, None) => begin(editor, event),
        (PointerKind::Moved | PointerKind::Exited | PointerKind::Released | PointerKind::MenuClicked, _) => {
            hover(editor)
        }
    }
}

/// Selects the joint or the bone under the mouse, or the one that moves the mesh there most.
fn pick_bone(editor: &mut Editor, pixel: Vec2) {
    let (view, session, trees) = (editor.view(), &editor.session, &editor.caches.trees);
    let of_mesh = || pick::bone_of_mesh(session, &view, trees, pixel);
    let joint = joints::joint(session, &view, pixel);
    if let Some(bone) = joint.or_else(|| pick::bone(session, &view, trees, pixel)).or_else(of_mesh) {
        select::bones(editor, &[bone], Pick::Only);
    }
}

/// Begins a stroke.
fn begin(editor: &mut Editor, event: &PointerEvent) {
    transaction::commit(editor);
    let Some(model) = editor.model().cloned() else { return info(editor, needs::NO_MODEL) };
    let Some(desk) = desk(editor).cloned() else { return };
    let mut settings = desk.paint.brush;
    settings.action = match (event.held.shift, event.held.ctrl, settings.action) {
        (true, ..) => Action::Smooth,
        (_, true, Action::Add) => Action::Subtract,
        (_, true, Action::Subtract) => Action::Add,
        (.., action) => action,
    };
    let Some(bone) = editor.session.focus.selection.active_bone().or((settings.action == Action::Smooth).then_some(0))
    else {
        return info(editor, "Select the bone whose weights to paint: Ctrl+Shift+click it.");
    };
    let brush = brush(editor, &model, &desk, (settings, bone));
    if settings.action != Action::Smooth && brush.locked.contains(&bone) {
        return info(editor, "The weights of the bone are locked. Unlock them in the panel.");
    }
    let (canvas, shape) = match canvas(editor, &model) {
        Ok(found) => found,
        Err(reason) => return info(editor, &reason),
    };
    let stroke = Stroke::new(&model, &canvas, &shape, brush);
    let drag = PaintDrag::new(&editor.session, stroke, settings, event.pixel);
    let first = drag.change();
    transaction::begin_with(editor, drag.label(), Driver::Paint(Box::new(drag)));
    transaction::preview(editor, &first);
    hover(editor);
    if let Some(desk) = editor.session.transient.scene.rig_mut() {
        let vertex = desk.paint.over.and_then(|over| canvas.vertex(over.spot.vertex));
        (desk.vertex, desk.marked) = (vertex.or(desk.vertex), Vec::new());
    }
}

/// The brush of a stroke, with the limit, the locks and the sides of the rig mode.
fn brush(editor: &Editor, model: &Arc<Model>, desk: &RigDesk, (settings, bone): (BrushSettings, BoneIndex)) -> Brush {
    let pairs = editor.caches.poses.pairs(model);
    Brush {
        action: settings.action,
        bone,
        strength: settings.strength,
        weight: settings.weight,
        influences: desk.weights.influences,
        locked: desk.paint.locked_in(&model.skeleton),
        partners: desk.is_mirrored.then(|| model.skeleton.indices().map(|bone| pairs.partner(bone)).collect()),
    }
}

/// Paints once around a point of the bind pose, in one undo step. Outside of the rig mode, on one side.
fn dab(editor: &mut Editor, stroke: (BrushSettings, BoneIndex), at: Vec3, radius: f32) {
    transaction::commit(editor);
    let Some(model) = editor.model().cloned() else { return info(editor, needs::NO_MODEL) };
    let desk = desk(editor).cloned().unwrap_or(RigDesk { is_mirrored: false, ..RigDesk::default() });
    let brush = brush(editor, &model, &desk, stroke);
    let painted = editor.caches.canvases.of(&model).map_err(|error| error.to_string()).and_then(|canvas| {
        let mut stroke = Stroke::new(&model, &canvas, &canvas.bound, brush);
        stroke.dab(at, radius, |_, _| true)?;
        Ok(stroke)
    });
    match painted {
        Ok(stroke) => transaction::edit(editor, "Paint weights".into(), &change(editor.session.focus.model, &stroke)),
        Err(reason) => error(editor, format!("{}: {reason}", model.name)),
    }
}
