//! Undo and redo: snapshots of the document that share unchanged data. A limit applies to the bytes that they don't share.

use std::cmp::Ordering;
use std::collections::VecDeque;

use crate::editor::document::Document;
use crate::editor::document::edit::Label;
use crate::editor::document::size::unshared_bytes;
use crate::editor::session::place::Place;

/// A state of the document, with the place of the user in it.
pub type State<'a> = (&'a Document, &'a Place);

/// One undo step: the document and place before it, or after it if it is undone.
#[derive(Clone, Debug)]
struct Step {
    /// Counts the steps of the session.
    serial: u64,
    label: Label,
    document: Document,
    place: Place,
    bytes: usize,
}

/// The undo steps and the redo steps of a document.
#[derive(Clone, Debug)]
pub struct History {
    undo: VecDeque<Step>,
    redo: Vec<Step>,
    /// The number of steps that are no longer kept: they were done before the first one here.
    dropped: usize,
    /// The number of steps that were ever added.
    added: u64,
    bytes: usize,
    /// Maximum bytes of all steps, without the data that they share.
    pub limit_bytes: usize,
}

impl Default for History {
    fn default() -> History {
        let (undo, redo) = (VecDeque::new(), Vec::new());
        History { undo, redo, dropped: 0, added: 0, bytes: 0, limit_bytes: 256 << 20 }
    }
}

impl History {
    /// Adds the document before a change as an undo step; clears redo.
    pub fn push(&mut self, label: Label, before: Document, place: Place, after: &Document) {
        let bytes = unshared_bytes(&before, after);
        self.redo.clear();
        self.added += 1;
        self.undo.push_back(Step { serial: self.added, label, document: before, place, bytes });
        self.bytes += bytes;
        while self.bytes > self.limit_bytes && self.undo.len() > 1 {
            let oldest = self.undo.pop_front();
            self.dropped += 1;
            self.bytes -= oldest.map_or(0, |step| step.bytes);
        }
    }

    /// Swaps the document and place with those before the last step. Returns false if there is no step.
    pub fn undo(&mut self, document: &mut Document, place: &mut Place) -> bool {
        let Some(mut step) = self.undo.pop_back() else { return false };
        self.bytes -= step.bytes;
        std::mem::swap(&mut step.document, document);
        std::mem::swap(&mut step.place, place);
        self.redo.push(step);
        true
    }

    /// Swaps the document and place with those after the last undone step. Returns false if there is no step.
    pub fn redo(&mut self, document: &mut Document, place: &mut Place) -> bool {
        let Some(mut step) = self.redo.pop() else { return false };
        self.bytes += step.bytes;
        std::mem::swap(&mut step.document, document);
        std::mem::swap(&mut step.place, place);
        self.undo.push_back(step);
        true
    }

    /// Removes all steps. The next one follows `dropped` steps that are not kept.
    pub fn restart(&mut self, dropped: usize) {
        *self = History { limit_bytes: self.limit_bytes, added: self.added, dropped, ..History::default() };
    }

    /// The label of the step that is undone next.
    pub fn undo_label(&self) -> Option<&str> {
        self.undo.back().map(|step| step.label.as_ref())
    }

    /// The number of steps that can be undone.
    pub fn undo_count(&self) -> usize {
        self.undo.len()
    }

    /// The number of steps that can be redone.
    pub fn redo_count(&self) -> usize {
        self.redo.len()
    }

    /// Labels of all steps, oldest first: those done, then those undone.
    pub fn labels(&self) -> impl Iterator<Item = &str> {
        let done = self.undo.iter();
        done.chain(self.redo.iter().rev()).map(|step| step.label.as_ref())
    }

    /// The number of steps that are no longer kept: undo doesn't reach back to the states before them.
    pub fn dropped(&self) -> usize {
        self.dropped
    }

    /// The number of kept steps.
    pub fn len(&self) -> usize {
        self.undo.len() + self.redo.len()
    }

    /// Whether no steps are kept.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of steps that are done, with those that are no longer kept.
    pub fn done(&self) -> usize {
        self.dropped + self.undo.len()
    }

    /// The number of steps that were ever added, also undone and dropped ones.
    pub fn added(&self) -> u64 {
        self.added
    }

    /// The number of kept steps that were there when `added` had that value. The others follow them.
    pub fn kept_since(&self, added: u64) -> usize {
        let steps = self.undo.iter().chain(self.redo.iter().rev());
        self.len() - steps.rev().take_while(|step| step.serial > added).count()
    }

    /// The step that leads from the state of an index to the next: its label.
    pub fn label(&self, at: usize) -> Option<&str> {
        let undone = || self.redo.iter().rev().nth(at.checked_sub(self.undo.len())?);
        self.undo.get(at).or_else(undone).map(|step| step.label.as_ref())
    }

    /// The document and place after a number of the kept steps. `current` are those after the steps that are done.
    pub fn state<'a>(&'a self, at: usize, current: State<'a>) -> Option<State<'a>> {
        let step = match at.cmp(&self.undo.len()) {
            Ordering::Equal => return Some(current),
            Ordering::Less => self.undo.get(at),
            Ordering::Greater => self.redo.get(self.len().checked_sub(at)?),
        };
        step.map(|step| (&step.document, &step.place))
    }

    /// Bytes of all steps, without the data that they share.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}
