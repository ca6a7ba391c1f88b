//! Recovers a journal that a previous session left. No byte of it is shortened, replaced or deleted before it is kept under
//! another name, except the record at the end that was never finished.

use std::fs;
use std::io;
use std::path::Path;

use crate::app::journal::records::OpenFile;
use crate::app::journal::{access, register};
use crate::app::own_files::{self, free_name};
use crate::wad::journal::{HEAD_BYTES, Read, Replayed, VERSION, head, is_torn_head, read, replay};

/// The ending of a journal that could not be read; it is tried again at the next start.
pub(super) const UNREAD: &str = ".unread";
/// The ending of a copy of a damaged journal.
pub(super) const DAMAGED: &str = ".damaged";
/// The ending of a journal of another archive.
pub(super) const ORPHAN: &str = ".orphan";

/// The word in the names of temporary files of journals that are written elsewhere.
pub const TAKING: &str = "taking";

pub(super) const OTHER_VERSION: &str = "it belongs to another version of this file";

/// A journal and its archive.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found<'a> {
    pub path: &'a Path,
    /// The bytes of the archive; empty without one.
    pub base: &'a [u8],
    /// Its header hash.
    pub hash: u64,
}

impl Found<'_> {
    /// Recovers the journal: cuts an unfinished record at its end, or renames the journal of another archive.
    pub fn recover(&self, notes: &mut Vec<String>) -> Option<(OpenFile, Replayed)> {
        let bytes = match own_files::read(self.path) {
            Ok(bytes) => bytes?,
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => {
                notes.push(format!("{}: {error}", self.path.display()));
                return None;
            }
            Err(error) => {
                self.set_aside(self.path, UNREAD, &not_read(&error), notes);
                return None;
            }
        };
        let recorded = match read(&bytes) {
            // The program was killed before the first step was written.
            Err(_) if is_torn_head(&bytes) => return delete(self.path, notes),
            Ok(recorded) if recorded.events.is_empty() && !recorded.is_damaged() => return delete(self.path, notes),
            recorded => recorded,
        };
        match recorded.map_err(|error| (ORPHAN, error.to_string())).and_then(|read| self.continued(&bytes, read)) {
            Ok((open, replayed, torn)) => {
                notes.push(format!("Recovered {} steps of the last session{torn}", replayed.done + replayed.merged));
                Some((open, replayed))
            }
            Err((ending, reason)) => {
                self.set_aside(self.path, ending, &reason, notes);
                None
            }
        }
    }

    /// The journal to append to, what it holds, and a clause about what was cut off. The error is the ending to set it aside
    /// with, and the reason.
    fn continued(&self, bytes: &[u8], recorded: Read) -> Result<(OpenFile, Replayed, String), (&'static str, String)> {
        if recorded.events.is_empty() {
            return Err((DAMAGED, "its first record is damaged".into()));
        }
        if !recorded.is_of(self.hash) {
            return Err((ORPHAN, OTHER_VERSION.into()));
        }
        let unread = |error: io::Error| (UNREAD, not_read(&error));
        let (records, version, whole_bytes) = (recorded.events.len(), recorded.version, recorded.whole_bytes);
        let about =
            Read { base: recorded.base, whole_bytes, expanded_bytes: recorded.expanded_bytes, ..Read::default() };
        let torn = self.keep_damaged(bytes, &recorded).map_err(unread)?;
        let replayed = replay(self.base, recorded).map_err(|error| (ORPHAN, error.to_string()))?;
        if version < VERSION {
            self.renew(bytes.get(HEAD_BYTES..whole_bytes).unwrap_or_default()).map_err(unread)?;
        }
        let file = own_files::open(self.path).map_err(unread)?;
        if version == VERSION && whole_bytes < bytes.len() {
            file.set_len(whole_bytes as u64).map_err(unread)?;
        }
        Ok((OpenFile { sequence: records as u64, ..OpenFile::of(file, &about) }, replayed, torn))
    }

    /// Writes the records of a journal of an older version again as one of this version, which may be continued.
    fn renew(&self, records: &[u8]) -> io::Result<()> {
        self.replace(&[&head(), records].concat())
    }

    /// Replaces the journal by these bytes, on the disk.
    pub fn replace(&self, bytes: &[u8]) -> io::Result<()> {
        own_files::sweep(self.path, TAKING);
        let path = own_files::temporary(self.path, TAKING);
        let _written = own_files::write_temporary(&path, bytes, access(self.path))?;
        register::add(self.path);
        fs::rename(&path, self.path).inspect_err(|_| drop(fs::remove_file(&path)))?;
        own_files::sync_folder_of(self.path)
    }

    /// Renames a journal, so that all its bytes stay. Returns whether its name is free now.
    pub fn set_aside(&self, journal: &Path, ending: &str, reason: &str, notes: &mut Vec<String>) -> bool {
        // The entry first: after a kill in between, it would be missing for good.
        let free = free_name(self.path, ending).inspect(|free| register::add(free));
        let renamed = free.and_then(|free| fs::rename(journal, &free).map(|()| free));
        let is_done = renamed.is_ok();
        notes.push(match renamed {
            Ok(free) => {
                format!("A journal was renamed to {}: {reason}. File ▸ Recover unsaved work… lists it", free.display())
            }
            Err(error) => format!("{}: {reason}, and it could not be renamed ({error})", journal.display()),
        });
        is_done
    }

    /// Keeps a copy of a journal whose end will be cut, unless that is a record that was never finished. Returns a clause about
    /// it.
    pub fn keep_damaged(&self, bytes: &[u8], recorded: &Read) -> io::Result<String> {
        let cut = bytes.len().saturating_sub(recorded.whole_bytes);
        if cut == 0 {
            return Ok(String::new());
        }
        if !recorded.is_damaged() {
            return Ok(format!("; the last {cut} bytes were incomplete and were removed"));
        }
        let copy = free_name(self.path, DAMAGED)?;
        register::add(&copy);
        own_files::write_new(&copy, bytes, access(self.path))?;
        own_files::sync_folder_of(&copy)?;
        let behind = recorded.behind;
        Ok(format!(
            "; what follows is damaged or incomplete ({cut} bytes, {behind} whole records) and was kept with the rest in {}",
            copy.display()
        ))
    }
}

pub(super) fn not_read(error: &io::Error) -> String {
    format!("it could not be read ({error}); it is kept, and read again when the file is opened the next time")
}

fn delete<T>(path: &Path, notes: &mut Vec<String>) -> Option<T> {
    if let Err(error) = fs::remove_file(path) {
        notes.push(format!("{}: {error}", path.display()));
    }
    None
}
