//! Recent files with their sizes and times, for the start screen.

use std::path::PathBuf;

/// A file that was opened before, as it is on the disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecentFile {
    pub path: PathBuf,
    /// `None` if it no longer exists.
    pub stamp: Option<Stamp>,
}

/// The size and the time of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    pub bytes: u64,
    /// When it was changed, in milliseconds since 1970 in UTC.
    pub modified: Option<u64>,
}
