//! Image files: decodes PNG, JPEG, WebP, TGA, TIFF, DDS and PSD to RGBA8 pixels.

use image::metadata::Orientation;
use image::{DynamicImage, ImageFormat, RgbaImage};

use crate::assets::guarded::guarded;
use crate::assets::texture::{ImageData, Texture};
use crate::import::{dds, psd};
use keypose::assets::image_file;

/// To how many bytes a byte of a PNG inflates at most: those of an image of one colour.
pub const PIXEL_BYTES_PER_BYTE: u64 = 1032;

/// The bytes of pixels that the images of a file may have, however few bytes the file has: an image of one colour and of the maximum
/// size.
pub const MIN_PIXEL_BYTES: u64 = 256 << 20;

/// The maximum size of all pixels of a model, in bytes: four textures of the maximum size.
pub const MAX_PIXEL_BYTES: u64 = 1 << 30;

/// Decodes an image file to a texture. The error is a reason without the file's name.
pub fn texture(name: &str, bytes: &[u8]) -> Result<Texture, String> {
    Ok(Texture { name: name.to_owned(), ..decode(bytes, &mut { MIN_PIXEL_BYTES })? })
}

/// Decodes an image file to pose by: upright, as the Exif data of photographs say, and no side longer than `longest`. The error is a
/// reason without the file's name.
pub fn reference(name: &str, bytes: &[u8], longest: u32) -> Result<Texture, String> {
    let texture = texture(name, bytes)?;
    Ok(no_larger(upright(&texture, bytes).unwrap_or(texture), longest))
}

/// The turned texture; `None` if its file doesn't ask for it.
fn upright(texture: &Texture, bytes: &[u8]) -> Option<Texture> {
    let (format, _) = image_file::format(bytes)?;
    let orientation = image_file::orientation(format, bytes);
    if orientation == Orientation::NoTransforms {
        return None;
    }
    let pixels = texture.pixels().ok()?.to_vec();
    let mut image = DynamicImage::from(RgbaImage::from_raw(texture.width, texture.height, pixels)?);
    image.apply_orientation(orientation);
    let (width, height) = (image.width(), image.height());
    Some(Texture { width, height, data: image.into_rgba8().into_raw().into(), ..texture.clone() })
}

/// Halves a texture until no side is longer than `longest`.
pub fn no_larger(mut texture: Texture, longest: u32) -> Texture {
    while texture.width.max(texture.height) > longest.max(1) {
        texture = halved(&texture);
    }
    texture
}

/// Half the width and height. Each pixel is the mean of four; a side of odd length loses its last row.
fn halved(texture: &Texture) -> Texture {
    let Ok(pixels) = texture.pixels() else { return texture.clone() };
    let half = |side: u32| side.checked_div(2).unwrap_or(0).max(1);
    let (width, height) = (half(texture.width), half(texture.height));
    let pixel = |x: u32, y: u32| -> [u8; 4] {
        let column = x.min(texture.width.saturating_sub(1)) as usize;
        let row = y.min(texture.height.saturating_sub(1)) as usize;
        let at = row.saturating_mul(texture.width as usize).saturating_add(column).saturating_mul(4);
        let found = pixels.get(at..at.saturating_add(4)).and_then(|pixel| pixel.try_into().ok());
        found.unwrap_or_default()
    };
    let mean = |x: u32, y: u32| -> [u8; 4] {
        let (x, y) = (x.saturating_mul(2), y.saturating_mul(2));
        let (right, down) = (x.saturating_add(1), y.saturating_add(1));
        let four = [pixel(x, y), pixel(right, y), pixel(x, down), pixel(right, down)];
        std::array::from_fn(|part| {
            let parts = four.iter().filter_map(|pixel| pixel.get(part)).map(|&part| u16::from(part));
            u8::try_from(parts.sum::<u16>().checked_div(4).unwrap_or(0)).unwrap_or(u8::MAX)
        })
    };
    let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let halved: Vec<u8> = places.flat_map(|(x, y)| mean(x, y)).collect();
    Texture { width, height, data: halved.into(), ..texture.clone() }
}

/// Decodes an image file to a texture without a name, and subtracts the size of its pixels from the budget. The error is a reason
/// without a name.
pub fn decode(bytes: &[u8], budget: &mut u64) -> Result<Texture, String> {
    let texture = |width, height, data: ImageData, format: &str| {
        let (name, source_format) = (String::new(), format.to_owned());
        Texture { name, width, height, data, source_format }
    };
    if dds::looks_like_dds(bytes) {
        let header = dds::Header::read(bytes)?;
        reserve(header.width, header.height, budget)?;
        let pixels = guarded(|| header.decode(bytes))??;
        return Ok(texture(header.width, header.height, pixels.into(), "dds"));
    }
    if psd::looks_like_psd(bytes) {
        let header = psd::Header::read(bytes)?;
        reserve(header.width, header.height, budget)?;
        let pixels = header.decode(bytes)?;
        return Ok(texture(header.width, header.height, pixels.into(), "psd"));
    }
    let kept = image_file::format(bytes);
    let (format, name) =
        kept.or_else(|| other_format(bytes)).ok_or("not an image in PNG, JPEG, WebP, TGA, TIFF, DDS or PSD")?;
    let (width, height, pixels) = image_file::decode(format, bytes, |width, height| reserve(width, height, budget))?;
    let data = if kept.is_some() { ImageData::File(bytes.to_vec().into()) } else { pixels.into() };
    Ok(texture(width, height, data, name))
}

