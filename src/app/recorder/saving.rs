//! Saves documents and keeps their journals in step.

use std::path::{Path, PathBuf};

use crate::app::journal::{self, JournalFile, lock};
use crate::app::own_files;
use crate::app::recorder::paths::{canonical, journal_path};
use crate::app::recorder::{SharedJournal, lock as locked};
use crate::app::save::{SaveError, save_atomically};
use crate::editor::state::action::Origin;
use crate::wad::archive::Archive;

/// Saves a patch. Its journal contains the whole document, because the archives below may change without it.
pub fn save_patch(shared: &SharedJournal, path: &Path, below: &[PathBuf], bytes: &[u8]) -> Result<(), String> {
    let to = journal_path(&Origin::Patch { below: below.to_vec(), path: path.to_owned() });
    let is_same = locked(shared).as_ref().is_some_and(|journal| Some(journal.path()) == to.as_deref());
    if !is_same && let Some(holder) = to.as_deref().and_then(lock::holder) {
        return Err(held_elsewhere(path, &holder));
    }
    save_atomically(path, bytes).map_err(|error| error.to_string())?;
    let mut journal = locked(shared);
    if let (false, Some(to)) = (is_same, to) {
        *journal = journal.take().and_then(|old| old.moved_to(&to, &[]));
    }
    Ok(())
}

fn held_elsewhere(path: &Path, holder: &str) -> String {
    format!("{} is open in another Keypose ({holder}); save under another name", path.display())
}

/// Saves an archive with its journal, so that a crash at any moment loses neither document nor history. An archive that
/// another editor has open is not replaced.
pub fn save_with_journal(shared: &SharedJournal, path: &Path, bytes: &[u8]) -> Result<(), String> {
    let old_base = std::fs::read(path).unwrap_or_default();
    let is_same = locked(shared).as_ref().is_some_and(|journal| journal.path() == journal::beside(&canonical(path)));
    let beside = journal::beside(&canonical(path));
    let held = if is_same { None } else { Some(lock::hold(path).map_err(|who| held_elsewhere(path, &who))?) };
    let is_begun = is_same
        // Saving is more important than the history, which is written again afterwards.
        && locked(shared).as_mut().is_some_and(|journal| journal.begin_save(&old_base, bytes).is_ok());
    if is_begun {
        // Before the archive has its new content, the next journal must be found. A failure shows again below.
        let _ = own_files::sync_folder_of(&beside);
    }
    let saved = save_atomically(path, bytes);
    drop(held);
    let is_written = matches!(saved, Ok(()) | Err(SaveError::Folder { .. }));
    let mut journal = locked(shared);
    match (is_written, is_same) {
        (true, true) => {
            let hash = Archive::open(bytes).map_or(0, |archive| archive.header().hash);
            journal.iter_mut().for_each(|journal| journal.finish_save(hash));
        }
        (false, true) => journal.iter_mut().for_each(JournalFile::abandon_save),
        (true, false) => {
            let moved = journal.take().and_then(|old| old.moved_to(&journal::beside(&canonical(path)), bytes));
            *journal = moved;
        }
        (false, false) => {}
    }
    saved.map_err(|error| error.to_string())
}
