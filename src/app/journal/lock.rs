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

/// A lock that is held for one save. Its file is deleted with it.
#[derive(Debug)]
pub struct Held {
    journal: PathBuf,
    lock: Option<Lock>,
}

impl Drop for Held {
    fn drop(&mut self) {
        if self.lock.is_some() {
            remove(&self.journal);
        }
    }
}

/// Acquires the lock of an archive for one save. The error names its owner. A folder that doesn't exist has nothing to lock,
/// and is not created.
pub fn hold(archive: &Path) -> Result<Held, String> {
    let journal = beside(&fs::canonicalize(archive).unwrap_or_else(|_| archive.to_owned()));
    let has_folder = journal.parent().is_some_and(|folder| folder.as_os_str().is_empty() || folder.is_dir());
    let lock = if has_folder { take(&journal)? } else { None };
    Ok(Held { journal, lock })
}

/// How often a lock is tried whose file its previous owner deleted meanwhile.
const TRIES: usize = 100;

/// Acquires the lock of a journal. The error names its owner: "process 12 on desk". On file systems without locks,
/// returns `None`.
pub fn take(journal: &Path) -> Result<Option<Lock>, String> {
    let path = path_of(journal);
    if let Some(folder) = path.parent() {
        let _ = fs::create_dir_all(folder);
    }
    for _ in 0..TRIES {
        let Ok(file) = own_files::open_or_create(&path, access(journal)) else { return Ok(None) };
        match (file.try_lock(), own_files::is_at(&file, &path)) {
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

/// Deletes the file. Its owner keeps the lock until it is dropped.
pub fn remove(journal: &Path) {
    let _ = fs::remove_file(path_of(journal));
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
