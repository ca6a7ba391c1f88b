//! What stands in the picture's place while nothing is open: what to begin with, and what was opened lately.

use lucide_icons::Icon;

use crate::editor::panels::ui::actions::Out;
use crate::editor::panels::ui::canvas::{Align, Kit, Rect, icon};
use crate::editor::panels::ui::seen::Seen;
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
/// Their width where no recent files stand beside them: that of the line above.
const ALONE: f32 = 430.0;
/// Widest column of recent files.
const RECENT: f32 = 380.0;

/// Draws it in the middle of an area.
pub fn start_ui(kit: &Kit<'_>, seen: &Seen<'_>, area: Rect, out: &mut Out) {
    let room = area.shrunk(16.0);
    let recent = &seen.session.workspace.preferences.recent;
    let is_wide = room.size()[0] >= BUTTONS + 24.0 + 220.0 && !recent.is_empty();
    let recent_width = if is_wide { (room.size()[0] - BUTTONS - 32.0).min(RECENT) } else { 0.0 };
    let button = if is_wide { BUTTONS } else { room.size()[0].min(ALONE) };
    let width = button + if is_wide { recent_width + 32.0 } else { 0.0 };
    let rows = ((room.size()[1] - 120.0) / HIGH).floor().clamp(0.0, 8.0) as usize;
    let height = 116.0 + 4.0 * (HIGH + 6.0);
    let x = (area.center()[0] - width / 2.0).max(room.min[0]);
    let y = (area.center()[1] - height / 2.0 - 8.0).max(room.min[1]);
    let card = Rect { min: [x - 24.0, y - 18.0], max: [x + width + 24.0, y + height + 10.0] };
    kit.fill(card, faded(kit.theme.panel, 0.72), 10.0);
    {
        let _font = kit.with_font(kit.fonts.large);
        kit.text_in(Rect::at([x, y], [width, 30.0]), Align::Left, kit.theme.accent, "Keypose");
    }
    let line = "Pose, key, time, play: drop a .glb, .gltf or .wad here, or begin with";
    kit.text_in(Rect::at([x, y + 34.0], [width, 22.0]), Align::Left, kit.theme.quiet, line);
    buttons(kit, seen, [x, y + 88.0], button, out);
    if is_wide {
        let column = Rect::at([x + button + 32.0, y + 88.0], [recent_width, 0.0]);
        recent_files(kit, seen, column, rows.max(3), out);
    }
}

fn buttons(kit: &Kit<'_>, seen: &Seen<'_>, at: [f32; 2], width: f32, out: &mut Out) {
    let all = [
        (Icon::Play, "The demo", Command::OpenDemo, "A knight with a sword, a foe and a level: to look at and try"),
        (Icon::FolderOpen, "Open…", Command::Open, "An archive, or a model to make one of"),
        (Icon::Info, "First steps", Command::FirstSteps, "Five steps, from a model to a saved animation"),
        (Icon::Search, "Find a command", Command::FindCommand, "Everything that can be done, by its name"),
    ];
    for (number, (sign, label, command, tip)) in all.into_iter().enumerate() {
        let rect = Rect::at([at[0], at[1] + number as f32 * (HIGH + 6.0)], [width, HIGH]);
        kit.set_cursor_screen_pos(rect.min);
        let tone = if number == 0 { Tone::On } else { Tone::Plain };
        let is_pressed = widgets::button(kit, &format!("##start-{command:?}"), rect.size(), tone);
        let key = seen.key_of(command);
        kit.tip(tip, &key);
        let (ink, quiet) = match tone {
            Tone::On => (kit.theme.on_accent, kit.theme.on_accent),
            _ => (kit.theme.text, kit.theme.quiet),
        };
        let inner = Rect { min: [rect.min[0] + 12.0, rect.min[1]], max: [rect.max[0] - 12.0, rect.max[1]] };
        kit.text_in(inner, Align::Left, ink, &icon(sign));
        kit.text_in(Rect { min: [inner.min[0] + 28.0, inner.min[1]], ..inner }, Align::Left, ink, label);
        kit.text_in(inner, Align::Right, quiet, &key);
        if is_pressed && command == Command::FirstSteps {
            // They need something to be done with.
            out.run(Command::OpenDemo);
        }
        if is_pressed {
            out.run(command);
        }
    }
}

fn recent_files(kit: &Kit<'_>, seen: &Seen<'_>, column: Rect, rows: usize, out: &mut Out) {
    let [x, mut y] = column.min;
    let width = column.size()[0];
    {
        let _font = kit.with_font(kit.fonts.small_bold);
        kit.text_in(Rect::at([x, y - 22.0], [width, 18.0]), Align::Left, kit.theme.quiet, "RECENT FILES");
    }
    for (at, file) in seen.session.workspace.preferences.recent.iter().take(rows).enumerate() {
        let is_there = !seen.session.workspace.missing.contains(file);
        let rect = Rect::at([x, y], [width, HIGH]);
        kit.set_cursor_screen_pos(rect.min);
        let is_pressed = kit.invisible_button(format!("##recent{at}"), [width - 28.0, HIGH]);
        kit.item(&format!("recent{at}"));
        let is_over = rect.contains(kit.io().mouse_pos) && kit.is_window_hovered();
        if is_over {
            kit.fill(rect, kit.theme.row_hovered, 5.0);
        }
        kit.tip(&file.to_string_lossy(), if is_there { "" } else { "is not there any more" });
        let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy();
        let inner = Rect { min: [x + 10.0, y], max: [x + width - 34.0, y + HIGH] };
        let middle = y + HIGH / 2.0 + 1.0;
        kit.text_in(
            Rect { max: [inner.max[0], middle], ..inner },
            Align::Left,
            if is_there { kit.theme.text } else { kit.theme.dim },
            &name,
        );
        let folder = file.parent().map(|folder| folder.to_string_lossy().into_owned()).unwrap_or_default();
        let below = if is_there { folder } else { format!("not there: {folder}") };
        {
            let _font = kit.with_font(kit.fonts.small);
            kit.text_in(Rect { min: [inner.min[0], middle - 2.0], ..inner }, Align::Left, kit.theme.dim, &below);
        }
        if is_over && forget(kit, at, Rect { min: [rect.max[0] - 28.0, y], ..rect }) {
            out.push(ProgramAction::Prefer(Prefer::Forget(file.clone())));
        }
        if is_pressed {
            out.push(FileAction::Open(Some(file.clone())));
        }
        y += HIGH + 2.0;
    }
}

fn forget(kit: &Kit<'_>, at: usize, rect: Rect) -> bool {
    kit.set_cursor_screen_pos(rect.min);
    let is_pressed = widgets::button(kit, &format!("{}##forget{at}", icon(Icon::X)), rect.size(), Tone::Bare);
    kit.tip("Take it off this list; the file stays", "");
    is_pressed
}
