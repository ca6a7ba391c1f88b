//! What happened, newest last.

use lucide_icons::Icon;

use crate::editor::panels::ui::actions::Out;
use crate::editor::panels::ui::canvas::{Align, Kit, Rect, icon};
use crate::editor::panels::ui::seen::Seen;
use crate::editor::panels::ui::theme::{Color, faded};
use crate::editor::panels::ui::widgets;
use crate::editor::panels::ui::widgets::{ROW, Tone};
use crate::editor::panels::window::layout;
use crate::editor::session::Recovered;
use crate::editor::session::notice::{Notice, NoticeKind};
use crate::editor::state::action::{FileAction, ProgramAction};

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
    let log = &seen.session.workspace.log;
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

/// What lies over the upper edge of the picture: what was recovered, with a way to throw it away, and the newest notice
/// until it is dismissed. True where the mouse is over one of them.
pub fn banner(kit: &Kit<'_>, seen: &Seen<'_>, area: Rect, out: &mut Out) -> bool {
    let mut top = area.min[1] + 46.0;
    let mut is_over = false;
    if let Some(recovered) = seen.session.transient.recovered {
        let rect = recovery_line(kit, area, top, recovered, out);
        is_over |= rect.contains(kit.io().mouse_pos);
        top = rect.max[1] + 6.0;
    }
    if let Some(notice) = &seen.session.transient.notice {
        let (rect, is_closed) = notice_box(kit, notice, area, top);
        is_over |= rect.contains(kit.io().mouse_pos);
        if is_closed {
            out.push(ProgramAction::DismissNotice);
        }
    }
    is_over
}

/// "Recovered 12 steps …" with what can be done about it; throwing away asks once more in the same line.
fn recovery_line(kit: &Kit<'_>, area: Rect, top: f32, recovered: Recovered, out: &mut Out) -> Rect {
    let Recovered { steps, is_asking } = recovered;
    let count = if steps == 1 { "1 step".to_owned() } else { format!("{steps} steps") };
    let text = match is_asking {
        false => format!("Recovered {count} of the last session."),
        true => format!("Throw {count} away? They can't be had again."),
    };
    let (yes, no) = if is_asking { ("Discard", "Back") } else { ("Discard…", "Keep") };
    let (button, high) = (84.0, 36.0);
    let room = area.size()[0] - 24.0;
    let width = (kit.calc_text_size(&text)[0] + 40.0 + 2.0 * (button + 6.0)).min(room);
    let rect = Rect::at([area.center()[0] - width / 2.0, top], [width, high]);
    kit.fill(rect, faded(kit.theme.bar, 0.96), 6.0);
    kit.outline(rect, kit.theme.draft, 6.0, 1.0);
    kit.draw().add_circle([rect.min[0] + 16.0, rect.center()[1]], 4.0, kit.theme.draft).filled(true).build();
    let line = Rect { min: [rect.min[0] + 28.0, rect.min[1]], max: [rect.max[0] - 2.0 * (button + 6.0), rect.max[1]] };
    kit.text_in(line, Align::Left, kit.theme.text, &text);
    // The button that throws away is not where the one was that asks: a double click does no harm.
    let (left, right) = (rect.max[0] - 2.0 * (button + 6.0), rect.max[0] - button - 6.0);
    let (discard, keep) = if is_asking { (right, left) } else { (left, right) };
    kit.set_cursor_screen_pos([discard, rect.min[1] + 5.0]);
    if widgets::button(kit, &format!("{yes}##recovery-discard"), [button, 26.0], Tone::Plain) {
        out.push(FileAction::DiscardRecovered);
    }
    kit.set_cursor_screen_pos([keep, rect.min[1] + 5.0]);
    if widgets::button(kit, &format!("{no}##recovery-keep"), [button, 26.0], Tone::On) {
        out.push(FileAction::KeepRecovered);
    }
    rect
}

fn notice_box(kit: &Kit<'_>, notice: &Notice, area: Rect, top: f32) -> (Rect, bool) {
    let color = notice_color(kit, notice.kind);
    let width = (area.size()[0] - 120.0).clamp(120.0, 720.0);
    let text_size = kit.calc_text_size_with_opts(&notice.text, false, width - 60.0);
    let size = [text_size[0] + 60.0, text_size[1] + 16.0];
    let min = [area.center()[0] - size[0] / 2.0, top];
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
    (rect, is_closed)
}
