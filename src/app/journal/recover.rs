//! Recovers a journal that a previous session left. No byte of it is shortened, replaced or deleted before it is kept under
//! another name, except the record at the end that was never finished.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::app::journal::opening::header_hash_in;
use crate::app::journal::records::OpenFile;
use crate::app::journal::{NEXT, REWRITTEN, access, beside};
use crate::app::own_files::{self, free_name, names, with_ending};
use crate::wad::journal::{Event, HEAD_BYTES, Read, Replayed, VERSION, head, is_torn_head, read, rebase, replay};

/// The ending of a journal that could not be read; it is tried again at the next start.
pub(super) const UNREAD: &str = ".unread";
/// The ending of a copy of a damaged journal.
const DAMAGED: &str = ".damaged";
/// The ending of a journal of another archive.
pub(super) const ORPHAN: &str = ".orphan";

/// The word in the names of temporary files of journals that are written elsewhere.
pub const TAKING: &str = "taking";

/// How many journals that could not be read are tried again.
const MAX_UNREAD: usize = 99;
const OTHER_VERSION: &str = "it belongs to another version of this file";

/// What became of journals elsewhere.
#[derive(Debug, Default)]
pub(super) struct Elsewhere {
    /// Those with other work.
    pub others: Vec<PathBuf>,
    /// One with all the work that could not be taken in, because writing failed.
    pub stuck: Option<PathBuf>,
}

/// The result of taking in a journal.
enum Taken {
    Yes,
    /// There is other work here.
    No,
    /// It has all the work, but could not be written here.
    Stuck(io::Error),
}

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
    /// An interrupted save leaves two journals. The one that belongs to the archive is kept.
    pub fn settle_interrupted_save(&self, ending: &str, notes: &mut Vec<String>) {
        let next = with_ending(self.path, ending);
        let bytes = match own_files::read(&next) {
            Ok(None) => return,
            Ok(Some(bytes)) => bytes,
            // A link or a folder is not ours.
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => return,
            Err(error) => return self.set_aside(&next, UNREAD, &not_read(&error), notes),
        };
        let written = match read(&bytes) {
            Ok(written) => written,
            Err(_) if is_torn_head(&bytes) => Read::default(),
            // It is no journal, or one of a newer version.
            Err(_) => return,
        };
        let recorded = own_files::read(self.path).unwrap_or_else(|error| {
            self.set_aside(self.path, UNREAD, &not_read(&error), notes);
            None
        });
        let recorded = recorded.map(|bytes| read(&bytes).unwrap_or_default());
        let is_settled = recorded.as_ref().is_some_and(|read| read.is_of(self.hash) && !read.is_damaged());
        let settled = match written.is_of(self.hash) {
            // It was written for an archive that never came, or never finished.
            _ if is_settled || (written.events.is_empty() && !written.is_damaged()) => fs::remove_file(&next),
            true => {
                if recorded.as_ref().is_some_and(Read::is_damaged) {
                    self.set_aside(self.path, DAMAGED, "a record is damaged", notes);
                } else if recorded.is_some() && written.is_damaged() {
                    self.set_aside(self.path, ORPHAN, "its successor is damaged", notes);
                }
                fs::rename(&next, self.path)
            }
            false => return self.set_aside(&next, ORPHAN, OTHER_VERSION, notes),
        };
        if let Err(error) = settled {
            notes.push(format!("{}: {error}", next.display()));
        }
    }

    /// Takes in journals of this document that lie elsewhere: one that could not be read, or that was kept in the folder for
    /// application state.
    pub fn take_in(&self, elsewhere: &[PathBuf], notes: &mut Vec<String>) -> Elsewhere {
        let unread = names(self.path, UNREAD).take(MAX_UNREAD);
        let mut left = Elsewhere::default();
        for other in unread.chain(elsewhere.iter().cloned()).filter(|other| own_files::is_taken(other)) {
            match own_files::read(&other) {
                Ok(Some(bytes)) => match self.take(&bytes, notes) {
                    Ok(Taken::Yes) => drop(fs::remove_file(&other)),
                    Ok(Taken::No) => left.others.push(other),
                    Ok(Taken::Stuck(error)) => {
                        notes.push(format!("The journal {} could not be moved: {error}", other.display()));
                        left.stuck = elsewhere.contains(&other).then_some(other).or(left.stuck);
                    }
                    Err(error) => notes.push(format!("{}: {error}", other.display())),
                },
                Ok(None) => {}
                Err(error) => notes.push(format!("{}: {}", other.display(), not_read(&error))),
            }
        }
        left
    }

    /// Makes this journal of another one, if that holds everything that this one holds. What can't be read of this one, or is of
    /// another version of the archive, is kept under another name.
    fn take(&self, other: &[u8], notes: &mut Vec<String>) -> io::Result<Taken> {
        let Some(wanted) = self.rebased(other) else {
            return Ok(Taken::No);
        };
        if let Some(now) = own_files::read(self.path)? {
            let of = |bytes: &[u8]| rebase(bytes, self.base, &[]).ok();
            let has_all = of(&wanted).zip(of(&now)).is_some_and(|(wanted, now)| wanted.starts_with(&now));
            match read(&now) {
                Ok(read) if !read.events.is_empty() && !read.is_of(self.hash) => {
                    self.set_aside(self.path, ORPHAN, OTHER_VERSION, notes);
                }
                Ok(read) if !has_all && !read.events.is_empty() => return Ok(Taken::No),
                Ok(read) if read.is_damaged() => self.set_aside(self.path, DAMAGED, "a record is damaged", notes),
                Err(error) if !is_torn_head(&now) => self.set_aside(self.path, ORPHAN, &error.to_string(), notes),
                Ok(_) | Err(_) => {}
            }
        }
        Ok(self.replace(&wanted).map_or_else(Taken::Stuck, |()| Taken::Yes))
    }

    /// The bytes of another journal of this document, based on this archive. `None` if it is damaged or of another archive.
    fn rebased(&self, other: &[u8]) -> Option<Vec<u8>> {
        let recorded = read(other).ok().filter(|read| read.torn.is_none() && !read.events.is_empty())?;
        match recorded.base {
            _ if recorded.is_of(self.hash) => Some(other.to_vec()),
            0 => rebase(other, &[], self.base).ok(),
            _ => None,
        }
    }

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
    fn replace(&self, bytes: &[u8]) -> io::Result<()> {
        own_files::sweep(self.path, TAKING);
        let path = own_files::temporary(self.path, TAKING);
        let _written = own_files::write_temporary(&path, bytes, access(self.path))?;
        fs::rename(&path, self.path).inspect_err(|_| drop(fs::remove_file(&path)))?;
        own_files::sync_folder_of(self.path)
    }

    /// Renames a journal, so that all its bytes stay.
    pub fn set_aside(&self, journal: &Path, ending: &str, reason: &str, notes: &mut Vec<String>) {
        let renamed = free_name(self.path, ending).and_then(|free| fs::rename(journal, &free).map(|()| free));
        notes.push(match renamed {
            Ok(free) => format!("A journal was renamed to {}: {reason}", free.display()),
            Err(error) => format!("{}: {reason}, and it could not be renamed ({error})", journal.display()),
        });
    }

    /// Keeps a copy of a journal whose end will be cut, unless that is a record that was never finished. Returns a clause about
    /// it.
    fn keep_damaged(&self, bytes: &[u8], recorded: &Read) -> io::Result<String> {
        let cut = bytes.len().saturating_sub(recorded.whole_bytes);
        if cut == 0 {
            return Ok(String::new());
        }
        if !recorded.is_damaged() {
            return Ok(format!("; the last {cut} bytes were incomplete and were removed"));
        }
        let copy = free_name(self.path, DAMAGED)?;
        own_files::write_new(&copy, bytes, access(self.path))?;
        own_files::sync_folder_of(&copy)?;
        let behind = recorded.behind;
        Ok(format!(
            "; what follows is damaged or incomplete ({cut} bytes, {behind} whole records) and was kept with the rest in {}",
            copy.display()
        ))
    }
}

