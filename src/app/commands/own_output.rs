//! Writes files that a command makes, and replaces only what it made itself.

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
    if path.is_file() && !may_replace() {
        return Err(format!("{}: an existing file that is not {what} is not replaced", path.display()));
    }
    save::replace_or_write(path, bytes).map_err(in_file(path))
}
