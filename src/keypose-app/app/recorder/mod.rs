//! Keeps the journal of the editor's document: records what each action changed, and restores a recovered document with
//! its history.

use std::sync::{Arc, Mutex, MutexGuard, Weak};
use std::time::{Duration, Instant};

use crate::app::journal::{self, JournalFile, Opening};
use crate::app::own_files::canonical;
use crate::assets::project::Project;
use crate::editor::document::Document;
use crate::editor::session::place;
use crate::editor::state::action::Origin;
use crate::editor::state::{Editor, LockedFile};
use crate::wad::equality::is_same_content;
use crate::wad::journal::{Event, Place, Replayed, delta};

mod archive_content;
mod changed;
mod fallback;
mod history;
mod opening;
mod paths;
mod places;
mod rewrite;
mod saving;

pub use archive_content::{ArchiveContent, Encoded};
use history::History;
use places::{place_in, place_of};
pub use saving::{JournalToSave, save_archive, save_patch, save_with_journal};

/// Minimum time between two records of only selection and playhead.
const POSITION_INTERVAL: Duration = Duration::from_millis(250);

/// The journal, shared with the thread that saves.
pub type SharedJournal = Arc<Mutex<Option<JournalFile>>>;

/// Records the editor's document.
#[derive(Debug)]
pub struct Recorder {
    journal: SharedJournal,
    /// What the document was opened as.
    origin: Origin,
    /// The document according to the journal.
    current: Arc<Project>,
    /// The documents of all steps and the initial one, to detect the targets of undo and redo.
    known: Vec<Weak<Project>>,
    done: usize,
    /// Counts of undo and redo steps when last observed.
    counts: (usize, usize),
    /// The document whose history was rewritten last, so that it isn't tried twice.
    tried: Option<Document>,
    /// The document that another journal could not be written of either, so that it isn't tried twice.
    fallen: Option<Document>,
    place: Place,
    place_written: Instant,
    /// When the last event was written to the journal.
    written: Option<Instant>,
}

/// Messages for the user, one sentence each.
pub type Notes = Vec<String>;

impl Recorder {
    /// Starts to record the editor's document, and restores the unsaved work of the previous session. The previous
    /// recorder must be closed.
    pub fn attach(editor: &mut Editor, origin: &Origin) -> (Recorder, Notes) {
        Recorder::attach_read(editor, origin, None)
    }

    /// As [`Recorder::attach`]. `read` is the digest of what the editor's document was read from. If another program wrote the
    /// files before they were locked, the document is read again.
    pub fn attach_read(editor: &mut Editor, origin: &Origin, read: Option<u64>) -> (Recorder, Notes) {
        let mut opening = opening::open(origin);
        opening = match changed::read_again(&opening, origin, read) {
            Ok(project) => {
                project.into_iter().for_each(|project| replace_document(editor, project));
                opening
            }
            Err(reason) => opening::without_journal(opening, reason),
        };
        let Opening { mut journal, holder, recovered, mut notes, .. } = opening;
        if let Some(journal) = journal.as_mut().filter(|journal| journal.has_base()) {
            journal.know_archive(editor.document.project());
        }
        if let (Some(journal), Origin::Archive(archive), None) = (&mut journal, origin, &holder) {
            journal.note_archive(archive);
        }
        if let (Some(journal), Some(file), None) = (&mut journal, &editor.file, &holder) {
            journal.know_file(file);
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
            journal: Arc::new(Mutex::new(journal)),
            origin: origin.clone(),
            current: editor.document.project().clone(),
            known: vec![Arc::downgrade(editor.document.project())],
            done: 0,
            counts: (0, 0),
            tried: None,
            fallen: None,
            place: place_of(&editor.place(), editor.document.project()),
            place_written: Instant::now(),
            written: None,
        };
        match recovered {
            Some(recovered) => {
                recorder.restore(editor, recovered);
                if !editor.is_dirty() {
                    notes.push("All recovered work is already saved; its undo history was restored".to_owned());
                }
            }
            None => notes.extend(recorder.start()),
        }
        (recorder, notes)
    }

    /// The journal, for the thread that saves.
    pub fn journal(&self) -> JournalToSave {
        JournalToSave { shared: self.journal.clone(), known: self.known.clone() }
    }

    /// Records what happened since the last call. If the disk of the journal failed, another one is kept from then on; returns a
    /// sentence about that. The error is a sentence, too, for the banner.
    pub fn observe(&mut self, editor: &Editor) -> Result<Option<String>, String> {
        let failed = self.record(editor).err();
        let failed = if failed.is_some() && self.has_moved(editor) { self.record(editor).err() } else { failed };
        let failed = failed.or_else(|| lock(&self.journal).as_ref()?.error());
        let fallen = failed.map(|reason| self.fall_back(editor, reason)).transpose()?;
        let notes = lock(&self.journal).as_mut().map(JournalFile::take_notes).unwrap_or_default();
        let all: Vec<String> = notes.into_iter().chain(fallen).collect();
        Ok((!all.is_empty()).then(|| all.join(". ")))
    }

