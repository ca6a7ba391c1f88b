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
    if row.button(ui.session.workspace.space.name(), "space", Tone::Clear) {
        ui.open_popup("##space-menu");
    }
    ui.tip("Gizmo orientation", "");
    let Some(_popup) = menu::popup(ui, "##space-menu") else { return };
    for space in Space::ALL {
        if menu::choice(ui, space.name(), ui.session.workspace.space == space) {
            ui.send(ToolAction::SetSpace(space));
        }
    }
}

fn chain_text(joints: usize) -> String {
    if joints == 1 { "1 joint".to_owned() } else { format!("{joints} joints") }
}

/// Draws the IK chain length and the options of IK.
fn chain_button(ui: &Ui<'_>, row: &mut ButtonRow<'_>) {
    if row.button(&chain_text(ui.session.workspace.chain_joints), "chain", Tone::Clear) {
        ui.open_popup("##chain-menu");
    }
    ui.tip("IK chain length", &format!("{} while dragging", ui.bracket_keys()));
    let Some(_popup) = menu::popup(ui, "##chain-menu") else { return };
    for joints in 1..=8 {
        let is_now = ui.session.workspace.chain_joints == joints;
        let name = if joints == DEFAULT_JOINTS { "2 joints: arm or leg".to_owned() } else { chain_text(joints) };
        if menu::choice(ui, &name, is_now) {
            ui.send(ToolAction::SetChain(joints));
        }
    }
    menu::separator(ui);
    menu::command(ui, Command::ToggleKeepEndRotation);
    menu::command(ui, Command::TogglePin);
    menu::command(ui, Command::ClearPins);
}
