//! Messages over the viewport: recovered work at the lower edge, where it covers no figure, and the bar of a reduction at the upper one.

use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::view::free_place::GAP;
use crate::editor::panels::view::reduce_bar::reduce_bar;
use crate::editor::session::Recovered;

/// Space between the edge of a message and its text, where its dot is.
const DOT: f32 = 28.0;
/// Space between messages and around their buttons.
const SPACE: f32 = 6.0;
/// Maximum width of the text and the buttons of a message.
const MAX_WIDTH: f32 = 720.0;

/// The strip of an area that recovered work takes.
pub fn taken(ui: &Ui<'_>, area: Rect) -> Option<Rect> {
    ui.session.transient.recovered.map(|_| area.bottom(GAP + FIELD + 2.0 * SPACE))
}

/// Draws the messages. Returns whether the mouse is over one.
pub fn banner(ui: &Ui<'_>, area: Rect) -> bool {
    let bar = reduce_bar(ui, area, area.min[1] + 46.0);
    let recovery = ui.session.transient.recovered.map(|recovered| recovery_ui(ui, area, recovered));
    [bar, recovery].into_iter().flatten().any(|rect| rect.contains(ui.io().mouse_pos))
}

/// Draws "Recovered 12 steps …" with buttons. Discarding asks for confirmation in the same place.
fn recovery_ui(ui: &Ui<'_>, area: Rect, recovered: Recovered) -> Rect {
    let Recovered { steps, is_asking } = recovered;
    let count = counted(steps, "step");
    let button = |text, id, tone| Button { tone, ..Button::new(text, id, "") };
    // The confirming button is not under the first one, so that a double click doesn't discard.
    let (text, buttons) = if is_asking {
        let back = button("Back", "recovery-keep", Tone::On);
        (format!("Discard {count}? This can't be undone."), [back, button("Discard", "recovery-discard", Tone::Plain)])
    } else {
        let discard = button("Discard…", "recovery-discard", Tone::Plain);
        (format!("Recovered {count} from the last session."), [discard, button("Keep", "recovery-keep", Tone::On)])
    };
    let (rect, pressed) = message_ui(ui, area, &text, ui.theme.draft, &buttons);
    match pressed.map(|at| buttons[at].id) {
        Some("recovery-discard") => ui.send(FileAction::DiscardRecovered),
        Some(_) => ui.send(FileAction::KeepRecovered),
        None => {}
    }
    rect
}

/// Draws a text in as many lines as it needs, with buttons at its right. Returns its rectangle and the index of the pressed button.
fn message_ui(ui: &Ui<'_>, area: Rect, text: &str, color: Color, buttons: &[Button<'_>]) -> (Rect, Option<usize>) {
    let widths: Vec<f32> = buttons.iter().map(|button| ui.calc_text_size(button.text)[0] + 3.0 * SPACE).collect();
    let beside = DOT + 2.0 * SPACE + widths.iter().map(|width| width + SPACE).sum::<f32>();
    let room = (area.width() - 24.0 - beside).clamp(120.0, MAX_WIDTH - beside);
    let [wide, high] = ui.calc_text_size_with_opts(text, false, room);
    let size = [wide + beside, high.max(FIELD) + 2.0 * SPACE];
    let rect = Rect::at([(area.center()[0] - size[0] / 2.0).round(), area.max[1] - GAP - size[1]], size);
    ui.card(rect, color);
    ui.dot([rect.min[0] + DOT / 2.0, rect.center()[1]], 4.0, color);
    let mut rest = rect.trim_left(DOT).trim_right(SPACE);
    ui.set_cursor_screen_pos([rest.min[0], rect.center()[1] - high / 2.0]);
    {
        let _wrap = ui.push_text_wrap_pos_with_pos(ui.cursor_pos()[0] + room + 1.0);
        ui.text(text);
    }
    let mut pressed = None;
    for (at, (button, width)) in buttons.iter().zip(widths).enumerate().rev() {
        let place = rest.cut_right(width, SPACE);
        let place = Rect::around(place.center(), [width, FIELD]);
        if widgets::button_at(ui, place, &format!("{}##{}", button.text, button.id), button.tone) {
            pressed = Some(at);
        }
    }
    (rect, pressed)
}
