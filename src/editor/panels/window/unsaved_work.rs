//! The list of unsaved work that journals keep, and its buttons.

use crate::editor::panels::ui::Ui;
use crate::editor::panels::ui::frame::Align;
use crate::editor::panels::ui::rect::Rect;
use crate::editor::panels::ui::widgets::{self, Tone};
use crate::editor::panels::window::prompts::modal;
use crate::editor::session::unsaved_work::UnsavedWork;
use crate::editor::state::action::FileAction;

const WIDTH: f32 = 720.0;
/// Height of a row: two lines.
const ROW: f32 = 42.0;
/// Width of a row's button.
const BUTTON: f32 = 76.0;
/// Width of the text of a tooltip.
const TIP: f32 = 560.0;
/// Rows that are shown at once; more scroll.
const MAX_SHOWN: usize = 8;

/// Draws the list.
pub fn unsaved_work_ui(ui: &Ui<'_>, found: &[UnsavedWork]) {
    let (mut chosen, width) = (None, WIDTH - 32.0);
    modal(ui, "Unsaved work", WIDTH, || {
        let text = match found.is_empty() {
            true => "No unsaved work was found.",
            false => {
                "Kept after a crash, or while a file could not be saved. Opening it changes nothing until you save."
            }
        };
        ui.text_colored(ui.theme.quiet, ui.fitted(text, width));
        if !found.is_empty() {
            let height = ROW * found.len().min(MAX_SHOWN) as f32 + 8.0;
            ui.child_window("##unsaved-work").size([width, height]).build(|| {
                for (at, work) in found.iter().enumerate() {
                    if row_ui(ui, at, work) {
                        chosen = Some(work.file.clone());
                    }
                }
            });
        }
        let is_closed = widgets::button(ui, "Close##unsaved-work-close", [width, 28.0], Tone::Plain);
        if is_closed || ui.is_key_pressed(imgui::Key::Escape) {
            chosen = Some(None);
        }
        if chosen.is_some() {
            ui.close_current_popup();
        }
    });
    chosen.into_iter().for_each(|file| ui.send(FileAction::ChooseUnsavedWork(file)));
}

/// Two lines, and a button if the work can be opened. Returns whether it was pressed.
fn row_ui(ui: &Ui<'_>, at: usize, work: &UnsavedWork) -> bool {
    let [x, y] = ui.cursor_screen_pos();
    let width = ui.content_region_avail()[0];
    let room = if work.file.is_some() { width - BUTTON - 16.0 } else { width };
    let line = |down: f32| Rect::at([x, y + down], [room, 16.0]);
    ui.text_in(line(2.0), Align::Left, ui.theme.text, &work.what);
    ui.text_in(line(19.0), Align::Left, ui.theme.quiet, &work.detail);
    let mut is_pressed = false;
    if work.file.is_some() {
        ui.set_cursor_screen_pos([x + width - BUTTON - 8.0, y + 5.0]);
        is_pressed = widgets::button(ui, &format!("Open##unsaved-work{at}"), [BUTTON, 26.0], Tone::Plain);
    }
    ui.set_cursor_screen_pos([x, y]);
    ui.dummy([width, ROW - 8.0]);
    let is_cut = [&work.what, &work.detail].iter().any(|text| ui.calc_text_size(text)[0] > room);
    if is_cut && ui.is_item_hovered() {
        ui.tooltip(|| {
            let _wrap = ui.push_text_wrap_pos_with_pos(TIP);
            ui.text(&work.what);
            ui.text_colored(ui.theme.quiet, &work.detail);
            ui.mark(|| "unsaved-work-tip".to_owned(), ui.item_rect());
        });
    }
    is_pressed
}
