//! A note beside each journal in the folder for application state: of which archive it is. By it, the journal is found after the
//! archive was renamed or moved, and isn't taken for one of another archive that has the path by now.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use crate::app::folders;
use crate::app::journal::opening::header_hash_in;
use crate::app::journal::{JournalFile, TAKING, beside};
use crate::app::own_files::{self, Access, FileNumber, canonical, with_ending};
use crate::app::regular_files::read_archive;
use crate::wad::equality::is_among;
use crate::wad::journal::{read, replay};

/// What the name of a note ends with, after that of the journal.
pub(super) const ENDING: &str = ".archive";
/// More than a note has: paths and digests of those that got the journal.
const MAX_BYTES: u64 = 1 << 20;
/// What a digest begins with.
const GIVEN: &str = "=";

/// An archive, as it was when a journal was begun or the archive was saved last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchiveNote {
    pub(super) path: PathBuf,
    /// What it was; after another program changed it while it was open, what it has become as well.
    states: Vec<State>,
    /// The digests of the paths to which the journal was handed out, as it may be of the archives there.
    given: Vec<u64>,
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

    /// Hexadecimal digits: the hash and, if there are any, the numbers of disk and file and the time when it was made, with colons
    /// between them.
    fn text(&self) -> String {
        let number = self.number;
        let words = [number.map(|it| it.disk), number.map(|it| it.file), number.and_then(|it| it.born)];
        words.into_iter().flatten().fold(format!("{:016x}", self.hash), |text, word| format!("{text}:{word:x}"))
    }

    fn read(text: &str) -> Option<State> {
        let numbers =
            text.split(':').map(|digits| u64::from_str_radix(digits, 16).ok()).collect::<Option<Vec<u64>>>()?;
        match numbers[..] {
            [hash] => Some(State { hash, number: None }),
            [hash, disk, file] => Some(State { hash, number: Some(FileNumber { disk, file, born: None }) }),
            [hash, disk, file, born] => Some(State { hash, number: Some(FileNumber { disk, file, born: Some(born) }) }),
            _ => None,
        }
    }
}

impl ArchiveNote {
    pub(super) fn new(path: PathBuf, state: State) -> ArchiveNote {
        ArchiveNote { path, states: vec![state], given: Vec::new() }
    }

    /// Three lines: the states, with the digests after them; the path; the hash of both lines. `None` of a path that is not Unicode.
    fn text(&self) -> Option<String> {
        let given = self.given.iter().map(|digest| format!("{GIVEN}{digest:016x}"));
        let words: Vec<String> = self.states.iter().map(State::text).chain(given).collect();
        let lines = format!("{}\n{}\n", words.join(" "), self.path.to_str()?);
        Some(format!("{lines}{:016x}\n", xxh3_64(lines.as_bytes())))
    }

    pub(super) fn read(journal: &Path) -> Option<ArchiveNote> {
        let path = with_ending(journal, ENDING);
        if fs::metadata(&path).is_ok_and(|about| about.len() > MAX_BYTES) {
            return None;
        }
        let bytes = own_files::read(&path).ok().flatten()?;
        let text = std::str::from_utf8(&bytes).ok()?;
        let (words, rest) = text.split_once('\n')?;
        // A path may have line breaks.
        let (path, _) = rest.strip_suffix('\n')?.rsplit_once('\n')?;
        let mut note = ArchiveNote { path: path.into(), states: Vec::new(), given: Vec::new() };
        for word in words.split(' ') {
            match word.strip_prefix(GIVEN) {
                Some(digest) => note.given.push(u64::from_str_radix(digest, 16).ok()?),
                None => note.states.push(State::read(word)?),
            }
        }
        (note.text()? == text).then_some(note)
    }

    /// Writes the note of a journal, on the disk, in place of an older one. If that fails, the older one stays.
    pub(super) fn write(&self, journal: &Path) {
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

    /// Whether this is the file of the archive, with a content that it had.
    pub(super) fn is_file(&self, state: State) -> bool {
        state.number.is_some() && self.states.contains(&state)
    }

    /// Whether it has a number of the archive.
    pub(super) fn has_numbers(&self) -> bool {
        self.states.iter().any(|state| state.number.is_some())
    }

    /// Whether the file at a path has a number that the archive had.
    pub(super) fn has_number_of(&self, path: &Path) -> bool {
        let number = own_files::number_at(path);
        number.is_some() && self.states.iter().any(|state| state.number == number)
    }

    /// Whether it is about the same states as another note.
    pub(super) fn has_states_of(&self, other: &ArchiveNote) -> bool {
        self.states == other.states
    }

    /// Whether the journal was handed out to an archive before.
    pub(super) fn is_given(&self, archive: &Path) -> bool {
        self.given.contains(&digest(archive))
    }

    /// Notes that the journal was handed out to an archive.
    pub(super) fn give(mut self, journal: &Path, archive: &Path) {
        self.given.push(digest(archive));
        self.write(journal);
    }

    /// Whether the archive is no longer at its path: another file, or something else, is there, or a link leads from there. In doubt, it
    /// is still there.
    pub(super) fn is_gone(&self, journal: &Path) -> bool {
        if fs::symlink_metadata(&self.path).is_ok_and(|about| !about.is_file()) || canonical(&self.path) != self.path {
            return true;
        }
        match own_files::retried(|| header_hash_in(&self.path)) {
            Ok(Some(hash)) => !self.is_of(hash) && !has_content(journal, &self.path),
            Ok(None) => true,
            Err(error) => matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory),
        }
    }
}

/// Identifies a path.
fn digest(path: &Path) -> u64 {
    xxh3_64(path.as_os_str().as_encoded_bytes())
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
        ArchiveNote::new(path, state).write(journal);
    }
}

/// Whether a journal in the folder for application state is noted to be of another archive than the one that has its path now.
pub fn is_of_another(journal: &Path, archive: &Path) -> bool {
    let state = State::of(archive);
    let is_other = ArchiveNote::read(journal).is_some_and(|note| state.is_some_and(|state| !note.is_of(state.hash)));
    is_other && !has_content(journal, archive)
}

impl JournalFile {
    /// Notes of which archive this is, if it is not beside it.
    pub fn note_archive(&mut self, archive: &Path) {
        let path = canonical(archive);
        if self.path() != beside(&path)
            && let Some(state) = State::of(&path)
        {
            self.note_as(Some(ArchiveNote::new(path, state)));
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
        let state = || State { hash: self.base(), number: self.number.get() };
        let of_base = || ArchiveNote::new(self.path().with_extension(""), state());
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
