//! Undo and redo: snapshots of the document that share unchanged data. A limit applies to the bytes that they don't share.

use crate::editor::session::place::Place;
use std::collections::VecDeque;

use crate::editor::document::Document;
use crate::editor::document::edit::Label;
use crate::editor::document::size::unshared_bytes;

/// One undo step: the document and place before it, or after it if it is undone.
#[derive(Clone, Debug)]
struct Step {
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
    bytes: usize,
    /// Maximum bytes of all steps, without the data that they share.
    pub limit_bytes: usize,
}

impl Default for History {
    fn default() -> History {
        History { undo: VecDeque::new(), redo: Vec::new(), bytes: 0, limit_bytes: 256 << 20 }
    }
}

impl History {
    /// Adds the document before a change as an undo step; clears redo.
    pub fn push(&mut self, label: Label, before: Document, place: Place, after: &Document) {
        let bytes = unshared_bytes(&before, after);
        self.redo.clear();
        self.undo.push_back(Step { label, document: before, place, bytes });
        self.bytes += bytes;
        while self.bytes > self.limit_bytes && self.undo.len() > 1 {
            let oldest = self.undo.pop_front();
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

    /// Removes all steps.
    pub fn clear(&mut self) {
        *self = History { limit_bytes: self.limit_bytes, ..History::default() };
    }

    /// The label of the step that is undone next.
    pub fn undo_label(&self) -> Option<&str> {
        self.undo.back().map(|step| step.label.as_ref())
    }

    /// The label of the step that is redone next.
    pub fn redo_label(&self) -> Option<&str> {
        self.redo.last().map(|step| step.label.as_ref())
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

    /// The documents and places of all steps and of `current`, oldest first, and the index of `current`. The n-th of
    /// [`History::labels`] leads from the n-th document to the next.
    pub fn states<'a>(&'a self, current: (&'a Document, &'a Place)) -> (Vec<(&'a Document, &'a Place)>, usize) {
        let state = |step: &'a Step| (&step.document, &step.place);
        let (undo, redo) = (self.undo.iter().map(state), self.redo.iter().rev().map(state));
        (undo.chain([current]).chain(redo).collect(), self.undo.len())
    }

    /// Bytes of all steps, without the data that they share.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}
