//! Pictures as an animated GIF that loops for ever.

use std::borrow::Cow;

use gif::{DisposalMethod, Encoder, Frame, Repeat};

use crate::export::ExportError;
use crate::export::palette::Palette;
use crate::export::picture::{Picture, check_sizes};

/// The longest side that GIF can say.
const LONGEST: u32 = 65_535;

/// The bytes of a GIF file. Picture `i` shows from `starts_secs[i]` to the next start, the last to `end_secs`; GIF counts
/// in hundredths of a second, so starts are rounded and no error adds up.
pub fn encode(pictures: &[Picture], starts_secs: &[f64], end_secs: f64) -> Result<Vec<u8>, ExportError> {
    check_sizes(pictures)?;
    let first = &pictures[0];
    let (width, height) = (first.width(), first.height());
    let size = |side: u32| {
        u16::try_from(side).map_err(|_| ExportError::TooLarge { width, height, format: "GIF", most: LONGEST })
    };
    let (width, height) = (size(width)?, size(height)?);
    let failed = |error: gif::EncodingError| ExportError::Encoder { format: "GIF", reason: error.to_string() };
    let mut palette = Palette::of(pictures);
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, width, height, &palette.colors()).map_err(failed)?;
    encoder.set_repeat(Repeat::Infinite).map_err(failed)?;
    let mut shown = Vec::new();
    for (index, picture) in pictures.iter().enumerate() {
        let start = starts_secs.get(index).copied().unwrap_or(end_secs);
        let end = starts_secs.get(index + 1).copied().unwrap_or(end_secs);
        let next = palette.indices(picture);
        let frame = if index == 0 { whole(&next, width, height) } else { changes(&shown, &next, usize::from(width)) };
        let delay = delay_hundredths(start, end);
        encoder.write_frame(&Frame { delay, dispose: DisposalMethod::Keep, ..frame }).map_err(failed)?;
        shown = next;
    }
    drop(encoder);
    Ok(bytes)
}

/// All pixels.
fn whole(next: &[u8], width: u16, height: u16) -> Frame<'static> {
    Frame { width, height, buffer: Cow::Owned(next.to_vec()), ..Frame::default() }
}

/// The smallest rectangle that holds every change, clear where a pixel stays; one clear pixel where all stay.
fn changes(shown: &[u8], next: &[u8], width: usize) -> Frame<'static> {
    let changed = |at: usize| shown[at] != next[at];
    let (mut left, mut right, mut top, mut bottom) = (usize::MAX, 0, usize::MAX, 0);
    for at in (0..next.len()).filter(|&at| changed(at)) {
        (left, right) = (left.min(at % width), right.max(at % width));
        (top, bottom) = (top.min(at / width), bottom.max(at / width));
    }
    (left, top) = (left.min(right), top.min(bottom));
    let pixel = |at: usize| if changed(at) { next[at] } else { Palette::CLEAR };
    let rows = (top..=bottom).flat_map(|row| (left..=right).map(move |column| row * width + column));
    Frame {
        left: left as u16,
        top: top as u16,
        width: (right - left + 1) as u16,
        height: (bottom - top + 1) as u16,
        transparent: Some(Palette::CLEAR),
        buffer: Cow::Owned(rows.map(pixel).collect()),
        ..Frame::default()
    }
}

/// Whole hundredths of a second from one time to the next, at least 2: browsers slow shorter ones down to 10.
fn delay_hundredths(start_secs: f64, end_secs: f64) -> u16 {
    let hundredths = (end_secs * 100.0).round() - (start_secs * 100.0).round();
    hundredths.clamp(2.0, 65_535.0) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gradient(shift: u8) -> Picture {
        let pixel = |at: u32| [(at % 64) as u8 * 4, (at / 64) as u8 * 4, shift, 255];
        Picture::new(64, 64, (0..64 * 64).flat_map(pixel).collect()).unwrap()
    }

    #[test]
    fn frames_and_delays_are_kept() {
        let starts: Vec<f64> = (0..6).map(|frame| f64::from(frame) / 30.0).collect();
        let pictures: Vec<Picture> = (0..6).map(|shift| gradient(shift * 40)).collect();
        let bytes = encode(&pictures, &starts, 0.2).unwrap();
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(bytes.as_slice()).unwrap();
        let (mut frames, mut hundredths, mut off) = (0, 0, 0);
        let mut canvas = vec![0; 4 * 64 * 64];
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            hundredths += frame.delay;
            put(&mut canvas, frame);
            for (read, drawn) in canvas.iter().zip(pictures[frames].pixels()) {
                off += u32::from(read.abs_diff(*drawn));
            }
            frames += 1;
        }
        assert_eq!((frames, hundredths), (6, 20));
        let mean = f64::from(off) / (6.0 * 4.0 * 64.0 * 64.0);
        assert!(mean < 12.0, "a channel is {mean} off on average");
    }

    /// Lays the pixels of a frame that are not clear over a canvas 64 pixels wide.
    fn put(canvas: &mut [u8], frame: &Frame<'_>) {
        let width = usize::from(frame.width);
        for (at, pixel) in frame.buffer.chunks_exact(4).enumerate().filter(|(_, pixel)| pixel[3] > 0) {
            let (x, y) = (usize::from(frame.left) + at % width, usize::from(frame.top) + at / width);
            canvas[4 * (64 * y + x)..][..4].copy_from_slice(pixel);
        }
    }

    #[test]
    fn only_what_changes_is_stored() {
        let pixels =
            |x: usize| (0..64 * 64).flat_map(move |at| if at == 64 * 20 + x { [250; 4] } else { [9, 9, 9, 255] });
        let picture = |x: usize| Picture::new(64, 64, pixels(x).collect()).unwrap();
        let bytes = encode(&[picture(7), picture(9), picture(9)], &[0.0, 0.1, 0.2], 0.3).unwrap();
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
