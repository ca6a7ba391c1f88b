//! Image files that a texture may keep as they came: PNG, JPEG and WebP. Decodes them to RGBA8 pixels.

use std::io::Cursor;

use image::metadata::Orientation;
use image::{ImageDecoder, ImageError, ImageFormat, ImageReader, Limits};

use crate::assets::guarded::guarded;
use crate::assets::texture::Texture;

/// Bytes that may be allocated for chunks before the pixels of an image.
const MAX_HEAD_BYTES: u64 = 16 << 20;

/// The format of a file that a texture may keep, and its name.
pub fn format(bytes: &[u8]) -> Option<(ImageFormat, &'static str)> {
    match image::guess_format(bytes).ok()? {
        format @ ImageFormat::Png => Some((format, "png")),
        format @ ImageFormat::Jpeg => Some((format, "jpeg")),
        format @ ImageFormat::WebP => Some((format, "webp")),
        _ => None,
    }
}

/// Width and height of the image of a file, which isn't decoded. The error is a reason without the file's name.
pub fn size(format: ImageFormat, bytes: &[u8]) -> Result<(u32, u32), String> {
    // A compressed colour profile can be of any size; one that is too large is skipped.
    let head = MAX_HEAD_BYTES.saturating_add(bytes.len() as u64);
    let size = guarded(|| reader(format, bytes, head).into_dimensions())?;
    let (width, height) = size.map_err(unreadable)?;
    check_size(width, height)?;
    Ok((width, height))
}

/// How the image of a file is turned to stand upright, if it says so in Exif data; else not at all.
pub fn orientation(format: ImageFormat, bytes: &[u8]) -> Orientation {
    let head = MAX_HEAD_BYTES.saturating_add(bytes.len() as u64);
    let read = guarded(|| reader(format, bytes, head).into_decoder()?.orientation());
    read.ok().and_then(Result::ok).unwrap_or(Orientation::NoTransforms)
}

/// Decodes a file: width, height, and RGBA8 pixels. `accept` gets the size before anything is allocated for pixels, and may refuse
/// it. The error is a reason without the file's name.
pub fn decode(
    format: ImageFormat,
    bytes: &[u8],
    accept: impl FnOnce(u32, u32) -> Result<(), String>,
) -> Result<(u32, u32, Vec<u8>), String> {
    let (width, height) = size(format, bytes)?;
    accept(width, height)?;
    let reader = reader(format, bytes, pixel_bytes(width, height).saturating_mul(4).saturating_add(MAX_HEAD_BYTES));
    // In builds with overflow checks, one of the decoders panics on some damaged files.
    let decoded = guarded(|| reader.decode())?;
    Ok((width, height, decoded.map_err(unreadable)?.into_rgba8().into_raw()))
}

fn reader(format: ImageFormat, bytes: &[u8], max_alloc: u64) -> ImageReader<Cursor<&[u8]>> {
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut limits = Limits::default();
    limits.max_alloc = Some(max_alloc);
    reader.limits(limits);
    reader
}

fn unreadable(error: ImageError) -> String {
    format!("cannot be decoded: {error}")
}

/// Checks the size of an image.
pub fn check_size(width: u32, height: u32) -> Result<(), String> {
    let largest = Texture::MAX_SIDE;
    if width == 0 || height == 0 || width > largest || height > largest {
        return Err(format!("{width} × {height} pixels; the maximum is {largest} × {largest}"));
    }
    Ok(())
}

/// The bytes of RGBA8 pixels.
pub fn pixel_bytes(width: u32, height: u32) -> u64 {
    u64::from(width).saturating_mul(u64::from(height)).saturating_mul(4)
}
