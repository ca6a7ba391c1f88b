//! Header, directory entries and trailer. See docs/wad-format.md, "Container".

use xxhash_rust::xxh3::xxh3_64;

use crate::wad::bytes::Cursor;
use crate::wad::error::{Fault, WadError};
use crate::wad::kind::Kind;
use crate::wad::name;

/// The first bytes of every archive.
pub const MAGIC: [u8; 8] = [0x89, b'K', b'W', b'A', b'D', 0x0d, 0x0a, 0x1a];
/// The first bytes of the trailer.
pub const END_MARK: [u8; 8] = [0x89, b'K', b'E', b'N', b'D', 0x0d, 0x0a, 0x1a];
/// Archives of any other major version are refused.
pub const MAJOR: u16 = 1;
/// Archives of a higher minor version are read.
pub const MINOR: u16 = 0;
/// The size of the header.
pub const HEADER_BYTES: usize = 64;
/// The size of a directory entry.
pub const ENTRY_BYTES: usize = 128;
/// The size of the trailer.
pub const TRAILER_BYTES: usize = 32;
/// The maximum number of lumps.
pub const MAX_ENTRIES: usize = 1 << 20;

/// The offset of the header's id.
pub(super) const ID_AT: usize = 48;
/// The offset of the header's flags.
const FLAGS_AT: u64 = 12;
const FLAG_PATCH: u32 = 1;
const FLAG_CODEC: u16 = 0xff;
const CODEC_LZ4: u16 = 1;
const CODEC_PIXELS: u16 = 2;
const CODEC_NUMBERS: u16 = 3;
const FLAG_TOMBSTONE: u16 = 0x100;

/// How the bytes of a lump are stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Codec {
    /// Not compressed.
    #[default]
    Store,
    /// An LZ4 block without a frame.
    Lz4,
    /// Packed pixels, for lumps of images. See [`crate::wad::pixels`].
    Pixels,
    /// Packed numbers, for lumps of sections. See [`crate::wad::numbers`].
    Numbers,
}

/// The maximum ratio of the raw to the stored length of a compressed lump.
pub(super) const MAX_RATIO: usize = 255;

/// The header of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// Major format version.
    pub major: u16,
    /// Minor format version.
    pub minor: u16,
    /// The number of lumps.
    pub entries: usize,
    /// The size of the file.
    pub file_bytes: u64,
    /// XXH3 of the bytes of all entries.
    pub directory_hash: u64,
    /// For a patch: the header hash of the archive that it was made for.
    pub base: Option<u64>,
    /// Identifies the document through all its saves; 0 if it has none. The editor gives one to the files that it saves.
    pub id: u64,
    /// The hash of the header without the id. Identifies the content.
    pub hash: u64,
}

impl Header {
    /// The 64 bytes; `hash` is computed.
    pub fn to_bytes(&self) -> [u8; HEADER_BYTES] {
        let flags = if self.base.is_some() { FLAG_PATCH } else { 0 };
        let mut out = Vec::with_capacity(HEADER_BYTES);
        out.extend(MAGIC);
        out.extend(self.major.to_le_bytes());
        out.extend(self.minor.to_le_bytes());
        out.extend(flags.to_le_bytes());
        out.extend((self.entries as u64).to_le_bytes());
        out.extend(self.file_bytes.to_le_bytes());
        out.extend(self.directory_hash.to_le_bytes());
        out.extend(self.base.unwrap_or(0).to_le_bytes());
        let hash = hash_of(&out);
        out.extend(self.id.to_le_bytes());
        out.extend(hash.to_le_bytes());
        out.try_into().unwrap_or([0; HEADER_BYTES])
    }

    /// The document that an archive is a version of: its id, or its content's hash if it has none.
    pub fn document(&self) -> u64 {
        if self.id == 0 { self.hash } else { self.id }
    }

    /// An error about the flags: the archive is a patch and must not be one, or the reverse.
    pub(super) fn refuse_flags(&self, reason: &str) -> WadError {
        WadError::Container { place: "header".into(), offset: FLAGS_AT, reason: reason.to_owned() }
    }

    /// Reads the 64 bytes. Magic and version must be checked before.
    pub(super) fn read(bytes: &[u8]) -> Result<Header, Fault> {
        let mut cursor = Cursor::new(bytes);
        cursor.take(MAGIC.len())?;
        let (major, minor) = (cursor.u16()?, cursor.u16()?);
        let flags = cursor.u32()?;
        let entries = cursor.size()?;
        let (file_bytes, directory_hash, base) = (cursor.u64()?, cursor.u64()?, cursor.u64()?);
        let hashed = cursor.offset();
        let id = cursor.u64()?;
        let at = cursor.offset();
        let hash = cursor.u64()?;
        if bytes.get(..hashed).map(hash_of) != Some(hash) {
            return Err(Fault::new(at, "checksum mismatch; the file is damaged"));
        }
        if flags & !FLAG_PATCH != 0 {
            return Err(Fault::new(12, format!("unknown flags {flags:#x}")));
        }
        if entries > MAX_ENTRIES {
            return Err(Fault::new(16, format!("{entries} lumps, more than the maximum of {MAX_ENTRIES}")));
        }
        if flags & FLAG_PATCH == 0 && base != 0 {
            return Err(Fault::new(40, "a base hash in an archive that is not a patch"));
        }
        let base = (flags & FLAG_PATCH != 0).then_some(base);
        Ok(Header { major, minor, entries, file_bytes, directory_hash, base, id, hash })
    }
}

