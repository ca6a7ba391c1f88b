//! The splitter between the dope sheet and the curves below it.

use crate::editor::panels::ui::prelude::*;

/// Height in which it is grabbed.
const HEIGHT: f32 = 7.0;
/// A part below this height is hidden.
const MIN_PART: f32 = 44.0;

/// How the height is divided.
#[derive(Clone, Copy, Debug)]
pub struct Splitter {
    /// The part of the upper rows, 0 to 1.
    share: f32,
}

impl Default for Splitter {
    fn default() -> Splitter {
        Splitter { share: 0.45 }
    }
}

impl Splitter {
    /// Draws the splitter; a double click puts it back. Returns the upper and the lower part, each if it has room.
    pub fn ui(&mut self, ui: &Ui<'_>, all: Rect) -> (Option<Rect>, Option<Rect>) {
        let room = (all.height() - HEIGHT).max(1.0);
        let upper = match (room * self.share).round() {
            upper if upper < MIN_PART || room < 3.0 * MIN_PART => 0.0,
            upper if room - upper < MIN_PART => room,
            upper => upper,
        };
        let mut lower = all;
        let sheet = lower.cut_top(upper, 0.0);
        let grip = lower.cut_top(HEIGHT, 0.0);
        ui.button_in("time-splitter", grip);
        let is_active = ui.is_item_active();
        if is_active {
            self.share = ((ui.io().mouse_pos[1] - all.min[1]) / room).clamp(0.0, 1.0);
        }
        if ui.is_item_hovered() || is_active {
            ui.set_mouse_cursor(Some(MouseCursor::ResizeNS));
        }
        if ui.is_item_hovered() && ui.is_mouse_double_clicked(MouseButton::Left) {
            *self = Splitter::default();
        }
        let color = if ui.is_item_hovered() || is_active { ui.theme.accent } else { ui.theme.line };
        let y = grip.center()[1].round();
        ui.line([grip.min[0], y], [grip.max[0], y], color, if is_active { 2.0 } else { 1.0 });
        (has_room(sheet), has_room(lower))
    }
}

fn has_room(part: Rect) -> Option<Rect> {
    (part.height() >= MIN_PART / 2.0).then_some(part)
}
