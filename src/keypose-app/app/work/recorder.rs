//! Observes the editor: records what each action changed, and restores recovered work with its history.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use keypose::assets::project::Project;
use keypose::wad::equality::is_same_content;
use keypose::wad::journal::{Event, Place, Replayed};
use keypose_editor::editor::document::Document;
use keypose_editor::editor::session::place;
use keypose_editor::editor::state::action::Origin;
use keypose_editor::editor::state::history::{History, State};
use keypose_editor::editor::state::{Editor, LockedFile};

use crate::app::files::save::advice;
use crate::app::work::document::number;
use crate::app::work::open::{self, Opening, Recovered};
use crate::app::work::place::{place_in, place_of};
use crate::app::work::{Store, Work, records};

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
    /// The number of steps that the history had added when last observed.
    added: u64,
    /// The number of steps that were done then.
    done: usize,
    /// The history must be written again.
    is_stale: bool,
    /// The history was written again because the disk did not confirm it.
    is_unconfirmed: bool,
    place: Place,
    place_written: Instant,
    /// When the last event was written.
    written: Option<Instant>,
    /// The number of unsaved steps that a crash left.
    pub recovered: usize,
}

impl Recorder {
    /// Starts to record the editor's document in a store, and restores its unsaved work. The previous recorder must be closed. `read` is
    /// the digest of what the editor's document was read from: if another program wrote the files before they were locked, the document
    /// is read again.
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
            added: editor.history.added(),
            done: editor.history.done(),
            is_stale: false,
            is_unconfirmed: false,
            place: place_of(&editor.place(), editor.document.project()),
            place_written: Instant::now(),
            written: None,
            recovered: recovered.as_ref().map_or(0, |recovered| recovered.unsaved),
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
            let work = lock(&self.work);
            (work.is_lost(), work.syncer.error())
        };
        // Once: some disks never confirm anything.
        let is_again = error.is_some() && std::mem::replace(&mut self.is_unconfirmed, error.is_some());
        self.is_stale |= is_lost || (error.is_some() && !is_again);
        let place = editor.place();
        let now = (document_of(editor), &place);
        let recorded =
            if self.is_stale { self.rewrite(&editor.history, now) } else { self.record(&editor.history, now) };
        recorded.map_err(|error| {
            let advice = advice(&error);
            format!("Unsaved changes could not be recorded ({error}): a crash would lose them. Save your work{advice}")
        })?;
        match error {
            Some(error) if is_again => Err(format!("Unsaved changes may be lost by a power failure: {error}")),
            Some(_) | None => Ok(()),
        }
    }

    /// Records the steps that were added since the last call, undo and redo. An action may make several of them.
    fn record(&mut self, history: &History, now: State<'_>) -> io::Result<()> {
        let kept = history.kept_since(self.added);
        if kept == history.len() && history.done() == self.done {
            return self.observe_place(now);
        }
        let from = if kept < history.len() { history.dropped() + kept } else { history.done() };
        let is_there = |done| lock(&self.work).reaches(done);
        if !is_there(from) || !is_there(history.done().min(from)) {
            return self.rewrite(history, now);
        }
        if let Some(state) = history.state(from - history.dropped(), now) {
            self.go_to(from, state)?;
        }
        for at in kept..history.len() {
            let step = records::step(history, now, at).map_err(io::Error::other)?;
            if let (Some((event, _)), Some((document, place))) = (step, history.state(at + 1, now)) {
                self.append(&event, document, place)?;
                self.done += 1;
            }
        }
        self.go_to(history.done(), now)?;
        self.added = history.added();
        self.place = place_of(now.1, now.0);
        self.shorten(history, now);
        Ok(())
    }

    /// Records an undo or redo.
    fn go_to(&mut self, done: usize, (document, place): State<'_>) -> io::Result<()> {
        if self.done != done {
            let event = Event::Position { done: number(done), place: place_of(place, document) };
            self.append(&event, document, place)?;
            self.done = done;
        }
        Ok(())
    }

    /// Writes the last part of the history again.
    fn rewrite(&mut self, history: &History, now: State<'_>) -> io::Result<()> {
        {
            let mut work = lock(&self.work);
            work.restore_base()?;
            let events = records::records(history, now, &work.base.project, work.budget(), &work.saved);
            work.rewrite(&events.map_err(io::Error::other)?)?;
        }
        self.is_stale = false;
        (self.added, self.done, self.place) = (history.added(), history.done(), place_of(now.1, now.0));
        self.written = Some(Instant::now());
        Ok(())
    }

    /// Shortens a large file, on another thread.
    fn shorten(&mut self, history: &History, now: State<'_>) {
        let mut work = lock(&self.work);
        if !work.is_large() {
            return;
        }
        match work.begin_compaction(history, now) {
            Some(compaction) => {
                let work = self.work.clone();
                std::thread::spawn(move || compaction.run(&work));
            }
            None => self.is_stale = true,
        }
    }

    fn observe_place(&mut self, (document, place): State<'_>) -> io::Result<()> {
        let recorded = place_of(place, document);
        if recorded == self.place || self.place_written.elapsed() < POSITION_INTERVAL {
            return Ok(());
        }
        self.place_written = Instant::now();
        self.place = recorded.clone();
        // An unchanged document has nothing to recover.
        if !self.is_written() {
            return Ok(());
        }
        self.append(&Event::Place(recorded), document, place)
    }

    fn append(&mut self, event: &Event, document: &Document, place: &place::Place) -> io::Result<()> {
        lock(&self.work).append(event, document.project(), &place_of(place, document))?;
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
        let Recovered { replayed, title, unsaved: _, is_of_file } = recovered;
        let loaded = editor.document.clone();
        let Replayed { base: _, start, first, steps, done, place } = replayed;
        let mut document = Document::new(start);
        let start = document.clone();
        let mut last_place = place::Place::default();
        editor.history.restart(first);
        for step in steps {
            let after = Document::new(step.project);
            let before = place_in(&step.before, &document);
            editor.history.push(step.label.into(), document, before, &after);
            last_place = place_in(&step.after, &after);
            document = after;
        }
        while editor.history.done() > first + done && editor.history.undo(&mut document, &mut last_place) {}
        if is_of_file {
            let saved = [&start, &document].into_iter().find(|known| is_same_content(known, &loaded));
            editor.saved = saved.cloned().unwrap_or(loaded);
        } else {
            // The work is a new document.
            (editor.file, editor.title) = (None, title);
            editor.below.clear();
            editor.saved = start;
        }
        editor.document = document;
        let place = place.map_or(last_place, |place| place_in(&place, &editor.document));
        editor.go_to(&place);
        self.place = place_of(&editor.place(), &editor.document);
        (self.added, self.done) = (editor.history.added(), editor.history.done());
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

/// Locks the work, also after a thread panicked.
pub(super) fn lock(work: &SharedWork) -> MutexGuard<'_, Work> {
    work.lock().unwrap_or_else(PoisonError::into_inner)
}
