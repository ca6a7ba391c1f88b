//! Keeps the steps of a document few: when their file has grown to several times the document, a thread writes the history again to
//! another file, which then replaces it. What is appended meanwhile is in both.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use keypose::assets::project::Project;
use keypose::wad::journal::Event;

use crate::app::work::Work;
use crate::app::work::document::numbered;
use crate::app::work::recorder::{SharedWork, lock};
use crate::app::work::steps::StepsFile;

/// The size up to which the file is left alone, in bytes.
const FLOOR_BYTES: u64 = 4 << 20;
/// The file is written again when it has this many times the bytes of the document.
const MAX_DOCUMENTS: u64 = 3;
/// And this many times the bytes that it had after the last time.
const MIN_GROWTH: u64 = 2;
/// How often what was appended meanwhile is synced before the file is replaced.
const MAX_ROUNDS: usize = 20;

/// When the file is written again, and what was appended since that began.
#[derive(Debug)]
pub struct Compacting {
    /// The size of the document's archive.
    pub document_bytes: u64,
    floor_bytes: u64,
    /// The size after the last time.
    compacted_bytes: u64,
    /// The number of the compaction in progress, and the events since it began.
    running: Option<(u64, Vec<Event>)>,
}

impl Compacting {
    pub fn new(document_bytes: u64) -> Compacting {
        Compacting { document_bytes, floor_bytes: FLOOR_BYTES, compacted_bytes: 0, running: None }
    }

    /// Whether a file of this size is written again.
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

    /// Ends a compaction: the file has this size now.
    pub fn end(&mut self, bytes: u64) {
        (self.compacted_bytes, self.running) = (bytes, None);
    }
}

/// A compaction that was begun.
#[derive(Debug)]
pub struct Compaction {
    number: u64,
    path: PathBuf,
    base_hash: u64,
    /// The document that the history starts from.
    pub base: Arc<Project>,
    /// The bytes that steps may have.
    pub budget: u64,
    /// The hashes of saves.
    pub saved: Vec<u64>,
}

impl Work {
    /// Begins a compaction if the file is large. The thread that continues it calls [`Compaction::run`].
    pub fn begin_compaction(&mut self) -> Option<Compaction> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let is_due = self.compacting.is_large(self.bytes()) && self.compacting.running.is_none();
        let folder = self.folder.as_ref().filter(|_| is_due)?;
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        self.compacting.running = Some((number, Vec::new()));
        Some(Compaction {
            number,
            path: folder.path.join("steps.new"),
            base_hash: self.base.hash,
            base: self.base.project.clone(),
            budget: self.budget(),
            saved: self.saved.clone(),
        })
    }

    /// The bytes that steps may have in a history that is written again.
    pub fn budget(&self) -> u64 {
        (self.compacting.floor_bytes / 2).max(self.compacting.document_bytes)
    }

    /// Compacts files of more than this size.
    pub fn compact_over(&mut self, bytes: u64) {
        self.compacting.floor_bytes = bytes;
    }

    /// Whether a compaction is in progress.
    pub fn is_compacting(&self) -> bool {
        self.compacting.running.is_some()
    }
}

impl Compaction {
    /// Writes the events of a history whose first state is reached by `first` steps, and replaces the file. If that fails, the file
    /// stays as it is.
    pub fn run(self, shared: &SharedWork, shortened: Option<(Vec<Event>, usize)>) {
        let replaced = shortened.map(|(events, first)| self.replace(shared, &events, first));
        if matches!(replaced, Some(Ok(()))) {
            return;
        }
        let _ = fs::remove_file(&self.path);
        let mut work = lock(shared);
        if self.late(&mut work).is_ok() {
            // It is tried again when the file has grown further.
            let bytes = work.bytes();
            work.compacting.end(bytes);
        }
    }

    /// Writes the file and what was appended meanwhile, until there is nothing left.
    fn replace(&self, shared: &SharedWork, events: &[Event], first: usize) -> io::Result<()> {
        let mut steps = StepsFile::write(&self.path, events, self.base_hash)?;
        let shift = -i64::try_from(first).map_err(io::Error::other)?;
        for round in 1..=MAX_ROUNDS {
            let mut work = lock(shared);
            let late = self.late(&mut work)?;
            let is_last = late.is_empty() || round == MAX_ROUNDS;
            let last = if is_last {
                Some(work)
            } else {
                drop(work);
                None
            };
            for event in &late {
                steps.append(&*numbered(event, shift)?)?;
            }
            if let Some(mut work) = last {
                return work.continue_in(steps, shift);
            }
            // What was acknowledged before is on the disk before the file is replaced.
            steps.file.sync_data()?;
        }
        Ok(())
    }

    /// The events that were appended since the last call.
    fn late(&self, work: &mut Work) -> io::Result<Vec<Event>> {
        match &mut work.compacting.running {
            Some((number, events)) if *number == self.number => Ok(std::mem::take(events)),
            _ => Err(io::Error::other("the compaction was cancelled")),
        }
    }
}
