//! The list of the unsaved work that crashes left, for the window and the command line.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use keypose::assets::project::Project;
use keypose::wad::journal::{Read, outline};
use keypose_editor::editor::panels::ui::figures::date_text;
use keypose_editor::editor::session::unsaved_work::UnsavedWork;

use crate::app::files::own_files;
use crate::app::work::{About, Store, WorkFolder, header_at, id_of, lock, open};

/// The unsaved work on a document.
#[derive(Clone, Debug)]
pub struct Entry {
    folder: WorkFolder,
    /// The document's title and path.
    pub about: About,
    /// The archive with which the work comes back when it is opened.
    pub archive: Option<PathBuf>,
    /// The number of steps, and the label of the last one. The error is a sentence.
    pub steps: Result<(usize, Option<String>), String>,
    /// When the last step was made.
    pub changed: Option<SystemTime>,
}

/// The unsaved work on documents that no editor has open, the newest first.
pub fn list(store: &Store) -> io::Result<Vec<Entry>> {
    let mut found: Vec<Entry> = store.all()?.into_iter().filter_map(|folder| entry(store, folder)).collect();
    found.sort_by_key(|entry| std::cmp::Reverse(entry.changed));
    Ok(found)
}

/// The work in a folder; `None` if an editor has it, or nothing in it is unsaved.
fn entry(store: &Store, folder: WorkFolder) -> Option<Entry> {
    let lock = lock::take(&folder).ok()?;
    if !folder.steps().exists() {
        // A program was killed before it recorded anything, or while it deleted the folder.
        folder.remove();
        return None;
    }
    drop(lock);
    let about = folder.about().unwrap_or_default();
    let read = own_files::read(&folder.steps()).map_err(|error| error.to_string());
    let read = read.and_then(|bytes| outline(&bytes.unwrap_or_default()).map_err(|error| error.to_string()));
    let changed = fs::metadata(folder.steps()).and_then(|about| about.modified()).ok();
    let (archive, steps) = match &read {
        Ok(read) => {
            let archive = archive_of(store, &folder, &about, read);
            if read.is_saved_as(archive.as_ref().map(|(_, hash)| *hash)) {
                return None;
            }
            let labels = read.labels();
            (archive.map(|(path, _)| path), Ok((labels.len(), labels.last().map(|label| (*label).to_owned()))))
        }
        Err(reason) => (None, Err(reason.clone())),
    };
    Some(Entry { folder, about, archive, steps, changed })
}

/// The archive that the work belongs to as it is, and its hash.
fn archive_of(store: &Store, folder: &WorkFolder, about: &About, read: &Read) -> Option<(PathBuf, u64)> {
    let path = about.path.as_ref().filter(|path| id_of(store, path).is_ok_and(|id| id == folder.id))?;
    let hash = header_at(path).ok()??.hash;
    read.saved().any(|saved| saved == hash).then(|| (path.clone(), hash))
}

impl Entry {
    /// "3 steps on knight.wad, the last one "Turn bone", 2 min ago".
    pub fn what(&self) -> String {
        let title = match self.about.title.as_str() {
            "" => "a document",
            title => title,
        };
        let steps = match &self.steps {
            Ok((1, _)) => format!("1 step on {title}"),
            Ok((count, _)) => format!("{count} steps on {title}"),
            Err(_) => format!("Work on {title}"),
        };
        let last = self.steps.as_ref().ok().and_then(|(_, last)| last.as_ref());
        let last = last.map_or(String::new(), |last| format!(", the last one \"{last}\""));
        let age = |changed| format!(", {}", date_text(millis(changed), millis(SystemTime::now())));
        steps + &last + &self.changed.map_or(String::new(), age)
    }

    /// Where the document is, and why the work can't be read.
    pub fn detail(&self) -> String {
        let path = self.about.path.as_ref().map_or("Never saved".to_owned(), |path| path.display().to_string());
        match &self.steps {
            Ok(_) => path,
            Err(reason) => format!("{path}: the work can't be read ({reason})"),
        }
    }

    /// The last state of the document. The error is a sentence.
    pub fn last_state(&self) -> Result<Project, String> {
        open::last_state(&self.folder)
    }

    /// Deletes the work. The error names the editor that has it.
    pub fn discard(&self) -> Result<(), String> {
        let _lock = lock::take(&self.folder)?;
        self.folder.remove();
        Ok(())
    }
}

/// The last state of the work whose steps are in a file of the user's store. The error is a sentence.
pub fn last_state(steps: &Path) -> Result<Project, String> {
    let folder = Store::of_user().and_then(|store| store.folder_of(steps));
    open::last_state(&folder.ok_or("it is not in the folder for unsaved work; keypose recover lists that")?)
}

/// The rows of the window's list.
pub fn rows() -> Vec<UnsavedWork> {
    let Some(store) = Store::of_user() else { return Vec::new() };
    let row = |entry: &Entry| UnsavedWork {
        what: entry.what(),
        detail: entry.detail(),
        file: entry.steps.is_ok().then(|| entry.archive.clone().unwrap_or_else(|| entry.folder.steps())),
    };
    match list(&store) {
        Ok(found) => found.iter().map(row).collect(),
        Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
        Err(error) => {
            let what = "The folder with unsaved work could not be read".to_owned();
            vec![UnsavedWork { what, detail: error.to_string(), file: None }]
        }
    }
}

/// Milliseconds since 1970.
pub fn millis(time: SystemTime) -> u64 {
    let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
