//! Finds the work on a document that is opened, locks it, and reads what a crash left.

use std::fmt::Display;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use keypose::assets::project::Project;
use keypose::wad::journal::{self, Replayed, replay};
use keypose_editor::editor::ops::sentence::counted;
use keypose_editor::editor::state::Editor;
use keypose_editor::editor::state::action::Origin;

use crate::app::files::own_files::{self, canonical};
use crate::app::files::{self, layers};
use crate::app::work::base::{self, Base};
use crate::app::work::lock;
use crate::app::work::steps::{End, StepsFile};
use crate::app::work::{About, Store, Work, WorkFolder, derived_id, header_at, id_of, new_id};

/// The work on a document that was opened.
#[derive(Debug)]
pub struct Opening {
    /// The work, open for appending.
    pub work: Work,
    /// The content of the document's files, if another program wrote them after they were read.
    pub document: Option<Project>,
    /// The editor that has the document's file: "process 12 on desk".
    pub holder: Option<String>,
    /// The work that a crash left.
    pub recovered: Option<Recovered>,
    /// Messages for the user, one sentence each.
    pub notes: Vec<String>,
}

/// Recovered work.
#[derive(Debug)]
pub struct Recovered {
    /// The document and its history.
    pub replayed: Replayed,
    /// The title that the document had.
    pub title: String,
    /// The number of steps that are not saved.
    pub unsaved: usize,
    /// Whether it is work on the document's file as it is; otherwise it is a document of its own.
    pub is_of_file: bool,
}

/// Opens the work on the editor's document. `read` is the digest of what that was read from.
pub fn open(store: Option<Store>, editor: &Editor, origin: &Origin, read: Option<u64>) -> Opening {
    let mut notes = Vec::new();
    let about = About { title: editor.title.clone(), path: path_of(store.as_ref(), origin) };
    let found = match &store {
        Some(store) => find(store, origin).unwrap_or_else(|error| {
            notes.push(not_protected(&error.to_string()));
            None
        }),
        None => {
            notes.push(not_protected("the system has no folder for application state"));
            None
        }
    };
    let (mut lock, mut holder) = (None, None);
    if let Some(folder) = &found {
        match lock::take(folder) {
            Ok(taken) => lock = taken,
            Err(name) => holder = Some(name),
        }
    }
    // Another editor's document, and one without a file, get an id of their own.
    let own = if holder.is_none() { found } else { None };
    let folder = own.clone().or_else(|| store.as_ref().map(|store| store.folder(new_id())));
    let (hash, document) = match digest_of(origin) {
        Some(Ok(now)) if holder.is_none() && read.is_some_and(|read| read != now) => match read_again(origin) {
            Ok(project) => (now, Some(project)),
            Err(reason) => {
                notes.push(reason);
                (now, None)
            }
        },
        Some(Ok(now)) => (now, None),
        Some(Err(_)) | None => (read.unwrap_or_default(), None),
    };
    let project = document.clone().map(Arc::new).unwrap_or_else(|| editor.document.project().clone());
    let file = match origin {
        Origin::Archive { below, path } if below.is_empty() => Some(canonical(path)),
        _ => None,
    };
    let mut work = Work::new(store, folder, about.clone(), Base::new(hash, &project, file));
    work.lock = lock;
    if let (Origin::Archive { path, .. }, None) = (origin, &holder) {
        work.opened_as = Some(path.clone());
    }
    let mut opening = Opening { work, document, holder, recovered: None, notes };
    if let Some(folder) = own {
        opening.recover(&folder, origin, hash);
        // A copy of the file is known by this.
        if opening.work.lock.is_some() && opening.work.opened_as.is_some() {
            let _ = folder.write_about(&about);
        }
    }
    if matches!(origin, Origin::Imported(_) | Origin::New) {
        opening.holder = None;
    }
    opening
}

impl Opening {
    /// Reads what a crash left. If that is not possible, it stays as it is, and the new work gets another folder.
    fn recover(&mut self, folder: &WorkFolder, origin: &Origin, hash: u64) {
        let is_archive = matches!(origin, Origin::Archive { .. });
        let left = read_steps(folder, &self.work.about, is_archive.then_some(hash));
        let opened = left.and_then(|left| {
            left.map(|left| StepsFile::open(&folder.steps(), left.end.clone()).map(|steps| (left, steps))).transpose()
        });
        let (left, steps) = match opened {
            Ok(Some(opened)) => opened,
            Ok(None) => return,
            Err(error) => {
                self.notes.push(format!(
                    "Unsaved work on this document can't be read ({error}). It stays in {}; `keypose recover` writes what is before that",
                    folder.path.display()
                ));
                self.work.lock = None;
                self.work.folder = Some(folder.with_id(new_id()));
                return;
            }
        };
        let Left { replayed, base, saved, saved_at, unsaved, end: _, damage, title } = left;
        if unsaved > 0 {
            self.notes.push(format!("Recovered {} of the last session", counted(unsaved, "step")));
        }
        self.notes.extend(damage);
        let is_of_file = match origin {
            Origin::Archive { .. } => saved.contains(&hash),
            Origin::Imported(path) => canonical(path) != canonical(&folder.steps()),
            Origin::New => true,
        };
        if !is_of_file && self.work.opened_as.take().is_some() {
            self.notes.push(format!(
                "{title} was changed by another program, so the unsaved work is shown as a new document: save it under another name, \
                 or discard it to see the file"
            ));
        }
        self.work.base = Base::made(base, replayed.base.clone());
        (self.work.saved, self.work.saved_at) = (saved, saved_at);
        self.work.about.title.clone_from(&title);
        self.work.steps = Some(steps);
        self.recovered = Some(Recovered { replayed, title, unsaved, is_of_file });
    }
}

