//! The mouse over the dope sheet: picks and drags keys, draws boxes, scales the selection by its handles.

use crate::editor::panels::ui::Ui;
use imgui::{MouseButton, MouseCursor};

use crate::anim::time::Time;
use crate::editor::document::edit::KeyRef;
use crate::editor::panels::timeline::press;
use crate::editor::panels::timeline::press::{Background, Press, draw_box, pick_with, start_drag, time_point};
use crate::editor::panels::timeline::sheet::draw::is_any_selected;
use crate::editor::panels::timeline::sheet::{Grid, REACH};
use crate::editor::panels::ui::menu;
use crate::editor::panels::ui::rect::Rect;
use crate::editor::panels::ui::theme::faded;
use crate::editor::session::command::Command;
use crate::editor::session::selection::Pick;
use crate::editor::session::timing::KeyDragKind;
use crate::editor::session::timing::TimeAction;
use crate::editor::state::action::{PlaybackAction, SelectAction};

/// Width of a handle of the selection.
const HANDLE: f32 = 10.0;

/// The state of the mouse between frames.
pub type KeyMouse = press::KeyMouse<Pressed>;

/// The item under a press.
#[derive(Clone, Copy, Debug)]
pub enum Pressed {
    /// The keys of a row and keyframe, and whether they were selected before.
    Keys(usize, usize, bool),
    /// Nothing: a drag draws a box.
    Box,
}

