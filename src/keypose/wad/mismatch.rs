//! A lump that is valid alone and does not match the others: the reason, and the offset of the lump in the file.

use crate::wad::archive::Archive;
use crate::wad::error::WadError;
use crate::wad::kind::Kind;

/// A lump that does not match the others, without its offset.
#[derive(Clone, Debug, PartialEq)]
pub struct Mismatch {
    pub kind: Kind,
    pub name: String,
    pub reason: String,
}

impl Mismatch {
    /// The error with the offset of the lump in an archive.
    pub fn in_archive(self, archive: &Archive<'_>) -> WadError {
        let offset = archive.find(self.kind, &self.name).map(|entry| entry.offset as u64);
        self.at(offset)
    }

    fn at(self, offset: Option<u64>) -> WadError {
        WadError::Mismatch { lump: format!("{}/{}", self.kind, self.name), offset, reason: self.reason }
    }
}

impl From<Mismatch> for WadError {
    /// The error without an offset, for a lump that is in no file.
    fn from(mismatch: Mismatch) -> WadError {
        mismatch.at(None)
    }
}
