//! Packs lumps to an archive. The same lumps give the same bytes in any order. The directory is sorted by kind and name;
//! the lumps behind it are in the order of [`Region`], the vital ones first. See docs/wad-format.md, "Container".

use std::borrow::Cow;
use std::io::{self, Read, Seek, SeekFrom, Write};

use thiserror::Error;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use crate::anim::parallel;
use crate::wad::bytes::{ALIGNMENT, aligned};
use crate::wad::directory::{
    Codec, ENTRY_BYTES, Entry, HEADER_BYTES, Header, MAJOR, MAX_ENTRIES, MAX_RATIO, MINOR, TRAILER_BYTES, trailer,
};
use crate::wad::error::WadError;
use crate::wad::expanded::{EXPANSION, Expanded};
use crate::wad::kind::{Kind, Region};
use crate::wad::name;
use crate::wad::{numbers, pixels};

/// A lump to pack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lump {
    /// The four characters.
    pub kind: Kind,
    /// Unique within its kind; see [`name::fault_of`].
    pub name: String,
    /// The version of its record.
    pub version: u16,
    /// The codec; used only if it saves at least an eighth.
    pub codec: Codec,
    /// The content; `None` for a tombstone, which deletes the lump in a patch.
    pub bytes: Option<Vec<u8>>,
}

/// Packs lumps. With `base` the archive is a patch for the archive of that header hash.
pub fn pack(mut lumps: Vec<Lump>, base: Option<u64>) -> Result<Vec<u8>, WadError> {
    lumps.sort_by(|a, b| (a.kind, &a.name).cmp(&(b.kind, &b.name)));
    pack_sorted(&lumps, base)
}

/// As [`pack`], of lumps that are sorted by kind and name.
pub fn pack_sorted(lumps: &[Lump], base: Option<u64>) -> Result<Vec<u8>, WadError> {
    pack_in_room(lumps, base, usize::MAX)
}

/// As [`pack_sorted`], to a part of a larger file: the compressed lumps decompress to at most [`EXPANSION`] times the bytes.
pub(super) fn pack_part(lumps: &[Lump], base: Option<u64>) -> Result<Vec<u8>, WadError> {
    pack_in_room(lumps, base, 0)
}

/// The compressed lumps decompress to at most `room` bytes besides [`EXPANSION`] times the bytes.
fn pack_in_room(lumps: &[Lump], base: Option<u64>, room: usize) -> Result<Vec<u8>, WadError> {
    let titles: Vec<Title<'_>> = lumps.iter().map(|lump| (lump.kind, lump.name.as_str())).collect();
    let mut out = io::Cursor::new(Vec::new());
    let packed = pack_each(&titles, base, 0, &mut out, room, |at| lumps.get(at).map(Cow::Borrowed).ok_or_else(missing));
    packed.map(|_| out.into_inner()).map_err(PackError::of_memory)
}

/// Packs lumps into a file, a few at a time, so that not all of them are in memory: `lump` makes the one of an index.
/// `titles` are sorted by kind and name. The lumps are in the same place as [`pack`] puts them. `id` is the document's.
pub fn pack_into(
    titles: &[(Kind, String)],
    id: u64,
    out: &mut (impl Write + Seek),
    mut lump: impl FnMut(usize) -> Result<Lump, WadError>,
) -> Result<Packed, PackError> {
    let titles: Vec<Title<'_>> = titles.iter().map(|(kind, name)| (*kind, name.as_str())).collect();
    pack_each(&titles, None, id, out, usize::MAX, |at| lump(at).map(Cow::Owned))
}

/// Lumps are compressed together, in threads, from this many bytes on.
const TOGETHER: usize = 2 << 20;

/// The kind and the name of a lump.
type Title<'a> = (Kind, &'a str);

fn pack_each<'a>(
    titles: &[Title<'_>],
    base: Option<u64>,
    id: u64,
    out: &mut (impl Write + Seek),
    room: usize,
    mut lump: impl FnMut(usize) -> Result<Cow<'a, Lump>, WadError>,
) -> Result<Packed, PackError> {
    check(titles)?;
    let directory = titles.len().saturating_mul(ENTRY_BYTES).saturating_add(HEADER_BYTES);
    out.seek(SeekFrom::Start(0))?;
    io::copy(&mut io::repeat(0).take(directory as u64), out)?;
    let (mut end, mut entries) = (directory, Vec::with_capacity(titles.len()));
    let mut sizes = Sizes { stored: 0, expanded: Expanded::default(), room };
    let mut order = file_order(titles).into_iter().peekable();
    while order.peek().is_some() {
        let (mut lumps, mut bytes) = (Vec::new(), 0_usize);
        while bytes < TOGETHER
            && let Some(at) = order.next()
        {
            let lump = lump(at)?;
            bytes = bytes.saturating_add(lump.bytes.as_ref().map_or(0, Vec::len));
            lumps.push((at, lump));
        }
        let compressed = parallel::map(&lumps, bytes, |(_, lump)| compressed(lump));
        for ((at, lump), compressed) in lumps.iter().zip(compressed) {
            let (codec, bytes) = stored_form(lump, compressed, &mut sizes);
            let offset = aligned(end).ok_or_else(too_large)?;
            out.write_all(zeros(offset.saturating_sub(end)))?;
            out.write_all(&bytes)?;
            end = offset.checked_add(bytes.len()).ok_or_else(too_large)?;
            entries.push((*at, entry(lump, codec, &bytes, offset)));
        }
    }
    let pieces = entries.iter().map(|(_, entry)| (entry.stored_bytes, entry.hash)).collect();
    entries.sort_unstable_by_key(|(at, _)| *at);
    let entries: Vec<Entry> = entries.into_iter().map(|(_, entry)| entry).collect();
    let (head, tail) = head_and_tail(&entries, aligned(end).ok_or_else(too_large)?, base, id)?;
    out.write_all(zeros(aligned(end).unwrap_or(end).saturating_sub(end)))?;
    out.write_all(&tail)?;
    out.seek(SeekFrom::Start(0))?;
    out.write_all(&head)?;
    out.flush()?;
    Ok(Packed { head, pieces, tail })
}

