//! How much the compressed lumps of a file may decompress to. The maximum follows the size of the file, so the memory that an archive
//! takes does, too, however many lumps have the highest ratio.

use crate::wad::directory::{Codec, Entry};
use crate::wad::kind::Kind;

/// The factor in both maxima.
pub const EXPANSION: usize = 16;
/// The bytes to which the lumps of the smallest file may decompress: those of a texture of the maximum size.
const MIN_ALL: usize = 256 << 20;
/// The bytes to which its other lumps may: keys take many times as much memory while they are baked or edited.
const MIN_OTHERS: usize = 64 << 20;

/// The maximum number of bytes to which all compressed lumps of a file of this size decompress.
pub fn max_expanded(file_bytes: usize) -> usize {
    file_bytes.saturating_mul(EXPANSION).saturating_add(MIN_ALL)
}

/// The maximum number of bytes for those that are not images.
pub fn max_expanded_others(file_bytes: usize) -> usize {
    file_bytes.saturating_mul(EXPANSION).saturating_add(MIN_OTHERS)
}

/// The raw bytes of compressed lumps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Expanded {
    /// Images included.
    pub all: usize,
    /// Images left out.
    pub others: usize,
}

impl Expanded {
    /// The bytes of a directory's lumps.
    pub fn of(entries: &[Entry]) -> Expanded {
        let packed = entries.iter().filter(|entry| entry.codec != Codec::Store);
        packed.fold(Expanded::default(), |sum, entry| sum.with(entry.kind, entry.raw_bytes))
    }

    /// With another compressed lump.
    pub fn with(self, kind: Kind, raw_bytes: usize) -> Expanded {
        let is_image = matches!(kind, Kind::TEXTURE | Kind::REFERENCE_IMAGE);
        let others = if is_image { 0 } else { raw_bytes };
        Expanded { all: self.all.saturating_add(raw_bytes), others: self.others.saturating_add(others) }
    }

    /// Fails if a file of this size may not hold the lumps.
    pub fn check(self, file_bytes: usize) -> Result<(), String> {
        let (all, others) = (max_expanded(file_bytes), max_expanded_others(file_bytes));
        let refuse = |what: &str, bytes: usize, max: usize| {
            Err(format!(
                "the {what} decompress to {bytes} bytes; the maximum for a file of {file_bytes} bytes is {max}"
            ))
        };
        match self {
            _ if self.all > all => refuse("lumps", self.all, all),
            _ if self.others > others => refuse("lumps that are not images", self.others, others),
            _ => Ok(()),
        }
    }
}
