//! A tag as an animated PNG at the size of its pixels.

use keypose::anim::clip::LoopMode;

use crate::sprites::sheet::{Sheet, Tag};

/// Encodes the frames of a tag. The error is a sentence.
pub fn write(sheet: &Sheet, tag: &Tag) -> Result<Vec<u8>, String> {
    let failed = |error: png::EncodingError| format!("{}: the APNG could not be encoded: {error}", tag.name);
    let frames = sheet.played(tag);
    let [width, height] = sheet.canvas;
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    let plays = u32::from(tag.loop_mode == LoopMode::Once);
    encoder.set_animated(frames.len() as u32, plays).map_err(failed)?;
    encoder.set_dispose_op(png::DisposeOp::Background).map_err(failed)?;
    encoder.set_blend_op(png::BlendOp::Source).map_err(failed)?;
    let mut writer = encoder.write_header().map_err(failed)?;
    for (at, millis) in frames {
        let frame = sheet.frames.get(at);
        let image = frame.and_then(|frame| sheet.whole(frame, 0)).ok_or("a frame is empty")?;
        writer.set_frame_delay(millis.min(65_535) as u16, 1000).map_err(failed)?;
        writer.write_image_data(image.pixels()).map_err(failed)?;
    }
    writer.finish().map_err(failed)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sprites::sheet::tests::sample;

    #[test]
    fn frames_and_delays_are_read_back() {
        let sheet = sample();
        let bytes = write(&sheet, &sheet.tags[0]).unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
        assert_eq!(reader.info().animation_control().map(|control| control.num_frames), Some(3));
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        for frame in &sheet.frames[..3] {
            reader.next_frame(&mut pixels).unwrap();
            let control = *reader.info().frame_control().unwrap();
            assert_eq!((control.delay_num, control.delay_den), (80, 1000));
            assert_eq!(pixels, sheet.whole(frame, 0).unwrap().pixels());
        }
    }
}
