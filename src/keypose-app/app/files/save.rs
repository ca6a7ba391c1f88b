//! Saves files atomically: at every moment the old or the new file exists, whole. Independent of the file format.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::thread;

use thiserror::Error;

use crate::app::files::own_files::{self, Access, beside};
use crate::app::files::{regular_files, windows_names};

/// Count of older versions that are kept: `FILE.1` is the previous one, `FILE.3` the oldest.
pub const GENERATIONS: u32 = 3;

/// Why a file could not be saved. The previous file is unchanged unless the error says otherwise.
#[derive(Debug, Error)]
#[allow(missing_docs)]
pub enum SaveError {
    #[error("{} could not be saved: {step} failed ({source}). The file on disk is unchanged{}", path.display(), advice(source))]
    Step { path: PathBuf, step: &'static str, source: io::Error },
    #[error(
        "{} could not be saved: the disk did not confirm the data ({source}). The file on disk is unchanged; the \
         new data is in {}", path.display(), kept.display()
    )]
    Sync { path: PathBuf, kept: PathBuf, source: io::Error },
    #[error(
        "{} could not be saved: verification failed because the disk or its driver is faulty. The \
         file on disk is unchanged; save to another disk", path.display()
    )]
    Verify { path: PathBuf },
    #[error("{} is read-only; save under another name, or make it writable first", path.display())]
    ReadOnly { path: PathBuf },
    #[error("{} is saved, but its folder could not be synced ({source}); a power failure could undo the save", path.display())]
    Folder { path: PathBuf, source: io::Error },
}

/// Content that can be saved.
pub trait Content {
    /// Writes it to an empty file.
    fn write(&mut self, file: &File) -> io::Result<()>;
    /// Reads a whole file. Returns whether it is what was written.
    fn is_in(&self, file: &File) -> io::Result<bool>;
}

impl Content for &[u8] {
    fn write(&mut self, mut file: &File) -> io::Result<()> {
        file.write_all(self)
    }

    fn is_in(&self, mut file: &File) -> io::Result<bool> {
        file.rewind()?;
        are_same(&mut file, &mut &**self)
    }
}

/// Saves bytes atomically: writes a temporary file in the same folder, syncs it, reads it back and compares it, keeps
/// three older versions, renames it, and syncs the folder. Blocks until the disk is done.
pub fn save_atomically(path: &Path, bytes: &[u8]) -> Result<(), SaveError> {
    save_content(path, &mut &*bytes, |_| ())
}

/// As [`save_atomically`], of any content. Calls `ready` when the new file is on the disk, before it gets its name.
pub fn save_content<C: Content>(path: &Path, content: &mut C, ready: impl FnOnce(&C)) -> Result<(), SaveError> {
    // The canonical path of a device has another name.
    windows_names::check(path).map_err(|source| SaveError::Step { path: path.to_owned(), step: "writing", source })?;
    // A symbolic link is kept: its target is replaced.
    let path = own_files::canonical(path);
    if own_files::is_read_only(&path) {
        return Err(SaveError::ReadOnly { path });
    }
    let temporary = temporary(&path);
    let failed = |step, source| {
        let _ = fs::remove_file(&temporary);
        SaveError::Step { path: path.clone(), step, source }
    };
    let created = own_files::create_temporary(&temporary, Access::Of(path.clone()));
    let written = created.and_then(|file| content.write(&file).map(|()| file));
    let file = written.map_err(|source| failed("writing", source))?;
    // After a failed sync the state of the disk is unknown: the file is kept, and a retry would prove nothing.
    file.sync_all().map_err(|source| {
        let kept = keep_unsaved(&temporary, &path);
        SaveError::Sync { path: path.clone(), kept, source }
    })?;
    if !content.is_in(&file).map_err(|source| failed("reading back", source))? {
        let _ = fs::remove_file(&temporary);
        return Err(SaveError::Verify { path });
    }
    ready(content);
    keep_generations(&path).map_err(|source| failed("keeping the previous version", source))?;
    // What was verified is what gets the name.
    if !own_files::is_at(&file, &temporary).unwrap_or(false) {
        let source = io::Error::other("another program changed the temporary file");
        return Err(SaveError::Step { path, step: "renaming", source });
    }
    own_files::rename(&temporary, &path).map_err(|source| failed("renaming", source))?;
    own_files::sync_folder_of(&path).map_err(|source| SaveError::Folder { path: path.clone(), source })
}

