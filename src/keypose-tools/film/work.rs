//! Limits of what a frame asks of the decoder of H.264: it would take any size, any number of reference frames and any way to a key frame.

use rusty_h264_common::bit_reader::BitReader;
use rusty_h264_common::nal::{emulation_unprevent, split_annex_b};
use rusty_h264_decoder::Sps;

/// The maximum size of a picture, in squares of 16 pixels: level 5.2 of Rec. ITU-T H.264, table A-1, for example 4096 × 2304.
const MAX_SQUARES: usize = 36_864;
/// The maximum number of reference frames (A.3.1).
const MAX_REFERENCES: u32 = 16;
/// The maximum squares that are decoded for one frame: 4,600 pictures of 1280 × 720, which take some ten seconds.
const MAX_WORK: usize = 1 << 24;
/// Bytes that take as long as a square.
const BYTES: usize = 64;

/// The work on the way to a frame.
#[derive(Clone, Copy, Debug, Default)]
pub struct Work {
    /// The largest picture, in squares.
    squares: usize,
    done: usize,
}

impl Work {
    /// Begins that of another frame of the film, by the bytes of the samples on the way to it. The error is a sentence without the
    /// film's name.
    pub fn begin(&mut self, bytes: impl Iterator<Item = u32>) -> Result<(), String> {
        let of_sample = |bytes: u32| usize::try_from(bytes).unwrap_or(usize::MAX).div_euclid(BYTES).saturating_add(1);
        self.done = bytes.map(of_sample).fold(0, usize::saturating_add);
        self.check()
    }

    /// Adds that of the pictures in the units of a sample, before it is decoded.
    pub fn add(&mut self, units: &[u8]) -> Result<(), String> {
        for unit in split_annex_b(units) {
            let Some((head, coded)) = unit.split_first() else { continue };
            match head & 0x1f {
                1 | 5 => self.add_slice(coded),
                7 => self.add_parameters(coded)?,
                _ => {}
            }
        }
        self.check()
    }

    fn check(&self) -> Result<(), String> {
        let write = "write it again, for example with: ffmpeg -i film.mp4 -g 30 near.mp4";
        if self.done <= MAX_WORK { Ok(()) } else { Err(format!("its key frames are too far apart; {write}")) }
    }

    /// Adds the squares from the first one of a slice on.
    fn add_slice(&mut self, coded: &[u8]) {
        // The first number takes at most 9 bytes; one more may be left out.
        let start = emulation_unprevent(coded.get(..coded.len().min(12)).unwrap_or_default());
        let first = BitReader::new(&start).read_ue().map_or(0, |first| usize::try_from(first).unwrap_or(0));
        self.done = self.done.saturating_add(self.squares.saturating_sub(first));
    }

    fn add_parameters(&mut self, coded: &[u8]) -> Result<(), String> {
        // The decoder says what is wrong with others.
        let Ok(parameters) = Sps::parse(&emulation_unprevent(coded)) else { return Ok(()) };
        let squares = parameters.pic_width_in_mbs.saturating_mul(parameters.pic_height_in_mbs);
        if squares > MAX_SQUARES {
            return Err("its pictures are larger than 4096 × 2304 pixels".to_owned());
        }
        if parameters.max_num_ref_frames > MAX_REFERENCES {
            return Err(format!("it is damaged: it has more than {MAX_REFERENCES} reference frames"));
        }
        self.squares = self.squares.max(squares);
        Ok(())
    }
}
