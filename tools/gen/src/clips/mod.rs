//! The knight's clips: poses written down in degrees and metres ([`pose`]), solved onto his bones ([`solve`]), strung
//! into keyframes ([`script`]).

mod air;
mod climb;
mod fight;
mod ground;
pub mod machine;
mod moves;
pub mod pose;
pub mod script;
pub mod solve;

use keypose::anim::clip::Clip;
use keypose::assets::machine::{AnimationTable, State, StateClip};

use crate::rig::Rig;

/// All of them, in the order in which they are shown.
pub fn all(rig: &Rig) -> Vec<Clip> {
    let scripts = [
        ground::idle(),
        ground::walk(),
        ground::run(),
        air::jump(),
        air::fall(),
        air::land(),
        ground::crouch(),
        fight::attack(),
        climb::climb(),
        fight::hurt(),
        fight::die(),
        fight::attack_2(),
        fight::attack_3(),
        ground::crouch_walk(),
        ground::breath(),
        moves::stab(),
        moves::air_attack(),
        moves::roll(),
    ];
    scripts.into_iter().map(|script| script.clip(rig)).collect()
}

/// The table: every state of the game shows the clip of its name.
pub fn table(clips: &[Clip]) -> AnimationTable {
    let state = |clip: &Clip| StateClip { state: clip.name.clone(), clip: clip.name.clone() };
    let is_state = |clip: &&Clip| State::from_word(&clip.name).is_some();
    AnimationTable { states: clips.iter().filter(is_state).map(state).collect(), graph: None }
}
