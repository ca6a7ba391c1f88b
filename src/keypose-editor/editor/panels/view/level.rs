//! The overlay of the level mode: its buttons, the selection box and a line that says what the mouse does.

use crate::editor::gesture::level::is_scenery;
use crate::editor::panels::ui::popover::SplitButton;
use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::view::mode_bar::{ButtonRow, hint};
use crate::editor::panels::view::sight::Sight;
use crate::editor::session::level::{Hot, LevelAction, LevelDesk, LevelTool, Snap};
use keypose::assets::level::thing::ThingKind;

/// Draws the overlay; `scale` is pixels per point. Returns whether the mouse is over it.
pub fn level_ui(ui: &Ui<'_>, desk: &LevelDesk, area: Rect, scale: f32) -> bool {
    Sight::main(ui, area, scale).selection_box(ui);
    let mut row = ButtonRow::new(ui, area, 10.0).to_edge(area);
    row.command("Leave level", Command::LevelMode, Tone::On);
    row.command(&format!("{}  Play from here", icon(Icon::Play)), Command::PlayFromHere, Tone::Clear);
    row.command("Frame all", Command::FrameAll, Tone::Clear);
    snap_button(ui, &mut row);
    level_button(ui, desk, &mut row);
    let is_over = row.is_over;
    hint(ui, &text(ui, desk), area);
    is_over
}

/// Draws the toggle of snapping, and the choice of its step.
fn snap_button(ui: &Ui<'_>, row: &mut ButtonRow<'_>) {
    let snap = ui.session.workspace.level_snap;
    let text = format!("{}  {} m", icon(Icon::Magnet), snap.step);
    let Some(rect) = row.place(SplitButton::width(ui, &text)) else { return };
    if snap.is_on {
        ui.fill(rect, faded(ui.theme.accent, 0.18), 5.0);
        ui.outline(rect, ui.theme.accent, 5.0, 1.0);
    }
    let tip = "Snap dragged things to the grid; Ctrl switches it";
    let button = SplitButton { id: "level-snap", text: &text, is_on: snap.is_on, tip, key: String::new() };
    let is_pressed = button.draw(ui, rect, || {
        for step in Snap::STEPS {
            if menu::choice(ui, &format!("{step} m"), snap.step == step) {
                ui.send(LevelAction::SetSnap(Snap { is_on: true, step }));
            }
        }
    });
    if is_pressed {
        ui.send(LevelAction::SetSnap(Snap { is_on: !snap.is_on, ..snap }));
    }
}

/// Draws the choice of the open level.
fn level_button(ui: &Ui<'_>, desk: &LevelDesk, row: &mut ButtonRow<'_>) {
    let levels = &ui.document.levels;
    let Some(open) = levels.get(desk.level).filter(|_| levels.len() > 1) else { return };
    row.menu(&format!("{}  {}", open.name, icon(Icon::ChevronDown)), "open-level", "Open another level", "", || {
        for (at, level) in levels.iter().enumerate() {
            if menu::choice(ui, &level.name, at == desk.level) && at != desk.level {
                ui.send(LevelAction::Open(at));
            }
        }
    });
}

/// The text about the running gesture, or about a click at this place.
fn text(ui: &Ui<'_>, desk: &LevelDesk) -> String {
    if let Some(text) = ui.editor.gesture.as_ref().and_then(|gesture| gesture.status()) {
        return text;
    }
    if ui.session.transient.pointer.is_boxing {
        return "Drag to select things".to_owned();
    }
    match (desk.tool, desk.hot) {
        (LevelTool::Draw(kind @ (ThingKind::Spawn | ThingKind::Checkpoint | ThingKind::Coin)), _) => {
            format!("Click to place a {}     Esc  select", kind.name())
        }
        (LevelTool::Draw(ThingKind::Foe), _) => "Click to place a foe     Esc  select".to_owned(),
        (LevelTool::Draw(kind @ (ThingKind::Decor | ThingKind::Spikes)), _) => {
            format!("Drag to draw {}     Esc  select", kind.name())
        }
        (LevelTool::Draw(ThingKind::Mover), _) => "Drag to draw a moving platform     Esc  select".to_owned(),
        (LevelTool::Draw(kind), _) => format!("Drag to draw a {}     Esc  select", kind.name()),
        (LevelTool::Select, Some(Hot::Thing(at))) => {
            let level = ui.document.levels.get(desk.level);
            let needs_click = !desk.picked.contains(&at) && level.is_some_and(|level| is_scenery(level, at));
            format!("{at}     {}", if needs_click { "click to select" } else { "drag to move" })
        }
        (LevelTool::Select, Some(Hot::FarEnd)) => "Drag to set the end of the path".to_owned(),
        (LevelTool::Select, Some(Hot::Handle(_))) => "Drag to resize".to_owned(),
        (LevelTool::Select, None) => "Click a thing, or drag a box     Esc  leave".to_owned(),
    }
}

/// The entries of the context menu.
pub fn level_menu(ui: &Ui<'_>) {
    menu::commands(
        ui,
        &[
            &[Command::MoveThings, Command::Duplicate, Command::Delete],
            &[Command::SelectAll, Command::SelectNone, Command::BoxSelect],
            &[Command::FrameSelected, Command::FrameAll, Command::PlayFromHere],
        ],
    );
}