    /// As [`Recorder::observe`], while nothing happens: whether another program deleted or replaced the journal. Costs a few
    /// look-ups of names. An error is returned once.
    pub fn check(&mut self, editor: &Editor) -> Result<Option<String>, String> {
        if self.fallen.as_ref().is_some_and(|fallen| fallen.is_same(document_of(editor))) {
            return Ok(None);
        }
        let lost = lock(&self.journal).as_ref().and_then(JournalFile::loss);
        let lost = lost.filter(|_| !self.has_moved(editor));
        lost.map(|reason| self.fall_back(editor, reason)).transpose()
    }

    /// Whether the journal continues at another path, because its folder was renamed, and the path of the file leads there.
    fn has_moved(&self, editor: &Editor) -> bool {
        let Some(archive) = editor.file.as_ref().filter(|_| editor.below.is_empty()) else { return false };
        let path = journal::beside(&canonical(archive));
        lock(&self.journal).as_mut().is_some_and(|journal| journal.follow(&path))
    }

    /// Whether a journal was written, so that another program can delete it.
    pub fn is_written(&self) -> bool {
        lock(&self.journal).as_ref().is_some_and(JournalFile::is_written)
    }

    /// Writes the history to another journal, because this one failed. Returns a sentence about it. The error is one, too.
    fn fall_back(&mut self, editor: &Editor, reason: String) -> Result<String, String> {
        let (document, place) = (document_of(editor), editor.place());
        let is_tried = self.fallen.as_ref().is_some_and(|fallen| fallen.is_same(document));
        self.fallen = Some(document.clone());
        let history = (!is_tried).then(|| History::of(editor, document, &place));
        let path =
            history.as_ref().and_then(|history| fallback::fall_back(&self.journal, editor, &self.origin, history));
        let (Some(path), Some(history)) = (path, history) else {
            return Err(format!("{reason}; save or free some space, because a crash would lose edits"));
        };
        self.fallen = None;
        self.has_written(&history, document, &place);
        Ok(format!("{reason}. Until the next save, changes are recorded in {}", path.display()))
    }

