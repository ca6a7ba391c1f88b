//! The journal's file: beside the archive or in the folder for application state. Locked, appended to, synced in the
//! background, and recovered after a crash. `wad::journal` defines its content.

use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;

use crate::app::journal::lock::Lock;
use crate::app::journal::recover::{Found, ORPHAN};
use crate::app::journal::sync::Syncer;
use crate::app::own_files::{self, Access, with_ending};
use crate::wad::archive::Archive;
use crate::wad::error::WadError;
use crate::wad::journal::{Event, Replayed, head, read, rebase, record};
use crate::wad::kind::Kind;
use crate::wad::pack::Lump;

pub mod lock;
mod recover;
mod sync;

/// The ending of the journal of an archive that is being saved.
const NEXT: &str = ".next";
/// The ending of a journal that is being written again.
const REWRITTEN: &str = ".rewritten";

/// Why the journal can't be written.
#[derive(Debug, Error)]
#[allow(missing_docs)]
pub enum JournalError {
    #[error("the journal {} could not be written ({source}); save or free some space, because a crash would lose edits", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("the journal {} could not be written: {reason}", path.display())]
    Content { path: PathBuf, reason: String },
}

/// The result of opening a document's journal.
#[derive(Debug)]
pub struct Opening {
    /// The journal to append to; `None` if another editor has it.
    pub journal: Option<JournalFile>,
    /// The editor that has the document, if any: "process 12 on desk".
    pub holder: Option<String>,
    /// The unsaved work of the previous session with its undo history.
    pub recovered: Option<Replayed>,
    /// Other journals of this document that can't be continued in this one.
    pub others: Vec<PathBuf>,
    /// Messages for the user, one sentence each.
    pub notes: Vec<String>,
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
    /// While a save is in progress, appends are written to the next journal as well.
    next: Option<(PathBuf, u64, OpenFile)>,
    /// The archive was saved, but the history could not be rebased on it.
    is_stale: bool,
    _lock: Option<Lock>,
    syncer: Syncer,
}

#[derive(Debug)]
struct OpenFile {
    file: Arc<File>,
    sequence: u64,
    whole_bytes: u64,
    /// A part of a record follows the whole ones.
    is_torn: bool,
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
/// application state, under a name derived from the document's.
pub fn in_state_folder(folder: &Path, document: &str) -> PathBuf {
    let digest = xxhash_rust::xxh3::xxh3_64(document.as_bytes());
    folder.join(format!("{digest:016x}.journal"))
}

/// Opens the journal at `path` of a document whose archive's bytes are `base` (empty without one), and recovers its
/// content.
pub fn open(path: &Path, base: &[u8]) -> Result<Opening, JournalError> {
    open_with(path, base, &[])
}

/// As [`open`]. The work of this document may also be in the journals `elsewhere`: they are taken in where possible.
pub fn open_with(path: &Path, base: &[u8], elsewhere: &[PathBuf]) -> Result<Opening, JournalError> {
    let mut notes = Vec::new();
    let lock = match lock::take(path) {
        Ok(lock) => lock,
        Err(holder) => {
            return Ok(Opening { journal: None, holder: Some(holder), recovered: None, others: Vec::new(), notes });
        }
    };
    let found = Found { path, base, hash: header_hash(base) };
    for ending in [NEXT, REWRITTEN] {
        found.settle_interrupted_save(ending, &mut notes);
    }
    let others = found.take_in(elsewhere, &mut notes);
    let (open, recovered) = found.recover(&mut notes).unzip();
    let journal = JournalFile {
        path: path.to_owned(),
        base: found.hash,
        start: None,
        open,
        next: None,
        is_stale: false,
        _lock: lock,
        syncer: Syncer::start(),
    };
    Ok(Opening { journal: Some(journal), holder: None, recovered, others, notes })
}

/// The editor that has the archive open, if that can be determined.
pub fn holder(archive: &Path) -> Option<String> {
    lock::holder(&beside(archive))
}

impl JournalFile {
    /// The path of the journal.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Moves the journal after a document was saved as a new archive: the same history beside that archive or, for a
    /// patch, whose `new_base` is empty, in the folder for application state. `None` if that fails; the archive is
    /// saved in any case.
    pub fn moved_to(self, path: &Path, new_base: &[u8]) -> Option<JournalFile> {
        let mut moved = JournalFile::beside_new(path, new_base)?;
        if self.open.is_some() {
            let recorded = fs::read(&self.path).ok();
            let recorded = recorded.and_then(|recorded| rebase(&recorded, &self.old_base()?, new_base).ok());
            // If it can't be rebased on the new archive, the recorder writes it again.
            moved.is_stale = recorded.is_none_or(|bytes| moved.replace_with(&bytes).is_err());
        } else if new_base.is_empty() {
            // Nothing was written yet, and no archive will contain the start.
            let lumps = || Archive::open(&self.old_base()?).ok()?.to_lumps().ok();
            let authored = |lumps: Vec<Lump>| lumps.into_iter().filter(|lump| lump.kind != Kind::BAKED).collect();
            moved.start = self.start.clone().or_else(|| Some(Event::Start { lumps: authored(lumps()?) }));
        }
        self.close();
        Some(moved)
    }

