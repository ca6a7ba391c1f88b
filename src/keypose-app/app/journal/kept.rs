//! Journals as files: lists those of a folder, and opens any of them as a document. Nothing here depends on what became of an archive's name or
//! place, and nothing is written: so what was acknowledged can be seen as long as its journal and a file of the content that it starts from are anywhere.

use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::app::folders;
use crate::app::journal::archive_note::ArchiveNote;
use crate::app::journal::starts::{Archives, NAME, hashes_of, journals_in, modified, recorded};
use crate::app::journal::{lock, register};
use crate::app::own_files;
use crate::app::regular_files::read_archive;
use crate::assets::project::Project;
use crate::wad::archive::Archive;
use crate::wad::journal::{Event, Read, read, replay};

/// A journal that is kept.
#[derive(Debug)]
pub struct Kept {
    /// Its path.
    pub journal: PathBuf,
    /// The path that its archive had; `None` of a document without one, and of a patch.
    pub archive: Option<PathBuf>,
    /// When it was written last.
    pub changed: Option<SystemTime>,
    /// The editor that has it open: "process 12 on desk".
    pub holder: Option<String>,
    /// What it holds, or why it can't be read.
    pub content: Result<Content, String>,
}

/// The content of a journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    /// The number of its steps, without those that were undone and replaced.
    pub steps: usize,
    /// The label of the last one that is done.
    pub last: Option<String>,
    /// What the steps start from.
    pub base: Base,
    /// Why what follows can't be read.
    pub damage: Option<String>,
    /// The names of the models, if the journal holds the whole document and doesn't say which one it is.
    pub models: Vec<String>,
}

/// What the steps of a journal start from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Base {
    /// The journal holds the whole document.
    Whole,
    /// A file with that content.
    File(PathBuf),
    /// The content was saved last, in this file: nothing is missing there.
    Saved(PathBuf),
    /// A file with that content in its header, which can't be read, and why.
    Damaged(PathBuf, String),
    /// No file with the content was found.
    Missing,
}

/// The journals in a folder that hold anything, sorted by name. The archives that they start from are looked for in the folder and where they were.
///
/// # Errors
/// If the folder can't be read.
pub fn in_folder(folder: &Path) -> io::Result<Vec<Kept>> {
    let mut archives = Archives::default();
    Ok(journals_in(folder)?.iter().filter_map(|journal| about(journal, &mut archives)).collect())
}

/// As [`in_folder`], the registered journals beside archives in other folders, without those that an editor has open. The archives are looked for in `folder`
/// as well.
pub fn registered(folder: &Path, without: &[PathBuf]) -> Vec<Kept> {
    let mut archives = Archives::with(folder);
    let left = register::journals_outside(without).into_iter().filter(|journal| lock::holder(journal).is_none());
    left.filter_map(|journal| about(&journal, &mut archives)).collect()
}

/// What is known of a journal; `None` if the file is none, or nothing happened in it.
fn about(journal: &Path, archives: &mut Archives) -> Option<Kept> {
    let content = match register::is_entry(journal) {
        true => {
            Err("it leads to a journal, but it can't be read, or the disk of the journal doesn't answer".to_owned())
        }
        false => recorded(journal).transpose()?,
    };
    let archive = archive_of(journal);
    let content = content.map(|recorded| {
        let (steps, last) = history(&recorded.events);
        let base = archives.base_of(&recorded, journal, archive.as_deref());
        let damage = recorded.torn.clone().filter(|_| recorded.is_damaged());
        let document = if archive.is_none() && base == Base::Whole { whole(journal) } else { None };
        let names = document.iter().flat_map(|document| document.models.iter().map(|model| model.name.clone()));
        Content { steps, last, base, damage, models: names.collect() }
    });
    Some(Kept {
        journal: journal.to_owned(),
        archive,
        changed: modified(journal),
        holder: lock::holder(journal),
        content,
    })
}

