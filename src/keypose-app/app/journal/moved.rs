//! Finds the journals of an archive that was renamed or moved, in the folder for application state and beside its old name. Where the system numbers files, the
//! number decides which one it is. What has the same content is a copy, or the archive itself on another disk or written again: if the
//! archive is not to be found, each of them may be it.

use std::collections::VecDeque;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use crate::app::folder_names::names_in;
use crate::app::folders;
use crate::app::journal::archive_note::{ArchiveNote, ENDING, State};
use crate::app::journal::opening::{header_hash_in, is_journal_at};
use crate::app::journal::places::{elsewhere, is_left};
use crate::app::journal::recover::ORPHAN;
use crate::app::journal::{beside, in_state_folder, lock, register};
use crate::app::own_files::{self, canonical, has_more_names};
use crate::wad::journal::{Read, outline, read};

/// A journal of an archive that had another path.
#[derive(Debug)]
pub struct Moved {
    /// The path of the journal.
    pub journal: PathBuf,
    /// The path of the archive when the journal was begun.
    pub from: PathBuf,
    claim: Claim,
    note: ArchiveNote,
    /// The journal whose note it is.
    noted: PathBuf,
}

impl Moved {
    /// Whether the journal is the archive's alone.
    pub fn is_sure(&self) -> bool {
        self.claim == Claim::Sure
    }

    /// Notes that the journal was handed out to an archive.
    pub fn give(self, archive: &Path) {
        self.note.give(&self.noted, &canonical(archive));
    }
}

/// What speaks for a journal being that of an archive, from least to most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Claim {
    /// It has the content, and the noted archive is not to be found. This number of the last names of its path are those of the noted one.
    Possible(usize),
    /// It has the noted number, but the noted path leads to an archive, too, or the file has other names.
    SameFile,
    /// It is the noted file, or has its path.
    Sure,
}

/// The journals that are an archive's, which no editor has open, under other names than its own.
pub fn moved_here(archive: &Path) -> Vec<Moved> {
    claimed(archive).into_iter().filter(|moved| moved.is_sure() && !lock::is_used(&moved.journal)).collect()
}

/// The journals that may be an archive's as well as another one's, and were not handed out to it yet, which no editor has open. The likeliest first.
pub fn may_be_of(archive: &Path) -> Vec<Moved> {
    claimed(archive).into_iter().filter(|moved| !moved.is_sure() && !lock::is_used(&moved.journal)).collect()
}

/// The editor that has an archive open under the name that it had before. One whose journal still is beside that name has just been left by
/// its archive, or by a copy of this one: until it has noticed, it counts.
pub fn holder_under_old_name(archive: &Path) -> Option<String> {
    claimed(archive)
        .into_iter()
        .filter(|moved| moved.is_sure() || moved.noted != moved.journal)
        .find_map(|moved| lock::holder(&moved.journal))
}

/// All of both, with those that an editor has open.
pub fn all_moved_here(archive: &Path) -> Vec<Moved> {
    claimed(archive)
}

fn claimed(archive: &Path) -> Vec<Moved> {
    let Some(folder) = folders::state() else { return Vec::new() };
    let path = canonical(archive);
    let mut left = left_beside(archive, &path).peekable();
    let mut noted = noted_in(&folder).peekable();
    if left.peek().is_none() && noted.peek().is_none() {
        return Vec::new();
    }
    let Some(state) = State::of(archive) else { return Vec::new() };
    let own = elsewhere(archive);
    let noted =
        noted.filter(|(journal, note)| note.is_of(state.hash) && own.as_ref() != Some(journal) && is_left(journal));
    let noted = noted.map(|(journal, note)| (journal.clone(), note, journal));
    let left = left.filter_map(|(journal, from)| {
        let (note, noted) = note_of_left((&journal, from), state.hash, &folder)?;
        Some((journal, note, noted))
    });
    let claimed = |(journal, note, noted): (PathBuf, ArchiveNote, PathBuf)| {
        let claim = claim(&journal, &note, &path, state)?;
        Some(Moved { claim, journal, from: note.path.clone(), note, noted })
    };
    let mut moved: Vec<Moved> = noted.chain(left).filter_map(claimed).collect();
    moved.sort_by(|a, b| b.claim.cmp(&a.claim).then_with(|| a.journal.cmp(&b.journal)));
    moved
}

