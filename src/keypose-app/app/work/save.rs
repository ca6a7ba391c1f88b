//! Saves documents and keeps their work in step.

use std::path::Path;
use std::sync::{Arc, MutexGuard};
use std::thread::JoinHandle;

use keypose::assets::project::Project;

use crate::app::files::own_files::canonical;
use crate::app::files::require_archive;
use crate::app::files::save::{SaveError, save_content};
use crate::app::work::lock::{Held, Refusal, hold};
use crate::app::work::recorder::{SharedWork, lock};
use crate::app::work::{About, ArchiveContent, Store, Work, header_at, id_of, new_id};

/// Saves a document without work, under the id of the file that it replaces. `digest` is that of the document's files as they were read or
/// saved last, if it is saved to them again: if another program has changed them, they stay.
///
/// # Errors
/// A sentence.
pub fn save_without_work(digest: Option<u64>, path: &Path, content: &mut ArchiveContent) -> Result<(), String> {
    require_archive(path)?;
    let _held = hold_to_save(Store::of_user().as_ref(), path)?;
    let there = header_at(path).ok().flatten();
    let is_other = |hash| digest.is_some_and(|digest| digest != content.digest_with(hash));
    if there.as_ref().is_some_and(|header| is_other(header.hash)) {
        let changed = changed_by_another(path, content);
        return Err(format!("{changed} since it was opened; open it again, or save under another name"));
    }
    content.set_id(there.map_or(0, |header| header.id));
    save_content(path, content, |_| ()).map_err(|error| error.to_string())
}

/// Saves a document with its work, so that a crash at any moment loses neither document nor history. An archive that another editor has open
/// is not replaced, nor is a file that is no archive.
///
/// # Errors
/// A sentence.
pub fn save(
    shared: &SharedWork,
    path: &Path,
    project: &Arc<Project>,
    content: &mut ArchiveContent,
) -> Result<(), String> {
    let target = Target::of(shared, path, content)?;
    content.set_id(target.id);
    let saved = save_content(path, content, |content| {
        let mut work = lock(shared);
        // Saving is more important than the history, which is written again afterwards.
        if let Err(error) = work.begin_save(content.digest(), project) {
            work.syncer.report(&error);
        }
        if cfg!(windows) {
            close_archive(work);
        }
    });
    lock(shared).base.is_replaced = false;
    if matches!(saved, Ok(()) | Err(SaveError::Folder { .. })) {
        target.finish(shared, path, project, content);
    }
    saved.map_err(|error| error.to_string())
}

fn changed_by_another(path: &Path, content: &ArchiveContent) -> String {
    let below = if matches!(content, ArchiveContent::Patch { .. }) { " or an archive below it" } else { "" };
    format!("{}{below} was changed by another program", path.display())
}

/// Waits until the archive is no longer copied, and lets no copy begin: Windows doesn't replace a file that is open.
fn close_archive(mut work: MutexGuard<'_, Work>) {
    work.base.is_replaced = true;
    let copying = work.syncer.job();
    drop(work);
    let _ = copying.map(JoinHandle::join);
}

impl Work {
    /// Fails once if another program has changed the archive, or one that it is a patch of: the next save replaces it.
    fn warn_of_another(&mut self, path: &Path, content: &ArchiveContent) -> Result<(), String> {
        let Some(header) = header_at(path).ok().flatten() else { return Ok(()) };
        let there = content.digest_with(header.hash);
        if self.saved.contains(&there) || self.warned == Some(there) {
            return Ok(());
        }
        self.warned = Some(there);
        let changed = changed_by_another(path, content);
        Err(format!("{changed}; save again to replace it, or save under another name"))
    }
}

/// The archive that a document is saved to.
struct Target {
    /// The id of the document from then on.
    id: u64,
    /// Whether it is the document's own archive.
    is_own: bool,
    held: Option<Held>,
}

impl Target {
    fn of(shared: &SharedWork, path: &Path, content: &ArchiveContent) -> Result<Target, String> {
        let work = lock(shared);
        let (own, to) = (work.folder.as_ref().map(|folder| folder.id), canonical(path));
        let is_opened = work.opened_as.as_deref() == Some(path);
        let is_own = work.opened_as.is_some() && (is_opened || work.about.path.as_ref() == Some(&to));
        let is_elsewhere = work.about.path.as_ref() != Some(&to);
        let store = work.store.clone();
        drop(work);
        let is_same = store.as_ref().is_some_and(|store| id_of(store, path).is_ok_and(|id| Some(id) == own));
        if is_opened && is_elsewhere && !is_same && to.exists() {
            return Err(format!(
                "{} leads to another file now, {}; save under another name",
                path.display(),
                to.display()
            ));
        }
        // Its own may be damaged.
        if !is_own {
            require_archive(&to)?;
        } else {
            lock(shared).warn_of_another(&to, content)?;
        }
        let held = if is_own && is_same { None } else { hold_to_save(store.as_ref(), path)? };
        let id = if is_own { own.unwrap_or_else(new_id) } else { new_id() };
        Ok(Target { id, is_own, held })
    }

    /// Notes that the document is in its archive.
    fn finish(self, shared: &SharedWork, path: &Path, project: &Arc<Project>, content: &ArchiveContent) {
        drop(self.held);
        let to = canonical(path);
        let mut work = lock(shared);
        if !self.is_own
            && let Some(folder) = work.folder.as_ref().map(|folder| folder.with_id(self.id))
        {
            // If that fails, the work is still found in the list.
            let _ = work.move_to(folder);
        }
        let title = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let about = About { title, path: Some(to.clone()) };
        if work.about != about {
            work.about = about;
            if let Some(folder) = work.folder.as_ref().filter(|folder| folder.path.exists()) {
                let _ = folder.write_about(&work.about);
            }
        }
        work.opened_as = Some(path.to_owned());
        let file = if matches!(content, ArchiveContent::Encoded { .. }) { Some(to) } else { None };
        work.finish_save(content.digest(), project, file, content.size());
    }
}

/// Why an archive can't be saved that another process has open.
pub fn open_elsewhere(path: &Path, holder: &str) -> String {
    format!("{} is open in another Keypose ({holder}); save under another name", path.display())
}

fn hold_to_save(store: Option<&Store>, path: &Path) -> Result<Option<Held>, String> {
    hold(store, path).map_err(|refusal| match refusal {
        Refusal::Open(holder) => open_elsewhere(path, &holder),
        Refusal::Kept(reason) => reason,
    })
}
