//! Keeps the journal of an archive in the folder for application state after its own disk failed.

use std::path::PathBuf;

use crate::app::journal::{self, JournalFile};
use crate::app::own_files::{self, canonical};
use crate::app::recorder::history::History;
use crate::app::recorder::opening::spares;
use crate::app::recorder::paths::elsewhere;
use crate::app::recorder::rewrite::write;
use crate::app::recorder::{SharedJournal, lock};
use crate::editor::state::Editor;

/// Writes a history to another journal, on the disk, and continues that one. Returns its path; `None` if the document has no
/// other place, or that failed, too.
pub(super) fn fall_back(shared: &SharedJournal, editor: &Editor, history: &History) -> Option<PathBuf> {
    let mut shared = lock(shared);
    let archive = editor.file.as_ref().filter(|_| editor.below.is_empty())?;
    let beside = match shared.as_ref() {
        Some(journal) => journal.has_base().then(|| journal.path().to_owned())?,
        None => journal::beside(&canonical(archive)),
    };
    let places = elsewhere(&beside.with_extension("")).into_iter().chain(spares(&beside));
    let mut journal = places.filter(|path| !own_files::is_taken(path)).find_map(|path| JournalFile::unused(&path))?;
    if write(&mut journal, history).is_err() {
        journal.close();
        return None;
    }
    if let Some(failed) = shared.take() {
        journal.stand_in_for(failed);
    }
    Some(shared.insert(journal).path().to_owned())
}
