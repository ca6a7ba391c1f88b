//! Writes files that a command makes, and replaces only what it made itself.

use std::fs;
use std::path::Path;

use super::wad::in_file;
use crate::app::{files, save};
use crate::assets::line_text::MAX_BYTES;

/// Fails if a text is too long to be read again.
pub fn check_text(text: &str) -> Result<(), String> {
    match text.len() <= MAX_BYTES {
        true => Ok(()),
        false => Err(format!("the text would have {} bytes; the maximum is {MAX_BYTES}", text.len())),
    }
}

/// Writes a file. An existing one is replaced only if it is empty or `is_own`, because a typing error must not cost another file. A pipe or
/// a device is written to.
pub fn write(path: &Path, bytes: &[u8], what: &str, is_own: impl Fn(&[u8]) -> bool) -> Result<(), String> {
    let may_replace = || files::read(path).is_ok_and(|old| old.trim_ascii().is_empty() || is_own(&old));
    if fs::metadata(path).is_ok_and(|about| about.is_file() && about.permissions().readonly()) {
        return Err(format!("{}: the file is read-only", path.display()));
    }
    if path.is_file() && !may_replace() {
        return Err(format!("{}: an existing file that is not {what} is not replaced", path.display()));
    }
    save::replace_or_write(path, bytes).map_err(in_file(path))
}

/// The same in a folder that the user named, under a name that the program made: neither a link nor a pipe or a device is written to.
pub fn write_in_folder(path: &Path, bytes: &[u8], what: &str, is_own: impl Fn(&[u8]) -> bool) -> Result<(), String> {
    match fs::symlink_metadata(path) {
        Ok(about) if !about.is_file() => Err(format!("{}: it is no ordinary file and is not replaced", path.display())),
        _ => write(path, bytes, what, is_own),
    }
}
