//! The player's character in the simulation: position, speed and state. The animator shows it.

use glam::{I64Vec2, Vec2};

use crate::assets::default_machine::STILL_SPEED;
pub use crate::assets::fit::STANDING_HEIGHT;
use crate::assets::machine::State;
use crate::game::stage::body_area;
use crate::game::units::{Area, grains};

/// Half the width of a character's body in metres, for every model.
pub const BODY_HALF_WIDTH: f32 = 0.3;
/// The height of a crouching body in metres.
pub const CROUCHING_HEIGHT: f32 = 1.1;
/// An attack's recovery starts after this many tenths of its ticks. Walking, jumping and another attack interrupt it.
const RECOVERY_TENTHS: u16 = 6;
/// Faster than this, in metres per second, the character runs.
const RUNNING: f32 = 3.3;

/// The direction in which it faces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Facing {
    /// Towards -x.
    Left,
    /// Towards +x.
    #[default]
    Right,
}

impl Facing {
    /// Returns -1 or 1.
    pub fn sign(self) -> f32 {
        match self {
            Facing::Left => -1.0,
            Facing::Right => 1.0,
        }
    }
}

/// Its posture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stance {
    /// At full height.
    #[default]
    Standing,
    /// Crouched.
    Crouched,
}

impl Stance {
    /// Height of the body in grains.
    pub fn height(self) -> i64 {
        match self {
            Stance::Standing => grains(STANDING_HEIGHT),
            Stance::Crouched => grains(CROUCHING_HEIGHT),
        }
    }
}

/// Its grip on a ladder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hold {
    /// Index into the stage's ladders.
    pub ladder: usize,
    /// Ticks until it is at the centre of the ladder.
    pub snap_ticks: u8,
    /// Ticks for which only left or right was pressed.
    pub side_ticks: u8,
}

/// What supports it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Footing {
    /// Nothing: it is in the air.
    #[default]
    Air,
    /// A solid or a platform under its feet.
    Ground,
    /// A ladder.
    Ladder(Hold),
}

/// An attack in progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attack {
    /// Ticks since its start.
    pub tick: u16,
    /// Duration in ticks.
    pub length: u16,
}

impl Attack {
    /// Whether it is in its last part.
    pub fn is_recovering(self) -> bool {
        self.tick * 10 >= self.length * RECOVERY_TENTHS
    }
}

/// Countdowns, in ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timers {
    /// A jump is still possible after leaving the ground.
    pub coyote: u8,
    /// A pressed jump waits for the ground.
    pub jump_buffer: u8,
    /// A pressed attack waits for the current one to end.
    pub attack_buffer: u8,
    /// The jump still rises at full speed while the button is held.
    pub rise: u8,
    /// No ladder can be grabbed.
    pub regrab: u8,
    /// It recovers from a hard landing.
    pub land: u8,
}

impl Timers {
    /// Counts all timers down except `rise`, which jumps count themselves.
    pub fn tick(&mut self) {
        let counted =
            [&mut self.coyote, &mut self.jump_buffer, &mut self.attack_buffer, &mut self.regrab, &mut self.land];
        counted.into_iter().for_each(|timer| *timer = timer.saturating_sub(1));
    }
}

/// A character in the simulation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Actor {
    /// Position between its feet.
    pub feet: I64Vec2,
    /// Velocity in metres per second.
    pub velocity: Vec2,
    /// Fractions of grains not moved yet, 0..1.
    pub remainder: Vec2,
    /// Where it faces.
    pub facing: Facing,
    /// Its posture.
    pub stance: Stance,
    /// What supports it.
    pub footing: Footing,
    /// The attack in progress.
    pub attack: Option<Attack>,
    /// Countdowns.
    pub timers: Timers,
    /// Grains walked on the ground so far; forwards is positive.
    pub walked: i64,
    /// Grains climbed so far; up is positive.
    pub climbed: i64,
    /// Grains by which steps lifted it at once and that are still to be shown; decays.
    pub lift: i64,
}

impl Actor {
    /// A character at a position, standing or falling.
    pub fn at(feet: I64Vec2) -> Actor {
        Actor { feet, ..Actor::default() }
    }

    /// Its body in its current stance.
    pub fn body(&self) -> Area {
        body_area(self.feet, self.stance.height())
    }

    /// Its body when standing.
    pub fn standing_body(&self) -> Area {
        body_area(self.feet, Stance::Standing.height())
    }

    /// Its state, which selects its clip.
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
