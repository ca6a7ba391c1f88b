//! Images: PNG and JPEG, from buffer views, data URIs and files. One that is missing or invalid is reported and
//! replaced by a chequered texture.

use std::collections::BTreeMap;

use gltf::json::image::Image;
use gltf::json::{Index, Root};

use crate::assets::texture::Texture;
use crate::import::gltf::accessor::{ReadFile, Reader};
use crate::import::gltf::names::Names;
use crate::import::gltf::uri::{self, Uri};
use crate::import::pixels::{Decoded, MAX_PIXEL_BYTES, decode};
use crate::import::report::Report;

/// Decodes each image once, when a material first uses it.
pub struct Images<'a, 'r> {
    root: &'a Root,
    reader: &'a Reader<'a>,
    read: &'a mut ReadFile<'r>,
    /// The decoded images, in the order of their first use.
    pub textures: Vec<Texture>,
    decoded: BTreeMap<Option<usize>, usize>,
    names: Names,
    /// Remaining budget of pixel bytes. The size of a compressed image is no bound.
    budget: u64,
}

impl<'a, 'r> Images<'a, 'r> {
    /// Starts with no decoded image.
    pub fn new(root: &'a Root, reader: &'a Reader<'a>, read: &'a mut ReadFile<'r>) -> Images<'a, 'r> {
        let (textures, decoded, names) = (Vec::new(), BTreeMap::new(), Names::of("texture"));
        Images { root, reader, read, textures, decoded, names, budget: MAX_PIXEL_BYTES }
    }

    /// Returns the index of an image's texture. All missing images share one placeholder.
    pub fn texture(&mut self, image: Option<Index<Image>>, report: &mut Report) -> usize {
        let index = image.map(|image| image.value());
        if let Some(&texture) = self.decoded.get(&index) {
            return texture;
        }
        let json = index.and_then(|index| self.root.images.get(index));
        let place = index.map_or("texture".to_owned(), |index| format!("image {index}"));
        let decoded = match json {
            Some(json) => self.decode(json),
            None => Err("image doesn't exist".to_owned()),
        };
        let (width, height, pixels, source_format) = decoded.unwrap_or_else(|reason| {
            report.add(&place, format_args!("{reason}; replaced by a chequered texture"));
            placeholder()
        });
        let file = json.and_then(|json| json.uri.as_deref()).filter(|uri| !uri.starts_with("data:"));
        let name = json.and_then(|json| json.name.as_deref().filter(|name| !name.trim().is_empty()).or(file));
        let name = self.names.take_quietly(name.unwrap_or(&place));
        let at = self.textures.len();
        self.textures.push(Texture { name, width, height, pixels: pixels.into(), source_format });
        self.decoded.insert(index, at);
        at
    }

    fn decode(&mut self, json: &Image) -> Result<Decoded, String> {
        match (json.buffer_view, &json.uri) {
            (Some(view), _) => {
                let bytes = self.reader.view(view.value(), &"data").map_err(|fault| fault.to_string())?;
                decode(bytes, &mut self.budget)
            }
            (None, Some(uri)) => {
                let bytes = match uri::parse(uri)? {
                    Uri::Data(bytes) => bytes,
                    Uri::File(path) => (self.read)(&path)?,
                };
                decode(&bytes, &mut self.budget)
            }
            (None, None) => Err("neither a buffer view nor a URI".into()),
        }
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
