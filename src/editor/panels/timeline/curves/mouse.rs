//! The mouse over the curves: picks keys, drags keys and tangents, draws boxes.

use crate::editor::panels::ui::Ui;
use std::collections::BTreeSet;

use glam::Vec4;
use imgui::MouseButton;

use crate::anim::key::{Key, TangentKind};
use crate::editor::document::edit::{KeyEdit, KeyRef};
use crate::editor::ops::curves;
use crate::editor::ops::curves::CurveId;
use crate::editor::panels::timeline::curves::{Graph, dragged_values, draw};
use crate::editor::panels::timeline::press;
use crate::editor::panels::timeline::press::{Background, Press, draw_box, pick_with, start_drag, time_point};
use crate::editor::panels::timeline::sheet::keys_menu_ui;
use crate::editor::panels::ui::rect::Rect;
use crate::editor::posing::change::Change;
use crate::editor::session::command::Command;
use crate::editor::session::selection::Pick;
use crate::editor::session::timing::KeyDragKind;
use crate::editor::session::timing::TimeAction;
use crate::editor::state::action::{DocumentAction, PlaybackAction, SelectAction};

/// Distance within which a key or a handle is grabbed, in points.
const REACH: f32 = 9.0;
/// The state of the mouse between frames.
pub type KeyMouse = press::KeyMouse<Pressed>;

/// The item under a press.
#[derive(Clone, Copy, Debug)]
pub enum Pressed {
    /// A key in a curve, and whether it was selected before.
    Key(KeyRef, CurveId, bool),
    /// A handle.
    Handle(Handle),
    /// A handle being dragged.
    DraggedHandle(Handle),
    /// Nothing: a drag draws a box.
    Box,
}

/// A handle of a tangent.
#[derive(Clone, Copy, Debug)]
pub struct Handle {
    key: KeyRef,
    /// The key before the drag.
    before: Key,
    curve: CurveId,
    /// 0 for the tangent before the key, 1 for the one behind it.
    side: usize,
}

/// Handles the mouse.
pub fn mouse(ui: &Ui<'_>, graph: &Graph<'_>, background: Background, mouse: &mut KeyMouse) {
    let at = ui.io().mouse_pos;
    let is_free = !ui.is_gesture_driven();
    let is_pressed = background.is_pressed && is_free;
    if is_pressed && ui.is_mouse_down(MouseButton::Right) {
        let key = key_at(graph, at).filter(|(key, _)| !ui.session.focus.selection.keys.contains(key));
        if let Some((key, curve)) = key {
            pick(ui, &[key], [curve].into(), Pick::Only);
        }
        mouse.is_menu_wanted = true;
    } else if is_pressed && ui.is_mouse_down(MouseButton::Left) {
        mouse.press = Some(Press { at, what: press(ui, graph, at) });
    }
    if let Some(press) = mouse.press {
        mouse.press = continue_press(ui, graph, press, at);
    } else if background.is_hovered && is_free && (handle_at(ui, graph, at).is_some() || key_at(graph, at).is_some()) {
        ui.set_mouse_cursor(Some(imgui::MouseCursor::Hand));
    }
    if background.is_hovered
        && ui.is_mouse_double_clicked(MouseButton::Left)
        && let Some((key, _)) = key_at(graph, at)
    {
        ui.send(PlaybackAction::Seek(graph.clip.start_of(key.keyframe)));
    }
    keys_menu_ui(ui, &mut mouse.is_menu_wanted);
}

fn distance(a: [f32; 2], b: [f32; 2]) -> f32 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

/// The key nearest to a point, within reach.
fn key_at(graph: &Graph<'_>, at: [f32; 2]) -> Option<(KeyRef, CurveId)> {
    let keys = graph.lines.iter().flat_map(|line| line.of.keys.iter().map(move |key| (line, key.keyframe)));
    let near = keys.filter_map(|(line, keyframe)| {
        let away = distance(draw::place(graph, line, keyframe)?, at);
        (away <= REACH).then_some((away, line.key_ref(keyframe), line.id()))
    });
    near.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, key, curve)| (key, curve))
}

/// The handle nearest to a point, of a selected key.
fn handle_at(ui: &Ui<'_>, graph: &Graph<'_>, at: [f32; 2]) -> Option<Handle> {
    let mut nearest: Option<(f32, Handle)> = None;
    for line in &graph.lines {
        for curve_key in &line.of.keys {
            let key = line.key_ref(curve_key.keyframe);
            if !ui.session.focus.selection.keys.contains(&key) {
                continue;
            }
            for (side, handle) in draw::handles(graph, line, key.keyframe).into_iter().enumerate() {
                let away = handle.map_or(f32::MAX, |handle| distance(handle, at));
                if away <= REACH && nearest.is_none_or(|(min, _)| away < min) {
                    nearest = Some((away, Handle { key, before: curve_key.key, curve: line.id(), side }));
                }
            }
        }
    }
    nearest.map(|(_, handle)| handle)
}

fn pick(ui: &Ui<'_>, keys: &[KeyRef], curves: BTreeSet<CurveId>, pick: Pick) {
    ui.send(SelectAction::Keys { keys: keys.to_vec(), pick });
    ui.send(TimeAction::PickCurves(curves));
}

