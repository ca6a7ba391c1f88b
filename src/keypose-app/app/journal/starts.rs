//! What the steps of journals start from: which archives, and where they are.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::app::folder_names::names_in;
use crate::app::folders;
use crate::app::journal::kept::Base;
use crate::app::journal::opening::{header_hash_in, is_journal_at, is_of_known_version};
use crate::app::journal::{lock, register};
use crate::app::own_files::{self, canonical};
use crate::app::regular_files::read_archive;
use crate::wad::archive::Archive;
use crate::wad::journal::{Event, Read, first_base, outline};

/// What is in the name of each journal, also of those that were set aside.
pub(super) const NAME: &str = ".journal";
/// What is in the name of an archive, and of its older versions.
const ENDING: &str = ".wad";
/// How many files of a folder with other names are looked at for the archive that a journal starts from.
const MAX_NAMES: usize = 65_536;

/// How many older versions are kept in doubt, when what journals start from can't be read.
const MAX_IN_DOUBT: u32 = 50;

/// What the journals in the folder of an archive, in the folder for application state and in the register start from, of those that no editor
/// has open: their steps can be shown as long as a file with that content is there.
#[derive(Debug, Default)]
pub struct Starts {
    hashes: BTreeSet<u64>,
    /// When the last one of the journals that can't be read changed: they may start from any file that was there then.
    before: Option<SystemTime>,
    /// Whether there may be journals that are not known.
    is_any: bool,
}

impl Starts {
    /// Of the journals that an archive of this folder may belong to.
    pub fn near(archive: &Path) -> Starts {
        let mut starts = Starts::default();
        let folders: Vec<PathBuf> =
            [archive.parent().map(Path::to_owned), folders::state()].into_iter().flatten().collect();
        let outside = register::journals_outside(&folders).into_iter().map(|journal| (journal, true));
        let mut journals: Vec<(PathBuf, bool)> = outside.collect();
        for folder in &folders {
            match journals_in(folder) {
                Ok(inside) => journals.extend(inside.into_iter().map(|journal| (journal, false))),
                Err(error) => starts.is_any |= error.kind() != io::ErrorKind::NotFound,
            }
        }
        journals.retain(|(journal, _)| !is_written(journal));
        journals.iter().for_each(|(journal, is_outside)| starts.add(journal, *is_outside));
        starts
    }

    fn add(&mut self, journal: &Path, is_outside: bool) {
        // Nothing says what its journal starts from.
        if register::is_entry(journal) {
            self.is_any = true;
            return;
        }
        // The whole journal of an archive that lies beside it is read when one in its folder is saved.
        if let Some(hash) = register::start_beside(journal).filter(|_| is_outside) {
            self.hashes.insert(hash);
            return;
        }
        match recorded(journal) {
            Ok(recorded) => self.hashes.extend(recorded.iter().flat_map(starts_of)),
            Err(_) => {
                self.hashes.extend(own_files::read(journal).ok().flatten().and_then(|bytes| first_base(&bytes)));
                match own_files::changed_last(journal) {
                    Some(time) => self.before = self.before.max(Some(time)),
                    None => self.is_any = true,
                }
            }
        }
    }

    /// Whether steps start from this file, an older version of this number, that are not saved in it. In doubt, they do, of the first ones.
    pub fn has(&self, file: &Path, number: u32) -> bool {
        let is_early = number <= MAX_IN_DOUBT;
        let was_there = |before: SystemTime| own_files::was_there_at(file).is_none_or(|there| there <= before);
        let is_one = || match header_hash_in(file) {
            Ok(hash) => hash.is_some_and(|hash| self.hashes.contains(&hash)),
            Err(error) => is_early && !matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::InvalidInput),
        };
        let is_doubtful = is_early && (self.is_any || self.before.is_some_and(was_there));
        is_doubtful || (!self.hashes.is_empty() && is_one())
    }
}

