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
    for (index, picture) in pictures.iter().enumerate() {
        let start = starts_secs.get(index).copied().unwrap_or(end_secs);
        let end = starts_secs.get(index + 1).copied().unwrap_or(end_secs);
        let frame = Frame {
            width,
            height,
            delay: delay_hundredths(start, end),
            dispose: DisposalMethod::Keep,
            buffer: Cow::Owned(palette.indices(picture)),
            ..Frame::default()
        };
        encoder.write_frame(&frame).map_err(failed)?;
    }
    drop(encoder);
    Ok(bytes)
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
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            hundredths += frame.delay;
            for (read, drawn) in frame.buffer.iter().zip(pictures[frames].pixels()) {
                off += u32::from(read.abs_diff(*drawn));
            }
            frames += 1;
        }
        assert_eq!((frames, hundredths), (6, 20));
        let mean = f64::from(off) / (6.0 * 4.0 * 64.0 * 64.0);
        assert!(mean < 12.0, "a channel is {mean} off on average");
    }

    #[test]
    fn delays_are_never_too_short_for_browsers() {
        assert_eq!(delay_hundredths(0.0, 1.0 / 30.0), 3);
        assert_eq!(delay_hundredths(2.0 / 30.0, 3.0 / 30.0), 3);
        assert_eq!(delay_hundredths(1.0 / 30.0, 2.0 / 30.0), 4);
        assert_eq!(delay_hundredths(0.5, 0.5), 2);
    }
}