    /// The journal of an archive that was just written. An existing one of another session is renamed.
    pub fn beside_new(path: &Path, base: &[u8]) -> Option<JournalFile> {
        let Opening { journal, recovered, mut notes, .. } = open(path, base).ok()?;
        let mut journal = journal?;
        if recovered.is_some() {
            journal.open = None;
            let found = Found { path, base, hash: journal.base };
            found.set_aside(path, ORPHAN, "the archive was written over", &mut notes);
        }
        Some(journal)
    }

    /// Replaces the whole journal by these records. The old one stays until that is done.
    fn replace_with(&mut self, bytes: &[u8]) -> Result<(), JournalError> {
        let path = with_ending(&self.path, REWRITTEN);
        let content = |error: WadError| JournalError::Content { path: path.clone(), reason: error.to_string() };
        let records = read(bytes).map_err(content)?.events.len() as u64;
        self.make_room(&path);
        let recorded = OpenFile::holding(&path, &self.path, bytes, records).map_err(in_file(&path))?;
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
        let bytes = fs::read(archive).ok()?;
        let is_it = Archive::open(&bytes).is_ok_and(|archive| archive.header().hash == self.base);
        is_it.then_some(bytes)
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
        if self.open.is_none() {
            let mut open = create(&self.path).map_err(in_file(&self.path))?;
            if let Some(start) = &self.start {
                let written = open.append(&self.path, start, self.base);
                // An empty journal is in nobody's way, but the next append creates it again.
                written.inspect_err(|_| drop(fs::remove_file(&self.path)))?;
            }
            (self.start, self.open) = (None, Some(open));
            self.syncer.add_name(&self.path);
        }
        if let Some(open) = &mut self.open {
            open.append(&self.path, event, self.base)?;
            self.syncer.add(&open.file);
        }
        if let Some((path, base, next)) = &mut self.next {
            match next.append(path, event, *base) {
                Ok(()) => self.syncer.add(&next.file),
                // The event is in this journal; after the save, the whole history is written again.
                Err(_) => self.abandon_save(),
            }
        }
        Ok(())
    }

    /// Prepares a save: rebases the history on the new archive, in another file. If that fails, the archive may be
    /// written all the same; the journal is stale afterwards, until [`JournalFile::rewrite`].
    pub fn begin_save(&mut self, old_base: &[u8], new_base: &[u8]) -> Result<(), JournalError> {
        self.abandon_save();
        if self.open.is_none() {
            return Ok(());
        }
        let path = with_ending(&self.path, NEXT);
        let content = |reason: String| JournalError::Content { path: path.clone(), reason };
        if self.base != header_hash(old_base) {
            return Err(content("another program changed the archive".into()));
        }
        let recorded = fs::read(&self.path).map_err(in_file(&self.path))?;
        let bytes = rebase(&recorded, old_base, new_base).map_err(|error| content(error.to_string()))?;
        let counted = read(&bytes).map_err(|error| content(error.to_string()))?;
        self.make_room(&path);
        let count = counted.events.len() as u64;
        let next = OpenFile::holding(&path, &self.path, &bytes, count).map_err(in_file(&path))?;
        self.next = Some((path, header_hash(new_base), next));
        Ok(())
    }

    /// Returns true after a save whose history could not be rebased on the new archive.
    pub fn is_stale(&self) -> bool {
        self.is_stale
    }