/// Whether an editor has a journal open. One that has its lock may write another one in its place, if it can't be read.
fn is_written(journal: &Path) -> bool {
    is_of_known_version(journal) && lock::holder(journal).is_some()
}

/// When a file was written last.
pub(super) fn modified(path: &Path) -> Option<SystemTime> {
    std::fs::metadata(path).and_then(|about| about.modified()).ok()
}

/// The header hashes of the archives from which the steps of a journal start, without those that have them all.
fn starts_of(recorded: &Read) -> impl Iterator<Item = u64> {
    hashes_of(recorded).filter(|&hash| !has_all(recorded, hash))
}

/// The header hashes of the archives that a journal can be replayed over: the last one first.
pub(super) fn hashes_of(recorded: &Read) -> impl Iterator<Item = u64> {
    let saved = recorded.events.iter().rev().filter_map(|event| match event {
        Event::Saved { base, .. } => Some(*base),
        _ => None,
    });
    saved.chain([recorded.base]).filter(|&hash| hash != 0)
}

/// Whether an archive with this header hash has all work of a journal. What is damaged may be work.
fn has_all(recorded: &Read, hash: u64) -> bool {
    !recorded.is_damaged() && recorded.is_saved_as(Some(hash))
}

/// The files in a folder that have the name of a journal, sorted.
pub(super) fn journals_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let is_one = |name: &OsString| name.as_encoded_bytes().windows(NAME.len()).any(|part| part == NAME.as_bytes());
    let names = names_in(folder)?.filter(|name| name.as_ref().map_or(true, is_one));
    let mut journals = names.map(|name| Ok(folder.join(name?))).collect::<io::Result<Vec<PathBuf>>>()?;
    journals.sort();
    Ok(journals)
}

/// Whether a file has the name of a journal of an archive or of one in the folder for application state, or of one that was set aside: then
/// it should be one.
fn is_named_as_journal(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let Some((of, _)) = name.rsplit_once(NAME) else { return false };
    let is_digest = of.len() >= 16 && of.chars().all(|letter| letter.is_ascii_hexdigit() || letter == '-');
    (of.ends_with(ENDING) || is_digest) && !is_lock_or_note(path)
}

/// Whether a file has the name of what lies beside a journal, or of a copy of that.
fn is_lock_or_note(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    name.rsplit_once(NAME).is_some_and(|(_, ending)| [".lock", ".archive"].iter().any(|of| ending.contains(of)))
}

/// The records of a journal without their lumps; `None` if it is another file, or nothing happened in it.
///
/// # Errors
/// Why it can't be read.
pub(super) fn recorded(journal: &Path) -> Result<Option<Read>, String> {
    match is_journal_at(journal) {
        Ok(true) => {}
        Ok(false) if is_named_as_journal(journal) && length(journal) > 0 => {
            return Err("it does not begin as a journal".into());
        }
        Ok(false) => return Ok(None),
        // A link, or a folder.
        Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::NotFound) => return Ok(None),
        Err(_) if is_lock_or_note(journal) => return Ok(None),
        Err(error) => return Err(error.to_string()),
    }
    let Some(bytes) = own_files::read(journal).map_err(|error| error.to_string())? else { return Ok(None) };
    let recorded = outline(&bytes).map_err(|error| error.to_string())?;
    if let Some(reason) = recorded.torn.clone().filter(|_| recorded.events.is_empty() && recorded.is_damaged()) {
        return Err(reason);
    }
    let is_shown = |event: &Event| matches!(event, Event::Start { .. } | Event::Step { .. });
    let is_kept = recorded.events.iter().any(is_shown) || recorded.is_damaged();
    Ok(is_kept.then_some(recorded))
}

fn length(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |about| about.len())
}

