//! The start screen in the empty viewport: buttons and recent files.

use crate::editor::panels::ui::Ui;
use lucide_icons::Icon;

use crate::editor::panels::ui::frame::{Align, icon};
use crate::editor::panels::ui::rect::Rect;
use crate::editor::panels::ui::theme::faded;
use crate::editor::panels::ui::widgets;
use crate::editor::panels::ui::widgets::Tone;
use crate::editor::session::command::Command;
use crate::editor::session::preferences::Prefer;
use crate::editor::state::action::{FileAction, ProgramAction};

/// Height of a button and of a recent file.
const HIGH: f32 = 34.0;
/// Width of the column of buttons.
const BUTTONS: f32 = 220.0;
/// Their width without recent files beside them.
const ALONE: f32 = 430.0;
/// Maximum width of the recent files.
const RECENT: f32 = 380.0;

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
    let card = Rect { min: [x - 24.0, y - 18.0], max: [x + width + 24.0, y + height + 10.0] };
    ui.fill(card, faded(ui.theme.panel, 0.72), 10.0);
    {
        let _font = ui.with_font(ui.fonts.large);
        ui.text_in(Rect::at([x, y], [width, 30.0]), Align::Left, ui.theme.accent, "Keypose");
    }
    let line = "Drop a .glb, .gltf or .wad file here, or start with";
    ui.text_in(Rect::at([x, y + 34.0], [width, 22.0]), Align::Left, ui.theme.quiet, line);
    buttons(ui, [x, y + 88.0], button);
    if is_wide {
        let column = Rect::at([x + button + 32.0, y + 88.0], [recent_width, 0.0]);
        recent_files(ui, column, rows.max(3));
    }
}

fn buttons(ui: &Ui<'_>, at: [f32; 2], width: f32) {
    let all = [
        (Icon::Play, "Open demo", Command::OpenDemo, "A knight, a foe and a level"),
        (Icon::FolderOpen, "Open…", Command::Open, "Open an archive or a model"),
        (Icon::Info, "First steps", Command::FirstSteps, "Learn the basics in five steps"),
        (Icon::Search, "Find command", Command::FindCommand, "Search all commands"),
    ];
    for (number, (sign, label, command, tip)) in all.into_iter().enumerate() {
        let rect = Rect::at([at[0], at[1] + number as f32 * (HIGH + 6.0)], [width, HIGH]);
        ui.set_cursor_screen_pos(rect.min);
        let tone = if number == 0 { Tone::On } else { Tone::Plain };
        let is_pressed = widgets::button(ui, &format!("##start-{command:?}"), rect.size(), tone);
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
    let [x, mut y] = column.min;
    let width = column.size()[0];
    {
        let _font = ui.with_font(ui.fonts.small_bold);
        ui.text_in(Rect::at([x, y - 22.0], [width, 18.0]), Align::Left, ui.theme.quiet, "RECENT FILES");
    }
    for (at, file) in ui.session.workspace.preferences.recent.iter().take(rows).enumerate() {
        let is_there = !ui.session.workspace.missing.contains(file);
        let rect = Rect::at([x, y], [width, HIGH]);
        ui.set_cursor_screen_pos(rect.min);
        let is_pressed = ui.invisible_button(format!("##recent{at}"), [width - 28.0, HIGH]);
        ui.item(&format!("recent{at}"));
        let is_over = rect.contains(ui.io().mouse_pos) && ui.is_window_hovered();
        if is_over {
            ui.fill(rect, ui.theme.row_hovered, 5.0);
        }
        ui.tip(&file.to_string_lossy(), if is_there { "" } else { "not found" });
        let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy();
        let inner = Rect { min: [x + 10.0, y], max: [x + width - 34.0, y + HIGH] };
        let middle = y + HIGH / 2.0 + 1.0;
        ui.text_in(
            inner.with_y(inner.min[1], middle),
            Align::Left,
            if is_there { ui.theme.text } else { ui.theme.dim },
            &name,
        );
        let folder = file.parent().map(|folder| folder.to_string_lossy().into_owned()).unwrap_or_default();
        let below = if is_there { folder } else { format!("not found: {folder}") };
        {
            let _font = ui.with_font(ui.fonts.small);
            ui.text_in(inner.with_y(middle - 2.0, inner.max[1]), Align::Left, ui.theme.dim, &below);
        }
        if is_over && forget(ui, at, Rect { min: [rect.max[0] - 28.0, y], ..rect }) {
            ui.send(ProgramAction::Prefer(Prefer::Forget(file.clone())));
        }
        if is_pressed {
            ui.send(FileAction::Open(Some(file.clone())));
        }
        y += HIGH + 2.0;
    }
}

fn forget(ui: &Ui<'_>, at: usize, rect: Rect) -> bool {
    ui.set_cursor_screen_pos(rect.min);
    let is_pressed = widgets::button(ui, &format!("{}##forget{at}", icon(Icon::X)), rect.size(), Tone::Bare);
    ui.tip("Remove from this list; the file is kept", "");
    is_pressed
}
