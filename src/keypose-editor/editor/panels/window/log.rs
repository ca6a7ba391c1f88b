//! The log, newest entry last. Long reports unfold.

use std::collections::BTreeSet;

use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::view::toast::notice_color;
use crate::editor::session::notice::Notice;

#[derive(Debug, Default)]
pub struct LogPanel {
    /// The number of notices that were reported.
    reported: u32,
    /// The texts of the entries whose details are shown.
    open: BTreeSet<String>,
}

impl LogPanel {
    pub fn ui(&mut self, ui: &Ui<'_>) {
        let log = &ui.session.workspace.log;
        if log.is_empty() {
            return widgets::empty(ui, "Log is empty.", "Imports, saves and errors are listed here.");
        }
        widgets::scrolled(ui, "##log", 0.0, || {
            for (at, notice) in log.iter().enumerate() {
                let top = ui.cursor_screen_pos();
                ui.dot([top[0] + 8.0, top[1] + ROW / 2.0], 3.5, notice_color(ui, notice.kind));
                if notice.details.is_empty() {
                    match notice.count {
                        0 | 1 => line(ui, &notice.text),
                        count => line(ui, &format!("{} ({count} times)", notice.text)),
                    }
                } else {
                    self.folded(ui, at, notice);
                }
            }
            let reported = log.iter().map(|notice| notice.count).sum();
            if self.reported != reported {
                self.reported = reported;
                ui.set_scroll_here_y();
            }
        });
    }

    /// Draws an entry that unfolds when it is clicked.
    fn folded(&mut self, ui: &Ui<'_>, at: usize, notice: &Notice) {
        let is_open = self.open.contains(&notice.text);
        let row = ui.here([ui.room(), ROW]);
        let is_clicked = ui.button_in(&format!("unfold{at}"), row);
        let ink = if ui.is_item_hovered() { ui.theme.text } else { ui.theme.quiet };
        let sign = if is_open { Icon::ChevronDown } else { Icon::ChevronRight };
        let mut rest = row.trim_left(20.0);
        ui.text_in(rest.cut_left(14.0, GAP), Align::Left, ink, &icon(sign));
        ui.text_in(rest, Align::Left, ink, &notice.text);
        ui.end_at([row.min[0], row.max[1]]);
        if is_clicked && !self.open.remove(&notice.text) {
            self.open.insert(notice.text.clone());
        }
        for detail in notice.details.iter().filter(|_| is_open) {
            line(ui, detail);
        }
    }
}

fn line(ui: &Ui<'_>, text: &str) {
    let top = ui.cursor_screen_pos();
    let _wrap = ui.push_text_wrap_pos();
    ui.set_cursor_screen_pos([top[0] + 20.0, top[1] + 3.0]);
    ui.text_wrapped(text);
    ui.dummy([0.0, 3.0]);
}
