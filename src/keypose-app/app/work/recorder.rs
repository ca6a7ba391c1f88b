//! Observes the editor: records what each action changed, and restores recovered work with its history.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use keypose::assets::project::Project;
use keypose::wad::equality::is_same_content;
use keypose::wad::journal::{Event, Place, Replayed, delta};
use keypose_editor::editor::document::Document;
use keypose_editor::editor::session::place;
use keypose_editor::editor::state::action::Origin;
use keypose_editor::editor::state::{Editor, LockedFile};

use crate::app::files::save::advice;
use crate::app::work::history::History;
use crate::app::work::open::{self, Opening, Recovered};
use crate::app::work::place::{place_in, place_of};
use crate::app::work::{Store, Work};

/// Minimum time between two records of only selection and playhead.
const POSITION_INTERVAL: Duration = Duration::from_millis(250);

/// The work on the open document, shared with the threads that save and compact.
pub type SharedWork = Arc<Mutex<Work>>;

/// Messages for the user, one sentence each.
pub type Notes = Vec<String>;

/// Records the editor's document.
#[derive(Debug)]
pub struct Recorder {
    work: SharedWork,
    /// The document as it was recorded.
    current: Arc<Project>,
    /// The documents of all steps and the initial one, to detect the targets of undo and redo.
    known: Vec<Weak<Project>>,
    done: usize,
    /// Counts of undo and redo steps when last observed.
    counts: (usize, usize),
    /// The history must be written again.
    is_stale: bool,
    /// The history was written again because the disk did not confirm it.
    is_unconfirmed: bool,
    place: Place,
    place_written: Instant,
    /// When the last event was written.
    written: Option<Instant>,
}

impl Recorder {
    /// Starts to record the editor's document, and restores its unsaved work. The previous recorder must be closed.
    pub fn attach(editor: &mut Editor, origin: &Origin) -> (Recorder, Notes) {
        Recorder::attach_in(Store::of_user(), editor, origin, None)
    }

    /// As [`Recorder::attach`], in a store. `read` is the digest of what the editor's document was read from: if another program wrote
    /// the files before they were locked, the document is read again.
    pub fn attach_in(
        store: Option<Store>,
        editor: &mut Editor,
        origin: &Origin,
        read: Option<u64>,
    ) -> (Recorder, Notes) {
        let Opening { work, document, holder, recovered, mut notes } = open::open(store, editor, origin, read);
        if let Some(document) = document {
            replace_document(editor, document);
        }
        if let Some(holder) = holder
            && let Some(path) = editor.file.take()
        {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            notes.push(format!(
                "{name} is open in another Keypose ({holder}), so it is read-only here: you can edit, and save to another \
                 file with Save as"
            ));
            editor.locked = Some(LockedFile { path: path.clone(), holder });
            // Changes are saved to another file, which may be a patch of this one.
            editor.below.push(path);
        }
        let mut recorder = Recorder {
            work: Arc::new(Mutex::new(work)),
            current: editor.document.project().clone(),
            known: vec![Arc::downgrade(editor.document.project())],
            done: 0,
            counts: (0, 0),
            is_stale: false,
            is_unconfirmed: false,
            place: place_of(&editor.place(), editor.document.project()),
            place_written: Instant::now(),
            written: None,
        };
        if let Some(recovered) = recovered {
            recorder.restore(editor, recovered);
            if !editor.is_dirty() {
                notes.push("All recovered work is already saved; its undo history was restored".to_owned());
            }
        }
        (recorder, notes)
    }

    /// The work, for the thread that saves.
    pub fn work(&self) -> SharedWork {
        self.work.clone()
    }

    /// Records what happened since the last call. What can't be recorded is tried again with the next call. The error is a sentence.
    pub fn observe(&mut self, editor: &Editor) -> Result<(), String> {
        let (is_lost, error) = {
            let mut work = lock(&self.work);
            (work.is_lost() || work.has_lost_base(), work.syncer.error())
        };
        // Once: some disks never confirm anything.
        let is_again = error.is_some() && std::mem::replace(&mut self.is_unconfirmed, error.is_some());
        self.is_stale |= is_lost || (error.is_some() && !is_again);
        let (document, place) = (document_of(editor), editor.place());
        let recorded = if self.is_stale { self.rewrite(editor, document, &place) } else { self.record(editor) };
        recorded.map_err(|error| {
            let advice = advice(&error);
            format!("Unsaved changes could not be recorded ({error}): a crash would lose them. Save your work{advice}")
        })?;
        match error.filter(|_| is_again) {
            Some(error) => Err(format!("Unsaved changes may be lost by a power failure: {error}")),
            None => Ok(()),
        }
    }

