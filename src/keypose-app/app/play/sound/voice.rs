//! A sound that is being played, sample by sample. Knows no device.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use keypose::assets::bytes::Bytes;
use keypose::assets::sound::{Sound, SoundRepeat};

/// The settings of all voices.
#[derive(Debug, Default)]
pub struct Level {
    is_muted: AtomicBool,
    is_paused: AtomicBool,
}

impl Level {
    /// Whether all voices play silently.
    pub fn mute(&self, is_muted: bool) {
        self.is_muted.store(is_muted, Ordering::Relaxed);
    }

    /// Whether all voices stand still.
    pub fn pause(&self, is_paused: bool) {
        self.is_paused.store(is_paused, Ordering::Relaxed);
    }
}

/// Stops a voice from another thread. It lives as long as the voice.
#[derive(Debug)]
pub struct VoiceControl {
    is_stopped: AtomicBool,
    samples: Bytes,
}

impl VoiceControl {
    /// Ends the voice.
    pub fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    /// Whether the voice plays these samples and was not stopped.
    pub fn is_of(&self, samples: &Bytes) -> bool {
        self.samples.as_ptr() == samples.as_ptr()
    }
}

/// An iterator over samples from -1 to 1, the channels of a sample frame one after the other.
#[derive(Clone, Debug)]
pub struct Voice {
    sound: Arc<Sound>,
    gain: f32,
    /// Index of the next sample.
    at: usize,
    level: Arc<Level>,
    control: Arc<VoiceControl>,
}

impl Voice {
    /// A voice at the start of a sound, at a factor of its volume.
    pub fn new(sound: Arc<Sound>, gain: f32, level: Arc<Level>) -> Voice {
        let control = VoiceControl { is_stopped: AtomicBool::new(false), samples: sound.samples.clone() };
        Voice { gain: gain * sound.volume, sound, at: 0, level, control: Arc::new(control) }
    }

    /// Stops it from elsewhere.
    pub fn control(&self) -> &Arc<VoiceControl> {
        &self.control
    }

    /// Returns the sound that is played.
    pub fn sound(&self) -> &Sound {
        &self.sound
    }
}

impl Iterator for Voice {
    type Item = f32;

    fn next(&mut self) -> Option<f32> {
        if self.control.is_stopped.load(Ordering::Relaxed) {
            return None;
        }
        if self.level.is_paused.load(Ordering::Relaxed) {
            return Some(0.0);
        }
        let samples = self.sound.samples.as_chunks::<2>().0;
        if self.at >= samples.len() && self.sound.repeat == SoundRepeat::Loop {
            self.at = 0;
        }
        let sample = i16::from_le_bytes(*samples.get(self.at)?);
        self.at += 1;
        let is_muted = self.level.is_muted.load(Ordering::Relaxed);
        Some(if is_muted { 0.0 } else { f32::from(sample) / 32_768.0 * self.gain })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn voice(repeat: SoundRepeat) -> Voice {
        let sound = Sound { volume: 0.5, repeat, ..Sound::new("a", 8_000, 1, &[16_384, -16_384]) };
        Voice::new(Arc::new(sound), 2.0, Arc::default())
    }

    #[test]
    fn an_effect_ends_and_music_begins_again() {
        assert_eq!(voice(SoundRepeat::Once).collect::<Vec<_>>(), [0.5, -0.5]);
        assert_eq!(voice(SoundRepeat::Loop).take(5).collect::<Vec<_>>(), [0.5, -0.5, 0.5, -0.5, 0.5]);
    }

    #[test]
    fn a_muted_voice_goes_forward_and_a_paused_one_waits() {
        let mut muted = voice(SoundRepeat::Loop);
        muted.level.mute(true);
        assert_eq!(muted.next(), Some(0.0));
        muted.level.mute(false);
        assert_eq!(muted.next(), Some(-0.5));
        muted.level.pause(true);
        assert_eq!([muted.next(), muted.next()], [Some(0.0); 2]);
        muted.level.pause(false);
        assert_eq!(muted.next(), Some(0.5));
    }

    #[test]
    fn a_stopped_voice_ends() {
        let mut voice = voice(SoundRepeat::Loop);
        voice.control().clone().stop();
        assert_eq!(voice.next(), None);
    }
}
