//! The mouse over the dope sheet: picks and drags keys, draws boxes, scales the selection by its handles.

use crate::editor::panels::timeline::press::{KeyArea, Pressed, pick_with, start_drag, time_point};
use crate::editor::panels::timeline::sheet::draw::is_any_selected;
use crate::editor::panels::timeline::sheet::{Grid, REACH, ROW};
use crate::editor::panels::ui::prelude::*;
use crate::editor::session::timing::KeyDragKind;
use crate::editor::view::dope_sheet::RowKind;

/// Width of a handle of the selection.
const HANDLE: f32 = 10.0;

/// The keys of a row and keyframe that are pressed.
#[derive(Clone, Copy, Debug)]
pub struct PressedKeys {
    row: RowKind,
    column: usize,
    /// Whether they were selected before.
    were_selected: bool,
}

/// The dope sheet under the mouse.
pub struct SheetArea<'g> {
    grid: &'g Grid<'g>,
    handles: Option<Handles>,
}

impl<'g> SheetArea<'g> {
    /// The area of a grid. Draws the handles of the selected keys.
    pub fn ui(ui: &Ui<'_>, grid: &'g Grid<'g>) -> SheetArea<'g> {
        SheetArea { grid, handles: handles(ui, grid) }
    }

    /// The fixed time for the handle under a point.
    fn about(&self, at: [f32; 2]) -> Option<Time> {
        self.handles.as_ref()?.about(at)
    }
}

impl KeyArea for SheetArea<'_> {
    type Item = PressedKeys;

    fn press(&self, ui: &Ui<'_>, at: [f32; 2]) -> Pressed<PressedKeys> {
        if let Some(about) = self.about(at) {
            start_drag(ui, time_point(ui, &self.grid.scale, at), KeyDragKind::Scale { about }, None);
            return Pressed::Started;
        }
        let Some((row, column)) = key_at(self.grid, at) else { return Pressed::Background };
        let row = self.grid.rows[row].kind;
        let (selection, keys) = (&ui.session.focus.selection, refs(self.grid, row, column));
        let were_selected = keys.iter().all(|key| selection.keys.contains(key));
        if ui.io().key_shift || ui.io().key_ctrl {
            ui.send(SelectAction::Keys { keys, pick: if were_selected { Pick::Toggle } else { Pick::Add } });
        } else if !were_selected {
            ui.send(SelectAction::Keys { keys, pick: Pick::Only });
        }
        Pressed::Item(PressedKeys { row, column, were_selected })
    }

    /// Starts to move the keys.
    fn drag(&self, ui: &Ui<'_>, keys: PressedKeys, from: [f32; 2], _: [f32; 2]) -> Option<PressedKeys> {
        if is_any_selected(&ui.session.focus.selection, keys.row, keys.column) {
            let kind = if ui.io().key_alt { KeyDragKind::Ripple } else { KeyDragKind::Move };
            start_drag(ui, time_point(ui, &self.grid.scale, from), kind, None);
        }
        None
    }

    fn release(&self, ui: &Ui<'_>, keys: PressedKeys, is_click: bool) {
        if keys.were_selected && is_click {
            ui.send(SelectAction::Keys { keys: refs(self.grid, keys.row, keys.column), pick: Pick::Only });
        }
    }

    fn select_box(&self, ui: &Ui<'_>, rect: Rect) {
        ui.send(SelectAction::Keys { keys: boxed(self.grid, rect), pick: pick_with(ui.held()) });
    }

    fn select_for_menu(&self, ui: &Ui<'_>, at: [f32; 2]) {
        let Some((row, column)) = key_at(self.grid, at) else { return };
        let keys = refs(self.grid, self.grid.rows[row].kind, column);
        if !keys.iter().all(|key| ui.session.focus.selection.keys.contains(key)) {
            ui.send(SelectAction::Keys { keys, pick: Pick::Only });
        }
    }

