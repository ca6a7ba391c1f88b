//! Images: PNG and JPEG, from buffer views, data URIs and files. What cannot be had is reported, and a chequered
//! texture stands in for it.

use std::collections::BTreeMap;
use std::io::Cursor;
use std::panic::{AssertUnwindSafe, catch_unwind};

use gltf::json::image::Image;
use gltf::json::{Index, Root};
use image::{ImageFormat, ImageReader, Limits};

use crate::assets::texture::Texture;
use crate::import::gltf::accessor::{ReadFile, Reader};
use crate::import::gltf::names::Names;
use crate::import::gltf::uri::{self, Uri};
use crate::import::report::Report;

/// Decodes each image once, when a material asks for it.
pub struct Images<'a, 'r> {
    root: &'a Root,
    reader: &'a Reader<'a>,
    read: &'a mut ReadFile<'r>,
    /// What was decoded, in the order in which it was asked for.
    pub textures: Vec<Texture>,
    decoded: BTreeMap<Option<usize>, usize>,
    names: Names,
    /// Bytes of pixels that may still be decoded: compressed images may be of any size.
    budget: u64,
}

/// A byte of a PNG inflates to 1,032 at most, and each bit of those is a pixel of four bytes at most. JPEG has fewer.
const MOST_UNPACKED: u64 = 1032 * 8 * 4;

/// Pixels of all textures together: four of the largest size.
const MOST_PIXEL_BYTES: u64 = 1 << 30;

impl<'a, 'r> Images<'a, 'r> {
    /// Nothing decoded yet.
    pub fn new(root: &'a Root, reader: &'a Reader<'a>, read: &'a mut ReadFile<'r>) -> Images<'a, 'r> {
        let (textures, decoded, names) = (Vec::new(), BTreeMap::new(), Names::of("texture"));
        Images { root, reader, read, textures, decoded, names, budget: MOST_PIXEL_BYTES }
    }

    /// The place of an image's texture. Every image that is not there shares one stand-in.
    pub fn texture(&mut self, image: Option<Index<Image>>, report: &mut Report) -> usize {
        let index = image.map(|image| image.value());
        if let Some(&texture) = self.decoded.get(&index) {
            return texture;
        }
        let json = index.and_then(|index| self.root.images.get(index));
        let place = index.map_or("texture".to_owned(), |index| format!("image {index}"));
        let decoded = match json {
            Some(json) => self.decode(json),
            None => Err("it is not there".to_owned()),
        };
        let (width, height, pixels, source_format) = decoded.unwrap_or_else(|reason| {
            report.add(&place, format_args!("{reason}; a chequered texture stands in"));
            stand_in()
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
                let bytes = self.reader.view(view.value(), &"its data").map_err(|fault| fault.to_string())?;
                decode(bytes, &mut self.budget)
            }
            (None, Some(uri)) => {
                let bytes = match uri::parse(uri)? {
                    Uri::Data(bytes) => bytes,
                    Uri::File(path) => (self.read)(&path)?,
                };
                decode(&bytes, &mut self.budget)
            }
            (None, None) => Err("it has neither a buffer view nor a URI".into()),
        }
    }
}

/// Width, height, RGBA8 pixels and the name of the format.
type Decoded = (u32, u32, Vec<u8>, String);

fn decode(bytes: &[u8], budget: &mut u64) -> Result<Decoded, String> {
    let (format, name) = match image::guess_format(bytes) {
        Ok(ImageFormat::Png) => (ImageFormat::Png, "png"),
        Ok(ImageFormat::Jpeg) => (ImageFormat::Jpeg, "jpeg"),
        _ => return Err("it is neither PNG nor JPEG".into()),
    };
    let reader = || ImageReader::with_format(Cursor::new(bytes), format);
    let unreadable = |error: image::ImageError| format!("it cannot be decoded: {error}");
    let (width, height) = reader().into_dimensions().map_err(unreadable)?;
    let largest = Texture::LARGEST;
    if width == 0 || height == 0 || width > largest || height > largest {
        return Err(format!("it is {width} × {height}, at most {largest} × {largest} is possible"));
    }
    let needed = u64::from(width).saturating_mul(u64::from(height)).saturating_mul(4);
    if needed > (bytes.len() as u64).saturating_mul(MOST_UNPACKED) {
        return Err(format!("it says that it is {width} × {height}, {} bytes cannot hold so many pixels", bytes.len()));
    }
    *budget = budget.checked_sub(needed).ok_or("there are more pixels than fit into memory")?;
    let mut limits = Limits::default();
    limits.max_alloc = Some(needed.saturating_mul(4).saturating_add(1 << 20));
    let mut reader = reader();
    reader.limits(limits);
    // The decoders are others' code, and one of them panics on some damaged files where overflow is checked.
    let decoded = catch_unwind(AssertUnwindSafe(|| reader.decode())).map_err(|_| "its decoder failed on it")?;
    let pixels = decoded.map_err(unreadable)?.into_rgba8().into_raw();
    Ok((width, height, pixels, name.to_owned()))
}

/// Eight by eight squares of magenta and black: nobody takes it for the artist's.
fn stand_in() -> Decoded {
    const SIDE: u32 = 8;
    let square = |at: u32| {
        let (x, y) = (at.checked_rem(SIDE).unwrap_or(0), at.checked_div(SIDE).unwrap_or(0));
        if (x ^ y) & 1 == 0 { [255, 0, 255, 255] } else { [0, 0, 0, 255] }
    };
    let squares = SIDE.saturating_mul(SIDE);
    (SIDE, SIDE, (0..squares).flat_map(square).collect(), "missing".into())
}
