//! The player's character as the simulation knows it: where it is, how fast, what it is doing. What it looks like is
//! the animator's.

use glam::{I64Vec2, Vec2};

use crate::assets::default_machine::STILL_SPEED;
pub use crate::assets::fit::STANDING_HEIGHT;
use crate::assets::machine::State;
use crate::game::stage::body_area;
use crate::game::units::{Area, grains};

/// Half the width of a body in metres, whatever the model looks like.
pub const BODY_HALF_WIDTH: f32 = 0.3;
/// The height of a crouching body in metres.
pub const CROUCHING_HEIGHT: f32 = 1.1;
/// Of an attack's ticks, in tenths, those after which the recovery begins: one can walk, jump or strike out of it.
const RECOVERY_TENTHS: u16 = 6;
/// Faster than this, in metres a second, is running.
const RUNNING: f32 = 3.3;

/// The way it looks along the level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Facing {
    /// Towards -x.
    Left,
    /// Towards +x.
    #[default]
    Right,
}

impl Facing {
    /// -1 or 1.
    pub fn sign(self) -> f32 {
        match self {
            Facing::Left => -1.0,
            Facing::Right => 1.0,
        }
    }
}

/// How it holds itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stance {
    /// Full height.
    #[default]
    Standing,
    /// Low.
    Crouched,
}

impl Stance {
    /// In grains.
    pub fn height(self) -> i64 {
        match self {
            Stance::Standing => grains(STANDING_HEIGHT),
            Stance::Crouched => grains(CROUCHING_HEIGHT),
        }
    }
}

/// Holding on to a ladder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hold {
    /// An index into the stage's ladders.
    pub ladder: usize,
    /// Ticks until it hangs in the ladder's middle.
    pub snap_ticks: u8,
    /// Ticks that the player pressed to one side alone.
    pub side_ticks: u8,
}

/// What carries it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Footing {
    /// Nothing.
    #[default]
    Air,
    /// A solid or a platform under its feet.
    Ground,
    /// A ladder.
    Ladder(Hold),
}

/// An attack under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attack {
    /// Ticks since it began.
    pub tick: u16,
    /// Ticks it takes.
    pub length: u16,
}

impl Attack {
    /// True in its last part.
    pub fn is_recovering(self) -> bool {
        self.tick * 10 >= self.length * RECOVERY_TENTHS
    }
}

/// Countdowns, in ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timers {
    /// A jump is still possible after the ground is left.
    pub coyote: u8,
    /// A jump was pressed and waits for the ground.
    pub jump_buffer: u8,
    /// An attack was pressed and waits for its turn.
    pub attack_buffer: u8,
    /// The jump still rises at full speed while the button is held.
    pub rise: u8,
    /// No ladder is taken.
    pub regrab: u8,
    /// It catches itself after a fall.
    pub land: u8,
}

impl Timers {
    /// One tick less of everything but `rise`, which the jump counts itself.
    pub fn tick(&mut self) {
        let counted =
            [&mut self.coyote, &mut self.jump_buffer, &mut self.attack_buffer, &mut self.regrab, &mut self.land];
        counted.into_iter().for_each(|timer| *timer = timer.saturating_sub(1));
    }
}

/// One character in the simulation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Actor {
    /// Between its feet.
    pub feet: I64Vec2,
    /// Metres a second.
    pub velocity: Vec2,
    /// Parts of grains not moved yet, 0..1.
    pub remainder: Vec2,
    /// Where it looks.
    pub facing: Facing,
    /// How high it is.
    pub stance: Stance,
    /// What carries it.
    pub footing: Footing,
    /// What it does beside moving.
    pub attack: Option<Attack>,
    /// Countdowns.
    pub timers: Timers,
    /// Grains walked on the ground so far, forwards.
    pub walked: i64,
    /// Grains climbed so far, up positive.
    pub climbed: i64,
    /// Grains that steps lifted it at once, still to be shown; fades.
    pub lift: i64,
}

impl Actor {
    /// Standing there, or falling.
    pub fn at(feet: I64Vec2) -> Actor {
        Actor { feet, ..Actor::default() }
    }

    /// Its body in its stance.
    pub fn body(&self) -> Area {
        body_area(self.feet, self.stance.height())
    }

    /// Its body if it stood.
    pub fn standing_body(&self) -> Area {
        body_area(self.feet, Stance::Standing.height())
    }

    /// What it is doing, in the word that picks its clip.
    pub fn state(&self) -> State {
        let speed = self.velocity.x.abs();
        match self.footing {
            Footing::Ladder(_) => State::Climb,
            _ if self.attack.is_some() => State::Attack,
            Footing::Air if self.velocity.y > 0.0 => State::Jump,
            Footing::Air => State::Fall,
            Footing::Ground if self.stance == Stance::Crouched && speed > STILL_SPEED => State::CrouchWalk,
            Footing::Ground if self.stance == Stance::Crouched => State::Crouch,
            Footing::Ground if speed > RUNNING => State::Run,
            Footing::Ground if speed > STILL_SPEED => State::Walk,
            Footing::Ground if self.timers.land > 0 => State::Land,
            Footing::Ground => State::Idle,
        }
    }
}
