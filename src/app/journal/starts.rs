//! What the steps of journals start from: which archives, and where they are.

use std::collections::{BTreeSet, HashMap};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::app::folder_names::names_in;
use crate::app::folders;
use crate::app::journal::kept::Base;
use crate::app::journal::lock;
use crate::app::journal::opening::{header_hash_in, is_journal_at};
use crate::app::own_files;
use crate::wad::journal::{Event, Read, outline};

/// What is in the name of each journal, also of those that were set aside.
pub(super) const NAME: &str = ".journal";
/// What is in the name of an archive, and of its older versions.
const ENDING: &str = ".wad";
/// How many files of a folder with other names are looked at for the archive that a journal starts from.
const MAX_NAMES: usize = 65_536;

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

/// When a file was written last.
pub(super) fn modified(path: &Path) -> Option<SystemTime> {
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
pub(super) fn journals_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let is_one = |name: &OsString| name.as_encoded_bytes().windows(NAME.len()).any(|part| part == NAME.as_bytes());
    let names = names_in(folder)?.map_while(Result::ok).filter(is_one);
    let mut journals: Vec<PathBuf> = names.map(|name| folder.join(name)).collect();
    journals.sort();
    Ok(journals)
}

/// The records of a journal without their lumps; `None` if nothing happened in it.
pub(super) fn recorded(journal: &Path) -> Result<Option<Read>, String> {
    let Some(bytes) = own_files::read(journal).map_err(|error| error.to_string())? else { return Ok(None) };
    let recorded = outline(&bytes).map_err(|error| error.to_string())?;
    let is_shown = |event: &Event| matches!(event, Event::Start { .. } | Event::Step { .. });
    let is_kept = recorded.events.iter().any(is_shown) || recorded.is_damaged();
    Ok(is_kept.then_some(recorded))
}

/// The archives in folders, by the hashes of their headers. Each folder is read once.
#[derive(Default)]
pub(super) struct Archives(HashMap<PathBuf, Vec<(PathBuf, u64)>>);

impl Archives {
    /// What the steps of a journal start from.
    pub fn base_of(&mut self, recorded: &Read, journal: &Path, archive: Option<&Path>) -> Base {
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
    pub fn candidates(&mut self, recorded: &Read, journal: &Path, archive: Option<&Path>) -> Vec<(PathBuf, u64)> {
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
