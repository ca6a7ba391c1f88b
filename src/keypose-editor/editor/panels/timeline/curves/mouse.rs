//! The mouse over the curves: picks keys, drags keys and handles, draws boxes.

use std::collections::BTreeSet;

use glam::{Vec2, Vec4};

use crate::editor::document::edit::Handles;
use crate::editor::ops::curves;
use crate::editor::ops::curves::{CurveHandle, CurveId};
use crate::editor::panels::timeline::curves::{Graph, dragged_values, draw};
use crate::editor::panels::timeline::press::{KeyArea, Pressed, pick_with, start_drag, time_point};
use crate::editor::panels::ui::prelude::*;
use crate::editor::session::timing::KeyDragKind;
use keypose::anim::bezier::{LENGTHS, THIRD};
use keypose::anim::key::{HandleKind, Key};

/// Distance within which a key or a handle is grabbed, in points.
const REACH: f32 = 9.0;
/// Distance from a third of the segment within which a handle gets exactly that length, in points.
const SNAP: f32 = 4.0;

#[derive(Clone, Copy, Debug)]
pub enum CurveItem {
    /// A key in a curve.
    Key {
        key: KeyRef,
        curve: CurveId,
        /// Whether it was selected before.
        was_selected: bool,
    },
    /// A handle, and whether it is being dragged.
    Handle {
        handle: Handle,
        /// Whether its gesture has begun.
        is_dragged: bool,
    },
}

/// A handle of a key.
#[derive(Clone, Copy, Debug)]
pub struct Handle {
    key: KeyRef,
    /// The key before the drag.
    before: Key,
    curve: CurveId,
    /// 0 for the handle before the key, 1 for the one after it.
    side: usize,
}

/// The curves under the mouse.
pub struct CurveArea<'g>(pub &'g Graph<'g>);

impl KeyArea for CurveArea<'_> {
    type Item = CurveItem;

    fn press(&self, ui: &Ui<'_>, at: [f32; 2]) -> Pressed<CurveItem> {
        let Some((key, curve)) = key_at(self.0, at) else {
            let handle = handle_at(ui, self.0, at).map(|handle| CurveItem::Handle { handle, is_dragged: false });
            return handle.map_or(Pressed::Background, Pressed::Item);
        };
        let curves = &ui.session.focus.timing.curves;
        let was_selected = ui.session.focus.selection.keys.contains(&key) && curves.contains(&curve);
        let mut picked = curves.clone();
        picked.insert(curve);
        match (ui.io().key_shift || ui.io().key_ctrl, was_selected) {
            (true, true) => pick(ui, &[key], picked, Pick::Toggle),
            (true, false) => pick(ui, &[key], picked, Pick::Add),
            (false, true) => {}
            (false, false) => pick(ui, &[key], [curve].into(), Pick::Only),
        }
        Pressed::Item(CurveItem::Key { key, curve, was_selected })
    }

    fn drag(&self, ui: &Ui<'_>, item: CurveItem, from: [f32; 2], at: [f32; 2]) -> Option<CurveItem> {
        match item {
            CurveItem::Key { key, curve, .. } => {
                if ui.session.focus.selection.keys.contains(&key) {
                    let values = Some(dragged_values(ui, self.0, Some(curve)));
                    start_drag(ui, time_point(ui, &self.0.scale, from), KeyDragKind::Move, values);
                }
                None
            }
            // The drag ends with its gesture, which Escape may have cancelled.
            CurveItem::Handle { is_dragged: true, .. } if ui.editor.gesture.is_none() => None,
            CurveItem::Handle { handle, is_dragged } => {
                if !is_dragged {
                    ui.send(DocumentAction::Begin { label: "Set handle".into() });
                }
                preview_handle(ui, self.0, handle, at);
                Some(CurveItem::Handle { handle, is_dragged: true })
            }
        }
    }

    fn release(&self, ui: &Ui<'_>, item: CurveItem, is_click: bool) {
        match item {
            CurveItem::Handle { is_dragged: true, .. } => ui.send(DocumentAction::Commit),
            CurveItem::Key { key, curve, was_selected: true } if is_click => {
                pick(ui, &[key], [curve].into(), Pick::Only);
            }
            CurveItem::Handle { .. } | CurveItem::Key { .. } => {}
        }
    }

    fn select_box(&self, ui: &Ui<'_>, rect: Rect) {
        let (mut keys, mut curves) = (BTreeSet::new(), BTreeSet::new());
        for line in &self.0.lines {
            for key in &line.of.keys {
                if draw::place(self.0, line, key.keyframe).is_some_and(|at| rect.contains(at)) {
                    keys.insert(line.key_ref(key.keyframe));
                    curves.insert(line.id());
                }
            }
        }
        let keys: Vec<KeyRef> = keys.into_iter().collect();
        pick(ui, &keys, curves, pick_with(ui.held()));
    }

    fn select_for_menu(&self, ui: &Ui<'_>, at: [f32; 2]) {
        let Some((key, curve)) = key_at(self.0, at) else { return };
        if !ui.session.focus.selection.keys.contains(&key) {
            pick(ui, &[key], [curve].into(), Pick::Only);
        }
    }

    fn hover(&self, ui: &Ui<'_>, at: [f32; 2]) {
        if handle_at(ui, self.0, at).is_some() || key_at(self.0, at).is_some() {
            ui.set_mouse_cursor(Some(imgui::MouseCursor::Hand));
        }
    }

    fn time_of_key(&self, at: [f32; 2]) -> Option<Time> {
        key_at(self.0, at).map(|(key, _)| self.0.clip.start_of(key.keyframe))
    }
}

