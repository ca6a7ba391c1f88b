//! The mouse over the dope sheet: picks and drags keys, draws boxes, scales the selection by its handles.

use crate::editor::panels::ui::Ui;
use imgui::{MouseButton, MouseCursor};

use crate::anim::time::Time;
use crate::editor::document::edit::{KeyRef, Original};
use crate::editor::panels::timeline::panel;
use crate::editor::panels::timeline::press;
use crate::editor::panels::timeline::press::{Press, between, draw_box, pick_with};
use crate::editor::panels::timeline::sheet::draw::is_any_selected;
use crate::editor::panels::timeline::sheet::{Grid, REACH};
use crate::editor::panels::ui::menu;
use crate::editor::panels::ui::rect::Rect;
use crate::editor::panels::ui::theme::faded;
use crate::editor::session::command::Command;
use crate::editor::session::selection::Pick;
use crate::editor::session::timing::KeyDragKind;
use crate::editor::session::timing::{KeyDragStart, TimeAction, TimePoint};
use crate::editor::state::action::{Action, PlaybackAction, SelectAction};

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

/// The state of the background behind the keys.
#[derive(Clone, Copy, Debug, Default)]
pub struct Touch {
    is_hovered: bool,
    is_pressed: bool,
}

impl Touch {
    /// The union of two.
    pub fn or(self, other: Touch) -> Touch {
        Touch { is_hovered: self.is_hovered || other.is_hovered, is_pressed: self.is_pressed || other.is_pressed }
    }
}

/// The state of the last item.
pub fn touch(ui: &Ui<'_>) -> Touch {
    Touch { is_hovered: ui.is_item_hovered(), is_pressed: ui.is_item_activated() }
}

