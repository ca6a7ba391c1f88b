//! Keeps the journal of the document in the editor: watches what each action did, and puts a recovered document back
//! with its history.

use std::sync::{Arc, Mutex, MutexGuard, Weak};
use std::time::{Duration, Instant};

use crate::app::journal::{self, JournalFile, Opening};
use crate::assets::project::Project;
use crate::editor::document::Document;
use crate::editor::session::place;
use crate::editor::state::action::Origin;
use crate::editor::state::{Editor, Held};
use crate::wad::diff::diff;
use crate::wad::error::WadError;
use crate::wad::journal::{Event, Place, Replayed, delta};

mod opening;
mod paths;
mod places;
mod saving;

use paths::{canonical, journal_path};
use places::{place_in, place_of};
pub use saving::{save_patch, save_with_journal};

/// Selection and playhead alone are written at most this often.
const PLACE_EVERY: Duration = Duration::from_millis(250);

/// The journal, shared with the thread that saves.
pub type SharedJournal = Arc<Mutex<Option<JournalFile>>>;

/// Watches the editor.
#[derive(Debug)]
pub struct Recorder {
    journal: SharedJournal,
    /// The document as the journal tells it.
    current: Arc<Project>,
    /// The documents of all steps and the one before the first: which one undo and redo lead to.
    known: Vec<Weak<Project>>,
    done: usize,
    /// How many steps the editor could undo and redo at the last look.
    counts: (usize, usize),
    /// The document at which the whole history was told last: the same is not tried twice.
    tried: Option<Document>,
    place: Place,
    place_written: Instant,
}

/// What the user should know.
pub type Notes = Vec<String>;

impl Recorder {
    /// Starts on the document that the editor has now, and puts back what a session before left. The recorder before
    /// must be closed.
    pub fn attach(editor: &mut Editor, origin: &Origin) -> (Recorder, Notes) {
        let Opening { journal, holder, recovered, mut notes } = opening::open(origin);
        if let Some(holder) = holder
            && let Some(path) = editor.file.take()
        {
            let held = Held { path: path.clone(), holder };
            notes.push(held.to_string());
            // What is done here goes to another file, which may be a patch over this one.
            editor.below.push(path);
            editor.held = Some(held);
        }
        let mut recorder = Recorder {
            journal: Arc::new(Mutex::new(journal)),
            current: editor.document.project().clone(),
            known: vec![Arc::downgrade(editor.document.project())],
            done: 0,
            counts: (0, 0),
            tried: None,
            place: place_of(&editor.place(), editor.document.project()),
            place_written: Instant::now(),
        };
        match recovered {
            Some(recovered) => {
                recorder.restore(editor, recovered);
                if !editor.is_dirty() {
                    notes.push("Recovered work was all saved in the file; undo reaches back to it".to_owned());
                }
            }
            None => notes.extend(recorder.start()),
        }
        (recorder, notes)
    }

    /// The journal, for the thread that saves.
    pub fn journal(&self) -> SharedJournal {
        self.journal.clone()
    }

    /// Writes down what happened since the last look. Fails with a sentence for the banner.
    pub fn observe(&mut self, editor: &Editor) -> Result<(), String> {
        let document = editor.gesture.as_ref().map_or(&editor.document, |gesture| &gesture.base);
        let counts = (editor.history.undo_count(), editor.history.redo_count());
        let place = editor.place();
        self.retell(editor, document, &place)?;
        if Arc::ptr_eq(document.project(), &self.current) && counts == self.counts {
            return self.observe_place(place_of(&place, document));
        }
        let labels: Vec<&str> = editor.history.labels().collect();
        let (states, now) = editor.history.states((document, &place));
        // One action may do several steps, or a step and an undo: the history is told, not the action.
        let first = states.first().and_then(|(first, _)| self.position_of(first)).unwrap_or(0);
        let known = states.iter().enumerate().take_while(|(at, (state, _))| self.is_known(first + at, state)).count();
        for (before, label) in labels.iter().enumerate().skip(known.saturating_sub(1)) {
            let (Some(from), Some(to)) = (states.get(before), states.get(before + 1)) else { break };
            self.go_to(first + before, from)?;
            self.step(label, from, to)?;
        }
        self.go_to(first + now, &(document, &place))?;
        self.counts = counts;
        Ok(())
    }