/// Checks the size of an image and takes its pixels from the budget.
fn reserve(width: u32, height: u32, budget: &mut u64) -> Result<(), String> {
    image_file::check_size(width, height)?;
    let needed = image_file::pixel_bytes(width, height);
    *budget = budget.checked_sub(needed).ok_or("too many pixels for the memory budget")?;
    Ok(())
}

/// The format of an image file whose pixels alone are kept, and its name.
fn other_format(bytes: &[u8]) -> Option<(ImageFormat, &'static str)> {
    match image::guess_format(bytes) {
        Ok(ImageFormat::Tiff) => Some((ImageFormat::Tiff, "tiff")),
        _ if looks_like_tga(bytes) => Some((ImageFormat::Tga, "tga")),
        _ => None,
    }
}

/// Whether the bytes begin like a TGA file. It has no magic number: its header of 18 bytes has few valid values.
fn looks_like_tga(bytes: &[u8]) -> bool {
    let Some([_, map, kind, _, _, _, _, map_bits, _, _, _, _, _, _, _, _, bits, flags]) = bytes.first_chunk::<18>()
    else {
        return false;
    };
    let has_map = *map == 1 && matches!(kind, 1 | 9) && matches!(map_bits, 15 | 16 | 24 | 32) && *bits == 8;
    let has_colors = *map == 0 && matches!(kind, 2 | 10) && matches!(bits, 15 | 16 | 24 | 32);
    let has_greys = *map == 0 && matches!(kind, 3 | 11) && matches!(bits, 8 | 16);
    (has_map || has_colors || has_greys) && flags & 0xC0 == 0
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    #[test]
    fn a_photograph_that_was_taken_upright_is_turned_as_a_reference_alone() {
        let mut jpeg = Vec::new();
        image::RgbImage::new(40, 20).write_to(&mut Cursor::new(&mut jpeg), ImageFormat::Jpeg).unwrap();
        // A segment of Exif data whose only entry is the orientation: turned by 90°.
        let exif = b"\xff\xe1\0\x22Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0";
        let photograph = [&jpeg[..2], exif, &jpeg[2..]].concat();
        let size = |texture: Texture| (texture.width, texture.height);
        assert_eq!(size(reference("a", &photograph, 64).unwrap()), (20, 40));
        assert_eq!(size(texture("a", &photograph).unwrap()), (40, 20));
        assert_eq!(size(reference("a", &jpeg, 64).unwrap()), (40, 20));
        assert_eq!(size(reference("a", &photograph, 32).unwrap()), (10, 20));
    }

    #[test]
    fn a_large_texture_is_halved_until_it_fits() {
        let pixels: Vec<u8> = (0..10 * 4).flat_map(|at| if at % 10 < 4 { [0; 4] } else { [200; 4] }).collect();
        let source_format = "png".into();
        let texture = Texture { name: "a".into(), width: 10, height: 4, data: pixels.into(), source_format };
        let small = no_larger(texture.clone(), 5);
        assert_eq!((small.width, small.height, small.is_valid()), (5, 2, true));
        let pixels = small.pixels().unwrap();
        assert_eq!((pixels[4], pixels[8]), (0, 200));
        assert_eq!(no_larger(texture.clone(), 10), texture);
        let thin = no_larger(Texture { width: 40, height: 1, ..texture }, 3);
        assert_eq!((thin.width, thin.height, thin.is_valid()), (2, 1, true));
    }

    #[test]
    fn images_become_textures_and_other_files_are_refused() {
        let mut png = Vec::new();
        let pixels = image::RgbaImage::from_raw(2, 1, vec![1, 2, 3, 4, 5, 6, 7, 8]).unwrap();
        pixels.write_to(&mut Cursor::new(&mut png), ImageFormat::Png).unwrap();
        let read = texture("plate", &png).unwrap();
        assert_eq!((read.width, read.height, &*read.pixels().unwrap()), (2, 1, &[1, 2, 3, 4, 5, 6, 7, 8][..]));
        assert_eq!((read.name.as_str(), read.source_format.as_str(), read.is_valid()), ("plate", "png", true));
        assert_eq!(&**read.file().unwrap(), &*png);
        // As one colour takes no bytes, any size is good.
        let mut packed = Vec::new();
        let white = image::RgbaImage::from_pixel(3072, 3072, image::Rgba([255; 4]));
        white.write_to(&mut Cursor::new(&mut packed), ImageFormat::WebP).unwrap();
        assert!(packed.len() * 1032 < 3072 * 3072 * 4, "{} bytes: deflate could do that, too", packed.len());
        assert_eq!(texture("white", &packed).unwrap().pixels().unwrap().len(), 3072 * 3072 * 4);
        let bad = [
            (&b"GIF89a"[..], "not an image in PNG, JPEG, WebP, TGA, TIFF, DDS or PSD"),
            (&png[..20], "cannot be decoded"),
        ];
        for (bytes, reason) in bad {
            assert!(texture("a", bytes).unwrap_err().contains(reason));
        }
    }
}
