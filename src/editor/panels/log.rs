//! What happened, newest last.

use lucide_icons::Icon;

use crate::editor::effect::NoticeKind;
use crate::editor::panels::kit::{Align, Kit, Rect, icon};
use crate::editor::panels::layout;
use crate::editor::panels::seen::Seen;
use crate::editor::panels::theme::{Color, faded};
use crate::editor::panels::widgets::{self, ROW};

/// What the panel keeps for itself.
#[derive(Debug, Default)]
pub struct LogLocal {
    lines: usize,
}

/// The colour of a notice.
pub fn notice_color(kit: &Kit<'_>, kind: NoticeKind) -> Color {
    match kind {
        NoticeKind::Info => kit.theme.accent,
        NoticeKind::Warning => kit.theme.hurt,
        NoticeKind::Error => kit.theme.hit,
    }
}

/// The panel's contents.
pub fn log_ui(kit: &Kit<'_>, seen: &Seen<'_>, local: &mut LogLocal) {
    let log = &seen.session.log;
    if log.is_empty() {
        return widgets::empty(kit, "Nothing has happened yet.", "Reports of imports, saves and errors stand here.");
    }
    layout::scrolled(kit, "##log", 0.0, || {
        for notice in log {
            let top = kit.cursor_screen_pos();
            let _wrap = kit.push_text_wrap_pos();
            kit.draw()
                .add_circle([top[0] + 8.0, top[1] + ROW / 2.0], 3.5, notice_color(kit, notice.kind))
                .filled(true)
                .build();
            kit.set_cursor_screen_pos([top[0] + 20.0, top[1] + 3.0]);
            kit.text_wrapped(&notice.text);
            kit.dummy([0.0, 3.0]);
        }
        if local.lines != log.len() {
            local.lines = log.len();
            kit.set_scroll_here_y();
        }
    });
}

/// The newest notice over the picture, until it is dismissed. True where it was clicked away.
pub fn banner(kit: &Kit<'_>, seen: &Seen<'_>, area: Rect) -> bool {
    let Some(notice) = &seen.session.notice else { return false };
    let color = notice_color(kit, notice.kind);
    let width = (area.size()[0] - 120.0).clamp(120.0, 720.0);
    let text_size = kit.calc_text_size_with_opts(&notice.text, false, width - 60.0);
    let size = [text_size[0] + 60.0, text_size[1] + 16.0];
    let min = [area.center()[0] - size[0] / 2.0, area.min[1] + 46.0];
    let rect = Rect::at(min, size);
    kit.fill(rect, faded(kit.theme.bar, 0.96), 6.0);
    kit.outline(rect, color, 6.0, 1.0);
    kit.draw().add_circle([min[0] + 16.0, rect.center()[1]], 4.0, color).filled(true).build();
    kit.set_cursor_screen_pos([min[0] + 28.0, min[1] + 8.0]);
    {
        let _wrap = kit.push_text_wrap_pos_with_pos(kit.cursor_pos()[0] + width - 60.0 + 1.0);
        kit.text(&notice.text);
    }
    kit.set_cursor_screen_pos([rect.max[0] - 28.0, rect.center()[1] - 11.0]);
    let is_closed = kit.invisible_button("##dismiss", [22.0, 22.0]);
    let ink = if kit.is_item_hovered() { kit.theme.text } else { kit.theme.quiet };
    let cross = Rect { min: kit.item_rect_min(), max: kit.item_rect_max() };
    kit.text_in(cross, Align::Center, ink, &icon(Icon::X));
    is_closed
}
