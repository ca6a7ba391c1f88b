//! Draws the table of controls: a row per control, its keys and its button side by side.

use keypose_editor::editor::panels::ui::rect::Rect;
use keypose_editor::editor::panels::ui::surface::{Align, Surface};

use crate::app::play::controls::names::Names;
use crate::app::play::controls::{Control, Controls, KEYS, Slot};
use crate::app::play::menu::draw::{MARGIN, TITLE, item, panel, title};
use crate::app::play::menu::table::{Answer, Asking, ControlsTable, DONE, RESET};

/// The height of a row, in points; less in a low window.
const ROW: f32 = 27.0;
const MIN_ROW: f32 = 16.0;
const GAP: f32 = 3.0;
/// The width of the column with what a control does.
const LABELS: f32 = 180.0;
/// The width of a place.
const PLACE: f32 = 112.0;
/// The height of the line that asks and says.
const ASKING: f32 = 32.0;
const BUTTON: f32 = 34.0;

/// Draws the table. Returns true if the mouse left it.
pub fn draw(frame: &Surface<'_>, table: &mut ControlsTable, names: Names<'_>, controls: &mut Controls) -> bool {
    let count = (Control::COUNT + 1) as f32;
    let others = TITLE + ASKING + BUTTON + 8.0 + 2.0 * MARGIN;
    let high = ((frame.io().display_size[1] - others) / count - GAP).floor().clamp(MIN_ROW, ROW);
    let width = LABELS + (KEYS + 1) as f32 * (PLACE + GAP) + 2.0 * MARGIN;
    let mut is_left = false;
    panel(frame, [width, others + count * (high + GAP)], |rect| {
        title(frame, rect, "Controls");
        let mut rest = rect.trim_top(TITLE);
        head(frame, rest.cut_top(high, GAP));
        for control in Control::ALL {
            row(frame, rest.cut_top(high, GAP), control, table, &names);
        }
        asking(frame, rest.cut_top(ASKING, 8.0), table, &names, controls);
        let row = rest.top(BUTTON);
        for (at, (number, text)) in [(RESET, "Reset all"), (DONE, "Done")].into_iter().enumerate() {
            let pointed = item(frame, text, row.column(at, 2, 8.0), text, table.row == number);
            if pointed.is_entered && matches!(table.asking, Asking::Nothing | Asking::Refused(_)) {
                table.row = number;
            }
            if pointed.is_clicked {
                table.asking = Asking::Nothing;
                match number {
                    RESET => *controls = Controls::default(),
                    _ => is_left = true,
                }
            }
        }
    });
    is_left
}

fn head(frame: &Surface<'_>, rect: Rect) {
    let _font = frame.with_font(frame.fonts.small);
    let keys = rect.with_x(place(rect, 0).min[0], place(rect, KEYS - 1).max[0]);
    frame.text_in(keys, Align::Center, frame.theme.quiet, "Keys");
    frame.text_in(place(rect, KEYS), Align::Center, frame.theme.quiet, "Gamepad");
}

/// The rectangle of a column in a row.
fn place(row: Rect, column: usize) -> Rect {
    let left = row.min[0] + LABELS + column as f32 * (PLACE + GAP);
    row.with_x(left, left + PLACE)
}

fn row(frame: &Surface<'_>, rect: Rect, control: Control, table: &mut ControlsTable, names: &Names<'_>) {
    frame.text_in(rect.left(LABELS - 8.0), Align::Left, frame.theme.text, control.label());
    for column in 0..=KEYS {
        let slot = Slot { control, column };
        let is_selected = table.slot() == Some(slot);
        let text = match names.controls.at(slot) {
            _ if is_selected && table.is_listening() => "…".to_owned(),
            Some(press) => names.of_press(press),
            None => String::new(),
        };
        let pointed = item(frame, &format!("{control:?}{column}"), place(rect, column), &text, is_selected);
        if pointed.is_entered && matches!(table.asking, Asking::Nothing | Asking::Refused(_)) {
            (table.row, table.column, table.asking) = (control as usize, column, Asking::Nothing);
        }
        if pointed.is_clicked {
            table.ask(slot);
        }
    }
}

/// The line that asks and says, with buttons for the mouse while it asks about a conflict.
fn asking(frame: &Surface<'_>, rect: Rect, table: &mut ControlsTable, names: &Names<'_>, controls: &mut Controls) {
    let what = table.slot().map_or("", |slot| slot.control.label());
    let (text, ink) = match table.asking {
        Asking::Nothing => {
            ("Enter or a click changes a place, Delete empties it, Esc goes back.".to_owned(), frame.theme.quiet)
        }
        Asking::Press if table.slot().is_some_and(Slot::is_pad) => {
            (format!("Press a button of the gamepad for \"{what}\". Esc cancels."), frame.theme.text)
        }
        Asking::Press => (format!("Press a key for \"{what}\". Esc cancels."), frame.theme.text),
        Asking::Conflict(press, other) => {
            (format!("{} is used by \"{}\".", names.of_press(press), other.label()), frame.theme.hurt)
        }
        Asking::Refused(reason) => (reason.to_owned(), frame.theme.hurt),
    };
    if !matches!(table.asking, Asking::Conflict(..)) {
        return frame.text_in(rect, Align::Center, ink, &text);
    }
    let mut rest = rect.inset(0.0, 2.0);
    let cancel = rest.cut_right(86.0, 6.0);
    let reassign = rest.cut_right(150.0, 10.0);
    frame.text_in(rest, Align::Right, ink, &text);
    if item(frame, "reassign", reassign, "Reassign (Enter)", true).is_clicked {
        table.answer(Answer::Reassign, controls);
    }
    if item(frame, "leave", cancel, "Cancel", false).is_clicked {
        table.answer(Answer::Cancel, controls);
    }
}
