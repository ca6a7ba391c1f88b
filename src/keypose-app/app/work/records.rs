//! The undo history as records, for a file that is written again.

use std::collections::VecDeque;

use keypose::assets::project::Project;
use keypose::wad::error::WadError;
use keypose::wad::journal::{Event, delta};
use keypose_editor::editor::state::history::{History, State};

use crate::app::work::document::number;
use crate::app::work::place::place_of;

/// The size of a record without its lumps, in bytes.
const RECORD_BYTES: u64 = 512;

/// The steps around the current state, at most `budget` bytes of them, or one step back, after the state that they start from.
/// `saved` are the hashes of saves.
pub fn records(
    history: &History,
    now: State<'_>,
    base: &Project,
    budget: u64,
    saved: &[u64],
) -> Result<Vec<Event>, WadError> {
    let done = history.undo_count();
    let (mut steps, mut left) = (VecDeque::new(), budget);
    for at in done..history.len() {
        let Some((step, bytes)) = step(history, now, at)? else { break };
        if bytes > left / 2 {
            break;
        }
        left -= bytes;
        steps.push_back(step);
    }
    let mut first = done;
    for at in (0..done).rev() {
        let Some((step, bytes)) = step(history, now, at)? else { break };
        if bytes > left && first < done {
            break;
        }
        left = left.saturating_sub(bytes);
        steps.push_front(step);
        first = at;
    }
    let lumps = history.state(first, now).map_or(Ok(Vec::new()), |(document, _)| delta(base, document))?;
    let start = Event::Start { first: number(history.dropped() + first), saved: saved.to_vec(), lumps };
    let position = Event::Position { done: number(history.done()), place: place_of(now.1, now.0) };
    Ok([start].into_iter().chain(steps).chain([position]).collect())
}

/// The step that leads from a state to the next, and about its bytes.
pub fn step(history: &History, now: State<'_>, at: usize) -> Result<Option<(Event, u64)>, WadError> {
    let states = history.state(at, now).zip(history.state(at + 1, now));
    let Some((((from, before), (to, after)), label)) = states.zip(history.label(at)) else { return Ok(None) };
    let lumps = delta(from, to)?;
    let bytes: usize = lumps.iter().filter_map(|lump| lump.bytes.as_ref()).map(Vec::len).sum();
    let (before, after) = (place_of(before, from), place_of(after, to));
    Ok(Some((Event::Step { label: label.to_owned(), before, after, lumps }, RECORD_BYTES + bytes as u64)))
}
