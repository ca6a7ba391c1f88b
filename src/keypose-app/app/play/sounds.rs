//! The sounds of a running game: music, and what is heard of each tick. They decide nothing.

use std::sync::Arc;

use keypose::assets::sound::Sound;
use keypose_editor::game::look::cues::{heard_of, music_of};
use keypose_editor::game::world::World;

use crate::app::play::sound::Speaker;

/// The sounds of the archive that is played.
#[derive(Debug, Default)]
pub struct PlaySounds {
    sounds: Vec<Arc<Sound>>,
    /// The music that plays.
    music: Option<Arc<Sound>>,
}

impl PlaySounds {
    /// Of an archive's sounds, sorted by name.
    pub fn new(sounds: Vec<Arc<Sound>>) -> PlaySounds {
        PlaySounds { sounds, music: None }
    }

    /// Takes the sounds of a changed archive.
    pub fn replace(&mut self, sounds: &[Arc<Sound>]) {
        self.sounds = sounds.to_vec();
    }

    /// Starts the music, or replaces it when it changed.
    pub fn play_music(&mut self, world: &World, speaker: &mut Speaker) {
        let wanted = music_of(world, &self.sounds).cloned();
        let is_same = |(a, b): (&Arc<Sound>, &Arc<Sound>)| a == b;
        if wanted.is_some() == self.music.is_some() && wanted.as_ref().zip(self.music.as_ref()).is_none_or(is_same) {
            return;
        }
        speaker.stop();
        if let Some(music) = &wanted {
            speaker.play(music, 1.0);
        }
        self.music = wanted;
    }

    /// Plays what is heard of the last tick.
    pub fn play_tick(&self, world: &World, speaker: &mut Speaker) {
        heard_of(world, &self.sounds).for_each(|(sound, gain)| speaker.play(sound, gain));
    }

    /// All sounds.
    pub fn all(&self) -> &[Arc<Sound>] {
        &self.sounds
    }
}
