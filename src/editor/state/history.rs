//! Undo and redo: whole snapshots that share what did not change, limited by the bytes that they do not share.

use crate::editor::session::place::Place;
use std::collections::VecDeque;

use crate::editor::document::Document;
use crate::editor::document::edit::Label;
use crate::editor::document::size::unshared_bytes;

/// One step: the document and place on its other side.
#[derive(Clone, Debug)]
struct Step {
    label: Label,
    document: Document,
    place: Place,
    bytes: usize,
}

/// The steps behind and before the document.
#[derive(Clone, Debug)]
pub struct History {
    undo: VecDeque<Step>,
    redo: Vec<Step>,
    bytes: usize,
    /// Bytes that all steps together may hold beside what they share.
    pub limit_bytes: usize,
}

impl Default for History {
    fn default() -> History {
        History { undo: VecDeque::new(), redo: Vec::new(), bytes: 0, limit_bytes: 256 << 20 }
    }
}

impl History {
    /// Keeps the document as it was before a change that is done; ends redo.
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

    /// Swaps the document and place with those before the last step. False where there is none.
    pub fn undo(&mut self, document: &mut Document, place: &mut Place) -> bool {
        let Some(mut step) = self.undo.pop_back() else { return false };
        self.bytes -= step.bytes;
        std::mem::swap(&mut step.document, document);
        std::mem::swap(&mut step.place, place);
        self.redo.push(step);
        true
    }

    /// Swaps the document and place with those after the step that was undone last. False where there is none.
    pub fn redo(&mut self, document: &mut Document, place: &mut Place) -> bool {
        let Some(mut step) = self.redo.pop() else { return false };
        self.bytes += step.bytes;
        std::mem::swap(&mut step.document, document);
        std::mem::swap(&mut step.place, place);
        self.undo.push_back(step);
        true
    }

    /// Forgets all steps.
    pub fn clear(&mut self) {
        *self = History { limit_bytes: self.limit_bytes, ..History::default() };
    }

    /// What would be undone next.
    pub fn undo_label(&self) -> Option<&str> {
        self.undo.back().map(|step| step.label.as_ref())
    }

    /// What would be redone next.
    pub fn redo_label(&self) -> Option<&str> {
        self.redo.last().map(|step| step.label.as_ref())
    }

    /// How many steps can be undone.
    pub fn undo_count(&self) -> usize {
        self.undo.len()
    }

    /// How many steps can be redone.
    pub fn redo_count(&self) -> usize {
        self.redo.len()
    }

    /// Labels of all steps, oldest first: those done, then those undone.
    pub fn labels(&self) -> impl Iterator<Item = &str> {
        let done = self.undo.iter();
        done.chain(self.redo.iter().rev()).map(|step| step.label.as_ref())
    }

    /// The documents of all steps with the places of the user, oldest first, `current` among them; and which one it is.
    /// Between the n-th and the next lies the n-th of [`History::labels`].
    pub fn states<'a>(&'a self, current: (&'a Document, &'a Place)) -> (Vec<(&'a Document, &'a Place)>, usize) {
        let state = |step: &'a Step| (&step.document, &step.place);
        let (undo, redo) = (self.undo.iter().map(state), self.redo.iter().rev().map(state));
        (undo.chain([current]).chain(redo).collect(), self.undo.len())
    }

    /// Bytes that the steps hold beside what they share.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}
