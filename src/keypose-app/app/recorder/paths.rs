//! The path of a document's journal.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use crate::app::journal::places::{document_of, elsewhere, of_patch};
use crate::app::journal::{TAKING, archive_note, lock};
use crate::app::own_files::{self, Access, canonical};
use crate::app::regular_files::read_archive;
use crate::app::{folders, journal};
use crate::editor::state::action::Origin;
use crate::wad::journal::{is_torn_head, read, rebase};

/// Returns true if the journal can't be beside the archive: the file or its folder is read-only.
fn is_elsewhere(archive: &Path) -> bool {
    own_files::is_read_only(archive) || !lock::can_be_made(&journal::beside(&canonical(archive)))
}

/// Whether this journal is the one beside the archive.
pub(super) fn is_beside(archive: &Path, journal: &Path) -> bool {
    journal == journal::beside(&canonical(archive))
}

/// Copies the journal of an archive to another folder, because its disk became read-only. Returns a note if that is not possible: the
/// unsaved changes stay beside the archive, unseen.
pub(super) fn take_over(archive: &Path, elsewhere: &Path) -> Option<String> {
    let archive = canonical(archive);
    let beside = journal::beside(&archive);
    if own_files::is_taken(elsewhere) {
        return None;
    }
    let failed = |error: &dyn std::fmt::Display| {
        format!("{}: unsaved changes are kept there, but could not be recovered: {error}", beside.display())
    };
    let recorded = match own_files::read(&beside) {
        Ok(recorded) => recorded?,
        // A link or a folder is not ours.
        Err(error) if error.kind() == ErrorKind::InvalidInput => return None,
        Err(error) => return Some(failed(&error)),
    };
    if let Err(error) = read(&recorded)
        && !is_torn_head(&recorded)
    {
        return Some(failed(&error));
    }
    let bytes = rebase(&recorded, &read_archive(&archive).ok()?, &[]).ok()?;
    archive_note::write_for(&archive, elsewhere);
    let error = write_private(elsewhere, &bytes).err()?;
    archive_note::remove(elsewhere);
    Some(failed(&error))
}

/// Writes a journal to the folder for application state, on the disk and whole. An existing one is not replaced.
pub(super) fn write_private(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    path.parent().map_or(Ok(()), std::fs::create_dir_all)?;
    if own_files::is_taken(path) {
        return Err(std::io::ErrorKind::AlreadyExists.into());
    }
    own_files::sweep(path, TAKING);
    let temporary = own_files::temporary(path, TAKING);
    let _written = own_files::write_temporary(&temporary, bytes, Access::Private)?;
    std::fs::rename(&temporary, path).inspect_err(|_| drop(std::fs::remove_file(&temporary)))?;
    own_files::sync_folder_of(path)
}

pub(super) fn journal_path(origin: &Origin) -> Option<PathBuf> {
    match origin {
        Origin::Archive(path) if !is_elsewhere(path) => Some(journal::beside(&canonical(path))),
        Origin::Archive(path) => elsewhere(path),
        Origin::Imported(path) => of_imported(path),
        Origin::Patch { below, path } => of_patch(below, path),
        Origin::New => Some(journal::in_state_folder(&folders::state()?, b"untitled")),
    }
}

/// The journal of an imported document. Another journal may get the name of one that was opened: the work on each content has its own.
fn of_imported(path: &Path) -> Option<PathBuf> {
    let file = canonical(path);
    // A model may be large: only a journal is read.
    let is_journal = journal::is_journal_at(&file).unwrap_or(false);
    let opened = if is_journal { own_files::read(&file).ok().flatten() } else { None };
    match opened {
        Some(bytes) => {
            let name = [&document_of(&[path])[..], b"\0journal", &xxh3_64(&bytes).to_le_bytes()].concat();
            Some(journal::in_state_folder(&folders::state()?, name))
        }
        None => elsewhere(path),
    }
}
