//! Beside the ruler of dope sheet and curves: the filter of rows, and what they show.

use lucide_icons::Icon;

use crate::editor::panels::ui::actions::Out;
use crate::editor::panels::ui::canvas::{Kit, Rect};
use crate::editor::panels::ui::seen::Seen;
use crate::editor::panels::ui::widgets;
use crate::editor::panels::ui::widgets::Tone;
use crate::editor::panels::window::layout;
use crate::editor::session::command::Command;
use crate::editor::session::timing::{TimeAction, TimeView};
use crate::editor::session::transient::Request;

/// Draws them into a place.
pub fn tools_ui(kit: &Kit<'_>, seen: &Seen<'_>, place: Rect, out: &mut Out) {
    let last = match seen.session.focus.timing.view {
        TimeView::Curves => (Icon::Maximize2, Command::ToggleNormalised),
        _ => (Icon::Diamond, Command::ToggleOnlyKeyed),
    };
    let switches = [(Icon::MousePointer2, Command::ToggleOnlySelected), last, (Icon::Magnet, Command::ToggleSnapTime)];
    let width = place.size()[0] - switches.len() as f32 * 26.0 - 2.0;
    kit.set_cursor_screen_pos([place.min[0], place.min[1]]);
    if seen.requested(Request::FocusRowFilter) {
        layout::focus_next(kit);
    }
    let mut text = seen.session.focus.timing.filter.clone();
    if widgets::search_in(kit, "row-filter", "Filter", width, &mut text) {
        out.push(TimeAction::Filter(text));
    }
    kit.tip("Only bones with this in their names", &seen.key_of(Command::FilterRows));
    for (at, (sign, command)) in switches.into_iter().enumerate() {
        kit.set_cursor_screen_pos([place.min[0] + width + 4.0 + at as f32 * 26.0, place.min[1]]);
        let is_on = command.is_on(seen.editor).unwrap_or(false);
        let tone = if is_on { Tone::On } else { Tone::Plain };
        if widgets::icon_button(kit, &format!("{command:?}"), sign, [24.0, widgets::FIELD], tone) {
            out.run(command);
        }
        kit.tip(command.label(), &seen.key_of(command));
    }
}
