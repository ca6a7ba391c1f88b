//! Header, directory entries and trailer: their bytes, and nothing of what the lumps hold.

use xxhash_rust::xxh3::xxh3_64;

use crate::wad::bytes::Cursor;
use crate::wad::error::{Fault, WadError};
use crate::wad::kind::Kind;
use crate::wad::name;

/// The first bytes of every archive.
pub const MAGIC: [u8; 8] = [0x89, b'K', b'W', b'A', b'D', 0x0d, 0x0a, 0x1a];
/// The first bytes of the trailer.
pub const END_MARK: [u8; 8] = [0x89, b'K', b'E', b'N', b'D', 0x0d, 0x0a, 0x1a];
/// Another major version is refused.
pub const MAJOR: u16 = 1;
/// A higher minor version is read.
pub const MINOR: u16 = 0;
/// Bytes of the header.
pub const HEADER_BYTES: usize = 64;
/// Bytes of a directory entry.
pub const ENTRY_BYTES: usize = 128;
/// Bytes of the trailer.
pub const TRAILER_BYTES: usize = 32;
/// More lumps than any archive here has.
pub const MAX_ENTRIES: usize = 1 << 20;

/// Where the header's flags stand.
const FLAGS_AT: u64 = 12;
const FLAG_PATCH: u32 = 1;
const FLAG_CODEC: u16 = 0xff;
const CODEC_LZ4: u16 = 1;
const FLAG_TOMBSTONE: u16 = 0x100;

/// How the bytes of a lump are stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Codec {
    /// As they are.
    #[default]
    Store,
    /// An LZ4 block without a frame.
    Lz4,
}

/// An LZ4 block can't unpack to more than this many times its length.
pub(super) const MAX_UNPACKED: usize = 255;

/// The head of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// Format version.
    pub major: u16,
    /// Format version.
    pub minor: u16,
    /// How many directory entries follow.
    pub entries: usize,
    /// Of the whole file in bytes.
    pub file_bytes: u64,
    /// xxh3 of the directory.
    pub directory_hash: u64,
    /// For a patch: the header hash of the archive that it was made for.
    pub base: Option<u64>,
    /// xxh3 of the bytes before it; names this state of the archive.
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
        out.extend([0; 8]);
        out.extend(xxh3_64(&out).to_le_bytes());
        out.try_into().unwrap_or([0; HEADER_BYTES])
    }

    /// The error about an archive that is of the wrong sort: a patch, or none.
    pub(super) fn refuse_flags(&self, reason: &str) -> WadError {
        WadError::Container { place: "header".into(), offset: FLAGS_AT, reason: reason.to_owned() }
    }

    /// Reads the 64 bytes; magic and version were looked at before.
    pub(super) fn read(bytes: &[u8]) -> Result<Header, Fault> {
        let mut cursor = Cursor::new(bytes);
        cursor.take(MAGIC.len())?;
        let (major, minor) = (cursor.u16()?, cursor.u16()?);
        let flags = cursor.u32()?;
        let entries = cursor.size()?;
        let (file_bytes, directory_hash, base) = (cursor.u64()?, cursor.u64()?, cursor.u64()?);
        cursor.zeros(8)?;
        let at = cursor.offset();
        let hash = cursor.u64()?;
        if bytes.get(..at).map(xxh3_64) != Some(hash) {
            return Err(Fault::new(at, "its checksum does not fit; the file is damaged"));
        }
        if flags & !FLAG_PATCH != 0 {
            return Err(Fault::new(12, format!("flags {flags:#x} that this version does not know")));
        }
        if entries > MAX_ENTRIES {
            return Err(Fault::new(16, format!("{entries} lumps, at most {MAX_ENTRIES} are possible")));
        }
        if flags & FLAG_PATCH == 0 && base != 0 {
            return Err(Fault::new(40, "a base is named, but it is not a patch"));
        }
        let base = (flags & FLAG_PATCH != 0).then_some(base);
        Ok(Header { major, minor, entries, file_bytes, directory_hash, base, hash })
    }
}

/// What the directory says about one lump.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What it is.
    pub kind: Kind,
    /// Which record its bytes hold.
    pub version: u16,
    /// How its bytes are stored.
    pub codec: Codec,
    /// In a patch: the lump of this kind and name is deleted.
    pub tombstone: bool,
    /// From the start of the file; a multiple of 64.
    pub offset: usize,
    /// Bytes in the file.
    pub stored_bytes: usize,
    /// Bytes when decompressed.
    pub raw_bytes: usize,
    /// xxh3 of the bytes in the file.
    pub hash: u64,
    /// Unique within its kind.
    pub name: String,
}

impl Entry {
    /// KIND/name.
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

    /// Reads 128 bytes. Offsets are not held against the file here.
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
            _ => return unknown_flags(flags),
        };
        if flags & !(FLAG_CODEC | FLAG_TOMBSTONE) != 0 {
            return unknown_flags(flags);
        }
        let (offset, stored_bytes, raw_bytes, hash) = (cursor.size()?, cursor.size()?, cursor.size()?, cursor.u64()?);
        cursor.zeros(8)?;
        let tombstone = flags & FLAG_TOMBSTONE != 0;
        let possible = match codec {
            Codec::Store => stored_bytes == raw_bytes,
            Codec::Lz4 => stored_bytes < raw_bytes && raw_bytes.div_ceil(MAX_UNPACKED) <= stored_bytes,
        };
        if !possible || (tombstone && flags != FLAG_TOMBSTONE) || (tombstone && raw_bytes > 0) {
            let reason = format!("{stored_bytes} bytes can't be stored for {raw_bytes} bytes of content");
            return Err(Fault::new(16, reason));
        }
        let name = read_name(&mut cursor)?;
        Ok(Entry { kind, version, codec, tombstone, offset, stored_bytes, raw_bytes, hash, name })
    }
}

fn unknown_flags<T>(flags: u16) -> Result<T, Fault> {
    Err(Fault::new(6, format!("flags {flags:#x} that this version does not know")))
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

/// The 32 bytes at the end.
pub(super) fn trailer(file_bytes: u64, header_hash: u64) -> [u8; TRAILER_BYTES] {
    let mut out = Vec::with_capacity(TRAILER_BYTES);
    out.extend(END_MARK);
    out.extend(file_bytes.to_le_bytes());
    out.extend(header_hash.to_le_bytes());
    out.extend(xxh3_64(&out).to_le_bytes());
    out.try_into().unwrap_or([0; TRAILER_BYTES])
}
