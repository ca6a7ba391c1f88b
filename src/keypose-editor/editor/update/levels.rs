//! The level mode: opening it, its mouse and camera, and the edits of levels.

use std::collections::BTreeSet;
use std::sync::Arc;

use glam::Vec2;

use crate::editor::commands::needs;
use crate::editor::document::edit::{Label, LevelEdit};
use crate::editor::gesture::Driver;
use crate::editor::gesture::level::{self as mouse, LevelDrag};
use crate::editor::ops::sentence::counted;
use crate::editor::session::Session;
use crate::editor::session::level::{Hot, LevelAction, LevelDesk, LevelTool};
use crate::editor::session::notice::{Notice, NoticeKind, Offer};
use crate::editor::session::pointer::{PointerEvent, PointerKind, Press};
use crate::editor::session::scene::Scene;
use crate::editor::session::selection::Pick;
use crate::editor::state::Editor;
use crate::editor::state::action::ViewAction;
use crate::editor::update::{files, info, level_clipboard, step, transaction};
use crate::editor::view::level::{outline, plane_of};
use crate::render::frame::side_view::{RISE, VIEW_HEIGHT, distance};
use keypose::assets::level::thing::{Thing, ThingKind, ThingRef};
use keypose::assets::level::{FoeKind, Level, Rect};
use keypose::assets::project::unique_name;

/// Handles an action of the level mode.
pub fn act(editor: &mut Editor, action: LevelAction) {
    match action {
        LevelAction::Toggle if editor.session.transient.scene.level().is_some() => leave(editor),
        LevelAction::Toggle if editor.document.levels.is_empty() => add_level(editor),
        LevelAction::Toggle => reopen(editor),
        LevelAction::Open(level) => open(editor, level),
        LevelAction::New => add_level(editor),
        LevelAction::Rename(name) => {
            edit(editor, "Rename level", |level, _| Some(LevelEdit::RenameLevel { level, name }));
        }
        LevelAction::Remove => {
            edit(editor, "Remove level", |level, desk| {
                // The next level takes its index.
                desk.pick(&[], Pick::Only);
                Some(LevelEdit::RemoveLevel { level })
            });
        }
        LevelAction::Shift(by) => shift(editor, by),
        LevelAction::DuplicateBy(by) => duplicate_by(editor, by),
        LevelAction::Copy => level_clipboard::copy(editor),
        LevelAction::Paste(by) => level_clipboard::paste(editor, by),
        LevelAction::Add(thing) => add(editor, "Add thing", vec![thing]),
        LevelAction::Delete => delete(editor),
        LevelAction::AddKind => add_kind(editor),
        LevelAction::RemoveKind => remove_kind(editor),
        LevelAction::Move => begin(editor, LevelDrag::moving_modal),
        LevelAction::Duplicate => begin(editor, LevelDrag::copying),
        LevelAction::PlayFromHere => play(editor),
        LevelAction::Tool(tool) => at_desk(editor, |desk, _| (desk.tool, desk.hot) = (tool, None)),
        LevelAction::Pick { things, pick } => at_desk(editor, |desk, level| {
            let things: Vec<ThingRef> = things.into_iter().filter(|at| at.index < level.count(at.kind)).collect();
            desk.pick(&things, pick);
        }),
        LevelAction::Blame { level, thing, text } => blame(editor, level, thing, &text),
        LevelAction::PickAll => at_desk(editor, |desk, level| {
            desk.pick(&level.things().map(|(at, _)| at).collect::<Vec<_>>(), Pick::Only);
        }),
        LevelAction::PickNone => pick(editor, &[], Pick::Only),
        LevelAction::SetSnap(snap) => editor.session.workspace.level_snap = snap,
        LevelAction::PickKind(kind) => pick_kind(editor, kind),
    }
}

/// Changes the desk; does nothing if no level is open.
fn at_desk(editor: &mut Editor, change: impl FnOnce(&mut LevelDesk, &Level)) {
    if let Some((desk, level)) = desk_mut(editor) {
        change(desk, &level);
    }
}

