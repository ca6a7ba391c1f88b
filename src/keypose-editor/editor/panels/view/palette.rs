//! The palette of the level mode: what can be placed, in two columns, and the kinds of foes.

use crate::editor::panels::ui::prelude::*;
use crate::editor::session::level::{LevelAction, LevelDesk};
use keypose::assets::level::Level;

/// Height of a tool with its gap.
const TOOL: f32 = 34.0;
/// Height of a kind of foe.
const KIND: f32 = 48.0;

/// The tools with their signs and names.
const TOOLS: [(Icon, &str, Command); 12] = [
    (Icon::MousePointer2, "Select", Command::SelectThings),
    (Icon::BrickWall, "Solid", Command::DrawSolid),
    (Icon::RectangleHorizontal, "Platform", Command::DrawPlatform),
    (Icon::Rows4, "Ladder", Command::DrawLadder),
    (Icon::TreePine, "Decor", Command::DrawDecor),
    (Icon::Skull, "Foe", Command::PlaceFoe),
    (Icon::Coins, "Coin", Command::PlaceCoin),
    (Icon::Flag, "Checkpoint", Command::PlaceCheckpoint),
    (Icon::Trophy, "Goal", Command::PlaceGoal),
    (Icon::Triangle, "Spikes", Command::DrawSpikes),
    (Icon::TriangleRight, "Slope", Command::DrawSlope),
    (Icon::MoveVertical, "Lift", Command::DrawMover),
];

/// Draws the palette for the open level.
pub fn palette_ui(ui: &Ui<'_>) {
    let Some(desk) = ui.session.transient.scene.level() else { return };
    let Some(level) = ui.document.levels.get(desk.level) else { return };
    widgets::scrolled(ui, "##palette", 0.0, || {
        ui.section("Place");
        ui.dummy([0.0, 4.0]);
        let rows = TOOLS.chunks(2);
        for (row, tools) in rows.enumerate() {
            let line = ui.take_line(TOOL + 6.0);
            for (column, tool) in tools.iter().enumerate() {
                tool_ui(ui, line.column(column, 2, 6.0).top(TOOL), row * 2 + column, *tool);
            }
            ui.end_at([line.min[0], line.max[1]]);
        }
        ui.section("Kinds of foes");
        ui.dummy([0.0, 4.0]);
        for at in 0..level.kinds.len() {
            kind_ui(ui, desk, level, at);
        }
        ui.dummy([0.0, 4.0]);
        let place = ui.here([ui.room().max(8.0), 26.0]);
        let text = format!("{}  New kind##new-kind", icon(Icon::Plus));
        widgets::command_button(ui, place, &text, Tone::Plain, Command::AddFoeKind);
    });
}

/// Draws a tool: its sign and its name.
fn tool_ui(ui: &Ui<'_>, place: Rect, at: usize, (sign, name, command): (Icon, &str, Command)) {
    if ui.button_in(&format!("tool{at}"), place) {
        ui.run(command);
    }
    let (is_on, is_hovered) = (ui.is_on(command), ui.is_item_hovered());
    let (ground, ink) = match (is_on, is_hovered) {
        (true, _) => (ui.theme.accent, ui.theme.on_accent),
        (false, true) => (ui.theme.field_hovered, ui.theme.text),
        (false, false) => (ui.theme.field, ui.theme.text),
    };
    ui.fill(place, ground, 5.0);
    let mut inner = place.inset(6.0, 0.0);
    ui.text_in(inner.cut_left(17.0, 5.0), Align::Center, ink, &icon(sign));
    ui.text_in(inner.trim_right(-4.0), Align::Left, ink, name);
    ui.tip_command(command);
}

/// Draws a kind of foe. A click chooses it and the tool that places it.
fn kind_ui(ui: &Ui<'_>, desk: &LevelDesk, level: &Level, at: usize) {
    let kind = &level.kinds[at];
    let place = ui.here([ui.room().max(8.0), KIND]);
    let touch = widgets::row_in(ui, &format!("kind{at}"), place, false);
    ui.fill(place.trim_bottom(4.0), if desk.kind == at { ui.theme.row } else { ui.theme.field }, 5.0);
    if touch.is_clicked {
        ui.send(LevelAction::PickKind(at));
        ui.run(Command::PlaceFoe);
    }
    ui.tip("Place a foe of this kind", "");
    let placed = level.foes.iter().filter(|foe| foe.kind == kind.name).count();
    let mut inner = place.trim_bottom(4.0).inset(8.0, 3.0);
    let sign = inner.cut_left(34.0, 8.0);
    // A kind without a model looks like the player.
    let model = if kind.model.is_empty() { &level.player } else { &kind.model };
    if !widgets::model_picture(ui, model, sign) {
        ui.text_in(sign, Align::Center, ui.theme.quiet, &icon(Icon::Skull));
    }
    let half = inner.center()[1];
    ui.title_in(inner.with_y(inner.min[1], half), Align::Left, ui.theme.text, &kind.name);
    let placed = format!("{placed} placed");
    ui.text_in_font(ui.fonts.small, inner.with_y(half, inner.max[1]), Align::Left, ui.theme.quiet, &placed);
}
