//! The mouse over the curves: picks keys, drags keys and tangents, draws boxes.

use crate::editor::panels::ui::Ui;
use std::collections::BTreeSet;

use imgui::MouseButton;

use crate::anim::key::{Key, TangentKind};
use crate::assets::id::ClipId;
use crate::editor::document::edit::{KeyEdit, KeyRef, Original};
use crate::editor::ops::curves;
use crate::editor::ops::curves::CurveId;
use crate::editor::panels::timeline::curves::{Graph, Line, draw, lifted};
use crate::editor::panels::timeline::panel;
use crate::editor::panels::timeline::press;
use crate::editor::panels::timeline::press::{Press, between, draw_box, pick_with};
use crate::editor::panels::timeline::sheet::keys_menu_ui;
use crate::editor::posing::change::Change;
use crate::editor::session::command::Command;
use crate::editor::session::selection::Pick;
use crate::editor::session::timing::KeyDragKind;
use crate::editor::session::timing::{KeyDragStart, TimeAction, TimePoint};
use crate::editor::state::action::{Action, DocumentAction, PlaybackAction, SelectAction};

/// Distance within which a key or a handle is grabbed, in points.
const REACH: f32 = 9.0;
/// The state of the mouse between frames.
pub type KeyMouse = press::KeyMouse<Pressed>;

/// The item under a press.
#[derive(Clone, Copy, Debug)]
pub enum Pressed {
    /// A key in a curve, and whether it was selected before.
    Key(KeyRef, CurveId, bool),
    /// A handle: the original key, the curve and the side.
    Handle(KeyRef, Key, CurveId, usize),
    /// A handle being dragged.
    Turning(KeyRef, Key, CurveId, usize),
    /// Nothing: a drag draws a box.
    Box,
}

/// Handles the mouse.
pub fn mouse(ui: &Ui<'_>, graph: &Graph<'_>, id: ClipId, (is_hovered, is_pressed): (bool, bool), local: &mut KeyMouse) {
    let at = ui.io().mouse_pos;
    let is_free = panel::is_free(ui);
    if is_pressed && is_free && ui.is_mouse_down(MouseButton::Right) {
        if let Some((key, curve)) = key_at(graph, at).filter(|(key, _)| !ui.session.focus.selection.keys.contains(key))
        {
            pick(&[key], [curve].into(), Pick::Only, ui);
        }
        local.is_menu_wanted = true;
    } else if is_pressed && is_free && ui.is_mouse_down(MouseButton::Left) {
        local.press = Some(Press { at, what: press(ui, graph, at) });
    }
    if let Some(press) = local.press {
        held(ui, graph, id, press, at, local);
    } else if is_hovered && is_free && (handle_at(ui, graph, at).is_some() || key_at(graph, at).is_some()) {
        ui.set_mouse_cursor(Some(imgui::MouseCursor::Hand));
    }
    if is_hovered
        && ui.is_mouse_double_clicked(MouseButton::Left)
        && let Some((key, _)) = key_at(graph, at)
    {
        ui.send(PlaybackAction::Seek(graph.clip.start_of(key.keyframe)));
    }
    if std::mem::take(&mut local.is_menu_wanted) {
        ui.open_popup("##keys-menu");
    }
    keys_menu_ui(ui);
}

fn reference(line: &Line<'_>, keyframe: usize) -> KeyRef {
    KeyRef { keyframe, bone: line.of.bone, channel: line.of.channel }
}

fn distance(a: [f32; 2], b: [f32; 2]) -> f32 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

/// The key nearest to a point, within reach.
fn key_at(graph: &Graph<'_>, at: [f32; 2]) -> Option<(KeyRef, CurveId)> {
    let keys = graph.lines.iter().flat_map(|line| line.of.keys.iter().map(move |key| (line, key.keyframe)));
    let near = keys.filter_map(|(line, keyframe)| {
        let away = distance(draw::place(graph, line, keyframe)?, at);
        (away <= REACH).then_some((away, reference(line, keyframe), line.id()))
    });
    near.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, key, curve)| (key, curve))
}

/// The handle nearest to a point, of a selected key.
fn handle_at(ui: &Ui<'_>, graph: &Graph<'_>, at: [f32; 2]) -> Option<(KeyRef, Key, CurveId, usize)> {
    let mut best: Option<(f32, (KeyRef, Key, CurveId, usize))> = None;
    for line in &graph.lines {
        let is_selected =
            |key: &&curves::CurveKey| ui.session.focus.selection.keys.contains(&reference(line, key.keyframe));
        for key in line.of.keys.iter().filter(is_selected) {
            for (side, handle) in draw::handles(graph, line, key.keyframe).into_iter().enumerate() {
                let away = handle.map_or(f32::MAX, |handle| distance(handle, at));
                if away <= REACH && best.is_none_or(|(least, _)| away < least) {
                    best = Some((away, (reference(line, key.keyframe), key.key, line.id(), side)));
                }
            }
        }
    }
    best.map(|(_, found)| found)
}

fn pick(keys: &[KeyRef], picked: BTreeSet<CurveId>, pick: Pick, ui: &Ui<'_>) {
    ui.send(SelectAction::Keys { keys: keys.to_vec(), pick });
    ui.send(TimeAction::PickCurves(picked));
}

