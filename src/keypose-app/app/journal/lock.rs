//! Locks a document for one editor: a locked file beside the journal that names the process.

use std::fs::{self, File, TryLockError};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::app::journal::places::elsewhere;
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

impl Lock {
    /// Whether this is the lock of the journal at `path` now, because its folder was renamed.
    pub(super) fn has_moved_to(&self, path: &Path) -> bool {
        own_files::has_moved_to(&self.0, &path_of(path))
    }
}

/// The lock of an archive, without its journal. Its file is deleted with it, unless it stays.
#[derive(Debug)]
pub struct Held {
    /// The journal beside the archive.
    journal: PathBuf,
    /// The journal whose lock it is: that one, or the one elsewhere.
    place: PathBuf,
    lock: Option<Lock>,
    stays: bool,
}

impl Held {
    /// The lock of the journal at this path. Its file stays: a full disk may not take it again.
    pub(super) fn of(journal: PathBuf, lock: Option<Lock>) -> Held {
        Held { place: journal.clone(), journal, lock, stays: true }
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
        is_ours(self.lock.as_ref(), &self.place)
    }

    /// Makes it the lock of the journal at `path` if its file is there now, because its folder was renamed.
    pub(super) fn follow(&mut self, path: &Path) {
        if self.lock.as_ref().is_some_and(|lock| lock.has_moved_to(path)) {
            (self.journal, self.place) = (path.to_owned(), path.to_owned());
        }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if self.lock.is_some() && !self.stays {
            remove(&self.place, self.lock.as_ref());
        }
    }
}

/// Acquires the lock of an archive. The error names its owner. A folder that doesn't exist has nothing to lock, and is not
/// created.
///
/// An archive has two locks: that of the journal beside it, and that of the journal elsewhere, which an editor has that can't make
/// the first one. Both must be free.
pub fn hold(archive: &Path) -> Result<Held, String> {
    hold_with(archive, None)
}

/// As [`hold`], by an editor that has the lock of the journal `own`.
pub fn hold_with(archive: &Path, own: Option<&Path>) -> Result<Held, String> {
    let archive = own_files::canonical(archive);
    let journal = beside(&archive);
    let elsewhere = elsewhere(&archive).filter(|elsewhere| Some(elsewhere.as_path()) != own);
    let place = journal.clone();
    let mut held = Held { lock: take_in_folder(&journal)?, journal, place, stays: false };
    match elsewhere {
        Some(elsewhere) if held.lock.is_some() => require_free(&elsewhere, File::try_lock).map(|()| held),
        Some(place) if has_folder(&held.journal) => {
            (held.lock, held.place) = (take(&place)?, place);
            Ok(held)
        }
        _ => Ok(held),
    }
}

/// An error, which names the owner, if an editor has the archive that could not make the lock beside it.
pub fn require_none_elsewhere(archive: &Path) -> Result<(), String> {
    elsewhere(archive).map_or(Ok(()), |elsewhere| require_free(&elsewhere, File::try_lock))
}

fn require_free(journal: &Path, try_lock: TryLock) -> Result<(), String> {
    if own_files::is_taken(&path_of(journal)) {
        let lock = take_by(journal, try_lock)?;
        remove(journal, lock.as_ref());
    }
    Ok(())
}

fn has_folder(journal: &Path) -> bool {
    journal.parent().is_some_and(|folder| folder.as_os_str().is_empty() || folder.is_dir())
}

