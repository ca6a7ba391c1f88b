//! The journal's file: beside the archive or in the folder for application state. Locked, appended to, synced in the
//! background, and recovered after a crash. `wad::journal` defines its content.

use std::borrow::Cow;
use std::cell::Cell;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;

use crate::app::journal::archive_note::ArchiveNote;
use crate::app::journal::compaction::Compacting;
use crate::app::journal::lock::{Held, Lock, Shared};
use crate::app::journal::opening::header_hash_in;
pub use crate::app::journal::opening::{Opening, holder, is_journal_at, open, open_fresh, open_locked, open_with};
use crate::app::journal::records::{OpenFile, create};
pub use crate::app::journal::recover::TAKING;
use crate::app::journal::recover::{Found, ORPHAN, UNREAD};
use crate::app::journal::sync::Syncer;
use crate::app::own_files::{self, Access, FileNumber, Stamp, with_ending};
use crate::app::regular_files;
use crate::assets::project::Project;
use crate::wad::archive::Archive;
use crate::wad::error::WadError;
use crate::wad::journal::{Event, read, rebase_from, whole};
use crate::wad::kind::Kind;
use crate::wad::pack::Lump;

pub mod archive_note;
pub mod compaction;
pub mod kept;
pub mod lock;
pub mod moved;
mod opening;
pub mod places;
mod records;
mod recover;
pub mod register;
pub mod setting_aside;
mod stand_in;
pub mod starts;
mod sync;
mod taking;

/// The ending of the journal of an archive that is being saved.
const NEXT: &str = ".next";
/// The ending of a journal that is being written again.
const REWRITTEN: &str = ".rewritten";

/// Why the journal can't be written.
#[derive(Debug, Error)]
#[allow(missing_docs)]
pub enum JournalError {
    #[error("the journal {} could not be written ({source})", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("the journal {} could not be written: {reason}", path.display())]
    Content { path: PathBuf, reason: String },
    #[error("another program deleted or replaced the journal {} or its lock", path.display())]
    Lost { path: PathBuf },
    #[error("another program changed {}, which the journal belongs to", path.display())]
    Archive { path: PathBuf },
}

/// The journal of a document, locked against other editors until it is dropped.
#[derive(Debug)]
pub struct JournalFile {
    path: PathBuf,
    base: u64,
    /// Written before the first step if there is no archive to start from.
    start: Option<Event>,
    /// Created by the first append: a document that is only viewed leaves no file.
    open: Option<OpenFile>,
    /// The archive's content; `None` without one.
    archive: Option<Arc<Project>>,
    /// The archive's file when it was last found to be that of `base`.
    seen: Cell<Option<Stamp>>,
    /// The number that the file had then, also after it was moved.
    number: Cell<Option<FileNumber>>,
    /// While a save is in progress: the event that says so.
    saving: Option<Event>,
    /// Whether a save is in progress or about to begin.
    is_held: bool,
    /// The archive was saved, but the journal doesn't know it.
    is_stale: bool,
    /// What is added to the numbers of steps in events to get their numbers in the file.
    shift: i64,
    compaction: Compacting,
    lock: Option<Lock>,
    /// The path under which the document is saved; `None` without one.
    file: Option<PathBuf>,
    /// The archive of a journal that is not beside it.
    archive_note: Option<ArchiveNote>,
    /// The lock of the file whose journal this one stands in for.
    home: Option<Held>,
    /// The locks of the archives below a patch.
    below: Vec<Shared>,
    /// What became of other journals when this one was begun.
    notes: Vec<String>,
    syncer: Syncer,
}

/// The permissions of the files of a journal: those of its archive, or the user's alone.
fn access(journal: &Path) -> Access {
    let archive = journal.with_extension("");
    if archive.is_file() { Access::Of(archive) } else { Access::Private }
}

/// The path of an archive's journal: beside it.
pub fn beside(archive: &Path) -> PathBuf {
    with_ending(archive, ".journal")
}

/// The path of the journal of a document without its own archive (untitled, imported, read-only): in the folder for
/// application state, under a name derived from the document's. Paths are given as their bytes: two that differ only in bytes
/// that are no Unicode are two documents.
pub fn in_state_folder(folder: &Path, document: impl AsRef<[u8]>) -> PathBuf {
    let digest = xxhash_rust::xxh3::xxh3_64(document.as_ref());
    folder.join(format!("{digest:016x}.journal"))
}