/// The hash of a header's first 48 bytes, with zeros in place of the id: copies with other ids have the same content.
fn hash_of(first: &[u8]) -> u64 {
    xxh3_64(&[first, &[0; 8]].concat())
}

/// A directory entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The kind of the lump.
    pub kind: Kind,
    /// The version of its record.
    pub version: u16,
    /// How its bytes are compressed.
    pub codec: Codec,
    /// Whether the patch deletes the lump of this kind and name.
    pub tombstone: bool,
    /// From the start of the file; a multiple of 64.
    pub offset: usize,
    /// The size in the file.
    pub stored_bytes: usize,
    /// The decompressed size.
    pub raw_bytes: usize,
    /// The hash of the bytes in the file.
    pub hash: u64,
    /// Unique within its kind.
    pub name: String,
}

impl Entry {
    /// `KIND/name`.
    pub fn title(&self) -> String {
        format!("{}/{}", self.kind, self.name)
    }

    /// The order of the directory.
    pub fn key(&self) -> (Kind, &str) {
        (self.kind, &self.name)
    }

    /// Appends the 128 bytes.
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        let codec = match self.codec {
            Codec::Store => 0,
            Codec::Lz4 => CODEC_LZ4,
            Codec::Pixels => CODEC_PIXELS,
            Codec::Numbers => CODEC_NUMBERS,
        };
        let flags = if self.tombstone { FLAG_TOMBSTONE } else { codec };
        out.extend(self.kind.0);
        out.extend(self.version.to_le_bytes());
        out.extend(flags.to_le_bytes());
        for number in [self.offset as u64, self.stored_bytes as u64, self.raw_bytes as u64, self.hash, 0] {
            out.extend(number.to_le_bytes());
        }
        let mut name = [0; name::MAX_BYTES];
        name.iter_mut().zip(self.name.bytes()).for_each(|(to, from)| *to = from);
        out.push(u8::try_from(self.name.len().min(name::MAX_BYTES)).unwrap_or(0));
        out.extend(name);
    }

    /// Reads 128 bytes. Offsets are not compared with the file here.
    pub(super) fn read(bytes: &[u8]) -> Result<Entry, Fault> {
        let mut cursor = Cursor::new(bytes);
        let letters = cursor.array()?;
        let kind = Kind::new(letters)
            .ok_or_else(|| Fault::new(0, format!("the kind \"{}\" is not four letters", letters.escape_ascii())))?;
        let version = cursor.u16()?;
        let flags = cursor.u16()?;
        let codec = match flags & FLAG_CODEC {
            0 => Codec::Store,
            CODEC_LZ4 => Codec::Lz4,
            CODEC_PIXELS => Codec::Pixels,
            CODEC_NUMBERS => Codec::Numbers,
            _ => return unknown_flags(flags),
        };
        if flags & !(FLAG_CODEC | FLAG_TOMBSTONE) != 0 {
            return unknown_flags(flags);
        }
        let (offset, stored_bytes, raw_bytes, hash) = (cursor.size()?, cursor.size()?, cursor.size()?, cursor.u64()?);
        cursor.zeros(8)?;
        let tombstone = flags & FLAG_TOMBSTONE != 0;
        let is_possible = match codec {
            Codec::Store => stored_bytes == raw_bytes,
            Codec::Lz4 | Codec::Pixels | Codec::Numbers => {
                stored_bytes < raw_bytes && raw_bytes.div_ceil(MAX_RATIO) <= stored_bytes
            }
        };
        if !is_possible || (tombstone && flags != FLAG_TOMBSTONE) || (tombstone && raw_bytes > 0) {
            let reason = format!("a stored size of {stored_bytes} bytes is not possible for a raw size of {raw_bytes}");
            return Err(Fault::new(16, reason));
        }
        let name = read_name(&mut cursor)?;
        Ok(Entry { kind, version, codec, tombstone, offset, stored_bytes, raw_bytes, hash, name })
    }
}

fn unknown_flags<T>(flags: u16) -> Result<T, Fault> {
    Err(Fault::new(6, format!("unknown flags {flags:#x}")))
}

fn read_name(cursor: &mut Cursor<'_>) -> Result<String, Fault> {
    let at = cursor.offset();
    let [length] = cursor.array()?;
    let length = usize::from(length);
    let rest = name::MAX_BYTES.checked_sub(length).ok_or_else(|| Fault::new(at, "the name is longer than 79 bytes"))?;
    let name = std::str::from_utf8(cursor.take(length)?).map_err(|_| Fault::new(at, "the name is not UTF-8"))?;
    cursor.zeros(rest)?;
    match name::fault_of(name) {
        Some(reason) => Err(Fault::new(at, reason)),
        None => Ok(name.to_owned()),
    }
}

/// The 32 bytes at the end. Their checksum covers the id as well.
pub(super) fn trailer(header: &Header) -> [u8; TRAILER_BYTES] {
    let mut out = Vec::with_capacity(TRAILER_BYTES);
    out.extend(END_MARK);
    out.extend(header.file_bytes.to_le_bytes());
    out.extend(header.hash.to_le_bytes());
    out.extend((xxh3_64(&out) ^ header.id).to_le_bytes());
    out.try_into().unwrap_or([0; TRAILER_BYTES])
}
