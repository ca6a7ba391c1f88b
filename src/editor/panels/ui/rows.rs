//! Labelled rows of value fields.

use crate::editor::panels::ui::Ui;
use crate::editor::panels::ui::frame::Align;
use crate::editor::panels::ui::rect::Rect;
use crate::editor::panels::ui::widgets;
use crate::editor::panels::ui::widgets::{Number, Tone, Touch};

/// Width of the labels.
pub const LABEL: f32 = 64.0;
/// Maximum width of the fields.
const WIDEST: f32 = 320.0;
/// Space between fields and between rows.
const GAP: f32 = 4.0;

/// Draws a labelled row; `body` gets the rectangle beside the label.
pub fn row<R>(ui: &Ui<'_>, label: &str, height: f32, body: impl FnOnce(Rect) -> R) -> R {
    let top = ui.cursor_screen_pos();
    ui.text_in(Rect::at(top, [LABEL - GAP, widgets::FIELD]), Align::Left, ui.theme.quiet, label);
    let width = (ui.content_region_avail()[0] - LABEL).clamp(8.0, WIDEST);
    let field = Rect::at([top[0] + LABEL, top[1]], [width, height]);
    ui.set_cursor_screen_pos(field.min);
    let done = body(field);
    ui.end_at([top[0], top[1] + height + GAP]);
    done
}

/// The rectangle of one of several fields of equal width.
pub fn part(field: Rect, at: usize, count: usize) -> Rect {
    let width = ((field.size()[0] + GAP) / count as f32 - GAP).floor().max(1.0);
    Rect::at([field.min[0] + at as f32 * (width + GAP), field.min[1]], [width, field.size()[1]])
}

/// Draws a choice between values with labels and tooltips. Returns a newly chosen one.
pub fn choices<T: Copy + PartialEq>(ui: &Ui<'_>, label: &str, all: &[(T, &str, &str)], chosen: T) -> Option<T> {
    row(ui, label, widgets::FIELD, |field| {
        let mut other = None;
        for (at, (value, word, tip)) in all.iter().enumerate() {
            let place = part(field, at, all.len());
            ui.set_cursor_screen_pos(place.min);
            let tone = if *value == chosen { Tone::On } else { Tone::Plain };
            if widgets::button(ui, &format!("{word}##{label}-{word}"), place.size(), tone) && *value != chosen {
                other = Some(*value);
            }
            ui.tip(tip, "");
        }
        other
    })
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
            let place = part(field, at, N);
            ui.set_cursor_screen_pos(place.min);
            let touch = widgets::number(ui, &format!("{label}{at}"), place.size()[0], value, how);
            ui.tip(tip, "drag, double-click to type, right-click to reset");
            if touch != Touch::default() {
                touched = Some((at, touch));
            }
        }
        touched
    })
}
