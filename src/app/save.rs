//! Saves files atomically: at every moment the old or the new file exists, whole. Independent of the file format.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

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
         new data is in {}", path.display(), temporary.display()
    )]
    Sync { path: PathBuf, temporary: PathBuf, source: io::Error },
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

/// The system calls of a save. Tests make each of them fail.
pub trait Disk {
    /// Creates or truncates a file and writes all bytes.
    fn write(&mut self, path: &Path, bytes: &[u8]) -> io::Result<()>;
    /// Waits until the file's data is on the disk.
    fn sync(&mut self, path: &Path) -> io::Result<()>;
    /// Reads a whole file.
    fn read(&mut self, path: &Path) -> io::Result<Vec<u8>>;
    /// Creates a second name for a file, or a copy if the file system has no hard links.
    fn link(&mut self, from: &Path, to: &Path) -> io::Result<()>;
    /// Renames a file, replacing one with the new name.
    fn rename(&mut self, from: &Path, to: &Path) -> io::Result<()>;
    /// Deletes a file.
    fn remove(&mut self, path: &Path) -> io::Result<()>;
    /// Waits until the names in a folder are on the disk.
    fn sync_folder(&mut self, path: &Path) -> io::Result<()>;
}

/// The system's file system.
#[derive(Debug, Default)]
pub struct RealDisk;

/// Saves bytes atomically: writes a temporary file in the same folder, syncs it, reads it back and compares it, keeps
/// three older versions, renames it, and syncs the folder. Blocks until the disk is done.
pub fn save_atomically(path: &Path, bytes: &[u8]) -> Result<(), SaveError> {
    save_on(&mut RealDisk, path, bytes)
}

/// Replaces a file that can be regenerated, such as an image or preferences. The old or the new file exists, whole; no
/// older versions are kept.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let temporary = beside(path, ".", &format!(".saving-{}", std::process::id()));
    let mut disk = RealDisk;
    let written = disk.write(&temporary, bytes).and_then(|()| disk.sync(&temporary));
    let done = written.and_then(|()| disk.rename(&temporary, path));
    if done.is_err() {
        let _ = disk.remove(&temporary);
    }
    done
}

/// Advice to append to an error; may be empty.
pub fn advice(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
            "; free some space, or save to another disk"
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "; writing is not allowed there: save under another name or in another folder"
        }
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => "; its folder doesn't exist: save in another one",
        _ => "",
    }
}

/// [`save_atomically`] on a given disk.
pub fn save_on(disk: &mut dyn Disk, path: &Path, bytes: &[u8]) -> Result<(), SaveError> {
    // A symbolic link is kept: its target is replaced.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if fs::metadata(&path).is_ok_and(|metadata| metadata.permissions().readonly()) {
        return Err(SaveError::ReadOnly { path });
    }
    let temporary = beside(&path, ".", ".saving");
    let failed = |disk: &mut dyn Disk, step, source| {
        let _ = disk.remove(&temporary);
        SaveError::Step { path: path.clone(), step, source }
    };
    disk.write(&temporary, bytes).map_err(|source| failed(disk, "writing", source))?;
    // After a failed sync the state of the disk is unknown: the file is kept, and a retry would prove nothing.
    disk.sync(&temporary).map_err(|source| {
        let (path, temporary) = (path.clone(), temporary.clone());
        SaveError::Sync { path, temporary, source }
    })?;
    let read = disk.read(&temporary).map_err(|source| failed(disk, "reading back", source))?;
    if read != bytes {
        let _ = disk.remove(&temporary);
        return Err(SaveError::Verify { path });
    }
    keep_generations(disk, &path).map_err(|source| failed(disk, "keeping the previous version", source))?;
    disk.rename(&temporary, &path).map_err(|source| failed(disk, "renaming", source))?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    disk.sync_folder(folder).map_err(|source| SaveError::Folder { path: path.clone(), source })
}

/// Gives the file a second name, moves `.2` to `.3` and `.1` to `.2`, and renames the second name to `.1`. The file
/// itself stays, and no version is deleted before the next one is in place.
fn keep_generations(disk: &mut dyn Disk, path: &Path) -> io::Result<()> {
    if !path.exists() || is_kept(disk, path) {
        return Ok(());
    }
    let second = beside(path, ".", ".keeping");
    let kept = disk.link(path, &second).and_then(|()| {
        for older in (2..=GENERATIONS).rev() {
            let from = generation(path, older - 1);
            if from.exists() {
                disk.rename(&from, &generation(path, older))?;
            }
        }
        disk.rename(&second, &generation(path, 1))
    });
    if kept.is_err() {
        let _ = disk.remove(&second);
    }
    kept
}

/// Returns true if an earlier failed save already kept this version, so that it isn't kept twice.
fn is_kept(disk: &mut dyn Disk, path: &Path) -> bool {
    let newest = generation(path, 1);
    let length = |path: &Path| fs::metadata(path).ok().map(|about| about.len());
    length(&newest) == length(path)
        && matches!((disk.read(&newest), disk.read(path)), (Ok(kept), Ok(now)) if kept == now)
}

/// The path of an older version.
pub fn generation(path: &Path, number: u32) -> PathBuf {
    beside(path, "", &format!(".{number}"))
}

fn beside(path: &Path, before: &str, after: &str) -> PathBuf {
    let mut name = std::ffi::OsString::from(before);
    name.push(path.file_name().unwrap_or_default());
    name.push(after);
    path.with_file_name(name)
}

impl Disk for RealDisk {
    fn write(&mut self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        File::create(path)?.write_all(bytes)
    }

    fn sync(&mut self, path: &Path) -> io::Result<()> {
        OpenOptions::new().write(true).open(path)?.sync_all()
    }

    fn read(&mut self, path: &Path) -> io::Result<Vec<u8>> {
        fs::read(path)
    }

    fn link(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        let _ = fs::remove_file(to);
        fs::hard_link(from, to).or_else(|_| fs::copy(from, to).map(|_| ()))
    }

    fn rename(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn remove(&mut self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    #[cfg(unix)]
    fn sync_folder(&mut self, path: &Path) -> io::Result<()> {
        File::open(path)?.sync_all()
    }

    /// Other systems can't sync folders. The rename is as safe as the system makes it.
    #[cfg(not(unix))]
    fn sync_folder(&mut self, _path: &Path) -> io::Result<()> {
        Ok(())
    }
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
