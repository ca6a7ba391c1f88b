//! Salvage: copies every lump of a damaged archive that is complete and has the right checksum. A separate command; opening
//! an archive never salvages it.

use xxhash_rust::xxh3::xxh3_64;

use crate::wad::archive::{Archive, unpacked};
use crate::wad::decode::{Decoded, decode_leniently};
use crate::wad::directory::{Codec, ENTRY_BYTES, Entry, HEADER_BYTES, Header};
use crate::wad::error::WadError;
use crate::wad::expanded::Expanded;
use crate::wad::pack::{Lump, pack};

/// The readable lumps of a damaged archive.
#[derive(Clone, Debug, Default)]
pub struct Salvaged {
    /// The complete lumps.
    pub lumps: Vec<Lump>,
    /// The losses, one sentence each.
    pub lost: Vec<String>,
}

/// Salvages the complete lumps. A damaged header is no obstacle: the directory follows its 64 bytes and ends at the first
/// lump.
pub fn salvage(bytes: &[u8]) -> Salvaged {
    let mut out = Salvaged::default();
    let entries = readable_entries(bytes, &mut out.lost);
    out.lumps = take_disjoint(bytes, entries, &mut out.lost);
    out.lumps.sort_by(|a, b| (a.kind, &a.name).cmp(&(b.kind, &b.name)));
    out.lumps.dedup_by(|a, b| (a.kind, &a.name) == (b.kind, &b.name));
    out
}

/// The entries that can be read. The header says where the directory ends, or else the first lump does.
fn readable_entries(bytes: &[u8], lost: &mut Vec<String>) -> Vec<Entry> {
    let header = bytes.get(..HEADER_BYTES).and_then(|head| Header::read(head).ok());
    let end_of = |entries: usize| entries.saturating_mul(ENTRY_BYTES).saturating_add(HEADER_BYTES);
    let mut directory_end = header.map_or(bytes.len(), |header| end_of(header.entries));
    let mut entries = Vec::new();
    let chunks = bytes.get(HEADER_BYTES..).unwrap_or_default().chunks_exact(ENTRY_BYTES);
    for (number, chunk) in chunks.enumerate() {
        let end = end_of(number.saturating_add(1));
        if end > directory_end {
            break;
        }
        match Entry::read(chunk) {
            Ok(entry) if entry.offset >= end => {
                directory_end = directory_end.min(entry.offset);
                entries.push(entry);
            }
            _ => lost.push(format!("directory entry {number} is damaged, so its lump is lost")),
        }
    }
    entries
}

/// How many times the length of the file is read at most, however many entries claim the same bytes.
const MAX_READS: usize = 8;

/// The complete lumps. Lumps of an archive never overlap, so each byte belongs to the first complete lump that has it.
fn take_disjoint(bytes: &[u8], mut entries: Vec<Entry>, lost: &mut Vec<String>) -> Vec<Lump> {
    entries.sort_by_key(|entry| (entry.offset, entry.stored_bytes));
    let (mut end, mut unread) = (0, bytes.len().saturating_mul(MAX_READS));
    let mut expanded = Expanded::default();
    let mut found = Vec::new();
    for entry in entries {
        if entry.offset < end || unread < entry.stored_bytes.min(bytes.len()) {
            lost.push(format!("lump {} overlaps another one", entry.title()));
            continue;
        }
        unread = unread.saturating_sub(entry.stored_bytes.min(bytes.len()));
        let with = if entry.codec == Codec::Store { expanded } else { expanded.with(entry.kind, entry.raw_bytes) };
        if with.check(bytes.len()).is_err() {
            lost.push(format!("lump {} decompresses to more than a file of this size may hold", entry.title()));
            continue;
        }
        if let Some(lump) = take(bytes, &entry, lost) {
            end = entry.offset.saturating_add(entry.stored_bytes);
            expanded = with;
            found.push(lump);
        }
    }
    found
}

/// The lump of an entry, if its bytes are complete and match the checksum.
fn take(bytes: &[u8], entry: &Entry, lost: &mut Vec<String>) -> Option<Lump> {
    if entry.tombstone {
        return None;
    }
    let end = entry.offset.saturating_add(entry.stored_bytes);
    let Some(stored) = bytes.get(entry.offset..end) else {
        lost.push(format!("lump {} is beyond the end of the file", entry.title()));
        return None;
    };
    if xxh3_64(stored) != entry.hash {
        lost.push(format!("lump {} is damaged", entry.title()));
        return None;
    }
    let Ok(raw) = unpacked(entry, stored) else {
        lost.push(format!("lump {} can't be decompressed", entry.title()));
        return None;
    };
    let Entry { kind, version, codec, .. } = *entry;
    Some(Lump { kind, name: entry.name.clone(), version, codec, bytes: Some(raw.into_owned()) })
}

/// Decodes salvaged lumps. Missing parts are removed or replaced by placeholders, each with a finding.
pub fn decode_salvaged(salvaged: &Salvaged) -> Result<Decoded, WadError> {
    let bytes = pack(salvaged.lumps.clone(), None)?;
    decode_leniently(&Archive::open(&bytes)?)
}
