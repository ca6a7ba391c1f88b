//! The dialog that lists unsaved work, and its buttons.

use crate::editor::panels::ui::figures::date_text;
use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::window::prompts::{answers, content_width, modal};
use crate::editor::session::unsaved_work::UnsavedWork;

const WIDTH: f32 = 720.0;
/// Height of a row: two lines.
const WORK: f32 = 42.0;
/// Width of a row's button.
const BUTTON: f32 = 76.0;
/// Width of the text of a tooltip.
const TIP: f32 = 560.0;
/// Rows that are shown at once; more scroll.
const MAX_SHOWN: usize = 8;

/// Draws the list, once it is known.
pub fn unsaved_work_ui(ui: &Ui<'_>, listed: Option<&[UnsavedWork]>) {
    let found = listed.unwrap_or_default();
    let width = content_width(WIDTH);
    let chosen = modal(ui, "Unsaved work", WIDTH, |form| {
        let mut chosen = None;
        let text = match listed {
            None => "Looking for unsaved work…",
            Some([]) => "No unsaved work was found.",
            Some(_) => "Opening unsaved work changes no file until you save.",
        };
        ui.text_colored(ui.theme.quiet, ui.fitted(text, width));
        if !found.is_empty() {
            let height = WORK * found.len().min(MAX_SHOWN) as f32 + 8.0;
            ui.child_window("##unsaved-work").size([width, height]).build(|| {
                for (at, work) in found.iter().enumerate() {
                    if row_ui(ui, at, work) {
                        chosen = Some(work.file.clone());
                    }
                }
            });
        }
        if chosen.is_some() {
            ui.close_current_popup();
        }
        chosen.or(answers(form, &[&[Button::new("Close", "unsaved-work-close", "")]]).map(|_| None))
    });
    if let Some(file) = chosen.flatten() {
        ui.send(FileAction::ChooseUnsavedWork(file));
    }
}

/// Two lines, and a button if the work can be opened. Returns whether it was pressed.
fn row_ui(ui: &Ui<'_>, at: usize, work: &UnsavedWork) -> bool {
    let mut row = ui.here([ui.room(), WORK - 8.0]);
    let mut is_pressed = false;
    if work.file.is_some() {
        let place = row.cut_right(BUTTON + 8.0, 8.0).trim_right(8.0).inset(0.0, 4.0);
        is_pressed = widgets::button_at(ui, place, &format!("Open##unsaved-work{at}"), Tone::Plain);
    }
    let (what, detail) = (what(ui, work), &work.place);
    ui.text_in(row.top(18.0), Align::Left, ui.theme.text, &what);
    ui.text_in(row.bottom(18.0), Align::Left, ui.theme.quiet, detail);
    ui.set_cursor_screen_pos(row.min);
    ui.dummy(row.size());
    let room = row.width();
    let is_cut = [&what, detail].iter().any(|text| ui.calc_text_size(text)[0] > room);
    if is_cut && ui.is_item_hovered() {
        ui.tooltip(|| {
            let _wrap = ui.push_text_wrap_pos_with_pos(TIP);
            ui.text(&what);
            ui.text_colored(ui.theme.quiet, detail);
            ui.mark(|| "unsaved-work-tip".to_owned(), ui.item_rect());
        });
    }
    is_pressed
}

/// "knight.wad: 3 steps, the last one “Turn bone”, 2 min ago".
fn what(ui: &Ui<'_>, work: &UnsavedWork) -> String {
    let last = work.last_step.as_ref().map(|last| format!(", the last one “{last}”"));
    let age = work.changed.map(|changed| format!(", {}", date_text(changed, ui.now_ms())));
    format!("{}: {}{}{}", work.title, work.steps_text(), last.unwrap_or_default(), age.unwrap_or_default())
}
