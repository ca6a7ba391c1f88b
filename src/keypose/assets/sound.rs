//! A sound of an archive: samples of 16 bits. What plays it decides nothing in the game.

use crate::anim::choice::choice;
use crate::assets::bytes::Bytes;

/// A sound effect or a piece of music.
#[derive(Clone, Debug, PartialEq)]
pub struct Sound {
    /// Unique within its archive. Events of clips and the moments of the game refer to it.
    pub name: String,
    /// Sample frames per second: [`MIN_RATE`] to [`MAX_RATE`].
    pub rate: u32,
    /// 1 for mono, 2 for stereo (left, then right).
    pub channels: u8,
    /// Factor of the amplitude, 0 to [`MAX_VOLUME`].
    pub volume: f32,
    /// Whether it starts again at its end.
    pub repeat: SoundRepeat,
    /// Signed 16-bit samples in little-endian order, the channels of a sample frame side by side. Not empty, at most
    /// [`MAX_SAMPLE_BYTES`].
    pub samples: Bytes,
}

choice! {
    /// Behaviour at the end of a sound.
    #[derive(Default)]
    pub enum SoundRepeat {
        /// Played once: an effect.
        #[default]
        Once = "once",
        /// Repeated: music.
        Loop = "loop",
    }
}

/// Minimum number of sample frames per second.
pub const MIN_RATE: u32 = 4_000;
/// Maximum number of sample frames per second.
pub const MAX_RATE: u32 = 192_000;
/// Maximum factor of the amplitude.
pub const MAX_VOLUME: f32 = 4.0;
/// Maximum size of the samples: six minutes of stereo at 44,100 Hz.
pub const MAX_SAMPLE_BYTES: usize = 64 << 20;

impl Sound {
    /// A sound that is played once, at its own volume.
    pub fn new(name: impl Into<String>, rate: u32, channels: u8, samples: &[i16]) -> Sound {
        let samples: Vec<u8> = samples.iter().flat_map(|sample| sample.to_le_bytes()).collect();
        Sound { name: name.into(), rate, channels, volume: 1.0, repeat: SoundRepeat::Once, samples: samples.into() }
    }

    /// The samples from -1 to 1, without the volume.
    pub fn amplitudes(&self) -> impl Iterator<Item = f32> + '_ {
        self.samples.as_chunks::<2>().0.iter().map(|bytes| f32::from(i16::from_le_bytes(*bytes)) / 32_768.0)
    }

    /// The number of sample frames.
    pub fn frames(&self) -> usize {
        self.samples.len() / (2 * usize::from(self.channels.max(1)))
    }

    /// The length in seconds.
    pub fn secs(&self) -> f64 {
        self.frames() as f64 / f64::from(self.rate.max(1))
    }

    /// Checks that every value is in its range.
    ///
    /// # Errors
    ///
    /// The value that is not.
    pub fn check(&self) -> Result<(), String> {
        if !(MIN_RATE..=MAX_RATE).contains(&self.rate) {
            return Err(format!("its rate is {} Hz, not {MIN_RATE} to {MAX_RATE}", self.rate));
        }
        if !(1..=2).contains(&self.channels) {
            return Err(format!("it has {} channels, not 1 or 2", self.channels));
        }
        if !(0.0..=MAX_VOLUME).contains(&self.volume) {
            return Err(format!("its volume is {}, not 0 to {MAX_VOLUME}", self.volume));
        }
        let (bytes, frame) = (self.samples.len(), 2 * usize::from(self.channels));
        if bytes == 0 {
            return Err("it has no samples".to_owned());
        }
        if bytes > MAX_SAMPLE_BYTES || bytes % frame != 0 {
            let range = format!("a multiple of {frame} up to {MAX_SAMPLE_BYTES}");
            return Err(format!("its samples take {bytes} bytes, not {range}"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sound_has_a_length_and_amplitudes() {
        let sound = Sound::new("beep", 8_000, 2, &[0, 16_384, -32_768, 32_767]);
        assert_eq!((sound.frames(), sound.secs()), (2, 0.000_25));
        assert_eq!(sound.amplitudes().collect::<Vec<_>>(), [0.0, 0.5, -1.0, 32_767.0 / 32_768.0]);
        assert_eq!(sound.check(), Ok(()));
    }

    #[test]
    fn values_out_of_range_are_refused_by_name() {
        let good = Sound::new("beep", 8_000, 1, &[1, 2]);
        let bad = [
            (Sound { rate: 3_999, ..good.clone() }, "rate"),
            (Sound { channels: 3, ..good.clone() }, "channels"),
            (Sound { volume: f32::NAN, ..good.clone() }, "volume"),
            (Sound { volume: -0.1, ..good.clone() }, "volume"),
            (Sound { samples: vec![].into(), ..good.clone() }, "no samples"),
            (Sound { channels: 2, samples: vec![0; 6].into(), ..good }, "samples"),
        ];
        for (sound, word) in bad {
            assert!(sound.check().unwrap_err().contains(word), "{sound:?}");
        }
    }
}
