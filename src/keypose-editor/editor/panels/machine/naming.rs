//! Renaming a state, a parameter or a layer in place.

use crate::editor::ops::machine_edit::MachineEdit;
use crate::editor::panels::machine::edit;
use crate::editor::panels::ui::Ui;
use crate::editor::panels::ui::name_field::NameField;
use crate::editor::panels::ui::name_field::Naming::{Cancelled, Entered, Typing};

/// The kind of a named item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    State,
    Parameter,
    Layer,
}

/// The rename in progress.
#[derive(Debug)]
pub struct Naming {
    what: Named,
    name: String,
    field: NameField,
}

impl Naming {
    /// Starts a rename.
    pub fn new(what: Named, name: &str) -> Naming {
        Naming { what, name: name.to_owned(), field: NameField::new(name) }
    }
}

/// Draws the field if this item is being renamed; otherwise returns false.
pub fn naming_ui(ui: &Ui<'_>, naming: &mut Option<Naming>, what: Named, name: &str, width: f32) -> bool {
    let is_of = |naming: &&mut Naming| naming.what == what && naming.name == name;
    let Some(typed) = naming.as_mut().filter(is_of) else { return false };
    match typed.field.in_place(ui, "machine-name", width) {
        Typing => return true,
        Entered(to) if to != name => {
            let name = name.to_owned();
            edit(
                ui,
                match what {
                    Named::State => MachineEdit::RenameState { name, to },
                    Named::Parameter => MachineEdit::RenameParameter { name, to },
                    Named::Layer => MachineEdit::RenameLayer { name, to },
                },
            );
        }
        Entered(_) | Cancelled => {}
    }
    *naming = None;
    true
}
