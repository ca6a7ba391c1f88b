//! The undo history, oldest step first. A click goes to a step.

use crate::editor::panels::ui::prelude::*;
use crate::editor::state::action::DocumentAction;

/// Height of a line of the hint.
const HINT: f32 = 17.0;

#[derive(Debug, Default)]
pub struct HistoryPanel {
    /// The number of done steps and of all steps in the last frame. It scrolls to the current step when they change.
    counts: (usize, usize),
}

impl HistoryPanel {
    pub fn ui(&mut self, ui: &Ui<'_>) {
        let history = &ui.editor.history;
        let (done, all) = (history.undo_count(), history.undo_count() + history.redo_count());
        let steps = if all == 1 { "1 step".to_owned() } else { format!("{all} steps") };
        if all == 0 {
            return widgets::empty(ui, "No changes.", "Each change is listed here. Click one to go back to it.");
        }
        widgets::title(ui, &steps, "");
        widgets::scrolled(ui, "##history", 2.0 * HINT + 4.0, || {
            let has_moved = std::mem::replace(&mut self.counts, (done, all)) != (done, all);
            let labels: Vec<&str> = std::iter::once("Opened").chain(history.labels()).collect();
            let mut clipper = imgui::ListClipper::new(labels.len() as i32).items_height(ROW).begin(ui.imgui);
            while clipper.step() {
                for at in clipper.display_start()..clipper.display_end() {
                    let at = at as usize;
                    if row(ui, labels[at], at, done) {
                        ui.send(DocumentAction::GoToStep(at));
                    }
                }
            }
            if has_moved {
                let middle = ui.window_size()[1] / 2.0;
                ui.set_scroll_y((done as f32 * ROW - middle).max(0.0));
            }
        });
        let _font = ui.with_font(ui.fonts.small);
        let [x, y] = ui.cursor_screen_pos();
        for (line, (command, what)) in [(Command::Undo, "undoes"), (Command::Redo, "redoes")].into_iter().enumerate() {
            let rect = Rect::at([x, y + line as f32 * HINT], [ui.content_region_avail()[0], HINT]);
            ui.text_in(rect, Align::Left, ui.theme.quiet, &format!("{} {what}", ui.key_of(command)));
        }
    }
}

/// Draws a step, dim if it is undone. Returns whether it was clicked.
fn row(ui: &Ui<'_>, label: &str, at: usize, done: usize) -> bool {
    let touch = widgets::row(ui, &format!("step{at}"), at == done);
    let ink = if at <= done { ui.theme.text } else { ui.theme.dim };
    let inner = touch.rect.inset(8.0, 0.0);
    if at > 0 {
        let _font = ui.with_font(ui.fonts.small);
        ui.text_in(inner, Align::Right, ui.theme.dim, &at.to_string());
    }
    let room = inner.trim_right(36.0);
    ui.text_in(room, Align::Left, ink, label);
    touch.is_clicked
}
