//! The File menu. Opening, saving and exporting.

use crate::editor::commands::prelude::*;
use crate::editor::state::effect::KNIGHT;

/// The commands of the File menu, in order.
pub const ROWS: &[Row] = &[
    row(Command::New, 0, "New", |_| FileAction::New.into()).keys(&[key(Char('N')).ctrl()]),
    row(Command::Open, 0, "Open…", |_| FileAction::Open(None).into()).keys(&[key(Char('O')).ctrl()]),
    row(Command::Import, 0, "Import models…", |_| FileAction::Import(Vec::new()).into()).keys(&[key(Char('I')).ctrl()]),
    row(Command::AddClips, 0, "Add clips from files…", |_| FileAction::AddClips(Vec::new()).into()).needs(needs::model),
    row(Command::AddKnightClips, 0, "Add demo knight's clips", |_| FileAction::AddClips(vec![KNIGHT.into()]).into())
        .needs(needs::model),
    row(Command::Reimport, 0, "Re-import model…", |_| FileAction::Reimport(None).into()).needs(needs::model),
    row(Command::OpenDemo, 0, "Open demo", |_| FileAction::OpenDemo.into()),
    row(Command::RecoverWork, 0, "Recover unsaved work…", |_| FileAction::FindUnsavedWork.into()),
    row(Command::Save, 1, "Save", |_| FileAction::Save.into()).keys(&[key(Char('S')).ctrl()]),
    row(Command::SaveAs, 1, "Save as…", |_| FileAction::SaveAs(None).into()).keys(&[key(Char('S')).ctrl().shift()]),
    row(Command::SavePatch, 1, "Save as patch…", |_| FileAction::SavePatch(None).into()).needs(needs::base),
    row(Command::ExportPicture, 2, "Export GIF or PNG…", |_| FileAction::Export(None).into())
        .keys(&[key(Char('E')).ctrl().shift()])
        .needs(needs::model),
    row(Command::ExportModel, 2, "Export GLB or JSON…", |_| FileAction::ExportModel(None).into()).needs(needs::model),
    row(Command::DiscardRecovered, 2, "Discard recovered changes", |_| FileAction::DiscardRecovered.into())
        .needs(needs::recovered),
    row(Command::Quit, 3, "Quit", |_| FileAction::Quit.into()).keys(&[key(Char('Q')).ctrl()]),
];