fn not_protected(reason: &str) -> String {
    format!("Unsaved changes are not protected against a crash: {reason}")
}

/// The folder of the work on a document, which may not exist. `None` of one that is new.
fn find(store: &Store, origin: &Origin) -> io::Result<Option<WorkFolder>> {
    Ok(match origin {
        Origin::Archive { path, .. } => Some(store.folder(id_of(store, path)?)),
        Origin::Imported(path) => {
            let folder = store.folder_of(path);
            folder.or_else(|| Some(store.folder(derived_id(0, &canonical(path)))))
        }
        Origin::New => None,
    })
}

/// The path of a document for people.
fn path_of(store: Option<&Store>, origin: &Origin) -> Option<PathBuf> {
    match origin {
        Origin::Imported(path) => match store.and_then(|store| store.folder_of(path)) {
            Some(folder) => folder.about()?.path,
            None => Some(canonical(path)),
        },
        Origin::Archive { path, .. } => Some(canonical(path)),
        Origin::New => None,
    }
}

/// The digest of a document's files as they are now, which says whether they are those that were read.
fn digest_of(origin: &Origin) -> Option<io::Result<u64>> {
    let Origin::Archive { below, path } = origin else { return None };
    let missing = || io::Error::other("it is no archive");
    let hash = |path: &PathBuf| header_at(path).and_then(|header| Ok(header.ok_or_else(missing)?.hash));
    let hashes: io::Result<Vec<u64>> = below.iter().chain([path]).map(hash).collect();
    Some(hashes.map(|hashes| layers::digest(&hashes)))
}

fn read_again(origin: &Origin) -> Result<Project, String> {
    let files: Vec<PathBuf> = match origin {
        Origin::Imported(path) => vec![path.clone()],
        Origin::Archive { below, path } => below.iter().chain([path]).cloned().collect(),
        Origin::New => Vec::new(),
    };
    layers::open(&files, &files::Opening::default()).map(|opened| opened.project)
}

/// The work that a crash left in a folder.
struct Left {
    replayed: Replayed,
    /// The header hash of the base.
    base: u64,
    /// The hashes of saves.
    saved: Vec<u64>,
    /// The number of steps that lead to the state that was saved last, if it is known.
    saved_at: Option<usize>,
    /// The number of steps that are not saved in the document's archive.
    unsaved: usize,
    end: End,
    /// A sentence, if the last part can't be read.
    damage: Option<String>,
    title: String,
}

/// Reads what a crash left in a folder of a document, whose archive has this hash; `None` if there are no steps.
fn read_steps(folder: &WorkFolder, about: &About, hash: Option<u64>) -> io::Result<Option<Left>> {
    let Some(bytes) = own_files::read(&folder.steps())? else { return Ok(None) };
    if journal::head().starts_with(&bytes) {
        // The program was killed before it wrote a step.
        return Ok(None);
    }
    let read = journal::read(&bytes).map_err(io::Error::other)?;
    drop(bytes);
    if let Some(reason) = read.lost() {
        return Err(io::Error::other(reason.to_owned()));
    }
    if read.is_empty() && !read.is_damaged {
        return Ok(None);
    }
    let noted = folder.about().unwrap_or_default();
    let archives: Vec<PathBuf> = about.path.iter().chain(&noted.path).cloned().collect();
    let bytes = base::read(folder, read.base, &archives)?;
    let (base, saved, end) = (read.base, read.saved().collect(), End::of(&read));
    let saved_at = read.saved_at().and_then(|steps| usize::try_from(steps).ok());
    let unsaved = read.unsaved_steps(hash);
    let damage = read.torn.as_ref().filter(|_| read.is_damaged).map(cut_off);
    let replayed = replay(&bytes, read).map_err(io::Error::other)?;
    let title = if noted.title.is_empty() { about.title.clone() } else { noted.title };
    Ok(Some(Left { replayed, base, saved, saved_at, unsaved, end, damage, title }))
}

/// The sentence about work whose last part can't be read.
fn cut_off(reason: impl Display) -> String {
    format!("The last part of the unsaved work can't be read: {reason}")
}

/// The last state of the work in a folder, for a new document, and a sentence if it lacks steps. Of work that can't be replayed, it is the last state
/// that is valid; the work stays as it is.
pub fn last_state(folder: &WorkFolder) -> Result<(Project, Option<String>), String> {
    match read_steps(folder, &About::default(), None) {
        Ok(Some(left)) => Ok((left.replayed.project().clone(), left.damage)),
        Ok(None) => Err("there is no unsaved work in it".to_owned()),
        Err(error) => last_valid_state(folder).map_err(|_| error.to_string()),
    }
}

fn last_valid_state(folder: &WorkFolder) -> io::Result<(Project, Option<String>)> {
    let bytes = own_files::read(&folder.steps())?.unwrap_or_default();
    let read = journal::read(&bytes).map_err(io::Error::other)?;
    let archives: Vec<PathBuf> = folder.about().and_then(|about| about.path).into_iter().collect();
    let base = base::read(folder, read.base, &archives)?;
    let (project, fault) = journal::last_valid_state(&base, &read).map_err(io::Error::other)?;
    Ok((project, fault.map(cut_off)))
}
