//! Bars over the edges of the viewport: a row of buttons at the upper edge, a bar or a line of text at the lower one.

use crate::editor::panels::ui::prelude::*;

/// Buttons from left to right while there is room.
pub struct ButtonRow<'a> {
    ui: &'a Ui<'a>,
    next: [f32; 2],
    right: f32,
    /// Whether the mouse is over one of them.
    pub is_over: bool,
}

impl<'a> ButtonRow<'a> {
    /// A row at the upper edge of an area, `left` from its left edge.
    pub fn new(ui: &'a Ui<'a>, area: Rect, left: f32) -> ButtonRow<'a> {
        let next = [area.min[0] + left, area.min[1] + 10.0];
        ButtonRow { ui, next, right: area.max[0] - 110.0, is_over: false }
    }

    /// Without the room for the axis ball at the right.
    pub fn to_edge(self, area: Rect) -> ButtonRow<'a> {
        ButtonRow { right: area.max[0] - 10.0, ..self }
    }

    /// Draws the background of the next button. Returns `None` if there is no room.
    pub fn place(&mut self, width: f32) -> Option<Rect> {
        let rect = Rect::at(self.next, [width, 24.0]);
        if rect.max[0] > self.right {
            return None;
        }
        self.next[0] += width + GAP;
        self.is_over |= rect.contains(self.ui.io().mouse_pos);
        self.ui.fill(rect, faded(self.ui.theme.bar, 0.92), 5.0);
        Some(rect)
    }

    /// Draws a button. Returns whether it was pressed.
    pub fn button(&mut self, text: &str, id: &str, tone: Tone) -> bool {
        let place = self.place(self.ui.calc_text_size(text)[0] + 24.0);
        place.is_some_and(|rect| widgets::button_at(self.ui, rect, &format!("{text}##{id}"), tone))
    }

    /// Draws a button that opens a menu.
    pub fn menu(&mut self, text: &str, id: &str, tip: &str, key: &str, entries: impl FnOnce()) {
        if let Some(place) = self.place(self.ui.calc_text_size(text)[0] + 24.0) {
            menu::button(self.ui, place, &format!("{text}##{id}"), Tone::Clear, tip, key, entries);
        }
    }

    /// Draws the button of a command, which runs it.
    pub fn command(&mut self, text: &str, command: Command, tone: Tone) {
        if let Some(place) = self.place(self.ui.calc_text_size(text)[0] + 24.0) {
            widgets::command_button(self.ui, place, &format!("{text}##{command:?}"), tone, command);
        }
    }
}

/// Draws the background of a bar at the lower edge, at most `width` wide. Returns its contents: a row of fields.
pub fn lower_bar(ui: &Ui<'_>, area: Rect, width: f32) -> Rect {
    const HEIGHT: f32 = FIELD + 14.0;
    let width = (area.width() - 24.0).min(width);
    let bar = Rect::at([area.center()[0] - width / 2.0, area.max[1] - HEIGHT - 10.0], [width, HEIGHT]);
    ui.fill(bar, faded(ui.theme.bar, 0.95), 8.0);
    bar.inset(8.0, 7.0)
}

/// Draws a line of text at the lower edge.
pub fn hint(ui: &Ui<'_>, text: &str, area: Rect) {
    let width = (ui.calc_text_size(text)[0] + 28.0).min(area.size()[0] - 16.0);
    hint_in(ui, Rect::at([area.center()[0] - width / 2.0, area.max[1] - 36.0], [width, 26.0]), ui.theme.text, text);
}

/// Draws a line of text on a dark ground.
pub fn hint_in(ui: &Ui<'_>, rect: Rect, color: Color, text: &str) {
    ui.fill(rect, faded(ui.theme.ground, 0.75), 13.0);
    ui.text_in(rect.inset(12.0, 0.0), Align::Center, color, text);
}
