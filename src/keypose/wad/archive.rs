//! An archive in memory. Opening verifies every byte; afterwards it gives access to the lumps. See docs/wad-format.md,
//! "Container".

use std::borrow::Cow;

use xxhash_rust::xxh3::xxh3_64;

use crate::anim::parallel;
use crate::assets::bytes::Bytes;
use crate::wad::bytes::Cursor;
use crate::wad::directory::{
    Codec, ENTRY_BYTES, Entry, HEADER_BYTES, Header, ID_AT, MAGIC, MAJOR, TRAILER_BYTES, trailer,
};
use crate::wad::error::{Fault, WadError};
use crate::wad::expanded::Expanded;
use crate::wad::kind::Kind;
use crate::wad::numbers;
use crate::wad::pack::Lump;
use crate::wad::pixels;
use crate::wad::reading::Checksums;

/// A verified archive that borrows the bytes of its file.
#[derive(Clone, Debug)]
pub struct Archive<'a> {
    header: Header,
    entries: Vec<Entry>,
    bytes: &'a [u8],
    /// The bytes of the file, if lumps may share them.
    shared: Option<&'a Bytes>,
}

/// The bytes of an entry's lump, decompressed.
pub(super) fn unpacked<'a>(entry: &Entry, stored: &'a [u8]) -> Result<Cow<'a, [u8]>, WadError> {
    // The directory limits the raw length to 255 times the stored bytes.
    let lz4 = || {
        let mut raw = vec![0; entry.raw_bytes];
        match lz4_flex::block::decompress_into(stored, &mut raw) {
            Ok(length) if length == raw.len() => Ok(raw),
            _ => Err(Fault::new(0, "can't decompress it")),
        }
    };
    let raw = match entry.codec {
        Codec::Store => return Ok(stored.into()),
        Codec::Lz4 => lz4(),
        Codec::Pixels => pixels::unpack(stored, entry.raw_bytes),
        Codec::Numbers => numbers::unpack(stored, entry.raw_bytes),
    };
    raw.map(Cow::Owned).map_err(|fault| fault.in_lump(entry.title()))
}

