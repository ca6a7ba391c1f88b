//! Rebases a journal on another archive: the same history, relative to that.

use crate::wad::archive::Archive;
use crate::wad::error::WadError;
use crate::wad::journal::replay::{Path, start_of};
use crate::wad::journal::{Event, Read, read, whole};
use crate::wad::kind::Kind;
use crate::wad::overlay::patch;
use crate::wad::pack::Lump;

/// A journal of `new_base` with the steps of `journal`, a journal of `old_base` (empty bytes without one). If `new_base` is
/// empty, the journal holds the whole document.
pub fn rebase(journal: &[u8], old_base: &[u8], new_base: &[u8]) -> Result<Vec<u8>, WadError> {
    rebase_from(journal, old_base, new_base).map(|(bytes, _)| bytes)
}

/// As [`rebase`]. Returns as well how many of the first steps are left out, because the old archive doesn't lead to them.
pub fn rebase_from(journal: &[u8], old_base: &[u8], new_base: &[u8]) -> Result<(Vec<u8>, usize), WadError> {
    let journal = read(journal)?;
    let hash = if old_base.is_empty() { 0 } else { Archive::open(old_base)?.header().hash };
    if !journal.is_of(hash) {
        let reason = "it belongs to another version of the archive".to_owned();
        return Err(WadError::Content { place: "journal".into(), reason });
    }
    let parts = start_of(old_base, &journal)?;
    let oldest = parts.iter().map(|(key, part)| part.to_lump(key)).collect::<Result<Vec<Lump>, _>>()?;
    let (base, mut difference) = if new_base.is_empty() {
        (0, oldest)
    } else {
        let new_base = Archive::open(new_base)?;
        let difference = patch(&new_base, oldest)?;
        (new_base.header().hash, Archive::open(&difference)?.to_lumps()?)
    };
    difference.retain(|lump| lump.kind != Kind::BAKED);
    // The start record holds the difference from the new base.
    let start = (!difference.is_empty()).then_some(Event::Start { lumps: difference });
    let path = Path::of(&journal, hash)?;
    let from = path.from;
    let events: Vec<Event> = start.into_iter().chain(later(&journal, path)).collect();
    Ok((whole(&events, base)?, from))
}

/// The events after the first state.
fn later(journal: &Read, path: Path<'_>) -> Vec<Event> {
    if path.from == 0 {
        let is_later = |event: &&Event| !matches!(event, Event::Start { .. } | Event::Saved { .. });
        return journal.events.iter().filter(is_later).cloned().collect();
    }
    let done = u32::try_from(path.done).unwrap_or(u32::MAX);
    let place = path.place.unwrap_or_default();
    let steps = path.steps.into_iter().map(|(_, step)| step.clone());
    steps.chain([Event::Position { done, place }]).collect()
}