/// The archives in folders, by the hashes of their headers. Each folder is read once, and each archive whose journal asks for it.
#[derive(Default)]
pub(super) struct Archives {
    of: HashMap<PathBuf, BTreeMap<u64, Vec<PathBuf>>>,
    /// Why an archive can't be read; `None` if it is whole.
    faults: HashMap<PathBuf, Option<String>>,
    /// Another folder in which archives may be.
    other: Option<PathBuf>,
}

impl Archives {
    /// Looks through this folder as well.
    pub fn with(folder: &Path) -> Archives {
        Archives { other: Some(folder.to_owned()), ..Archives::default() }
    }

    /// What the steps of a journal start from.
    pub fn base_of(&mut self, recorded: &Read, journal: &Path, archive: Option<&Path>) -> Base {
        if recorded.base == 0 {
            return Base::Whole;
        }
        let (saved, others): (Vec<u64>, Vec<u64>) = hashes_of(recorded).partition(|hash| has_all(recorded, *hash));
        let mut damaged = None;
        let mut first = |hashes: &[u64]| {
            let candidates: Vec<PathBuf> = self.candidates(hashes, journal, archive).collect();
            candidates.into_iter().find(|path| match self.fault(path) {
                Some(reason) => {
                    damaged.get_or_insert_with(|| (path.clone(), reason));
                    false
                }
                None => true,
            })
        };
        if let Some(path) = first(&saved) {
            return Base::Saved(path);
        }
        let base = first(&others).map(Base::File);
        base.or_else(|| damaged.map(|(path, reason)| Base::Damaged(path, reason))).unwrap_or(Base::Missing)
    }

    /// Why an archive can't be read.
    fn fault(&mut self, path: &Path) -> Option<String> {
        let read = || read_archive(path).map_err(|error| error.to_string());
        let verified = || Archive::open(&read()?).map(drop).map_err(|error| error.to_string());
        self.faults.entry(path.to_owned()).or_insert_with(|| verified().err()).clone()
    }

    /// The files with one of these hashes: at the path of the archive first.
    pub fn candidates(
        &mut self,
        hashes: &[u64],
        journal: &Path,
        archive: Option<&Path>,
    ) -> impl Iterator<Item = PathBuf> {
        let is_it = |path: &&Path| header_hash_in(path).ok().flatten().is_some_and(|hash| hashes.contains(&hash));
        let own = archive.filter(is_it).map(Path::to_owned);
        let folders = [archive.and_then(Path::parent), journal.parent(), self.other.as_deref()];
        let mut folders: Vec<PathBuf> = folders.into_iter().flatten().map(canonical).collect();
        folders.dedup();
        for folder in &folders {
            self.of.entry(folder.clone()).or_insert_with(|| archives_in(folder));
        }
        let (all, hashes) = (&self.of, hashes.to_vec());
        let of_folder = folders.into_iter().filter_map(|folder| all.get(&folder));
        let found = of_folder
            .flat_map(move |all| hashes.clone().into_iter().filter_map(|hash| all.get(&hash)).flatten().cloned());
        own.into_iter().chain(found)
    }
}

/// The archives in a folder, sorted. Where there are too many files, those whose names say that they are archives or older versions come first.
fn archives_in(folder: &Path) -> BTreeMap<u64, Vec<PathBuf>> {
    let names: Vec<OsString> = names_in(folder).into_iter().flatten().map_while(Result::ok).collect();
    let has_ending =
        |name: &OsString| name.as_encoded_bytes().windows(ENDING.len()).any(|part| part == ENDING.as_bytes());
    let (mut named, others): (Vec<_>, Vec<_>) = names.into_iter().partition(has_ending);
    named.extend(others.into_iter().take(MAX_NAMES));
    named.sort();
    let mut archives = BTreeMap::<u64, Vec<PathBuf>>::new();
    for path in named.into_iter().map(|name| folder.join(name)) {
        if let Some(hash) = header_hash_in(&path).ok().flatten() {
            archives.entry(hash).or_default().push(path);
        }
    }
    archives
}
