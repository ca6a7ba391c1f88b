//! A lump that is valid alone and does not match the others: which value does not match, and its offset in the file.

use crate::assets::model::ModelValue;
use crate::wad::archive::Archive;
use crate::wad::directory::Codec;
use crate::wad::error::WadError;
use crate::wad::kind::Kind;
use crate::wad::record::{mesh, skin};
use crate::wad::sections::{record_offset, text_offset, value_offset};

/// A value that does not match the other lumps, without its offset.
#[derive(Clone, Debug, PartialEq)]
pub struct Mismatch {
    pub kind: Kind,
    pub name: String,
    pub value: ModelValue,
    pub reason: String,
}

impl Mismatch {
    /// The error with the offset in an archive.
    pub fn in_archive(self, archive: &Archive<'_>) -> WadError {
        let offset = archive.find(self.kind, &self.name).map(|entry| {
            let within = match archive.lump(entry) {
                Ok(bytes) if entry.codec == Codec::Store => self.offset_in(&bytes),
                // A value in compressed bytes has no offset.
                _ => 0,
            };
            entry.offset.saturating_add(within) as u64
        });
        self.at(offset)
    }

    fn offset_in(&self, lump: &[u8]) -> usize {
        let sizes: &[usize] = match self.kind {
            Kind::MESH => &mesh::SIZES,
            Kind::SKIN => &skin::SIZES,
            _ => &[],
        };
        let found = match &self.value {
            ModelValue::Number { list, at } => sizes.get(*list).and_then(|&size| value_offset(lump, *list, size, *at)),
            ModelValue::Named(name) => text_offset(lump, name),
            ModelValue::Unspecified => None,
        };
        found.unwrap_or_else(|| record_offset(lump))
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
