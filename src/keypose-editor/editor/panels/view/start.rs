//! The start screen in the empty viewport: buttons and recent files.

use std::path::Path;

use imgui::WindowHoveredFlags;

use crate::editor::panels::ui::prelude::*;
use crate::editor::session::preferences::Prefer;
use keypose_tools::import::format::extension_list;

/// Height of a button and of a recent file.
const HIGH: f32 = 34.0;
/// Width of the column of buttons.
const BUTTONS: f32 = 220.0;
/// Width of the buttons without recent files beside them.
const ALONE: f32 = 430.0;
/// Maximum width of the recent files.
const RECENT: f32 = 380.0;
/// Width of the button that removes a recent file.
const FORGET: f32 = 28.0;

/// The contents of the demo.
pub const DEMO: &str = "A knight with a sword, 23 clips, foes and three levels to play";
/// A description of the first steps.
pub const FIRST_STEPS: &str = "Learn the basics in five steps";

/// Draws the start screen.
pub fn start_ui(ui: &Ui<'_>, area: Rect) {
    let room = area.shrunk(16.0);
    let recent = &ui.session.workspace.preferences.recent;
    let is_wide = room.size()[0] >= BUTTONS + 24.0 + 220.0 && !recent.is_empty();
    let recent_width = if is_wide { (room.size()[0] - BUTTONS - 32.0).min(RECENT) } else { 0.0 };
    let button = if is_wide { BUTTONS } else { room.size()[0].min(ALONE) };
    let width = button + if is_wide { recent_width + 32.0 } else { 0.0 };
    let rows = ((room.size()[1] - 120.0) / HIGH).floor().clamp(0.0, 8.0) as usize;
    let height = 116.0 + 4.0 * (HIGH + 6.0);
    let x = (area.center()[0] - width / 2.0).max(room.min[0]);
    let y = (area.center()[1] - height / 2.0 - 8.0).max(room.min[1]);
    let card = Rect::at([x - 24.0, y - 18.0], [width + 48.0, height + 28.0]);
    ui.fill(card, faded(ui.theme.panel, 0.72), 10.0);
    let title = Rect::at([x, y], [width, 30.0]);
    ui.text_in_font(ui.fonts.large, title, Align::Left, ui.theme.accent, "Keypose");
    let line = "Drop a model or an archive (.wad) here, or start with";
    ui.text_in(Rect::at([x, y + 34.0], [width, 22.0]), Align::Left, ui.theme.quiet, line);
    buttons(ui, [x, y + 88.0], button);
    if is_wide {
        let column = Rect::at([x + button + 32.0, y + 88.0], [recent_width, 0.0]);
        recent_files(ui, column, rows.max(3));
    }
}

fn buttons(ui: &Ui<'_>, at: [f32; 2], width: f32) {
    let open_tip = format!("Open an archive, or a model ({})", extension_list());
    let all = [
        (Icon::Play, "Open demo", Command::OpenDemo, DEMO),
        (Icon::FolderOpen, "Open…", Command::Open, open_tip.as_str()),
        (Icon::Info, "First steps", Command::FirstSteps, FIRST_STEPS),
        (Icon::Search, "Find command", Command::FindCommand, "Search all commands"),
    ];
    for (number, (sign, label, command, tip)) in all.into_iter().enumerate() {
        let rect = Rect::at([at[0], at[1] + number as f32 * (HIGH + 6.0)], [width, HIGH]);
        let tone = if number == 0 { Tone::On } else { Tone::Plain };
        let is_pressed = widgets::button_at(ui, rect, &format!("##start-{command:?}"), tone);
        let key = ui.key_of(command);
        ui.tip(tip, &key);
        let (ink, quiet) = match tone {
            Tone::On => (ui.theme.on_accent, ui.theme.on_accent),
            _ => (ui.theme.text, ui.theme.quiet),
        };
        let inner = rect.inset(12.0, 0.0);
        ui.text_in(inner, Align::Left, ink, &icon(sign));
        ui.text_in(inner.trim_left(28.0), Align::Left, ink, label);
        ui.text_in(inner, Align::Right, quiet, &key);
        if is_pressed && command == Command::FirstSteps {
            // The first steps need a model.
            ui.run(Command::OpenDemo);
        }
        if is_pressed {
            ui.run(command);
        }
    }
}

fn recent_files(ui: &Ui<'_>, column: Rect, rows: usize) {
    let title = column.top(18.0).moved(0.0, -22.0);
    ui.text_in_font(ui.fonts.small_bold, title, Align::Left, ui.theme.quiet, "RECENT FILES");
    let mut rest = column;
    for (at, file) in ui.session.workspace.preferences.recent.iter().take(rows).enumerate() {
        recent_file(ui, at, file, rest.cut_top(HIGH, 2.0));
    }
}

/// Draws a recent file with a button that removes it from the list.
fn recent_file(ui: &Ui<'_>, at: usize, file: &Path, rect: Rect) {
    let is_there = !ui.session.workspace.missing.contains(file);
    let is_pressed = ui.button_in(&format!("recent{at}"), rect.trim_right(FORGET));
    // Also while the button that removes it is down.
    let is_above = ui.is_window_hovered_with_flags(WindowHoveredFlags::ALLOW_WHEN_BLOCKED_BY_ACTIVE_ITEM);
    let is_over = is_above && rect.contains(ui.io().mouse_pos);
    if is_over {
        ui.fill(rect, ui.theme.row_hovered, 5.0);
    }
    ui.tip(&file.to_string_lossy(), if is_there { "" } else { "not found" });
    file_text(ui, file, is_there, rect.trim_left(10.0).trim_right(FORGET + 6.0));
    if is_over && forget(ui, at, rect.right(FORGET)) {
        ui.send(Prefer::Forget(file.to_owned()));
    }
    if is_pressed {
        ui.send(FileAction::Open(Some(file.to_owned())));
    }
}

/// Draws the name of a file above its folder.
fn file_text(ui: &Ui<'_>, file: &Path, is_there: bool, rect: Rect) {
    let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy();
    let middle = rect.center()[1] + 1.0;
    let ink = if is_there { ui.theme.text } else { ui.theme.dim };
    ui.text_in(rect.with_y(rect.min[1], middle), Align::Left, ink, &name);
    let folder = file.parent().map(|folder| folder.to_string_lossy().into_owned()).unwrap_or_default();
    let below = if is_there { folder } else { format!("not found: {folder}") };
    ui.text_in_font(ui.fonts.small, rect.with_y(middle - 2.0, rect.max[1]), Align::Left, ui.theme.dim, &below);
}

fn forget(ui: &Ui<'_>, at: usize, rect: Rect) -> bool {
    let is_pressed = widgets::icon_button_at(ui, rect, &format!("forget{at}"), Icon::X, Tone::Bare);
    ui.tip("Remove from this list; the file is kept", "");
    is_pressed
}
