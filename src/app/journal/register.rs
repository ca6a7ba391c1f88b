//! A register, in the folder for application state, of the journals that lie beside archives, also of those that were set aside there. By it, a
//! journal is found after its archive was moved to another folder without it. An entry that can't be written is missing: then
//! the journal is found in its own folder only.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use crate::app::folder_names::names_in;
use crate::app::folders;
use crate::app::own_files::{self, Access, canonical};

/// What the name of an entry ends with, after the digest of the journal's path.
const ENDING: &str = ".beside";
/// More than a path has.
const MAX_BYTES: u64 = 1 << 16;

/// Registers a journal that is there. Journals in the folder for application state need no entry.
pub(super) fn add(journal: &Path) {
    let Some((folder, entry)) = entry_of(journal) else { return };
    let Some(text) = text_of(journal) else { return };
    if read(&entry).is_some() || journal.parent().map(canonical) == Some(canonical(&folder)) {
        return;
    }
    sweep(&folder);
    let _ = fs::create_dir_all(&folder);
    let _ = fs::remove_file(&entry);
    let _ = own_files::create(&entry, Access::Private).and_then(|mut file| file.write_all(text.as_bytes()));
}

/// Deletes the entry of a journal that was deleted.
pub(super) fn remove(journal: &Path) {
    if let Some((_, entry)) = entry_of(journal) {
        let _ = fs::remove_file(entry);
    }
}

/// The registered journals that are there, sorted, without those in these folders.
pub(super) fn journals_outside(folders: &[PathBuf]) -> Vec<PathBuf> {
    let Some(folder) = folders::state() else { return Vec::new() };
    let is_outside = |journal: &PathBuf| journal.parent().is_none_or(|of| !folders.iter().any(|folder| folder == of));
    let is_there = |journal: &PathBuf| fs::symlink_metadata(journal).is_ok_and(|about| about.is_file());
    let mut journals: Vec<PathBuf> = entries(&folder).filter_map(|entry| read(&entry)).collect();
    journals.retain(|journal| is_outside(journal) && is_there(journal));
    journals.sort();
    journals
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

/// The path in an entry; `None` if it was not written to its end.
fn read(entry: &Path) -> Option<PathBuf> {
    if fs::symlink_metadata(entry).is_ok_and(|about| about.len() > MAX_BYTES) {
        return None;
    }
    let bytes = own_files::read(entry).ok()??;
    // A path may have line breaks.
    let (path, digest) = std::str::from_utf8(&bytes).ok()?.strip_suffix('\n')?.rsplit_once('\n')?;
    (digest == format!("{:016x}", xxh3_64(path.as_bytes()))).then(|| path.into())
}

fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let is_entry = |name: &OsString| name.as_encoded_bytes().ends_with(ENDING.as_bytes());
    let names = names_in(folder).into_iter().flatten().map_while(Result::ok).filter(is_entry);
    names.map(|name| folder.join(name))
}

/// Deletes entries of journals that are gone. Where their folder is gone as well, it may come back, such as that of another disk.
fn sweep(folder: &Path) {
    for entry in entries(folder) {
        let is_gone = |journal: PathBuf| {
            let about = fs::symlink_metadata(&journal);
            let is_missing = about.is_err_and(|error| error.kind() == io::ErrorKind::NotFound);
            is_missing && journal.parent().is_some_and(Path::is_dir)
        };
        if read(&entry).is_none_or(is_gone) {
            let _ = fs::remove_file(entry);
        }
    }
}
