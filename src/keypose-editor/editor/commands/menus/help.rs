//! The Help menu. Help.

use crate::editor::commands::prelude::*;

/// The commands of the Help menu, in order.
pub const ROWS: &[Row] = &[
    row(Command::FirstSteps, 0, "First steps", |_| ProgramAction::ShowFirstSteps(true).into()),
    row(Command::Manual, 0, "Manual", |_| ProgramAction::ShowManual.into()).keys(&[key(F(1))]),
    row(Command::Shortcuts, 0, "Keyboard and mouse", |_| ProgramAction::ShowPopup(Some(Popup::Shortcuts)).into())
        .keys(&[key(F(1)).shift()]),
    row(Command::About, 0, "About Keypose", |_| ProgramAction::ShowPopup(Some(Popup::About)).into()),
];
