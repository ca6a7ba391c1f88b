//! A texture: pixels that were made or changed here, or an image file as it came.

use std::fmt;
use std::sync::Arc;

use image::ImageFormat;

use crate::assets::bytes::Bytes;
use crate::assets::image_file;
use crate::assets::srgb;

/// An image of RGBA8 pixels, sRGB-encoded, straight alpha, rows from the top.
#[derive(Clone, Debug, PartialEq)]
pub struct Texture {
    /// Unique within its model.
    pub name: String,
    /// 1 to [`Texture::MAX_SIDE`].
    pub width: u32,
    /// 1 to [`Texture::MAX_SIDE`].
    pub height: u32,
    /// The source of its pixels; that of an archive is a view of its buffer.
    pub data: ImageData,
    /// The format that the pixels were decoded from: "png", "jpeg", "generated", …
    pub source_format: String,
}

/// The source of pixels.
#[derive(Clone, Debug)]
pub enum ImageData {
    /// The pixels themselves: `4 * width * height` bytes.
    Pixels(Bytes),
    /// Pixels as an archive stores them. They are unpacked where pixels are needed.
    Packed(Arc<dyn PackedPixels>),
    /// A PNG, JPEG or WebP file, which archives and exports keep. It is decoded where pixels are needed.
    File(Bytes),
}

/// Pixels in fewer bytes.
pub trait PackedPixels: fmt::Debug + Send + Sync {
    /// The encoded bytes. Equal bytes are equal pixels.
    fn bytes(&self) -> &[u8];

    /// The pixels.
    ///
    /// # Errors
    /// The reason why they can't be unpacked, without a name.
    fn unpack(&self) -> Result<Bytes, String>;
}

impl PartialEq for ImageData {
    /// Pixels that are packed in equal bytes are not unpacked.
    fn eq(&self, other: &ImageData) -> bool {
        match (self, other) {
            (ImageData::File(a), ImageData::File(b)) => a == b,
            (ImageData::File(_), _) | (_, ImageData::File(_)) => false,
            (ImageData::Packed(a), ImageData::Packed(b)) if a.bytes() == b.bytes() => true,
            (a, b) => matches!((a.unpacked(), b.unpacked()), (Ok(a), Ok(b)) if a == b),
        }
    }
}

impl ImageData {
    /// The bytes of the pixels or of the file.
    fn unpacked(&self) -> Result<Bytes, String> {
        match self {
            ImageData::Pixels(bytes) | ImageData::File(bytes) => Ok(bytes.clone()),
            ImageData::Packed(packed) => packed.unpack(),
        }
    }
}

impl<T: Into<Bytes>> From<T> for ImageData {
    fn from(pixels: T) -> ImageData {
        ImageData::Pixels(pixels.into())
    }
}

impl Texture {
    /// The maximum width and height.
    pub const MAX_SIDE: u32 = 8192;
    /// The format of a white pixel in place of an image that was not found.
    pub const MISSING: &str = "missing";

    /// Whether its image was not found.
    pub fn is_missing(&self) -> bool {
        self.source_format == Texture::MISSING
    }

    /// Whether the size is in range and matches the number of pixels. Packed pixels and files are not looked at.
    pub fn is_valid(&self) -> bool {
        let side = 1..=Texture::MAX_SIDE;
        let has_pixels = match &self.data {
            ImageData::Pixels(pixels) => pixels.len() as u64 == image_file::pixel_bytes(self.width, self.height),
            ImageData::Packed(_) | ImageData::File(_) => true,
        };
        side.contains(&self.width) && side.contains(&self.height) && has_pixels
    }

    /// The pixels: `4 * width * height` bytes. Packed pixels and files are decoded by each call.
    ///
    /// # Errors
    /// The reason why they can't be decoded, or pixels that are too few or too many; without a name.
    pub fn pixels(&self) -> Result<Bytes, String> {
        let pixels = match &self.data {
            ImageData::Pixels(_) | ImageData::Packed(_) => self.data.unpacked()?,
            ImageData::File(file) => {
                let format = kept_format(file)?;
                let check = |width, height| self.check_size(width, height);
                image_file::decode(format, file, check).map(|(.., pixels)| pixels.into())?
            }
        };
        let needed = image_file::pixel_bytes(self.width, self.height);
        match pixels.len() as u64 {
            found if found == needed => Ok(pixels),
            found => Err(format!("{} x {} pixels need {needed} bytes, found {found}", self.width, self.height)),
        }
    }

    /// Checks what can be checked without decoding: the number of pixels, or the format of a file, and that its size is that of
    /// the texture.
    ///
    /// # Errors
    /// As [`Texture::pixels`].
    pub fn check(&self) -> Result<(), String> {
        image_file::check_size(self.width, self.height)?;
        match &self.data {
            ImageData::Pixels(_) => self.pixels().map(drop),
            ImageData::Packed(_) => Ok(()),
            ImageData::File(file) => {
                let (width, height) = image_file::size(kept_format(file)?, file)?;
                self.check_size(width, height)
            }
        }
    }

