//! The unsaved work that crashes left, as the start screen and the dialog list it.

use std::path::PathBuf;

/// The unsaved work on a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnsavedWork {
    /// The document's title: "knight.wad".
    pub title: String,
    /// The number of steps that are not saved, or why they can't be read.
    pub steps: Result<usize, String>,
    /// The label of the last step: "Turn bone".
    pub last_step: Option<String>,
    /// When the last step was made, in milliseconds since 1970 in UTC.
    pub changed: Option<u64>,
    /// Where the document is.
    pub place: String,
    /// The file to open: the one with which the work comes back, or the steps. `None` if it can't be opened.
    pub file: Option<PathBuf>,
    /// The file with the steps, and its size in bytes.
    pub stored: (PathBuf, u64),
}

impl UnsavedWork {
    /// "12 steps", or why they can't be read.
    pub fn steps_text(&self) -> String {
        match &self.steps {
            Ok(1) => "1 step".to_owned(),
            Ok(count) => format!("{count} steps"),
            Err(reason) => format!("can't be read ({reason})"),
        }
    }
}
