//! The work on the document that is open: locked, appended to, synced in the background.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;

use keypose::assets::project::Project;
use keypose::wad::journal::{Event, Place};

use crate::app::files::own_files;
use crate::app::work::base::Base;
use crate::app::work::compact::Compacting;
use crate::app::work::lock::{self, Lock};
use crate::app::work::steps::{End, StepsFile};
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
    /// The steps were closed, and could not be opened again.
    is_closed: bool,
    /// The digests of the files to which the work belongs: as they were opened, and as they were saved since.
    pub(super) saved: Vec<u64>,
    /// The digest of a file that another program wrote in its place, of which a save has warned.
    pub(super) warned: Option<u64>,
    /// The number of steps that lead to the state that was saved last, if it is known.
    pub(super) saved_at: Option<usize>,
    /// The last state that was recorded.
    now: Option<(Arc<Project>, Place)>,
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
            saved: vec![base.hash],
            warned: None,
            saved_at: None,
            base,
            steps: None,
            is_closed: false,
            now: None,
            compacting: Compacting::new(bytes),
            syncer: Syncer::start(),
        }
    }

    /// Appends an event, after which the document is in that state. After it returns, a crash of the program doesn't lose the event.
    pub fn append(&mut self, event: &Event, now: &Arc<Project>, place: &Place) -> io::Result<()> {
        if self.is_lost() {
            return Err(io::Error::other("another program deleted it or has it open"));
        }
        if self.steps.is_none() {
            let folder = self.prepare()?;
            let mut steps = StepsFile::create(&folder.steps(), self.base.hash, 0)?;
            steps.append(&Event::Start { first: 0, saved: self.saved.clone(), lumps: Vec::new() })?;
            self.steps = Some(steps);
        }
        if let (Event::Step { .. }, Some(steps)) = (event, &self.steps) {
            self.saved_at = self.saved_at.filter(|saved| *saved <= steps.end.done);
        }
        self.write(event)?;
        self.now = Some((now.clone(), place.clone()));
        Ok(())
    }

    fn write(&mut self, event: &Event) -> io::Result<()> {
        if let Some(steps) = &mut self.steps {
            steps.append(event)?;
            self.syncer.add(&steps.file);
        }
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
        self.base.make(&folder, &mut self.syncer)?;
        // The folders above it may be new.
        for path in folder.steps().ancestors().take(4) {
            self.syncer.add_name(path);
        }
        Ok(folder)
    }

    /// Whether the file must be written again, because another program deleted it or has it open.
    pub fn is_lost(&self) -> bool {
        if self.is_closed {
            return true;
        }
        let Some((steps, folder)) = self.steps.as_ref().zip(self.folder.as_ref()) else { return false };
        !own_files::is_still_at(&steps.file, &folder.steps())
    }

    /// Writes a history again.
    pub fn rewrite(&mut self, events: &[Event]) -> io::Result<()> {
        let folder = self.prepare()?;
        let mut steps = StepsFile::create(&folder.new_steps(), self.base.hash, 0)?;
        for event in events {
            steps.append(event)?;
        }
        if let Some(hash) = self.saved.last().filter(|_| self.saved_at == Some(steps.end.done)) {
            steps.append(&Event::Saved { hash: *hash })?;
        }
        steps.file.sync_data()?;
        let kept_bytes = steps.bytes();
        self.continue_in(steps, kept_bytes)
    }

    /// Writes the base again if it is missing: another program deleted it, or it could not be copied.
    pub fn restore_base(&mut self) -> io::Result<()> {
        match &self.folder {
            Some(folder) if self.steps.is_some() && !folder.base().exists() => {
                // It would replace what is written here.
                let _ = self.syncer.job().map(JoinHandle::join);
                fs::create_dir_all(&folder.path)?;
                self.base.write(folder)
            }
            _ => Ok(()),
        }
    }

    /// Replaces the file by `steps.new`, of which `kept_bytes` are what a compaction wanted to keep.
    pub(super) fn continue_in(&mut self, steps: StepsFile, kept_bytes: u64) -> io::Result<()> {
        let folder = self.folder.clone().ok_or(io::ErrorKind::NotFound)?;
        let closed = if cfg!(windows) { self.close_steps() } else { None };
        if let Err(error) = own_files::rename(&folder.new_steps(), &folder.steps()) {
            self.reopen_steps(&folder, closed)?;
            return Err(error);
        }
        self.syncer.add(&steps.file);
        self.syncer.add_name(&folder.steps());
        self.compacting.end(kept_bytes);
        (self.steps, self.is_closed) = (Some(steps), false);
        Ok(())
    }

    /// Notes that the document is about to be saved, on the disk: the work belongs to the old archive and to the new one.
    pub(super) fn begin_save(&mut self, hash: u64, project: &Arc<Project>) -> io::Result<()> {
        let Some(steps) = &self.steps else { return Ok(()) };
        let done = number(steps.end.done);
        self.write(&Event::Saved { hash })?;
        self.saved.push(hash);
        self.saved_at = self.steps.as_ref().map(|steps| steps.end.done);
        if let Some((now, place)) = self.now.clone()
            && !Arc::ptr_eq(&now, project)
        {
            // There are later steps, which are not saved.
            self.saved_at = None;
            self.write(&Event::Position { done, place })?;
        }
        self.steps.as_ref().map_or(Ok(()), |steps| steps.file.sync_data())
    }

    /// Notes that the document was saved to an archive of that size.
    pub(super) fn finish_save(&mut self, hash: u64, project: &Arc<Project>, file: Option<PathBuf>, bytes: u64) {
        self.compacting.document_bytes = bytes;
        if self.steps.is_none() {
            (self.base, self.saved) = (Base::new(hash, project, file), vec![hash]);
        } else if self.saved.last() != Some(&hash)
            && let Err(error) = self.begin_save(hash, project)
        {
            self.syncer.report(&error);
        }
    }

    /// Continues under another id: the document is in a new archive.
    pub(super) fn move_to(&mut self, folder: WorkFolder) -> io::Result<()> {
        let Some(old) = self.folder.replace(folder.clone()).filter(|old| old.path.exists()) else { return Ok(()) };
        // What is waiting has names in the old folder.
        self.syncer.restart();
        let closed = if cfg!(windows) { self.close_steps() } else { None };
        if cfg!(windows) {
            self.lock = None;
        }
        let moved = own_files::rename(&old.path, &folder.path);
        let now = if moved.is_ok() { folder } else { old };
        if self.lock.is_none() {
            self.lock = lock::take(&now).ok().flatten();
        }
        self.reopen_steps(&now, closed)?;
        self.syncer.add_name(&now.path);
        self.folder = Some(now);
        moved
    }

    /// Closes the steps, because Windows renames neither over an open file nor a folder that has one. Returns their end.
    fn close_steps(&mut self) -> Option<End> {
        self.syncer.restart();
        let closed = self.steps.take().map(|steps| steps.end);
        self.is_closed = closed.is_some();
        closed
    }

    fn reopen_steps(&mut self, folder: &WorkFolder, closed: Option<End>) -> io::Result<()> {
        if let Some(end) = closed {
            self.steps = Some(StepsFile::open(&folder.steps(), end)?);
            self.is_closed = false;
        }
        Ok(())
    }

    /// Whether the steps have the state after a number of steps, and will have it when they are shortened.
    pub fn reaches(&self, done: usize) -> bool {
        self.steps.as_ref().is_none_or(|steps| steps.reaches(done)) && self.compacting.keeps(done)
    }

    /// The number of steps that lead to the first state in the file.
    pub fn first(&self) -> usize {
        self.steps.as_ref().map_or(0, StepsFile::first)
    }

    /// The size of the file in bytes.
    pub fn bytes(&self) -> u64 {
        self.steps.as_ref().map_or(0, StepsFile::bytes)
    }

    /// Whether steps were recorded.
    pub fn is_written(&self) -> bool {
        self.steps.is_some()
    }

    /// Deletes the work, because the document was saved or discarded.
    pub fn close(&mut self) {
        self.syncer.forget();
        // Without the lock, the folder may be another editor's.
        let is_ours = self.lock.is_some() || self.steps.take().is_some();
        if let Some(folder) = &self.folder
            && is_ours
        {
            folder.remove();
        }
    }

    /// Waits until everything is on the disk; nothing can be appended afterwards. The error is a sentence.
    pub fn finish(&mut self) -> Result<(), String> {
        self.syncer.finish().map_or(Ok(()), Err)
    }
}

/// The number of steps in a record.
pub(super) fn number(steps: usize) -> u32 {
    u32::try_from(steps).unwrap_or(u32::MAX)
}
