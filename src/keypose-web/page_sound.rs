//! A sound for the script of a page.

use std::sync::Arc;

use keypose::assets::sound::{Sound, SoundRepeat};
use wasm_bindgen::prelude::wasm_bindgen;

/// A sound that the page plays.
#[wasm_bindgen]
pub struct PageSound {
    sound: Arc<Sound>,
    gain: f32,
}

impl PageSound {
    /// A sound, at a factor of its volume.
    pub fn new(sound: Arc<Sound>, gain: f32) -> PageSound {
        PageSound { gain: gain * sound.volume, sound }
    }
}

#[wasm_bindgen]
impl PageSound {
    /// The name, which no other sound of the archive has.
    pub fn name(&self) -> String {
        self.sound.name.clone()
    }

    /// The factor of the samples.
    pub fn gain(&self) -> f32 {
        self.gain
    }

    /// Samples per second.
    pub fn rate(&self) -> u32 {
        self.sound.rate
    }

    pub fn channels(&self) -> u8 {
        self.sound.channels
    }

    /// Whether it starts again at its end.
    pub fn repeats(&self) -> bool {
        self.sound.repeat == SoundRepeat::Loop
    }

    /// The samples of a channel, -1 to 1.
    pub fn samples(&self, channel: u8) -> Vec<f32> {
        self.sound.amplitudes().skip(channel.into()).step_by(self.sound.channels.max(1).into()).collect()
    }
}
