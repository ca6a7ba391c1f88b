//! Encodes images as an animated GIF that loops forever.

use std::borrow::Cow;

use gif::{DisposalMethod, Encoder, Frame, Repeat};

use crate::export::ExportError;
use crate::export::bitmap::{Bitmap, check_sizes};
use crate::export::palette::Palette;

/// The maximum width and height of a GIF.
const MAX_SIDE: u32 = 65_535;

/// Encodes a GIF. Image `i` is shown from `starts_secs[i]` to the next start, the last one to `end_secs`. GIF delays
/// are hundredths of a second; rounding the starts keeps errors from adding up.
pub fn encode(images: &[Bitmap], starts_secs: &[f64], end_secs: f64) -> Result<Vec<u8>, ExportError> {
    check_sizes(images)?;
    let first = &images[0];
    let (width, height) = (first.width(), first.height());
    let size = |side: u32| {
        u16::try_from(side).map_err(|_| ExportError::TooLarge { width, height, format: "GIF", max: MAX_SIDE })
    };
    let (width, height) = (size(width)?, size(height)?);
    let failed = |error: gif::EncodingError| ExportError::Encoder { format: "GIF", reason: error.to_string() };
    let mut palette = Palette::of(images);
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, width, height, &palette.colors()).map_err(failed)?;
    encoder.set_repeat(Repeat::Infinite).map_err(failed)?;
    let mut shown = Vec::new();
    for (index, image) in images.iter().enumerate() {
        let start = starts_secs.get(index).copied().unwrap_or(end_secs);
        let end = starts_secs.get(index + 1).copied().unwrap_or(end_secs);
        let next = palette.indices(image);
        let frame = if index == 0 { whole(&next, width, height) } else { changes(&shown, &next, usize::from(width)) };
        let delay = delay_hundredths(start, end);
        encoder.write_frame(&Frame { delay, dispose: DisposalMethod::Keep, ..frame }).map_err(failed)?;
        shown = next;
    }
    drop(encoder);
    Ok(bytes)
}

/// A frame with all pixels.
fn whole(next: &[u8], width: u16, height: u16) -> Frame<'static> {
    Frame { width, height, buffer: Cow::Owned(next.to_vec()), ..Frame::default() }
}

/// The smallest rectangle with all changed pixels; unchanged pixels are transparent. One transparent pixel if nothing
/// changed.
fn changes(shown: &[u8], next: &[u8], width: usize) -> Frame<'static> {
    let changed = |at: usize| shown[at] != next[at];
    let (mut left, mut right, mut top, mut bottom) = (usize::MAX, 0, usize::MAX, 0);
    for at in (0..next.len()).filter(|&at| changed(at)) {
        (left, right) = (left.min(at % width), right.max(at % width));
        (top, bottom) = (top.min(at / width), bottom.max(at / width));
    }
    (left, top) = (left.min(right), top.min(bottom));
    let pixel = |at: usize| if changed(at) { next[at] } else { Palette::TRANSPARENT };
    let rows = (top..=bottom).flat_map(|row| (left..=right).map(move |column| row * width + column));
    Frame {
        left: left as u16,
        top: top as u16,
        width: (right - left + 1) as u16,
        height: (bottom - top + 1) as u16,
        transparent: Some(Palette::TRANSPARENT),
        buffer: Cow::Owned(rows.map(pixel).collect()),
        ..Frame::default()
    }
}

/// The delay between two times in hundredths of a second, at least 2: browsers play shorter ones as 10.
fn delay_hundredths(start_secs: f64, end_secs: f64) -> u16 {
    let hundredths = (end_secs * 100.0).round() - (start_secs * 100.0).round();
    hundredths.clamp(2.0, 65_535.0) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gradient(shift: u8) -> Bitmap {
        let pixel = |at: u32| [(at % 64) as u8 * 4, (at / 64) as u8 * 4, shift, 255];
        Bitmap::new(64, 64, (0..64 * 64).flat_map(pixel).collect()).unwrap()
    }

    #[test]
    fn frames_and_delays_survive_encoding() {
        let starts: Vec<f64> = (0..6).map(|frame| f64::from(frame) / 30.0).collect();
        let images: Vec<Bitmap> = (0..6).map(|shift| gradient(shift * 40)).collect();
        let bytes = encode(&images, &starts, 0.2).unwrap();
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(bytes.as_slice()).unwrap();
        let (mut frames, mut hundredths, mut off) = (0, 0, 0);
        let mut canvas = vec![0; 4 * 64 * 64];
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            hundredths += frame.delay;
            put(&mut canvas, frame);
            for (read, drawn) in canvas.iter().zip(images[frames].pixels()) {
                off += u32::from(read.abs_diff(*drawn));
            }
            frames += 1;
        }
        assert_eq!((frames, hundredths), (6, 20));
        let mean = f64::from(off) / (6.0 * 4.0 * 64.0 * 64.0);
        assert!(mean < 12.0, "the mean error of a channel is {mean}");
    }

    /// Draws the opaque pixels of a frame over a canvas that is 64 pixels wide.
    fn put(canvas: &mut [u8], frame: &Frame<'_>) {
        let width = usize::from(frame.width);
        for (at, pixel) in frame.buffer.chunks_exact(4).enumerate().filter(|(_, pixel)| pixel[3] > 0) {
            let (x, y) = (usize::from(frame.left) + at % width, usize::from(frame.top) + at / width);
            canvas[4 * (64 * y + x)..][..4].copy_from_slice(pixel);
        }
    }

    #[test]
    fn only_changed_pixels_are_stored() {
        let pixels =
            |x: usize| (0..64 * 64).flat_map(move |at| if at == 64 * 20 + x { [250; 4] } else { [9, 9, 9, 255] });
        let image = |x: usize| Bitmap::new(64, 64, pixels(x).collect()).unwrap();
        let bytes = encode(&[image(7), image(9), image(9)], &[0.0, 0.1, 0.2], 0.3).unwrap();
        let mut decoder = gif::DecodeOptions::new().read_info(bytes.as_slice()).unwrap();
        let mut sizes = Vec::new();
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            sizes.push((frame.width, frame.height));
        }
        assert_eq!(sizes, [(64, 64), (3, 1), (1, 1)]);
    }

    #[test]
    fn delays_are_never_too_short_for_browsers() {
        assert_eq!(delay_hundredths(0.0, 1.0 / 30.0), 3);
        assert_eq!(delay_hundredths(2.0 / 30.0, 3.0 / 30.0), 3);
        assert_eq!(delay_hundredths(1.0 / 30.0, 2.0 / 30.0), 4);
        assert_eq!(delay_hundredths(0.5, 0.5), 2);
    }
}
