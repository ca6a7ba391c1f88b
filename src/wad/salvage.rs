//! What can be had of a damaged archive: every lump that lies inside the bytes and hashes right. A separate and explicit
//! act; opening never does it by itself.

use xxhash_rust::xxh3::xxh3_64;

use crate::wad::archive::Archive;
use crate::wad::decode::{Decoded, decode_leniently};
use crate::wad::directory::{Codec, ENTRY_BYTES, Entry, HEADER_BYTES};
use crate::wad::error::WadError;
use crate::wad::kind::Kind;
use crate::wad::pack::{Lump, pack};

mod names;

use names::{Found, nameless, tell_again};

/// What was found of a damaged archive.
#[derive(Clone, Debug, Default)]
pub struct Salvaged {
    /// Lumps that are whole.
    pub lumps: Vec<Lump>,
    /// What is not, a sentence each.
    pub lost: Vec<String>,
    /// What the directory has under a wrong name and is whole, a sentence each.
    pub renamed: Vec<String>,
}

/// Every whole lump of the bytes. The header is not needed: the directory stands behind its 64 bytes, and ends where
/// the first lump starts. Where the directory is damaged, names are told again from what the models refer to.
pub fn salvage(bytes: &[u8]) -> Salvaged {
    let mut out = Salvaged::default();
    let mut found = Vec::new();
    let mut directory_end = bytes.len();
    let chunks = bytes.get(HEADER_BYTES..).unwrap_or_default().chunks_exact(ENTRY_BYTES);
    for (number, chunk) in chunks.enumerate() {
        let end = number.saturating_add(1).saturating_mul(ENTRY_BYTES).saturating_add(HEADER_BYTES);
        if end > directory_end {
            break;
        }
        let (entry, is_nameless) = match Entry::read(chunk) {
            Ok(entry) => (Some(entry), false),
            Err(_) => (nameless(chunk, number), true),
        };
        match entry {
            Some(entry) if entry.offset >= end => {
                directory_end = directory_end.min(entry.offset);
                let lump = take(bytes, &entry, &mut out);
                found.extend(lump.map(|lump| Found::new(lump, chunk, is_nameless)));
            }
            _ => out.lost.push(format!("directory entry {number} is damaged, and its lump with it")),
        }
    }
    if !directory_is_whole(bytes, directory_end) {
        out.renamed = tell_again(&mut found);
    }
    let kept = |one: &Found| !one.is_nameless || one.lump.kind == Kind::LEVEL;
    for one in found.iter().filter(|one| !kept(one)) {
        out.lost.push(format!(
            "a lump of the kind {} is whole, but its name is damaged and nothing tells it",
            one.lump.kind
        ));
    }
    out.lumps = found.into_iter().filter(kept).map(|one| one.lump).collect();
    out.lumps.sort_by(|a, b| (a.kind, &a.name).cmp(&(b.kind, &b.name)));
    out.lumps.dedup_by(|a, b| (a.kind, &a.name) == (b.kind, &b.name));
    out
}

/// True where the header's checksum of the directory fits: then every name is right.
fn directory_is_whole(bytes: &[u8], end: usize) -> bool {
    let sum = bytes.get(32..40).and_then(|sum| sum.try_into().ok()).map(u64::from_le_bytes);
    bytes.get(HEADER_BYTES..end).is_some_and(|directory| sum == Some(xxh3_64(directory)))
}

/// The lump of an entry where its bytes are there and right.
fn take(bytes: &[u8], entry: &Entry, out: &mut Salvaged) -> Option<Lump> {
    if entry.tombstone {
        return None;
    }
    let end = entry.offset.saturating_add(entry.stored_bytes);
    let Some(stored) = bytes.get(entry.offset..end) else {
        out.lost.push(format!("lump {} lies beyond the end of the file", entry.title()));
        return None;
    };
    if xxh3_64(stored) != entry.hash {
        out.lost.push(format!("lump {} is damaged", entry.title()));
        return None;
    }
    let raw = match entry.codec {
        Codec::Store => Some(stored.to_vec()),
        Codec::Lz4 => {
            let mut raw = vec![0; entry.raw_bytes];
            let length = lz4_flex::block::decompress_into(stored, &mut raw).ok();
            (length == Some(raw.len())).then_some(raw)
        }
    };
    if raw.is_none() {
        out.lost.push(format!("lump {} can't be decompressed", entry.title()));
    }
    let Entry { kind, version, codec, .. } = *entry;
    raw.map(|raw| Lump { kind, name: entry.name.clone(), version, codec, bytes: Some(raw) })
}

/// Models and levels out of salvaged lumps: what is missing is left out or replaced by a placeholder, each with a
/// finding.
pub fn decode_salvaged(salvaged: &Salvaged) -> Result<Decoded, WadError> {
    let bytes = pack(salvaged.lumps.clone(), None)?;
    decode_leniently(&Archive::open(&bytes)?)
}
