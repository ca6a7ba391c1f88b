//! A journal in the folder for application state that stands in for the one beside an archive, whose disk failed. It holds the
//! lock of the archive as well.

use std::fs;
use std::path::{Path, PathBuf};

use crate::app::journal::lock::{self, Lock};
use crate::app::journal::{JournalFile, Opening, open};

/// The journal beside an archive, which another one stands in for.
#[derive(Debug)]
pub(super) struct Home {
    path: PathBuf,
    lock: Option<Lock>,
}

impl Home {
    /// Deletes the file of the lock. It is held until it is dropped.
    pub fn remove_lock(&self) {
        lock::remove(&self.path);
    }
}

impl JournalFile {
    /// A new journal without an archive; `None` if there is one already, or another editor has it.
    pub fn unused(path: &Path) -> Option<JournalFile> {
        let Opening { journal, recovered, .. } = open(path, &[]).ok()?;
        journal.filter(|_| recovered.is_none())
    }

    /// Takes the place of the journal beside an archive, which is deleted: this one has all that it had.
    pub fn stand_in_for(&mut self, mut beside: JournalFile) {
        beside.syncer.forget();
        if beside.open.take().is_some() {
            // If that fails, it is an older state of this one, and found to be one.
            let _ = fs::remove_file(&beside.path);
        }
        self.home = Some(Home { path: std::mem::take(&mut beside.path), lock: beside.lock.take() });
    }

    /// Whether this is the journal at `path`, or stands in for it.
    pub fn is_of(&self, path: &Path) -> bool {
        self.path == path || self.home.as_ref().is_some_and(|home| home.path == path)
    }

    /// Releases the lock of the journal at `path`, if this one stands in for it. Returns whether it does.
    pub(super) fn release(&mut self, path: &Path) -> bool {
        let home = self.home.as_mut().filter(|home| home.path == path);
        home.map(|home| home.lock = None).is_some()
    }

    /// Takes the lock again that [`JournalFile::release`] released.
    pub(super) fn locked_again(mut self, path: &Path) -> JournalFile {
        if let Some(home) = &mut self.home {
            home.lock = lock::take(path).ok().flatten();
        }
        self
    }
}
