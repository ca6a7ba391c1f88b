//! The undo history as events of a journal: all of it, or its last part.

use std::collections::VecDeque;

use keypose::assets::project::Project;
use keypose::wad::error::WadError;
use keypose::wad::journal::{Event, delta};
use keypose_editor::editor::document::Document;
use keypose_editor::editor::session::place;
use keypose_editor::editor::state::Editor;

use crate::app::work::place::place_of;

/// What a record has in addition to its lumps, in bytes.
const RECORD_BYTES: usize = 512;

/// A copy of the undo history. It shares everything with the editor.
#[derive(Clone, Debug)]
pub(super) struct History {
    pub labels: Vec<String>,
    pub states: Vec<(Document, place::Place)>,
    /// The number of steps that are done.
    pub done: usize,
}

impl History {
    pub fn of(editor: &Editor, document: &Document, place: &place::Place) -> History {
        let (states, done) = editor.history.states((document, place));
        let states = states.into_iter().map(|(document, place)| (document.clone(), place.clone())).collect();
        History { labels: editor.history.labels().map(str::to_owned).collect(), states, done }
    }

    /// The events of the steps around the current state, at most `budget` bytes of them or as many as the document has; at
    /// least one step back. The first event changes the base to the state after as many steps as are returned. `saved` are the hashes
    /// of saves.
    pub fn shortened(&self, base: &Project, budget: u64, saved: &[u64]) -> Result<(Vec<Event>, usize), WadError> {
        let now = self.states.get(self.done).map(|(document, _)| delta(base, document)).transpose()?;
        let document = now.iter().flatten().filter_map(|lump| lump.bytes.as_ref()).map(Vec::len).sum();
        let budget = usize::try_from(budget).unwrap_or(usize::MAX).max(document);
        let (mut events, mut used) = (VecDeque::new(), 0);
        for at in self.done..self.labels.len() {
            let Some(step) = self.step(at)? else { break };
            used += bytes_of(&step);
            if used > budget / 2 {
                break;
            }
            events.push_back(step);
        }
        let mut first = self.done;
        for at in (0..self.done).rev() {
            let Some(step) = self.step(at)? else { break };
            used += bytes_of(&step);
            if used > budget && first < self.done {
                break;
            }
            events.push_front(step);
            first = at;
        }
        self.add_ends(base, events, first, saved)
    }

    /// The step that leads from a state to the next.
    fn step(&self, at: usize) -> Result<Option<Event>, WadError> {
        let (Some(label), Some((from, before)), Some((to, after))) =
            (self.labels.get(at), self.states.get(at), self.states.get(at + 1))
        else {
            return Ok(None);
        };
        let (before, after) = (place_of(before, from), place_of(after, to));
        Ok(Some(Event::Step { label: label.clone(), before, after, lumps: delta(from, to)? }))
    }

    /// Adds the start and the saves before the steps, and the position after them.
    fn add_ends(
        &self,
        base: &Project,
        mut events: VecDeque<Event>,
        first: usize,
        saved: &[u64],
    ) -> Result<(Vec<Event>, usize), WadError> {
        let done = u32::try_from(self.done - first).unwrap_or(u32::MAX);
        let start = self.states.get(first).map(|(document, _)| delta(base, document)).transpose()?;
        let start = start.filter(|lumps| !lumps.is_empty());
        let now = self.states.get(self.done).filter(|_| !events.is_empty());
        events.extend(now.map(|(document, place)| Event::Position { done, place: place_of(place, document) }));
        let saved = saved.iter().map(|hash| Event::Saved { hash: *hash });
        Ok((start.map(|lumps| Event::Start { lumps }).into_iter().chain(saved).chain(events).collect(), first))
    }
}

fn bytes_of(event: &Event) -> usize {
    let (Event::Step { lumps, .. } | Event::Start { lumps }) = event else { return RECORD_BYTES };
    RECORD_BYTES + lumps.iter().filter_map(|lump| lump.bytes.as_ref()).map(Vec::len).sum::<usize>()
}