fn blame(editor: &mut Editor, level: usize, thing: ThingRef, text: &str) {
    let is_open = editor.session.transient.scene.level().is_some_and(|desk| desk.level == level);
    let was_shown = editor.session.workspace.log.iter().any(|notice| notice.text == text && notice.count > 1);
    if is_open {
        find(editor, thing);
    }
    if !was_shown {
        let offer = (!is_open).then_some(Offer::ShowThing(level, thing));
        editor.session.transient.notice = Some(Notice::new(NoticeKind::Warning, text, offer));
    }
}

/// Opens a level with a thing of it selected, in the middle of the viewport.
pub(super) fn show(editor: &mut Editor, level: usize, thing: ThingRef) {
    open(editor, level);
    find(editor, thing);
}

/// Selects a thing and moves the camera to it.
fn find(editor: &mut Editor, thing: ThingRef) {
    pick(editor, &[thing], Pick::Only);
    let viewport = editor.session.workspace.viewport;
    at_desk(editor, |desk, level| {
        frame(desk, level, false, viewport);
        desk.zoom = desk.zoom.max(1.0);
    });
}

/// Shows a kind of foe in the inspector.
fn pick_kind(editor: &mut Editor, kind: usize) {
    at_desk(editor, |desk, level| desk.kind = kind.min(level.kinds.len().saturating_sub(1)));
}

/// The desk, and the level on it.
pub(super) fn desk_mut(editor: &mut Editor) -> Option<(&mut LevelDesk, Arc<Level>)> {
    let desk = editor.session.transient.scene.level_mut()?;
    let level = editor.document.levels.get(desk.level)?.clone();
    Some((desk, level))
}

/// As [`desk_mut`]; shows a notice if no level is open.
pub(super) fn required(editor: &mut Editor) -> Option<(&mut LevelDesk, Arc<Level>)> {
    if editor.session.transient.scene.level().is_none() {
        info(editor, needs::NO_LEVEL);
    }
    desk_mut(editor)
}

fn open(editor: &mut Editor, at: usize) {
    let Some(level) = editor.document.levels.get(at) else { return };
    let desk = LevelDesk::new(at, level);
    transaction::show_clip(editor);
    editor.session.transient.scene = Scene::Level(desk);
    editor.session.transient.hover = None;
}

/// Opens the level that was open last, as it was left, or else the first one.
fn reopen(editor: &mut Editor) {
    let levels = editor.document.levels.len();
    let left = editor.session.focus.level.take().filter(|desk| desk.level < levels);
    open(editor, left.as_ref().map_or(0, |desk| desk.level));
    if let Some(left) = left {
        at_desk(editor, |desk, level| {
            *desk = LevelDesk { level: desk.level, ..left };
            desk.tidy(level);
        });
    }
}

/// Ends the scene. The level mode can be opened again as it is left.
pub(super) fn leave(editor: &mut Editor) {
    transaction::commit(editor);
    if let Scene::Level(desk) = std::mem::take(&mut editor.session.transient.scene) {
        editor.session.focus.level = Some(desk);
    }
}

/// Makes one undo step of an edit of the open level.
fn edit(editor: &mut Editor, label: impl Into<Label>, edit: impl FnOnce(usize, &mut LevelDesk) -> Option<LevelEdit>) {
    let Some((desk, _)) = required(editor) else { return };
    if let Some(edit) = edit(desk.level, desk) {
        step(editor, label, edit);
    }
}

/// A level with a ground to stand on.
fn add_level(editor: &mut Editor) {
    let add = Level { name: "level".into(), solids: vec![Rect::new(-10.0, -2.0, 10.0, 0.0)], ..Level::default() };
    step(editor, "New level", LevelEdit::AddLevel { add: Box::new(add) });
    open(editor, editor.document.levels.len().saturating_sub(1));
    let viewport = editor.session.workspace.viewport;
    at_desk(editor, |desk, level| frame(desk, level, true, viewport));
}

/// Adds things and selects them.
fn add(editor: &mut Editor, label: &'static str, things: Vec<Thing>) {
    let Some((_, before)) = required(editor) else { return };
    edit(editor, label, |level, _| Some(LevelEdit::AddThings { level, things: things.clone() }));
    pick_added(editor, &before, &things);
}

