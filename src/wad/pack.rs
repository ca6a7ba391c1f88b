//! Packs lumps to an archive. The same lumps give the same bytes in any order. The directory is sorted by kind and name;
//! the lumps behind it are in the order of [`Region`], the vital ones first. See docs/wad-format.md, "Container".

use std::borrow::Cow;

use xxhash_rust::xxh3::xxh3_64;

use crate::wad::bytes::{aligned, pad};
use crate::wad::directory::{
    Codec, ENTRY_BYTES, Entry, HEADER_BYTES, Header, MAJOR, MAX_ENTRIES, MAX_RATIO, MINOR, TRAILER_BYTES, max_expanded,
    trailer,
};
use crate::wad::error::WadError;
use crate::wad::kind::{Kind, Region};
use crate::wad::name;
use crate::wad::pixels;

/// A lump to pack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lump {
    /// Its kind.
    pub kind: Kind,
    /// Unique within its kind; see [`name::fault_of`].
    pub name: String,
    /// The version of its record.
    pub version: u16,
    /// The codec; used only if it saves at least an eighth.
    pub codec: Codec,
    /// Its content; `None` for a tombstone, which deletes the lump in a patch.
    pub bytes: Option<Vec<u8>>,
}

/// Packs lumps. With `base` the archive is a patch for the archive of that header hash.
pub fn pack(mut lumps: Vec<Lump>, base: Option<u64>) -> Result<Vec<u8>, WadError> {
    lumps.sort_by(|a, b| (a.kind, &a.name).cmp(&(b.kind, &b.name)));
    pack_sorted(&lumps, base)
}

/// As [`pack`], of lumps that are sorted by kind and name.
pub fn pack_sorted(lumps: &[Lump], base: Option<u64>) -> Result<Vec<u8>, WadError> {
    check(lumps)?;
    let mut sizes = Sizes::default();
    let stored: Vec<(Codec, Cow<'_, [u8]>)> = lumps.iter().map(|lump| stored_form(lump, &mut sizes)).collect();
    let order = file_order(lumps);
    let (entries, end) = lay_out(lumps, &stored, &order)?;
    let file_bytes = end.checked_add(TRAILER_BYTES).ok_or_else(too_large)?;
    let mut directory = Vec::with_capacity(entries.len().saturating_mul(ENTRY_BYTES));
    entries.iter().for_each(|entry| entry.write(&mut directory));
    let header = Header {
        major: MAJOR,
        minor: MINOR,
        entries: entries.len(),
        file_bytes: file_bytes as u64,
        directory_hash: xxh3_64(&directory),
        base,
        hash: 0,
    };
    let header = header.to_bytes();
    let mut out = Vec::with_capacity(file_bytes);
    out.extend(header);
    out.extend(directory);
    for (_, bytes) in order.iter().filter_map(|at| stored.get(*at)) {
        pad(&mut out);
        out.extend(bytes.iter());
    }
    pad(&mut out);
    let header_hash = header.last_chunk().copied().map_or(0, u64::from_le_bytes);
    out.extend(trailer(file_bytes as u64, header_hash));
    Ok(out)
}

/// Sums of the lumps so far.
#[derive(Default)]
struct Sizes {
    /// In the file.
    stored: usize,
    /// What the compressed ones decompress to.
    expanded: usize,
}

/// The bytes in the file. A lump stays uncompressed if it would exceed [`max_expanded`].
fn stored_form<'a>(lump: &'a Lump, sizes: &mut Sizes) -> (Codec, Cow<'a, [u8]>) {
    let bytes = lump.bytes.as_deref().unwrap_or_default();
    if let Some((codec, packed)) = compressed(lump.codec, bytes) {
        let stored = sizes.stored.saturating_add(packed.len());
        let expanded = sizes.expanded.saturating_add(bytes.len());
        if expanded <= max_expanded(stored) {
            *sizes = Sizes { stored, expanded };
            return (codec, packed.into());
        }
    }
    sizes.stored = sizes.stored.saturating_add(bytes.len());
    (Codec::Store, bytes.into())
}

