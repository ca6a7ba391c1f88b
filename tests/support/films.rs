//! Films in one file, of frames with few pixels.

use std::io::Cursor;

/// A GIF whose delays are hundredths of a second. The red of frame n is 10 n.
pub fn gif(delays: &[u16]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = gif::Encoder::new(&mut bytes, 2, 1, &[]).unwrap();
    for (at, delay) in delays.iter().enumerate() {
        // Each frame changes one pixel alone: the other is left by the frame before.
        let mut pixel = [10 * at as u8, 0, 0, 255];
        let frame = gif::Frame::from_rgba(1, 1, &mut pixel);
        let frame = gif::Frame { delay: *delay, left: (at % 2) as u16, dispose: gif::DisposalMethod::Keep, ..frame };
        encoder.write_frame(&frame).unwrap();
    }
    drop(encoder);
    bytes
}

/// The same as an APNG.
pub fn apng(delays: &[u16]) -> Vec<u8> {
    apng_of(delays, 100)
}

/// An APNG whose delays are fractions of a second.
pub fn apng_of(delays: &[u16], of: u16) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 1, 1);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_animated(delays.len() as u32, 0).unwrap();
    let mut writer = encoder.write_header().unwrap();
    for (at, delay) in delays.iter().enumerate() {
        writer.set_frame_delay(*delay, of).unwrap();
        writer.write_image_data(&[10 * at as u8, 0, 0, 255]).unwrap();
    }
    writer.finish().unwrap();
    bytes
}

/// The same as an animated WebP.
pub fn webp(delays: &[u16]) -> Vec<u8> {
    let chunk = |kind: &[u8; 4], contents: &[u8]| [kind, &(contents.len() as u32).to_le_bytes()[..], contents].concat();
    let mut all = [&b"WEBP"[..], &chunk(b"VP8X", &[2, 0, 0, 0, 0, 0, 0, 0, 0, 0]), &chunk(b"ANIM", &[0; 6])].concat();
    for (at, delay) in delays.iter().enumerate() {
        let mut frame = vec![0; 16];
        // It replaces the frame before, and isn't blended over it.
        frame[15] = 2;
        frame[12..15].copy_from_slice(&(10 * u32::from(*delay)).to_le_bytes()[..3]);
        let image = image::RgbaImage::from_pixel(1, 1, image::Rgba([10 * at as u8, 0, 0, 255]));
        let mut still = Cursor::new(Vec::new());
        image.write_to(&mut still, image::ImageFormat::WebP).unwrap();
        frame.extend(&still.into_inner()[12..]);
        all.extend(chunk(b"ANMF", &frame));
    }
    chunk(b"RIFF", &all)
}
