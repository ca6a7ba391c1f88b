//! A register, in the folder for application state, of the journals that lie beside archives, also of those that were set aside there. By it, a
//! journal is found after its archive was moved to another folder without it. An entry that can't be written is missing: then
//! the journal is found in its own folder only.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use xxhash_rust::xxh3::xxh3_64;

use crate::app::folder_names::names_in;
use crate::app::folders;
use crate::app::journal::opening::{first_base_at, header_hash_in};
use crate::app::journal::recover::{DAMAGED, ORPHAN, UNREAD};
use crate::app::journal::{TAKING, beside};
use crate::app::own_files::{self, Access, canonical};

/// What the name of an entry ends with, after the digest of the journal's path.
const ENDING: &str = ".beside";
/// More than a path has.
const MAX_BYTES: u64 = 1 << 16;
/// How many journals are registered.
const MAX_ENTRIES: usize = 256;
/// How long the entry of a journal that is not there is kept: its disk may come back.
const KEPT: Duration = Duration::from_secs(90 * 24 * 60 * 60);

/// How long the disk of a registered journal may take to answer, and for how long it isn't asked again: a server may be gone.
const PATIENCE: Duration = Duration::from_secs(1);
const PAUSE: Duration = Duration::from_secs(60);

/// Registers a journal that is there, or is about to be. Journals in the folder for application state need no entry.
pub(super) fn add(journal: &Path) {
    let Some((folder, entry)) = entry_of(journal) else { return };
    let Some(text) = text_of(journal) else { return };
    if journal.parent().map(canonical) == Some(canonical(&folder)) {
        return;
    }
    if read(&entry).is_ok_and(|path| path.is_some()) {
        renew(&entry);
        return;
    }
    sweep(&folder);
    let _ = fs::create_dir_all(&folder);
    own_files::sweep(&entry, TAKING);
    let temporary = own_files::temporary(&entry, TAKING);
    let written = own_files::create_temporary(&temporary, Access::Private);
    let written = written.and_then(|mut file| file.write_all(text.as_bytes()).map(|()| file));
    if written.and_then(|_| fs::rename(&temporary, &entry)).is_err() {
        let _ = fs::remove_file(&temporary);
    }
}

/// Notes that the journal of an entry was there now.
fn renew(entry: &Path) {
    let _ = own_files::open(entry).and_then(|file| file.set_modified(SystemTime::now()));
}

/// Registers what lies beside an archive of its journal, whatever became of that: its entry may be missing.
pub fn add_all(journal: &Path) {
    let (Some(folder), Some(first)) = (journal.parent(), journal.file_name()) else { return };
    let rest = |name: &OsString| name.as_encoded_bytes().strip_prefix(first.as_encoded_bytes()).map(<[u8]>::to_vec);
    let is_one = |rest: Vec<u8>| [ORPHAN, DAMAGED, UNREAD].iter().any(|ending| rest.starts_with(ending.as_bytes()));
    let names = names_in(folder).into_iter().flatten().map_while(Result::ok);
    names.filter(|name| rest(name).is_some_and(is_one)).for_each(|name| add(&folder.join(name)));
}

/// Deletes the entry of a journal that was deleted.
pub(super) fn remove(journal: &Path) {
    if let Some((_, entry)) = entry_of(journal) {
        let _ = fs::remove_file(entry);
    }
}

/// The registered journals that are there, or may be, sorted, without those in these folders. An entry that can't be read stands for its journal, which
/// can't be read either, and so does that of a journal on a disk that doesn't answer.
pub(super) fn journals_outside(folders: &[PathBuf]) -> Vec<PathBuf> {
    let Some(folder) = folders::state() else { return Vec::new() };
    let is_outside = |journal: &PathBuf| journal.parent().is_none_or(|of| !folders.iter().any(|folder| folder == of));
    let journal_of = |entry: PathBuf| match read(&entry) {
        Ok(Some(path)) if !answers(&path) => Some(entry),
        // Its folder may have moved, and a link may lead there.
        Ok(path) => path.as_deref().map(canonical).filter(|journal| is_outside(journal) && !is_missing(journal)),
        Err(_) => Some(entry),
    };
    let mut journals: Vec<PathBuf> = entries(&folder).filter_map(journal_of).collect();
    journals.sort();
    journals.dedup();
    journals
}

/// As [`journals_outside`], those that are not beside the archive that their first step starts from: it may have been moved. Of the others, only the
/// first bytes are read.
pub(super) fn astray_outside(folders: &[PathBuf]) -> Vec<PathBuf> {
    let mut journals = journals_outside(folders);
    journals.retain(|journal| start_beside(journal).is_none());
    journals
}

