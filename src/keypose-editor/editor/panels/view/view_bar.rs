//! The row of buttons over the viewport: gizmo orientation, pivot, chain, display, ghosts, trails and the opponent of an
//! attack.

use crate::editor::ops::limb::DEFAULT_JOINTS;
use crate::editor::panels::ui::popover::{SplitButton, title};
use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::view::display;
use crate::editor::panels::view::ghosts;
use crate::editor::panels::view::mode_bar::ButtonRow;
use crate::editor::panels::view::trails;
use crate::editor::session::opponent::{Distance, OpponentChoice};
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
    if let (Some(model), Some(id)) = (ui.model(), ui.session.focus.clip)
        && model.combat.lanes.get(&id).is_some_and(|lanes| !lanes.hits.is_empty())
    {
        opponent_button(ui, model, &mut row);
    }
    row.command("Pixels", Command::TogglePixelView, Tone::Clear);
    row.is_over
}

/// Draws the toggle of the volumes, and the choice of the opponent.
fn opponent_button(ui: &Ui<'_>, model: &Model, row: &mut ButtonRow<'_>) {
    let (choice, models) = (&ui.session.focus.opponent, &ui.document.models);
    let chosen = models.iter().find(|other| other.name == choice.model);
    let shown = chosen.map_or(model.name.as_str(), |other| &other.name);
    let text = format!("{}  Opponent: {shown}", icon(Icon::User));
    let Some(rect) = row.place(SplitButton::width(ui, &text)) else { return };
    let command = Command::ToggleVolumes;
    let (is_on, key) = (ui.is_on(command), ui.key_of(command));
    let tip = "Show the hit and hurt volumes of the attack, and an opponent";
    let is_pressed = SplitButton { id: "opponent", text: &text, is_on, tip, key }.draw(ui, rect, || {
        title(ui, "Figure");
        for other in models {
            let is_chosen = menu::choice(ui, &other.name, other.name == shown);
            ui.item(&format!("opponent-{}", other.name));
            if is_chosen {
                ui.send(ToolAction::SetOpponent(OpponentChoice { model: other.name.clone(), ..*choice }));
            }
        }
        title(ui, "Distance");
        for distance in Distance::ALL {
            let is_chosen = menu::choice(ui, &distance.name(), choice.distance == distance);
            ui.item(&format!("opponent-{}", distance.name()));
            if is_chosen {
                ui.send(ToolAction::SetOpponent(OpponentChoice { distance, ..choice.clone() }));
            }
        }
    });
    if is_pressed {
        ui.run(command);
    }
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

/// Draws the IK chain length and the options of IK.
fn chain_button(ui: &Ui<'_>, row: &mut ButtonRow<'_>) {
    let chain = ui.session.workspace.chain_joints;
    let key = format!("{} while dragging", ui.bracket_keys());
    let is_whole = ui.session.is_on(Switch::WholeBody);
    let text = if is_whole { "Whole body".to_owned() } else { counted(chain, "joint") };
    row.menu(&text, "chain", "What IK moves: a chain of joints, or the whole body", &key, || {
        for joints in 1..=8 {
            let name =
                if joints == DEFAULT_JOINTS { "2 joints: arm or leg".to_owned() } else { counted(joints, "joint") };
            if menu::choice(ui, &name, chain == joints && !is_whole) {
                ui.send(ToolAction::SetChain(joints));
            }
        }
        menu::separator(ui);
        menu::commands(
            ui,
            &[&[
                Command::ToggleWholeBody,
                Command::ToggleKeepEndRotation,
                Command::ToggleJointLimits,
                Command::TogglePin,
                Command::ClearPins,
            ]],
        );
    });
}
