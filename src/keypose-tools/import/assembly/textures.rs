//! Textures: decodes the images of a file once each. One that is missing or invalid is reported and is one white
//! pixel, so that the material shows its own colour. Images of the same bytes are one texture.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::Hash;

use xxhash_rust::xxh3::xxh3_128;

use crate::assets::material::Material;
use crate::assets::texture::Texture;
use crate::import::ReadFile;
use crate::import::assembly::names::Names;
use crate::import::pixels::{MAX_PIXEL_BYTES, MIN_PIXEL_BYTES, PIXEL_BYTES_PER_BYTE, decode};
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
        let texture = decoded.unwrap_or_else(|reason| {
            report.add(place, format_args!("{reason}; drawn in the colour of its material"));
            made([1, 1], vec![255; 4], Texture::MISSING)
        });
        let at = self.push(name, texture);
        self.decoded.insert(key, at);
        self.same.extend(sum.map(|sum| (sum, at)));
        at
    }
}

impl<Key> Textures<Key> {
    /// The texture if its image was found. A missing map of normals or of emission says nothing, unlike one of colours, whose place a
    /// user may fill.
    pub fn found(&self, at: usize) -> Option<usize> {
        self.all.get(at).filter(|texture| !texture.is_missing()).map(|_| at)
    }

    /// Takes bytes of pixels from the budget. Returns false if there are not enough.
    pub fn reserve(&mut self, bytes: u64) -> bool {
        let left = self.budget.checked_sub(bytes);
        self.budget = left.unwrap_or(self.budget);
        left.is_some()
    }

    /// Adds a texture of pixels that were computed. Their bytes must be reserved.
    pub fn add_pixels(&mut self, name: &str, size: [u32; 2], pixels: Vec<u8>) -> usize {
        self.push(name, made(size, pixels, "png"))
    }

    /// Removes the textures that no material uses, because others were computed from them.
    pub fn keep_used(&mut self, materials: &mut [Material]) {
        let used: BTreeSet<usize> = materials.iter().flat_map(Material::textures).collect();
        let places: BTreeMap<usize, usize> = used.iter().copied().zip(0..).collect();
        let mut at = 0_usize;
        self.all.retain(|_| {
            let is_used = used.contains(&at);
            at = at.saturating_add(1);
            is_used
        });
        for texture in materials.iter_mut().flat_map(Material::textures_mut) {
            *texture = places.get(texture).copied().unwrap_or(*texture);
        }
        // Their places are others now.
        self.decoded.clear();
        self.same.clear();
    }

    fn push(&mut self, name: &str, texture: Texture) -> usize {
        self.all.push(Texture { name: self.names.take_quietly(name), ..texture });
        self.all.len().saturating_sub(1)
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

/// A texture of pixels that no file has.
fn made([width, height]: [u32; 2], pixels: Vec<u8>, source_format: &str) -> Texture {
    let (name, source_format) = (String::new(), source_format.to_owned());
    Texture { name, width, height, data: pixels.into(), source_format }
}
