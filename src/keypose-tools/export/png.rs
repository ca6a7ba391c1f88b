//! Encodes an image as PNG.

use std::io::Write;

use crate::export::ExportError;
use crate::export::bitmap::Bitmap;

/// Rows that are in memory at once.
const ROWS: u32 = 64;

/// Encodes a PNG with 8 bits per channel and alpha. The same image gives the same bytes.
pub fn encode(image: &Bitmap) -> Result<Vec<u8>, ExportError> {
    let row = 4 * image.width() as usize;
    encode_drawn([image.width(), image.height()], |top, pixels| {
        let start = top as usize * row;
        pixels.copy_from_slice(&image.pixels()[start..start + pixels.len()]);
    })
}

/// Encodes an image that is drawn in parts, so that it is never in memory as a whole. `draw` gets the first row of a part and
/// its pixels, which are transparent.
pub fn encode_drawn([width, height]: [u32; 2], mut draw: impl FnMut(u32, &mut [u8])) -> Result<Vec<u8>, ExportError> {
    let failed = |reason: &dyn ToString| ExportError::Encoder { format: "PNG", reason: reason.to_string() };
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_filter(png::Filter::Adaptive);
    let mut writer = encoder.write_header().map_err(|error| failed(&error))?;
    let mut stream = writer.stream_writer().map_err(|error| failed(&error))?;
    for top in (0..height).step_by(ROWS as usize) {
        let mut pixels = vec![0; 4 * width as usize * ROWS.min(height - top) as usize];
        draw(top, &mut pixels);
        stream.write_all(&pixels).map_err(|error| failed(&error))?;
    }
    stream.finish().map_err(|error| failed(&error))?;
    writer.finish().map_err(|error| failed(&error))?;
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
        let pixels: Vec<u8> = (0..4 * 9 * (2 * ROWS + 1)).map(|byte| (byte * byte / 7) as u8).collect();
        let bytes = encode(&Bitmap::new(9, 2 * ROWS + 1, pixels.clone()).unwrap()).unwrap();
        assert_eq!(image::load_from_memory(&bytes).unwrap().into_rgba8().into_raw(), pixels);
    }
}