/// The number of steps that undo and redo reach, and the label of the last one that is done.
fn history(events: &[Event]) -> (usize, Option<String>) {
    let (mut labels, mut done) = (Vec::new(), 0);
    for event in events {
        match event {
            Event::Step { label, .. } => {
                labels.truncate(done);
                labels.push(label);
                done = labels.len();
            }
            Event::Position { done: now, .. } => done = usize::try_from(*now).unwrap_or(usize::MAX).min(labels.len()),
            Event::Start { .. } | Event::Place(_) | Event::Saved { .. } => {}
        }
    }
    (labels.len(), done.checked_sub(1).and_then(|last| labels.get(last).map(|label| (*label).clone())))
}

/// The last state of a journal that holds the whole document.
fn whole(journal: &Path) -> Option<Project> {
    state(&[], read(&own_files::read(journal).ok()??).ok()?).ok()
}

/// The path that the archive of a journal had: by its note in the folder for application state, or beside it.
fn archive_of(journal: &Path) -> Option<PathBuf> {
    if let Some(note) = ArchiveNote::read(journal) {
        return Some(note.path);
    }
    let folder = journal.parent()?;
    let (name, _) = journal.file_name()?.to_str()?.rsplit_once(NAME)?;
    if folders::state().as_deref() == Some(folder) {
        // One that was set aside leaves its note to the name that it had.
        return ArchiveNote::read(&folder.join(format!("{name}{NAME}"))).map(|note| note.path);
    }
    (!name.is_empty()).then(|| folder.join(name))
}

/// The last state of the document whose journal has these bytes, and sentences about it. The steps are replayed over the archive `over` or, without it,
/// over the one that they start from, in the folder of the journal or where it was.
///
/// # Errors
/// A sentence without the path of the journal, if it can't be read, or no archive leads to its states.
pub fn document(journal: &Path, bytes: &[u8], over: Option<&Path>) -> Result<(Project, Vec<String>), String> {
    let recorded = read(bytes).map_err(|error| error.to_string())?;
    if recorded.events.is_empty() {
        return Err(recorded.torn.unwrap_or_else(|| "the journal is empty".into()));
    }
    let mut notes = vec!["This is unsaved work from a journal: save it as an archive to keep it".to_owned()];
    if recorded.is_damaged() {
        let (reason, behind) = (recorded.torn.clone().unwrap_or_default(), recorded.behind);
        notes.push(format!("The end of the journal can't be read: {reason}; {behind} whole records follow"));
    }
    if recorded.base == 0 {
        notes.extend(over.map(|over| format!("The journal holds the whole document: {} is not used", over.display())));
        return Ok((state(&[], recorded)?, notes));
    }
    let archive = archive_of(journal);
    let found = match over {
        Some(over) => vec![over.to_owned()],
        None => {
            let hashes: Vec<u64> = hashes_of(&recorded).collect();
            Archives::default().candidates(&hashes, journal, archive.as_deref()).collect()
        }
    };
    let mut failed = None;
    for path in found {
        let base = read_archive(&path).map_err(|error| error.to_string());
        match base.and_then(|base| state_over(&base, &recorded)) {
            Ok(project) => {
                notes.push(format!("Its steps were made in {}", path.display()));
                return Ok((project, notes));
            }
            Err(reason) => failed = Some(format!("{}: {reason}", path.display())),
        }
    }
    Err(failed.unwrap_or_else(|| {
        let name = archive.as_deref().and_then(Path::file_name).map_or("an archive".into(), |name| name.to_string_lossy());
        format!(
            "its steps start from a version of {name} that was not found beside the journal; put it there, or use keypose recover with --over"
        )
    }))
}

fn state_over(base: &[u8], recorded: &Read) -> Result<Project, String> {
    let hash = Archive::open(base).map_err(|error| error.to_string())?.header().hash;
    if !recorded.is_of(hash) {
        return Err("the journal starts from another version of this archive".into());
    }
    state(base, recorded.clone())
}

fn state(base: &[u8], recorded: Read) -> Result<Project, String> {
    replay(base, recorded).map(|replayed| replayed.project().clone()).map_err(|error| error.to_string())
}
