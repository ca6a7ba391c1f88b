//! Opening the journal of a document: its lock, the recovery of what a crash left, and the messages about it.

use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use crate::app::journal::lock::{self, Lock};
use crate::app::journal::places::is_left;
use crate::app::journal::recover::Found;
use crate::app::journal::taking::Elsewhere;
use crate::app::journal::{JournalError, JournalFile, NEXT, REWRITTEN, beside, header_hash, register};
use crate::app::own_files;
use crate::app::regular_files;
use crate::wad::archive::hash_in_header;
use crate::wad::directory::HEADER_BYTES;
use crate::wad::journal::{FIRST_BASE_BYTES, HEAD_BYTES, MAGIC, Replayed, first_base, is_journal, is_known};

/// The result of opening a document's journal.
#[derive(Debug)]
pub struct Opening {
    /// The journal to append to; `None` if another editor has it.
    pub journal: Option<JournalFile>,
    /// The editor that has the document, if any: "process 12 on desk".
    pub holder: Option<String>,
    /// The unsaved work of the previous session with its undo history.
    pub recovered: Option<Replayed>,
    /// Other journals of this document that can't be continued in this one.
    pub others: Vec<PathBuf>,
    /// Another journal with all the unsaved work that could not be taken in, because writing failed. It can be continued where
    /// it is.
    pub stuck: Option<PathBuf>,
    /// Messages for the user, one sentence each.
    pub notes: Vec<String>,
}

/// Opens the journal at `path` of a document whose archive's bytes are `base` (empty without one), and recovers its
/// content.
pub fn open(path: &Path, base: &[u8]) -> Result<Opening, JournalError> {
    open_with(path, base, &[])
}

/// As [`open`]. The work of this document may also be in the journals `elsewhere`: they are taken in where possible.
pub fn open_with(path: &Path, base: &[u8], elsewhere: &[PathBuf]) -> Result<Opening, JournalError> {
    match lock::take(path) {
        Ok(lock) => open_locked(path, lock, base, elsewhere),
        Err(holder) => {
            let (others, notes) = (Vec::new(), Vec::new());
            Ok(Opening { journal: None, holder: Some(holder), recovered: None, others, stuck: None, notes })
        }
    }
}

/// As [`open_with`], of a journal whose lock was acquired before the archive was read.
pub fn open_locked(
    path: &Path,
    lock: Option<Lock>,
    base: &[u8],
    elsewhere: &[PathBuf],
) -> Result<Opening, JournalError> {
    let mut notes = Vec::new();
    let found = Found { path, base, hash: header_hash(base) };
    for ending in [NEXT, REWRITTEN] {
        found.settle_interrupted_save(ending, &mut notes);
    }
    let Elsewhere { others, stuck } = found.take_in(elsewhere, &mut notes);
    let (open, recovered) = found.recover(&mut notes).unzip();
    let from = recovered.as_ref().map_or(0, |recovered: &Replayed| recovered.from);
    let shift = i64::try_from(from).unwrap_or(0);
    let journal =
        JournalFile { open, shift, ..JournalFile::new(path, found.hash, base.len() as u64, lock) }.with_note();
    journal.find_archive();
    if journal.is_written() {
        register::add(path);
    }
    Ok(Opening { journal: Some(journal), holder: None, recovered, others, stuck, notes })
}

/// Opens the journal of an archive that has none yet. Reads only the header of the archive. `None` if there may be something to
/// recover; then, the lock is not taken.
pub fn open_fresh(path: &Path, archive: &Path, lock: &mut Option<Lock>) -> Option<Opening> {
    let size = fs::metadata(archive).ok()?.len();
    let hash = header_hash_in(archive).ok()?.filter(|_| !is_left(path))?;
    let journal = JournalFile::new(path, hash, size, lock.take());
    journal.find_archive();
    Some(Opening {
        journal: Some(journal),
        holder: None,
        recovered: None,
        others: Vec::new(),
        stuck: None,
        notes: Vec::new(),
    })
}

/// The hash in the header of a file; `None` if it is no archive of its size.
pub(super) fn header_hash_in(archive: &Path) -> io::Result<Option<u64>> {
    let (mut file, _) = regular_files::open(archive, u64::MAX)?;
    let mut head = [0; HEADER_BYTES];
    match file.read_exact(&mut head) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        read => read?,
    }
    Ok(hash_in_header(&head, file.metadata()?.len()))
}

/// Whether a file begins as a journal that this program can read.
pub(super) fn is_of_known_version(path: &Path) -> bool {
    let mut begin = [0; HEAD_BYTES];
    let read = own_files::open_to_read(path).and_then(|mut file| file.read_exact(&mut begin));
    read.is_ok() && is_known(&begin)
}

/// The header hash of the archive that the first record of a journal names. Reads no more than that.
pub(super) fn first_base_at(journal: &Path) -> Option<u64> {
    let mut begin = [0; FIRST_BASE_BYTES];
    own_files::open_to_read(journal).ok()?.read_exact(&mut begin).ok()?;
    first_base(&begin).filter(|_| is_journal(&begin))
}

/// Whether a file begins as a journal: others may be of any size.
pub fn is_journal_at(path: &Path) -> io::Result<bool> {
    let mut begin = [0; MAGIC.len()];
    match own_files::open_to_read(path)?.read_exact(&mut begin) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        read => read.map(|()| begin == MAGIC),
    }
}

/// The editor that has the archive open, if that can be determined.
pub fn holder(archive: &Path) -> Option<String> {
    lock::holder(&beside(archive))
}
