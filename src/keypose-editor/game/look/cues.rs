//! The sounds of the game: which sound goes with what happened, by name.

use std::sync::Arc;

use glam::Vec2;

use crate::game::rules::foe::Mood;
use crate::game::rules::marks::guards;
use crate::game::world::World;
use crate::game::world::news::News;
use crate::game::world::units::metres_of;
use keypose::assets::clip_event::STEP_SOUND;
use keypose::assets::sound::Sound;

/// The name of the sound that plays while the game runs.
pub const MUSIC: &str = "music";
/// The name of the music of a fight with a foe that keeps the goal closed.
const BATTLE: &str = "battle";
/// Distance from the player in metres at which nothing is heard any more.
const EARSHOT: f32 = 16.0;

/// A sound to be played now.
#[derive(Clone, Debug, PartialEq)]
pub struct Cue {
    /// The name of the sound. An archive need not have it.
    pub sound: Arc<str>,
    /// Factor of its volume by the distance from the player, 0 to 1.
    pub gain: f32,
}

/// The name of the music that plays now.
pub fn music(world: &World) -> &'static str {
    let is_fought = guards(world).any(|foe| foe.mood == Mood::Chase) && world.player.vitals.is_alive();
    if is_fought { BATTLE } else { MUSIC }
}

/// The music of these sounds that plays now. A fight without music of its own has the usual one.
pub fn music_of<'s>(world: &World, sounds: &'s [Arc<Sound>]) -> Option<&'s Arc<Sound>> {
    named(sounds, music(world)).or(named(sounds, MUSIC))
}

/// The sounds among these that are heard of the last tick, and factors of their volumes.
pub fn heard_of<'s>(world: &World, sounds: &'s [Arc<Sound>]) -> impl Iterator<Item = (&'s Arc<Sound>, f32)> {
    cues(world).into_iter().filter_map(|cue| Some((named(sounds, &cue.sound)?, cue.gain)))
}

fn named<'s>(sounds: &'s [Arc<Sound>], name: &str) -> Option<&'s Arc<Sound>> {
    sounds.iter().find(|sound| sound.name == name)
}

/// The sounds of the last tick. Each name comes once, as loud as the nearest.
pub fn cues(world: &World) -> Vec<Cue> {
    let ear = metres_of(world.player.feet);
    let mut cues: Vec<Cue> = Vec::new();
    for (sound, place) in world.news.iter().filter_map(sound_of) {
        let gain = (1.0 - ear.distance(place) / EARSHOT).clamp(0.0, 1.0);
        match cues.iter_mut().find(|cue| cue.sound == sound) {
            Some(cue) => cue.gain = cue.gain.max(gain),
            None => cues.push(Cue { sound, gain }),
        }
    }
    cues
}

/// The sound of something that happened, and its place.
fn sound_of(item: &News) -> Option<(Arc<str>, Vec2)> {
    Some(match *item {
        News::Sound { ref name, place } => (name.clone(), place),
        News::Footstep { place } => (STEP_SOUND.into(), place),
        News::Effect { .. } => return None,
        News::Hit { target: 0, place, .. } => ("hurt".into(), place),
        News::Hit { place, .. } => ("hit".into(), place),
        News::Clash { place } => ("clash".into(), place),
        News::Death { place, .. } => ("death".into(), place),
        News::Coin { place } => ("coin".into(), place),
        News::Checkpoint { place } => ("checkpoint".into(), place),
        News::Open { place } => ("gate".into(), place),
        News::Goal { place } => ("goal".into(), place),
        News::Jump { place } => ("jump".into(), place),
        News::Land { place } => ("land".into(), place),
        News::Splash { place } => ("splash".into(), place),
    })
}