    /// Tells the whole history from the archive as it is now, where a save left no journal that does.
    fn retell(&mut self, editor: &Editor, document: &Document, place: &place::Place) -> Result<(), String> {
        let Some(path) = &editor.file else { return Ok(()) };
        let is_told = lock(&self.journal).as_ref().is_some_and(|journal| !journal.is_stale());
        if is_told || self.tried.as_ref().is_some_and(|tried| tried.is_same(document)) {
            return Ok(());
        }
        self.tried = Some(document.clone());
        let failed = |error: &dyn std::fmt::Display| format!("no journal can be kept of {}: {error}", path.display());
        let (to, base, archive) = if editor.below.is_empty() {
            let base = std::fs::read(path).map_err(|error| failed(&error))?;
            let archive = crate::wad::decode(&base).map_err(|error| failed(&error))?.project;
            (Some(journal::beside(&canonical(path))), base, archive)
        } else {
            let origin = Origin::Patch { below: editor.below.clone(), path: path.clone() };
            (journal_path(&origin), Vec::new(), Project::default())
        };
        let labels: Vec<&str> = editor.history.labels().collect();
        let (states, done) = editor.history.states((document, place));
        let events = history_events(&archive, &labels, &states, done).map_err(|error| failed(&error))?;
        let mut shared = lock(&self.journal);
        if shared.is_none() {
            *shared = to.and_then(|to| JournalFile::beside_new(&to, &base));
        }
        let journal = shared.as_mut().ok_or_else(|| failed(&"another editor has it"))?;
        if journal.is_stale() || !events.is_empty() {
            journal.tell(&events, &base).map_err(|error| error.to_string())?;
        }
        drop(shared);
        self.known = states.iter().map(|(state, _)| Arc::downgrade(state.project())).collect();
        (self.done, self.current) = (done, document.project().clone());
        (self.counts, self.place) = ((done, labels.len().saturating_sub(done)), place_of(place, document));
        Ok(())
    }

    fn position_of(&self, document: &Document) -> Option<usize> {
        (0..self.known.len()).rev().find(|&at| self.is_known(at, document))
    }

    fn is_known(&self, at: usize, document: &Document) -> bool {
        self.known.get(at).is_some_and(|known| std::ptr::eq(known.as_ptr(), Arc::as_ptr(document.project())))
    }

    /// Undo or redo, where that is not where the journal is. What could not be written is tried again at the next look.
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
        if place == self.place || self.place_written.elapsed() < PLACE_EVERY {
            return Ok(());
        }
        self.place_written = Instant::now();
        self.place = place.clone();
        // A document that nobody changed has nothing to recover.
        if self.known.len() > 1 { self.append(&Event::Place(place)) } else { Ok(()) }
    }

    fn append(&mut self, event: &Event) -> Result<(), String> {
        match &mut *lock(&self.journal) {
            Some(journal) => journal.append(event).map_err(|error| error.to_string()),
            None => Ok(()),
        }
    }

    /// Why what was written may not be on the disk; for a banner.
    pub fn trouble(&self) -> Option<String> {
        lock(&self.journal).as_ref()?.trouble()
    }

    /// The document was saved and closed, or thrown away: nothing is to be recovered.
    pub fn close(self) {
        if let Some(journal) = lock(&self.journal).take() {
            journal.close();
        }
    }

    /// Without an archive the journal tells the document first.
    fn start(&mut self) -> Option<String> {
        let mut shared = lock(&self.journal);
        let journal = shared.as_mut().filter(|journal| !journal.has_base())?;
        match delta(&Project::default(), &self.current) {
            Ok(lumps) => {
                journal.start_with(Event::Start { lumps });
                None
            }
            Err(error) => Some(format!("the journal can't be kept: {error}")),
        }
    }

    /// Puts the document, its history and the place back.
    fn restore(&mut self, editor: &mut Editor, recovered: Replayed) {
        let loaded = editor.document.clone();
        let Replayed { start, steps, done, place } = recovered;
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
            .find(|known| diff(known, &loaded).is_empty())
            .cloned()
            .unwrap_or(loaded);
        editor.document = document;
        let place = place.map_or(last_place, |place| place_in(&place, &editor.document));
        editor.go_to(&place);
        self.place = place_of(&editor.place(), &self.current);
        self.counts = (editor.history.undo_count(), editor.history.redo_count());
    }
}

/// What a journal says of a whole history: the states from the oldest on, told from an archive.
fn history_events(
    archive: &Project,
    labels: &[&str],
    states: &[(&Document, &place::Place)],
    done: usize,
) -> Result<Vec<Event>, WadError> {
    let Some((oldest, _)) = states.first() else { return Ok(Vec::new()) };
    let lumps = delta(archive, oldest)?;
    let mut events = Vec::new();
    if !lumps.is_empty() {
        events.push(Event::Start { lumps });
    }
    for (label, pair) in labels.iter().zip(states.windows(2)) {
        let [(from, before), (to, after)] = pair else { break };
        let (before, after) = (place_of(before, from), place_of(after, to));
        events.push(Event::Step { label: (*label).to_owned(), before, after, lumps: delta(from, to)? });
    }
    if let Some((document, place)) = states.get(done)
        && done < labels.len()
    {
        let done = u32::try_from(done).unwrap_or(u32::MAX);
        events.push(Event::Position { done, place: place_of(place, document) });
    }
    Ok(events)
}

fn lock(journal: &SharedJournal) -> MutexGuard<'_, Option<JournalFile>> {
    journal.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
