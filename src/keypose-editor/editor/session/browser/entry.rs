//! Files and folders as the file browser lists them.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::editor::session::browser::kinds::FileKind;

/// A file or a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub name: OsString,
    /// The name as text.
    pub shown: String,
    pub kind: FileKind,
    /// The size; 0 for a folder.
    pub bytes: u64,
    /// When it was changed, in milliseconds since 1970 in UTC.
    pub modified: Option<u64>,
    /// Whether the system hides it.
    pub is_hidden: bool,
    /// Why it can't be read, if the system says so.
    pub fault: Option<String>,
}

impl Entry {
    /// An entry of a name and a kind, without size and date.
    pub fn new(name: impl Into<OsString>, kind: FileKind) -> Entry {
        let name = name.into();
        let shown = name.to_string_lossy().into_owned();
        let is_hidden = shown.starts_with('.');
        Entry { name, shown, kind, bytes: 0, modified: None, is_hidden, fault: None }
    }

    pub fn is_folder(&self) -> bool {
        self.kind == FileKind::Folder
    }
}

/// The content of a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing {
    pub folder: PathBuf,
    /// Files and folders, in the system's order.
    pub entries: Vec<Entry>,
    /// Why the folder, or a part of it, could not be read.
    pub fault: Option<String>,
    /// When it was read, in milliseconds since 1970 in UTC.
    pub read_at: u64,
}

impl Listing {
    /// Maximum number of entries. The rest of a larger folder is not listed, which `fault` says.
    pub const MAX: usize = 50_000;

    /// The entry of this name.
    pub fn find(&self, name: &Path) -> Option<&Entry> {
        self.entries.iter().find(|entry| Path::new(&entry.name) == name)
    }
}