/// Whether anything of a journal is there that an earlier session left.
pub fn is_left(path: &Path) -> bool {
    let others = [NEXT, REWRITTEN].map(|ending| with_ending(path, ending));
    let all = [path.to_owned()].into_iter().chain(others).chain(names(path, UNREAD).take(MAX_UNREAD));
    all.into_iter().any(|path| own_files::is_taken(&path))
}

/// The journal of an editor that ended without saving, if it fits an archive: without that, its changes would be lost. The error is
/// a sentence.
pub fn require_none_waiting(archive: &Path) -> Result<(), String> {
    let archive = own_files::canonical(archive);
    let Some(hash) = header_hash_in(&archive).ok().flatten() else { return Ok(()) };
    let path = beside(&archive);
    let waits = |path: &PathBuf| {
        let read = own_files::read(path).ok().flatten().and_then(|bytes| read(&bytes).ok());
        let is_unsaved = |read: &Read| {
            let last = read.events.iter().rev().find(|event| !matches!(event, Event::Place(_)));
            last.is_some_and(|event| !matches!(event, Event::Saved { .. }))
        };
        read.is_some_and(|read| read.is_of(hash) && is_unsaved(&read))
    };
    match [path.clone(), with_ending(&path, UNREAD)].into_iter().find(waits) {
        Some(journal) => Err(format!(
            "{}: an editor ended without saving it; open it in Keypose to save or discard the changes in {}",
            archive.display(),
            journal.display()
        )),
        None => Ok(()),
    }
}

fn not_read(error: &io::Error) -> String {
    format!("it could not be read ({error}); it is kept, and read again when the file is opened the next time")
}

fn delete<T>(path: &Path, notes: &mut Vec<String>) -> Option<T> {
    if let Err(error) = fs::remove_file(path) {
        notes.push(format!("{}: {error}", path.display()));
    }
    None
}
