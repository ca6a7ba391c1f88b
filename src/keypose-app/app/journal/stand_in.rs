//! A journal in the folder for application state: it stands in for the one beside an archive, whose disk failed, or belongs to a
//! patch. It holds the lock of that file as well.

use std::fs;
use std::path::{Path, PathBuf};

use crate::app::journal::lock::{self, Held};
use crate::app::journal::records::OpenFile;
use crate::app::journal::{JournalFile, Opening, beside, open, register};
use crate::app::own_files::{self, canonical};

impl JournalFile {
    /// A new journal without an archive; `None` if there is one already, or another editor has it.
    pub fn unused(path: &Path) -> Option<JournalFile> {
        let Opening { journal, recovered, .. } = open(path, &[]).ok()?;
        journal.filter(|_| recovered.is_none())
    }

    /// Prepares to write the journal again, after another program deleted it: takes its lock again. Returns false if it is still
    /// there, or its place is another's by now.
    pub fn begin_again(&mut self) -> bool {
        let path = self.path.clone();
        // If that fails, writing reports it.
        let _ = path.parent().map(fs::create_dir_all);
        let is_free = !own_files::is_taken(&path) && self.reclaim(&path).unwrap_or(false);
        if is_free {
            self.open = None;
        }
        is_free
    }

    /// Takes the place of another journal of the document, which is deleted: this one has all that it had. What is another's
    /// by now stays.
    pub fn stand_in_for(&mut self, mut other: JournalFile) {
        other.syncer.forget();
        let is_intact = other.is_intact();
        if other.open.take().is_some() && is_intact {
            // If that fails, it is an older state of this one, and found to be one.
            let _ = fs::remove_file(&other.path);
            other.forget();
        }
        self.below = std::mem::take(&mut other.below);
        self.file = other.file.take();
        let lock = other.lock.take();
        self.home = match other.home.take() {
            Some(home) => {
                lock::remove(&other.path, lock.as_ref());
                Some(home)
            }
            None => Some(Held::of(std::mem::take(&mut other.path), lock)),
        };
    }

    /// Holds the file that is written, whose journal would be elsewhere.
    pub fn hold_file(&mut self, held: Held) {
        self.home = Some(held);
    }

    /// Holds a patch, and keeps others from writing the archives below. Returns a note for each that another editor holds.
    pub fn hold_layers(&mut self, patch: &Path, below: &[PathBuf]) -> Vec<String> {
        if !self.holds(&beside(&canonical(patch))) {
            self.home = lock::hold(patch).ok();
        }
        self.below.clear();
        let mut notes = Vec::new();
        for archive in below {
            match lock::share(archive) {
                Ok(shared) => self.below.extend(shared),
                Err(holder) => notes.push(format!(
                    "{} is open in another Keypose ({holder}): when it is saved there, {} no longer fits it",
                    archive.display(),
                    patch.display()
                )),
            }
        }
        notes
    }

    /// Whether this holds the lock of the journal at `path`: its own, or the one that it stands in for.
    fn holds(&self, path: &Path) -> bool {
        let home = self.home.as_ref().filter(|home| home.is_of(path));
        (self.path == path && lock::is_ours(self.lock.as_ref(), path)) || home.is_some_and(Held::is_ours)
    }

    /// Whether this holds the lock of the journal at `path`, perhaps again: another program may have deleted its file. The error
    /// names the editor that has it now.
    pub fn reclaim(&mut self, path: &Path) -> Result<bool, String> {
        self.follow(path);
        let is_home = self.home.as_ref().is_some_and(|home| home.is_of(path));
        if !self.holds(path) {
            match self.path == path {
                true => self.lock = lock::take_in_folder(path)?,
                false if is_home => self.home = Some(Held::of(path.to_owned(), lock::take_in_folder(path)?)),
                false => return Ok(false),
            }
        }
        Ok(true)
    }

    /// Continues at `path` if lock and journal are there now, because their folder was renamed. Returns whether the journal does.
    pub fn follow(&mut self, path: &Path) -> bool {
        self.home.iter_mut().for_each(|home| home.follow(path));
        let is_lock_there = self.lock.as_ref().is_some_and(|lock| lock.has_moved_to(path));
        let is_there = |open: &OpenFile| own_files::has_moved_to(&open.file, path);
        let has_moved = self.path != path && is_lock_there && self.open.as_ref().is_none_or(is_there);
        if has_moved {
            self.path = path.to_owned();
            if self.is_written() {
                register::add(path);
            }
        }
        has_moved
    }

    /// Sets the path under which the document is saved.
    pub fn know_file(&mut self, path: &Path) {
        self.file = Some(path.to_owned());
    }

    /// Whether the document is saved under this path.
    pub fn is_of_file(&self, path: &Path) -> bool {
        self.file.as_deref() == Some(path)
    }

    /// Releases the lock of the journal at `path`. Returns whether this had it.
    pub(super) fn release(&mut self, path: &Path) -> bool {
        let is_own = self.path == path;
        if is_own {
            self.lock = None;
        }
        self.home.take_if(|home| home.is_of(path)).is_some() || is_own
    }

    /// Takes the lock again that [`JournalFile::release`] released.
    pub(super) fn locked_again(mut self, path: &Path) -> JournalFile {
        let lock = lock::take(path).ok().flatten();
        match self.path == path {
            true => self.lock = lock,
            false => self.home = Some(Held::of(path.to_owned(), lock)),
        }
        self
    }
}
