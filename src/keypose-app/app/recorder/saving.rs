//! Saves documents and keeps their journals in step.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};

use crate::app::journal::lock::{self, Held};
use crate::app::journal::{self, JournalFile, places};
use crate::app::own_files::canonical;
use crate::app::recorder::archive_content::ArchiveContent;
use crate::app::recorder::paths::journal_path;
use crate::app::recorder::{SharedJournal, lock as locked};
use crate::app::save::{SaveError, save_atomically, save_content};
use crate::assets::project::Project;
use crate::editor::state::action::Origin;
use crate::wad::journal::{Event, delta};

/// The journal of a document that is saved, for the thread that does it.
#[derive(Clone, Debug, Default)]
pub struct JournalToSave {
    /// The journal itself.
    pub shared: SharedJournal,
    /// The states that undo reaches, by the number of steps that lead to them.
    pub known: Vec<Weak<Project>>,
}

/// Saves a patch. Its journal contains the whole document, because the archives below may change without it. A file that
/// another editor has open is not replaced.
pub fn save_patch(journal: &JournalToSave, path: &Path, below: &[PathBuf], bytes: &[u8]) -> Result<(), String> {
    let shared = &journal.shared;
    let to = journal_path(&Origin::Patch { below: below.to_vec(), path: path.to_owned() });
    let is_same = locked(shared).as_ref().is_some_and(|journal| Some(journal.path()) == to.as_deref());
    let held = hold(shared, path)?;
    if !is_same && let Some(holder) = to.as_deref().and_then(lock::holder) {
        return Err(held_elsewhere(path, &holder));
    }
    save_atomically(path, bytes).map_err(|error| error.to_string())?;
    drop(held);
    let mut journal = locked(shared);
    if let (false, Some(to)) = (is_same, to) {
        *journal = journal.take().and_then(|old| old.moved_to(&to, &[]));
    }
    journal.iter_mut().for_each(|journal| {
        drop(journal.hold_layers(path, below));
        journal.know_file(path);
    });
    Ok(())
}

/// Acquires the lock of a file to save, unless the journal has it: then `None`. The error is a sentence.
fn hold(shared: &SharedJournal, path: &Path) -> Result<Option<Held>, String> {
    let beside = journal::beside(&canonical(path));
    let is_held = locked(shared).as_mut().map_or(Ok(false), |journal| journal.reclaim(&beside));
    if is_held == Ok(false) && locked(shared).as_ref().is_some_and(|journal| journal.is_of_file(path)) {
        let (name, target) = (path.display(), canonical(path));
        return Err(format!("{name} leads to another file now, {}; save under another name", target.display()));
    }
    let own = locked(shared).as_ref().map(|journal| journal.path().to_owned());
    let hold = || lock::hold_with(path, own.as_deref()).map(Some);
    let held = is_held.and_then(|is_held| if is_held { Ok(None) } else { hold() });
    let held = held.map_err(|holder| held_elsewhere(path, &holder))?;
    // What an editor left of another file was not looked at.
    if held.is_some() {
        places::require_none_waiting(path, own.as_deref())?;
    }
    Ok(held)
}

fn held_elsewhere(path: &Path, holder: &str) -> String {
    format!("{} is open in another Keypose ({holder}); save under another name", path.display())
}

/// Saves an archive with its journal, so that a crash at any moment loses neither document nor history. An archive that
/// another editor has open is not replaced. `bytes` are those of `project`.
pub fn save_with_journal(
    journal: &JournalToSave,
    path: &Path,
    project: &Arc<Project>,
    bytes: &[u8],
) -> Result<(), String> {
    save_archive(journal, path, project, &mut &*bytes)
}

/// As [`save_with_journal`], of any content.
pub fn save_archive(
    journal: &JournalToSave,
    path: &Path,
    project: &Arc<Project>,
    content: &mut impl ArchiveContent,
) -> Result<(), String> {
    let shared = &journal.shared;
    let beside = journal::beside(&canonical(path));
    let is_same = || locked(shared).as_ref().is_some_and(|journal| journal.path() == beside && journal.is_intact());
    let held = hold(shared, path)?;
    let saved = save_content(path, content, |content| {
        if is_same() {
            // Saving is more important than the history, which is written again afterwards.
            begin(journal, project, content.hash());
        }
    });
    drop(held);
    let is_written = matches!(saved, Ok(()) | Err(SaveError::Folder { .. }));
    // Its disk may have failed meanwhile, so that another journal stands in for it.
    let is_same = is_same();
    let mut journal = locked(shared);
    match (is_written, is_same) {
        (true, true) => journal.iter_mut().for_each(|journal| {
            journal.finish_save(content.hash(), project, content.size());
        }),
        (false, true) => journal.iter_mut().for_each(JournalFile::abandon_save),
        // It holds the document itself, and can't be beside the file: its name is too long for that, or other files are in the way.
        (true, false) if journal.as_ref().is_some_and(|journal| must_stay(journal, path)) => {
            journal.iter_mut().for_each(|journal| journal.note_archive(path));
        }
        (true, false) => {
            let moved = |old: JournalFile| old.moved_to(&beside, &content.bytes(path).ok()?);
            *journal = journal.take().and_then(moved);
            journal.iter_mut().for_each(|journal| {
                journal.know_archive(project);
                journal.know_file(path);
            });
        }
        (false, false) => {}
    }
    saved.map_err(|error| error.to_string())
}

/// Whether a journal is where that of an archive is while it can't be beside it, as now.
fn must_stay(journal: &JournalFile, archive: &Path) -> bool {
    let is_elsewhere = places::elsewhere(archive).is_some_and(|elsewhere| elsewhere == journal.path());
    is_elsewhere && !journal.has_base() && !lock::can_be_made(&journal::beside(&canonical(archive)))
}

/// Notes in the journal what leads from the new archive to the oldest state, on the disk.
fn begin(journal: &JournalToSave, project: &Project, hash: u64) {
    // The journal is not shortened from here on, so that it still reaches back to that state when the note is made.
    let Some(first) = locked(&journal.shared).as_mut().map(JournalFile::hold) else { return };
    let alive = |(at, known): (usize, &Weak<Project>)| Some((u32::try_from(at).ok()?, known.upgrade()?));
    let Some((from, oldest)) = journal.known.iter().enumerate().skip(first).find_map(alive) else { return };
    let Ok(lumps) = delta(project, &oldest) else { return };
    let saved = Event::Saved { base: hash, from, lumps };
    let begun = locked(&journal.shared).as_mut().and_then(|journal| journal.begin_save(saved).ok());
    if let Some(Err(error)) = begun.flatten().map(|file| file.sync_data()) {
        // The system reports it once.
        locked(&journal.shared).iter().for_each(|journal| journal.sync_failed(&error));
    }
}
