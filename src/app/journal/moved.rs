//! Finds the journals, in the folder for application state, of an archive that was renamed or moved. Where the system numbers files, the
//! number decides which one it is. What has the same content is a copy, or the archive itself on another disk or written again: if the
//! archive is not to be found, each of them may be it.

use std::collections::VecDeque;
use std::fs;
use std::path::{Path, PathBuf};

use crate::app::folder_names::names_in;
use crate::app::folders;
use crate::app::journal::archive_note::{ArchiveNote, ENDING, State};
use crate::app::journal::lock;
use crate::app::journal::places::{elsewhere, is_left};
use crate::app::own_files::{canonical, has_more_names};

/// A journal of an archive that had another path.
#[derive(Debug)]
pub struct Moved {
    /// The path of the journal.
    pub journal: PathBuf,
    /// The path of the archive when the journal was begun.
    pub from: PathBuf,
    claim: Claim,
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
    let journals = names_in(&folder).into_iter().flatten().map_while(Result::ok).filter_map(|name| {
        let journal = name.to_str()?.strip_suffix(ENDING)?;
        journal.ends_with(".journal").then(|| folder.join(journal))
    });
    let mut notes = journals.filter_map(|journal| ArchiveNote::read(&journal).map(|note| (journal, note))).peekable();
    if notes.peek().is_none() {
        return Vec::new();
    }
    let Some(state) = State::of(archive) else { return Vec::new() };
    let (path, own) = (canonical(archive), elsewhere(archive));
    let is_known = |(journal, note): &(PathBuf, ArchiveNote)| {
        note.is_of(state.hash) && own.as_ref() != Some(journal) && is_left(journal)
    };
    let claimed = |(journal, note): (PathBuf, ArchiveNote)| {
        Some(Moved { claim: claim(&journal, &note, &path, state)?, journal, from: note.path })
    };
    let mut moved: Vec<Moved> = notes.filter(is_known).filter_map(claimed).collect();
    moved.sort_by(|a, b| b.claim.cmp(&a.claim).then_with(|| a.journal.cmp(&b.journal)));
    moved
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
    let is_it = |path: &Path| State::of(path).is_some_and(|state| note.is_file(state));
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
