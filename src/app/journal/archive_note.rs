//! A note beside each journal in the folder for application state: of which archive it is. By it, the journal is found after the
//! archive was renamed or moved, and isn't taken for one of another archive that has the path by now.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use crate::app::folders;
use crate::app::journal::opening::header_hash_in;
use crate::app::journal::places::{elsewhere, is_left, spares, unread};
use crate::app::journal::{JournalFile, NEXT, REWRITTEN, TAKING, UNREAD, beside, lock};
use crate::app::own_files::{self, Access, FileNumber, canonical, with_ending};
use crate::app::regular_files::read_archive;
use crate::wad::equality::is_among;
use crate::wad::journal::{read, replay};

/// What the name of a note ends with, after that of the journal.
pub(super) const ENDING: &str = ".archive";

/// An archive, as it was when a journal was begun or the archive was saved last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchiveNote {
    pub(super) path: PathBuf,
    /// What it was; after another program changed it while it was open, what it has become as well.
    states: Vec<State>,
}

/// What identifies an archive at any path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct State {
    /// Its header hash.
    pub hash: u64,
    pub number: Option<FileNumber>,
}

impl State {
    /// `None` if the archive can't be read.
    pub fn of(archive: &Path) -> Option<State> {
        let number = own_files::number_at(archive);
        let hash = own_files::retried(|| header_hash_in(archive)).ok().flatten()?;
        Some(State { hash, number: number.filter(|number| own_files::number_at(archive) == Some(*number)) })
    }

    /// Hexadecimal digits: the hash and, if there are any, the numbers of disk and file, with colons between them.
    fn text(&self) -> String {
        match self.number {
            Some(FileNumber { disk, file }) => format!("{:016x}:{disk:x}:{file:x}", self.hash),
            None => format!("{:016x}", self.hash),
        }
    }

    fn read(text: &str) -> Option<State> {
        let numbers =
            text.split(':').map(|digits| u64::from_str_radix(digits, 16).ok()).collect::<Option<Vec<u64>>>()?;
        match numbers[..] {
            [hash] => Some(State { hash, number: None }),
            [hash, disk, file] => Some(State { hash, number: Some(FileNumber { disk, file }) }),
            _ => None,
        }
    }
}

impl ArchiveNote {
    /// Three lines: the states, the path, and the hash of both lines. `None` of a path that is not Unicode.
    fn text(&self) -> Option<String> {
        let states: Vec<String> = self.states.iter().map(State::text).collect();
        let lines = format!("{}\n{}\n", states.join(" "), self.path.to_str()?);
        Some(format!("{lines}{:016x}\n", xxh3_64(lines.as_bytes())))
    }

    pub(super) fn read(journal: &Path) -> Option<ArchiveNote> {
        let bytes = own_files::read(&with_ending(journal, ENDING)).ok().flatten()?;
        let text = std::str::from_utf8(&bytes).ok()?;
        let (states, rest) = text.split_once('\n')?;
        // A path may have line breaks.
        let (path, _) = rest.strip_suffix('\n')?.rsplit_once('\n')?;
        let note =
            ArchiveNote { path: path.into(), states: states.split(' ').map(State::read).collect::<Option<_>>()? };
        (note.text()? == text).then_some(note)
    }

    /// Writes the note of a journal, on the disk, in place of an older one. If that fails, the older one stays.
    fn write(&self, journal: &Path) {
        if ArchiveNote::read(journal).as_ref() == Some(self) {
            return;
        }
        let Some(text) = self.text() else { return remove(journal) };
        let path = with_ending(journal, ENDING);
        own_files::sweep(&path, TAKING);
        let temporary = own_files::temporary(&path, TAKING);
        if own_files::write_temporary(&temporary, text.as_bytes(), Access::Private).is_ok() {
            let _ = fs::rename(&temporary, &path).inspect_err(|_| drop(fs::remove_file(&temporary)));
        }
    }

    /// Whether the archive had this content.
    pub(super) fn is_of(&self, hash: u64) -> bool {
        self.states.iter().any(|state| state.hash == hash)
    }

    /// The numbers that the file of the archive had with this content.
    pub(super) fn numbers(&self, hash: u64) -> impl Iterator<Item = FileNumber> {
        self.states.iter().filter(move |state| state.hash == hash).filter_map(|state| state.number)
    }

    /// Whether the archive is no longer at its path. In doubt, it is still there.
    pub(super) fn is_gone(&self, journal: &Path) -> bool {
        match own_files::retried(|| header_hash_in(&self.path)) {
            Ok(Some(hash)) => !self.is_of(hash) && !has_content(journal, &self.path),
            Ok(None) => true,
            Err(error) => matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory),
        }
    }
}

/// Whether an archive has the content of one of a journal's states: then it was saved by the editor that wrote the journal, though the
/// note may not say so. If either can't be read, it has not.
fn has_content(journal: &Path, archive: &Path) -> bool {
    let recorded = own_files::read(journal).ok().flatten().and_then(|bytes| read(&bytes).ok());
    let replayed = recorded.filter(|read| read.base == 0).and_then(|read| replay(&[], read).ok());
    let project = read_archive(archive).ok().and_then(|bytes| crate::wad::decode(&bytes).ok()).map(|it| it.project);
    replayed.zip(project).is_some_and(|(replayed, project)| {
        is_among(replayed.steps.iter().rev().map(|step| &step.project).chain([&replayed.start]), &project)
    })
}

/// Deletes the note of a journal. Beside an archive, such a name belongs to others.
pub fn remove(journal: &Path) {
    if journal.parent().is_some_and(|folder| folders::state().as_deref() == Some(folder)) {
        let _ = fs::remove_file(with_ending(journal, ENDING));
    }
}

