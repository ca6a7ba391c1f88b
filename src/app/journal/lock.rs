//! Locks a document for one editor: a locked file beside the journal that names the process.

use std::fs::{self, File, TryLockError};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use crate::app::journal::{access, beside};
use crate::app::own_files::{self, with_ending};

/// A lock that is released when it is dropped, even while a process that was just started shares the file.
#[derive(Debug)]
pub struct Lock(File);

impl Drop for Lock {
    fn drop(&mut self) {
        // Closing the file releases the lock as well; errors are harmless.
        let _ = self.0.unlock();
    }
}

/// The lock of an archive, without its journal. Its file is deleted with it, unless it stays.
#[derive(Debug)]
pub struct Held {
    journal: PathBuf,
    lock: Option<Lock>,
    stays: bool,
}

impl Held {
    /// The lock of the journal at this path. Its file stays: a full disk may not take it again.
    pub(super) fn of(journal: PathBuf, lock: Option<Lock>) -> Held {
        Held { journal, lock, stays: true }
    }

    /// Deletes its file in the end.
    pub(super) fn close(mut self) {
        self.stays = false;
    }

    /// Whether this is the lock of the journal at `path`.
    pub(super) fn is_of(&self, path: &Path) -> bool {
        self.journal == path
    }

    /// As [`is_ours`].
    pub(super) fn is_ours(&self) -> bool {
        is_ours(self.lock.as_ref(), &self.journal)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if self.lock.is_some() && !self.stays {
            remove(&self.journal, self.lock.as_ref());
        }
    }
}

/// Acquires the lock of an archive. The error names its owner. A folder that doesn't exist has nothing to lock, and is not
/// created.
pub fn hold(archive: &Path) -> Result<Held, String> {
    let journal = beside(&own_files::canonical(archive));
    let lock = take_in_folder(&journal)?;
    Ok(Held { journal, lock, stays: false })
}

/// As [`take`], without making a folder: one that doesn't exist has nothing to lock.
pub(super) fn take_in_folder(journal: &Path) -> Result<Option<Lock>, String> {
    let has_folder = journal.parent().is_some_and(|folder| folder.as_os_str().is_empty() || folder.is_dir());
    if has_folder { take(journal) } else { Ok(None) }
}

/// A lock of an archive that several editors share: each has a patch of it open. Meanwhile, none writes it.
#[derive(Debug)]
pub struct Shared {
    journal: PathBuf,
    lock: Lock,
}

impl Drop for Shared {
    fn drop(&mut self) {
        // The last one deletes the file.
        let _ = self.lock.0.unlock();
        if self.lock.0.try_lock().is_ok() {
            remove(&self.journal, Some(&self.lock));
        }
    }
}

/// Acquires a shared lock of an archive; `None` without locks. The error names the owner of its lock.
pub fn share(archive: &Path) -> Result<Option<Shared>, String> {
    let journal = beside(&own_files::canonical(archive));
    let lock = take_by(&journal, File::try_lock_shared)?;
    Ok(lock.map(|lock| Shared { journal, lock }))
}

/// How often a lock is tried whose file its previous owner deleted meanwhile.
const TRIES: usize = 100;

/// Acquires the lock of a journal. The error names its owner: "process 12 on desk". On file systems without locks,
/// returns `None`.
pub fn take(journal: &Path) -> Result<Option<Lock>, String> {
    take_by(journal, File::try_lock)
}

fn take_by(journal: &Path, try_lock: fn(&File) -> Result<(), TryLockError>) -> Result<Option<Lock>, String> {
    let path = path_of(journal);
    if let Some(folder) = path.parent() {
        let _ = fs::create_dir_all(folder);
    }
    for _ in 0..TRIES {
        let file = own_files::open_or_create(&path, access(journal));
        // A lock has the permissions of its archive, which may be read-only.
        let Ok(file) = file.or_else(|_| own_files::open_to_read(&path)) else { return Ok(None) };
        match (try_lock(&file), own_files::is_at(&file, &path)) {
            (Ok(()), Ok(true)) => {
                write_name(&file);
                return Ok(Some(Lock(file)));
            }
            // The previous owner has deleted the file: this lock is void.
            (Ok(()), Ok(false)) => {}
            (Err(TryLockError::WouldBlock), _) => return Err(name_in(&file)),
            (Err(TryLockError::Error(_)), _) | (Ok(()), Err(_)) => return Ok(None),
        }
    }
    Err("another process".into())
}

/// The first word in a lock file.
const PROCESS: &str = "process ";

/// Writes the owner's name, unless something else than a name stands there.
fn write_name(mut file: &File) {
    let is_ours = own_files::read_back(file).is_ok_and(|old| old.is_empty() || old.starts_with(PROCESS.as_bytes()));
    if is_ours {
        let _ = file.set_len(0).and_then(|()| write!(file, "{PROCESS}{}{}", std::process::id(), host()));
    }
}

/// Whether a lock and a journal can be created in that folder, or are there and can be used.
pub fn can_be_made(journal: &Path) -> bool {
    let is_free = !own_files::is_taken(journal) || own_files::open(journal).is_ok();
    is_free && own_files::open_or_create(&path_of(journal), access(journal)).is_ok()
}

/// The owner of a journal's lock.
pub fn holder(journal: &Path) -> Option<String> {
    let file = own_files::open_to_read(&path_of(journal)).ok()?;
    match file.try_lock_shared() {
        Err(TryLockError::WouldBlock) => Some(name_in(&file)),
        Ok(()) | Err(TryLockError::Error(_)) => None,
    }
}

/// Whether no other editor has the lock of a journal. A lock is void if another program deleted or replaced its file.
pub fn is_ours(lock: Option<&Lock>, journal: &Path) -> bool {
    match lock {
        Some(lock) => own_files::is_still_at(&lock.0, &path_of(journal)),
        None => holder(journal).is_none(),
    }
}

/// Deletes the file, unless it is another's. Its owner keeps the lock until it is dropped.
pub fn remove(journal: &Path, lock: Option<&Lock>) {
    if is_ours(lock, journal) {
        let _ = fs::remove_file(path_of(journal));
    }
}

fn path_of(journal: &Path) -> PathBuf {
    with_ending(journal, ".lock")
}

/// The name that the owner wrote; some systems don't allow reading it while it is locked.
fn name_in(file: &File) -> String {
    let mut name = String::new();
    let _ = file.take(200).read_to_string(&mut name);
    if name.trim().is_empty() { "another process".into() } else { name.trim().to_owned() }
}

fn host() -> String {
    let host = std::env::var("HOSTNAME").or_else(|_| fs::read_to_string("/etc/hostname")).unwrap_or_default();
    if host.trim().is_empty() { String::new() } else { format!(" on {}", host.trim()) }
}
