//! Keeps the journal small: when it has grown to several times the document, its history is written again to another file, on
//! a thread of its own, which then replaces it. What is appended meanwhile is in both.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::app::journal::records::OpenFile;
use crate::app::journal::{JournalFile, REWRITTEN, numbered, shift_of};
use crate::app::own_files::with_ending;
use crate::assets::project::Project;
use crate::wad::journal::{Event, Read, whole_and_expanded};

/// The size up to which a journal is left alone, in bytes.
const FLOOR_BYTES: u64 = 4 << 20;
/// A journal is compacted when it has this many times the bytes of the document.
const MAX_DOCUMENTS: u64 = 3;
/// And this many times the bytes that it had after the last time.
const MIN_GROWTH: u64 = 2;
/// How often what was appended meanwhile is synced before the journal is replaced.
const MAX_ROUNDS: usize = 20;

/// Events of a history from its first state on, and how many steps lead to that.
pub type Shortened = (Vec<Event>, usize);

/// When a journal is compacted, and what was appended since that began.
#[derive(Debug)]
pub(super) struct Compacting {
    /// The size of the archive.
    pub document_bytes: u64,
    floor_bytes: u64,
    /// The size after the last compaction.
    compacted_bytes: u64,
    /// The number of the compaction in progress, and the events since it began.
    running: Option<(u64, Vec<Event>)>,
}

impl Compacting {
    pub fn new(document_bytes: u64) -> Compacting {
        Compacting { document_bytes, floor_bytes: FLOOR_BYTES, compacted_bytes: 0, running: None }
    }

    /// Whether a journal of this size is compacted.
    fn is_large(&self, bytes: u64) -> bool {
        let Compacting { document_bytes, floor_bytes, compacted_bytes, .. } = self;
        let limit = (*floor_bytes).max(document_bytes.saturating_mul(MAX_DOCUMENTS));
        bytes > limit.max(compacted_bytes.saturating_mul(MIN_GROWTH))
    }

    /// Notes an event that was appended.
    pub fn note(&mut self, event: &Event) {
        if let Some((_, events)) = &mut self.running {
            events.push(event.clone());
        }
    }

    /// Notes the size of a history that was just written.
    pub fn has_written(&mut self, bytes: u64) {
        self.compacted_bytes = bytes;
    }

    /// Cancels a compaction in progress.
    pub fn cancel(&mut self) {
        self.running = None;
    }
}

/// A compaction that was begun.
#[derive(Debug)]
pub struct Compaction {
    number: u64,
    path: PathBuf,
    base: u64,
    /// The archive that the history starts from.
    pub archive: Arc<Project>,
    /// The bytes that steps may have.
    pub budget: u64,
}

impl JournalFile {
    /// Begins a compaction if the journal is large. The thread that continues it calls [`Compaction::run`].
    pub fn begin_compaction(&mut self) -> Option<Compaction> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let bytes = self.open.as_ref()?.whole_bytes;
        let is_known = !self.has_base() || self.archive.is_some();
        let is_due = self.compaction.is_large(bytes) && self.compaction.running.is_none();
        if !is_due || self.is_held || self.is_stale || !is_known {
            return None;
        }
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        self.compaction.running = Some((number, Vec::new()));
        let (path, archive, budget) = (self.path.clone(), self.archive(), self.budget());
        Some(Compaction { number, path, base: self.base, archive, budget })
    }

    /// The bytes that steps may have in a history that is written again.
    pub fn budget(&self) -> u64 {
        (self.compaction.floor_bytes / 2).max(self.compaction.document_bytes)
    }

    /// Compacts journals of more than this size.
    pub fn compact_over(&mut self, bytes: u64) {
        self.compaction.floor_bytes = bytes;
    }

    /// Replaces the journal by a file that holds the same, from the state after `first` steps on.
    fn continue_in(&mut self, path: &Path, file: OpenFile, first: usize) -> Option<()> {
        self.is_intact().then(|| fs::rename(path, &self.path))?.ok()?;
        self.syncer.add(&file.file);
        self.syncer.add_name(&self.path);
        self.shift = shift_of(first);
        self.compaction.compacted_bytes = file.whole_bytes;
        self.compaction.cancel();
        self.open = Some(file);
        Some(())
    }

    /// Whether a compaction is in progress.
    pub fn is_compacting(&self) -> bool {
        self.compaction.running.is_some()
    }

    /// The size of the file in bytes.
    pub fn bytes(&self) -> u64 {
        self.open.as_ref().map_or(0, |open| open.whole_bytes)
    }
}

impl Compaction {
    /// Writes the shortened history, and replaces the journal by it. If that fails, the journal stays as it is.
    pub fn run(self, shared: &Mutex<Option<JournalFile>>, shorten: impl FnOnce(&Compaction) -> Option<Shortened>) {
        if shorten(&self).and_then(|shortened| self.replace(shared, &shortened)).is_some() {
            return;
        }
        let mut journal = lock(shared);
        if let Some(journal) = journal.as_mut()
            && self.late(journal).is_some()
        {
            // It is tried again when the journal has grown further.
            journal.compaction.compacted_bytes = journal.bytes();
            journal.compaction.cancel();
        }
    }

    fn replace(&self, shared: &Mutex<Option<JournalFile>>, (events, first): &Shortened) -> Option<()> {
        let path = with_ending(&self.path, REWRITTEN);
        let (bytes, expanded_bytes) = whole_and_expanded(events, self.base).ok()?;
        let records = Read { base: self.base, expanded_bytes, ..Read::default() };
        let file = OpenFile::holding(&path, &self.path, &bytes, &records).ok()?;
        let file = OpenFile { sequence: events.len() as u64, ..file };
        let replaced = self.catch_up(shared, &path, file, *first);
        if replaced.is_none() {
            let _ = fs::remove_file(path);
        }
        replaced
    }

    /// Writes what was appended meanwhile, until there is nothing left, and replaces the journal.
    fn catch_up(
        &self,
        shared: &Mutex<Option<JournalFile>>,
        path: &Path,
        mut file: OpenFile,
        first: usize,
    ) -> Option<()> {
        for round in 1..=MAX_ROUNDS {
            let mut journal = lock(shared);
            let late = self.late(journal.as_mut()?)?;
            if late.is_empty() || round == MAX_ROUNDS {
                append(&mut file, path, &late, first)?;
                return journal.as_mut()?.continue_in(path, file, first);
            }
            drop(journal);
            // What was acknowledged before is on the disk before the journal is replaced.
            append(&mut file, path, &late, first)?;
            file.file.sync_data().ok()?;
        }
        None
    }

    /// The events that were appended since the last call; `None` if the compaction was cancelled.
    fn late(&self, journal: &mut JournalFile) -> Option<Vec<Event>> {
        let (number, events) = journal.compaction.running.as_mut()?;
        (*number == self.number).then(|| std::mem::take(events))
    }
}

fn append(file: &mut OpenFile, path: &Path, events: &[Event], first: usize) -> Option<()> {
    let shift = shift_of(first);
    events.iter().try_for_each(|event| file.append(path, &*numbered(event, shift)?).ok())
}

fn lock(shared: &Mutex<Option<JournalFile>>) -> MutexGuard<'_, Option<JournalFile>> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
