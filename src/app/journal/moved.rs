//! Finds the journals, in the folder for application state, of an archive that was renamed or moved. Where the system numbers files, the
//! number decides which one it is. What has the same content is a copy, or the archive itself on another disk or written again: if the
//! archive is not to be found, each of them may be it.

use std::collections::VecDeque;
use std::fs;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use crate::app::folder_names::names_in;
use crate::app::folders;
use crate::app::journal::archive_note::{ArchiveNote, ENDING, State};
use crate::app::journal::places::{elsewhere, is_left};
use crate::app::journal::{beside, in_state_folder, lock};
use crate::app::own_files::{self, canonical, has_more_names, is_taken};
use crate::wad::journal::read;

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
    claimed(archive).into_iter().filter(|moved| moved.claim == Claim::Sure && !lock::is_used(&moved.journal)).collect()
}

/// The journals that may be an archive's as well as another one's, and were not handed out to it yet, which no editor has open. The likeliest first.
pub fn may_be_of(archive: &Path) -> Vec<Moved> {
    claimed(archive).into_iter().filter(|moved| moved.claim != Claim::Sure && !lock::is_used(&moved.journal)).collect()
}

/// The editor that has an archive open under the name that it had before.
pub fn holder_under_old_name(archive: &Path) -> Option<String> {
    claimed(archive)
        .into_iter()
        .filter(|moved| moved.claim == Claim::Sure)
        .find_map(|moved| lock::holder(&moved.journal))
}

/// All of both, with those that an editor has open.
pub fn all_moved_here(archive: &Path) -> Vec<Moved> {
    claimed(archive)
}

fn claimed(archive: &Path) -> Vec<Moved> {
    let Some(folder) = folders::state() else { return Vec::new() };
    let path = canonical(archive);
    let mut left = left_beside(&path).peekable();
    let mut noted = noted_in(&folder).peekable();
    if left.peek().is_none() && noted.peek().is_none() {
        return Vec::new();
    }
    let Some(state) = State::of(archive) else { return Vec::new() };
    let own = elsewhere(archive);
    let noted =
        noted.filter(|(journal, note)| note.is_of(state.hash) && own.as_ref() != Some(journal) && is_left(journal));
    let noted = noted.map(|(journal, note)| (journal.clone(), note, journal));
    let left = left.filter_map(|journal| {
        let (note, noted) = note_of_left(&journal, state.hash, &folder)?;
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

/// The journals in the folder of an archive that are beside none: theirs was renamed without them.
fn left_beside(archive: &Path) -> impl Iterator<Item = PathBuf> {
    let folder = archive.parent().unwrap_or(Path::new(""));
    let ours = beside(archive);
    names_in(folder).into_iter().flatten().map_while(Result::ok).filter_map(move |name| {
        let journal = folder.join(name.to_str().filter(|name| name.ends_with(JOURNAL))?);
        (journal != ours && !is_taken(&journal.with_extension(""))).then_some(journal)
    })
}

/// A note for a journal that was left beside no archive, if its steps can be replayed over one with this content; and whose note it is. It is
/// written when the journal is handed out, and holds for these bytes of it.
fn note_of_left(journal: &Path, hash: u64, folder: &Path) -> Option<(ArchiveNote, PathBuf)> {
    let bytes = own_files::read(journal).ok()??;
    read(&bytes).ok().filter(|read| read.is_of(hash))?;
    let noted = in_state_folder(folder, journal.as_os_str().as_encoded_bytes());
    let new = ArchiveNote::new(journal.with_extension(""), State { hash: xxh3_64(&bytes), number: None });
    Some((ArchiveNote::read(&noted).filter(|note| note.has_states_of(&new)).unwrap_or(new), noted))
}

/// What speaks for a note being about the archive at a path; `None` if it is a copy.
fn claim(journal: &Path, note: &ArchiveNote, path: &Path, state: State) -> Option<Claim> {
    if note.path == path {
        return Some(Claim::Sure);
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