    fn record(&mut self, editor: &Editor) -> io::Result<()> {
        let document = document_of(editor);
        let counts = (editor.history.undo_count(), editor.history.redo_count());
        let place = editor.place();
        if Arc::ptr_eq(document.project(), &self.current) && counts == self.counts {
            return self.observe_place(place_of(&place, document));
        }
        let labels: Vec<&str> = editor.history.labels().collect();
        let (states, now) = editor.history.states((document, &place));
        // An action may make several steps, or a step and an undo, so the history is recorded, not the action.
        let first = states.first().and_then(|(first, _)| self.position_of(first)).unwrap_or(0);
        let known = states.iter().enumerate().take_while(|(at, (state, _))| self.is_known(first + at, state)).count();
        let lowest = first + now.min(known.saturating_sub(1));
        if lowest < lock(&self.work).first() {
            // The file was shortened, and the user went back further.
            return self.rewrite(editor, document, &place);
        }
        for (before, label) in labels.iter().enumerate().skip(known.saturating_sub(1)) {
            let (Some(from), Some(to)) = (states.get(before), states.get(before + 1)) else { break };
            self.go_to(first + before, from)?;
            self.step(label, from, to)?;
        }
        self.go_to(first + now, &(document, &place))?;
        self.counts = counts;
        self.compact(editor, document, &place);
        Ok(())
    }

    /// Writes the whole history again, or its last part.
    fn rewrite(&mut self, editor: &Editor, document: &Document, place: &place::Place) -> io::Result<()> {
        let history = History::of(editor, document, place);
        {
            let mut work = lock(&self.work);
            let shortened = history.shortened(&work.base.project, work.budget(), &work.saved);
            let (events, first) = shortened.map_err(io::Error::other)?;
            work.rewrite(&events, first)?;
        }
        self.is_stale = false;
        self.known = history.states.iter().map(|(state, _)| Arc::downgrade(state.project())).collect();
        (self.done, self.current) = (history.done, document.project().clone());
        let undone = history.labels.len().saturating_sub(history.done);
        (self.counts, self.place) = ((history.done, undone), place_of(place, document));
        self.written = Some(Instant::now());
        Ok(())
    }

    /// Shortens a large file, on another thread.
    fn compact(&self, editor: &Editor, document: &Document, place: &place::Place) {
        let Some(compaction) = lock(&self.work).begin_compaction() else { return };
        let history = History::of(editor, document, place);
        let oldest = history.states.first().and_then(|(state, _)| self.position_of(state)).unwrap_or(0);
        let work = self.work.clone();
        std::thread::spawn(move || {
            let shortened = history.shortened(&compaction.base, compaction.budget, &compaction.saved).ok();
            compaction.run(&work, shortened.map(|(events, first)| (events, oldest + first)));
        });
    }

    fn position_of(&self, document: &Document) -> Option<usize> {
        (0..self.known.len()).rev().find(|&at| self.is_known(at, document))
    }

    fn is_known(&self, at: usize, document: &Document) -> bool {
        self.known.get(at).is_some_and(|known| std::ptr::eq(known.as_ptr(), Arc::as_ptr(document.project())))
    }

    /// Records an undo or redo.
    fn go_to(&mut self, done: usize, (document, place): &(&Document, &place::Place)) -> io::Result<()> {
        let place = place_of(place, document);
        if self.done != done {
            let event = Event::Position { done: number(done), place: place.clone() };
            self.append(&event, document.project(), done, &place)?;
        }
        self.done = done;
        self.current = document.project().clone();
        self.place = place;
        Ok(())
    }

    fn step(
        &mut self,
        label: &str,
        (from, before): &(&Document, &place::Place),
        (to, after): &(&Document, &place::Place),
    ) -> io::Result<()> {
        let lumps = delta(from, to).map_err(io::Error::other)?;
        let (before, after) = (place_of(before, from), place_of(after, to));
        let event = Event::Step { label: label.to_owned(), before, after: after.clone(), lumps };
        self.append(&event, to.project(), self.done + 1, &after)?;
        self.done += 1;
        self.known.truncate(self.done);
        self.known.push(Arc::downgrade(to.project()));
        self.current = to.project().clone();
        Ok(())
    }

