//! A lump that is valid by itself and does not fit the others: which value of it, and where that stands in the file.

use crate::assets::model::ModelValue;
use crate::wad::archive::Archive;
use crate::wad::directory::Codec;
use crate::wad::error::WadError;
use crate::wad::kind::Kind;
use crate::wad::record::{mesh, skin};
use crate::wad::sections::{record_offset, text_offset, value_offset};

/// What does not fit, before it is known where.
#[derive(Clone, Debug, PartialEq)]
pub struct Unfit {
    pub kind: Kind,
    pub name: String,
    pub value: ModelValue,
    pub reason: String,
}

impl Unfit {
    /// The error about an archive's own lump.
    pub fn in_archive(self, archive: &Archive<'_>) -> WadError {
        let offset = archive.find(self.kind, &self.name).map(|entry| {
            // Within compressed bytes there is no place of a value.
            let bytes = archive.lump(entry).ok().filter(|_| entry.codec == Codec::Store);
            let within = bytes.map_or(0, |bytes| self.offset_in(&bytes));
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
        WadError::Misfit { lump: format!("{}/{}", self.kind, self.name), offset, reason: self.reason }
    }
}

impl From<Unfit> for WadError {
    /// Of what stands in no file.
    fn from(unfit: Unfit) -> WadError {
        unfit.at(None)
    }
}