/// The zeros between two lumps.
fn zeros(count: usize) -> &'static [u8] {
    const ALL: [u8; ALIGNMENT] = [0; ALIGNMENT];
    ALL.get(..count).unwrap_or(&ALL)
}

/// Why lumps could not be packed.
#[derive(Debug, Error)]
#[allow(missing_docs)]
pub enum PackError {
    #[error(transparent)]
    Wad(#[from] WadError),
    #[error(transparent)]
    File(#[from] io::Error),
}

impl PackError {
    /// The error of an archive that is packed in memory.
    pub(super) fn of_memory(self) -> WadError {
        match self {
            PackError::Wad(error) => error,
            PackError::File(error) => WadError::Content { place: "archive".into(), reason: error.to_string() },
        }
    }
}

/// The sizes and hashes of an archive that was packed into a file, to compare the file with.
#[derive(Clone, Debug)]
pub struct Packed {
    head: Vec<u8>,
    /// The sizes and hashes of the lumps in the order of the file.
    pieces: Vec<(usize, u64)>,
    tail: [u8; TRAILER_BYTES],
}

impl Packed {
    /// The hash of the header, which identifies the archive.
    pub fn hash(&self) -> u64 {
        self.head.get(..HEADER_BYTES).and_then(<[u8]>::last_chunk).copied().map_or(0, u64::from_le_bytes)
    }

    /// The size of the file.
    pub fn bytes(&self) -> u64 {
        let end = |end: usize, (bytes, _): &(usize, u64)| aligned(end).unwrap_or(end).saturating_add(*bytes);
        let end = self.pieces.iter().fold(self.head.len(), end);
        aligned(end).unwrap_or(end).saturating_add(TRAILER_BYTES) as u64
    }

    /// Reads a file from its start. Returns whether it is this archive.
    pub fn is_in(&self, file: &mut impl Read) -> io::Result<bool> {
        let mut reader = Comparing { file, at: 0, slice: vec![0; SLICE_BYTES] };
        if !reader.has(&self.head)? {
            return Ok(false);
        }
        for &(bytes, hash) in &self.pieces {
            if !reader.has_padding()? || reader.hash(bytes)? != Some(hash) {
                return Ok(false);
            }
        }
        Ok(reader.has_padding()? && reader.has(&self.tail)? && reader.is_at_end()?)
    }
}

/// How much of a file is read at a time.
const SLICE_BYTES: usize = 1 << 20;

/// Compares a file with what it should hold.
struct Comparing<'a, R> {
    file: &'a mut R,
    at: usize,
    slice: Vec<u8>,
}

impl<R: Read> Comparing<'_, R> {
    /// Hashes the next bytes; `None` if the file ends before.
    fn hash(&mut self, bytes: usize) -> io::Result<Option<u64>> {
        let (mut left, mut hash) = (bytes, Xxh3::new());
        while left > 0 {
            let slice = self.slice.get_mut(..left.min(SLICE_BYTES)).unwrap_or_default();
            match self.file.read_exact(slice) {
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
                read => read?,
            }
            hash.update(slice);
            left = left.saturating_sub(slice.len());
        }
        self.at = self.at.saturating_add(bytes);
        Ok(Some(hash.digest()))
    }

    fn has(&mut self, wanted: &[u8]) -> io::Result<bool> {
        Ok(self.hash(wanted.len())? == Some(xxh3_64(wanted)))
    }

    fn has_padding(&mut self) -> io::Result<bool> {
        let end = aligned(self.at).unwrap_or(self.at);
        self.has(zeros(end.saturating_sub(self.at)))
    }

    fn is_at_end(&mut self) -> io::Result<bool> {
        Ok(self.file.read(&mut [0])? == 0)
    }
}

