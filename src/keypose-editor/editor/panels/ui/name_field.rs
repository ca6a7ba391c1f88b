//! A text field that takes the keyboard when it opens, such as a name that is edited in place.

use crate::editor::panels::ui::Ui;
use crate::editor::panels::ui::rect::Rect;
use crate::editor::panels::ui::widgets::{self, Tone};

/// The text being typed.
#[derive(Clone, Debug)]
pub struct NameField {
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

/// What a [`NameButton`] shows.
#[derive(Clone, Copy, Debug, Default)]
pub struct NameText<'a> {
    pub text: &'a str,
    /// What is shown if there is none.
    pub empty: &'a str,
    /// The tooltip, if any.
    pub tip: &'a str,
}

/// A text that becomes a text field when it is clicked. `K` says what it belongs to: if that changes, typing ends.
#[derive(Debug)]
pub struct NameButton<K> {
    typing: Option<(K, NameField)>,
}

impl<K> Default for NameButton<K> {
    fn default() -> NameButton<K> {
        NameButton { typing: None }
    }
}

impl<K: PartialEq> NameButton<K> {
    /// Whether a text is being typed.
    pub fn is_typing(&self) -> bool {
        self.typing.is_some()
    }

    /// Draws the text as a button in a rectangle. Returns another text that was entered.
    pub fn ui(&mut self, ui: &Ui<'_>, (id, of): (&str, K), name: NameText<'_>, field: Rect) -> Option<String> {
        if let Some((_, typed)) = self.typing.as_mut().filter(|(typing, _)| *typing == of) {
            ui.set_cursor_screen_pos(field.min);
            let entered = match typed.in_place(ui, id, field.width()) {
                Naming::Typing => return None,
                Naming::Cancelled => None,
                Naming::Entered(entered) => Some(entered).filter(|entered| entered != name.text),
            };
            self.typing = None;
            return entered;
        }
        let shown = if name.text.is_empty() { name.empty } else { name.text };
        if widgets::button_at(ui, field, &format!("{shown}##{id}"), Tone::Plain) {
            self.typing = Some((of, NameField::new(name.text)));
        }
        if !name.tip.is_empty() {
            ui.tip(name.tip, "");
        }
        None
    }
}

impl NameField {
    /// A field that starts with a text.
    pub fn new(text: impl Into<String>) -> NameField {
        NameField { text: text.into(), is_fresh: true }
    }

    /// Draws the field. Returns whether Enter was pressed.
    pub fn draw(&mut self, ui: &Ui<'_>, id: &str, hint: &str, width: f32) -> bool {
        if self.is_fresh {
            widgets::focus_next(ui);
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
