//! Journals as files: lists those of a folder, and opens any of them as a document. Nothing here depends on what became of an archive's name or
//! place, and nothing is written: so what was acknowledged can be seen as long as its journal and a file of the content that it starts from are anywhere.

use std::collections::{BTreeSet, HashMap};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::app::folder_names::names_in;
use crate::app::folders;
use crate::app::journal::archive_note::ArchiveNote;
use crate::app::journal::lock;
use crate::app::journal::opening::{header_hash_in, is_journal_at};
use crate::app::own_files;
use crate::app::regular_files::read_archive;
use crate::assets::project::Project;
use crate::wad::archive::Archive;
use crate::wad::journal::{Event, Read, outline, read, replay};

/// What is in the name of each journal, also of those that were set aside.
const NAME: &str = ".journal";
/// What is in the name of an archive, and of its older versions.
const ENDING: &str = ".wad";
/// How many files of a folder with other names are looked at for the archive that a journal starts from.
const MAX_NAMES: usize = 65_536;

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
    /// The number of its steps.
    pub steps: usize,
    /// The label of the last one.
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

/// What the journals in the folder of an archive and in the folder for application state start from, of those that no editor has open: their
/// steps can be shown as long as a file with that content is there.
#[derive(Debug, Default)]
pub struct Starts {
    hashes: BTreeSet<u64>,
    /// When the last one of the journals that can't be read was written: they may start from any file that was there then.
    before: Option<SystemTime>,
    /// Whether there may be journals that are not known.
    is_any: bool,
}

impl Starts {
    /// Of the journals that an archive of this folder may belong to.
    pub fn near(archive: &Path) -> Starts {
        let mut starts = Starts::default();
        for folder in [archive.parent().map(Path::to_owned), folders::state()].into_iter().flatten() {
            match journals_in(&folder) {
                Ok(journals) => journals.iter().filter(|it| !lock::is_used(it)).for_each(|it| starts.add(it)),
                Err(error) => starts.is_any |= error.kind() != io::ErrorKind::NotFound,
            }
        }
        starts
    }

    fn add(&mut self, journal: &Path) {
        let read = match is_journal_at(journal) {
            Ok(true) => recorded(journal),
            Ok(false) => return,
            // A link, or a folder.
            Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::NotFound) => return,
            Err(error) => Err(error.to_string()),
        };
        match read {
            Ok(recorded) if recorded.as_ref().is_none_or(|recorded| !recorded.events.is_empty()) => {
                self.hashes.extend(recorded.iter().flat_map(starts_of));
            }
            Ok(_) | Err(_) => match modified(journal) {
                Some(time) => self.before = self.before.max(Some(time)),
                None => self.is_any = true,
            },
        }
    }

    /// Whether steps start from this file that are not saved in it. In doubt, they do.
    pub fn has(&self, file: &Path) -> bool {
        let was_there = |before: SystemTime| modified(file).is_none_or(|written| written <= before);
        let hash = || if self.hashes.is_empty() { None } else { header_hash_in(file).ok().flatten() };
        self.is_any || self.before.is_some_and(was_there) || hash().is_some_and(|hash| self.hashes.contains(&hash))
    }
}

fn modified(path: &Path) -> Option<SystemTime> {
    std::fs::metadata(path).and_then(|about| about.modified()).ok()
}

/// The header hashes of the archives from which the steps of a journal start, without those that have them all.
fn starts_of(recorded: &Read) -> Vec<u64> {
    let saved = recorded.events.iter().filter_map(|event| match event {
        Event::Saved { base, .. } => Some(*base),
        _ => None,
    });
    let all = saved.chain([recorded.base]);
    all.filter(|&hash| hash != 0 && !has_all(recorded, hash)).collect()
}

/// Whether an archive with this header hash has all work of a journal. What is damaged may be work.
fn has_all(recorded: &Read, hash: u64) -> bool {
    !recorded.is_damaged() && recorded.is_saved_as(Some(hash))
}

/// The files in a folder that have the name of a journal, sorted.
fn journals_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let is_one = |name: &OsString| name.as_encoded_bytes().windows(NAME.len()).any(|part| part == NAME.as_bytes());
    let names = names_in(folder)?.map_while(Result::ok).filter(is_one);
    let mut journals: Vec<PathBuf> = names.map(|name| folder.join(name)).collect();
    journals.sort();
    Ok(journals)
}

