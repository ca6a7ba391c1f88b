//! The path of a document's journal.

use std::path::{Path, PathBuf};

use crate::app::journal::lock;
use crate::app::{folders, journal, save};
use crate::editor::state::action::Origin;
use crate::wad::journal::rebase;

/// Returns true if the journal can't be beside the archive: the file or its folder is read-only.
pub(super) fn is_elsewhere(archive: &Path) -> bool {
    let is_read_only = std::fs::metadata(archive).is_ok_and(|about| about.permissions().readonly());
    is_read_only || !lock::can_be_made(&journal::beside(&canonical(archive)))
}

/// Moves the journal of an archive to another folder, because its disk became read-only.
pub(super) fn take_over(archive: &Path, elsewhere: &Path) {
    let archive = canonical(archive);
    if elsewhere.exists() {
        return;
    }
    let read = |path: &Path| std::fs::read(path).ok();
    let recorded = read(&journal::beside(&archive)).zip(read(&archive));
    if let Some(bytes) = recorded.and_then(|(recorded, base)| rebase(&recorded, &base, &[]).ok()) {
        let folder = elsewhere.parent().map_or(Ok(()), std::fs::create_dir_all);
        // On errors the journal stays beside the archive.
        let _ = folder.and_then(|()| save::replace(elsewhere, &bytes));
    }
}

pub(super) fn journal_path(origin: &Origin) -> Option<PathBuf> {
    let named = |name: &str| Some(journal::in_state_folder(&folders::state()?, name));
    match origin {
        Origin::Archive(path) if !is_elsewhere(path) => Some(journal::beside(&canonical(path))),
        Origin::Archive(path) | Origin::Imported(path) => named(&canonical(path).to_string_lossy()),
        Origin::Patch { below, path } => {
            let layers: Vec<_> = below.iter().chain([path]).map(|path| canonical(path)).collect();
            let names: Vec<_> = layers.iter().map(|path| path.to_string_lossy()).collect();
            named(&names.join("\n"))
        }
        Origin::New => named("untitled"),
    }
}

/// The canonical path of a file.
pub(super) fn canonical(path: &Path) -> PathBuf {
    std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}