/// Selects the things that were added to a level, which was `before` without them.
pub(super) fn pick_added(editor: &mut Editor, before: &Level, things: &[Thing]) {
    let mut after = before.clone();
    let added: Vec<ThingRef> = things.iter().map(|thing| after.add_thing(thing.clone())).collect();
    if let Some((desk, level)) = desk_mut(editor) {
        desk.pick(&added, Pick::Only);
        desk.tidy(&level);
    }
}

fn shift(editor: &mut Editor, by: Vec2) {
    let Some((desk, open)) = required(editor) else { return };
    let things = desk.picked_things(&open).into_iter();
    let things = things.map(|(at, thing)| (at, mouse::moved(&thing, by))).collect();
    edit(editor, "Move things", |level, _| Some(LevelEdit::SetThings { level, things }));
}

fn duplicate_by(editor: &mut Editor, by: Vec2) {
    let Some((desk, open)) = required(editor) else { return };
    let things = desk.picked_things(&open).into_iter().map(|(_, thing)| thing);
    let things = things.filter(|thing| !thing.kind().is_single()).map(|thing| mouse::moved(&thing, by)).collect();
    add(editor, "Duplicate things", things);
}

fn delete(editor: &mut Editor) {
    let deleted = |level, desk: &mut LevelDesk| {
        let things: BTreeSet<ThingRef> = desk.picked.iter().copied().filter(|at| at.kind != ThingKind::Spawn).collect();
        (!things.is_empty()).then_some(LevelEdit::RemoveThings { level, things })
    };
    let before = editor.document.clone();
    edit(editor, "Delete things", deleted);
    if !before.is_same(&editor.document) {
        pick(editor, &[], Pick::Only);
    }
}

/// Adds a kind of foe like the one that the inspector shows.
fn add_kind(editor: &mut Editor) {
    let Some((desk, open)) = required(editor) else { return };
    let like = open.kinds.get(desk.kind).cloned().unwrap_or_default();
    let name = unique_name(&like.name, |name| open.kinds.iter().any(|kind| kind.name == name));
    let kinds: Vec<FoeKind> = open.kinds.iter().cloned().chain([FoeKind { name, ..like }]).collect();
    let last = kinds.len() - 1;
    edit(editor, "Add kind of foe", |level, _| Some(LevelEdit::SetFoeKinds { level, kinds }));
    pick_kind(editor, last);
}

/// Removes the kind of foe that the inspector shows.
fn remove_kind(editor: &mut Editor) {
    let Some((desk, open)) = required(editor) else { return };
    let Some(kind) = open.kinds.get(desk.kind) else { return };
    let count = open.foes.iter().filter(|foe| foe.kind == kind.name).count();
    if count > 0 {
        return info(
            editor,
            format!("The level has {} of the kind \"{}\". Delete them first.", counted(count, "foe"), kind.name),
        );
    }
    let mut kinds = open.kinds.clone();
    kinds.remove(desk.kind);
    edit(editor, "Remove kind of foe", |level, _| Some(LevelEdit::SetFoeKinds { level, kinds }));
}

/// Starts a drag of the selected things at the mouse.
fn begin(editor: &mut Editor, drag: impl FnOnce(&Session, &LevelDesk, &Level, Vec2) -> Option<LevelDrag>) {
    let pixel = editor.session.transient.pointer.pixel;
    let Some((_, open)) = required(editor) else { return };
    let drag = editor.session.transient.scene.level().and_then(|desk| drag(&editor.session, desk, &open, pixel));
    match drag {
        Some(drag) => begin_with(editor, drag, &open),
        None => info(editor, needs::NO_THING),
    }
}

/// Opens the gesture of a drag, and selects what it adds.
fn begin_with(editor: &mut Editor, drag: LevelDrag, open: &Level) {
    let (label, change, added) = (drag.label(), drag.change(), drag.added(open));
    transaction::begin_with(editor, label, Driver::Level(Box::new(drag)));
    if !added.is_empty() {
        transaction::preview(editor, &change);
        if let Some((desk, _)) = desk_mut(editor) {
            desk.pick(&added, Pick::Only);
        }
    }
}

