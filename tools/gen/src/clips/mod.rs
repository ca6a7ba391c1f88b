//! Clips that are written down in Rust: poses in degrees and metres ([`pose`]), solved onto bones ([`solve`]), strung into keyframes
//! ([`script`]). Those of the knight are texts instead ([`crate::knight::clips`]).

pub mod pose;
pub mod script;
pub mod solve;

use keypose::anim::clip::Clip;
use keypose::assets::machine::{AnimationTable, State, StateClip};

/// The table: every state of the game shows the clip of its name.
pub fn table<'a>(clips: impl IntoIterator<Item = &'a Clip>) -> AnimationTable {
    let is_state = |clip: &&Clip| State::from_word(&clip.name).is_some();
    let state = |clip: &Clip| StateClip { state: clip.name.clone(), clip: clip.name.clone() };
    AnimationTable { states: clips.into_iter().filter(is_state).map(state).collect(), graph: None }
}
