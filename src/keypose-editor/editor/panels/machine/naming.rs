//! Renaming a state, a parameter or a layer in place.

use crate::editor::ops::machine_edit::MachineEdit;
use crate::editor::panels::machine::edit;
use crate::editor::panels::ui::prelude::*;

/// A named item of the machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MachineItem {
    State(String),
    Parameter(String),
    Layer(String),
}

impl MachineItem {
    fn name(&self) -> &str {
        match self {
            MachineItem::State(name) | MachineItem::Parameter(name) | MachineItem::Layer(name) => name,
        }
    }

    fn renamed(self, to: String) -> MachineEdit {
        match self {
            MachineItem::State(name) => MachineEdit::RenameState { name, to },
            MachineItem::Parameter(name) => MachineEdit::RenameParameter { name, to },
            MachineItem::Layer(name) => MachineEdit::RenameLayer { name, to },
        }
    }
}

/// Draws the field if the item is being renamed; otherwise returns false.
pub fn naming_ui(ui: &Ui<'_>, naming: &mut Naming<MachineItem>, item: MachineItem) -> bool {
    let place = ui.here([ui.room() - GAP, FIELD]);
    match naming.ui(ui, &item, item.name(), "machine-name", place) {
        Named::Closed => return false,
        Named::Typing | Named::Kept => {}
        Named::Entered(to) => edit(ui, item.renamed(to)),
    }
    true
}

/// Draws the name of the picked item as a title, or the field while it is renamed, with two buttons: one renames it. Returns whether
/// the other one was pressed.
pub fn head_ui(ui: &Ui<'_>, naming: &mut Naming<MachineItem>, item: MachineItem, label: &str, tone: Tone) -> bool {
    if naming_ui(ui, naming, item.clone()) {
        return false;
    }
    let mut rest = widgets::title(ui, item.name(), "").inset(0.0, 1.0);
    let after = ui.cursor_screen_pos();
    let other = rest.cut_right(90.0, GAP);
    if widgets::button_at(ui, rest.right(64.0), "Rename##rename", Tone::Bare) {
        naming.start(ui, item.clone(), item.name());
    }
    let is_pressed = widgets::button_at(ui, other, label, tone);
    ui.set_cursor_screen_pos(after);
    is_pressed
}
