//! The journal's file: beside the archive or in the folder for application state. Locked, appended to, synced in the
//! background, and recovered after a crash. `wad::journal` defines its content.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use thiserror::Error;

use crate::app::journal::lock::Lock;
use crate::wad::archive::Archive;
use crate::wad::error::WadError;
use crate::wad::journal::{Event, Replayed, head, read, rebase, record, replay};
use crate::wad::kind::Kind;
use crate::wad::pack::Lump;

pub mod lock;

/// Maximum time from an append to its sync: the edits that a power failure can cost, plus the disk's own delay.
const SYNC_AFTER: Duration = Duration::from_millis(200);

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
    worker: SyncSender<File>,
    error: Arc<Mutex<Option<String>>>,
}

#[derive(Debug)]
struct OpenFile {
    file: File,
    sequence: u64,
    whole_bytes: u64,
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
    let mut notes = Vec::new();
    let lock = match lock::take(path) {
        Ok(lock) => lock,
        Err(holder) => return Ok(Opening { journal: None, holder: Some(holder), recovered: None, notes }),
    };
    let hash = header_hash(base);
    settle_interrupted_save(path, hash, &mut notes);
    let (open, recovered) = match recover(path, base, hash, &mut notes) {
        Some((open, recovered)) => (Some(open), Some(recovered)),
        None => (None, None),
    };
    let error = Arc::default();
    let worker = spawn_worker(&error);
    let path = path.to_owned();
    let journal =
        JournalFile { path, base: hash, start: None, open, next: None, is_stale: false, _lock: lock, worker, error };
    Ok(Opening { journal: Some(journal), holder: None, recovered, notes })
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
            let _: Option<()> = set_aside(path, "the archive was written over", &mut notes);
        }
        Some(journal)
    }

    /// Replaces the whole journal by these records. The old one stays until that is done.
    fn replace_with(&mut self, bytes: &[u8]) -> Result<(), JournalError> {
        let path = with_ending(&self.path, ".rewritten");
        let content = |error: WadError| JournalError::Content { path: path.clone(), reason: error.to_string() };
        let records = read(bytes).map_err(content)?.events.len() as u64;
        let recorded = OpenFile::holding(&path, bytes, records).map_err(in_file(&path))?;
        fs::rename(&path, &self.path).map_err(in_file(&self.path))?;
        (self.open, self.start) = (Some(recorded), None);
        Ok(())
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
            if let Some(start) = self.start.take() {
                open.append(&self.path, &start, self.base)?;
            }
            self.open = Some(open);
        }
        if let Some(open) = &mut self.open {
            open.append(&self.path, event, self.base)?;
            let _ = open.file.try_clone().map(|file| self.worker.try_send(file));
        }
        if let Some((path, base, next)) = &mut self.next {
            next.append(path, event, *base)?;
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
        let path = with_ending(&self.path, ".next");
        let content = |reason: String| JournalError::Content { path: path.clone(), reason };
        if self.base != header_hash(old_base) {
            return Err(content("another program changed the archive".into()));
        }
        let recorded = fs::read(&self.path).map_err(in_file(&self.path))?;
        let bytes = rebase(&recorded, old_base, new_base).map_err(|error| content(error.to_string()))?;
        let counted = read(&bytes).map_err(|error| content(error.to_string()))?;
        let next = OpenFile::holding(&path, &bytes, counted.events.len() as u64).map_err(in_file(&path))?;
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
        self.open = None;
        let _ = fs::remove_file(&self.path);
        lock::remove(&self.path);
    }

    /// Why the last append may not be on the disk, for the banner.
    pub fn error(&self) -> Option<String> {
        self.error.lock().ok()?.take()
    }
}

impl OpenFile {
    /// Creates a file with these records, on the disk.
    fn holding(path: &Path, bytes: &[u8], records: u64) -> io::Result<OpenFile> {
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        file.set_len(0).and_then(|()| file.write_all(bytes)).and_then(|()| file.sync_all())?;
        Ok(OpenFile { file, sequence: records, whole_bytes: bytes.len() as u64 })
    }

    fn append(&mut self, path: &Path, event: &Event, base: u64) -> Result<(), JournalError> {
        let content = |reason| JournalError::Content { path: path.to_owned(), reason };
        let bytes = record(event, self.sequence, base).map_err(|error| content(error.to_string()))?;
        if let Err(source) = self.file.write_all(&bytes) {
            // A partial record would hide all that follow.
            let _ = self.file.set_len(self.whole_bytes);
            return Err(JournalError::Write { path: path.to_owned(), source });
        }
        self.sequence += 1;
        self.whole_bytes += bytes.len() as u64;
        Ok(())
    }
}

