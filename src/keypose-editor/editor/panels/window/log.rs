//! The log, newest entry last, and the banner of notices.

use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::view::reduce_bar::reduce_bar;
use crate::editor::session::Recovered;
use crate::editor::session::notice::{Notice, NoticeKind};
use crate::editor::state::action::{FileAction, ProgramAction};

#[derive(Debug, Default)]
pub struct LogPanel {
    lines: usize,
}

/// The colour of a notice.
pub fn notice_color(ui: &Ui<'_>, kind: NoticeKind) -> Color {
    match kind {
        NoticeKind::Info => ui.theme.accent,
        NoticeKind::Warning => ui.theme.hurt,
        NoticeKind::Error => ui.theme.hit,
    }
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

/// Draws the recovery and the newest notice at the upper edge of the viewport. Returns whether the mouse is over them.
pub fn banner(ui: &Ui<'_>, area: Rect) -> bool {
    let mut top = area.min[1] + 46.0;
    let mut is_over = false;
    if let Some(rect) = reduce_bar(ui, area, top) {
        is_over |= rect.contains(ui.io().mouse_pos);
        top = rect.max[1] + 6.0;
    }
    if let Some(recovered) = ui.session.transient.recovered {
        let rect = recovery_line(ui, area, top, recovered);
        is_over |= rect.contains(ui.io().mouse_pos);
        top = rect.max[1] + 6.0;
    }
    if let Some(notice) = &ui.session.transient.notice {
        let (rect, is_closed) = notice_box(ui, notice, area, top);
        is_over |= rect.contains(ui.io().mouse_pos);
        if is_closed {
            ui.send(ProgramAction::DismissNotice);
        }
    }
    is_over
}

/// Draws "Recovered 12 steps …" with buttons. Discarding asks for confirmation in the same line.
fn recovery_line(ui: &Ui<'_>, area: Rect, top: f32, recovered: Recovered) -> Rect {
    let Recovered { steps, is_asking } = recovered;
    let count = if steps == 1 { "1 step".to_owned() } else { format!("{steps} steps") };
    let text = match is_asking {
        false => format!("Recovered {count} from the last session."),
        true => format!("Discard {count}? This can't be undone."),
    };
    let (yes, no) = if is_asking { ("Discard", "Back") } else { ("Discard…", "Keep") };
    let (button, high) = (84.0, 36.0);
    let room = area.size()[0] - 24.0;
    let width = (ui.calc_text_size(&text)[0] + 40.0 + 2.0 * (button + 6.0)).min(room);
    let rect = Rect::at([area.center()[0] - width / 2.0, top], [width, high]);
    ui.fill(rect, faded(ui.theme.bar, 0.96), 6.0);
    ui.outline(rect, ui.theme.draft, 6.0, 1.0);
    ui.dot([rect.min[0] + 16.0, rect.center()[1]], 4.0, ui.theme.draft);
    let line = rect.trim_left(28.0).trim_right(2.0 * (button + 6.0));
    ui.text_in(line, Align::Left, ui.theme.text, &text);
    // The confirming button is not under the first one, so that a double click doesn't discard.
    let (left, right) = (rect.max[0] - 2.0 * (button + 6.0), rect.max[0] - button - 6.0);
    let (discard, keep) = if is_asking { (right, left) } else { (left, right) };
    ui.set_cursor_screen_pos([discard, rect.min[1] + 5.0]);
    if widgets::button(ui, &format!("{yes}##recovery-discard"), [button, 26.0], Tone::Plain) {
        ui.send(FileAction::DiscardRecovered);
    }
    ui.set_cursor_screen_pos([keep, rect.min[1] + 5.0]);
    if widgets::button(ui, &format!("{no}##recovery-keep"), [button, 26.0], Tone::On) {
        ui.send(FileAction::KeepRecovered);
    }
    rect
}

/// Width of the button of an offer.
const OFFER: f32 = 158.0;

fn notice_box(ui: &Ui<'_>, notice: &Notice, area: Rect, top: f32) -> (Rect, bool) {
    let color = notice_color(ui, notice.kind);
    let buttons = if notice.offer.is_some() { OFFER + 68.0 } else { 60.0 };
    let width = (area.size()[0] - 120.0).clamp(120.0 + buttons, 720.0);
    let text_size = ui.calc_text_size_with_opts(&notice.text, false, width - buttons);
    let height = text_size[1].max(if notice.offer.is_some() { 22.0 } else { 0.0 }) + 16.0;
    let size = [text_size[0] + buttons, height];
    let min = [area.center()[0] - size[0] / 2.0, top];
    let rect = Rect::at(min, size);
    ui.fill(rect, faded(ui.theme.bar, 0.96), 6.0);
    ui.outline(rect, color, 6.0, 1.0);
    ui.dot([min[0] + 16.0, rect.center()[1]], 4.0, color);
    ui.set_cursor_screen_pos([min[0] + 28.0, rect.center()[1] - text_size[1] / 2.0]);
    {
        let _wrap = ui.push_text_wrap_pos_with_pos(ui.cursor_pos()[0] + width - buttons + 1.0);
        ui.text(&notice.text);
    }
    if let Some(offer) = &notice.offer {
        let place = Rect::around([rect.max[0] - 34.0 - OFFER / 2.0, rect.center()[1]], [OFFER, 24.0]);
        if widgets::button_at(ui, place, &format!("{}##accept-offer", offer.label()), Tone::Plain) {
            ui.send(ProgramAction::AcceptOffer);
        }
    }
    ui.set_cursor_screen_pos([rect.max[0] - 28.0, rect.center()[1] - 11.0]);
    let is_closed = ui.invisible_button("##dismiss", [22.0, 22.0]);
    let ink = if ui.is_item_hovered() { ui.theme.text } else { ui.theme.quiet };
    let cross = ui.item_rect();
    ui.text_in(cross, Align::Center, ink, &icon(Icon::X));
    (rect, is_closed)
}
