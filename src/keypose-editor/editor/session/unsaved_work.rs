//! The list of the unsaved work that crashes left.

use std::path::PathBuf;

/// The unsaved work on a document, as a row of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnsavedWork {
    /// The work: "3 steps on knight.wad, the last one "Turn bone", 2 min ago".
    pub what: String,
    /// Where the document is.
    pub detail: String,
    /// The file to open: the archive with which the work comes back, or the steps. `None` if it can't be opened.
    pub file: Option<PathBuf>,
}
