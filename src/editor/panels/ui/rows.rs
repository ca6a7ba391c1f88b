//! Labelled rows of value fields.

use crate::editor::panels::ui::Ui;
use crate::editor::panels::ui::frame::Align;
use crate::editor::panels::ui::number_field;
use crate::editor::panels::ui::number_field::Number;
use crate::editor::panels::ui::rect::Rect;
use crate::editor::panels::ui::widgets;
use crate::editor::panels::ui::widgets::{Tone, Touch};

/// Width of the labels.
pub const LABEL: f32 = 64.0;
/// Maximum width of the fields.
const WIDEST: f32 = 320.0;
/// Space between fields and between rows.
pub const GAP: f32 = 4.0;

/// Draws a labelled row; `body` gets the rectangle beside the label.
pub fn row<R>(ui: &Ui<'_>, label: &str, height: f32, body: impl FnOnce(Rect) -> R) -> R {
    labelled(ui, label, LABEL, [WIDEST, height], body)
}

/// Draws a row with a label of a width; `size` is the maximum width and the height of the rectangle beside it.
pub fn labelled<R>(ui: &Ui<'_>, label: &str, width: f32, size: [f32; 2], body: impl FnOnce(Rect) -> R) -> R {
    let top = ui.cursor_screen_pos();
    ui.text_in(Rect::at(top, [width - GAP, widgets::FIELD]), Align::Left, ui.theme.quiet, label);
    let room = (ui.content_region_avail()[0] - width).max(8.0);
    let field = Rect::at([top[0] + width, top[1]], [room.min(size[0]), size[1]]);
    ui.set_cursor_screen_pos(field.min);
    let done = body(field);
    ui.end_at([top[0], top[1] + size[1] + GAP]);
    done
}

/// Draws a choice between values with labels and tooltips. Returns a newly chosen one.
pub fn choices<T: Copy + PartialEq>(ui: &Ui<'_>, label: &str, all: &[(T, &str, &str)], chosen: T) -> Option<T> {
    let tone = |value| if value == chosen { Tone::On } else { Tone::Plain };
    row(ui, label, widgets::FIELD, |field| buttons(ui, field, label, all, tone))
}

/// Draws a choice between values as buttons side by side. Returns a newly chosen one.
pub fn buttons<T: Copy>(
    ui: &Ui<'_>,
    field: Rect,
    id: &str,
    all: &[(T, &str, &str)],
    tone: impl Fn(T) -> Tone,
) -> Option<T> {
    let mut other = None;
    for (at, (value, word, tip)) in all.iter().enumerate() {
        let tone = tone(*value);
        let place = field.column(at, all.len(), GAP);
        if widgets::button_at(ui, place, &format!("{word}##{id}-{word}"), tone) && tone != Tone::On {
            other = Some(*value);
        }
        ui.tip(tip, "");
    }
    other
}

/// Draws numbers side by side with tooltips. Returns the touched one.
pub fn numbers<const N: usize>(
    ui: &Ui<'_>,
    label: &str,
    values: &mut [f32; N],
    how: Number,
    tips: [&str; N],
) -> Option<(usize, Touch)> {
    row(ui, label, widgets::FIELD, |field| {
        let mut touched = None;
        for (at, (value, tip)) in values.iter_mut().zip(tips).enumerate() {
            let place = field.column(at, N, GAP);
            ui.set_cursor_screen_pos(place.min);
            let touch = number_field::number(ui, &format!("{label}{at}"), place.size()[0], value, how);
            number_field::number_tip(ui, tip);
            if touch != Touch::default() {
                touched = Some((at, touch));
            }
        }
        touched
    })
}