    /// Writes a whole history again, starting from the archive whose bytes are `base`.
    pub fn rewrite(&mut self, events: &[Event], base: &[u8]) -> Result<(), JournalError> {
        let (hash, path) = (header_hash(base), self.path.clone());
        let content = |error: WadError| JournalError::Content { path: path.clone(), reason: error.to_string() };
        let mut bytes = head();
        for (event, sequence) in events.iter().zip(0..) {
            bytes.extend(record(event, sequence, hash).map_err(content)?);
        }
        self.replace_with(&bytes)?;
        (self.base, self.is_stale) = (hash, false);
        Ok(())
    }

    /// Completes a save: the new journal replaces the old one. `hash` is the archive's.
    pub fn finish_save(&mut self, hash: u64) {
        let Some((path, base, next)) = self.next.take() else {
            self.is_stale = self.open.is_some();
            if !self.is_stale {
                (self.base, self.start) = (hash, None);
            }
            return;
        };
        self.is_stale = fs::rename(&path, &self.path).is_err();
        if !self.is_stale {
            self.syncer.add(&next.file);
            self.syncer.add_name(&self.path);
            (self.open, self.base) = (Some(next), base);
        }
    }

    /// Cancels a save: the old journal stays.
    pub fn abandon_save(&mut self) {
        if let Some((path, _, next)) = self.next.take() {
            drop(next);
            let _ = fs::remove_file(path);
        }
    }

    /// Deletes the journal, because the document was saved or discarded.
    pub fn close(mut self) {
        self.abandon_save();
        self.syncer.forget();
        // Without one of its own, what lies there is of others.
        if self.open.take().is_some() {
            let _ = fs::remove_file(&self.path);
        }
        lock::remove(&self.path);
    }

    /// Why the last append may not be on the disk, for the banner.
    pub fn error(&self) -> Option<String> {
        self.syncer.error()
    }

    /// Waits until everything is on the disk; the journal stays. The error is a sentence.
    pub fn finish(mut self) -> Result<(), String> {
        self.syncer.finish().map_or(Ok(()), Err)
    }
}

impl OpenFile {
    /// Creates a file with these records, on the disk, with the permissions of a journal.
    fn holding(path: &Path, journal: &Path, bytes: &[u8], records: u64) -> io::Result<OpenFile> {
        let file = Arc::new(own_files::write_new(path, bytes, access(journal))?);
        Ok(OpenFile { file, sequence: records, whole_bytes: bytes.len() as u64, is_torn: false })
    }

    fn append(&mut self, path: &Path, event: &Event, base: u64) -> Result<(), JournalError> {
        let content = |reason| JournalError::Content { path: path.to_owned(), reason };
        let bytes = record(event, self.sequence, base).map_err(|error| content(error.to_string()))?;
        if self.is_torn {
            self.cut().map_err(in_file(path))?;
        }
        if let Err(source) = (&*self.file).write_all(&bytes) {
            // A partial record would hide all that follow.
            self.is_torn = true;
            let _ = self.cut();
            return Err(JournalError::Write { path: path.to_owned(), source });
        }
        self.sequence += 1;
        self.whole_bytes += bytes.len() as u64;
        Ok(())
    }

    /// Cuts off a part of a record.
    fn cut(&mut self) -> io::Result<()> {
        let at = self.whole_bytes;
        (&*self.file).seek(SeekFrom::Start(at)).and_then(|_| self.file.set_len(at))?;
        self.is_torn = false;
        Ok(())
    }
}

fn create(path: &Path) -> io::Result<OpenFile> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut file = own_files::create(path, access(path))?;
    let written = file.write_all(&head());
    written.inspect_err(|_| drop(fs::remove_file(path)))?;
    Ok(OpenFile { file: Arc::new(file), sequence: 0, whole_bytes: head().len() as u64, is_torn: false })
}

/// Identifies the state of an archive; zero without one.
fn header_hash(base: &[u8]) -> u64 {
    if base.is_empty() { 0 } else { Archive::open(base).map_or(0, |archive| archive.header().hash) }
}

fn in_file(path: &Path) -> impl Fn(io::Error) -> JournalError {
    let path = path.to_owned();
    move |source| JournalError::Write { path: path.clone(), source }
}