/// Handles the mouse.
pub fn mouse(ui: &Ui<'_>, grid: &Grid<'_>, touch: Touch, local: &mut KeyMouse) {
    let handles = handles(ui, grid);
    let is_free = panel::is_free(ui);
    let at = ui.io().mouse_pos;
    if touch.is_pressed && is_free && ui.is_mouse_down(MouseButton::Right) {
        press_right(ui, grid, at, local);
    } else if touch.is_pressed && is_free && ui.is_mouse_down(MouseButton::Left) {
        local.press = press(ui, grid, handles.as_ref(), at);
    }
    if let Some(press) = local.press {
        held(ui, grid, press, at, local);
    } else if touch.is_hovered && is_free {
        hint(ui, grid, handles.as_ref(), at);
    }
    if touch.is_hovered
        && ui.is_mouse_double_clicked(MouseButton::Left)
        && let Some((_, column)) = key_at(grid, at)
    {
        ui.send(PlaybackAction::Seek(grid.starts[column]));
    }
    keys_menu(ui, local);
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
        ui.send(take(ui, grid, KeyDragKind::Scale { about }, at));
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

/// The action that starts moving keys. The drag counts from the press.
fn take(ui: &Ui<'_>, grid: &Grid<'_>, grip: KeyDragKind, [x, y]: [f32; 2]) -> Action {
    let from = Some(TimePoint { time: grid.scale.time(x), y, held: ui.held() });
    let take = KeyDragStart { grip, original: Original::Moves, is_modal: false, lifted: None, from };
    Action::Time(TimeAction::Take(take))
}

/// Handles a press until the button is released.
fn held(ui: &Ui<'_>, grid: &Grid<'_>, press: Press<Pressed>, at: [f32; 2], local: &mut KeyMouse) {
    let is_far = press.is_far(at);
    let is_down = ui.is_mouse_down(MouseButton::Left);
    let joins = ui.io().key_shift || ui.io().key_ctrl;
    match (press.what, is_far, is_down) {
        (Pressed::Keys(row, column, _), true, true) => {
            local.press = None;
            if is_any_selected(&ui.session.focus.selection, grid.rows[row].kind, column) {
                let grip = if ui.io().key_alt { KeyDragKind::Ripple } else { KeyDragKind::Move };
                ui.send(take(ui, grid, grip, press.at));
            }
        }
        (Pressed::Keys(row, column, were_selected), false, false) => {
            local.press = None;
            if were_selected && !joins {
                ui.send(SelectAction::Keys { keys: refs(grid, row, column), pick: Pick::Only });
            }
        }
        (Pressed::Box, is_far, true) => {
            if is_far || ui.session.focus.timing.is_boxing {
                draw_box(ui, between(press.at, at));
            }
        }
        (Pressed::Box, is_far, false) => {
            local.press = None;
            ui.send(TimeAction::Boxing(false));
            if is_far {
                let pick = pick_with(ui.held());
                ui.send(SelectAction::Keys { keys: boxed(grid, between(press.at, at)), pick });
            } else if !joins {
                ui.run(Command::SelectNoKeys);
            }
        }
        (Pressed::Keys(..), true, false) => local.press = None,
        (Pressed::Keys(..), false, true) => {}
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
        if is_inside || rect.size()[1] < super::ROW {
            keys.extend(columns.clone().flat_map(|column| refs(grid, row, column)));
        }
    }
    keys
}

fn press_right(ui: &Ui<'_>, grid: &Grid<'_>, at: [f32; 2], local: &mut KeyMouse) {
    if let Some((row, column)) = key_at(grid, at) {
        let keys = refs(grid, row, column);
        if !keys.iter().all(|key| ui.session.focus.selection.keys.contains(key)) {
            ui.send(SelectAction::Keys { keys, pick: Pick::Only });
        }
    }
    local.is_menu_wanted = true;
}

fn hint(ui: &Ui<'_>, grid: &Grid<'_>, handles: Option<&Handles>, at: [f32; 2]) {
    if handles.is_some_and(|handles| handles.about(at).is_some()) {
        ui.set_mouse_cursor(Some(MouseCursor::ResizeEW));
    } else if let Some((row, column)) = key_at(grid, at) {
        let rect = grid.row(row);
        let x = grid.scale.x(grid.starts[column]);
        ui.outline(Rect::at([x - 7.0, rect.min[1] + 2.0], [14.0, 16.0]), ui.theme.text, 4.0, 1.0);
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
    let x = times.map(|time| grid.scale.x(time));
    let y = [grid.summary.min[1], grid.summary.max[1]];
    let lefts = [x[0] - REACH - HANDLE, x[1] + REACH];
    let rects = lefts.map(|left| Rect { min: [left, y[0]], max: [left + HANDLE, y[1]] });
    let line = Rect { min: [rects[0].min[0], y[0]], max: [rects[1].max[0], y[0] + 2.0] };
    for (at, rect) in rects.into_iter().enumerate() {
        if rect.max[0] < grid.summary.min[0] - HANDLE || rect.min[0] > grid.summary.max[0] {
            continue;
        }
        let inner = Rect { min: [rect.min[0] + 2.0, rect.min[1] + 3.0], max: [rect.max[0] - 2.0, rect.max[1] - 3.0] };
        ui.fill(inner, ui.theme.accent, 2.0);
        ui.mark(|| format!("sheet-handle{at}"), rect);
    }
    let line = line.with_x(line.min[0].max(grid.summary.min[0]), line.max[0].min(grid.summary.max[0]));
    ui.fill(line, faded(ui.theme.accent, 0.7), 0.0);
    Some(Handles { rects, times })
}

fn keys_menu(ui: &Ui<'_>, local: &mut KeyMouse) {
    if std::mem::take(&mut local.is_menu_wanted) {
        ui.open_popup("##keys-menu");
    }
    keys_menu_ui(ui);
}

/// Draws the context menu of keys, which the curves share.
pub fn keys_menu_ui(ui: &Ui<'_>) {
    let Some(_popup) = menu::popup(ui, "##keys-menu") else { return };
    let groups: [&[Command]; 4] = [
        &[Command::Copy, Command::Paste, Command::PasteMirrored, Command::DuplicateKeys, Command::DeleteKeys],
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
