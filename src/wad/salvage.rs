//! What can be had of a damaged archive: every lump that lies inside the bytes and hashes right. A separate and explicit
//! act; opening never does it by itself.

use xxhash_rust::xxh3::xxh3_64;

use crate::wad::archive::Archive;
use crate::wad::decode::{Decoded, decode_leniently};
use crate::wad::directory::{Codec, ENTRY_BYTES, Entry, HEADER_BYTES};
use crate::wad::error::WadError;
use crate::wad::pack::{Lump, pack};

/// What was found of a damaged archive.
#[derive(Clone, Debug, Default)]
pub struct Salvaged {
    /// Lumps that are whole.
    pub lumps: Vec<Lump>,
    /// What is not, a sentence each.
    pub lost: Vec<String>,
}

/// Every whole lump of the bytes. The header is not needed: the directory stands behind its 64 bytes, and ends where
/// the first lump starts.
pub fn salvage(bytes: &[u8]) -> Salvaged {
    let mut out = Salvaged::default();
    let mut directory_end = bytes.len();
    let chunks = bytes.get(HEADER_BYTES..).unwrap_or_default().chunks_exact(ENTRY_BYTES);
    for (number, chunk) in chunks.enumerate() {
        let end = number.saturating_add(1).saturating_mul(ENTRY_BYTES).saturating_add(HEADER_BYTES);
        if end > directory_end {
            break;
        }
        match Entry::read(chunk) {
            Ok(entry) if entry.offset >= end => {
                directory_end = directory_end.min(entry.offset);
                take(bytes, &entry, &mut out);
            }
            _ => out.lost.push(format!("directory entry {number} is damaged, and its lump with it")),
        }
    }
    out.lumps.sort_by(|a, b| (a.kind, &a.name).cmp(&(b.kind, &b.name)));
    out.lumps.dedup_by(|a, b| (a.kind, &a.name) == (b.kind, &b.name));
    out
}

/// Keeps the lump of an entry where its bytes are there and right.
fn take(bytes: &[u8], entry: &Entry, out: &mut Salvaged) {
    if entry.tombstone {
        return;
    }
    let end = entry.offset.saturating_add(entry.stored_bytes);
    let Some(stored) = bytes.get(entry.offset..end) else {
        return out.lost.push(format!("lump {} lies beyond the end of the file", entry.title()));
    };
    if xxh3_64(stored) != entry.hash {
        return out.lost.push(format!("lump {} is damaged", entry.title()));
    }
    let raw = match entry.codec {
        Codec::Store => Some(stored.to_vec()),
        Codec::Lz4 => {
            let mut raw = vec![0; entry.raw_bytes];
            let length = lz4_flex::block::decompress_into(stored, &mut raw).ok();
            (length == Some(raw.len())).then_some(raw)
        }
    };
    match raw {
        Some(raw) => {
            let Entry { kind, version, codec, .. } = *entry;
            out.lumps.push(Lump { kind, name: entry.name.clone(), version, codec, bytes: Some(raw) });
        }
        None => out.lost.push(format!("lump {} can't be decompressed", entry.title())),
    }
}

/// Models and levels out of salvaged lumps: what is missing is left out or replaced by a placeholder, each with a
/// finding.
pub fn decode_salvaged(salvaged: &Salvaged) -> Result<Decoded, WadError> {
    let bytes = pack(salvaged.lumps.clone(), None)?;
    decode_leniently(&Archive::open(&bytes)?)
}
