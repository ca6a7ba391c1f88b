//! A tag as a GIF at the size of its pixels, with transparency.

use std::borrow::Cow;

use gif::{DisposalMethod, Encoder, Frame, Repeat};
use keypose::anim::clip::LoopMode;

use crate::sprites::palette::Palette;
use crate::sprites::sheet::{Sheet, Tag};

/// The index of transparent pixels.
const CLEAR: u8 = 0;

/// Encodes the frames of a tag. `palette` has all their colours. The error is a sentence.
pub fn write(sheet: &Sheet, tag: &Tag, palette: &Palette) -> Result<Vec<u8>, String> {
    let failed = |error: gif::EncodingError| format!("{}: the GIF could not be encoded: {error}", tag.name);
    let [width, height] = sheet.canvas.map(|side| side as u16);
    let colors: Vec<u8> = [[0; 3]].iter().chain(palette.colors()).flatten().copied().collect();
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, width, height, &colors).map_err(failed)?;
    let repeat = if tag.loop_mode == LoopMode::Once { Repeat::Finite(0) } else { Repeat::Infinite };
    encoder.set_repeat(repeat).map_err(failed)?;
    let (mut millis, mut shown) = (0, 0);
    let frames = sheet.played(tag);
    let all: u32 = frames.iter().map(|(_, millis)| millis).sum();
    for (at, own) in frames {
        millis += own;
        // Hundredths of a second; rounding the ends keeps errors from adding up. Browsers play shorter ones as 10, so the next frame takes
        // the time of one that is shorter than two.
        let delay = ((millis + 5) / 10).saturating_sub(shown);
        if delay < 2 && millis < all {
            continue;
        }
        let delay = delay.clamp(2, 65_535);
        let frame = sheet.frames.get(at);
        let image = frame.and_then(|frame| sheet.whole(frame, 0)).ok_or("a frame is empty")?;
        let index = |pixel: &[u8]| match pixel {
            // A frame drawn by hand may have other colours.
            [r, g, b, 255] => palette.nearest_to([*r, *g, *b]) as u8 + 1,
            _ => CLEAR,
        };
        shown += delay;
        let buffer = Cow::Owned(image.pixels().chunks_exact(4).map(index).collect());
        let (dispose, transparent) = (DisposalMethod::Background, Some(CLEAR));
        let delay = delay as u16;
        let frame = Frame { width, height, buffer, delay, dispose, transparent, ..Frame::default() };
        encoder.write_frame(&frame).map_err(failed)?;
    }
    drop(encoder);
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sprites::sheet::tests::sample;

    #[test]
    fn frames_colors_and_delays_are_read_back() {
        let sheet = sample();
        let colors = (1..5).flat_map(|row| [[200, 40, row], [90, 40, row]]);
        let bytes = write(&sheet, &sheet.tags[0], &Palette::new(colors)).unwrap();
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(&bytes[..]).unwrap();
        for frame in &sheet.frames[..3] {
            let read = decoder.read_next_frame().unwrap().unwrap();
            let expected = sheet.whole(frame, 0).unwrap();
            let visible = |pixels: &[u8]| {
                pixels.chunks(4).map(|pixel| if pixel[3] > 0 { Some(pixel.to_vec()) } else { None }).collect::<Vec<_>>()
            };
            assert_eq!((read.delay, visible(&read.buffer)), (8, visible(expected.pixels())));
        }
    }

    #[test]
    fn short_frames_do_not_slow_it_down() {
        let mut sheet = sample();
        let tag = Tag { from: 0, to: sheet.frames.len() - 1, ..sheet.tags[0].clone() };
        for millis in [8, 13, 17, 20] {
            sheet.frames.iter_mut().for_each(|frame| frame.millis = millis);
            let bytes = write(&sheet, &tag, &Palette::new([[1, 2, 3]])).unwrap();
            let mut decoder = gif::DecodeOptions::new().read_info(&bytes[..]).unwrap();
            let mut shown = 0;
            while let Some(frame) = decoder.read_next_frame().unwrap() {
                assert!(frame.delay >= 2, "browsers play it as 10");
                shown += u32::from(frame.delay);
            }
            assert!((10 * shown).abs_diff(millis * sheet.frames.len() as u32) <= 15, "{millis}: {shown}");
        }
    }

    #[test]
    fn ping_pong_goes_there_and_back() {
        let mut sheet = sample();
        [300, 50, 20].into_iter().zip(&mut sheet.frames).for_each(|(millis, frame)| frame.millis = millis);
        let tag = Tag { from: 0, to: 2, loop_mode: LoopMode::PingPong, hold: 20, ..sheet.tags[0].clone() };
        let bytes = write(&sheet, &tag, &Palette::new([[1, 2, 3]])).unwrap();
        let mut decoder = gif::DecodeOptions::new().read_info(&bytes[..]).unwrap();
        let frames = std::iter::from_fn(|| decoder.read_next_frame().unwrap().map(|frame| frame.delay));
        assert_eq!(frames.collect::<Vec<_>>(), [30, 5, 9, 30]);
    }
}
