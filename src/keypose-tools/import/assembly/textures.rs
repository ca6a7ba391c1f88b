//! Textures: decodes the images of a file once each. One that is missing or invalid is reported and replaced by a chequered
//! texture. Images of the same bytes are one texture.

use std::collections::HashMap;
use std::hash::Hash;

use xxhash_rust::xxh3::xxh3_128;

use crate::assets::texture::Texture;
use crate::import::ReadFile;
use crate::import::assembly::names::Names;
use crate::import::pixels::{Decoded, MAX_PIXEL_BYTES, MIN_PIXEL_BYTES, PIXEL_BYTES_PER_BYTE, decode};
use crate::import::report::Report;

/// The textures of a file. `Key` identifies an image in it.
pub struct Textures<Key> {
    /// The decoded images, in the order of their first use.
    pub all: Vec<Texture>,
    decoded: HashMap<Key, usize>,
    /// The textures by checksums of the bytes of their images.
    same: HashMap<u128, usize>,
    names: Names,
    /// Remaining budget of pixel bytes. The size of a compressed image is no bound.
    budget: u64,
    /// Bytes by which the budget may still grow with further images.
    growth: u64,
}

impl<Key: Eq + Hash> Default for Textures<Key> {
    fn default() -> Self {
        let (all, decoded, names) = (Vec::new(), HashMap::new(), Names::of("texture"));
        let growth = MAX_PIXEL_BYTES.saturating_sub(MIN_PIXEL_BYTES);
        Textures { all, decoded, same: HashMap::new(), names, budget: MIN_PIXEL_BYTES, growth }
    }
}

impl<Key: Eq + Hash> Textures<Key> {
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
        let sum = found.as_ref().ok().map(|bytes| xxh3_128(bytes));
        if let Some(at) = sum.and_then(|sum| self.same.get(&sum).copied()) {
            self.decoded.insert(key, at);
            return at;
        }
        let decoded = found.and_then(|bytes| {
            let more = (bytes.len() as u64).saturating_mul(PIXEL_BYTES_PER_BYTE).min(self.growth);
            (self.budget, self.growth) = (self.budget.saturating_add(more), self.growth.saturating_sub(more));
            decode(bytes, &mut self.budget)
        });
        let (width, height, pixels, source_format) = decoded.unwrap_or_else(|reason| {
            report.add(place, format_args!("{reason}; replaced by a chequered texture"));
            placeholder()
        });
        let name = self.names.take_quietly(name);
        let at = self.all.len();
        self.all.push(Texture { name, width, height, pixels: pixels.into(), source_format });
        self.decoded.insert(key, at);
        self.same.extend(sum.map(|sum| (sum, at)));
        at
    }
}

/// Reads the file of a texture: at its relative path, else where exporters put it, because paths are often those of the computer
/// of the author. `path` has forward slashes; `media_folder` is a folder beside the model.
pub fn find(read: &mut ReadFile<'_>, path: &str, media_folder: &str) -> Result<Vec<u8>, String> {
    let file = path.rsplit('/').next().unwrap_or_default();
    if file.is_empty() {
        return Err("it has no file".into());
    }
    let is_relative = !path.starts_with('/') && path.as_bytes().get(1) != Some(&b':');
    let places = [file.to_owned(), format!("{media_folder}/{file}"), format!("textures/{file}")];
    let asked = Some(path.to_owned()).filter(|path| is_relative && !path.split('/').any(|part| part == ".."));
    for place in asked.iter().chain(&places) {
        if let Ok(bytes) = read(place) {
            return Ok(bytes);
        }
    }
    Err(format!("{file} was not found beside the model"))
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
