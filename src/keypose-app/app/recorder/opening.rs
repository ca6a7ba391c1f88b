//! Finds the journal of a document: its own, or a spare one in the folder for application state if another editor has
//! that. Recovers what crashes left in either.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::app::folder_names::names_in;
use crate::app::folders;
use crate::app::journal::archive_note;
use crate::app::journal::moved::{holder_under_old_name, moved_here};
use crate::app::journal::places::{elsewhere, is_left, spares, with_unread};
use crate::app::journal::setting_aside::{bring_spares, hand_out, make_room};
use crate::app::journal::{self, JournalFile, Opening, beside, lock, register};
use crate::app::own_files::{self, canonical};
use crate::app::recorder::paths::{is_beside, journal_path, take_over, write_private};
use crate::app::regular_files::read_archive;
use crate::editor::state::action::Origin;
use crate::wad::journal::{read, rebase};

/// Opens a journal for a document and recovers the previous session. If that is not possible, the notes say why.
pub(super) fn open(origin: &Origin) -> Opening {
    let Some(path) = journal_path(origin) else {
        return none(None, "the system has no folder for application state".into());
    };
    let room = match origin {
        Origin::Archive(archive) => {
            register::add_all(&beside(&canonical(archive)));
            make_room(archive, &path)
        }
        Origin::Imported(_) | Origin::Patch { .. } | Origin::New => Ok(None),
    };
    let room = match room {
        Ok(note) => note,
        Err(reason) => return none(None, reason),
    };
    let mut opening = match Locks::acquire(origin, &path) {
        Ok(locks) => match open_locked(origin, &path, locks) {
            Ok(opening) => with_what_was_left(opening, origin, &path),
            Err(reason) => none(None, reason),
        },
        Err(holder) => match open_spare(origin, &path) {
            Some(spare) => with_notes(Opening { holder: Some(holder), ..spare }, origin, &path),
            None => none(Some(holder), "too many windows have it open, or the folder can't be used".into()),
        },
    };
    opening.notes.splice(0..0, room.into_iter().chain(unlisted()));
    opening
}

/// A sentence, if the folder for application state can't be listed.
fn unlisted() -> Option<String> {
    let folder = folders::state()?;
    // One that can be listed may not be entered.
    let entered = names_in(&folder).map(drop).and_then(|()| std::fs::metadata(folder.join(".")).map(drop));
    let error = entered.err().filter(|error| error.kind() != ErrorKind::NotFound)?;
    Some(format!(
        "The folder {} can't be read ({error}): unsaved work there can't be found, and saving keeps up to 50 older versions",
        folder.display()
    ))
}

/// The same without a journal, for that reason. It stays on the disk.
pub(super) fn without_journal(opening: Opening, reason: String) -> Opening {
    none(opening.holder, reason)
}

fn none(holder: Option<String>, reason: String) -> Opening {
    Opening {
        journal: None,
        holder,
        recovered: None,
        others: Vec::new(),
        stuck: None,
        notes: vec![format!("Journaling is not available, so a crash would lose unsaved changes: {reason}")],
    }
}

/// The locks of a journal, and of the file if its own journal would be elsewhere.
struct Locks {
    journal: Option<lock::Lock>,
    file: Option<lock::Held>,
}

impl Locks {
    /// The error names the editor that has one of them.
    fn acquire(origin: &Origin, path: &Path) -> Result<Locks, String> {
        let journal = lock::take(path)?;
        let file = match origin {
            Origin::Archive(file) if let Some(holder) = holder_under_old_name(file) => {
                Err(format!("{holder}, under another name"))
            }
            Origin::Archive(file) if is_beside(file, path) => lock::require_none_elsewhere(file).map(|()| None),
            Origin::Archive(file) | Origin::Patch { path: file, .. } => lock::hold_with(file, Some(path)).map(Some),
            Origin::Imported(_) | Origin::New => Ok(None),
        };
        let file = file.inspect_err(|_| lock::remove(path, journal.as_ref()))?;
        Ok(Locks { journal, file })
    }
}

