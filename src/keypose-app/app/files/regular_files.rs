//! Reads files of others: only regular ones, of a limited size. Pipes, terminals and devices may never end, or never begin.
//! Links are followed; files of our own that must not be links are read by [`crate::app::files::own_files`].

use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use crate::app::files::windows_names;

/// Maximum size of a text that the program reads at once: preferences, shaders, notes of other programs.
pub const MAX_TEXT_BYTES: u64 = 16 << 20;

/// Opens a file to read it. Returns its length as well.
///
/// # Errors
/// If it is not a regular file, or has more than `max_bytes`.
pub fn open(path: &Path, max_bytes: u64) -> io::Result<(File, u64)> {
    windows_names::check(path)?;
    // A pipe without a writer would wait for ever in `open`.
    length(&fs::metadata(path)?, max_bytes)?;
    let file = open_at_once(path)?;
    let length = length(&file.metadata()?, max_bytes)?;
    Ok((file, length))
}

/// Opens a file, and doesn't wait if it was replaced by a pipe meanwhile.
#[cfg(unix)]
fn open_at_once(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    let flags = rustix::fs::OFlags::NONBLOCK.bits().cast_signed();
    fs::OpenOptions::new().read(true).custom_flags(flags).open(path)
}

#[cfg(not(unix))]
fn open_at_once(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// Reads a whole file. One that grows meanwhile is read up to the length that it had. So files that the system makes when they
/// are read, which say that they are empty, are empty: some never end.
///
/// # Errors
/// As [`open`].
pub fn read(path: &Path, max_bytes: u64) -> io::Result<Vec<u8>> {
    let (file, length) = open(path, max_bytes)?;
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(usize::try_from(length).unwrap_or(usize::MAX))?;
    if length > 0 {
        file.take(length).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// Reads a text of at most [`MAX_TEXT_BYTES`].
///
/// # Errors
/// As [`open`]; or if it is not UTF-8.
pub fn read_text(path: &Path) -> io::Result<String> {
    String::from_utf8(read(path, MAX_TEXT_BYTES)?).map_err(|_| invalid("not a text file"))
}

fn length(about: &Metadata, max_bytes: u64) -> io::Result<u64> {
    if about.is_dir() {
        return Err(invalid("this is a folder, not a file"));
    }
    if !about.is_file() {
        return Err(invalid("not a regular file, but a pipe or a device"));
    }
    match about.len() {
        length if length > max_bytes => {
            let reason = format!("{length} bytes; the maximum is {max_bytes}");
            Err(io::Error::new(ErrorKind::FileTooLarge, reason))
        }
        length => Ok(length),
    }
}

fn invalid(reason: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, reason.to_owned())
}
