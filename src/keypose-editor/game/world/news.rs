//! Visible and audible events of a tick: hits, coins, a checkpoint. Cosmetic: they never affect the simulation.

use std::sync::Arc;

use glam::Vec2;

use crate::game::rules::actor::Facing;

/// Something that happened. Places are in metres.
#[derive(Clone, Debug, PartialEq)]
pub enum News {
    /// A hit. The target is the player (0) or a foe (its index plus 1); the attacker faces `facing`.
    Hit { target: usize, place: Vec2, damage: u16, facing: Facing },
    /// Two attacks met.
    Clash { place: Vec2 },
    /// A character died.
    Death { target: usize, place: Vec2 },
    /// A coin was collected.
    Coin { place: Vec2 },
    /// A checkpoint was reached.
    Checkpoint { place: Vec2 },
    /// The player jumped off.
    Jump { place: Vec2 },
    /// The player landed.
    Land { place: Vec2 },
    /// A character fell into water.
    Splash { place: Vec2 },
    /// A foot touched the ground.
    Footstep { place: Vec2 },
    /// An event of a clip plays a sound.
    Sound { name: Arc<str>, place: Vec2 },
    /// An event of a clip shows an effect.
    Effect { name: Arc<str>, place: Vec2 },
    /// The goal opened, because the last foe that kept it closed is dead.
    Open { place: Vec2 },
    /// The goal was reached.
    Goal { place: Vec2 },
}
