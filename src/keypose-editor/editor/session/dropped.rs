//! Files that were dropped on the window, by kind. The app sorts them, because folders must be read.

use std::path::{Path, PathBuf};

use crate::editor::session::browser::kinds::FileKind;

/// A file that can't be used, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The name of the file, or a URL.
    pub name: String,
    pub reason: String,
}

/// Files by what can be done with them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DroppedFiles {
    pub archives: Vec<PathBuf>,
    /// Models that can be imported.
    pub models: Vec<PathBuf>,
    /// Images and films.
    pub images: Vec<PathBuf>,
    pub sounds: Vec<PathBuf>,
    /// The rest.
    pub refused: Vec<Refused>,
    /// Whether a folder was dropped, so that its models are added and none is opened.
    pub has_folder: bool,
}

impl DroppedFiles {
    /// Maximum number of models of a folder.
    pub const MAX_MODELS: usize = 100;

    /// Adds a file by its kind.
    pub fn add(&mut self, path: PathBuf) {
        match FileKind::of(&path) {
            FileKind::Archive => self.archives.push(path),
            FileKind::Model => self.models.push(path),
            FileKind::Image | FileKind::Film => self.images.push(path),
            FileKind::Sound => self.sounds.push(path),
            FileKind::Folder | FileKind::Other => {
                self.refuse(&path, "not a model, an archive, an image, a film or a sound");
            }
        }
    }

    /// Adds a file that can't be used.
    pub fn refuse(&mut self, path: &Path, reason: impl Into<String>) {
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        self.refused.push(Refused { name, reason: reason.into() });
    }

    /// The count of files that can be used, without sounds.
    pub fn count(&self) -> usize {
        self.archives.len() + self.models.len() + self.images.len()
    }
}

/// Maximum number of refused files that a notice names. The log has all.
const MAX_NAMED: usize = 3;

/// A sentence that names refused files; empty if there are none.
pub fn refused_text(refused: &[Refused]) -> String {
    let named: Vec<String> =
        refused.iter().take(MAX_NAMED).map(|file| format!("{}: {}", file.name, file.reason)).collect();
    let more = match refused.len().saturating_sub(MAX_NAMED) {
        0 => String::new(),
        more => format!("; and {more} more, which the log lists"),
    };
    match refused.len() {
        0 => String::new(),
        count => format!("{count} refused: {}{more}", named.join("; ")),
    }
}