/// The journals in the folder for application state that have notes.
fn noted_in(folder: &Path) -> impl Iterator<Item = (PathBuf, ArchiveNote)> {
    let journals = names_in(folder).into_iter().flatten().map_while(Result::ok).filter_map(move |name| {
        let journal = name.to_str()?.strip_suffix(ENDING)?;
        journal.ends_with(JOURNAL).then(|| folder.join(journal))
    });
    journals.filter_map(|journal| ArchiveNote::read(&journal).map(|note| (journal, note)))
}

/// What the name of a journal ends with.
const JOURNAL: &str = ".journal";

/// The journals beside other names in the folder of an archive, with the paths under those names: their archives may have been renamed without
/// them. Those that were renamed because another version had the name are among them. If a link leads to the archive, its folder is looked
/// through, too. In other folders, the register names the journals whose archives may have been moved without them.
fn left_beside(archive: &Path, path: &Path) -> impl Iterator<Item = (PathBuf, PathBuf)> {
    let folder_of = |path: &Path| std::path::absolute(path).ok()?.parent().map(canonical);
    let folders = [folder_of(path), folder_of(archive).filter(|folder| folder_of(path).as_ref() != Some(folder))];
    let folders: Vec<PathBuf> = folders.into_iter().flatten().collect();
    let outside = register::astray_outside(&folders).into_iter().filter_map(of_name);
    let path = path.to_owned();
    let inside = folders.into_iter().flat_map(|folder| {
        let names = names_in(&folder).into_iter().flatten().map_while(Result::ok);
        names.filter_map(|name| of_name(folder.join(name))).collect::<Vec<_>>()
    });
    inside.chain(outside).filter_map(move |(journal, from, ending)| {
        ((ending.is_empty() && from != path) || ending.starts_with(ORPHAN)).then_some((journal, from))
    })
}

/// A journal with the path under whose name it is, and what follows in its own.
fn of_name(journal: PathBuf) -> Option<(PathBuf, PathBuf, String)> {
    let (name, ending) = journal.file_name()?.to_str()?.rsplit_once(JOURNAL)?;
    let (from, ending) = (journal.with_file_name(name), ending.to_owned());
    Some((journal, from, ending))
}

/// A note for a journal that is beside another name than that of its archive, if its steps can be replayed over one with this content; and whose
/// note it is. It is written when the journal is handed out, and holds for these bytes of it.
fn note_of_left((journal, from): (&Path, PathBuf), hash: u64, folder: &Path) -> Option<(ArchiveNote, PathBuf)> {
    if !is_journal_at(journal).unwrap_or(true) {
        return None;
    }
    let bytes = own_files::read(journal).ok()??;
    // Most are of other archives: their lumps are not unpacked.
    outline(&bytes).ok().filter(|read| read.is_of(hash))?;
    let recorded = read(&bytes).ok().filter(|read| read.is_of(hash))?;
    if journal == beside(&from) && is_archive_of(&recorded, &from) {
        return None;
    }
    let hash = xxh3_64(&bytes);
    // The journal may get another name.
    let name = [from.as_os_str().as_encoded_bytes(), b"\0", &hash.to_le_bytes()].concat();
    let noted = in_state_folder(folder, name);
    let new = ArchiveNote::new(from, State { hash, number: None });
    Some((ArchiveNote::read(&noted).filter(|note| note.has_states_of(&new)).unwrap_or(new), noted))
}

