//! Keeps the steps of a document few: when their file has grown to several times the document, a thread writes the last part of it to
//! another file, behind the state that it starts from.

use std::fs;
use std::io::{self, Seek, SeekFrom};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use keypose::assets::project::Project;
use keypose::wad::journal::{Event, delta};
use keypose_editor::editor::state::history::{History, State};

use crate::app::files::own_files;
use crate::app::work::document::number;
use crate::app::work::recorder::{SharedWork, lock};
use crate::app::work::steps::{Cut, StepsFile};
use crate::app::work::{Work, WorkFolder};

/// The size up to which the file is left alone, in bytes.
const FLOOR_BYTES: u64 = 4 << 20;
/// The file is shortened when it has this many times the bytes of the document.
const MAX_DOCUMENTS: u64 = 3;
/// And this many times the bytes that were kept the last time.
const MIN_GROWTH: u64 = 2;
/// How often records that were appended meanwhile are synced before the file is replaced.
const MAX_ROUNDS: usize = 20;

/// When the file is shortened.
#[derive(Debug)]
pub struct Compacting {
    /// The size of the document's archive.
    pub document_bytes: u64,
    floor_bytes: u64,
    /// The size after the last time, without records that were appended meanwhile.
    kept_bytes: u64,
    running: Option<Running>,
}

/// A compaction in progress.
#[derive(Clone, Copy, Debug)]
struct Running {
    number: u64,
    /// The number of steps that lead to the first state of the new file.
    first: usize,
}

impl Compacting {
    pub fn new(document_bytes: u64) -> Compacting {
        Compacting { document_bytes, floor_bytes: FLOOR_BYTES, kept_bytes: 0, running: None }
    }

    /// Whether the compaction in progress keeps the state after a number of steps.
    pub fn keeps(&self, done: usize) -> bool {
        self.running.is_none_or(|running| done >= running.first)
    }

    fn is_running(&self, number: u64) -> bool {
        self.running.is_some_and(|running| running.number == number)
    }

    /// Ends a compaction, which kept this many bytes.
    pub fn end(&mut self, kept_bytes: u64) {
        (self.kept_bytes, self.running) = (kept_bytes, None);
    }
}

/// A compaction that was begun.
#[derive(Debug)]
pub struct Compaction {
    number: u64,
    folder: WorkFolder,
    base: Arc<Project>,
    base_hash: u64,
    /// The document where the file is cut.
    document: Arc<Project>,
    cut: Cut,
    /// The bytes of the records from there on.
    records_bytes: u64,
    saved: Vec<u64>,
}

impl Work {
    /// Whether the file is large, and nothing shortens it.
    pub fn is_large(&self) -> bool {
        let Compacting { document_bytes, floor_bytes, kept_bytes, running } = &self.compacting;
        let limit = (*floor_bytes).max(document_bytes.saturating_mul(MAX_DOCUMENTS));
        running.is_none() && self.bytes() > limit.max(kept_bytes.saturating_mul(MIN_GROWTH))
    }

    /// Begins a compaction, for a thread to run. `None` if no state of the history can be the first one of the file.
    pub fn begin_compaction(&mut self, history: &History, now: State<'_>) -> Option<Compaction> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let (folder, steps) = self.folder.clone().zip(self.steps.as_ref())?;
        let cut = steps.cut(self.budget(), history.dropped())?;
        let (document, _) = history.state(cut.done - history.dropped(), now)?;
        let records_bytes = steps.bytes() - cut.at;
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        self.compacting.running = Some(Running { number, first: cut.done });
        let (base, base_hash) = (self.base.project.clone(), self.base.hash);
        let (document, saved) = (document.project().clone(), self.saved.clone());
        Some(Compaction { number, folder, base, base_hash, document, cut, records_bytes, saved })
    }

    /// The bytes that steps may have in a file that is shortened.
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
    /// Replaces the file. If that fails, it stays as it is, and is shortened when it has grown further.
    pub fn run(self, shared: &SharedWork) {
        if self.replace(shared).is_err() {
            let mut work = lock(shared);
            if work.compacting.is_running(self.number) {
                let _ = fs::remove_file(self.folder.new_steps());
                let bytes = work.bytes();
                work.compacting.end(bytes);
            }
        }
    }

    fn replace(&self, shared: &SharedWork) -> io::Result<()> {
        // It stays open until the lock is released, where a file can be replaced then: deleting a large one takes time.
        let mut old = own_files::open_to_read(&self.folder.steps())?;
        old.seek(SeekFrom::Start(self.cut.at))?;
        let lumps = delta(&self.base, &self.document).map_err(io::Error::other)?;
        let mut new = StepsFile::create(&self.folder.new_steps(), self.base_hash, self.cut.sequence - 1)?;
        new.append(&Event::Start { first: number(self.cut.done), saved: self.saved.clone(), lumps })?;
        let kept_bytes = new.bytes() + self.records_bytes;
        let mut copied = self.cut.at;
        for round in 0.. {
            let mut work = lock(shared);
            let Some(steps) = &work.steps else { return Err(io::ErrorKind::NotFound.into()) };
            if !work.compacting.is_running(self.number) {
                return Err(io::Error::other("the file was replaced"));
            }
            let rest = steps.bytes() - copied;
            if (rest == 0 && round > 0) || round == MAX_ROUNDS {
                new.copy(&mut old, rest)?;
                new.follow(steps, self.cut);
                if cfg!(windows) {
                    drop(old);
                }
                return work.continue_in(new, kept_bytes);
            }
            drop(work);
            // What was acknowledged before is on the disk before the file is replaced.
            new.copy(&mut old, rest)?;
            new.file.sync_data()?;
            copied += rest;
        }
        Ok(())
    }
}
