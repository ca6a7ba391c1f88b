//! Journals in the folder for application state that get other names: those of an archive that had this one's path before, and those
//! that may be of this archive, of which it gets copies.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::app::journal::archive_note::{ArchiveNote, State, is_of_another, remove};
use crate::app::journal::moved::{Moved, may_be_of};
use crate::app::journal::places::{elsewhere, is_left, spares, unread};
use crate::app::journal::{NEXT, REWRITTEN, TAKING, UNREAD, beside, lock};
use crate::app::own_files::{self, Access, canonical, with_ending};
use crate::app::regular_files::read_archive;
use crate::wad::journal::rebase;

/// Makes a spare journal, with its note, of an archive's journal in the folder for application state that is of another archive: that had the
/// path before, and may be elsewhere now. `path` is the journal that this archive gets. Returns a sentence about it.
///
/// # Errors
///
/// If the journal can't be renamed: it must not be taken for one of this archive.
pub fn make_room(archive: &Path, path: &Path) -> Result<Option<String>, String> {
    let journal = elsewhere(archive).filter(|journal| is_left(journal) && is_of_another(journal, archive));
    let Some((journal, note)) = journal.and_then(|journal| Some((journal.clone(), ArchiveNote::read(&journal)?)))
    else {
        return Ok(None);
    };
    let Ok(lock) = lock::take(&journal) else { return Ok(None) };
    let failed = |error: &dyn std::fmt::Display| {
        format!("{}: unsaved changes of another file could not be set aside: {error}", journal.display())
    };
    let spare = free_spare(path).ok_or_else(|| failed(&"there are too many"))?;
    // The note first: without it, its own archive would not lead to it.
    note.write(&spare);
    if ArchiveNote::read(&spare).as_ref() != Some(&note) {
        return Err(failed(&"a note could not be written"));
    }
    let moved = with_all_names(&journal, &spare, |from, to| fs::rename(from, to));
    lock::remove(&journal, lock.as_ref());
    moved.map_err(|error| failed(&error))?;
    remove(&journal);
    let name = archive.file_name().unwrap_or_default().to_string_lossy();
    Ok(Some(format!(
        "{name} is another file than the one in which unsaved changes were made under this name, so they are not shown in it"
    )))
}

/// Renames or copies a journal, with what a session that was killed left of it. Without the journal itself, one that could not be read takes
/// its name.
fn with_all_names(journal: &Path, to: &Path, put: impl Fn(&Path, &Path) -> io::Result<()>) -> io::Result<()> {
    let mut left = unread(journal);
    if !own_files::is_taken(journal) && !left.is_empty() {
        put(&left.remove(0), to)?;
    }
    for ending in ["", NEXT, REWRITTEN] {
        let from = with_ending(journal, ending);
        if own_files::is_taken(&from) {
            put(&from, &with_ending(to, ending))?;
        }
    }
    left.iter().try_for_each(|left| put(left, &own_files::free_name(to, UNREAD)?))
}

/// Renames what second editors of an archive left, so that those of its new path find it. If another archive has its old path, what is
/// there stays.
pub fn bring_spares(from: &Path, path: &Path) {
    if own_files::is_taken(from) {
        return;
    }
    for spare in without_notes(from) {
        if let Some(free) = free_spare(path) {
            // If that fails, it stays where it is.
            let _ = fs::rename(spare, free);
        }
    }
}

/// What second editors of an archive left, if no editor has it open. A spare journal with a note belongs to an archive that was there before.
fn without_notes(archive: &Path) -> Vec<PathBuf> {
    let homes = [Some(beside(archive)), elsewhere(archive)];
    let spares = homes.into_iter().flatten().flat_map(|home| spares(&home).collect::<Vec<_>>());
    spares
        .filter(|spare| own_files::is_taken(spare) && ArchiveNote::read(spare).is_none() && !lock::is_used(spare))
        .collect()
}

