//! Rebases a journal after a save: the same history, relative to the archive that was just written.

use crate::wad::archive::Archive;
use crate::wad::error::WadError;
use crate::wad::journal::{Event, Frames, Read, frame, head, read_payload, record};
use crate::wad::kind::Kind;
use crate::wad::overlay::patch;
use crate::wad::pack::Lump;

/// A journal of `new_base` with the steps of `journal`, a journal of `old_base` (empty bytes without one). If `new_base` is
/// empty, the journal holds the whole document.
pub fn rebase(journal: &[u8], old_base: &[u8], new_base: &[u8]) -> Result<Vec<u8>, WadError> {
    let frames = Frames::open(journal, &mut Read::default())?;
    let start = match frames.first().map(|(_, payload)| read_payload(payload)) {
        Some(Ok(Event::Start { lumps })) => lumps,
        _ => Vec::new(),
    };
    let has_start = !start.is_empty();
    let mut oldest = if old_base.is_empty() { Vec::new() } else { Archive::open(old_base)?.to_lumps()? };
    let is_authored = |lump: &Lump| lump.kind != Kind::BAKED;
    oldest.retain(|lump| {
        is_authored(lump) && !start.iter().any(|other| (other.kind, &other.name) == (lump.kind, &lump.name))
    });
    oldest.extend(start.into_iter().filter(|lump| lump.bytes.is_some()));
    let (base, mut difference) = if new_base.is_empty() {
        (0, oldest)
    } else {
        let new_base = Archive::open(new_base)?;
        let difference = patch(&new_base, oldest)?;
        (new_base.header().hash, Archive::open(&difference)?.to_lumps()?)
    };
    difference.retain(is_authored);
    let mut out = head();
    // The start record holds the difference from the new base.
    let mut sequence = 0_u64;
    if !difference.is_empty() {
        out.extend(record(&Event::Start { lumps: difference }, 0, base)?);
        sequence = 1;
    }
    for (_, payload) in frames.into_iter().skip(usize::from(has_start)) {
        let too_large = || WadError::Content { place: "journal".into(), reason: "a record is too large".into() };
        out.extend(frame(payload, sequence, base).ok_or_else(too_large)?);
        sequence = sequence.saturating_add(1);
    }
    Ok(out)
}
