//! The newest notice, in the lower right corner of the viewport: one at a time, with a line that runs down until it disappears.

use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::ui::widgets::TEXT;
use crate::editor::panels::view::free_place::GAP;
use crate::editor::session::notice::{Notice, NoticeKind, Offer};

/// Width of a toast.
const WIDTH: f32 = 250.0;
/// Space between the edge and the text, where the sign is.
const SIGN: f32 = 30.0;
/// Space between the text and the edge, where the cross is.
const CROSS: f32 = 26.0;
/// Space above and below the text.
const SPACE: f32 = 8.0;
/// The seconds for which a brief notice is shown.
const STAY_SECS: f64 = 6.0;

/// The time that is left to the notice, as a fraction.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ToastTime(pub f32);

/// A brief notice, and the seconds for which it has been shown.
#[derive(Debug, Default)]
pub struct ToastClock(Option<(Notice, f64)>);

impl ToastClock {
    /// Counts `secs` for the newest notice, but not under the mouse. Returns true if its time is over.
    pub fn advance(&mut self, newest: Option<&Notice>, secs: f64, is_under_mouse: bool) -> bool {
        let newest = newest.filter(|notice| notice.is_brief());
        if self.0.as_ref().map(|(notice, _)| notice) != newest {
            self.0 = newest.map(|notice| (notice.clone(), 0.0));
        } else if let Some((_, age)) = &mut self.0 {
            *age += if is_under_mouse { 0.0 } else { secs };
        }
        self.0.take_if(|(_, age)| *age >= STAY_SECS).is_some()
    }

    /// Whether a notice is shown that disappears after a while.
    pub fn is_running(&self) -> bool {
        self.0.is_some()
    }

    /// The time that is left to the notice.
    pub fn left(&self) -> ToastTime {
        ToastTime(self.0.as_ref().map_or(1.0, |(_, age)| 1.0 - age / STAY_SECS) as f32)
    }
}

/// The colour of a notice.
pub fn notice_color(ui: &Ui<'_>, kind: NoticeKind) -> Color {
    match kind {
        NoticeKind::Info => ui.theme.accent,
        NoticeKind::Warning => ui.theme.hurt,
        NoticeKind::Error => ui.theme.hit,
    }
}

/// Draws the newest notice in the lower right corner of an area. Returns whether the mouse is over it.
pub fn toast_ui(ui: &Ui<'_>, area: Rect, left: ToastTime) -> bool {
    let Some(notice) = &ui.session.transient.notice else { return false };
    let wide = WIDTH.min(area.width() - 2.0 * GAP);
    let room = wide - SIGN - CROSS;
    let [_, high] = ui.calc_text_size_with_opts(&notice.text, false, room);
    let line = if notice.offer.is_some() { TEXT + 4.0 } else { 0.0 };
    let size = [wide, (high + line).max(TEXT) + 2.0 * SPACE];
    let rect = Rect::at([area.max[0] - GAP - wide, area.max[1] - GAP - size[1]], size);
    let color = notice_color(ui, notice.kind);
    ui.card(rect, if notice.kind == NoticeKind::Info { ui.theme.line } else { color });
    ui.mark(|| "toast".into(), rect);
    let inner = rect.inset(0.0, SPACE);
    ui.text_in(inner.left(SIGN).top(TEXT), Align::Center, color, &icon(sign(notice)));
    ui.set_cursor_screen_pos([inner.min[0] + SIGN, inner.min[1]]);
    {
        let _wrap = ui.push_text_wrap_pos_with_pos(ui.cursor_pos()[0] + room + 1.0);
        ui.text(&notice.text);
    }
    if let Some(offer) = &notice.offer {
        offer_ui(ui, inner.trim_left(SIGN).bottom(TEXT), offer);
    }
    if widgets::icon_button_at(ui, inner.right(CROSS).top(TEXT), "dismiss", Icon::X, Tone::Bare) {
        ui.send(ProgramAction::DismissNotice);
    }
    if notice.is_brief() {
        let done = rect.bottom(2.0).inset(4.0, 0.0);
        ui.fill(done.left(done.width() * left.0.clamp(0.0, 1.0)), color, 1.0);
    }
    rect.contains(ui.io().mouse_pos)
}

fn sign(notice: &Notice) -> Icon {
    match (notice.kind, &notice.offer) {
        (NoticeKind::Info, Some(Offer::Undo)) => Icon::Check,
        (NoticeKind::Info, _) => Icon::Info,
        (NoticeKind::Warning | NoticeKind::Error, _) => Icon::TriangleAlert,
    }
}

/// Draws what a notice offers, as a link, with its key.
fn offer_ui(ui: &Ui<'_>, place: Rect, offer: &Offer) {
    let label = offer.label();
    let link = place.left(ui.calc_text_size(&label)[0] + 2.0);
    let is_pressed = ui.button_in("accept-offer", link);
    ui.text_in(link, Align::Left, ui.theme.accent, &label);
    if ui.is_item_hovered() {
        ui.line([link.min[0], link.max[1]], link.max, ui.theme.accent, 1.0);
    }
    if *offer == Offer::Undo {
        let key = ui.key_of(Command::Undo);
        ui.text_in(place.trim_left(link.width() + 6.0), Align::Left, ui.theme.quiet, &key);
    }
    if is_pressed {
        ui.send(ProgramAction::AcceptOffer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_brief_notice_is_over_after_its_time_but_not_under_the_mouse() {
        let [info, error] = [NoticeKind::Info, NoticeKind::Error].map(|kind| Notice::new(kind, "text", None));
        let mut clock = ToastClock::default();
        assert!(!clock.advance(Some(&error), 10.0, false) && !clock.is_running());
        assert!(!clock.advance(Some(&info), 10.0, false) && clock.is_running(), "it has just appeared");
        assert!(!clock.advance(Some(&info), 3.0, false) && !clock.advance(Some(&info), 10.0, true));
        assert_eq!(clock.left(), ToastTime(0.5));
        assert!(clock.advance(Some(&info), 3.0, false) && !clock.is_running());
    }
}