fn create(path: &Path) -> io::Result<OpenFile> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    file.set_len(0)?;
    file.write_all(&head())?;
    Ok(OpenFile { file, sequence: 0, whole_bytes: head().len() as u64 })
}

/// An interrupted save leaves two journals. The one that belongs to the archive is kept.
fn settle_interrupted_save(path: &Path, hash: u64, notes: &mut Vec<String>) {
    let next = with_ending(path, ".next");
    let base_of = |path: &Path| fs::read(path).ok().and_then(|bytes| read(&bytes).ok()).map(|read| read.base);
    let Some(base) = base_of(&next) else {
        let _ = fs::remove_file(&next);
        return;
    };
    let fits = base == hash && base_of(path) != Some(hash);
    let settled = if fits { fs::rename(&next, path) } else { fs::remove_file(&next) };
    if let Err(error) = settled {
        notes.push(format!("{}: {error}", next.display()));
    }
}

/// Recovers the journal at a path: cuts a torn end, or renames the journal of another archive.
fn recover(path: &Path, base: &[u8], hash: u64, notes: &mut Vec<String>) -> Option<(OpenFile, Replayed)> {
    let bytes = fs::read(path).ok()?;
    let recorded = match read(&bytes) {
        // The program was killed before the first step was written.
        Err(_) if head().starts_with(&bytes) => {
            let _ = fs::remove_file(path);
            return None;
        }
        Ok(recorded) if recorded.events.is_empty() => {
            let _ = fs::remove_file(path);
            return None;
        }
        Ok(recorded) if recorded.base == hash => recorded,
        Ok(_) => return set_aside(path, "it belongs to another version of this file", notes),
        Err(error) => return set_aside(path, &error.to_string(), notes),
    };
    let (count, whole_bytes) = (recorded.events.len() as u64, recorded.whole_bytes as u64);
    let replayed = match replay(base, recorded) {
        Ok(replayed) => replayed,
        Err(error) => return set_aside(path, &error.to_string(), notes),
    };
    let file = OpenOptions::new().append(true).open(path);
    let file = match file.and_then(|file| file.set_len(whole_bytes).map(|()| file)) {
        Ok(file) => file,
        Err(error) => return set_aside(path, &error.to_string(), notes),
    };
    let cut = bytes.len() as u64 - whole_bytes;
    let torn = if cut > 0 { format!("; the last {cut} bytes were incomplete and were removed") } else { String::new() };
    notes.push(format!("Recovered {} steps of the last session{torn}", replayed.done));
    Some((OpenFile { file, sequence: count, whole_bytes }, replayed))
}

fn set_aside<T>(path: &Path, reason: &str, notes: &mut Vec<String>) -> Option<T> {
    let free = (1..1000).map(|number| match number {
        1 => with_ending(path, ".orphan"),
        number => with_ending(path, &format!(".orphan{number}")),
    });
    let orphan = free.into_iter().find(|orphan| !orphan.exists())?;
    notes.push(match fs::rename(path, &orphan) {
        Ok(()) => format!("A journal was renamed to {}: {reason}", orphan.display()),
        Err(error) => format!("{}: {reason}, and it could not be renamed ({error})", path.display()),
    });
    None
}

/// Syncs files shortly after appends. Ends with its sender.
fn spawn_worker(error: &Arc<Mutex<Option<String>>>) -> SyncSender<File> {
    let (sender, files): (SyncSender<File>, Receiver<File>) = sync_channel(1);
    let error = error.clone();
    std::thread::spawn(move || {
        while let Ok(file) = files.recv() {
            std::thread::sleep(SYNC_AFTER);
            // Later appends are synced as well: it is the same file, or its successor.
            let last = files.try_iter().last().unwrap_or(file);
            if let (Err(reason), Ok(mut error)) = (last.sync_data(), error.lock()) {
                *error = Some(format!("the disk did not confirm the journal ({reason}); save to another disk"));
            }
        }
    });
    sender
}

/// Identifies the state of an archive; zero without one.
fn header_hash(base: &[u8]) -> u64 {
    if base.is_empty() { 0 } else { Archive::open(base).map_or(0, |archive| archive.header().hash) }
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(ending);
    path.with_file_name(name)
}

fn in_file(path: &Path) -> impl Fn(io::Error) -> JournalError {
    let path = path.to_owned();
    move |source| JournalError::Write { path: path.clone(), source }
}