/// Whether the archive at a path is the one that a journal beside it starts from. In doubt, it is.
fn is_archive_of(recorded: &Read, path: &Path) -> bool {
    if fs::symlink_metadata(path).is_ok_and(|about| !about.is_file()) {
        return false;
    }
    match own_files::retried(|| header_hash_in(path)) {
        Ok(hash) => hash.is_some_and(|hash| recorded.is_of(hash)),
        Err(error) => !matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory),
    }
}

/// What speaks for a note being about the archive at a path; `None` if it is a copy.
fn claim(journal: &Path, note: &ArchiveNote, path: &Path, state: State) -> Option<Claim> {
    if note.path == path {
        // A journal that was renamed, because another version had the path, is handed out like others.
        let is_set_aside = journal.extension().is_none_or(|ending| ending != "journal");
        return if is_set_aside {
            (!note.is_given(path)).then_some(Claim::Possible(usize::MAX))
        } else {
            Some(Claim::Sure)
        };
    }
    let (is_gone, same) = (note.is_gone(journal), same_end(&note.path, path));
    match note.is_file(state) {
        true if is_gone && !has_more_names(path) => Some(Claim::Sure),
        _ if note.is_given(path) => None,
        true => Some(Claim::SameFile),
        false if is_gone && !is_nearer_to_another(note, path, same) && !is_near(note) => Some(Claim::Possible(same)),
        false => None,
    }
}

/// How many folders above an archive may have moved with others in it.
const MOVED_LEVELS: usize = 8;

/// Whether an archive of the same content has more names of the noted path, where the noted one would be if it had moved in a folder
/// with this one, which has only `same` of them. The journal is then handed out to that one, or to one that has still more of them.
fn is_nearer_to_another(note: &ArchiveNote, path: &Path, same: usize) -> bool {
    let names: Vec<_> = note.path.components().rev().take(MOVED_LEVELS).collect();
    let counts = same.saturating_add(1)..=names.len();
    let ends: Vec<PathBuf> = counts.filter_map(|count| Some(names.get(..count)?.iter().rev().collect())).collect();
    let folders = path.ancestors().skip(1).take(MOVED_LEVELS);
    let is_archive = |place: &Path| State::of(place).is_some_and(|state| note.is_of(state.hash));
    let mut places = folders.flat_map(|folder| ends.iter().map(|end| folder.join(end)));
    // A link may lead to this very file, or to one with fewer of the names.
    places.any(|place| place != path && canonical(&place) == place && is_archive(&place))
}

/// How many folders above the noted path are looked through, of those that are there.
const LEVELS_ABOVE: usize = 3;
/// How many names are looked at in each, and in the folders within.
const MAX_NAMES: usize = 4096;

/// Whether one of the noted files has another path near the noted one. It gets the journal when it is opened.
fn is_near(note: &ArchiveNote) -> bool {
    if !note.has_numbers() {
        return false;
    }
    let folders = note.path.ancestors().skip(1).filter(|folder| folder.is_dir()).take(LEVELS_ABOVE);
    // The number first: few files are opened.
    let is_it = |path: &Path| note.has_number_of(path) && State::of(path).is_some_and(|state| note.is_file(state));
    folders.into_iter().any(|folder| has_within(folder, is_it))
}

/// Whether one of the first files in a folder and the folders within is such a file. Links are not followed.
fn has_within(folder: &Path, is_it: impl Fn(&Path) -> bool) -> bool {
    let mut folders = VecDeque::from([folder.to_owned()]);
    let mut left = MAX_NAMES;
    while let Some(folder) = folders.pop_front() {
        for name in names_in(&folder).into_iter().flatten().map_while(Result::ok) {
            let path = folder.join(name);
            match fs::symlink_metadata(&path) {
                Ok(about) if about.is_dir() => folders.push_back(path),
                Ok(about) if about.is_file() && is_it(&path) => return true,
                _ => {}
            }
            left -= 1;
            if left == 0 {
                return false;
            }
        }
    }
    false
}

/// How many of the last names of two paths are the same.
fn same_end(a: &Path, b: &Path) -> usize {
    a.components().rev().zip(b.components().rev()).take_while(|(a, b)| a == b).count()
}
