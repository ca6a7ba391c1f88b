//! A note beside each journal in the folder for application state: of which archive it is. By it, the journal is found after the
//! archive was renamed or moved; without it, by the archive's path alone.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::app::folder_names::names_in;
use crate::app::folders;
use crate::app::journal::opening::header_hash_in;
use crate::app::journal::places::is_left;
use crate::app::journal::{JournalFile, beside, lock};
use crate::app::own_files::{self, Access, canonical, with_ending};

/// What the name of a note ends with, after that of the journal.
const ENDING: &str = ".archive";

/// An archive, as it was when a journal was begun.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchiveNote {
    path: PathBuf,
    /// Its header hash.
    hash: u64,
}

/// A journal of an archive that had another path.
#[derive(Debug)]
pub struct Moved {
    /// The path of the journal.
    pub journal: PathBuf,
    /// The path of the archive when the journal was begun.
    pub from: PathBuf,
}

impl ArchiveNote {
    /// Sixteen digits of the hash, a line break, and the path. `None` of a path that is not Unicode.
    fn text(&self) -> Option<String> {
        Some(format!("{:016x}\n{}", self.hash, self.path.to_str()?))
    }

    fn read(journal: &Path) -> Option<ArchiveNote> {
        let bytes = own_files::read(&with_ending(journal, ENDING)).ok().flatten()?;
        let (hash, path) = std::str::from_utf8(&bytes).ok()?.split_once('\n')?;
        Some(ArchiveNote { path: path.into(), hash: u64::from_str_radix(hash, 16).ok()? })
    }

    /// Writes the note of a journal, on the disk. If that fails, the journal is found by the path alone. A note of another path
    /// stays: the journal has the name that belongs to it.
    fn write(&self, journal: &Path) {
        let known = ArchiveNote::read(journal);
        if known.as_ref() == Some(self) || known.is_some_and(|known| known.path != self.path) {
            return;
        }
        let Some(text) = self.text() else { return };
        remove(journal);
        let _ = own_files::write_new(&with_ending(journal, ENDING), text.as_bytes(), Access::Private);
    }

    /// Whether the archive is no longer at its path. In doubt, it is.
    fn is_gone(&self) -> bool {
        match own_files::retried(|| header_hash_in(&self.path)) {
            Ok(hash) => hash != Some(self.hash),
            Err(error) => error.kind() == io::ErrorKind::NotFound,
        }
    }
}

/// Deletes the note of a journal.
pub(super) fn remove(journal: &Path) {
    let _ = fs::remove_file(with_ending(journal, ENDING));
}

/// The journals, which no editor has open, of an archive that has the same content as this one, and is no longer where it was.
pub fn moved_here(archive: &Path) -> Vec<Moved> {
    let Some(folder) = folders::state() else { return Vec::new() };
    let journals = names_in(&folder).into_iter().flatten().map_while(Result::ok).filter_map(|name| {
        let journal = name.to_str()?.strip_suffix(ENDING)?;
        journal.ends_with(".journal").then(|| folder.join(journal))
    });
    let mut notes = journals.filter_map(|journal| ArchiveNote::read(&journal).map(|note| (journal, note))).peekable();
    if notes.peek().is_none() {
        return Vec::new();
    }
    let Some(hash) = own_files::retried(|| header_hash_in(archive)).ok().flatten() else { return Vec::new() };
    let is_moved = |(journal, note): &(PathBuf, ArchiveNote)| {
        note.hash == hash && is_left(journal) && note.is_gone() && !lock::is_used(journal)
    };
    notes.filter(is_moved).map(|(journal, note)| Moved { journal, from: note.path }).collect()
}

impl JournalFile {
    /// Notes of which archive this is, if it is not beside it.
    pub fn note_archive(&mut self, archive: &Path) {
        let path = canonical(archive);
        let hash = || own_files::retried(|| header_hash_in(&path)).ok().flatten();
        if self.path() != beside(&path)
            && let Some(hash) = hash()
        {
            self.note_as(Some(ArchiveNote { path, hash }));
        }
    }

    /// Notes of which archive this is.
    pub fn note_as(&mut self, note: Option<ArchiveNote>) {
        self.archive_note = note;
        if self.is_written() {
            self.write_note();
        }
    }

    /// The archive that this journal is of: the one that it is beside, or that it was noted to be of.
    pub fn archive_note(&self) -> Option<ArchiveNote> {
        let of_base = || ArchiveNote { path: self.path().with_extension(""), hash: self.base() };
        self.archive_note.clone().or_else(|| self.has_base().then(of_base))
    }

    pub(super) fn write_note(&self) {
        self.archive_note.iter().for_each(|note| note.write(self.path()));
    }
}
