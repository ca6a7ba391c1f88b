//! Locks a document for one editor: a locked file in the folder of its work that names the process.

use std::fs::{self, File, TryLockError};
use std::io::{ErrorKind, Read, Write};
use std::path::Path;
use std::time::Duration;

use keypose::wad::journal::outline;

use crate::app::files::own_files::{self, Access, canonical};
use crate::app::work::{About, Store, WorkFolder, header_at, id_of};

/// A lock that is released when it is dropped, even while a process that was just started shares the file.
#[derive(Debug)]
pub struct Lock(File);

impl Drop for Lock {
    fn drop(&mut self) {
        // Closing the file releases the lock as well; errors are harmless.
        let _ = self.0.unlock();
    }
}

/// How often a lock is tried whose file its previous owner deleted meanwhile.
const TRIES: usize = 100;

/// How often a lock is tried that another process has, and how long it waits between: a list has it for a moment.
const PATIENCE: (usize, Duration) = (6, Duration::from_millis(3));

fn try_lock(file: &File) -> Result<(), TryLockError> {
    let (tries, pause) = PATIENCE;
    for _ in 1..tries {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => std::thread::sleep(pause),
            done => return done,
        }
    }
    file.try_lock()
}

/// Locks a document, and makes the folder of its work. `None` if the folder can't be written, or its disk has no locks. The error
/// names the owner: "process 12 on desk".
pub fn take(folder: &WorkFolder) -> Result<Option<Lock>, String> {
    let path = folder.lock();
    for _ in 0..TRIES {
        let made = fs::create_dir_all(&folder.path).and_then(|()| own_files::open_or_create(&path, Access::Private));
        let file = match made {
            Ok(file) => file,
            // The previous owner deleted the folder in between.
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            // On Windows, a file that is deleted may have its name until its previous owner closes it.
            Err(error) if cfg!(windows) && error.kind() == ErrorKind::PermissionDenied => {
                std::thread::sleep(PATIENCE.1);
                continue;
            }
            Err(_) => return Ok(None),
        };
        match (try_lock(&file), own_files::is_at(&file, &path)) {
            (Ok(()), Ok(true)) => {
                let name = format!("process {}{}", std::process::id(), host());
                let _ = file.set_len(0).and_then(|()| (&file).write_all(name.as_bytes()));
                return Ok(Some(Lock(file)));
            }
            // The previous owner deleted the file: this lock is void.
            (Ok(()), Ok(false)) => {}
            (Err(TryLockError::WouldBlock), _) => return Err(name_in(&file)),
            (Err(TryLockError::Error(_)), _) | (Ok(()), Err(_)) => return Ok(None),
        }
    }
    Ok(None)
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

/// The lock of an archive that is written without being open in an editor.
#[derive(Debug)]
pub struct Held {
    folder: WorkFolder,
    _lock: Option<Lock>,
}

impl Drop for Held {
    fn drop(&mut self) {
        if !self.folder.steps().exists() {
            self.folder.remove();
        }
    }
}

/// Why an archive may not be written.
#[derive(Debug)]
pub enum Refusal {
    /// An editor has it open: "process 12 on desk".
    Open(String),
    /// There is unsaved work on it that a crash left, or the file can't be read: a sentence.
    Kept(String),
}

/// Locks an archive that is about to be replaced. `None` if there is nothing to lock: no such archive, or no store.
pub fn hold(store: Option<&Store>, archive: &Path) -> Result<Option<Held>, Refusal> {
    let kept = |reason: String| Refusal::Kept(format!("{}: {reason}", archive.display()));
    let (Some(store), true) = (store, archive.exists()) else { return Ok(None) };
    for _ in 0..TRIES {
        let id = id_of(store, archive).map_err(|error| kept(error.to_string()))?;
        let folder = store.folder(id);
        let lock = take(&folder).map_err(Refusal::Open)?;
        // Another command may have replaced it while this one waited.
        if id_of(store, archive).is_ok_and(|now| now == id) {
            let held = Held { folder, _lock: lock };
            if !held.folder.steps().exists() {
                // A copy of the file is known by this.
                let title = archive.file_name().unwrap_or_default().to_string_lossy().into_owned();
                let _ = held.folder.write_about(&About { title, path: Some(canonical(archive)) });
            }
            let is_kept = has_unsaved(&held.folder, archive);
            let advice = "it has unsaved work of a crash, which would not fit it any more: open it in Keypose first, and save or discard that";
            return if is_kept { Err(kept(advice.to_owned())) } else { Ok(Some(held)) };
        }
    }
    Ok(None)
}

/// Whether a folder has steps that the archive lacks. In doubt it has.
fn has_unsaved(folder: &WorkFolder, archive: &Path) -> bool {
    let hash = header_at(archive).ok().flatten().map(|header| header.hash);
    match own_files::read(&folder.steps()) {
        Ok(None) => false,
        Ok(Some(steps)) => !outline(&steps).is_ok_and(|read| read.is_saved_as(hash)),
        Err(_) => true,
    }
}
