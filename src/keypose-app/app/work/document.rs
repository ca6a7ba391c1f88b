//! The work on the document that is open: locked, appended to, synced in the background.

use std::borrow::Cow;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use keypose::assets::project::Project;
use keypose::wad::journal::{Event, Place};

use crate::app::files::own_files;
use crate::app::work::base::Base;
use crate::app::work::compact::Compacting;
use crate::app::work::lock::{self, Lock};
use crate::app::work::steps::StepsFile;
use crate::app::work::sync::Syncer;
use crate::app::work::{About, Store, WorkFolder};

/// The work on the open document. It stays on the disk until it is closed.
#[derive(Debug)]
pub struct Work {
    pub(super) store: Option<Store>,
    /// `None` if the system has no folder for application state.
    pub(super) folder: Option<WorkFolder>,
    pub(super) lock: Option<Lock>,
    pub(super) about: About,
    /// The path under which the document's archive was opened, which may be a link; `None` if it has none.
    pub(super) opened_as: Option<PathBuf>,
    pub(super) base: Base,
    /// Made by the first step: a document that is only viewed has none.
    pub(super) steps: Option<StepsFile>,
    /// The digest of the files that the document was opened from or last saved to, as long as there are no steps; 0 without any.
    pub(super) opened: u64,
    /// The digests of the files with which the work belongs to the document, besides the hash of the base.
    pub(super) saved: Vec<u64>,
    /// Added to the number of a step in the editor's history to get that in the file.
    pub(super) shift: i64,
    /// The last state that was recorded, and its [`Event::Position`].
    now: Option<(Arc<Project>, Event)>,
    pub(super) compacting: Compacting,
    pub(super) syncer: Syncer,
}

impl Work {
    /// The work on a document, which begins with the first step.
    pub(super) fn new(store: Option<Store>, folder: Option<WorkFolder>, about: About, base: Base) -> Work {
        let bytes = base.file.as_ref().and_then(|file| fs::metadata(file).ok()).map_or(0, |about| about.len());
        Work {
            store,
            folder,
            lock: None,
            about,
            opened_as: None,
            opened: base.hash,
            base,
            steps: None,
            saved: Vec::new(),
            shift: 0,
            now: None,
            compacting: Compacting::new(bytes),
            syncer: Syncer::start(),
        }
    }

    /// Appends an event, after which the document is in that state: a number of steps of its history are done. After it returns, a
    /// crash of the program doesn't lose the event.
    pub fn append(&mut self, event: &Event, now: &Arc<Project>, done: u32, place: &Place) -> io::Result<()> {
        self.write(event)?;
        self.now = Some((now.clone(), Event::Position { done, place: place.clone() }));
        Ok(())
    }

    fn write(&mut self, event: &Event) -> io::Result<()> {
        if self.is_lost() {
            return Err(io::Error::other("another program deleted it"));
        }
        let numbered = numbered(event, self.shift)?;
        if self.steps.is_none() {
            let folder = self.prepare()?;
            let _ = fs::remove_file(folder.steps());
            let mut steps = StepsFile::create(&folder.steps(), self.base.hash)?;
            if ![0, self.base.hash].contains(&self.opened) {
                // The base is not the file itself.
                steps.append(&Event::Saved { hash: self.opened })?;
                self.saved = vec![self.opened];
            }
            self.steps = Some(steps);
        }
        if let Some(steps) = &mut self.steps {
            steps.append(&numbered)?;
            self.syncer.add(&steps.file);
        }
        self.compacting.note(event);
        Ok(())
    }

    /// Makes the folder and all that steps need.
    fn prepare(&mut self) -> io::Result<WorkFolder> {
        let none = || io::Error::other("the system has no folder for application state");
        let folder = self.folder.clone().ok_or_else(none)?;
        fs::create_dir_all(&folder.path)?;
        if self.lock.is_none() {
            self.lock = lock::take(&folder).map_err(|holder| io::Error::other(format!("{holder} has it")))?;
        }
        folder.write_about(&self.about)?;
        if let Some(base) = self.base.make(&folder)? {
            self.syncer.add(&Arc::new(base));
        }
        // The folders above it may be new.
        for path in folder.steps().ancestors().take(4) {
            self.syncer.add_name(path);
        }
        Ok(folder)
    }

    /// Whether the file must be written again: it is not there, or the disk did not take it.
    pub fn is_lost(&self) -> bool {
        let Some((steps, folder)) = self.steps.as_ref().zip(self.folder.as_ref()) else { return false };
        !own_files::is_still_at(&steps.file, &folder.steps())
    }

    /// Whether the steps must start from another base, because the archive could not be copied.
    pub fn has_lost_base(&mut self) -> bool {
        self.base.has_failed()
    }