/// Handles the mouse while no gesture takes it.
pub fn pointer(editor: &mut Editor, event: &PointerEvent) {
    let Some((desk, open)) = desk_mut(editor) else { return };
    let desk = desk.clone();
    let hot = || mouse::hot(&editor.session, &desk, &open, event.pixel);
    match (event.kind, desk.tool) {
        (PointerKind::Moved, LevelTool::Select) if editor.session.transient.pointer.press.is_none() => {
            let hot = hot();
            at_desk(editor, |desk, _| desk.hot = hot);
        }
        (PointerKind::Exited, _) => at_desk(editor, |desk, _| desk.hot = None),
        (PointerKind::Pressed | PointerKind::DoubleClicked, LevelTool::Select) => {
            press(editor, &open, hot(), event);
        }
        (PointerKind::Pressed | PointerKind::DoubleClicked, LevelTool::Draw(kind)) => {
            let drag = LevelDrag::drawing(&editor.session, &desk, &open, kind, event.pixel);
            begin_with(editor, drag, &open);
        }
        (PointerKind::Released, _) => release(editor, &desk, &open, event.pixel),
        (PointerKind::MenuClicked, LevelTool::Select) => match hot() {
            Some(Hot::Thing(at)) if !desk.picked.contains(&at) => pick(editor, &[at], Pick::Only),
            _ => {}
        },
        (PointerKind::MenuClicked | PointerKind::Moved, _) => {}
    }
}

fn pick(editor: &mut Editor, things: &[ThingRef], pick: Pick) {
    at_desk(editor, |desk, _| desk.pick(things, pick));
}

/// A press on a handle resizes, on a thing selects and moves it, elsewhere it begins a box.
fn press(editor: &mut Editor, open: &Level, hot: Option<Hot>, event: &PointerEvent) {
    let is_boxing = std::mem::take(&mut editor.session.transient.pointer.is_boxing);
    let picked = editor.session.transient.scene.level().map(|desk| desk.picked.clone()).unwrap_or_default();
    let is_picked = |at: ThingRef| picked.contains(&at);
    match if is_boxing { None } else { hot } {
        Some(Hot::Thing(at)) if event.held.shift => pick(editor, &[at], Pick::Toggle),
        Some(Hot::Thing(at)) if is_picked(at) || !mouse::is_scenery(open, at) => {
            let how = if is_picked(at) { Pick::Add } else { Pick::Only };
            pick(editor, &[at], how);
            begin(editor, LevelDrag::moving_held);
        }
        Some(Hot::Handle(sides)) => {
            begin(editor, |session, desk, _, pixel| LevelDrag::resizing(session, desk, open, sides, pixel));
        }
        Some(Hot::FarEnd) => begin(editor, LevelDrag::leading),
        Some(Hot::Thing(_)) | None => {
            editor.session.transient.pointer.press =
                Some(Press { pixel: event.pixel, held: event.held, is_box: false });
        }
    }
}

/// The end of a box, or of a click on scenery or on nothing.
fn release(editor: &mut Editor, desk: &LevelDesk, open: &Level, pixel: Vec2) {
    let pixels_per_point = editor.session.workspace.pixels_per_point;
    let selection_box = editor.session.transient.pointer.selection_box(pixels_per_point);
    let Some(press) = editor.session.transient.pointer.press.take() else { return };
    let things = match selection_box {
        Some(_) => mouse::in_box(&editor.session, desk, open, [press.pixel, pixel]),
        None => match mouse::hot(&editor.session, desk, open, pixel) {
            Some(Hot::Thing(at)) => vec![at],
            Some(Hot::Handle(_) | Hot::FarEnd) | None => Vec::new(),
        },
    };
    pick(editor, &things, if press.held.shift { Pick::Add } else { Pick::Only });
}

