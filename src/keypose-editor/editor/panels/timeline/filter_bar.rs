//! The row filter of dope sheet and curves, and the switches beside it.

use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::ui::search;
use crate::editor::session::timing::TimeView;
use crate::editor::session::transient::Request;

/// Draws the filter and its switches.
pub fn filter_bar_ui(ui: &Ui<'_>, mut area: Rect) {
    let of_view = match ui.session.focus.timing.view {
        TimeView::Curves => (Icon::Maximize2, Command::ToggleNormalised),
        _ => (Icon::Diamond, Command::ToggleOnlyKeyed),
    };
    let switches =
        [(Icon::Magnet, Command::ToggleSnapTime), of_view, (Icon::MousePointer2, Command::ToggleOnlySelected)];
    for (sign, command) in switches {
        let rect = area.cut_right(24.0, 2.0).top(widgets::FIELD);
        let tone = if ui.is_on(command) { Tone::On } else { Tone::Plain };
        widgets::command_button(ui, rect, &format!("{}##{command:?}", icon(sign)), tone, command);
    }
    filter_ui(ui, area);
}

fn filter_ui(ui: &Ui<'_>, area: Rect) {
    ui.set_cursor_screen_pos(area.min);
    if ui.requested(Request::FocusRowFilter) {
        widgets::focus_next(ui);
    }
    let mut text = ui.session.focus.timing.filter.clone();
    if search::field_in(ui, "row-filter", "Filter", area.width() - 2.0, &mut text) {
        ui.send(TimeAction::Filter(text));
    }
    ui.tip("Show only bones whose names contain this text", &ui.key_of(Command::FilterRows));
}
