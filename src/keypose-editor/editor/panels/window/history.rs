//! The undo history, oldest step first. A click goes to a step.

use crate::editor::panels::ui::prelude::*;

#[derive(Debug, Default)]
pub struct HistoryPanel {
    /// The number of done steps and of all steps in the last frame. It scrolls to the current step when they change.
    counts: (usize, usize),
}

impl HistoryPanel {
    pub fn ui(&mut self, ui: &Ui<'_>) {
        let history = &ui.editor.history;
        let (done, all) = (history.undo_count(), history.undo_count() + history.redo_count());
        if all == 0 {
            return widgets::empty(ui, "No changes.", "Each change is listed here. Click one to go back to it.");
        }
        widgets::title(ui, &counted(all, "step"), "");
        widgets::scrolled(ui, "##history", widgets::HINTS, || {
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
        let hint = |command, what: &str| format!("{} {what}", ui.key_of(command));
        widgets::hints(ui, [&hint(Command::Undo, "undoes"), &hint(Command::Redo, "redoes")]);
    }
}

/// Draws a step, dim if it is undone. Returns whether it was clicked.
fn row(ui: &Ui<'_>, label: &str, at: usize, done: usize) -> bool {
    let touch = widgets::row(ui, &format!("step{at}"), at == done);
    let ink = if at <= done { ui.theme.text } else { ui.theme.dim };
    let inner = touch.rect.inset(8.0, 0.0);
    if at > 0 {
        ui.text_in_font(ui.fonts.small, inner, Align::Right, ui.theme.dim, &at.to_string());
    }
    ui.text_in(inner.trim_right(36.0), Align::Left, ink, label);
    touch.is_clicked
}
