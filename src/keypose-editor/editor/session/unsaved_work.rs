//! The list of unsaved work that journals keep.

use std::path::PathBuf;

/// A journal, as a row of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnsavedWork {
    /// What it holds: "3 steps on knight.wad, the last one "Turn bone", 2 min ago".
    pub what: String,
    /// Where it is, and what becomes of it.
    pub detail: String,
    /// The file to open: the archive with which it comes back, or the journal. `None` if it can't be opened, or is open.
    pub file: Option<PathBuf>,
}
