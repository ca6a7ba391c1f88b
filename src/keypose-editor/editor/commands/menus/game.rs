//! The Game menu. The game mode, the state machine and sounds.

use crate::editor::commands::prelude::*;

/// The commands of the Game menu, in order.
pub const ROWS: &[Row] = &[
    row(Command::PlayTest, 0, "Play in game mode", |_| FileAction::PlayTest.into())
        .keys(&[key(F(5))])
        .needs(needs::model),
    toggle(Command::ToggleFollow, 0, "Show pose in game", switch!(Follow)),
    row(Command::CreateStateMachine, 1, "Create state machine", |_| MachineAction::Edit(MachineEdit::Make).into())
        .needs(needs::no_machine)
        .edits(),
    row(Command::AddMachineState, 1, "Add state", |_| MachineAction::AddState.into())
        .keys(&[key(Char('N'))])
        .over(Scope::Machine)
        .needs(needs::machine)
        .edits(),
    row(Command::DeleteInMachine, 1, "Delete picked item", |_| MachineAction::DeletePicked.into())
        .keys(&[key(Delete), key(Char('X'))])
        .over(Scope::Machine)
        .needs(needs::machine_item)
        .edits(),
    row(Command::PreviewMachine, 1, "Preview state machine", |editor| {
        let is_on = editor.session.transient.pose.machine().is_some();
        Action::Machine(MachineAction::Preview(if is_on { Shown::Off } else { Shown::On }))
    })
    .keys(&[key(Space)])
    .over(Scope::Machine)
    .needs(needs::machine)
    .on(|editor| editor.session.transient.pose.machine().is_some()),
    row(Command::RemoveStateMachine, 1, "Remove state machine", |_| MachineAction::Edit(MachineEdit::Drop).into())
        .needs(needs::machine)
        .edits(),
    row(Command::AddSound, 2, "Add sounds…", |_| SoundAction::Add(Vec::new()).into()),
    row(Command::PlaySound, 2, "Play or stop sound", |_| SoundAction::Play.into()).needs(needs::sound),
    row(Command::RemoveSound, 2, "Remove sound", |_| SoundAction::Remove.into()).needs(needs::sound).edits(),
];
