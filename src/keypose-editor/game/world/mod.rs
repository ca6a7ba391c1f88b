//! The state of the simulation as one value. It is cloned for interpolation, and replays give the same bits.

pub mod camera;
pub mod cast;
pub mod default_level;
pub mod news;
pub mod random;
pub mod stage;
pub mod units;

use std::sync::Arc;

use glam::I64Vec2;

use crate::game::input::Buttons;
use crate::game::look::effects::Effects;
use crate::game::pose::animator::Animator;
use crate::game::rules::actor::{Action, Actor};
use crate::game::rules::combat::vitals::Vitals;
use crate::game::rules::foe::Foe;
use crate::game::rules::marks::Progress;
use crate::game::world::camera::Camera;
use crate::game::world::cast::Cast;
use crate::game::world::news::News;
use crate::game::world::random::Random;
use crate::game::world::stage::Stage;
use keypose::anim::pose::LocalPose;
use keypose::assets::level::FoePlace;

/// Everything that a tick reads and changes. Immutable parts are behind `Arc`.
#[derive(Clone, Debug)]
pub struct World {
    /// The level.
    pub stage: Arc<Stage>,
    /// The characters.
    pub cast: Arc<Cast>,
    /// Count of ticks so far.
    pub tick: u64,
    /// The only source of random numbers that the game depends on.
    pub random: Random,
    /// The buttons of the previous tick.
    pub buttons: Buttons,
    pub player: Actor,
    /// The foes, in the order of the level.
    pub foes: Vec<Foe>,
    /// Coins, checkpoints, the goal.
    pub progress: Progress,
    /// Count of falls out of the level.
    pub falls: u32,
    /// Count of the player's deaths.
    pub deaths: u32,
    /// Count of hits that the player took.
    pub hits_taken: u32,
    /// News of the last tick. Cosmetic.
    pub news: Vec<News>,
    /// The camera's target. Cosmetic.
    pub camera: Camera,
    /// The player's animation. Cosmetic.
    pub animator: Animator,
    /// Sparks, numbers, dust and the like. Cosmetic.
    pub effects: Effects,
    /// How dark the view is after a fall, 0 to 1. Cosmetic.
    pub fade: f32,
    /// A pose that overrides the animator's: the editor's in follow mode. Cosmetic. Ignored unless it has as many bones
    /// as the player.
    pub held_pose: Option<Arc<LocalPose>>,
}

impl World {
    /// A world with the player at its start.
    pub fn new(stage: Arc<Stage>, cast: Arc<Cast>, seed: u64) -> World {
        let player = Actor::at(stage.spawn);
        let foe = |(kind, place, feet): &(usize, FoePlace, I64Vec2)| Foe::new(place, *kind, &stage.kinds[*kind], *feet);
        World {
            foes: stage.foes.iter().map(foe).collect(),
            progress: Progress::default(),
            deaths: 0,
            hits_taken: 0,
            news: Vec::new(),
            camera: Camera::at(&player),
            animator: Animator::default(),
            tick: 0,
            random: Random::from_seed(seed),
            buttons: Buttons::NONE,
            falls: 0,
            effects: Effects::default(),
            fade: 0.0,
            held_pose: None,
            player,
            stage,
            cast,
        }
    }

    /// A digest of the simulation's state, the same on every platform. Cosmetic parts are excluded.
    pub fn digest(&self) -> u64 {
        let mut digest = Digest::default();
        digest.add(self.tick);
        digest.add(self.random.state());
        digest.add(u64::from(self.buttons.0));
        for count in [self.falls, self.deaths, self.hits_taken] {
            digest.add(u64::from(count));
        }
        let progress = &self.progress;
        digest.add(progress.checkpoint.map_or(0, |at| 1 + at as u64));
        digest.add(progress.finished.map_or(0, |tick| 1 + tick));
        progress.coins.iter().for_each(|&is_collected| digest.add(u64::from(is_collected)));
        digest.add_actor(&self.player);
        for foe in &self.foes {
            digest.add_actor(&foe.actor);
            digest.add(
                foe.mood as u64 | u64::from(foe.wait) << 8 | u64::from(foe.unseen) << 24 | (foe.kind as u64) << 40,
            );
        }
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
    fn add_actor(&mut self, actor: &Actor) {
        for place in [actor.feet.x, actor.feet.y, actor.walked, actor.climbed, actor.aside] {
            self.add(place as u64);
        }
        for value in [actor.velocity.x, actor.velocity.y, actor.remainder.x, actor.remainder.y, actor.pace.0] {
            self.add(u64::from(value.to_bits()));
        }
        let timers = actor.timers;
        let buffers = [timers.jump_buffer, timers.attack_buffer, timers.roll_buffer];
        let waits = [timers.coyote, timers.rise, timers.reroll, timers.regrab, timers.land];
        for timer in buffers.into_iter().chain(waits) {
            self.add(u64::from(timer));
        }
        self.add(actor.facing as u64 | (actor.stance as u64) << 8 | (actor.state() as u64) << 16);
        let action = |action: Action| {
            let flags = (action.state as u64) << 16 | u64::from(action.has_hit) << 24 | u64::from(action.runs) << 25;
            1 + u64::from(action.tick) + (flags << 8)
        };
        self.add(actor.action.map_or(0, action));
        self.add_vitals(&actor.vitals);
        self.add(u64::from(actor.clock.tick));
        for touch in &actor.touched {
            self.add(u64::from(touch.target) << 24 | u64::from(touch.group) << 16 | u64::from(touch.tick));
        }
    }

    fn add_vitals(&mut self, vitals: &Vitals) {
        self.add(vitals.health as u64);
        self.add(u64::from(vitals.taken));
        for ticks in [vitals.stop, vitals.stun, vitals.safe, vitals.since_hit, vitals.dead] {
            self.add(u64::from(ticks));
        }
    }

    fn add(&mut self, word: u64) {
        for byte in word.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}
