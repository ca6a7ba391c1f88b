//! The start of the program: a mark beside the preferences from their use until the first frames are shown. If the program
//! ended meanwhile in two starts in a row, the next start does not use the same preferences again. One such end may be a power
//! cut, or a user who ended a slow start.

use std::fs::{self, File, TryLockError};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::app::files::own_files::{self, Access};

/// The mark of this start. It is deleted when it is dropped, and stays if the program crashes before.
#[derive(Debug)]
pub struct StartMark {
    path: PathBuf,
    /// Locked, so that a start that is still going on is not taken for a crash.
    _held: File,
}

/// The line that each start adds to the mark.
const LINE: &[u8] = b"Keypose is starting.\n";

/// The number of starts in a row that ended before a frame was shown, from which on the preferences are suspected.
const MAX_FAILED_STARTS: u64 = 2;

/// The state in which the program starts.
pub struct Beginning {
    /// The mark of this start; none if it can't be written or another window is starting just now.
    pub mark: Option<StartMark>,
    /// Whether the last starts never showed a frame.
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

/// The locked mark, and whether too many starts left theirs.
fn mark(path: &Path) -> Result<(File, bool), ()> {
    let folder = path.parent().ok_or(())?;
    fs::create_dir_all(folder).map_err(|_| ())?;
    let mut file = own_files::open_or_create(path, Access::Private).map_err(|_| ())?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock | TryLockError::Error(_)) => return Err(()),
    }
    let failed_starts = file.metadata().map_err(|_| ())?.len() / LINE.len() as u64;
    let has_crashed = failed_starts >= MAX_FAILED_STARTS;
    if has_crashed {
        // The next preferences get as many tries.
        file.set_len(0).map_err(|_| ())?;
    }
    file.seek(SeekFrom::End(0)).and_then(|_| file.write_all(LINE)).map_err(|_| ())?;
    Ok((file, has_crashed))
}

impl StartMark {
    /// Deletes the mark: the start has ended, well or with a known reason.
    pub fn end(&self) {
        let _ = fs::remove_file(&self.path);
    }
}

impl Drop for StartMark {
    fn drop(&mut self) {
        self.end();
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
        drop(second);
        let crash = || {
            let beginning = begin(&preferences);
            let left = fs::read(&path).unwrap();
            let has_crashed = beginning.has_crashed;
            drop(beginning);
            fs::write(&path, left).unwrap();
            has_crashed
        };
        assert!(!crash() && !crash(), "one may be a power cut");
        assert!(crash(), "the third start does without the preferences");
        assert!(!crash() && crash(), "the next ones have two tries, too, of which one is spent");
        drop(begin(&preferences));
        assert!(!begin(&preferences).has_crashed);
        fs::remove_dir_all(folder).unwrap();
    }
}
