//! Where the journal of a document lies.

use std::path::{Path, PathBuf};

use crate::app::{folders, journal};
use crate::editor::action::Origin;

/// True where the journal can't lie beside the archive.
pub(super) fn is_elsewhere(archive: &Path) -> bool {
    std::fs::metadata(archive).is_ok_and(|about| about.permissions().readonly())
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

/// One name for a file, whatever links and relative paths lead to it.
pub(super) fn canonical(path: &Path) -> PathBuf {
    std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}
