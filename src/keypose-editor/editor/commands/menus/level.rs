//! The Level menu. The level mode: its things, tools and camera.

use crate::editor::commands::prelude::*;
use crate::editor::state::Editor;

/// A row that chooses a kind of thing to draw.
macro_rules! draws {
    ($command:ident, $label:literal, $kind:ident, $key:literal) => {
        tool(
            Command::$command,
            $label,
            |_| LevelAction::Tool(LevelTool::Draw(ThingKind::$kind)).into(),
            |editor| has_tool(editor, LevelTool::Draw(ThingKind::$kind)),
        )
        .keys(&[key(Char($key))])
    };
}

/// The commands of the Level menu, in order.
pub const ROWS: &[Row] = &[
    row(Command::LevelMode, 0, "Level mode", |_| LevelAction::Toggle.into())
        .keys(&[key(Tab)])
        .edits()
        .on(|editor| editor.session.transient.scene.level().is_some()),
    row(Command::NewLevel, 0, "New level", |_| LevelAction::New.into()).edits(),
    edit(Command::RemoveLevel, 0, "Remove level", needs::level, |_| LevelAction::Remove.into()),
    tool(
        Command::SelectThings,
        "Select things",
        |_| LevelAction::Tool(LevelTool::Select).into(),
        |editor| has_tool(editor, LevelTool::Select),
    )
    .keys(&[key(Char('Q'))]),
    draws!(DrawSolid, "Draw solid", Solid, '1'),
    draws!(DrawPlatform, "Draw platform", Platform, '2'),
    draws!(DrawLadder, "Draw ladder", Ladder, '3'),
    draws!(DrawDecor, "Draw decor", Decor, '4'),
    draws!(PlaceFoe, "Place foe", Foe, '5'),
    draws!(PlaceCoin, "Place coin", Coin, '6'),
    draws!(PlaceCheckpoint, "Place checkpoint", Checkpoint, '7'),
    draws!(PlaceGoal, "Draw goal", Goal, '8'),
    draws!(DrawSpikes, "Draw spikes", Spikes, '9'),
    draws!(DrawSlope, "Draw slope", Slope, '0'),
    draws!(DrawMover, "Draw moving platform", Mover, 'U'),
    edit(Command::MoveThings, 2, "Move things", needs::things, |_| LevelAction::Move.into())
        .keys(&[key(Char('G'))])
        .over(Scope::Level),
    edit(Command::AddFoeKind, 3, "Add kind of foe", needs::level, |_| LevelAction::AddKind.into()),
    edit(Command::RemoveFoeKind, 3, "Remove kind of foe", needs::foe_kind, |_| LevelAction::RemoveKind.into()),
    row(Command::PlayFromHere, 4, "Play from here", |_| LevelAction::PlayFromHere.into())
        .keys(&[key(Char('P'))])
        .over(Scope::Level)
        .needs(needs::level),
];

/// A row that chooses a tool of the level mode.
const fn tool(command: Command, label: &'static str, run: fn(&Editor) -> Action, is_on: fn(&Editor) -> bool) -> Row {
    row(command, 1, label, run).over(Scope::Level).needs(needs::level).on(is_on)
}

fn has_tool(editor: &Editor, tool: LevelTool) -> bool {
    editor.session.transient.scene.level().is_some_and(|desk| desk.tool == tool)
}