/// Replaces a file that can be regenerated, such as an image or preferences. The old or the new file exists, whole; no
/// older versions are kept.
///
/// # Errors
/// As of the system, and if the name is that of a folder, a pipe or a device: renaming would remove it.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    own_files::sweep(path, SAVING);
    if is_other(path) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    own_files::replace(path, SAVING, Access::Of(path.to_owned()), |file| {
        file.write_all(bytes).and_then(|()| file.sync_all())
    })
}

/// Deletes the temporary files that killed processes left in a folder, before many files there are replaced.
pub fn sweep_folder(folder: &Path) {
    own_files::sweep_folder(folder, SAVING);
}

/// Replaces files in a swept folder, as [`replace`] does each: all are on the disk before the first gets its name. The first error of
/// `files`, or a sentence with the file that couldn't be written, ends it.
pub fn replace_all<P: AsRef<Path>, B: AsRef<[u8]>>(
    files: impl Iterator<Item = Result<(P, B), String>>,
) -> Result<(), String> {
    let mut written = Vec::new();
    let done = write_temporary(files, &mut written).and_then(|()| sync_each(&written));
    let name = |(temporary, path): &(PathBuf, P)| {
        own_files::rename(temporary, path.as_ref()).map_err(|error| in_file(path.as_ref(), &error))
    };
    let done = done.and_then(|()| written.iter().try_for_each(name));
    done.inspect_err(|_| written.iter().for_each(|(temporary, _)| drop(fs::remove_file(temporary))))
}

/// Writes files under temporary names, which it adds to `written` with the final ones.
fn write_temporary<P: AsRef<Path>, B: AsRef<[u8]>>(
    mut files: impl Iterator<Item = Result<(P, B), String>>,
    written: &mut Vec<(PathBuf, P)>,
) -> Result<(), String> {
    files.try_for_each(|file| {
        let (name, bytes) = file?;
        let path = name.as_ref();
        if is_other(path) {
            return Err(format!("{}: not a regular file", path.display()));
        }
        windows_names::check(path).map_err(|error| in_file(path, &error))?;
        let temporary = own_files::temporary(path, SAVING);
        let file = own_files::create_temporary(&temporary, Access::Of(path.to_owned()));
        let done = file.and_then(|mut file| file.write_all(bytes.as_ref())).map_err(|error| in_file(path, &error));
        written.push((temporary, name));
        done
    })
}

/// Threads that wait for the disk. It confirms several files at once in the time of one.
const WAITING_THREADS: usize = 16;

/// Waits until files are on the disk. The names for errors are beside those of the files.
fn sync_each<P: AsRef<Path>>(files: &[(PathBuf, P)]) -> Result<(), String> {
    let files: Vec<(&Path, &Path)> = files.iter().map(|(file, name)| (&**file, name.as_ref())).collect();
    let sync = |(file, name): &(&Path, &Path)| {
        let synced = OpenOptions::new().write(true).open(file).and_then(|file| file.sync_all());
        synced.map_err(|error| in_file(name, &error))
    };
    thread::scope(|scope| {
        let parts = files.chunks(files.len().div_ceil(WAITING_THREADS).max(1));
        let threads: Vec<_> = parts.map(|part| scope.spawn(move || part.iter().try_for_each(sync))).collect();
        threads.into_iter().try_for_each(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)))
    })
}

fn in_file(path: &Path, error: &io::Error) -> String {
    format!("{}: {error}", path.display())
}

/// Whether a name is taken by what is no regular file. Links are followed.
fn is_other(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|about| !about.is_file())
}

/// As [`replace`]. A pipe or a device, which can't be replaced, is written to.
pub fn replace_or_write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if is_other(path) { fs::write(path, bytes) } else { replace(path, bytes) }
}

/// The word in the names of temporary files.
const SAVING: &str = "saving";

/// A new name for a temporary file. Deletes those that a killed process left.
fn temporary(path: &Path) -> PathBuf {
    own_files::sweep(path, SAVING);
    own_files::temporary(path, SAVING)
}

/// The ending of a file that was written, but not confirmed by the disk. None is ever deleted.
const UNSAVED: &str = ".unsaved";

/// Renames a temporary file, so that no later save deletes it. Returns its name.
fn keep_unsaved(temporary: &Path, path: &Path) -> PathBuf {
    let renamed = own_files::free_name(path, UNSAVED).and_then(|name| fs::rename(temporary, &name).map(|()| name));
    renamed.unwrap_or_else(|_| temporary.to_owned())
}