/// The header hash of the archive beside a journal, if its first step starts from that.
pub(super) fn start_beside(journal: &Path) -> Option<u64> {
    let archive = journal.with_extension("");
    let is_file = fs::symlink_metadata(&archive).is_ok_and(|about| about.is_file());
    if !is_file || beside(&archive) != journal {
        return None;
    }
    header_hash_in(&archive).ok().flatten().filter(|hash| first_base_at(journal) == Some(*hash))
}

/// Whether a path is that of an entry, which stands for its journal.
pub(super) fn is_entry(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().ends_with(ENDING.as_bytes()))
}

/// Whether the disk of a path answers in time. The question is left to a thread, which may wait for ever.
fn answers(path: &Path) -> bool {
    static SLOW: Mutex<BTreeMap<PathBuf, Instant>> = Mutex::new(BTreeMap::new());
    let Some(folder) = path.parent().map(Path::to_owned) else { return true };
    let slow = || SLOW.lock().unwrap_or_else(PoisonError::into_inner);
    if slow().get(&folder).is_some_and(|asked| asked.elapsed() < PAUSE) {
        return false;
    }
    let (sender, answer) = mpsc::channel();
    let asked = folder.clone();
    let ask = move || {
        let _ = fs::metadata(asked);
        let _ = sender.send(());
    };
    let thread = thread::Builder::new().spawn(ask);
    // Without a thread, reading the journal asks.
    let is_fast = thread.is_err() || answer.recv_timeout(PATIENCE) != Err(RecvTimeoutError::Timeout);
    match is_fast {
        true => drop(slow().remove(&folder)),
        false => drop(slow().insert(folder, Instant::now())),
    }
    is_fast
}

/// Whether nothing has this path. In doubt, something may.
fn is_missing(path: &Path) -> bool {
    let error = fs::symlink_metadata(path).err();
    error.is_some_and(|error| matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory))
}

/// The folder of the register, and the entry of a journal.
fn entry_of(journal: &Path) -> Option<(PathBuf, PathBuf)> {
    let folder = folders::state()?;
    let digest = xxh3_64(canonical(journal).as_os_str().as_encoded_bytes());
    Some((folder.clone(), folder.join(format!("{digest:016x}{ENDING}"))))
}

/// Two lines: the path, and its hash. `None` of a path that is not Unicode.
fn text_of(journal: &Path) -> Option<String> {
    let journal = canonical(journal);
    let path = journal.to_str()?;
    Some(format!("{path}\n{:016x}\n", xxh3_64(path.as_bytes())))
}

/// The path in an entry; `None` if it is damaged, or no entry.
fn read(entry: &Path) -> io::Result<Option<PathBuf>> {
    if fs::symlink_metadata(entry)?.len() > MAX_BYTES {
        return Ok(None);
    }
    let bytes = match own_files::read(entry) {
        // A link, or a folder.
        Err(error) if error.kind() == ErrorKind::InvalidInput => return Ok(None),
        read => read?.unwrap_or_default(),
    };
    Ok(path_in(&bytes))
}

fn path_in(bytes: &[u8]) -> Option<PathBuf> {
    // A path may have line breaks.
    let (path, digest) = std::str::from_utf8(bytes).ok()?.strip_suffix('\n')?.rsplit_once('\n')?;
    (digest == format!("{:016x}", xxh3_64(path.as_bytes()))).then(|| path.into())
}

fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let is_entry = |name: &OsString| name.as_encoded_bytes().ends_with(ENDING.as_bytes());
    let names = names_in(folder).into_iter().flatten().map_while(Result::ok).filter(is_entry);
    names.map(|name| folder.join(name))
}

/// Deletes damaged entries, those of journals that have been gone for long and, if there is no room for another one, the oldest, first of journals that
/// are gone.
fn sweep(folder: &Path) {
    let now = SystemTime::now();
    let written = |path: &Path| fs::metadata(path).and_then(|about| about.modified()).map_or(now, |time| time.min(now));
    let mut left = Vec::new();
    for entry in entries(folder) {
        let (is_there, seen) = match read(&entry) {
            Ok(Some(journal)) if !answers(&journal) => (true, now),
            Ok(Some(journal)) if !is_missing(&journal) => {
                renew(&entry);
                (true, written(&journal))
            }
            Ok(Some(_)) => (false, written(&entry)),
            Ok(None) => (false, SystemTime::UNIX_EPOCH),
            Err(_) => (true, now),
        };
        match is_there || now.duration_since(seen).is_ok_and(|age| age <= KEPT) {
            true => left.push((is_there, seen, entry)),
            false => drop(fs::remove_file(entry)),
        }
    }
    left.sort();
    let surplus = left.len().saturating_sub(MAX_ENTRIES - 1);
    left.iter().take(surplus).for_each(|(.., entry)| drop(fs::remove_file(entry)));
}