    /// The image file that is kept, if there is one.
    pub fn file(&self) -> Option<&Bytes> {
        match &self.data {
            ImageData::File(file) => Some(file),
            ImageData::Pixels(_) | ImageData::Packed(_) => None,
        }
    }

    /// The bytes that it takes in memory.
    pub fn bytes(&self) -> usize {
        match &self.data {
            ImageData::Pixels(bytes) | ImageData::File(bytes) => bytes.len(),
            ImageData::Packed(packed) => packed.bytes().len(),
        }
    }

    fn check_size(&self, width: u32, height: u32) -> Result<(), String> {
        if [width, height] == [self.width, self.height] {
            return Ok(());
        }
        Err(format!("the image file has {width} x {height} pixels, not {} x {}", self.width, self.height))
    }
}

fn kept_format(file: &[u8]) -> Result<ImageFormat, &'static str> {
    image_file::format(file).map(|(format, _)| format).ok_or("the image file is no PNG, JPEG or WebP")
}

/// The meaning of the pixels of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Use {
    /// sRGB-encoded colours.
    Colors,
    /// Linear numbers: normals, metalness, roughness and occlusion.
    Numbers,
}

/// Size and pixels of an image of this size, reduced so that its longer side is `side` pixels, at least 1. Each pixel is the mean of
/// those that it covers, of their light if they are colours. There must be `4 * width * height` bytes of pixels; an image that is
/// small enough stays as it is.
pub fn reduced(size: [u32; 2], pixels: &[u8], side: u32, what: Use) -> ([u32; 2], Vec<u8>) {
    let longest = size[0].max(size[1]);
    if longest <= side {
        return (size, pixels.to_vec());
    }
    let row_bytes = 4 * size[0] as usize;
    let reduced = size.map(|length| ((u64::from(length) * u64::from(side) / u64::from(longest)) as u32).max(1));
    // The source pixels of a column or a row.
    let covered = |at: u32, of: u32, whole: u32| {
        let edge = |at: u32| (u64::from(at) * u64::from(whole) / u64::from(of)) as usize;
        edge(at)..edge(at + 1).max(edge(at) + 1)
    };
    let number = |byte: u8| f32::from(byte) / 255.0;
    let values: [f32; 256] = std::array::from_fn(|byte| match what {
        Use::Colors => srgb::linear_of_byte(byte as u8),
        Use::Numbers => number(byte as u8),
    });
    let encode = match what {
        Use::Colors => srgb::byte_of_linear,
        Use::Numbers => srgb::byte,
    };
    let mut small = Vec::with_capacity(4 * (reduced[0] as usize) * (reduced[1] as usize));
    for y in 0..reduced[1] {
        let rows = covered(y, reduced[1], size[1]);
        for x in 0..reduced[0] {
            let columns = covered(x, reduced[0], size[0]);
            let count = (rows.len() * columns.len()) as f64;
            let mut sums = [0.0; 4];
            for row in rows.clone() {
                let start = row * row_bytes;
                let covered = &pixels[start + 4 * columns.start..start + 4 * columns.end];
                for pixel in covered.chunks_exact(4) {
                    for (sum, &byte) in sums.iter_mut().zip(&pixel[..3]) {
                        *sum += f64::from(values[usize::from(byte)]);
                    }
                    sums[3] += f64::from(number(pixel[3]));
                }
            }
            let [red, green, blue, alpha] = sums.map(|sum| (sum / count) as f32);
            small.extend([encode(red), encode(green), encode(blue), srgb::byte(alpha)]);
        }
    }
    (reduced, small)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reduced_image_keeps_its_shape_and_the_mean_of_its_light() {
        let (width, height) = (1000, 250);
        let half = |x: u32| if x < width / 2 { [200, 0, 10, 255] } else { [0, 100, 0, 255] };
        let pixels: Vec<u8> = (0..height).flat_map(|_| (0..width).flat_map(half)).collect();
        let to = |side: u32, what: Use| reduced([width, height], &pixels, side, what);
        for what in [Use::Colors, Use::Numbers] {
            let (size, small) = to(100, what);
            assert_eq!((size, small.len()), ([100, 25], 4 * 100 * 25));
            assert_eq!((&small[..4], &small[4 * 99..4 * 100]), (&[200, 0, 10, 255][..], &[0, 100, 0, 255][..]));
            assert_eq!(to(1000, what), ([width, height], pixels.clone()));
        }
        // Half of the light of 200 is that of 146.
        assert_eq!(to(1, Use::Colors), ([1, 1], vec![146, 71, 5, 255]));
        assert_eq!(to(1, Use::Numbers), ([1, 1], vec![100, 50, 5, 255]));
    }
}