fn press(ui: &Ui<'_>, graph: &Graph<'_>, at: [f32; 2]) -> Pressed {
    if ui.session.focus.timing.is_boxing {
        return Pressed::Box;
    }
    let Some((key, curve)) = key_at(graph, at) else {
        return handle_at(ui, graph, at).map_or(Pressed::Box, Pressed::Handle);
    };
    let was_selected =
        ui.session.focus.selection.keys.contains(&key) && ui.session.focus.timing.curves.contains(&curve);
    let mut picked = ui.session.focus.timing.curves.clone();
    picked.insert(curve);
    match (ui.io().key_shift || ui.io().key_ctrl, was_selected) {
        (true, true) => pick(ui, &[key], picked, Pick::Toggle),
        (true, false) => pick(ui, &[key], picked, Pick::Add),
        (false, true) => {}
        (false, false) => pick(ui, &[key], [curve].into(), Pick::Only),
    }
    Pressed::Key(key, curve, was_selected)
}

/// Handles a press until the button is released. Returns the press in the next frame.
fn continue_press(ui: &Ui<'_>, graph: &Graph<'_>, press: Press<Pressed>, at: [f32; 2]) -> Option<Press<Pressed>> {
    if !ui.is_mouse_down(MouseButton::Left) {
        release(ui, graph, press, at);
        return None;
    }
    match press.what {
        // The drag ends with its gesture, which Escape may have cancelled.
        Pressed::DraggedHandle(_) if ui.editor.gesture.is_none() => return None,
        Pressed::DraggedHandle(handle) => preview_tangent(ui, graph, handle, at),
        Pressed::Handle(handle) if press.is_far(at) => {
            ui.send(DocumentAction::Begin { label: "Set tangent".into() });
            preview_tangent(ui, graph, handle, at);
            return Some(Press { what: Pressed::DraggedHandle(handle), ..press });
        }
        Pressed::Key(key, curve, _) if press.is_far(at) => {
            if ui.session.focus.selection.keys.contains(&key) {
                let from = time_point(ui, &graph.scale, press.at);
                start_drag(ui, from, KeyDragKind::Move, Some(dragged_values(ui, graph, Some(curve))));
            }
            return None;
        }
        Pressed::Handle(_) | Pressed::Key(..) => {}
        Pressed::Box => draw_box(ui, Rect::spanned(press.at, at)),
    }
    Some(press)
}

fn release(ui: &Ui<'_>, graph: &Graph<'_>, press: Press<Pressed>, at: [f32; 2]) {
    let joins = ui.io().key_shift || ui.io().key_ctrl;
    match press.what {
        Pressed::DraggedHandle(_) => ui.send(DocumentAction::Commit),
        Pressed::Key(key, curve, true) if !joins => pick(ui, &[key], [curve].into(), Pick::Only),
        Pressed::Handle(_) | Pressed::Key(..) => {}
        Pressed::Box => {
            ui.send(TimeAction::SetBoxSelect(false));
            if press.is_far(at) {
                pick_box(ui, graph, Rect::spanned(press.at, at));
            } else if !joins {
                ui.run(Command::SelectNoKeys);
            }
        }
    }
}

/// Picks the keys in a box and their curves.
fn pick_box(ui: &Ui<'_>, graph: &Graph<'_>, rect: Rect) {
    let (mut keys, mut curves) = (BTreeSet::new(), BTreeSet::new());
    for line in &graph.lines {
        for key in &line.of.keys {
            if draw::place(graph, line, key.keyframe).is_some_and(|at| rect.contains(at)) {
                keys.insert(line.key_ref(key.keyframe));
                curves.insert(line.id());
            }
        }
    }
    let keys: Vec<KeyRef> = keys.into_iter().collect();
    pick(ui, &keys, curves, pick_with(ui.held()));
}

/// Previews a tangent that points to the mouse: both sides, or one if it is broken or Shift is down.
fn preview_tangent(ui: &Ui<'_>, graph: &Graph<'_>, handle: Handle, at: [f32; 2]) {
    let Some(new) = tangent(graph, handle, at) else { return };
    let Handle { key, before, side, .. } = handle;
    let is_alone = before.tangents == TangentKind::Broken || ui.io().key_shift;
    let [in_tangent, out_tangent] = match (is_alone, side) {
        (false, _) => [new, new],
        (true, 0) => [new, before.out_tangent],
        (true, _) => [before.in_tangent, new],
    };
    let edit = KeyEdit::SetTangents { clip: graph.id, key, in_tangent, out_tangent }.into();
    ui.send(DocumentAction::Preview(Change::Edits(vec![edit])));
}

/// The tangent of a handle at a point.
fn tangent(graph: &Graph<'_>, handle: Handle, at: [f32; 2]) -> Option<Vec4> {
    let Handle { key, before, curve, side } = handle;
    let line = graph.lines.iter().find(|line| line.id() == curve)?;
    let from = draw::place(graph, line, key.keyframe)?;
    let sign = if side == 0 { -1.0 } else { 1.0 };
    let secs = ((at[0] - from[0]) * sign).max(3.0) * sign / graph.scale.points_per_sec as f32;
    let rise = (from[1] - at[1]) * line.per_point(graph.area);
    let (near, order) = (line.of.key(key.keyframe)?.shown, line.of.reading.order);
    let current = [before.in_tangent, before.out_tangent][side];
    let mut slope = curves::slope(key.channel, before.value, current, order, near);
    slope[line.axis] = rise / secs;
    Some(curves::tangent(key.channel, before.value, slope, order, near))
}