    fn hover(&self, ui: &Ui<'_>, at: [f32; 2]) {
        if self.about(at).is_some() {
            ui.set_mouse_cursor(Some(MouseCursor::ResizeEW));
        } else if let Some((row, column)) = key_at(self.grid, at) {
            let center = [self.grid.scale.x(self.grid.starts[column]), self.grid.row(row).center()[1]];
            ui.outline(Rect::around(center, [14.0, 16.0]), ui.theme.text, 4.0, 1.0);
        }
    }

    fn time_of_key(&self, at: [f32; 2]) -> Option<Time> {
        key_at(self.grid, at).map(|(_, column)| self.grid.starts[column])
    }
}

/// The row and keyframe of the key nearest to a point, within reach.
fn key_at(grid: &Grid<'_>, at: [f32; 2]) -> Option<(usize, usize)> {
    let row =
        grid.rows_between(at[1], at[1]).next().filter(|row| grid.row(*row).contains([grid.row(*row).min[0], at[1]]))?;
    let kind = grid.rows[row].kind;
    let columns = grid.columns_between(at[0] - REACH, at[0] + REACH);
    let there = columns.filter(|&column| !kind.keys(&grid.clip.keyframes[column]).is_empty());
    let distance = |column: &usize| (grid.scale.x(grid.starts[*column]) - at[0]).abs();
    let nearest = there.min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
    Some((row, nearest))
}

fn refs(grid: &Grid<'_>, row: RowKind, column: usize) -> Vec<KeyRef> {
    row.refs(grid.clip, column).collect()
}

/// The keys in a box: of all rows whose middle it contains.
fn boxed(grid: &Grid<'_>, rect: Rect) -> Vec<KeyRef> {
    let mut keys = Vec::new();
    // A half covered key counts too.
    let columns = grid.columns_between(rect.min[0] - 4.0, rect.max[0] + 4.0);
    for row in grid.rows_between(rect.min[1], rect.max[1].min(grid.body.max[1])) {
        let middle = grid.row(row).center()[1];
        let is_inside = middle >= rect.min[1] && middle <= rect.max[1];
        if is_inside || rect.height() < ROW {
            keys.extend(columns.clone().flat_map(|column| refs(grid, grid.rows[row].kind, column)));
        }
    }
    keys
}

/// The handles at both ends of the selected keys in the first row: dragging one scales the times around the other.
struct Handles {
    rects: [Rect; 2],
    times: [Time; 2],
}

impl Handles {
    /// The fixed time for the handle under a point.
    fn about(&self, at: [f32; 2]) -> Option<Time> {
        let hit = self.rects.iter().position(|rect| rect.contains(at))?;
        Some(self.times[1 - hit])
    }
}

fn handles(ui: &Ui<'_>, grid: &Grid<'_>) -> Option<Handles> {
    let keys = &ui.session.focus.selection.keys;
    let time = |key: Option<&KeyRef>| grid.starts.get(key?.keyframe).copied();
    let times = [time(keys.first())?, time(keys.last())?];
    if times[0] == times[1] {
        return None;
    }
    let summary = grid.summary;
    let x = times.map(|time| grid.scale.x(time));
    let rects = [x[0] - REACH - HANDLE, x[1] + REACH].map(|left| summary.with_x(left, left + HANDLE));
    for (at, rect) in rects.into_iter().enumerate() {
        if rect.max[0] >= summary.min[0] - HANDLE && rect.min[0] <= summary.max[0] {
            ui.fill(rect.inset(2.0, 3.0), ui.theme.selected_key, 2.0);
            ui.mark(|| format!("sheet-handle{at}"), rect);
        }
    }
    let (left, right) = (rects[0].min[0].max(summary.min[0]), rects[1].max[0].min(summary.max[0]));
    ui.fill(summary.top(2.0).with_x(left, right), faded(ui.theme.selected_key, 0.7), 0.0);
    Some(Handles { rects, times })
}