impl JournalFile {
    fn new(path: &Path, base: u64, document_bytes: u64, lock: Option<Lock>) -> JournalFile {
        JournalFile {
            path: path.to_owned(),
            base,
            start: None,
            open: None,
            archive: None,
            seen: Cell::new(None),
            number: Cell::new(None),
            saving: None,
            is_held: false,
            is_stale: false,
            shift: 0,
            compaction: Compacting::new(document_bytes),
            lock,
            file: None,
            archive_note: None,
            home: None,
            below: Vec::new(),
            notes: Vec::new(),
            syncer: Syncer::start(),
        }
    }

    /// The path of the journal.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Moves the journal after a document was saved as a new archive: the same history beside that archive or, for a
    /// patch, whose `new_base` is empty, in the folder for application state. `None` if that fails; the archive is
    /// saved in any case. One that stands in for the journal at `path` stays as it is then.
    pub fn moved_to(mut self, path: &Path, new_base: &[u8]) -> Option<JournalFile> {
        let is_home = self.release(path);
        let Some(mut moved) = JournalFile::beside_new(path, new_base) else {
            return is_home.then(|| self.locked_again(path));
        };
        if let Some(open) = &self.open {
            // At its path may be another's.
            let recorded = own_files::read_back(&open.file).ok();
            let recorded = recorded.and_then(|recorded| rebase_from(&recorded, &self.old_base()?, new_base).ok());
            // If it can't be rebased on the new archive, the recorder writes it again.
            moved.is_stale = recorded.is_none_or(|(bytes, from)| {
                moved.shift = self.shift.saturating_sub_unsigned(from as u64);
                moved.replace_with(&bytes).is_err()
            });
        } else if new_base.is_empty() {
            // Nothing was written yet, and no archive will contain the start.
            let lumps = || Archive::open(&self.old_base()?).ok()?.to_lumps().ok();
            let authored = |lumps: Vec<Lump>| lumps.into_iter().filter(|lump| lump.kind != Kind::BAKED).collect();
            moved.start = self.start.clone().or_else(|| Some(Event::Start { lumps: authored(lumps()?) }));
        }
        self.close();
        Some(moved)
    }

    /// The journal of an archive that was just written. An existing one of another session is renamed; if it belongs to this very
    /// archive, it is found again when the file is opened the next time.
    pub fn beside_new(path: &Path, base: &[u8]) -> Option<JournalFile> {
        let Opening { journal, recovered, mut notes, .. } = open(path, base).ok()?;
        let mut journal = journal?;
        if recovered.is_some() {
            journal.open = None;
            let found = Found { path, base, hash: journal.base };
            // Nothing was recovered here.
            notes.clear();
            found.set_aside(path, UNREAD, "another one was begun", &mut notes);
        }
        journal.notes = notes;
        Some(journal)
    }

