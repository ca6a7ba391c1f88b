//! Text fields that take the keyboard when they open, such as a name that is edited in place.

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

impl NameField {
    /// A field that starts with a text.
    pub fn new(text: impl Into<String>) -> NameField {
        NameField { text: text.into(), is_fresh: true }
    }

    /// Draws the field. Returns whether Enter was pressed.
    pub fn draw(&mut self, ui: &Ui<'_>, id: &str, width: f32) -> bool {
        ui.expect_text();
        if self.is_fresh {
            widgets::focus_next(ui);
        }
        ui.set_next_item_width(width);
        let input = ui.input_text(format!("##{id}"), &mut self.text);
        let is_entered = input.auto_select_all(true).enter_returns_true(true).build();
        ui.item(id);
        self.is_fresh &= !ui.is_item_active();
        is_entered
    }
}

/// A name that is edited in place. `K` says what it belongs to.
#[derive(Clone, Debug)]
pub struct Naming<K> {
    open: Option<(K, NameField)>,
    /// The number of frames since the field was drawn.
    hidden_frames: u32,
}

/// A field that isn't drawn for more frames than this is hidden. A panel needs some to come to the front.
const HIDDEN_FRAMES: u32 = 8;

/// The result of a frame of a name that may be edited in place.
pub enum Named {
    /// The name is not being edited, so that it must be drawn.
    Closed,
    /// The field is in the place of the name.
    Typing,
    /// The editing is over without another name.
    Kept,
    /// Another name was entered, without spaces around it.
    Entered(String),
}

/// The texts of a name's button.
#[derive(Clone, Copy, Debug, Default)]
pub struct NameText<'a> {
    pub text: &'a str,
    /// The text that is shown instead of an empty one.
    pub empty: &'a str,
    /// The tooltip, if any.
    pub tip: &'a str,
}

impl<K> Default for Naming<K> {
    fn default() -> Naming<K> {
        Naming { open: None, hidden_frames: 0 }
    }
}

impl<K: PartialEq> Naming<K> {
    /// Starts to edit a name.
    pub fn start(&mut self, ui: &Ui<'_>, of: K, name: &str) {
        ui.expect_text();
        (self.open, self.hidden_frames) = (Some((of, NameField::new(name))), 0);
    }

    /// Whether the name of an item is being edited.
    pub fn is_of(&self, of: &K) -> bool {
        self.of() == Some(of)
    }

    /// The item whose name is being edited.
    pub fn of(&self) -> Option<&K> {
        self.open.as_ref().map(|(of, _)| of)
    }

    /// Whether the field still waits for the keyboard.
    pub fn is_fresh(&self) -> bool {
        self.open.as_ref().is_some_and(|(_, field)| field.is_fresh)
    }

    /// Takes the typed text if the panel was hidden meanwhile: Dear ImGui does not report that a field that isn't drawn lost the
    /// keyboard. Until then, keeps keys for it. Call it after the panels of a frame.
    pub fn take_hidden(&mut self, ui: &Ui<'_>) -> Option<(K, String)> {
        self.open.as_ref()?;
        ui.expect_text();
        self.hidden_frames += 1;
        let (of, field) = self.open.take_if(|_| self.hidden_frames > HIDDEN_FRAMES)?;
        Some((of, field.text.trim().to_owned()))
    }

    /// Ends the editing. Returns the typed text without spaces around it.
    pub fn take(&mut self) -> Option<String> {
        self.open.take().map(|(_, field)| field.text.trim().to_owned())
    }

    /// Draws the field in the place of the name, if it is being edited. Enter, or a click on something else, ends it.
    pub fn ui(&mut self, ui: &Ui<'_>, of: &K, name: &str, id: &str, place: Rect) -> Named {
        let Some((_, field)) = self.open.as_mut().filter(|(open, _)| open == of) else { return Named::Closed };
        ui.set_cursor_screen_pos(place.min);
        self.hidden_frames = 0;
        let was_fresh = field.is_fresh;
        let is_entered = field.draw(ui, id, place.width());
        let is_left = !was_fresh && ui.is_item_deactivated();
        if !is_entered && !is_left {
            return Named::Typing;
        }
        let is_cancelled = ui.is_key_pressed(imgui::Key::Escape);
        match self.take() {
            Some(entered) if !is_cancelled && entered != name => Named::Entered(entered),
            _ => Named::Kept,
        }
    }

    /// Draws a name as a button, which becomes the field when it is clicked. Returns another name that was entered.
    pub fn button(&mut self, ui: &Ui<'_>, id: &str, of: K, name: NameText<'_>, place: Rect) -> Option<String> {
        match self.ui(ui, &of, name.text, id, place) {
            Named::Closed => {
                let shown = if name.text.is_empty() { name.empty } else { name.text };
                if widgets::button_at(ui, place, &format!("{shown}##{id}"), Tone::Plain) {
                    self.start(ui, of, name.text);
                }
                ui.tip(name.tip, "");
                None
            }
            Named::Typing | Named::Kept => None,
            Named::Entered(name) => Some(name),
        }
    }
}
