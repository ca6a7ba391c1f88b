//! Keeps the journal of the document in the editor: watches what each action did, and puts a recovered document back
//! with its history.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, Weak};
use std::time::{Duration, Instant};

use crate::app::journal::{self, JournalFile};
use crate::assets::project::Project;
use crate::editor::action::Origin;
use crate::editor::document::Document;
use crate::editor::document::edit::KeyRef;
use crate::editor::editor::Editor;
use crate::editor::history;
use crate::editor::selection::Selection;
use crate::wad::archive::Archive;
use crate::wad::journal::{Event, KeyPlace, Place, Replayed, delta};

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
    place: Place,
    place_written: Instant,
}

/// What the user should know.
pub type Notes = Vec<String>;

impl Recorder {
    /// Starts on the document that the editor has now, and puts back what a session before left. The recorder before
    /// must be closed.
    pub fn attach(editor: &mut Editor, origin: &Origin) -> (Recorder, Notes) {
        let (journal, recovered, mut notes) = match open(origin) {
            Ok(opening) => (opening.journal, opening.recovered, opening.notes),
            Err(reason) => (None, None, vec![reason]),
        };
        if journal.is_none() && matches!(origin, Origin::Archive(_)) && !notes.is_empty() {
            // Another editor has it: what is done here goes to another file.
            editor.file = None;
        }
        let mut recorder = Recorder {
            journal: Arc::new(Mutex::new(journal)),
            current: editor.document.project().clone(),
            known: vec![Arc::downgrade(editor.document.project())],
            done: 0,
            counts: (0, 0),
            place: place_of(&editor.place(), editor.document.project()),
            place_written: Instant::now(),
        };
        match recovered {
            Some(recovered) => recorder.restore(editor, recovered),
            None => notes.extend(recorder.start(origin)),
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

    fn position_of(&self, document: &Document) -> Option<usize> {
        (0..self.known.len()).rev().find(|&at| self.is_known(at, document))
    }

    fn is_known(&self, at: usize, document: &Document) -> bool {
        self.known.get(at).is_some_and(|known| std::ptr::eq(known.as_ptr(), Arc::as_ptr(document.project())))
    }

    /// Undo or redo, where that is not where the journal is. What could not be written is tried again at the next look.
    fn go_to(&mut self, done: usize, (document, place): &(&Document, &history::Place)) -> Result<(), String> {
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
        (from, before): &(&Document, &history::Place),
        (to, after): &(&Document, &history::Place),
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
    fn start(&mut self, origin: &Origin) -> Option<String> {
        if matches!(origin, Origin::Archive(path) if !is_elsewhere(path)) {
            return None;
        }
        let lumps = delta(&Project::default(), &self.current);
        let journal = &mut *lock(&self.journal);
        match (lumps, journal) {
            (Ok(lumps), Some(journal)) => journal.start_with(Event::Start { lumps }),
            (Err(error), _) => return Some(format!("the journal can't be kept: {error}")),
            (Ok(_), None) => {}
        }
        None
    }

    /// Puts the document, its history and the place back.
    fn restore(&mut self, editor: &mut Editor, recovered: Replayed) {
        let loaded = editor.document.clone();
        let Replayed { start, steps, done, place } = recovered;
        let mut document = Document::new(start);
        let mut documents = vec![document.clone()];
        let mut last_place = history::Place::default();
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
            .find(|known| known.is_equal(&loaded))
            .cloned()
            .unwrap_or(loaded);
        editor.document = document;
        let place = place.map_or(last_place, |place| place_in(&place, &editor.document));
        editor.go_to(&place);
        self.place = place_of(&editor.place(), &self.current);
        self.counts = (editor.history.undo_count(), editor.history.redo_count());
    }
}

/// True where a document that had no file yet was left by a crash.
pub fn has_untitled() -> bool {
    journal_path(&Origin::New).is_some_and(|path| path.exists())
}

/// Opens the journal of a document.
fn open(origin: &Origin) -> Result<journal::Opening, String> {
    let path = journal_path(origin).ok_or("No journal can be kept: the system names no folder for it.")?;
    let base = match origin {
        Origin::Archive(archive) if !is_elsewhere(archive) => {
            std::fs::read(archive).map_err(|error| error.to_string())?
        }
        _ => Vec::new(),
    };
    journal::open(&path, &base).map_err(|error| error.to_string())
}

/// True where the journal can't lie beside the archive.
fn is_elsewhere(archive: &Path) -> bool {
    std::fs::metadata(archive).is_ok_and(|about| about.permissions().readonly())
}

fn journal_path(origin: &Origin) -> Option<PathBuf> {
    let absolute = |path: &Path| std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let named = |name: &str| Some(journal::in_state_folder(&journal::state_folder()?, name));
    match origin {
        Origin::Archive(path) if !is_elsewhere(path) => Some(journal::beside(path)),
        Origin::Archive(path) | Origin::Imported(path) => named(&absolute(path).to_string_lossy()),
        Origin::New => named("untitled"),
    }
}

/// Writes an archive's bytes by way of the journal, so that a crash at any moment loses neither document nor history.
pub fn save_with_journal(shared: &SharedJournal, path: &Path, bytes: &[u8]) -> Result<(), String> {
    let old_base = std::fs::read(path).unwrap_or_default();
    let is_same = lock(shared).as_ref().is_some_and(|journal| journal.path() == journal::beside(path));
    if is_same && let Some(journal) = &mut *lock(shared) {
        // Without the history: saving matters more.
        let _ = journal.begin_save(&old_base, bytes);
    }
    let saved = crate::app::save::save_atomically(path, bytes).map_err(|error| error.to_string());
    let mut journal = lock(shared);
    match (&saved, is_same) {
        (Ok(()), true) => {
            let hash = Archive::open(bytes).map_or(0, |archive| archive.header().hash);
            if let Some(journal) = &mut *journal {
                journal.finish_save(hash).map_err(|error| error.to_string())?;
            }
        }
        (Err(_), true) => journal.iter_mut().for_each(JournalFile::abandon_save),
        (Ok(()), false) => {
            let moved = journal.take().and_then(|old| old.moved_to(&journal::beside(path), bytes));
            *journal = moved;
        }
        (Err(_), false) => {}
    }
    saved
}

fn lock(journal: &SharedJournal) -> MutexGuard<'_, Option<JournalFile>> {
    journal.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// A place by places in lists.
fn place_of(place: &history::Place, project: &Project) -> Place {
    let number = |index: usize| u32::try_from(index).unwrap_or(u32::MAX);
    let model = project.models.get(place.model);
    let clip = place.clip.and_then(|id| model?.clip_index(id));
    let Selection { bones, keyframes, keys, .. } = &place.selection;
    let key = |key: &KeyRef| KeyPlace { keyframe: number(key.keyframe), bone: key.bone, channel: key.channel };
    Place {
        model: number(place.model),
        clip: clip.map(number),
        time: place.time,
        bones: bones.clone(),
        keyframes: keyframes.iter().map(|&keyframe| number(keyframe)).collect(),
        keys: keys.iter().map(key).collect(),
    }
}

/// A place in a document, by ids.
fn place_in(place: &Place, project: &Project) -> history::Place {
    let index = |number: u32| usize::try_from(number).unwrap_or(usize::MAX);
    let model = project.models.get(index(place.model));
    let clip = place.clip.and_then(|clip| Some(model?.clips.get(index(clip))?.id));
    let key = |key: &KeyPlace| KeyRef { keyframe: index(key.keyframe), bone: key.bone, channel: key.channel };
    let selection = Selection {
        bones: place.bones.clone(),
        keyframes: place.keyframes.iter().map(|&keyframe| index(keyframe)).collect(),
        keys: place.keys.iter().map(key).collect(),
        ..Selection::default()
    };
    history::Place { model: index(place.model), clip, time: place.time, selection }
}
