//! Keeps the journal of a document in the folder for application state after its own disk failed, or another program deleted it.

use std::path::PathBuf;

use crate::app::journal::places::{elsewhere, spares};
use crate::app::journal::{self, JournalFile};
use crate::app::own_files::{self, canonical};
use crate::app::recorder::history::History;
use crate::app::recorder::paths::journal_path;
use crate::app::recorder::rewrite::write;
use crate::app::recorder::{SharedJournal, lock};
use crate::editor::state::Editor;
use crate::editor::state::action::Origin;

/// Writes a history to another journal, on the disk, and continues that one. Returns its path; `None` if the document has no
/// other place, or that failed, too. A journal in the folder for application state that another program deleted is written
/// again. `origin` is that of a document without a file.
pub(super) fn fall_back(
    shared: &SharedJournal,
    editor: &Editor,
    origin: &Origin,
    history: &History,
) -> Option<PathBuf> {
    let mut shared = lock(shared);
    if shared.is_none() && editor.file.is_none() {
        return None;
    }
    if let Some(journal) = shared.as_mut().filter(|journal| !journal.has_base())
        && journal.begin_again()
        && write(journal, history).is_ok()
    {
        return Some(journal.path().to_owned());
    }
    let places = places(editor, origin).into_iter().filter(|path| !own_files::is_taken(path));
    let mut journal = places.into_iter().find_map(|path| JournalFile::unused(&path))?;
    if let Some(failed) = shared.as_ref() {
        journal.note_as(failed.archive_note());
        journal.note_present();
    } else if let Some(archive) = editor.file.as_ref().filter(|_| editor.below.is_empty()) {
        journal.note_archive(archive);
    }
    if write(&mut journal, history).is_err() {
        journal.close();
        return None;
    }
    if let Some(failed) = shared.take() {
        journal.stand_in_for(failed);
    }
    Some(shared.insert(journal).path().to_owned())
}

/// The places in which a journal is looked for when the document is opened again, besides its own.
fn places(editor: &Editor, origin: &Origin) -> Vec<PathBuf> {
    let path = match (&editor.file, origin) {
        (Some(archive), _) if editor.below.is_empty() => {
            let beside = journal::beside(&canonical(archive));
            return elsewhere(archive).into_iter().chain(spares(&beside)).collect();
        }
        // Of a patch, only another window would recover it.
        (Some(_), _) => None,
        // Another editor has it.
        (None, Origin::Archive(archive)) => Some(journal::beside(&canonical(archive))),
        (None, origin) => journal_path(origin),
    };
    path.iter().flat_map(|path| spares(path)).collect()
}
