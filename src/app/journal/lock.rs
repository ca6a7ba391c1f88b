//! Locks a document for one editor: a locked file beside the journal that names the process.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use crate::app::journal::with_ending;

/// A lock that is released when it is dropped, even while a process that was just started shares the file.
#[derive(Debug)]
pub struct Lock(File);

impl Drop for Lock {
    fn drop(&mut self) {
        // Closing the file releases the lock as well; errors are harmless.
        let _ = self.0.unlock();
    }
}

/// Acquires the lock of a journal. The error names its owner: "process 12 on desk". On file systems without locks,
/// returns `None`.
pub fn take(journal: &Path) -> Result<Option<Lock>, String> {
    let path = path_of(journal);
    if let Some(folder) = path.parent() {
        let _ = fs::create_dir_all(folder);
    }
    loop {
        let options = OpenOptions::new().create(true).read(true).write(true).truncate(false).open(&path);
        let Ok(mut file) = options else { return Ok(None) };
        match file.try_lock() {
            // The previous owner may have deleted the file: then this lock is void.
            Ok(()) if !is_at(&file, &path) => {}
            Ok(()) => {
                let _ = file.set_len(0).and_then(|()| write!(file, "process {}{}", std::process::id(), host()));
                return Ok(Some(Lock(file)));
            }
            Err(TryLockError::WouldBlock) => return Err(name_in(file)),
            Err(TryLockError::Error(_)) => return Ok(None),
        }
    }
}

/// Returns true if a lock, and so a journal, can be created in that folder.
pub fn can_be_made(journal: &Path) -> bool {
    OpenOptions::new().create(true).append(true).open(path_of(journal)).is_ok()
}

/// The owner of a journal's lock.
pub fn holder(journal: &Path) -> Option<String> {
    let file = File::open(path_of(journal)).ok()?;
    match file.try_lock_shared() {
        Err(TryLockError::WouldBlock) => Some(name_in(file)),
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
fn name_in(file: File) -> String {
    let mut name = String::new();
    let _ = file.take(200).read_to_string(&mut name);
    if name.trim().is_empty() { "another process".into() } else { name.trim().to_owned() }
}

fn host() -> String {
    let host = std::env::var("HOSTNAME").or_else(|_| fs::read_to_string("/etc/hostname")).unwrap_or_default();
    if host.trim().is_empty() { String::new() } else { format!(" on {}", host.trim()) }
}

/// Returns true if the open file still has that path.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let number = |about: &fs::Metadata| (about.dev(), about.ino());
    matches!((file.metadata(), fs::metadata(path)), (Ok(open), Ok(named)) if number(&open) == number(&named))
}

/// Other systems don't allow deleting open files.
#[cfg(not(unix))]
fn is_at(_file: &File, _path: &Path) -> bool {
    true
}
