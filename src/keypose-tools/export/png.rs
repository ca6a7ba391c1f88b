//! Encodes an image as PNG.

use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder};

use crate::export::ExportError;
use crate::export::bitmap::Bitmap;

/// Encodes a PNG with 8 bits per channel and alpha. The same image gives the same bytes.
pub fn encode(image: &Bitmap) -> Result<Vec<u8>, ExportError> {
    let mut bytes = Vec::new();
    PngEncoder::new_with_quality(&mut bytes, CompressionType::Default, FilterType::Adaptive)
        .write_image(image.pixels(), image.width(), image.height(), ExtendedColorType::Rgba8)
        .map_err(|error| ExportError::Encoder { format: "PNG", reason: error.to_string() })?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_image_survives_the_round_trip() {
        let pixels: Vec<u8> = (0..4 * 5 * 3).map(|byte| byte * 4).collect();
        let bytes = encode(&Bitmap::new(5, 3, pixels.clone()).unwrap()).unwrap();
        let read = image::load_from_memory(&bytes).unwrap().into_rgba8();
        assert_eq!((read.width(), read.height(), read.into_raw()), (5, 3, pixels));
    }
}