/// Opens a journal, now that no other editor writes the file.
fn open_locked(origin: &Origin, path: &Path, mut locks: Locks) -> Result<Opening, String> {
    let mut notes = match origin {
        Origin::Archive(archive) => hand_out(archive, path),
        Origin::Imported(_) | Origin::Patch { .. } | Origin::New => Vec::new(),
    };
    if let Origin::Archive(archive) = origin
        && is_beside(archive, path)
        && !elsewhere(archive).is_some_and(|elsewhere| is_left(&elsewhere))
        && moved_here(archive).is_empty()
        && notes.is_empty()
        && let Some(opening) = journal::open_fresh(path, archive, &mut locks.journal)
    {
        return Ok(opening);
    }
    let base = match origin {
        // Not asked again whether the folder can be written: after an error, the answer may differ.
        Origin::Archive(archive) if is_beside(archive, path) => own_files::retried(|| read_archive(archive)),
        Origin::Archive(archive) => {
            notes.extend(take_over(archive, path));
            Ok(Vec::new())
        }
        _ => Ok(Vec::new()),
    };
    let base = base.inspect_err(|_| lock::remove(path, locks.journal.as_ref())).map_err(|error| error.to_string())?;
    let (elsewhere, locks_elsewhere) = elsewhere_of(origin, path, &mut notes);
    let opening =
        with_note(origin, path, !elsewhere.is_empty(), || journal::open_locked(path, locks.journal, &base, &elsewhere));
    let mut opening = opening.map_err(|error| error.to_string())?;
    opening.notes.splice(0..0, notes);
    for other in std::mem::take(&mut opening.others) {
        opening.notes.extend(make_spare(&other, path, &base));
    }
    drop(locks_elsewhere);
    let mut opening = match opening.stuck.take() {
        Some(stuck) => continued_in(&stuck, opening),
        None => opening,
    };
    if let (Some(journal), Some(held)) = (&mut opening.journal, locks.file) {
        journal.hold_file(held);
    }
    if let (Some(journal), Origin::Patch { below, path }) = (&mut opening.journal, origin) {
        opening.notes.extend(journal.hold_layers(path, below));
    }
    Ok(opening)
}

/// Opens a journal that may take in others. In the folder for application state it has a note before that.
fn with_note<T>(origin: &Origin, path: &Path, takes_in: bool, open: impl FnOnce() -> T) -> T {
    match origin {
        Origin::Archive(archive) if takes_in && !is_beside(archive, path) => {
            archive_note::write_for(archive, path);
            let opened = open();
            if !is_left(path) {
                archive_note::remove(path);
            }
            opened
        }
        _ => open(),
    }
}

/// The journals of an archive that were once kept elsewhere, locked: because its folder was read-only, or while it had another path.
fn elsewhere_of(origin: &Origin, path: &Path, notes: &mut Vec<String>) -> (Vec<PathBuf>, Vec<lock::Lock>) {
    let Origin::Archive(archive) = origin else { return Default::default() };
    let moved = moved_here(archive);
    let from: BTreeSet<&Path> = moved.iter().map(|moved| moved.from.as_path()).collect();
    for from in from.into_iter().filter(|from| **from != *canonical(archive)) {
        notes.push(format!("Its unsaved changes were made when this file was {}", from.display()));
        if moved.iter().any(|moved| Some(&moved.journal) == elsewhere(from).as_ref()) {
            bring_spares(from, path);
        }
    }
    let own = elsewhere(archive).filter(|elsewhere| elsewhere != path && is_left(elsewhere));
    let (mut journals, mut locks) = (Vec::new(), Vec::new());
    for journal in own.into_iter().chain(moved.into_iter().map(|moved| moved.journal)) {
        let Ok(lock) = lock::take(&journal) else { continue };
        lock::remove(&journal, lock.as_ref());
        journals.extend(with_unread(&journal));
        locks.extend(lock);
    }
    (journals, locks)
}

/// Continues a journal where it is, in place of the one beside the archive, which can't be written.
fn continued_in(stuck: &Path, mut beside: Opening) -> Opening {
    let Ok(mut opening) = journal::open(stuck, &[]) else { return beside };
    match (&mut opening.journal, &opening.recovered, beside.journal.take()) {
        (Some(journal), Some(_), Some(home)) => {
            journal.stand_in_for(home);
            beside.notes.append(&mut opening.notes);
            Opening { notes: beside.notes, ..opening }
        }
        (_, _, home) => Opening { journal: home, ..beside },
    }
}