/// The key nearest to a point, within reach.
fn key_at(graph: &Graph<'_>, at: [f32; 2]) -> Option<(KeyRef, CurveId)> {
    let keys = graph.lines.iter().flat_map(|line| line.of.keys.iter().map(move |key| (line, key.keyframe)));
    let near = keys.filter_map(|(line, keyframe)| {
        let away = Vec2::from(draw::place(graph, line, keyframe)?).distance(at.into());
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
                let away = handle.map_or(f32::MAX, |[_, end]| Vec2::from(end).distance(at.into()));
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

/// Previews a handle at the mouse. The other one points the opposite way and keeps its length, unless the handles are free or Alt or
/// Shift is down.
fn preview_handle(ui: &Ui<'_>, graph: &Graph<'_>, handle: Handle, at: [f32; 2]) {
    let Some((tangent, length)) = handle_to(graph, handle, at) else { return };
    let Handle { key, before, side, .. } = handle;
    let is_alone = before.handles == HandleKind::Free || ui.io().key_shift || ui.io().key_alt;
    let handles = Handles::of(&before).with(side, tangent, length, is_alone);
    let edit = KeyEdit::SetHandles { clip: graph.id, handles: vec![(key, handles)] }.into();
    ui.send(DocumentAction::Preview(Change::Edits(vec![edit])));
}

/// The tangent and the length of a handle that ends at a point.
fn handle_to(graph: &Graph<'_>, handle: Handle, at: [f32; 2]) -> Option<(Vec4, f32)> {
    let Handle { key, before, curve, side } = handle;
    let line = graph.lines.iter().find(|line| line.id() == curve)?;
    let [from, _] = draw::handles(graph, line, key.keyframe)[side]?;
    let CurveHandle { span, at: near, .. } = line.of.handles(key.keyframe)[side]?;
    let points = span * graph.scale.points_per_sec as f32;
    // A third is a Hermite curve, which is exact in every form and file.
    let is_third = (at[0] - from[0] - points * THIRD).abs() < SNAP;
    let length = if is_third { THIRD } else { (at[0] - from[0]) / points };
    let length = length.clamp(*LENGTHS.start(), *LENGTHS.end());
    let rise = (from[1] - at[1]) * line.per_point(graph.area);
    let order = line.of.reading.order;
    let current = [before.in_tangent, before.out_tangent][side];
    let mut slope = curves::slope(key.channel, before.value, current, order, near);
    slope[line.axis] = rise / (length * span);
    Some((curves::tangent(key.channel, before.value, slope, order, near), length))
}
