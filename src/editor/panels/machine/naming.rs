//! Renaming a state or a parameter in place.

use crate::editor::ops::machine_edit::MachineEdit;
use crate::editor::panels::ui::Ui;
use crate::editor::panels::window::layout;

/// The kind of a named item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// A state.
    State,
    /// A parameter.
    Parameter,
}

/// The rename in progress.
#[derive(Debug)]
pub struct Naming {
    what: Named,
    name: String,
    text: String,
    /// Whether the field still waits for the keyboard, which it gets one frame after it opens.
    is_fresh: bool,
}

impl Naming {
    /// Starts a rename.
    pub fn new(what: Named, name: &str) -> Naming {
        Naming { what, name: name.to_owned(), text: name.to_owned(), is_fresh: true }
    }

    /// Whether it renames this item.
    pub fn is_of(&self, what: Named, name: &str) -> bool {
        self.what == what && self.name == name
    }
}

/// Draws the field if this item is being renamed; otherwise returns false. Enter or a click elsewhere confirms, Escape
/// cancels.
pub fn naming_ui(ui: &Ui<'_>, naming: &mut Option<Naming>, what: Named, name: &str, width: f32) -> bool {
    let Some(typed) = naming.as_mut().filter(|naming| naming.is_of(what, name)) else { return false };
    if typed.is_fresh {
        layout::focus_next(ui);
    }
    ui.set_next_item_width(width);
    let is_entered = ui.input_text("##name", &mut typed.text).enter_returns_true(true).auto_select_all(true).build();
    ui.item("machine-name");
    let is_left = ui.is_item_deactivated() && !typed.is_fresh;
    let is_dropped = ui.is_key_pressed(imgui::Key::Escape);
    typed.is_fresh = false;
    if is_entered || is_left {
        let (name, to) = (typed.name.clone(), typed.text.trim().to_owned());
        if !is_dropped && to != name {
            super::edit(
                ui,
                match what {
                    Named::State => MachineEdit::RenameState { name, to },
                    Named::Parameter => MachineEdit::RenameParameter { name, to },
                },
            );
        }
        *naming = None;
    }
    true
}