/// Writes the note of a journal that is about to be made of an archive. Without a journal, it says nothing.
pub fn write_for(archive: &Path, journal: &Path) {
    let path = canonical(archive);
    if let Some(state) = State::of(&path) {
        ArchiveNote { path, states: vec![state] }.write(journal);
    }
}

/// Whether a journal in the folder for application state is noted to be of another archive than the one that has its path now.
pub fn is_of_another(journal: &Path, archive: &Path) -> bool {
    let state = State::of(archive);
    let is_other = ArchiveNote::read(journal).is_some_and(|note| state.is_some_and(|state| !note.is_of(state.hash)));
    is_other && !has_content(journal, archive)
}

/// Makes a spare journal, with its note, of an archive's journal in the folder for application state that is of another archive: that had the
/// path before, and may be elsewhere now. `path` is the journal that this archive gets. Returns a sentence about it.
///
/// # Errors
///
/// If the journal can't be renamed: it must not be taken for one of this archive.
pub fn make_room(archive: &Path, path: &Path) -> Result<Option<String>, String> {
    let journal = elsewhere(archive).filter(|journal| is_left(journal) && is_of_another(journal, archive));
    let Some((journal, note)) = journal.and_then(|journal| Some((journal.clone(), ArchiveNote::read(&journal)?)))
    else {
        return Ok(None);
    };
    let Ok(lock) = lock::take(&journal) else { return Ok(None) };
    let failed = |error: &dyn std::fmt::Display| {
        format!("{}: unsaved changes of another file could not be set aside: {error}", journal.display())
    };
    let spare = spares(path).find(|path| !own_files::is_taken(path)).ok_or_else(|| failed(&"there are too many"))?;
    // The note first: without it, its own archive would not lead to it.
    note.write(&spare);
    if ArchiveNote::read(&spare).as_ref() != Some(&note) {
        return Err(failed(&"a note could not be written"));
    }
    let moved = move_all(&journal, &spare);
    lock::remove(&journal, lock.as_ref());
    moved.map_err(|error| failed(&error))?;
    remove(&journal);
    let name = archive.file_name().unwrap_or_default().to_string_lossy();
    Ok(Some(format!(
        "{name} is another file than the one in which unsaved changes were made under this name, so they are not shown in it"
    )))
}

/// Renames a journal, with what a session that was killed left of it. Without the journal itself, one that could not be read takes its name.
fn move_all(journal: &Path, to: &Path) -> io::Result<()> {
    let first = unread(journal).into_iter().next().filter(|_| !own_files::is_taken(journal));
    if let Some(first) = first {
        fs::rename(first, to)?;
    }
    for ending in ["", NEXT, REWRITTEN] {
        let from = with_ending(journal, ending);
        if own_files::is_taken(&from) {
            fs::rename(from, with_ending(to, ending))?;
        }
    }
    for left in unread(journal) {
        fs::rename(left, own_files::free_name(to, UNREAD)?)?;
    }
    Ok(())
}

/// Renames what second editors of an archive left, so that those of its new path find it. If another archive has its old path, what is
/// there stays.
pub fn bring_spares(from: &Path, path: &Path) {
    if own_files::is_taken(from) {
        return;
    }
    let old =
        [Some(beside(from)), elsewhere(from)].into_iter().flatten().flat_map(|old| spares(&old).collect::<Vec<_>>());
    // A spare journal with a note belongs to an archive that was there before.
    let own = old.filter(|spare| own_files::is_taken(spare) && ArchiveNote::read(spare).is_none());
    for spare in own.filter(|spare| !lock::is_used(spare)) {
        if let Some(free) = spares(path).find(|free| !own_files::is_taken(free)) {
            // If that fails, it stays where it is.
            let _ = fs::rename(spare, free);
        }
    }
}

impl JournalFile {
    /// Notes of which archive this is, if it is not beside it.
    pub fn note_archive(&mut self, archive: &Path) {
        let path = canonical(archive);
        if self.path() != beside(&path)
            && let Some(state) = State::of(&path)
        {
            self.note_as(Some(ArchiveNote { path, states: vec![state] }));
        }
    }

    /// Notes of which archive this is.
    pub fn note_as(&mut self, note: Option<ArchiveNote>) {
        self.archive_note = note;
        if self.is_written() {
            self.write_note();
        }
    }

    /// Notes as well what another program made of the archive while it is open: the work belongs to that, too.
    pub fn note_present(&mut self) {
        if let Some(mut note) = self.archive_note.clone() {
            note.states.extend(State::of(&note.path).filter(|state| !note.states.contains(state)));
            self.note_as(Some(note));
        }
    }

    /// Takes over the note that a journal has, if it has a file.
    pub(super) fn with_note(mut self) -> JournalFile {
        self.archive_note = if self.is_written() { ArchiveNote::read(self.path()) } else { None };
        self
    }

    /// The archive that this journal is of: the one that it is beside, or that it was noted to be of.
    pub fn archive_note(&self) -> Option<ArchiveNote> {
        let state = || State { hash: self.base(), number: self.number_of_archive() };
        let of_base = || ArchiveNote { path: self.path().with_extension(""), states: vec![state()] };
        self.archive_note.clone().or_else(|| self.has_base().then(of_base))
    }

    /// Writes the note of a journal that is about to be written, or deletes that of an earlier one.
    pub(super) fn write_note(&self) {
        match &self.archive_note {
            Some(note) => note.write(self.path()),
            None => remove(self.path()),
        }
    }
}