    /// What became of other journals when this one was begun: sentences for the user, once.
    pub fn take_notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notes)
    }

    /// Replaces the whole journal by these records. The old one stays until that is done.
    fn replace_with(&mut self, bytes: &[u8]) -> Result<(), JournalError> {
        self.check()?;
        if self.open.is_none() && own_files::is_taken(&self.path) {
            return Err(JournalError::Lost { path: self.path.clone() });
        }
        let path = with_ending(&self.path, REWRITTEN);
        let content = |error: WadError| JournalError::Content { path: path.clone(), reason: error.to_string() };
        let records = read(bytes).map_err(content)?;
        self.make_room(&path);
        self.write_note();
        let recorded = OpenFile::holding(&path, &self.path, bytes, &records).map_err(in_file(&path))?;
        register::add(&self.path);
        fs::rename(&path, &self.path).map_err(in_file(&self.path))?;
        (self.open, self.start) = (Some(recorded), None);
        own_files::sync_folder_of(&self.path).map_err(in_file(&self.path))
    }

    /// Renames a journal that a failed save left under this name. What is no journal stays, and is an error of the next call.
    fn make_room(&self, path: &Path) {
        if own_files::open_to_read(path).is_ok() {
            let found = Found { path: &self.path, base: &[], hash: self.base };
            found.set_aside(path, ORPHAN, "it was in the way of a save", &mut Vec::new());
        }
    }

    /// The archive that the journal starts from, if it is unchanged.
    fn old_base(&self) -> Option<Vec<u8>> {
        if self.base == 0 {
            return Some(Vec::new());
        }
        let archive = self.path.with_extension("");
        let bytes = regular_files::read_archive(&archive).ok()?;
        let is_it = Archive::open(&bytes).is_ok_and(|archive| archive.header().hash == self.base);
        is_it.then_some(bytes)
    }

    /// The header hash of the archive that the journal starts from; zero without one.
    pub fn base(&self) -> u64 {
        self.base
    }

    /// Returns false if the journal starts from no archive.
    pub fn has_base(&self) -> bool {
        self.base != 0
    }

    /// Sets the event to write before the first append: the initial document, if there is no archive.
    pub fn start_with(&mut self, start: Event) {
        self.start = Some(start);
    }

    /// Appends an event with one write. After it returns, a crash of the program doesn't lose the event; a power
    /// failure does for a fraction of a second.
    pub fn append(&mut self, event: &Event) -> Result<(), JournalError> {
        self.check()?;
        let session = event;
        let event = &*self.numbered(event)?;
        if self.open.is_none() {
            let _ = self.path.parent().map(fs::create_dir_all);
            self.write_note();
            let mut open = create(&self.path, self.base).map_err(in_file(&self.path))?;
            for first in self.start.iter().chain(&self.saving) {
                let written = open.append(&self.path, first);
                // An empty journal is in nobody's way, but the next append creates it again.
                written.inspect_err(|_| drop(fs::remove_file(&self.path)))?;
            }
            (self.start, self.open) = (None, Some(open));
            register::add(&self.path);
            self.syncer.add_name(&self.path);
        }
        if let Some(open) = &mut self.open {
            open.append(&self.path, event)?;
            self.syncer.add(&open.file);
        }
        self.compaction.note(session);
        Ok(())
    }

    fn numbered<'a>(&self, event: &'a Event) -> Result<Cow<'a, Event>, JournalError> {
        let reason = || "it does not reach back to that step".to_owned();
        numbered(event, self.shift).ok_or_else(|| JournalError::Content { path: self.path.clone(), reason: reason() })
    }

    /// How many steps lead to the first state that the journal holds.
    pub fn first(&self) -> usize {
        usize::try_from(self.shift.saturating_neg()).unwrap_or(0)
    }

    /// Keeps the journal from being shortened until a save has finished or was abandoned. Returns how many steps lead to the
    /// first state that it holds.
    pub fn hold(&mut self) -> usize {
        self.compaction.cancel();
        self.is_held = true;
        self.first()
    }

    /// Prepares a save: notes what changes the new archive to the oldest state, an [`Event::Saved`]. If that fails, the archive
    /// may be written all the same; the journal is stale afterwards, until [`JournalFile::rewrite`]. Returns the file, which
    /// must be on the disk before the archive is.
    pub fn begin_save(&mut self, saved: Event) -> Result<Option<Arc<File>>, JournalError> {
        self.hold();
        self.saving = None;
        let saved = self.numbered(&saved)?.into_owned();
        if let Some(open) = &mut self.open {
            open.append(&self.path, &saved)?;
        }
        self.saving = Some(saved);
        Ok(self.open.as_ref().map(|open| open.file.clone()))
    }

    /// Returns true after a save whose history could not be rebased on the new archive.
    pub fn is_stale(&self) -> bool {
        self.is_stale
    }

    /// Writes a history again. The first event leads to the state after `first` steps.
    pub fn rewrite(&mut self, events: &[Event], first: usize) -> Result<(), JournalError> {
        let path = self.path.clone();
        let content = |error: WadError| JournalError::Content { path: path.clone(), reason: error.to_string() };
        self.compaction.cancel();
        self.replace_with(&whole(events, self.base).map_err(content)?)?;
        self.compaction.has_written(self.bytes());
        (self.is_stale, self.shift) = (false, shift_of(first));
        // What a save in progress noted was in the old file: after it, the history is written once more.
        self.saving = None;
        Ok(())
    }

    /// Completes a save: the archive has that header hash and content now.
    pub fn finish_save(&mut self, hash: u64, archive: &Arc<Project>, bytes: u64) {
        let is_noted = self.saving.take().is_some();
        self.is_held = false;
        self.is_stale = self.open.is_some() && !is_noted;
        if self.open.is_none() {
            self.start = None;
        }
        (self.base, self.compaction.document_bytes) = (hash, bytes);
        self.know_archive(archive);
        self.seen.set(None);
        self.number.set(None);
        self.has_its_archive();
    }

    /// Cancels a save: the journal belongs to the old archive.
    pub fn abandon_save(&mut self) {
        (self.saving, self.is_held) = (None, false);
    }

    /// Sets the content of the archive that the journal belongs to. Without it, the journal is not compacted.
    pub fn know_archive(&mut self, archive: &Arc<Project>) {
        self.archive = Some(archive.clone()).filter(|_| self.has_base());
    }

    /// The content of the archive that the journal belongs to; nothing if it belongs to none.
    pub fn archive(&self) -> Arc<Project> {
        self.archive.clone().unwrap_or_default()
    }

    /// Whether the lock and the journal that this writes are still at their paths. Another program may have deleted or
    /// replaced them, or their folder.
    pub fn is_intact(&self) -> bool {
        let is_there = |open: &OpenFile| own_files::is_still_at(&open.file, &self.path);
        lock::is_ours(self.lock.as_ref(), &self.path) && self.open.as_ref().is_none_or(is_there)
    }

    /// Whether the journal has a file.
    pub fn is_written(&self) -> bool {
        self.open.is_some()
    }

    /// What another program did to a journal that was written, in a sentence.
    pub fn loss(&self) -> Option<String> {
        self.check().err().filter(|_| self.is_written()).map(|error| error.to_string())
    }

    /// Finds the number of the archive's file: from now on, the file is known at any path.
    fn find_archive(&self) {
        self.has_its_archive();
    }

    /// Whether the archive is the one that the journal starts from. While it is saved, it is either.
    fn has_its_archive(&self) -> bool {
        if !self.has_base() || self.is_held {
            return true;
        }
        let archive = self.path.with_extension("");
        // A link leads to where another one looks for the journal.
        let is_link = fs::symlink_metadata(&archive).is_ok_and(|about| about.is_symlink());
        let stamp = own_files::retried(|| Stamp::of(&archive)).ok().filter(|_| !is_link);
        if stamp.is_some() && stamp == self.seen.get() {
            return true;
        }
        let is_it =
            !is_link && own_files::retried(|| header_hash_in(&archive)).is_ok_and(|hash| hash == Some(self.base));
        self.seen.set(stamp.filter(|_| is_it));
        if let Some(seen) = self.seen.get() {
            self.number.set(seen.number());
        }
        is_it
    }

    fn check(&self) -> Result<(), JournalError> {
        match self.is_intact() {
            true if self.has_its_archive() => Ok(()),
            true => Err(JournalError::Archive { path: self.path.with_extension("") }),
            false => Err(JournalError::Lost { path: self.path.clone() }),
        }
    }

    /// Deletes the journal, because the document was saved or discarded. What is another's by now stays.
    pub fn close(mut self) {
        self.syncer.forget();
        let is_intact = self.is_intact();
        // Without one of its own, what lies there is of others.
        if self.open.take().is_some() && is_intact {
            let _ = fs::remove_file(&self.path);
            self.forget();
        }
        lock::remove(&self.path, self.lock.as_ref());
        self.home.take().into_iter().for_each(Held::close);
    }

    /// Deletes what leads to the journal, which was deleted.
    fn forget(&self) {
        archive_note::remove(&self.path);
        register::remove(&self.path);
    }

    /// Why the last append may not be on the disk, once.
    pub fn error(&self) -> Option<String> {
        self.syncer.error()
    }

    /// Returns true if the disk did not confirm an append, until [`JournalFile::error`] returned the reason.
    pub fn has_failed(&self) -> bool {
        self.syncer.has_failed()
    }

    /// Notes that the disk did not confirm a sync of the journal.
    pub fn sync_failed(&self, error: &io::Error) {
        self.syncer.report(error);
    }

    /// Waits until everything is on the disk; nothing can be appended afterwards. The error is a sentence.
    pub fn finish(&mut self) -> Result<(), String> {
        self.loss().map_or(Ok(()), Err)?;
        self.syncer.finish().map_or(Ok(()), Err)
    }
}

/// An event with the numbers of steps that a file has; `None` if the step is before its first one.
fn numbered(event: &Event, shift: i64) -> Option<Cow<'_, Event>> {
    let in_file = |number: u32| u32::try_from(i64::from(number).checked_add(shift)?).ok();
    Some(match event {
        Event::Position { done, place } => Cow::Owned(Event::Position { done: in_file(*done)?, place: place.clone() }),
        Event::Saved { base, from, lumps } => {
            Cow::Owned(Event::Saved { base: *base, from: in_file(*from)?, lumps: lumps.clone() })
        }
        Event::Start { .. } | Event::Step { .. } | Event::Place(_) => Cow::Borrowed(event),
    })
}

/// What is added to the number of a step, if the file starts with that step's state.
fn shift_of(first: usize) -> i64 {
    i64::try_from(first).map_or(0, |first| -first)
}

/// Identifies the state of an archive; zero without one.
pub fn header_hash(base: &[u8]) -> u64 {
    if base.is_empty() { 0 } else { Archive::open(base).map_or(0, |archive| archive.header().hash) }
}

fn in_file(path: &Path) -> impl Fn(io::Error) -> JournalError {
    let path = path.to_owned();
    move |source| JournalError::Write { path: path.clone(), source }
}
