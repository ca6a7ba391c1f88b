//! The path of a document's journal.

use std::path::{Path, PathBuf};

use crate::app::journal::places::{elsewhere, of_patch};
use crate::app::journal::{TAKING, archive_note, lock};
use crate::app::own_files::{self, Access, canonical};
use crate::app::regular_files::read_archive;
use crate::app::{folders, journal};
use crate::editor::state::action::Origin;
use crate::wad::journal::rebase;

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
    let recorded = own_files::read(&beside).ok().flatten().zip(read_archive(&archive).ok());
    let bytes = recorded.and_then(|(recorded, base)| rebase(&recorded, &base, &[]).ok())?;
    archive_note::write_for(&archive, elsewhere);
    let error = write_private(elsewhere, &bytes).err()?;
    archive_note::remove(elsewhere);
    Some(format!("{}: unsaved changes are kept there, but could not be recovered: {error}", beside.display()))
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
        Origin::Archive(path) | Origin::Imported(path) => elsewhere(path),
        Origin::Patch { below, path } => of_patch(below, path),
        Origin::New => Some(journal::in_state_folder(&folders::state()?, b"untitled")),
    }
}