/// The first spare journal of a document that is not taken.
fn free_spare(path: &Path) -> Option<PathBuf> {
    spares(path).find(|spare| !is_left(spare))
}

/// Copies the journals that may be of an archive to spare journals that are noted to be of it, and what second editors left with them. Each is
/// handed out once to an archive, and stays for others that it may be of. Returns sentences about it.
pub fn hand_out(archive: &Path, path: &Path) -> Vec<String> {
    may_be_of(archive).into_iter().filter_map(|moved| hand_out_one(moved, archive, path)).collect()
}

/// `None` if an editor has the journal open.
fn hand_out_one(moved: Moved, archive: &Path, path: &Path) -> Option<String> {
    let lock = lock::take(&moved.journal).ok()?;
    let name = archive.file_name().unwrap_or_default().to_string_lossy();
    let (from, journal) = (moved.from.display().to_string(), moved.journal.clone());
    let is_first = elsewhere(&moved.from).as_ref() == Some(&journal) || beside(&moved.from) == journal;
    let is_own = is_first && !own_files::is_taken(&moved.from);
    let left = if is_own { without_notes(&moved.from) } else { Vec::new() };
    let copied = copy_with_note(&journal, archive, path).and_then(|()| {
        left.iter().try_for_each(|spare| copy(spare, &free_spare(path).ok_or(io::ErrorKind::AlreadyExists)?))
    });
    let sentence = match copied {
        Ok(()) => {
            let is_own = moved.from == canonical(archive);
            moved.give(archive);
            match is_own {
                true => format!(
                    "{name} is the file again in which unsaved changes were made that had been set aside: they are shown here"
                ),
                false => format!(
                    "{name} has the content of {from}, which is no longer there: the unsaved changes of that file are shown here, and kept \
                     for it as well"
                ),
            }
        }
        Err(error) => format!("{from}: its unsaved changes, which may be of this file, could not be copied: {error}"),
    };
    lock::remove(&journal, lock.as_ref());
    Some(sentence)
}

/// Copies a journal, with what a session that was killed left of it, to a spare journal with a note of an archive.
fn copy_with_note(journal: &Path, archive: &Path, path: &Path) -> io::Result<()> {
    let (spare, state) = free_spare(path).zip(State::of(archive)).ok_or(io::ErrorKind::AlreadyExists)?;
    let note = ArchiveNote::new(canonical(archive), state);
    let _ = spare.parent().map(fs::create_dir_all);
    note.write(&spare);
    // Without it, nothing leads to the copy.
    if ArchiveNote::read(&spare).as_ref() != Some(&note) {
        return Err(io::Error::other("a note could not be written"));
    }
    // Where the archive's journal can't be beside it, journals hold the whole document.
    let base = if path == beside(&canonical(archive)) { Vec::new() } else { read_archive(archive).unwrap_or_default() };
    let copied = with_all_names(journal, &spare, |from, to| copy_with(from, to, |bytes| whole_over(bytes, &base)));
    copied.inspect_err(|_| remove(&spare))
}

/// A journal of an archive with the whole document, if it is one of these bytes of an archive; else as it is.
fn whole_over(journal: Vec<u8>, base: &[u8]) -> Vec<u8> {
    if base.is_empty() {
        return journal;
    }
    rebase(&journal, base, &[]).unwrap_or(journal)
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    copy_with(from, to, |bytes| bytes)
}

/// Copies a file, changed, in one step.
fn copy_with(from: &Path, to: &Path, change: impl Fn(Vec<u8>) -> Vec<u8>) -> io::Result<()> {
    let bytes = change(own_files::read(from)?.ok_or(io::ErrorKind::NotFound)?);
    let temporary = own_files::temporary(to, TAKING);
    let written = own_files::write_temporary(&temporary, &bytes, Access::Private)?;
    fs::rename(&temporary, to).inspect_err(|_| drop(fs::remove_file(&temporary)))?;
    drop(written);
    Ok(())
}