/// Makes a spare journal of one with other work on the same document, so that another window recovers it. Returns a note if
/// that is not possible.
fn make_spare(other: &Path, path: &Path, base: &[u8]) -> Option<String> {
    let made = own_files::read(other).map_err(|error| error.to_string()).and_then(|bytes| {
        let bytes = bytes.unwrap_or_default();
        let recorded = read(&bytes).map_err(|error| error.to_string())?;
        // What holds the document itself is copied as it is, with its damage.
        let is_copied = recorded.base == 0 && !recorded.events.is_empty();
        if let Some(reason) = recorded.torn.clone().filter(|_| recorded.is_damaged() && !is_copied) {
            return Err(reason);
        }
        let whole =
            if recorded.base == 0 { bytes } else { rebase(&bytes, base, &[]).map_err(|error| error.to_string())? };
        let spare = spares(path).find(|spare| !own_files::is_taken(spare)).ok_or("there are too many")?;
        write_private(&spare, &whole).and_then(|()| std::fs::remove_file(other)).map_err(|error| error.to_string())?;
        archive_note::remove(other);
        Ok(())
    });
    made.err().map(|reason| {
        format!("{}: unsaved changes are kept there, but could not be recovered: {reason}", other.display())
    })
}

/// Opens an unused spare journal, preferably one with something to recover. It contains the document itself, so that
/// changes of the file don't matter.
fn open_spare(origin: &Origin, path: &Path) -> Option<Opening> {
    let is_free = |opening: &Opening| opening.holder.is_none();
    let mut opened = left_over(origin, path).chain(spares(path)).filter_map(|spare| journal::open(&spare, &[]).ok());
    opened.find(is_free)
}

/// The spare journals that no editor has open. While the folder of an archive is read-only, they have other names than when it
/// is not.
fn left_over(origin: &Origin, path: &Path) -> impl Iterator<Item = PathBuf> {
    let others = match origin {
        Origin::Archive(archive) => vec![Some(journal::beside(&canonical(archive))), elsewhere(archive)],
        Origin::Imported(_) | Origin::Patch { .. } | Origin::New => Vec::new(),
    };
    let others = others.into_iter().flatten().filter(|other| other != path).collect::<Vec<_>>();
    let all = [path.to_owned()].into_iter().chain(others).flat_map(|path| spares(&path).collect::<Vec<_>>());
    all.filter(|spare| spare.exists() && lock::holder(spare).is_none())
}

/// Recovers what a crash of other editors left. Without a file to base it on, takes the first; the others remain for
/// the next editors.
fn with_what_was_left(opening: Opening, origin: &Origin, path: &Path) -> Opening {
    let has_file = matches!(origin, Origin::Archive(_) | Origin::Patch { .. });
    if !has_file
        && opening.recovered.is_none()
        && let Some(left) = left_over(origin, path).next()
        && let Ok(taken) = journal::open(&left, &[])
        && taken.recovered.is_some()
    {
        opening.journal.into_iter().for_each(JournalFile::close);
        return with_notes(taken, origin, path);
    }
    with_notes(opening, origin, path)
}

/// Adds notes about unsaved work that remains for other editors.
fn with_notes(mut opening: Opening, origin: &Origin, path: &Path) -> Opening {
    let file = match origin {
        Origin::Archive(path) | Origin::Patch { path, .. } | Origin::Imported(path) => path.file_name(),
        Origin::New => None,
    };
    let name = file.map_or("untitled".into(), |name| name.to_string_lossy());
    let (one, their) = match left_over(origin, path).count() {
        0 => return opening,
        1 => (
            format!("Another window with {name} closed without saving. Its changes are kept and will be recovered"),
            "",
        ),
        count => (
            format!(
                "{count} more windows with {name} closed without saving. Their changes are kept and will be recovered, one"
            ),
            " at a time,",
        ),
    };
    let opened =
        if file.is_some() { format!("{name} is opened in another window") } else { "another window is opened".into() };
    opening.notes.push(format!("{one}{their} when {opened} while this one is open"));
    opening
}
