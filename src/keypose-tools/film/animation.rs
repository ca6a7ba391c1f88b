//! GIF, APNG and animated WebP: each frame changes the previous one, so decoding starts at the first.

use std::io::{BufReader, Read, SeekFrom};

use image::codecs::gif::GifDecoder;
use image::codecs::png::PngDecoder;
use image::codecs::webp::WebPDecoder;
use image::{AnimationDecoder, ImageDecoder, ImageError, Limits};

use crate::anim::time::Time;
use crate::assets::image_file;
use crate::film::{Files, Frames, Input, MAX_FRAMES, Opened, Picture, unreadable};

/// Browsers show a frame with this delay or a shorter one for [`UNTIMED`]; so do films.
const TOO_SHORT: Time = Time(Time::FLICKS_PER_SEC / 100);
const UNTIMED: Time = Time(Time::FLICKS_PER_SEC / 10);

/// The maximum pixels that are decoded for one frame: 4,600 frames of 1280 × 720, as of MP4.
const MAX_WORK: u64 = 1 << 32;

/// The pixels of a frame, and the frames.
type Decoded = (u64, image::Frames<'static>);

struct Animation {
    files: Box<dyn Files>,
    /// Starts to decode at the first frame.
    begin: fn(Box<dyn Input>) -> Result<Decoded, String>,
    /// The frames from `next` on.
    running: Option<Decoded>,
    next: usize,
}

fn opened(files: Box<dyn Files>, delays: Vec<Time>, begin: fn(Box<dyn Input>) -> Result<Decoded, String>) -> Opened {
    let mut at = Time::ZERO;
    let mut starts = Vec::with_capacity(delays.len());
    for delay in delays {
        starts.push(at);
        at = Time(at.0.saturating_add(if delay <= TOO_SHORT { UNTIMED } else { delay }.0));
    }
    Opened { starts, frames: Box::new(Animation { files, begin, running: None, next: 0 }) }
}

/// Opens a GIF. The frames before damage are a film.
pub fn open_gif(files: Box<dyn Files>) -> Result<Opened, String> {
    let mut options = gif::DecodeOptions::new();
    options.skip_frame_decoding(true);
    let mut decoder = options.read_info(BufReader::new(files.open(0)?)).map_err(|error| damaged(&error))?;
    let mut delays = Vec::new();
    while let Ok(Some(frame)) = decoder.next_frame_info() {
        if delays.len() > MAX_FRAMES {
            break;
        }
        delays.push(Time(i64::from(frame.delay).saturating_mul(Time::FLICKS_PER_SEC / 100)));
    }
    let begin = |input: Box<dyn Input>| {
        let decoder = limited(GifDecoder::new(BufReader::new(input)).map_err(|error| damaged(&error))?)?;
        Ok((pixels(&decoder), decoder.into_frames()))
    };
    Ok(opened(files, delays, begin))
}

/// Whether a PNG has several frames.
pub fn is_apng(bytes: &[u8]) -> bool {
    let image_starts = bytes.windows(4).position(|kind| kind == b"IDAT").unwrap_or(bytes.len());
    let animation = bytes.windows(4).position(|kind| kind == b"acTL");
    bytes.starts_with(b"\x89PNG") && animation.is_some_and(|at| at < image_starts)
}

/// Opens an APNG. The frames before damage are a film.
pub fn open_apng(files: Box<dyn Files>) -> Result<Opened, String> {
    let mut input = files.open(0)?;
    let mut at = 8_u64;
    let mut delays = Vec::new();
    // Each frame has a control chunk with its delay as a fraction: the PNG specification, 11.3.6.2.
    while delays.len() <= MAX_FRAMES {
        let mut head = [0; 34];
        input.seek(SeekFrom::Start(at)).map_err(unreadable)?;
        let mut chunk = Vec::new();
        input.by_ref().take(head.len() as u64).read_to_end(&mut chunk).map_err(unreadable)?;
        let Some(start) = chunk.get(..8) else { break };
        if let (Some(b"fcTL"), Ok(whole)) = (start.get(4..), <[u8; 34]>::try_from(&*chunk)) {
            head = whole;
            let [.., a, b, c, d, _, _] = head;
            let (number, of) = (u16::from_be_bytes([a, b]), u16::from_be_bytes([c, d]));
            let of = if of == 0 { 100 } else { of };
            delays.push(Time::from_secs(f64::from(number) / f64::from(of)));
        }
        let [a, b, c, d, ..] = *start else { break };
        at = at.saturating_add(u64::from(u32::from_be_bytes([a, b, c, d]))).saturating_add(12);
    }
    let begin = |input: Box<dyn Input>| {
        let decoder = limited(PngDecoder::new(BufReader::new(input)).map_err(|error| damaged(&error))?)?;
        Ok((pixels(&decoder), decoder.apng().map_err(|error| damaged(&error))?.into_frames()))
    };
    Ok(opened(files, delays, begin))
}

/// Whether a WebP has several frames: the flag of its VP8X chunk.
pub fn is_animated_webp(bytes: &[u8]) -> bool {
    bytes.starts_with(b"RIFF")
        && bytes.get(8..16) == Some(b"WEBPVP8X")
        && bytes.get(20).is_some_and(|flags| flags & 2 > 0)
}

/// Opens an animated WebP. The frames before damage are a film.
pub fn open_webp(files: Box<dyn Files>) -> Result<Opened, String> {
    let mut input = files.open(0)?;
    let mut at = 12_u64;
    let mut delays = Vec::new();
    // Each frame is a chunk whose fifth number of 24 bits is its duration in milliseconds: RFC 9649, 2.7.1.1.
    while delays.len() <= MAX_FRAMES {
        input.seek(SeekFrom::Start(at)).map_err(unreadable)?;
        let mut chunk = Vec::new();
        input.by_ref().take(23).read_to_end(&mut chunk).map_err(unreadable)?;
        let Some(start) = chunk.get(..8) else { break };
        if let (Some(b"ANMF"), Some(&[a, b, c])) = (start.get(..4), chunk.get(20..)) {
            let millis = i64::from(u32::from_le_bytes([a, b, c, 0]));
            delays.push(Time(millis.saturating_mul(Time::FLICKS_PER_SEC / 1000)));
        }
        let [.., a, b, c, d] = *start else { break };
        let bytes = u64::from(u32::from_le_bytes([a, b, c, d]));
        at = at.saturating_add(bytes.next_multiple_of(2)).saturating_add(8);
    }
    let begin = |input: Box<dyn Input>| {
        let decoder = limited(WebPDecoder::new(BufReader::new(input)).map_err(|error| damaged(&error))?)?;
        Ok((pixels(&decoder), decoder.into_frames()))
    };
    Ok(opened(files, delays, begin))
}

/// A decoder that takes no more memory than some frames of its size.
fn limited<D: ImageDecoder>(mut decoder: D) -> Result<D, String> {
    let (width, height) = decoder.dimensions();
    image_file::check_size(width, height)?;
    let mut limits = Limits::default();
    limits.max_alloc = Some(image_file::pixel_bytes(width, height).saturating_mul(8).saturating_add(16 << 20));
    decoder.set_limits(limits).map_err(|error| damaged(&error))?;
    Ok(decoder)
}

fn pixels(decoder: &impl ImageDecoder) -> u64 {
    let (width, height) = decoder.dimensions();
    u64::from(width).saturating_mul(u64::from(height))
}

fn damaged(error: &dyn std::error::Error) -> String {
    format!("it is damaged: {error}")
}

impl Frames for Animation {
    fn decode(&mut self, at: usize, keep: &mut dyn FnMut(usize, Picture)) -> Result<(), String> {
        let (pixels, mut running) = match self.running.take() {
            Some(running) if self.next <= at => running,
            _ => {
                self.next = 0;
                (self.begin)(self.files.open(0)?)?
            }
        };
        let count = at.saturating_sub(self.next).saturating_add(1);
        if u64::try_from(count).unwrap_or(u64::MAX).saturating_mul(pixels) > MAX_WORK {
            let reason = "its frames are too large and too many to be shown out of order";
            return Err(format!("{reason}; write it as a video, for example with: ffmpeg -i film.gif -g 30 film.mp4"));
        }
        while self.next <= at {
            let frame = running.next().ok_or("the film ends before it")?;
            let frame = frame.map_err(|error: ImageError| damaged(&error))?.into_buffer();
            let (width, height) = frame.dimensions();
            keep(self.next, Picture::rgba(width, height, frame.into_raw())?);
            self.next = self.next.saturating_add(1);
        }
        self.running = Some((pixels, running));
        Ok(())
    }
}
