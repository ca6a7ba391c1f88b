//! Writes files that a command makes, and replaces only what it made itself.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use super::wad::in_file;
use crate::app::{own_files, regular_files, save};
use crate::assets::line_text::MAX_BYTES;

/// Fails if a text is too long to be read again.
pub fn check_text(text: &str) -> Result<(), String> {
    match text.len() <= MAX_BYTES {
        true => Ok(()),
        false => Err(format!("the text would have {} bytes; the maximum is {MAX_BYTES}", text.len())),
    }
}

/// Writes a file. An existing one is replaced only if it is empty or begins as one that `is_own`, because a typing error must not cost another
/// file. A pipe or a device is written to.
pub fn write(path: &Path, bytes: &[u8], what: &str, is_own: impl Fn(&[u8]) -> bool) -> Result<(), String> {
    check_old(path, what, is_own)?;
    save::replace_or_write(path, bytes).map_err(in_file(path))
}

/// The same in a folder that the user named, which was swept, under a name that the program made: neither a link nor a pipe or a device is
/// written to.
pub fn write_in_folder(path: &Path, bytes: &[u8], what: &str, is_own: impl Fn(&[u8]) -> bool) -> Result<(), String> {
    match fs::symlink_metadata(path) {
        Ok(about) if !about.is_file() => Err(format!("{}: it is no ordinary file and is not replaced", path.display())),
        _ => {
            check_old(path, what, is_own)?;
            save::replace_in_swept(path, bytes).map_err(in_file(path))
        }
    }
}

fn check_old(path: &Path, what: &str, is_own: impl Fn(&[u8]) -> bool) -> Result<(), String> {
    if path.is_file() && own_files::is_read_only(path) {
        return Err(format!("{}: the file is read-only", path.display()));
    }
    let may_replace =
        |(head, length): (Vec<u8>, u64)| is_own(&head) || (head.len() as u64 == length && head.trim_ascii().is_empty());
    match path.is_file() && !head_of(path).is_ok_and(may_replace) {
        true => Err(format!("{}: an existing file that is not {what} is not replaced", path.display())),
        false => Ok(()),
    }
}

/// By which a file is known.
const HEAD_BYTES: u64 = 4096;

/// The first bytes of a file, and its length.
fn head_of(path: &Path) -> io::Result<(Vec<u8>, u64)> {
    let (file, length) = regular_files::open(path, u64::MAX)?;
    let mut head = Vec::new();
    file.take(HEAD_BYTES).read_to_end(&mut head)?;
    Ok((head, length))
}
