//! The row of buttons over the viewport: gizmo orientation, pivot, chain, display, ghosts and trails.

use crate::editor::ops::limb::DEFAULT_JOINTS;
use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::view::display;
use crate::editor::panels::view::ghosts;
use crate::editor::panels::view::mode_bar::ButtonRow;
use crate::editor::panels::view::trails;
use crate::editor::session::tool::{Space, Tool};

/// Draws the row at the top of the viewport. Returns whether the mouse is over it.
pub fn view_bar(ui: &Ui<'_>, area: Rect) -> bool {
    let mut row = ButtonRow::new(ui, area, 54.0);
    let session = ui.session;
    space_button(ui, &mut row);
    if session.focus.selection.bones.len() > 1 && matches!(session.workspace.tool, Tool::Rotate | Tool::Scale) {
        pivot_button(ui, &mut row);
    }
    if session.workspace.tool == Tool::Reach {
        chain_button(ui, &mut row);
    }
    if let Some(rect) = row.place(display::button_width(ui)) {
        display::display_button(ui, rect);
    }
    if let Some(rect) = row.place(ghosts::button_width(ui)) {
        ghosts::ghosts_button(ui, rect);
    }
    if let Some(rect) = row.place(trails::button_width(ui)) {
        trails::trails_button(ui, rect);
    }
    row.is_over
}

fn pivot_button(ui: &Ui<'_>, row: &mut ButtonRow<'_>) {
    let text = if ui.session.is_on(Switch::SharedPivot) { "Median point" } else { "Individual origins" };
    if row.button(text, "pivot", Tone::Clear) {
        ui.run(Command::ToggleSharedPivot);
    }
    let key = ui.key_of(Command::ToggleSharedPivot);
    ui.tip("Pivot of several bones: median point or individual origins", &key);
}

fn space_button(ui: &Ui<'_>, row: &mut ButtonRow<'_>) {
    let space = ui.session.workspace.space;
    row.menu(space.name(), "space", "Gizmo orientation", "", || {
        for other in Space::ALL {
            if menu::choice(ui, other.name(), space == other) {
                ui.send(ToolAction::SetSpace(other));
            }
        }
    });
}

fn chain_text(joints: usize) -> String {
    if joints == 1 { "1 joint".to_owned() } else { format!("{joints} joints") }
}

/// Draws the IK chain length and the options of IK.
fn chain_button(ui: &Ui<'_>, row: &mut ButtonRow<'_>) {
    let chain = ui.session.workspace.chain_joints;
    let key = format!("{} while dragging", ui.bracket_keys());
    row.menu(&chain_text(chain), "chain", "IK chain length", &key, || {
        for joints in 1..=8 {
            let name = if joints == DEFAULT_JOINTS { "2 joints: arm or leg".to_owned() } else { chain_text(joints) };
            if menu::choice(ui, &name, chain == joints) {
                ui.send(ToolAction::SetChain(joints));
            }
        }
        menu::separator(ui);
        menu::commands(ui, &[&[Command::ToggleKeepEndRotation, Command::TogglePin, Command::ClearPins]]);
    });
}
