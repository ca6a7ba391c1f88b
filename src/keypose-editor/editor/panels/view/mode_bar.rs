//! What the special views of the viewport share: a row of buttons at the upper edge, and a line of text at the lower one.

use crate::editor::panels::ui::prelude::*;

/// Buttons from left to right while there is room.
pub struct ButtonRow<'a> {
    ui: &'a Ui<'a>,
    x: f32,
    y: f32,
    right: f32,
    /// Whether the mouse is over one of them.
    pub is_over: bool,
}

impl<'a> ButtonRow<'a> {
    /// A row at the upper edge of an area, `left` from its left edge.
    pub fn new(ui: &'a Ui<'a>, area: Rect, left: f32) -> ButtonRow<'a> {
        ButtonRow { ui, x: area.min[0] + left, y: area.min[1] + 10.0, right: area.max[0] - 110.0, is_over: false }
    }

    /// Draws a button. Returns whether it was pressed.
    pub fn button(&mut self, text: &str, id: &str, tone: Tone) -> bool {
        let rect = Rect::at([self.x, self.y], [self.ui.calc_text_size(text)[0] + 26.0, 24.0]);
        if rect.max[0] > self.right {
            return false;
        }
        self.x = rect.max[0] + 4.0;
        self.is_over |= rect.contains(self.ui.io().mouse_pos);
        self.ui.fill(rect, faded(self.ui.theme.bar, 0.92), 5.0);
        widgets::button_at(self.ui, rect, &format!("{text}##{id}"), tone)
    }

    /// Draws the button of a command, which runs it.
    pub fn command(&mut self, text: &str, command: Command, tone: Tone) {
        if self.button(text, &format!("{command:?}"), tone) {
            self.ui.run(command);
        }
    }
}

/// Draws a line of text at the lower edge.
pub fn hint(ui: &Ui<'_>, text: &str, area: Rect) {
    let width = (ui.calc_text_size(text)[0] + 28.0).min(area.size()[0] - 16.0);
    let rect = Rect::at([area.center()[0] - width / 2.0, area.max[1] - 36.0], [width, 26.0]);
    ui.fill(rect, faded(ui.theme.ground, 0.75), 13.0);
    ui.text_in(rect.inset(10.0, 0.0), Align::Center, ui.theme.text, text);
}
