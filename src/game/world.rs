//! The state of the simulation as one value. It is cloned for interpolation, and replays give the same bits.

use std::sync::Arc;

use crate::anim::pose::LocalPose;
use crate::game::actor::Actor;
use crate::game::animator::Animator;
use crate::game::camera::Camera;
use crate::game::cast::Cast;
use crate::game::dust::Dust;
use crate::game::input::Buttons;
use crate::game::random::Random;
use crate::game::stage::Stage;

/// Everything that a tick reads and changes. Immutable parts are behind `Arc`.
#[derive(Clone, Debug)]
pub struct World {
    /// The level.
    pub stage: Arc<Stage>,
    /// The characters.
    pub cast: Arc<Cast>,
    /// Count of ticks so far.
    pub tick: u64,
    /// The only source of random numbers.
    pub random: Random,
    /// The buttons of the previous tick.
    pub buttons: Buttons,
    /// The player.
    pub player: Actor,
    /// Count of falls out of the level.
    pub falls: u32,
    /// The camera's target. Cosmetic.
    pub camera: Camera,
    /// The player's animation. Cosmetic.
    pub animator: Animator,
    /// Dust at the feet. Cosmetic.
    pub dust: Dust,
    /// A pose that overrides the animator's: the editor's in follow mode. Cosmetic. Ignored unless it has as many bones
    /// as the player.
    pub held_pose: Option<Arc<LocalPose>>,
}

impl World {
    /// A world with the player at its start.
    pub fn new(stage: Arc<Stage>, cast: Arc<Cast>, seed: u64) -> World {
        let player = Actor::at(stage.spawn);
        World {
            camera: Camera::at(&player),
            animator: Animator::default(),
            tick: 0,
            random: Random::from_seed(seed),
            buttons: Buttons::NONE,
            falls: 0,
            dust: Dust::default(),
            held_pose: None,
            player,
            stage,
            cast,
        }
    }

    /// A digest of the simulation's state, the same on every platform. Cosmetic parts are excluded.
    pub fn digest(&self) -> u64 {
        let player = &self.player;
        let mut digest = Digest::default();
        digest.add(self.tick);
        digest.add(self.random.state());
        digest.add(u64::from(self.buttons.0));
        digest.add(u64::from(self.falls));
        for place in [player.feet.x, player.feet.y, player.walked, player.climbed] {
            digest.add(place as u64);
        }
        for value in [player.velocity.x, player.velocity.y, player.remainder.x, player.remainder.y] {
            digest.add(u64::from(value.to_bits()));
        }
        let timers = player.timers;
        for timer in [timers.coyote, timers.jump_buffer, timers.attack_buffer, timers.rise, timers.regrab, timers.land]
        {
            digest.add(u64::from(timer));
        }
        digest.add(player.facing as u64 | (player.stance as u64) << 8 | (player.state() as u64) << 16);
        digest.add(player.attack.map_or(0, |attack| 1 + u64::from(attack.tick)));
        digest.0
    }
}

/// FNV-1a over 64-bit words (Fowler, Noll, Vo): only multiplication and xor, so the same on every platform.
struct Digest(u64);

impl Default for Digest {
    fn default() -> Digest {
        Digest(0xcbf2_9ce4_8422_2325)
    }
}

impl Digest {
    fn add(&mut self, word: u64) {
        for byte in word.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}
