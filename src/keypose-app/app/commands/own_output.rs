//! Writes the outputs of commands. Only files of the same kind are replaced.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use keypose::assets::line_text::MAX_BYTES;

use super::in_file;
use crate::app::console;
use crate::app::files::{own_files, regular_files, save};

/// The first bytes of pictures: PNG and GIF.
pub const PICTURES: [&[u8]; 2] = [b"\x89PNG\r\n\x1a\n", b"GIF89a"];

/// Fails if a text is too long to be read again.
pub fn check_text(text: &str) -> Result<(), String> {
    if text.len() > MAX_BYTES {
        return Err(format!("the text would have {} bytes; the maximum is {MAX_BYTES}", text.len()));
    }
    Ok(())
}

/// Writes a file, a pipe or a device. An existing file is replaced only if it is empty or its start `is_own`, because a typing
/// error must not cost another file.
pub fn write(path: &Path, bytes: &[u8], what: &str, is_own: impl Fn(&[u8]) -> bool) -> Result<(), String> {
    check_old(path, what, is_own)?;
    save::replace_or_write(path, bytes).map_err(in_file(path))
}

/// Writes a text to a file as [`write`] does, or prints it.
pub fn write_or_print(
    path: Option<&Path>,
    text: &str,
    what: &str,
    is_own: impl Fn(&[u8]) -> bool,
) -> Result<(), String> {
    match path {
        Some(path) => write(path, text.as_bytes(), what, is_own)?,
        None => console::print_lines(text),
    }
    Ok(())
}

/// Fails if what is at a name that the program chose would not be replaced: what [`check_old`] refuses, and links, pipes and devices.
pub fn check_in_folder(path: &Path, what: &str, is_own: impl Fn(&[u8]) -> bool) -> Result<(), String> {
    match fs::symlink_metadata(path) {
        Ok(about) if !about.is_file() => Err(format!("{}: it is no ordinary file and is not replaced", path.display())),
        _ => check_old(path, what, is_own),
    }
}

/// Fails if an existing file would not be replaced by [`write`].
pub fn check_old(path: &Path, what: &str, is_own: impl Fn(&[u8]) -> bool) -> Result<(), String> {
    if path.is_file() && own_files::is_read_only(path) {
        return Err(format!("{}: the file is read-only", path.display()));
    }
    let may_replace =
        |(head, length): (Vec<u8>, u64)| is_own(&head) || (head.len() as u64 == length && head.trim_ascii().is_empty());
    if path.is_file() && !head_of(path).is_ok_and(may_replace) {
        return Err(format!("{}: an existing file that is not {what} is not replaced", path.display()));
    }
    Ok(())
}

/// Bytes by which a file is recognized.
const HEAD_BYTES: u64 = 4096;

/// The first bytes of a file, and its length.
fn head_of(path: &Path) -> io::Result<(Vec<u8>, u64)> {
    let (file, length) = regular_files::open(path, u64::MAX)?;
    let mut head = Vec::new();
    file.take(HEAD_BYTES).read_to_end(&mut head)?;
    Ok((head, length))
}
