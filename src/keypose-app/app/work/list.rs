//! The list of the unsaved work that crashes left, for the window and the command line.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use keypose::assets::project::Project;
use keypose::wad::journal::{Read, outline};
use keypose_editor::editor::panels::ui::figures::date_text;
use keypose_editor::editor::session::unsaved_work::UnsavedWork;

use crate::app::files::{self, own_files};
use crate::app::work::{About, Store, WorkFolder, derived_id, header_at, id_of, lock, open};

/// The unsaved work on a document.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The document's title and path.
    pub about: About,
    /// The row of the window's list.
    pub work: UnsavedWork,
}

/// The unsaved work on documents that no editor has open, the newest first.
pub fn list(store: &Store) -> io::Result<Vec<Entry>> {
    let mut found: Vec<Entry> = store.all()?.into_iter().filter_map(|folder| entry(store, &folder)).collect();
    found.sort_by_key(|entry| std::cmp::Reverse(entry.work.changed));
    Ok(found)
}

/// The number of documents whose work the list leaves out because a process has it.
pub fn locked_count(store: &Store) -> usize {
    store.all().unwrap_or_default().iter().filter(|folder| lock::take(folder).is_err()).count()
}

/// The work in a folder; `None` if an editor has it, or nothing in it is unsaved.
fn entry(store: &Store, folder: &WorkFolder) -> Option<Entry> {
    let lock = lock::take(folder).ok()?;
    let stored = folder.steps();
    if !stored.exists() {
        // A program was killed before it recorded anything, or while it deleted the folder.
        folder.remove();
        return None;
    }
    drop(lock);
    let about = folder.about().unwrap_or_default();
    let read = own_files::read(&stored).map_err(|error| error.to_string());
    let read = read.and_then(|bytes| outline(&bytes.unwrap_or_default()).map_err(|error| error.to_string()));
    let read = read.and_then(|read| read.lost().map(str::to_owned).map_or(Ok(read), Err));
    let (file, steps, last_step) = match &read {
        Ok(read) => {
            let archive = archive_of(store, folder, &about, read);
            let hash = archive.as_ref().map(|(_, hash)| *hash);
            if read.is_saved_as(hash) {
                return None;
            }
            let labels = read.labels();
            let last = labels.last().map(|label| (*label).to_owned());
            let file = archive.map(|(path, _)| path).or_else(|| source_of(folder, &about));
            (Some(file.unwrap_or_else(|| stored.clone())), Ok(read.unsaved_steps(hash)), last)
        }
        Err(reason) => (None, Err(reason.clone()), None),
    };
    let title = if about.title.is_empty() { "a document".to_owned() } else { about.title.clone() };
    let file_about = fs::metadata(&stored).ok();
    let changed = file_about.as_ref().and_then(|about| about.modified().ok()).map(millis);
    let stored = (stored, file_about.map_or(0, |about| about.len()));
    let work = UnsavedWork { title, steps, last_step, changed, place: place_of(&about), file, stored };
    Some(Entry { about, work })
}

/// The archive that the work belongs to as it is, and its hash.
fn archive_of(store: &Store, folder: &WorkFolder, about: &About, read: &Read) -> Option<(PathBuf, u64)> {
    let path = about.path.as_ref().filter(|path| id_of(store, path).is_ok_and(|id| id == folder.id))?;
    let hash = header_at(path).ok()??.hash;
    read.saved().any(|saved| saved == hash).then(|| (path.clone(), hash))
}

/// The imported model or the demo that the work began with.
fn source_of(folder: &WorkFolder, about: &About) -> Option<PathBuf> {
    let path = about.path.as_ref()?;
    let is_there = files::is_built_in(path) || (path.is_file() && !files::begins_as_archive(path));
    (is_there && derived_id(0, path) == folder.id).then(|| path.clone())
}

/// Where the document is.
fn place_of(about: &About) -> String {
    match &about.path {
        Some(path) if path == Path::new(files::DEMO) => "The demo".to_owned(),
        Some(path) if files::is_built_in(path) => "A template".to_owned(),
        Some(path) => path.display().to_string(),
        None => "Never saved".to_owned(),
    }
}

impl Entry {
    /// Whether the work comes back when the document's file is opened: an archive, an imported model, or the demo.
    pub fn comes_back(&self) -> bool {
        self.work.file.as_ref().is_some_and(|file| *file != self.work.stored.0)
    }

    /// "3 steps on knight.wad, the last one "Turn bone", 2 min ago".
    pub fn what(&self) -> String {
        let work = &self.work;
        let steps = if work.steps.is_ok() { work.steps_text() } else { "Work".to_owned() };
        let last = work.last_step.as_ref().map_or(String::new(), |last| format!(", the last one \"{last}\""));
        let age = |changed| format!(", {}", date_text(changed, millis(SystemTime::now())));
        format!("{steps} on {}{last}{}", work.title, work.changed.map_or(String::new(), age))
    }

    /// Where the document is, and why the work can't be read.
    pub fn detail(&self) -> String {
        let place = &self.work.place;
        match &self.work.steps {
            Ok(_) => place.clone(),
            Err(reason) => format!("{place}: the work can't be read ({reason})"),
        }
    }
}

/// The last state of the work whose steps are in a file of the user's store, and a sentence if it lacks steps. The error is a sentence.
pub fn last_state(steps: &Path) -> Result<(Project, Option<String>), String> {
    let folder = Store::of_user().and_then(|store| store.folder_of(steps));
    open::last_state(&folder.ok_or("it is not in the folder for unsaved work; keypose recover lists that")?)
}

/// Deletes the user's unsaved work whose steps are in a file. The error names the editor that has it.
pub fn discard(steps: &Path) -> Result<(), String> {
    let Some(folder) = Store::of_user().and_then(|store| store.folder_of(steps)) else { return Ok(()) };
    let _lock = lock::take(&folder)?;
    folder.remove();
    Ok(())
}

/// The rows of the window's list.
pub fn rows() -> Vec<UnsavedWork> {
    let found = Store::of_user().map_or(Ok(Vec::new()), |store| list(&store));
    match found {
        Ok(found) => found.into_iter().map(|entry| entry.work).collect(),
        Err(error) => vec![UnsavedWork {
            title: "The folder with unsaved work".to_owned(),
            steps: Err(error.to_string()),
            last_step: None,
            changed: None,
            place: String::new(),
            file: None,
            stored: (PathBuf::new(), 0),
        }],
    }
}

/// Milliseconds since 1970 in UTC.
pub fn millis(time: SystemTime) -> u64 {
    let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