/// Whether the bytes start with the magic of an archive.
pub fn is_archive(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// The header of an archive with that many bytes; `None` if it is no archive, of another version, or cut off. Its lumps and its id
/// are not verified.
pub fn header_of(head: &[u8], file_bytes: u64) -> Option<Header> {
    let header = Header::read(head).ok().filter(|header| is_archive(head) && header.major == MAJOR)?;
    (header.file_bytes == file_bytes).then_some(header)
}

/// Gives a whole archive the id of a document.
pub fn set_id(archive: &mut [u8], id: u64) {
    let change = |bytes: &mut [u8; 8], by: u64| *bytes = (u64::from_le_bytes(*bytes) ^ by).to_le_bytes();
    let Some(old) = archive.get_mut(ID_AT..).and_then(<[u8]>::first_chunk_mut::<8>) else { return };
    let by = u64::from_le_bytes(*old) ^ id;
    change(old, by);
    if let Some(checksum) = archive.last_chunk_mut::<8>() {
        change(checksum, by);
    }
}

impl<'a> Archive<'a> {
    /// Reads and verifies header, directory, every lump, the padding between them and the trailer.
    pub fn open(bytes: &'a [u8]) -> Result<Archive<'a>, WadError> {
        Archive::open_summed(bytes, &Checksums::default())
    }

    /// As [`Archive::open`]; values that are decoded from it share the bytes. Lumps whose checksums are in `sums` are not
    /// hashed again.
    pub fn open_shared(bytes: &'a Bytes, sums: &Checksums) -> Result<Archive<'a>, WadError> {
        Ok(Archive { shared: Some(bytes), ..Archive::open_summed(bytes, sums)? })
    }

    fn open_summed(bytes: &'a [u8], sums: &Checksums) -> Result<Archive<'a>, WadError> {
        let header = open_header(bytes)?;
        let entries = open_directory(bytes, &header)?;
        let archive = Archive { header, entries, bytes, shared: None };
        archive.verify_lumps(sums)?;
        Ok(archive)
    }

    /// Bytes to keep of a part of a lump; not copied if the archive is shared and the lump is not compressed.
    pub fn share(&self, part: &[u8]) -> Bytes {
        self.shared.and_then(|shared| shared.view(part)).unwrap_or_else(|| part.to_vec().into())
    }

    /// The header, as it was verified.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// All lumps, sorted by kind and name.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The lumps of one kind, sorted by name.
    pub fn entries_of(&self, kind: Kind) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(move |entry| entry.kind == kind)
    }

    /// The lump of a kind and name.
    pub fn find(&self, kind: Kind, name: &str) -> Option<&Entry> {
        let at = self.entries.binary_search_by(|entry| entry.key().cmp(&(kind, name))).ok()?;
        self.entries.get(at)
    }

    /// Adds the offset in the file to an error about one of its lumps.
    pub(super) fn locate(&self, mut error: WadError) -> WadError {
        if let WadError::Unknown { lump, offset, .. } = &mut error {
            let at = self.entries.iter().position(|entry| entry.title() == *lump);
            *offset = at.map(|at| at.saturating_mul(ENTRY_BYTES).saturating_add(HEADER_BYTES) as u64);
        }
        error
    }

    /// The stored bytes of a lump.
    pub fn stored(&self, entry: &Entry) -> &'a [u8] {
        let end = entry.offset.saturating_add(entry.stored_bytes);
        self.bytes.get(entry.offset..end).unwrap_or_default()
    }

    /// A lump's bytes, decompressed.
    pub fn lump(&self, entry: &Entry) -> Result<Cow<'a, [u8]>, WadError> {
        unpacked(entry, self.stored(entry))
    }

    /// A copy of a lump for another archive.
    pub fn to_lump(&self, entry: &Entry) -> Result<Lump, WadError> {
        let bytes = if entry.tombstone { None } else { Some(self.lump(entry)?.into_owned()) };
        let Entry { kind, version, codec, .. } = *entry;
        Ok(Lump { kind, name: entry.name.clone(), version, codec, bytes })
    }

    /// Copies of all lumps for another archive.
    pub fn to_lumps(&self) -> Result<Vec<Lump>, WadError> {
        self.entries.iter().map(|entry| self.to_lump(entry)).collect()
    }

    /// The lumps as they follow each other in the file. Empty ones come before the one that starts where they end.
    fn in_file_order(&self) -> Vec<&Entry> {
        let mut entries: Vec<&Entry> = self.entries.iter().collect();
        entries.sort_by_key(|entry| (entry.offset, entry.stored_bytes));
        entries
    }

    /// Checks that lumps follow each other with zeros in between, their checksums, and the trailer.
    fn verify_lumps(&self, sums: &Checksums) -> Result<(), WadError> {
        let mut cursor = Cursor::new(self.bytes);
        let container = |place: String| move |fault: Fault| at(place, 0, fault);
        cursor.take(HEADER_BYTES).map_err(container("header".into()))?;
        cursor.take(self.entries.len().saturating_mul(ENTRY_BYTES)).map_err(container("directory".into()))?;
        for entry in self.in_file_order() {
            let place = || format!("lump {}", entry.title());
            cursor.align().map_err(container(place()))?;
            if entry.offset != cursor.offset() {
                let reason =
                    format!("the directory has offset {}, but the lumps before it end elsewhere", entry.offset);
                return Err(container(place())(Fault::new(cursor.offset(), reason)));
            }
            cursor.take(entry.stored_bytes).map_err(container(place()))?;
        }
        cursor.align().map_err(container("end of the lumps".into()))?;
        let start = cursor.offset();
        let found = cursor.take(TRAILER_BYTES).map_err(container("trailer".into()))?;
        if found != trailer(&self.header) || cursor.offset() != self.bytes.len() {
            let reason = "header and trailer disagree; the file is damaged";
            return Err(container("trailer".into())(Fault::new(start, reason)));
        }
        self.verify_hashes(sums)
    }

    fn verify_hashes(&self, sums: &Checksums) -> Result<(), WadError> {
        let sum = |entry: &Entry| sums.of(&(entry.offset..entry.offset.saturating_add(entry.stored_bytes)));
        let is_whole = |entry: &Entry| sum(entry).unwrap_or_else(|| xxh3_64(self.stored(entry))) == entry.hash;
        let is_new = |entry: &&Entry| sum(entry).is_none();
        let bytes = self.entries.iter().filter(is_new).map(|entry| entry.stored_bytes).sum();
        let whole = parallel::map(&self.entries, bytes, is_whole);
        match self.entries.iter().zip(whole).find(|(_, is_whole)| !is_whole) {
            Some((entry, _)) => {
                let reason = "checksum mismatch; the lump is damaged";
                Err(at(format!("lump {}", entry.title()), 0, Fault::new(entry.offset, reason)))
            }
            None => Ok(()),
        }
    }

    /// The raw bytes of all compressed lumps.
    pub(super) fn expanded(&self) -> Expanded {
        Expanded::of(&self.entries)
    }

    /// The size of the file.
    pub fn file_bytes(&self) -> usize {
        self.bytes.len()
    }
}

fn at(place: String, base: usize, fault: Fault) -> WadError {
    WadError::Container { place, offset: base.saturating_add(fault.offset.unwrap_or(0)) as u64, reason: fault.reason }
}

fn open_header(bytes: &[u8]) -> Result<Header, WadError> {
    if bytes.is_empty() {
        return Err(WadError::NotAnArchive { reason: "the file is empty" });
    }
    if !is_archive(bytes) {
        return Err(WadError::NotAnArchive { reason: "it does not start with the magic of an archive" });
    }
    let head = bytes.get(..HEADER_BYTES);
    let head = head.ok_or(WadError::NotAnArchive { reason: "the file ends within its header" })?;
    let mut versions = Cursor::new(head.get(MAGIC.len()..).unwrap_or_default());
    let fault = |fault| at("header".into(), 0, fault);
    let (major, minor) = (versions.u16().map_err(fault)?, versions.u16().map_err(fault)?);
    if major != MAJOR {
        return Err(WadError::Version { major, minor });
    }
    let header = Header::read(head).map_err(fault)?;
    if header.file_bytes > bytes.len() as u64 {
        return Err(WadError::CutOff { bytes: bytes.len() as u64, of: header.file_bytes });
    }
    if header.file_bytes != bytes.len() as u64 {
        let reason =
            format!("the header has a file size of {} bytes, but the file has {}", header.file_bytes, bytes.len());
        return Err(fault(Fault::new(24, reason)));
    }
    Ok(header)
}

fn open_directory(bytes: &[u8], header: &Header) -> Result<Vec<Entry>, WadError> {
    let fault = |fault| at("directory".into(), 0, fault);
    let end = header.entries.saturating_mul(ENTRY_BYTES).saturating_add(HEADER_BYTES);
    let Some(directory) = bytes.get(HEADER_BYTES..end) else {
        let reason = format!("{} lumps need more than the {} bytes of the file", header.entries, bytes.len());
        return Err(fault(Fault::new(HEADER_BYTES, reason)));
    };
    if xxh3_64(directory) != header.directory_hash {
        return Err(fault(Fault::new(HEADER_BYTES, "checksum mismatch; the file is damaged")));
    }
    let mut entries: Vec<Entry> = Vec::with_capacity(header.entries);
    for (index, chunk) in directory.chunks_exact(ENTRY_BYTES).enumerate() {
        let start = index.saturating_mul(ENTRY_BYTES).saturating_add(HEADER_BYTES);
        let place = || format!("directory entry {index}");
        let entry = Entry::read(chunk).map_err(|fault| at(place(), start, fault))?;
        if entry.tombstone && header.base.is_none() {
            return Err(at(place(), start, Fault::new(6, "only a patch may delete a lump")));
        }
        if entries.last().is_some_and(|before| before.key() >= entry.key()) {
            let reason = format!("{} is duplicate or out of order", entry.title());
            return Err(at(place(), start, Fault::new(0, reason)));
        }
        entries.push(entry);
    }
    Expanded::of(&entries).check(bytes.len()).map_err(|reason| fault(Fault::new(HEADER_BYTES, reason)))?;
    Ok(entries)
}