fn press(ui: &Ui<'_>, graph: &Graph<'_>, at: [f32; 2]) -> Pressed {
    if ui.session.focus.timing.is_boxing {
        return Pressed::Box;
    }
    let key = key_at(graph, at);
    if let (Some((key, before, curve, side)), None) = (handle_at(ui, graph, at), key) {
        return Pressed::Handle(key, before, curve, side);
    }
    let Some((key, curve)) = key else { return Pressed::Box };
    let was_selected =
        ui.session.focus.selection.keys.contains(&key) && ui.session.focus.timing.curves.contains(&curve);
    let mut picked = ui.session.focus.timing.curves.clone();
    picked.insert(curve);
    match (ui.io().key_shift || ui.io().key_ctrl, was_selected) {
        (true, true) => pick(&[key], picked, Pick::Toggle, ui),
        (true, false) => pick(&[key], picked, Pick::Add, ui),
        (false, true) => {}
        (false, false) => pick(&[key], [curve].into(), Pick::Only, ui),
    }
    Pressed::Key(key, curve, was_selected)
}

/// Handles a press until the button is released.
#[allow(clippy::too_many_arguments)]
fn held(ui: &Ui<'_>, graph: &Graph<'_>, id: ClipId, press: Press<Pressed>, at: [f32; 2], local: &mut KeyMouse) {
    let is_far = press.is_far(at);
    let is_down = ui.is_mouse_down(MouseButton::Left);
    let joins = ui.io().key_shift || ui.io().key_ctrl;
    if !is_down {
        local.press = None;
    }
    match press.what {
        Pressed::Turning(..) if !is_down => ui.send(DocumentAction::Commit),
        // The drag ends with its gesture, which Escape may have cancelled.
        Pressed::Turning(..) if ui.editor.gesture.is_none() => local.press = None,
        Pressed::Turning(key, before, curve, side) => {
            turned(ui, graph, id, (key, before, curve, side), at).into_iter().for_each(|action| ui.send(action));
        }
        Pressed::Handle(key, before, curve, side) if is_far && is_down => {
            ui.send(DocumentAction::Begin { label: "Set tangent".into() });
            local.press = Some(Press { what: Pressed::Turning(key, before, curve, side), ..press });
            turned(ui, graph, id, (key, before, curve, side), at).into_iter().for_each(|action| ui.send(action));
        }
        Pressed::Handle(..) => {}
        Pressed::Key(key, curve, _) if is_far && is_down => {
            local.press = None;
            if ui.session.focus.selection.keys.contains(&key) {
                let from = TimePoint { time: graph.scale.time(press.at[0]), y: press.at[1], held: ui.held() };
                let (grip, lifted) = (KeyDragKind::Move, Some(lifted(ui, graph, Some(curve))));
                let take = KeyDragStart { grip, original: Original::Moves, is_modal: false, lifted, from: Some(from) };
                ui.send(TimeAction::Take(take));
            }
        }
        Pressed::Key(key, curve, true) if !is_down && !joins => pick(&[key], [curve].into(), Pick::Only, ui),
        Pressed::Key(..) => {}
        Pressed::Box => boxing(ui, graph, (press.at, at), is_far, is_down),
    }
}

fn boxing(ui: &Ui<'_>, graph: &Graph<'_>, (a, b): ([f32; 2], [f32; 2]), is_far: bool, is_down: bool) {
    let (rect, held) = (between(a, b), ui.held());
    if is_down {
        return draw_box(ui, rect);
    }
    ui.send(TimeAction::Boxing(false));
    if !is_far {
        if !held.shift && !held.ctrl {
            ui.run(Command::SelectNoKeys);
        }
        return;
    }
    let (mut keys, mut picked) = (Vec::new(), BTreeSet::new());
    for line in &graph.lines {
        for key in &line.of.keys {
            if draw::place(graph, line, key.keyframe).is_some_and(|at| rect.contains(at)) {
                keys.push(reference(line, key.keyframe));
                picked.insert(line.id());
            }
        }
    }
    keys.sort_unstable();
    keys.dedup();
    pick(&keys, picked, pick_with(held), ui);
}

/// The edit that turns a tangent towards the mouse: both sides, or one if it is broken or Shift is down.
fn turned(
    ui: &Ui<'_>,
    graph: &Graph<'_>,
    id: ClipId,
    (key, before, curve, side): (KeyRef, Key, CurveId, usize),
    at: [f32; 2],
) -> Option<Action> {
    let line = graph.lines.iter().find(|line| line.id() == curve)?;
    let from = draw::place(graph, line, key.keyframe)?;
    let sign = if side == 0 { -1.0 } else { 1.0 };
    let secs = ((at[0] - from[0]) * sign).max(3.0) * sign / graph.scale.points_per_sec as f32;
    let rise = (from[1] - at[1]) * line.per_point(graph.area);
    let near = line.of.key(key.keyframe)?.shown;
    let tangents = [before.in_tangent, before.out_tangent];
    let mut slope = curves::slope(key.channel, before.value, tangents[side], near);
    slope[line.axis] = rise / secs;
    let new = curves::tangent(key.channel, before.value, slope, near);
    let is_alone = before.tangents == TangentKind::Broken || ui.io().key_shift;
    let [in_tangent, out_tangent] = match (is_alone, side) {
        (false, _) => [new, new],
        (true, 0) => [new, tangents[1]],
        (true, _) => [tangents[0], new],
    };
    let edit = KeyEdit::SetTangents { clip: id, key, in_tangent, out_tangent }.into();
    Some(Action::Document(DocumentAction::Preview(Change::Edits(vec![edit]))))
}