    fn observe_place(&mut self, place: Place) -> io::Result<()> {
        if place == self.place || self.place_written.elapsed() < POSITION_INTERVAL {
            return Ok(());
        }
        self.place_written = Instant::now();
        self.place = place.clone();
        // An unchanged document has nothing to recover.
        if self.known.len() == 1 {
            return Ok(());
        }
        let (event, project, done) = (Event::Place(place.clone()), self.current.clone(), self.done);
        self.append(&event, &project, done, &place)
    }

    fn append(&mut self, event: &Event, now: &Arc<Project>, done: usize, place: &Place) -> io::Result<()> {
        lock(&self.work).append(event, now, number(done), place)?;
        self.written = Some(Instant::now());
        Ok(())
    }

    /// When something was last recorded; `None` if nothing was changed yet.
    pub fn written(&self) -> Option<Instant> {
        self.written
    }

    /// Returns true if the disk did not confirm what was recorded; the next [`Recorder::observe`] writes it again.
    pub fn has_failed(&self) -> bool {
        lock(&self.work).syncer.has_failed()
    }

    /// Whether steps are on the disk.
    pub fn is_written(&self) -> bool {
        lock(&self.work).is_written()
    }

    /// Ends recording. The work stays, on the disk. The error is a sentence.
    pub fn finish(self) -> Result<(), String> {
        lock(&self.work).finish()
    }

    /// Ends recording and deletes the work, because the document was saved or discarded.
    pub fn close(self) {
        lock(&self.work).close();
    }

    /// Restores the document, its history and the position.
    fn restore(&mut self, editor: &mut Editor, recovered: Recovered) {
        let Recovered { replayed, title, is_of_file } = recovered;
        let loaded = editor.document.clone();
        let Replayed { base: _, start, steps, done, place, merged: _ } = replayed;
        let mut document = Document::new(start);
        let mut documents = vec![document.clone()];
        let mut last_place = place::Place::default();
        editor.history.clear();
        for step in steps {
            let after = Document::new(step.project);
            let before = place_in(&step.before, &document);
            editor.history.push(step.label.into(), document, before, &after);
            last_place = place_in(&step.after, &after);
            documents.push(after.clone());
            document = after;
        }
        while documents.len() - 1 - editor.history.redo_count() > done {
            if !editor.history.undo(&mut document, &mut last_place) {
                break;
            }
        }
        self.known = documents.iter().map(|document| Arc::downgrade(document.project())).collect();
        self.done = done;
        self.current = document.project().clone();
        if is_of_file {
            let known = [documents.first(), Some(&document)].into_iter().flatten();
            let saved = known.into_iter().find(|known| is_same_content(known, &loaded)).cloned();
            editor.saved = saved.unwrap_or(loaded);
        } else {
            // The work is a new document.
            (editor.file, editor.title) = (None, title);
            editor.below.clear();
            editor.saved = documents.swap_remove(0);
        }
        editor.document = document;
        let place = place.map_or(last_place, |place| place_in(&place, &editor.document));
        editor.go_to(&place);
        self.place = place_of(&editor.place(), &self.current);
        self.counts = (editor.history.undo_count(), editor.history.redo_count());
    }
}

/// Replaces the document, before anything was changed.
fn replace_document(editor: &mut Editor, project: Project) {
    let place = place_of(&editor.place(), editor.document.project());
    editor.document = Document::new(project);
    editor.saved = editor.document.clone();
    editor.go_to(&place_in(&place, &editor.document));
}

/// The document without the gesture in progress.
fn document_of(editor: &Editor) -> &Document {
    editor.gesture.as_ref().map_or(&editor.document, |gesture| &gesture.base)
}

/// The number of a step in a record.
fn number(steps: usize) -> u32 {
    u32::try_from(steps).unwrap_or(u32::MAX)
}

/// Locks the work, also after a thread panicked.
pub(super) fn lock(work: &SharedWork) -> MutexGuard<'_, Work> {
    work.lock().unwrap_or_else(PoisonError::into_inner)
}
