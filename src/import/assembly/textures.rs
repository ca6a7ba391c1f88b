//! Textures: decodes the images of a file once each. One that is missing or invalid is reported and replaced by a chequered
//! texture.

use std::collections::BTreeMap;

use crate::assets::texture::Texture;
use crate::import::assembly::names::Names;
use crate::import::pixels::{Decoded, MAX_PIXEL_BYTES, decode};
use crate::import::report::Report;

/// The textures of a file. `Key` identifies an image in it.
pub struct Textures<Key> {
    /// The decoded images, in the order of their first use.
    pub all: Vec<Texture>,
    decoded: BTreeMap<Key, usize>,
    names: Names,
    /// Remaining budget of pixel bytes. The size of a compressed image is no bound.
    budget: u64,
}

impl<Key: Ord> Default for Textures<Key> {
    fn default() -> Self {
        let (all, decoded, names) = (Vec::new(), BTreeMap::new(), Names::of("texture"));
        Textures { all, decoded, names, budget: MAX_PIXEL_BYTES }
    }
}

impl<Key: Ord> Textures<Key> {
    /// The index of an image that is decoded already.
    pub fn known(&self, key: &Key) -> Option<usize> {
        self.decoded.get(key).copied()
    }

    /// Decodes an image. `found` has its bytes, or the reason why they are missing. Returns the index of its texture.
    pub fn add(
        &mut self,
        key: Key,
        (name, place): (&str, &str),
        found: Result<&[u8], String>,
        report: &mut Report,
    ) -> usize {
        let decoded = found.and_then(|bytes| decode(bytes, &mut self.budget));
        let (width, height, pixels, source_format) = decoded.unwrap_or_else(|reason| {
            report.add(place, format_args!("{reason}; replaced by a chequered texture"));
            placeholder()
        });
        let name = self.names.take_quietly(name);
        let at = self.all.len();
        self.all.push(Texture { name, width, height, pixels: pixels.into(), source_format });
        self.decoded.insert(key, at);
        at
    }
}

/// A chequerboard of 8 × 8 magenta and black pixels, easy to recognise as a placeholder.
fn placeholder() -> Decoded {
    const SIDE: u32 = 8;
    let square = |at: u32| {
        let (x, y) = (at.checked_rem(SIDE).unwrap_or(0), at.checked_div(SIDE).unwrap_or(0));
        if (x ^ y) & 1 == 0 { [255, 0, 255, 255] } else { [0, 0, 0, 255] }
    };
    let squares = SIDE.saturating_mul(SIDE);
    (SIDE, SIDE, (0..squares).flat_map(square).collect(), "missing".into())
}