/// What is known of a journal; `None` if the file is none, or nothing happened in it.
fn about(journal: &Path, archives: &mut Archives) -> Option<Kept> {
    let content = match is_journal_at(journal) {
        Ok(false) => return None,
        // A link, or a folder.
        Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::NotFound) => return None,
        Ok(true) | Err(_) => recorded(journal).transpose()?,
    };
    let archive = archive_of(journal);
    let content = content.map(|recorded| {
        let is_step = |event: &&Event| matches!(event, Event::Step { .. });
        let last = recorded.events.iter().rev().find(is_step).and_then(|event| match event {
            Event::Step { label, .. } => Some(label.clone()),
            _ => None,
        });
        let steps = recorded.events.iter().filter(is_step).count();
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

/// The last state of a journal that holds the whole document.
fn whole(journal: &Path) -> Option<Project> {
    state(&[], read(&own_files::read(journal).ok()??).ok()?).ok()
}

/// The records of a journal without their lumps; `None` if nothing happened in it.
fn recorded(journal: &Path) -> Result<Option<Read>, String> {
    let Some(bytes) = own_files::read(journal).map_err(|error| error.to_string())? else { return Ok(None) };
    let recorded = outline(&bytes).map_err(|error| error.to_string())?;
    let is_shown = |event: &Event| matches!(event, Event::Start { .. } | Event::Step { .. });
    let is_kept = recorded.events.iter().any(is_shown) || recorded.is_damaged();
    Ok(is_kept.then_some(recorded))
}

/// The path that the archive of a journal had: by its note, or beside it.
fn archive_of(journal: &Path) -> Option<PathBuf> {
    if let Some(note) = ArchiveNote::read(journal) {
        return Some(note.path);
    }
    let folder = journal.parent()?;
    if folders::state().as_deref() == Some(folder) {
        return None;
    }
    let name = journal.file_name()?.as_encoded_bytes();
    let end = name.windows(NAME.len()).rposition(|part| part == NAME.as_bytes())?;
    // Bytes before an ASCII text are whole characters.
    let name = journal.file_name()?.to_string_lossy();
    Some(folder.join(name.get(..end)?))
}

/// The archives in folders, by the hashes of their headers. Each folder is read once.
#[derive(Default)]
struct Archives(HashMap<PathBuf, Vec<(PathBuf, u64)>>);

impl Archives {
    fn base_of(&mut self, recorded: &Read, journal: &Path, archive: Option<&Path>) -> Base {
        if recorded.base == 0 {
            return Base::Whole;
        }
        let found = self.candidates(recorded, journal, archive);
        let saved = found.iter().find(|(_, hash)| has_all(recorded, *hash));
        match (saved, found.first()) {
            (Some((path, _)), _) => Base::Saved(path.clone()),
            (None, Some((path, _))) => Base::File(path.clone()),
            (None, None) => Base::Missing,
        }
    }

    /// The files that a journal can be replayed over: at the path of its archive first.
    fn candidates(&mut self, recorded: &Read, journal: &Path, archive: Option<&Path>) -> Vec<(PathBuf, u64)> {
        let folders = [archive.and_then(Path::parent), journal.parent()];
        let own = archive.and_then(|path| Some((path.to_owned(), header_hash_in(path).ok().flatten()?)));
        let mut found: Vec<(PathBuf, u64)> = own.into_iter().filter(|(_, hash)| recorded.is_of(*hash)).collect();
        for folder in folders.into_iter().flatten().filter(|folder| folders::state().as_deref() != Some(folder)) {
            let all = self.0.entry(folder.to_owned()).or_insert_with(|| archives_in(folder));
            for one in all.iter().filter(|(_, hash)| recorded.is_of(*hash)) {
                if !found.contains(one) {
                    found.push(one.clone());
                }
            }
        }
        found.sort_by_key(|(path, _)| Some(path.as_path()) != archive);
        found
    }
}

/// The archives in a folder, sorted. Where there are too many files, those whose names say that they are archives or older versions come first.
fn archives_in(folder: &Path) -> Vec<(PathBuf, u64)> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let names: Vec<OsString> = names_in(folder).into_iter().flatten().map_while(Result::ok).collect();
    let has_ending =
        |name: &OsString| name.as_encoded_bytes().windows(ENDING.len()).any(|part| part == ENDING.as_bytes());
    let (named, others): (Vec<_>, Vec<_>) = names.into_iter().partition(has_ending);
    let archive = |path: PathBuf| header_hash_in(&path).ok().flatten().map(|hash| (path, hash));
    let all = named.into_iter().chain(others.into_iter().take(MAX_NAMES));
    let mut archives: Vec<_> = all.filter_map(|name| archive(folder.join(name))).collect();
    archives.sort();
    archives
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
        return Ok((state(&[], recorded)?, notes));
    }
    let archive = archive_of(journal);
    let found = match over {
        Some(over) => vec![over.to_owned()],
        None => {
            let found = Archives::default().candidates(&recorded, journal, archive.as_deref());
            found.into_iter().map(|(path, _)| path).collect()
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