/// Handles the mouse.
pub fn mouse(ui: &Ui<'_>, grid: &Grid<'_>, background: Background, mouse: &mut KeyMouse) {
    let handles = handles(ui, grid);
    let is_free = !ui.is_gesture_driven();
    let is_pressed = background.is_pressed && is_free;
    let at = ui.io().mouse_pos;
    if is_pressed && ui.is_mouse_down(MouseButton::Right) {
        select_for_menu(ui, grid, at);
        mouse.is_menu_wanted = true;
    } else if is_pressed && ui.is_mouse_down(MouseButton::Left) {
        mouse.press = press(ui, grid, handles.as_ref(), at);
    }
    if let Some(press) = mouse.press {
        mouse.press = continue_press(ui, grid, press, at);
    } else if background.is_hovered && is_free {
        hint(ui, grid, handles.as_ref(), at);
    }
    if background.is_hovered
        && ui.is_mouse_double_clicked(MouseButton::Left)
        && let Some((_, column)) = key_at(grid, at)
    {
        ui.send(PlaybackAction::Seek(grid.starts[column]));
    }
    keys_menu_ui(ui, &mut mouse.is_menu_wanted);
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

fn refs(grid: &Grid<'_>, row: usize, column: usize) -> Vec<KeyRef> {
    grid.rows[row].kind.refs(grid.clip, column).collect()
}

fn press(ui: &Ui<'_>, grid: &Grid<'_>, handles: Option<&Handles>, at: [f32; 2]) -> Option<Press<Pressed>> {
    if ui.session.focus.timing.is_boxing {
        return Some(Press { at, what: Pressed::Box });
    }
    if let Some(about) = handles.and_then(|handles| handles.about(at)) {
        start_drag(ui, time_point(ui, &grid.scale, at), KeyDragKind::Scale { about }, None);
        return None;
    }
    let Some((row, column)) = key_at(grid, at) else { return Some(Press { at, what: Pressed::Box }) };
    let (selection, keys) = (&ui.session.focus.selection, refs(grid, row, column));
    let were_selected = keys.iter().all(|key| selection.keys.contains(key));
    if ui.io().key_shift || ui.io().key_ctrl {
        ui.send(SelectAction::Keys { keys, pick: if were_selected { Pick::Toggle } else { Pick::Add } });
    } else if !were_selected {
        ui.send(SelectAction::Keys { keys, pick: Pick::Only });
    }
    Some(Press { at, what: Pressed::Keys(row, column, were_selected) })
}

/// Handles a press until the button is released. Returns the press in the next frame.
fn continue_press(ui: &Ui<'_>, grid: &Grid<'_>, press: Press<Pressed>, at: [f32; 2]) -> Option<Press<Pressed>> {
    if !ui.is_mouse_down(MouseButton::Left) {
        release(ui, grid, press, at);
        return None;
    }
    match press.what {
        Pressed::Keys(row, column, _) if press.is_far(at) => {
            if is_any_selected(&ui.session.focus.selection, grid.rows[row].kind, column) {
                let kind = if ui.io().key_alt { KeyDragKind::Ripple } else { KeyDragKind::Move };
                start_drag(ui, time_point(ui, &grid.scale, press.at), kind, None);
            }
            return None;
        }
        Pressed::Box if press.is_far(at) || ui.session.focus.timing.is_boxing => {
            draw_box(ui, Rect::spanned(press.at, at));
        }
        Pressed::Keys(..) | Pressed::Box => {}
    }
    Some(press)
}

fn release(ui: &Ui<'_>, grid: &Grid<'_>, press: Press<Pressed>, at: [f32; 2]) {
    let joins = ui.io().key_shift || ui.io().key_ctrl;
    let is_far = press.is_far(at);
    match press.what {
        Pressed::Keys(row, column, true) if !is_far && !joins => {
            ui.send(SelectAction::Keys { keys: refs(grid, row, column), pick: Pick::Only });
        }
        Pressed::Keys(..) => {}
        Pressed::Box => {
            ui.send(TimeAction::SetBoxSelect(false));
            if is_far {
                let keys = boxed(grid, Rect::spanned(press.at, at));
                ui.send(SelectAction::Keys { keys, pick: pick_with(ui.held()) });
            } else if !joins {
                ui.run(Command::SelectNoKeys);
            }
        }
    }
}

/// The keys in a box: of all rows whose middle it contains.
fn boxed(grid: &Grid<'_>, rect: Rect) -> Vec<KeyRef> {
    let mut keys = Vec::new();
    // A half covered key counts too.
    let columns = grid.columns_between(rect.min[0] - 4.0, rect.max[0] + 4.0);
    for row in grid.rows_between(rect.min[1], rect.max[1]) {
        let middle = grid.row(row).center()[1];
        let is_inside = middle >= rect.min[1] && middle <= rect.max[1];
        if is_inside || rect.height() < super::ROW {
            keys.extend(columns.clone().flat_map(|column| refs(grid, row, column)));
        }
    }
    keys
}

/// Selects the keys at a point, unless they are selected already.
fn select_for_menu(ui: &Ui<'_>, grid: &Grid<'_>, at: [f32; 2]) {
    let Some((row, column)) = key_at(grid, at) else { return };
    let keys = refs(grid, row, column);
    if !keys.iter().all(|key| ui.session.focus.selection.keys.contains(key)) {
        ui.send(SelectAction::Keys { keys, pick: Pick::Only });
    }
}

fn hint(ui: &Ui<'_>, grid: &Grid<'_>, handles: Option<&Handles>, at: [f32; 2]) {
    if handles.is_some_and(|handles| handles.about(at).is_some()) {
        ui.set_mouse_cursor(Some(MouseCursor::ResizeEW));
    } else if let Some((row, column)) = key_at(grid, at) {
        let center = [grid.scale.x(grid.starts[column]), grid.row(row).center()[1]];
        ui.outline(Rect::around(center, [14.0, 16.0]), ui.theme.text, 4.0, 1.0);
    }
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
            ui.fill(rect.inset(2.0, 3.0), ui.theme.accent, 2.0);
            ui.mark(|| format!("sheet-handle{at}"), rect);
        }
    }
    let (left, right) = (rects[0].min[0].max(summary.min[0]), rects[1].max[0].min(summary.max[0]));
    ui.fill(summary.top(2.0).with_x(left, right), faded(ui.theme.accent, 0.7), 0.0);
    Some(Handles { rects, times })
}

/// Draws the context menu of keys, which the curves share.
pub fn keys_menu_ui(ui: &Ui<'_>, is_wanted: &mut bool) {
    if std::mem::take(is_wanted) {
        ui.open_popup("##keys-menu");
    }
    let Some(_popup) = menu::popup(ui, "##keys-menu") else { return };
    let groups: [&[Command]; 4] = [
        &[
            Command::CopyKeys,
            Command::PasteKeys,
            Command::PasteKeysMirrored,
            Command::DuplicateKeys,
            Command::DeleteKeys,
        ],
        &[Command::MoveKeys, Command::ScaleKeys, Command::RippleKeys, Command::MirrorKeysInTime],
        &[Command::EaseStep, Command::EaseLinear, Command::EaseCubic, Command::TangentMenu],
        &[Command::SelectColumn, Command::SelectAllKeys, Command::FitTime],
    ];
    for (at, group) in groups.into_iter().enumerate() {
        if at > 0 {
            menu::separator(ui);
        }
        for &command in group {
            menu::command(ui, command);
        }
    }
}
