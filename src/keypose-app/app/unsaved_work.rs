//! The list of unsaved work that journals keep, for the window and the command line.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::app::folders;
use crate::app::journal::archive_note::is_of_another;
use crate::app::journal::beside;
use crate::app::journal::kept::{self, Base, Content, Kept};
use crate::app::journal::places::elsewhere;
use crate::app::own_files::canonical;
use crate::editor::panels::ui::figures::date_text;
use crate::editor::session::unsaved_work::UnsavedWork;

/// The journals in a folder, those in the folder for application state and those that Keypose left in other folders, the newest first; and a
/// sentence for each folder that can't be read.
pub fn list(folder: &Path) -> (Vec<Kept>, Vec<String>) {
    let folder = canonical(folder);
    let state = folders::state().filter(|state| canonical(state) != folder);
    let folders: Vec<PathBuf> = [Some(folder.clone()), state].into_iter().flatten().collect();
    let (mut kept, mut failed) = (kept::registered(&folder, &folders), Vec::new());
    for folder in &folders {
        match kept::in_folder(folder) {
            Ok(found) => kept.extend(found),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => failed.push(format!("{}: {error}", folder.display())),
        }
    }
    kept.sort_by(|a, b| b.changed.cmp(&a.changed).then_with(|| a.journal.cmp(&b.journal)));
    (kept, failed)
}

/// The rows of the window's list.
pub fn rows(folder: &Path) -> Vec<UnsavedWork> {
    let (kept, failed) = list(folder);
    let failed = failed.into_iter().map(|detail| UnsavedWork {
        what: "A folder could not be read: there may be more".to_owned(),
        detail,
        file: None,
    });
    kept.iter().filter_map(row).chain(failed).collect()
}

/// What becomes of a journal.
pub enum Fate<'a> {
    /// An editor has it open.
    InUse(&'a str),
    /// All of it is in this file.
    Saved(&'a Path),
    /// It comes back when this archive is opened.
    ComesBack(&'a Path),
    /// It can be opened as a file.
    Kept,
    /// It starts from this file in a folder that is neither its own nor its archive's.
    Elsewhere(&'a Path),
    /// No file was found that its steps start from.
    NoBase,
    /// The file that its steps start from can't be read.
    Damaged(&'a Path, &'a str),
    Unreadable(&'a str),
}

/// What becomes of a journal, by where it and its archive are.
pub fn fate(kept: &Kept) -> Fate<'_> {
    let is_of = |archive: &&Path| beside(archive) == kept.journal || elsewhere(archive).as_ref() == Some(&kept.journal);
    match (&kept.content, &kept.holder) {
        (_, Some(holder)) => Fate::InUse(holder),
        (Err(reason), None) => Fate::Unreadable(reason),
        (Ok(Content { base, .. }), None) => match base {
            Base::Saved(file) => Fate::Saved(file),
            Base::Missing => Fate::NoBase,
            Base::Damaged(file, reason) => Fate::Damaged(file, reason),
            Base::File(file) if is_of(&file.as_path()) => Fate::ComesBack(file),
            Base::File(file) if !is_found(kept, file) => Fate::Elsewhere(file),
            Base::File(_) => Fate::Kept,
            Base::Whole => {
                let archive = kept.archive.as_deref().filter(|archive| archive.is_file());
                let archive = archive.filter(is_of).filter(|archive| !is_of_another(&kept.journal, archive));
                archive.map_or(Fate::Kept, Fate::ComesBack)
            }
        },
    }
}

/// Whether opening a journal finds the file that it starts from: in its folder, or where its archive was.
fn is_found(kept: &Kept, file: &Path) -> bool {
    let folders = [kept.journal.parent(), kept.archive.as_deref().and_then(Path::parent)];
    folders.into_iter().flatten().any(|folder| file.parent() == Some(&*canonical(folder)))
}

/// "3 steps on knight.wad, the last one "Turn bone", 2 min ago".
pub fn what(kept: &Kept) -> String {
    let steps = match &kept.content {
        Ok(Content { steps: 1, .. }) => "1 step".to_owned(),
        Ok(Content { steps, .. }) => format!("{steps} steps"),
        Err(_) => "a journal".to_owned(),
    };
    let on = match &kept.archive {
        Some(archive) => format!(" on {}", archive.file_name().unwrap_or_default().display()),
        None => match kept.content.as_ref().map(|content| content.models.join(", ")) {
            Ok(models) if !models.is_empty() => format!(" on a document with {models}"),
            _ => " on a document without a file".to_owned(),
        },
    };
    let last = kept.content.as_ref().ok().and_then(|content| content.last.as_deref());
    let last = last.map_or(String::new(), |last| format!(", the last one \"{last}\""));
    let when = kept
        .changed
        .map_or(String::new(), |changed| format!(", {}", date_text(millis(changed), millis(SystemTime::now()))));
    let damage = kept.content.as_ref().ok().and_then(|content| content.damage.as_deref());
    let damage = damage.map_or(String::new(), |reason| format!("; what follows can't be read: {reason}"));
    steps + &on + &last + &when + &damage
}

/// What the user can do with it.
pub fn advice(kept: &Kept) -> String {
    match fate(kept) {
        Fate::InUse(holder) => format!("open in Keypose ({holder})"),
        Fate::Saved(file) => format!("saved in {}", file.display()),
        Fate::ComesBack(archive) => format!("comes back when {} is opened", archive.display()),
        Fate::Kept => {
            "open the journal itself in Keypose, or write it with: keypose recover JOURNAL -o NEW.wad".to_owned()
        }
        Fate::Elsewhere(file) => {
            format!("starts from {0}: keypose recover JOURNAL --over {0} -o NEW.wad", file.display())
        }
        Fate::NoBase => "the version of the archive that it starts from was not found: \
                         keypose recover JOURNAL --over ARCHIVE -o NEW.wad"
            .to_owned(),
        Fate::Damaged(file, reason) => format!(
            "{}, from which it starts, can't be read ({reason}); with a whole copy of that: \
             keypose recover JOURNAL --over ARCHIVE -o NEW.wad",
            file.display()
        ),
        Fate::Unreadable(reason) => format!("can't be read: {reason}"),
    }
}

/// A row of the window's list; `None` of what is saved or open.
fn row(kept: &Kept) -> Option<UnsavedWork> {
    let file = match fate(kept) {
        Fate::Saved(_) | Fate::InUse(_) => return None,
        Fate::ComesBack(archive) => Some(archive.to_owned()),
        Fate::Kept => Some(kept.journal.clone()),
        Fate::Elsewhere(_) | Fate::NoBase | Fate::Damaged(..) | Fate::Unreadable(_) => None,
    };
    let detail = match file {
        Some(_) => kept.journal.display().to_string(),
        None => format!("{}: {}", kept.journal.display(), advice(kept)),
    };
    Some(UnsavedWork { what: what(kept), detail, file })
}

/// Milliseconds since 1970.
pub fn millis(time: SystemTime) -> u64 {
    let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
