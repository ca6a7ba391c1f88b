//! The log, newest entry last.

use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::view::banner::notice_color;

#[derive(Debug, Default)]
pub struct LogPanel {
    lines: usize,
}

impl LogPanel {
    pub fn ui(&mut self, ui: &Ui<'_>) {
        let log = &ui.session.workspace.log;
        if log.is_empty() {
            return widgets::empty(ui, "Log is empty.", "Imports, saves and errors are listed here.");
        }
        widgets::scrolled(ui, "##log", 0.0, || {
            for notice in log {
                let top = ui.cursor_screen_pos();
                let _wrap = ui.push_text_wrap_pos();
                ui.dot([top[0] + 8.0, top[1] + ROW / 2.0], 3.5, notice_color(ui, notice.kind));
                ui.set_cursor_screen_pos([top[0] + 20.0, top[1] + 3.0]);
                ui.text_wrapped(&notice.text);
                ui.dummy([0.0, 3.0]);
            }
            if self.lines != log.len() {
                self.lines = log.len();
                ui.set_scroll_here_y();
            }
        });
    }
}
