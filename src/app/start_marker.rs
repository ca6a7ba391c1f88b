//! The start of the program: a mark beside the preferences from their use until the first frames are shown. If the program
//! crashed meanwhile, the next start finds the mark, and does not use the same preferences again.

use std::fs::{self, File, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::app::own_files::{self, Access};

/// The mark of this start. It is deleted when it is dropped, and stays if the program crashes before.
#[derive(Debug)]
pub struct StartMark {
    path: PathBuf,
    /// Locked, so that a start that is still going on is not taken for a crash.
    _held: File,
}

/// What the program finds when it starts.
pub struct Beginning {
    /// The mark of this start; none if it can't be written or another window is starting just now.
    pub mark: Option<StartMark>,
    /// Whether the start before never showed a frame.
    pub has_crashed: bool,
}

/// Marks the start with these preferences.
pub fn begin(preferences: &Path) -> Beginning {
    let path = own_files::with_ending(preferences, ".starting");
    match mark(&path) {
        Ok((held, has_crashed)) => Beginning { mark: Some(StartMark { path, _held: held }), has_crashed },
        // Another window is starting, or the folder can't be written: then nothing is known.
        Err(()) => Beginning { mark: None, has_crashed: false },
    }
}

/// The locked mark, and whether it was there before.
fn mark(path: &Path) -> Result<(File, bool), ()> {
    let folder = path.parent().ok_or(())?;
    fs::create_dir_all(folder).map_err(|_| ())?;
    let mut file = own_files::open_or_create(path, Access::Private).map_err(|_| ())?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock | TryLockError::Error(_)) => return Err(()),
    }
    // Empty between its creation and the lock.
    let has_crashed = file.metadata().map_err(|_| ())?.len() > 0;
    if !has_crashed {
        file.write_all(b"Keypose is starting.\n").map_err(|_| ())?;
    }
    Ok((file, has_crashed))
}

impl Drop for StartMark {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_start_that_never_ended_is_a_crash() {
        let folder = std::env::temp_dir().join(format!("keypose-start-{}", std::process::id()));
        let preferences = folder.join("deeper/preferences.json");
        let first = begin(&preferences);
        assert!(first.mark.is_some() && !first.has_crashed);
        let beside = begin(&preferences);
        assert!(beside.mark.is_none() && !beside.has_crashed, "the first is still starting");
        drop(first);
        let second = begin(&preferences);
        assert!(second.mark.is_some() && !second.has_crashed, "the first ended well");
        // What a crash leaves.
        let path = second.mark.as_ref().unwrap().path.clone();
        let left = fs::read(&path).unwrap();
        drop(second);
        fs::write(&path, left).unwrap();
        let third = begin(&preferences);
        assert!(third.mark.is_some() && third.has_crashed);
        drop(third);
        assert!(!begin(&preferences).has_crashed);
        fs::remove_dir_all(folder).unwrap();
    }
}