/// The compressed bytes of a lump, if they save at least an eighth. An image of one colour, of which packed pixels would be
/// smaller than a reader accepts, becomes an LZ4 block.
fn compressed(codec: Codec, bytes: &[u8]) -> Option<(Codec, Vec<u8>)> {
    let lz4 = || (Codec::Lz4, lz4_flex::block::compress(bytes));
    let (codec, packed) = match codec {
        Codec::Store => return None,
        Codec::Lz4 => lz4(),
        Codec::Pixels => {
            let packed = pixels::pack(bytes)?;
            let is_possible = bytes.len().div_ceil(MAX_RATIO) <= packed.len();
            if is_possible { (Codec::Pixels, packed) } else { lz4() }
        }
    };
    let is_shorter = packed.len() < bytes.len().saturating_sub(bytes.len() >> 3);
    is_shorter.then_some((codec, packed))
}

fn check(lumps: &[Lump]) -> Result<(), WadError> {
    let content = |lump: &Lump, reason: &str| {
        let place = format!("lump {}/{}", lump.kind, lump.name);
        Err(WadError::Content { place, reason: reason.to_owned() })
    };
    if lumps.len() > MAX_ENTRIES {
        let reason = format!("{} lumps, more than the maximum of {MAX_ENTRIES}", lumps.len());
        return Err(WadError::Content { place: "archive".into(), reason });
    }
    for lump in lumps {
        if let Some(reason) = name::fault_of(&lump.name) {
            return content(lump, reason);
        }
        if Kind::new(lump.kind.0).is_none() {
            return content(lump, "the kind is not four letters");
        }
    }
    let pairs = lumps.iter().zip(lumps.iter().skip(1));
    match pairs.into_iter().find(|(a, b)| (a.kind, &a.name) >= (b.kind, &b.name)) {
        Some((a, b)) if (a.kind, &a.name) > (b.kind, &b.name) => content(b, "the lumps are not sorted"),
        Some((lump, _)) => content(lump, "duplicate kind and name"),
        None => Ok(()),
    }
}

/// The indices of lumps that are sorted by kind and name, in the order in which they are stored.
fn file_order(lumps: &[Lump]) -> Vec<usize> {
    let mut order: Vec<(Region, usize)> = lumps.iter().map(|lump| lump.kind.region()).zip(0..).collect();
    order.sort_unstable();
    order.into_iter().map(|(_, at)| at).collect()
}

/// The directory, and the offset of the trailer.
fn lay_out(
    lumps: &[Lump],
    stored: &[(Codec, Cow<'_, [u8]>)],
    order: &[usize],
) -> Result<(Vec<Entry>, usize), WadError> {
    let directory = lumps.len().checked_mul(ENTRY_BYTES).and_then(|bytes| bytes.checked_add(HEADER_BYTES));
    let mut end = directory.ok_or_else(too_large)?;
    let mut entries = Vec::with_capacity(lumps.len());
    for &at in order {
        let (Some(lump), Some((codec, bytes))) = (lumps.get(at), stored.get(at)) else { continue };
        let offset = aligned(end).ok_or_else(too_large)?;
        end = offset.checked_add(bytes.len()).ok_or_else(too_large)?;
        entries.push((at, entry(lump, *codec, bytes, offset)));
    }
    entries.sort_unstable_by_key(|(at, _)| *at);
    Ok((entries.into_iter().map(|(_, entry)| entry).collect(), aligned(end).ok_or_else(too_large)?))
}

fn entry(lump: &Lump, codec: Codec, stored: &[u8], offset: usize) -> Entry {
    Entry {
        kind: lump.kind,
        version: lump.version,
        codec,
        tombstone: lump.bytes.is_none(),
        offset,
        stored_bytes: stored.len(),
        raw_bytes: lump.bytes.as_ref().map_or(0, Vec::len),
        hash: xxh3_64(stored),
        name: lump.name.clone(),
    }
}

fn too_large() -> WadError {
    WadError::Content { place: "archive".into(), reason: "the archive exceeds the address space".into() }
}
