//! A text field that takes the keyboard when it opens, such as a name that is edited in place.

use crate::editor::panels::ui::Ui;
use crate::editor::panels::window::layout;

/// The text being typed.
#[derive(Clone, Debug)]
pub struct NameField {
    /// The text.
    pub text: String,
    /// Whether the field still waits for the keyboard, which it gets one frame after it opens.
    is_fresh: bool,
}

/// The result of a frame of a name that is edited in place.
pub enum Naming {
    /// The field stays open.
    Typing,
    /// Escape was pressed.
    Cancelled,
    /// Enter was pressed or something else was clicked; the name without spaces around it.
    Entered(String),
}

impl NameField {
    /// A field that starts with a text.
    pub fn new(text: impl Into<String>) -> NameField {
        NameField { text: text.into(), is_fresh: true }
    }

    /// Draws the field. Returns whether Enter was pressed.
    pub fn draw(&mut self, ui: &Ui<'_>, id: &str, hint: &str, width: f32) -> bool {
        if self.is_fresh {
            layout::focus_next(ui);
        }
        ui.set_next_item_width(width);
        let input = ui.input_text(format!("##{id}"), &mut self.text).hint(hint);
        let is_entered = input.auto_select_all(true).enter_returns_true(true).build();
        ui.item(id);
        self.is_fresh &= !ui.is_item_active();
        is_entered
    }

    /// Draws the field in the place of a name.
    pub fn in_place(&mut self, ui: &Ui<'_>, id: &str, width: f32) -> Naming {
        let was_fresh = self.is_fresh;
        let is_entered = self.draw(ui, id, "", width);
        let is_left = !was_fresh && ui.is_item_deactivated();
        match is_entered || is_left {
            false => Naming::Typing,
            true if ui.is_key_pressed(imgui::Key::Escape) => Naming::Cancelled,
            true => Naming::Entered(self.text.trim().to_owned()),
        }
    }
}