/// Moves the camera. Returns false for an action that the mode leaves to others.
pub fn view(editor: &mut Editor, action: ViewAction) -> bool {
    let (viewport, pixel) = (editor.session.workspace.viewport, editor.session.transient.pointer.pixel);
    let scale = editor.session.workspace.pixels_per_point;
    let Some(desk) = editor.session.transient.scene.level() else { return false };
    let units = VIEW_HEIGHT * desk.zoom / viewport.y.max(1.0);
    let pan = |by: Vec2| desk.aim + Vec2::new(-by.x, by.y) * units;
    let (aim, zoom) = match action {
        ViewAction::Pan(by) => (pan(by), desk.zoom),
        ViewAction::Orbit(by) => (pan(by * scale), desk.zoom),
        ViewAction::Zoom(notches) => {
            let [near, far] = LevelDesk::ZOOM;
            let zoom = (desk.zoom * 0.88_f32.powf(notches)).clamp(near, far);
            let point = |desk: &LevelDesk| mouse::point_in(&mouse::screen(&editor.session, desk), pixel, 0.0);
            // The point under the mouse stays there.
            (desk.aim + point(desk) - point(&LevelDesk { zoom, ..desk.clone() }), zoom)
        }
        ViewAction::FrameSelected | ViewAction::FrameAll => {
            let is_all = action == ViewAction::FrameAll;
            at_desk(editor, |desk, level| frame(desk, level, is_all, viewport));
            return true;
        }
        _ => return false,
    };
    const REACH: f32 = 20_000.0;
    if let Some(desk) = editor.session.transient.scene.level_mut()
        && aim.is_finite()
        && zoom.is_finite()
    {
        (desk.aim, desk.zoom) = (aim.clamp(Vec2::splat(-REACH), Vec2::splat(REACH)), zoom);
    }
    true
}

/// The zoom at which a small thing is framed: some metres around it stay in view.
const NEAREST_FRAMED: f32 = 0.6;

/// Moves the camera to the selected things, or to all in which one plays.
fn frame(desk: &mut LevelDesk, level: &Level, is_all: bool, viewport: Vec2) {
    let is_framed = |at: &ThingRef| {
        if is_all || desk.picked.is_empty() { at.kind != ThingKind::Decor } else { desk.picked.contains(at) }
    };
    let things = level.things().filter(|(at, _)| is_framed(at));
    let bounds: Vec<(Rect, f32)> = things.map(|(_, thing)| (outline(&thing, level), plane_of(&thing))).collect();
    let Some(all) = bounds.iter().map(|(rect, _)| *rect).reduce(|a, b| a.union(&b)) else { return };
    desk.aim = all.center();
    let [near, far] = LevelDesk::ZOOM;
    let aspect = (viewport.x / viewport.y.max(1.0)).max(0.1);
    // What is behind the plane of play looks smaller, as if the camera were farther away, and higher, as it looks down.
    let needed = |&(rect, z): &(Rect, f32)| {
        let middle = desk.aim + Vec2::Y * (z * RISE / distance());
        let reach = (rect.min - middle).abs().max((rect.max - middle).abs());
        reach.y.max(reach.x / aspect) * 2.0 * 1.25 / VIEW_HEIGHT + z / distance()
    };
    desk.zoom = bounds.iter().map(needed).fold(NEAREST_FRAMED.max(near), f32::max).min(far);
}

/// Plays the level from the mouse, or from the selected thing if the mouse is elsewhere.
fn play(editor: &mut Editor) {
    let pointer = editor.session.transient.pointer;
    let Some((desk, open)) = required(editor) else { return };
    let desk = desk.clone();
    // A button and a menu have no place of their own. What was drawn last is selected: the goal, if that was it.
    let selected = desk.active.filter(|_| !pointer.is_inside);
    let on_thing = selected.and_then(|at| open.thing(at)).map(|thing| match thing.rect() {
        Some(rect) => Vec2::new(rect.center().x, rect.max.y),
        None => thing.place(),
    });
    let here = on_thing.unwrap_or_else(|| mouse::point_in(&mouse::screen(&editor.session, &desk), pointer.pixel, 0.0));
    files::play_level(editor, Some(here));
}