    fn record(&mut self, editor: &Editor) -> Result<(), String> {
        let document = document_of(editor);
        let counts = (editor.history.undo_count(), editor.history.redo_count());
        let place = editor.place();
        self.repair(editor, document, &place)?;
        if Arc::ptr_eq(document.project(), &self.current) && counts == self.counts {
            return self.observe_place(place_of(&place, document));
        }
        let labels: Vec<&str> = editor.history.labels().collect();
        let (states, now) = editor.history.states((document, &place));
        // An action may make several steps, or a step and an undo, so the history is recorded, not the action.
        let first = states.first().and_then(|(first, _)| self.position_of(first)).unwrap_or(0);
        let known = states.iter().enumerate().take_while(|(at, (state, _))| self.is_known(first + at, state)).count();
        let lowest = first + now.min(known.saturating_sub(1));
        if lock(&self.journal).as_ref().is_some_and(|journal| lowest < journal.first()) {
            // It was shortened, and the user went back further.
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

    /// Writes the history again, if a save left no valid journal.
    fn repair(&mut self, editor: &Editor, document: &Document, place: &place::Place) -> Result<(), String> {
        let is_current = match &*lock(&self.journal) {
            Some(journal) => !journal.is_stale(),
            None => editor.file.is_none(),
        };
        if is_current || self.tried.as_ref().is_some_and(|tried| tried.is_same(document)) {
            return Ok(());
        }
        self.tried = Some(document.clone());
        self.rewrite(editor, document, place)
    }

    fn rewrite(&mut self, editor: &Editor, document: &Document, place: &place::Place) -> Result<(), String> {
        let history = History::of(editor, document, place);
        rewrite::rewrite(&self.journal, editor, &history)?;
        self.has_written(&history, document, place);
        Ok(())
    }

    /// Notes that a whole history is in the journal.
    fn has_written(&mut self, history: &History, document: &Document, place: &place::Place) {
        self.known = history.states.iter().map(|(state, _)| Arc::downgrade(state.project())).collect();
        (self.done, self.current) = (history.done, document.project().clone());
        let undone = history.labels.len().saturating_sub(history.done);
        (self.counts, self.place) = ((history.done, undone), place_of(place, document));
        self.written = Some(Instant::now());
    }

    /// Shortens a large journal, on another thread.
    fn compact(&self, editor: &Editor, document: &Document, place: &place::Place) {
        let begun = lock(&self.journal).as_mut().and_then(JournalFile::begin_compaction);
        let Some(compaction) = begun else { return };
        let history = History::of(editor, document, place);
        let Some(oldest) = history.states.first().and_then(|(state, _)| self.position_of(state)) else { return };
        let shared = self.journal.clone();
        std::thread::spawn(move || {
            compaction.run(&shared, |compaction| {
                let (events, first) = history.shortened(&compaction.archive, compaction.budget).ok()?;
                Some((events, oldest + first))
            });
        });
    }

    fn position_of(&self, document: &Document) -> Option<usize> {
        (0..self.known.len()).rev().find(|&at| self.is_known(at, document))
    }

    fn is_known(&self, at: usize, document: &Document) -> bool {
        self.known.get(at).is_some_and(|known| std::ptr::eq(known.as_ptr(), Arc::as_ptr(document.project())))
    }

    /// Records an undo or redo. One that could not be written is tried again at the next call.
    fn go_to(&mut self, done: usize, (document, place): &(&Document, &place::Place)) -> Result<(), String> {
        let place = place_of(place, document);
        if self.done != done {
            let done = u32::try_from(done).unwrap_or(u32::MAX);
            self.append(&Event::Position { done, place: place.clone() })?;
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
    ) -> Result<(), String> {
        let lumps = delta(from, to).map_err(|error| format!("the journal: {error}"))?;
        let (before, after) = (place_of(before, from), place_of(after, to));
        self.append(&Event::Step { label: label.to_owned(), before, after, lumps })?;
        self.done += 1;
        self.known.truncate(self.done);
        self.known.push(Arc::downgrade(to.project()));
        self.current = to.project().clone();
        Ok(())
    }

    fn observe_place(&mut self, place: Place) -> Result<(), String> {
        if place == self.place || self.place_written.elapsed() < POSITION_INTERVAL {
            return Ok(());
        }
        self.place_written = Instant::now();
        self.place = place.clone();
        // An unchanged document has nothing to recover.
        if self.known.len() > 1 { self.append(&Event::Place(place)) } else { Ok(()) }
    }

    fn append(&mut self, event: &Event) -> Result<(), String> {
        match &mut *lock(&self.journal) {
            Some(journal) => {
                journal.append(event).map_err(|error| error.to_string())?;
                self.written = Some(Instant::now());
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// When the journal was last written; `None` if nothing was changed yet, or there is no journal.
    pub fn written(&self) -> Option<Instant> {
        self.written
    }

    /// Returns true if the disk did not confirm what was recorded; the next [`Recorder::observe`] says why.
    pub fn has_failed(&self) -> bool {
        lock(&self.journal).as_ref().is_some_and(JournalFile::has_failed)
    }

    /// Whether there is a journal.
    pub fn has_journal(&self) -> bool {
        lock(&self.journal).is_some()
    }

    /// Ends recording. The journal stays, on the disk: perhaps another one, as in [`Recorder::observe`], with the same result.
    pub fn finish(mut self, editor: &Editor) -> Result<Option<String>, String> {
        self.has_moved(editor);
        let finish = |recorder: &Recorder| lock(&recorder.journal).as_mut().map_or(Ok(()), JournalFile::finish);
        let Err(reason) = finish(&self) else { return Ok(None) };
        let note = self.fall_back(editor, reason)?;
        finish(&self).map(|()| Some(note))
    }

    /// Closes the journal, because the document was saved or discarded.
    pub fn close(self) {
        if let Some(journal) = lock(&self.journal).take() {
            journal.close();
        }
    }

    /// Without an archive, the journal starts with the document.
    fn start(&mut self) -> Option<String> {
        let mut shared = lock(&self.journal);
        let journal = shared.as_mut().filter(|journal| !journal.has_base())?;
        match delta(&Project::default(), &self.current) {
            Ok(lumps) => {
                journal.start_with(Event::Start { lumps });
                None
            }
            Err(error) => Some(format!("could not keep a journal: {error}")),
        }
    }

    /// Restores the document, its history and the position.
    fn restore(&mut self, editor: &mut Editor, recovered: Replayed) {
        let loaded = editor.document.clone();
        let Replayed { start, steps, done, place, from: _, merged: _ } = recovered;
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
        editor.saved = [documents.first(), Some(&document)]
            .into_iter()
            .flatten()
            .find(|known| is_same_content(known, &loaded))
            .cloned()
            .unwrap_or(loaded);
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

fn lock(journal: &SharedJournal) -> MutexGuard<'_, Option<JournalFile>> {
    journal.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