/// Advice to append to an error; may be empty.
pub fn advice(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "; free some space, or save to another disk",
        io::ErrorKind::FileTooLarge => "; the disk or a limit (ulimit -f) allows no larger file: save to another disk",
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "; writing is not allowed there: save under another name or in another folder"
        }
        io::ErrorKind::InvalidFilename => "; its name is too long: save under a shorter one",
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => "; its folder doesn't exist: save in another one",
        _ => "",
    }
}

/// The word in the second name of a file.
const KEEPING: &str = "keeping";

/// Keeps a file that is about to be replaced as `.1`, and older ones as `.2` and `.3`. The error is a sentence.
pub fn keep_version(path: &Path) -> Result<(), String> {
    keep_generations(path)
        .map_err(|error| format!("{}: it can't be kept before it is replaced: {error}", path.display()))
}

/// Gives the file a second name, moves `.2` to `.3` and `.1` to `.2`, and renames the second name to `.1`. The file
/// itself stays, and no version is deleted before the next one is in place.
fn keep_generations(path: &Path) -> io::Result<()> {
    let newest = generation(path, 1);
    if !path.exists() || is_kept(path, &newest) {
        return Ok(());
    }
    own_files::sweep(path, KEEPING);
    let second = own_files::temporary(path, KEEPING);
    let kept = link(path, &second).and_then(|()| {
        for number in (1..GENERATIONS).rev() {
            let from = generation(path, number);
            if own_files::is_taken(&from) {
                own_files::rename(&from, &generation(path, number + 1))?;
            }
        }
        own_files::rename(&second, &newest)
    });
    kept.inspect_err(|_| drop(fs::remove_file(&second)))
}

/// Creates a second name for a file, or a copy if the file system has no hard links.
fn link(from: &Path, to: &Path) -> io::Result<()> {
    let copied = |_| {
        let file = own_files::create_temporary(to, Access::Of(from.to_owned()))?;
        io::copy(&mut regular_files::open(from, u64::MAX)?.0, &mut &file)?;
        // The older version is as old as it was. A disk without times has none to keep.
        let _ = fs::metadata(from)?.modified().and_then(|written| file.set_modified(written));
        Ok(())
    };
    fs::hard_link(from, to).or_else(copied)
}

/// Returns true if an earlier failed save already kept this version, so that it isn't kept twice.
fn is_kept(path: &Path, newest: &Path) -> bool {
    // A link may lead to the file itself.
    let about = fs::symlink_metadata(newest).ok().filter(fs::Metadata::is_file);
    let length = fs::metadata(path).ok().map(|about| about.len());
    about.map(|about| about.len()) == length && is_same_file(newest, path).unwrap_or(false)
}

fn is_same_file(a: &Path, b: &Path) -> io::Result<bool> {
    let open = |path| regular_files::open(path, u64::MAX).map(|(file, _)| file);
    are_same(&mut open(a)?, &mut open(b)?)
}

/// How much of a file is read at a time.
const SLICE_BYTES: usize = 1 << 20;

/// Whether two sources have the same bytes. Reads them in slices, so that a file of any size takes little memory.
fn are_same(a: &mut impl Read, b: &mut impl Read) -> io::Result<bool> {
    let mut slices = [Vec::with_capacity(SLICE_BYTES), Vec::with_capacity(SLICE_BYTES)];
    loop {
        let [of_a, of_b] = &mut slices;
        of_a.clear();
        of_b.clear();
        a.by_ref().take(SLICE_BYTES as u64).read_to_end(of_a)?;
        b.by_ref().take(SLICE_BYTES as u64).read_to_end(of_b)?;
        if of_a != of_b || of_a.is_empty() {
            return Ok(of_a == of_b);
        }
    }
}

/// The path of an older version.
pub fn generation(path: &Path, number: u32) -> PathBuf {
    beside(path, "", &format!(".{number}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_contain_advice() {
        let cases = [
            (io::ErrorKind::StorageFull, "free some space"),
            (io::ErrorKind::PermissionDenied, "under another name"),
            (io::ErrorKind::ReadOnlyFilesystem, "in another folder"),
            (io::ErrorKind::NotFound, "its folder doesn't exist"),
        ];
        for (kind, words) in cases {
            let path = PathBuf::from("a.wad");
            let error = SaveError::Step { path, step: "writing", source: kind.into() }.to_string();
            assert!(error.contains(words) && error.contains("unchanged"), "{error}");
        }
    }
}
