//! The Game menu. The game mode, the state machine and sounds.

use crate::editor::commands::prelude::*;

/// The commands of the Game menu, in order.
pub const ROWS: &[Row] = &[
    row(Command::PlayTest, 0, "Play in game mode", |_| FileAction::PlayTest.into())
        .keys(&[key(F(5))])
        .needs(needs::model),
    toggle(Command::ToggleFollow, 0, "Show pose in game", switch!(Follow)),
    edit(Command::CreateStateMachine, 1, "Create state machine", needs::no_machine, |_| {
        MachineAction::Edit(MachineEdit::Make).into()
    }),
    edit(Command::AddMachineState, 1, "Add state", needs::machine, |_| MachineAction::AddState.into())
        .keys(&[key(Char('N'))])
        .over(Scope::Machine),
    edit(Command::ArrangeStates, 1, "Arrange states", needs::machine, |_| {
        MachineAction::Edit(MachineEdit::Arrange).into()
    }),
    edit(Command::DeleteInMachine, 1, "Delete picked item", needs::machine_item, |_| {
        MachineAction::DeletePicked.into()
    })
    .keys(&[key(Delete), key(Char('X'))])
    .over(Scope::Machine)
    .deletes(),
    row(Command::PreviewMachine, 1, "Preview state machine", |_| MachineAction::Preview.into())
        .keys(&[key(Space)])
        .over(Scope::Machine)
        .needs(needs::machine)
        .on(|editor| editor.session.transient.pose.machine().is_some()),
    edit(Command::RemoveStateMachine, 1, "Remove state machine", needs::machine, |_| {
        MachineAction::Edit(MachineEdit::Drop).into()
    }),
    row(Command::AddSound, 2, "Add sounds…", |_| SoundAction::Add(Vec::new()).into()),
    row(Command::PlaySound, 2, "Play or stop sound", |_| SoundAction::Play.into()).needs(needs::sound),
    edit(Command::RemoveSound, 2, "Remove sound", needs::sound, |_| SoundAction::Remove.into()),
];