    /// Writes a history again. Its first state is reached by `first` steps.
    pub fn rewrite(&mut self, events: &[Event], first: usize) -> io::Result<()> {
        if self.folder.as_ref().is_some_and(|folder| !folder.base().exists()) {
            let _ = self.base.finish();
            self.base.forget();
        }
        let folder = self.prepare()?;
        let steps = StepsFile::write(&folder.path.join("steps.new"), events, self.base.hash)?;
        self.continue_in(steps, -i64::try_from(first).map_err(io::Error::other)?)
    }

    /// Replaces the file by `steps.new`.
    pub(super) fn continue_in(&mut self, steps: StepsFile, shift: i64) -> io::Result<()> {
        let folder = self.folder.as_ref().ok_or(io::ErrorKind::NotFound)?;
        fs::rename(folder.path.join("steps.new"), folder.steps())?;
        self.syncer.add(&steps.file);
        self.syncer.add_name(&folder.steps());
        self.compacting.end(steps.bytes());
        (self.steps, self.shift) = (Some(steps), shift);
        Ok(())
    }

    /// Notes that the document is about to be saved, on the disk: the work belongs to the old archive and to the new one.
    pub(super) fn begin_save(&mut self, hash: u64, project: &Arc<Project>) -> io::Result<()> {
        self.base.finish()?;
        if self.steps.is_none() {
            return Ok(());
        }
        self.write(&Event::Saved { hash })?;
        self.saved.push(hash);
        if let Some((now, position)) = self.now.clone()
            && !Arc::ptr_eq(&now, project)
        {
            // There are later steps, which are not saved.
            self.write(&position)?;
        }
        self.steps.as_ref().map_or(Ok(()), |steps| steps.file.sync_data())
    }

    /// Notes that the document was saved to an archive of that size.
    pub(super) fn finish_save(&mut self, hash: u64, project: &Arc<Project>, file: Option<PathBuf>, bytes: u64) {
        self.compacting.document_bytes = bytes;
        if self.steps.is_none() {
            (self.base, self.opened) = (Base::new(hash, project, file), hash);
        } else if self.saved.last() != Some(&hash)
            && let Err(error) = self.begin_save(hash, project)
        {
            self.syncer.report(&error);
        }
    }

    /// Continues under another id: the document is in a new archive.
    pub(super) fn move_to(&mut self, folder: WorkFolder) -> io::Result<()> {
        let Some(old) = self.folder.replace(folder.clone()).filter(|old| old.path.exists()) else { return Ok(()) };
        if cfg!(windows) {
            // Its folders with open files can't be renamed.
            self.lock = None;
        }
        fs::rename(&old.path, &folder.path).inspect_err(|_| self.folder = Some(old))?;
        if self.lock.is_none() {
            self.lock = lock::take(&folder).ok().flatten();
        }
        self.syncer.add_name(&folder.path);
        Ok(())
    }

    /// How many steps lead to the first state in the file.
    pub fn first(&self) -> usize {
        usize::try_from(self.shift.saturating_neg()).unwrap_or(0)
    }

    /// The size of the file in bytes.
    pub fn bytes(&self) -> u64 {
        self.steps.as_ref().map_or(0, StepsFile::bytes)
    }

    /// Whether steps were recorded.
    pub fn is_written(&self) -> bool {
        self.steps.is_some()
    }

    /// Whether there is a folder for the work.
    pub fn has_folder(&self) -> bool {
        self.folder.is_some()
    }

    /// Deletes the work, because the document was saved or discarded.
    pub fn close(&mut self) {
        self.syncer.forget();
        let _ = self.base.finish();
        // Without the lock, the folder may be another editor's.
        let is_ours = self.lock.is_some() || self.steps.take().is_some();
        if let Some(folder) = self.folder.as_ref().filter(|_| is_ours) {
            folder.remove();
        }
    }

    /// Waits until everything is on the disk; nothing can be appended afterwards. The error is a sentence.
    pub fn finish(&mut self) -> Result<(), String> {
        let copied = self.base.finish().map_err(|error| error.to_string());
        self.syncer.finish().map_or(copied, Err)
    }
}

/// An event with the numbers of steps that a file has.
///
/// # Errors
/// If the step is before its first one.
pub(super) fn numbered(event: &Event, shift: i64) -> io::Result<Cow<'_, Event>> {
    let Event::Position { done, place } = event else { return Ok(Cow::Borrowed(event)) };
    let done = i64::from(*done).checked_add(shift).and_then(|done| u32::try_from(done).ok());
    let done = done.ok_or_else(|| io::Error::other("the file doesn't reach back to that step"))?;
    Ok(Cow::Owned(Event::Position { done, place: place.clone() }))
}
