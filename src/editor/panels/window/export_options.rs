//! The options of an export, in the file browser.

use crate::editor::panels::ui::Ui;
use crate::editor::panels::ui::frame::Align;
use crate::editor::panels::ui::rect::Rect;
use crate::editor::panels::ui::widgets::{self, Tone};
use crate::editor::state::export_options::{ExportOptions, Moments};
use crate::render::frame::framed_model::CameraAngle;

/// Height of a row.
const ROW: f32 = 24.0;

/// Height of a label.
const LABEL: f32 = 20.0;

/// A choice between values.
struct Choice<'a, T> {
    title: &'a str,
    all: &'a [T],
    name: fn(T) -> String,
    columns: usize,
}

/// Draws the options of an export. Returns true if the format of the file changed.
pub fn export_ui(ui: &Ui<'_>, rect: Rect, options: &mut ExportOptions) -> bool {
    let (before, mut rest) = (options.moments, rect);
    let what = Choice { title: "What", all: &Moments::ALL, name: |one| one.name().into(), columns: 1 };
    choice_ui(ui, &mut rest, &what, &mut options.moments);
    let view = Choice { title: "View", all: &CameraAngle::CHOICES, name: |one| one.name().into(), columns: 2 };
    choice_ui(ui, &mut rest, &view, &mut options.view);
    let size = Choice { title: "Size", all: &ExportOptions::SIDES, name: |side| format!("{side} px"), columns: 2 };
    choice_ui(ui, &mut rest, &size, &mut options.side);
    let name = |is_shown| if is_shown { "Shown" } else { "Hidden" }.to_owned();
    choice_ui(ui, &mut rest, &Choice { title: "Bones", all: &[false, true], name, columns: 2 }, &mut options.has_bones);
    // The end of what scrolls.
    ui.end_at(rest.min);
    options.moments != before
}

fn choice_ui<T: Copy + PartialEq>(ui: &Ui<'_>, rest: &mut Rect, choice: &Choice<'_, T>, chosen: &mut T) {
    ui.text_in(rest.cut_top(LABEL, 2.0), Align::Left, ui.theme.quiet, choice.title);
    for (line, values) in choice.all.chunks(choice.columns).enumerate() {
        let row = rest.cut_top(ROW, 4.0);
        for (column, value) in values.iter().enumerate() {
            let at = line * choice.columns + column;
            let tone = if value == chosen { Tone::On } else { Tone::Plain };
            let label = format!("{}##wish-{}{at}", (choice.name)(*value), choice.title);
            if widgets::button_at(ui, row.column(column, choice.columns, 4.0), &label, tone) {
                *chosen = *value;
            }
        }
    }
    rest.cut_top(6.0, 0.0);
}