/// Header and directory, and the trailer, of lumps that end at `end`.
fn head_and_tail(
    entries: &[Entry],
    end: usize,
    base: Option<u64>,
    id: u64,
) -> Result<(Vec<u8>, [u8; TRAILER_BYTES]), WadError> {
    let file_bytes = end.checked_add(TRAILER_BYTES).ok_or_else(too_large)? as u64;
    let mut directory = Vec::with_capacity(entries.len().saturating_mul(ENTRY_BYTES));
    entries.iter().for_each(|entry| entry.write(&mut directory));
    let header = Header {
        major: MAJOR,
        minor: MINOR,
        entries: entries.len(),
        file_bytes,
        directory_hash: xxh3_64(&directory),
        base,
        id,
        hash: 0,
    };
    let bytes = header.to_bytes();
    let hash = bytes.last_chunk().copied().map_or(0, u64::from_le_bytes);
    Ok(([&bytes[..], &directory].concat(), trailer(&Header { hash, ..header })))
}

/// Sums of the lumps so far.
struct Sizes {
    /// In the file.
    stored: usize,
    /// The raw bytes of the compressed lumps.
    expanded: Expanded,
    /// The maximum of the raw bytes, besides [`EXPANSION`] times their bytes.
    room: usize,
}

/// The bytes in the file. A lump stays uncompressed if a reader would refuse the file.
fn stored_form<'a>(lump: &'a Lump, compressed: Option<(Codec, Vec<u8>)>, sizes: &mut Sizes) -> (Codec, Cow<'a, [u8]>) {
    let bytes = lump.bytes.as_deref().unwrap_or_default();
    if let Some((codec, packed)) = compressed {
        let stored = sizes.stored.saturating_add(packed.len());
        let expanded = sizes.expanded.with(lump.kind, bytes.len());
        let in_room = sizes.room.saturating_add(stored.saturating_mul(EXPANSION));
        if expanded.all <= in_room && expanded.check(stored).is_ok() {
            (sizes.stored, sizes.expanded) = (stored, expanded);
            return (codec, packed.into());
        }
    }
    sizes.stored = sizes.stored.saturating_add(bytes.len());
    (Codec::Store, bytes.into())
}

/// The compressed bytes of a lump, if they save at least an eighth. A lump that would be smaller than a reader accepts, such as an
/// image of one colour, becomes an LZ4 block; so does one of few numbers that repeat across its sections.
fn compressed(lump: &Lump) -> Option<(Codec, Vec<u8>)> {
    let bytes = lump.bytes.as_deref().unwrap_or_default();
    let lz4 = || (Codec::Lz4, lz4_flex::block::compress(bytes));
    let is_possible = |packed: &[u8]| bytes.len().div_ceil(MAX_RATIO) <= packed.len();
    let (codec, packed) = match lump.codec {
        Codec::Store => return None,
        Codec::Lz4 => lz4(),
        Codec::Pixels => {
            let packed = pixels::pack(bytes)?;
            if is_possible(&packed) { (Codec::Pixels, packed) } else { lz4() }
        }
        Codec::Numbers => {
            let packed = numbers::pack(lump.kind, bytes)?;
            let block = (bytes.len() <= MAX_BLOCK_BYTES || !is_possible(&packed)).then(lz4);
            let block = block.filter(|(_, block)| block.len() < packed.len() || !is_possible(&packed));
            block.unwrap_or((Codec::Numbers, packed))
        }
    };
    let is_shorter = packed.len() < bytes.len().saturating_sub(bytes.len() >> 3);
    is_shorter.then_some((codec, packed))
}

/// A larger lump of numbers is not tried as one LZ4 block, whose matches are at most 64 KiB away.
const MAX_BLOCK_BYTES: usize = 256 << 10;

fn check(titles: &[Title<'_>]) -> Result<(), WadError> {
    let content = |(kind, name): &Title<'_>, reason: &str| {
        Err(WadError::Content { place: format!("lump {kind}/{name}"), reason: reason.to_owned() })
    };
    if titles.len() > MAX_ENTRIES {
        let reason = format!("{} lumps, more than the maximum of {MAX_ENTRIES}", titles.len());
        return Err(WadError::Content { place: "archive".into(), reason });
    }
    for title in titles {
        if let Some(reason) = name::fault_of(title.1) {
            return content(title, reason);
        }
        if Kind::new(title.0.0).is_none() {
            return content(title, "the kind is not four letters");
        }
    }
    match titles.iter().zip(titles.iter().skip(1)).find(|(a, b)| a >= b) {
        Some((a, b)) if a > b => content(b, "the lumps are not sorted"),
        Some((title, _)) => content(title, "duplicate kind and name"),
        None => Ok(()),
    }
}

/// The indices of lumps that are sorted by kind and name, in the order in which they are stored.
fn file_order(titles: &[Title<'_>]) -> Vec<usize> {
    let mut order: Vec<(Region, usize)> = titles.iter().map(|(kind, _)| kind.region()).zip(0..).collect();
    order.sort_unstable();
    order.into_iter().map(|(_, at)| at).collect()
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

pub(super) fn missing() -> WadError {
    WadError::Content { place: "archive".into(), reason: "a lump is missing".into() }
}

fn too_large() -> WadError {
    WadError::Content { place: "archive".into(), reason: "the archive exceeds the address space".into() }
}
