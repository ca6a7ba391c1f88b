//! Finds the journals, in the folder for application state, of an archive that was renamed or moved. Copies of it have the same
//! content: where the system numbers files, the number decides which one is the archive, else the names that the paths share.

use std::fs;
use std::path::{Path, PathBuf};

use crate::app::folder_names::names_in;
use crate::app::folders;
use crate::app::journal::archive_note::{ArchiveNote, ENDING, State};
use crate::app::journal::lock;
use crate::app::journal::places::{elsewhere, is_left};
use crate::app::own_files::{self, FileNumber, canonical, with_ending};

/// A journal of an archive that had another path.
#[derive(Debug)]
pub struct Moved {
    /// The path of the journal.
    pub journal: PathBuf,
    /// The path of the archive when the journal was begun.
    pub from: PathBuf,
}

/// What speaks for a journal being that of an archive, from least to most.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Claim {
    /// This number of the last names of its path are those of the noted one.
    Names(usize),
    /// It is the noted file, or has its path.
    File,
}

/// The journals of an archive, which no editor has open, under other names than its own: of one that has the same content, and is no
/// longer where it was. Of several copies, each has its own.
pub fn moved_here(archive: &Path) -> Vec<Moved> {
    let mut moved = all_moved_here(archive);
    moved.retain(|moved| !lock::is_used(&moved.journal));
    moved
}

/// The same, with those that an editor has open.
pub fn all_moved_here(archive: &Path) -> Vec<Moved> {
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
    let is_moved = |(journal, note): &(PathBuf, ArchiveNote)| {
        let is_known = note.is_of(state.hash) && own.as_ref() != Some(journal) && is_left(journal);
        is_known && (note.path == path || note.is_gone(journal))
    };
    let claimed = |(journal, note): (PathBuf, ArchiveNote)| {
        Some((claim(&journal, &note, &path, state)?, Moved { journal, from: note.path }))
    };
    let mut moved: Vec<(Claim, Moved)> = notes.filter(is_moved).filter_map(claimed).collect();
    let strongest = moved.iter().map(|(claim, _)| *claim).max();
    moved.retain(|(claim, _)| Some(*claim) == strongest);
    moved.into_iter().map(|(_, moved)| moved).collect()
}

/// What speaks for a note being about the archive at a path; `None` if it is a copy.
fn claim(journal: &Path, note: &ArchiveNote, path: &Path, state: State) -> Option<Claim> {
    let numbers: Vec<FileNumber> = note.numbers(state.hash).collect();
    if note.path == path || state.number.is_some_and(|number| numbers.iter().any(|noted| noted.file == number.file)) {
        return Some(Claim::File);
    }
    let same = same_end(&note.path, path);
    let is_of_disk = |noted: &FileNumber| state.number.is_some_and(|number| number.disk == noted.disk);
    // On the same disk, a file of another number is a copy, or the archive was written again after the note.
    let is_likely = !numbers.iter().any(is_of_disk) || (same > 0 && !is_older(path, &with_ending(journal, ENDING)));
    let is_elsewhere =
        || is_nearer_to_another(note, path, same) || numbers.iter().any(|number| is_renamed(note, *number));
    (is_likely && !is_elsewhere()).then_some(Claim::Names(same))
}

/// Whether a file was already there when another one was written. In doubt, it was not.
fn is_older(file: &Path, written: &Path) -> bool {
    let created = fs::metadata(file).and_then(|about| about.created());
    let written = fs::metadata(written).and_then(|about| about.modified());
    created.is_ok_and(|created| written.is_ok_and(|written| created < written))
}

/// How many folders above an archive may have moved with others in it.
const MOVED_LEVELS: usize = 8;

/// Whether an archive of the same content has more names of the noted path, where the noted one would be if it had moved in a folder
/// with this one, which has only `same` of them.
fn is_nearer_to_another(note: &ArchiveNote, path: &Path, same: usize) -> bool {
    let names: Vec<_> = note.path.components().rev().take(MOVED_LEVELS).collect();
    let counts = same.saturating_add(1)..=names.len();
    let ends: Vec<PathBuf> = counts.filter_map(|count| Some(names.get(..count)?.iter().rev().collect())).collect();
    let folders = path.ancestors().skip(1).take(MOVED_LEVELS);
    let mut places = folders.flat_map(|folder| ends.iter().map(|end| folder.join(end)));
    places.any(|place| place != path && State::of(&place).is_some_and(|state| note.is_of(state.hash)))
}

/// How many names of a folder are looked at.
const MAX_NAMES: usize = 4096;

/// Whether the noted file is where it would be if it, or one folder of its path, had got another name.
fn is_renamed(note: &ArchiveNote, number: FileNumber) -> bool {
    let Some(folder) = note.path.ancestors().skip(1).find(|folder| folder.is_dir()) else { return false };
    let names = note.path.strip_prefix(folder).map(|rest| rest.components().skip(1).collect::<PathBuf>());
    let renamed = names_in(folder).into_iter().flatten().map_while(Result::ok).take(MAX_NAMES);
    names.is_ok_and(|rest| {
        let mut places = renamed.map(|name| match rest.as_os_str().is_empty() {
            true => folder.join(name),
            false => folder.join(name).join(&rest),
        });
        places.any(|place| own_files::number_at(&place) == Some(number))
    })
}

/// How many of the last names of two paths are the same.
fn same_end(a: &Path, b: &Path) -> usize {
    a.components().rev().zip(b.components().rev()).take_while(|(a, b)| a == b).count()
}