/// As [`take`], without making a folder: one that doesn't exist has nothing to lock.
pub(super) fn take_in_folder(journal: &Path) -> Result<Option<Lock>, String> {
    if has_folder(journal) { take(journal) } else { Ok(None) }
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

/// Acquires a shared lock of an archive; `None` without locks. The error names the owner of its lock. See [`hold`].
pub fn share(archive: &Path) -> Result<Option<Shared>, String> {
    let archive = own_files::canonical(archive);
    let take_shared = |journal: PathBuf| {
        let lock = take_by(&journal, File::try_lock_shared)?;
        Ok::<_, String>(lock.map(|lock| Shared { journal, lock }))
    };
    match (take_shared(beside(&archive))?, elsewhere(&archive)) {
        (Some(shared), Some(elsewhere)) => require_free(&elsewhere, File::try_lock_shared).map(|()| Some(shared)),
        (None, Some(elsewhere)) => take_shared(elsewhere),
        (shared, None) => Ok(shared),
    }
}

/// How a lock is tried: for one, or shared.
type TryLock = fn(&File) -> Result<(), TryLockError>;

/// How often a lock is tried whose file its previous owner deleted meanwhile.
const TRIES: usize = 100;

/// How often a lock is tried that another process has, and how long it waits between: one that only asks, as [`is_used`] does, has it for a moment.
const PATIENCE: (usize, Duration) = (6, Duration::from_millis(3));

/// Tries a lock that another process may have only to ask whether it is free.
fn patiently(file: &File, try_lock: TryLock) -> Result<(), TryLockError> {
    let (tries, pause) = PATIENCE;
    for _ in 1..tries {
        match try_lock(file) {
            Err(TryLockError::WouldBlock) => std::thread::sleep(pause),
            done => return done,
        }
    }
    try_lock(file)
}

/// Acquires the lock of a journal. The error names its owner: "process 12 on desk". On file systems without locks,
/// returns `None`.
pub fn take(journal: &Path) -> Result<Option<Lock>, String> {
    take_by(journal, File::try_lock)
}

fn take_by(journal: &Path, try_lock: TryLock) -> Result<Option<Lock>, String> {
    let path = path_of(journal);
    if let Some(folder) = path.parent() {
        let _ = fs::create_dir_all(folder);
    }
    for _ in 0..TRIES {
        let file = own_files::open_or_create(&path, access(journal));
        // A lock has the permissions of its archive, which may be read-only.
        let Ok(file) = file.or_else(|_| own_files::open_to_read(&path)) else { return Ok(None) };
        match (patiently(&file, try_lock), own_files::is_at(&file, &path)) {
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
    if has_only_name(file) {
        let _ = file.set_len(0).and_then(|()| write!(file, "{PROCESS}{}{}", std::process::id(), host()));
    }
}

/// Whether nothing but the name of an owner stands in a file.
fn has_only_name(file: &File) -> bool {
    own_files::read_back(file).is_ok_and(|text| text.is_empty() || text.starts_with(PROCESS.as_bytes()))
}

/// Whether a lock and a journal can be created in that folder, or are there and can be used.
pub fn can_be_made(journal: &Path) -> bool {
    let is_free = !own_files::is_taken(journal) || own_files::open(journal).is_ok();
    is_free && own_files::open_or_create(&path_of(journal), access(journal)).is_ok()
}

/// The owner of a journal's lock.
pub fn holder(journal: &Path) -> Option<String> {
    let file = own_files::open_to_read(&path_of(journal)).ok()?;
    match patiently(&file, File::try_lock_shared) {
        Err(TryLockError::WouldBlock) => Some(name_in(&file)),
        Ok(()) | Err(TryLockError::Error(_)) => None,
    }
}

/// Whether anyone has the lock of a journal, be it shared.
pub fn is_used(journal: &Path) -> bool {
    let file = own_files::open_to_read(&path_of(journal));
    file.is_ok_and(|file| matches!(patiently(&file, File::try_lock), Err(TryLockError::WouldBlock)))
}

/// Whether no other editor has the lock of a journal. A lock is void if another program deleted or replaced its file.
pub fn is_ours(lock: Option<&Lock>, journal: &Path) -> bool {
    match lock {
        Some(lock) => own_files::is_still_at(&lock.0, &path_of(journal)),
        None => holder(journal).is_none(),
    }
}

/// Deletes the file, unless it is another's, or a link, or something else than a name stands there. Its owner keeps the lock until
/// it is dropped.
pub fn remove(journal: &Path, lock: Option<&Lock>) {
    let path = path_of(journal);
    let has_name = match lock {
        Some(lock) => has_only_name(&lock.0),
        None => own_files::open_to_read(&path).is_ok_and(|file| has_only_name(&file)),
    };
    if has_name && is_ours(lock, journal) {
        let _ = fs::remove_file(path);
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
