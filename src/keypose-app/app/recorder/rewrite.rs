//! Writes the journal again from the editor's history.

use std::sync::Arc;

use crate::app::journal::JournalFile;
use crate::app::recorder::history::History;
use crate::app::recorder::paths::{is_beside, journal_path};
use crate::app::recorder::{SharedJournal, lock};
use crate::app::regular_files::read_archive;
use crate::editor::state::Editor;
use crate::editor::state::action::Origin;

/// Writes a history to the journal, which is made if there is none. The error is a sentence.
pub(super) fn rewrite(shared: &SharedJournal, editor: &Editor, history: &History) -> Result<(), String> {
    let mut shared = lock(shared);
    if let Some(journal) = shared.as_mut() {
        return write(journal, history);
    }
    let Some(path) = &editor.file else { return Ok(()) };
    let failed = |error: &dyn std::fmt::Display| format!("could not keep a journal of {}: {error}", path.display());
    let origin = match editor.below.is_empty() {
        true => Origin::Archive(path.clone()),
        false => Origin::Patch { below: editor.below.clone(), path: path.clone() },
    };
    let to = journal_path(&origin).ok_or_else(|| failed(&"the system has no folder for application state"))?;
    let base = match editor.below.is_empty() && is_beside(path, &to) {
        true => read_archive(path).map_err(|error| failed(&error))?,
        false => Vec::new(),
    };
    let journal = JournalFile::beside_new(&to, &base);
    let mut journal = journal.ok_or_else(|| failed(&"another editor has it open"))?;
    if editor.below.is_empty() {
        journal.note_archive(path);
    } else {
        journal.hold_layers(path, &editor.below);
    }
    if !base.is_empty() {
        let archive = crate::wad::decode(&base).map_err(|error| failed(&error))?.project;
        journal.know_archive(&Arc::new(archive));
    }
    write(shared.insert(journal), history)
}

/// Writes a history to a journal. The error is a sentence.
pub(super) fn write(journal: &mut JournalFile, history: &History) -> Result<(), String> {
    let shortened = history.shortened(&journal.archive(), journal.budget());
    let (events, first) = shortened.map_err(|error| format!("could not keep a journal: {error}"))?;
    if events.is_empty() && !journal.is_stale() {
        return Ok(());
    }
    journal.rewrite(&events, first).map_err(|error| error.to_string())
}
