//! A character in the simulation, the player or a foe: position, speed and state. The animator shows it.

use glam::{I64Vec2, Vec2};

use crate::game::rules::combat::moves::ActHit;
use crate::game::rules::combat::vitals::Vitals;
use crate::game::world::stage::body_area;
use crate::game::world::units::{Area, grains};
use keypose::assets::default_machine::STILL_SPEED;
pub use keypose::assets::fit::STANDING_HEIGHT;
use keypose::assets::machine::State;

/// Half the width of a character's body in metres, for every model.
pub const BODY_HALF_WIDTH: f32 = 0.3;
/// The height of a crouching body in metres.
pub const CROUCHING_HEIGHT: f32 = 1.1;
/// The height of a crouch without a clip of its own, as a part of the height of the standing character.
pub const SQUASH: f32 = 0.66;
/// An action's recovery starts after this many tenths of its ticks. Walking, jumping and another action interrupt it.
const RECOVERY_TENTHS: u16 = 6;
/// Faster than this, in metres per second, the character runs.
pub const RUNNING: f32 = 3.3;

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

    /// The other side.
    pub fn opposite(self) -> Facing {
        match self {
            Facing::Left => Facing::Right,
            Facing::Right => Facing::Left,
        }
    }
}

/// The posture of a character.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stance {
    /// At full height.
    #[default]
    Standing,
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

/// The grip on a ladder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hold {
    /// Index into the stage's ladders.
    pub ladder: usize,
    /// Ticks until it is at the centre of the ladder.
    pub snap_ticks: u8,
    /// Ticks for which only left or right was pressed.
    pub side_ticks: u8,
    /// The x of its feet on the ground onto which it steps from the end of the ladder.
    pub onto: Option<i64>,
}

/// The support of a character.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Footing {
    /// Nothing: it is in the air.
    #[default]
    Air,
    /// A solid or a platform under its feet.
    Ground,
    Ladder(Hold),
}

/// An attack or a roll in progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Action {
    /// Which one: one of [`State::ACTIONS`].
    pub state: State,
    /// Ticks since its start.
    pub tick: u16,
    /// Duration in ticks.
    pub length: u16,
    /// Whether anything was hit.
    pub has_hit: bool,
    /// Whether this is an attack on the run: legs run on, and layers show the attack.
    pub runs: bool,
}

/// A hit that counted, so that it doesn't count again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touch {
    /// The player is 0, foes follow.
    pub target: u16,
    /// The group of the hit.
    pub group: u8,
    /// The tick of the attack.
    pub tick: u16,
}

/// Where a character is and what it does, for sampling its clip.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stand {
    /// Position between its feet.
    pub feet: I64Vec2,
    pub facing: Facing,
    pub state: State,
    /// Ticks since the state began.
    pub tick: u32,
}

/// How long a state has lasted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    pub state: State,
    /// Ticks since it began.
    pub tick: u32,
}

/// Actions that may interrupt the one in progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Freedom {
    /// Walking.
    pub walk: bool,
    pub jump: bool,
}

impl Default for Freedom {
    fn default() -> Freedom {
        Freedom { walk: true, jump: true }
    }
}

impl Action {
    /// Whether the action is in its last part.
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
    /// A pressed roll waits for the ground, or for an attack to end.
    pub roll_buffer: u8,
    /// No roll begins.
    pub reroll: u8,
    /// The jump still rises at full speed while the button is held.
    pub rise: u8,
    /// No ladder can be grabbed.
    pub regrab: u8,
    /// Ticks of recovery from a hard landing.
    pub land: u8,
}

impl Timers {
    /// Counts all timers down except `rise`, which jumps count themselves.
    pub fn tick(&mut self) {
        let buffers = [&mut self.jump_buffer, &mut self.attack_buffer, &mut self.roll_buffer];
        let counted = [&mut self.coyote, &mut self.reroll, &mut self.regrab, &mut self.land].into_iter().chain(buffers);
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
    pub facing: Facing,
    pub stance: Stance,
    pub footing: Footing,
    /// The attack or roll in progress.
    pub action: Option<Action>,
    /// Countdowns.
    pub timers: Timers,
    /// Grains walked on the ground so far; forwards is positive.
    pub walked: i64,
    /// Grains climbed so far; up is positive.
    pub climbed: i64,
    /// Grains by which steps lifted it at once and that are still to be shown; decays.
    pub lift: i64,
    /// Grains by which the ground under its middle is below its feet, on a slope. It is drawn, and hit, that much lower.
    pub sink: i64,
    /// Grains by which a body that is longer than what collides stands to the right of its place, so that it isn't in a wall.
    pub aside: i64,
    /// Speed relative to the player's.
    pub pace: Pace,
    /// Health, stun and the like.
    pub vitals: Vitals,
    /// How long its state has lasted.
    pub clock: Clock,
    /// Position and state before the last tick.
    pub before: Stand,
    pub freedom: Freedom,
    /// The hits of the attack in progress that counted.
    pub touched: Vec<Touch>,
    /// Whether the character stood still in a hit in the last tick.
    pub is_held: bool,
    /// Whether the character flies: nothing pulls it down.
    pub flies: bool,
    /// Whether foes don't notice it.
    pub is_unnoticed: bool,
}

/// A factor of walking speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace(pub f32);

impl Default for Pace {
    fn default() -> Pace {
        Pace(1.0)
    }
}

impl Actor {
    /// A character at a position, standing or falling.
    pub fn at(feet: I64Vec2) -> Actor {
        let before = Stand { feet, ..Stand::default() };
        Actor { feet, before, ..Actor::default() }
    }

    /// The body in the current stance.
    pub fn body(&self) -> Area {
        body_area(self.feet, self.stance.height())
    }

    /// The body when standing.
    pub fn standing_body(&self) -> Area {
        body_area(self.feet, Stance::Standing.height())
    }

    /// Where the middle of its feet is drawn: on the ground, or a little off it for the ticks after a step.
    pub fn drawn_feet(&self) -> I64Vec2 {
        self.feet + I64Vec2::new(self.aside, self.lift - self.sink)
    }

    pub fn is_rolling(&self) -> bool {
        self.action.is_some_and(|action| action.state == State::Roll)
    }

    /// Position and state.
    pub fn stand(&self) -> Stand {
        let feet = self.feet + I64Vec2::new(self.aside, -self.sink);
        Stand { feet, facing: self.facing, state: self.clock.state, tick: self.clock.tick }
    }

    /// Counts how long the state has lasted, after a tick. The ticks of an action are those of the clip.
    pub fn count_state(&mut self) {
        let state = self.state();
        let continued = if self.clock.state == state { self.clock.tick.saturating_add(1) } else { 0 };
        let tick = self.action.map_or(continued, |action| u32::from(action.tick));
        self.clock = Clock { state, tick };
    }

    /// Whether a hit of the attack in progress already counted for a target, and doesn't count again yet.
    pub fn has_touched(&self, target: usize, hit: &ActHit) -> bool {
        let now = self.action.map_or(0, |action| action.tick);
        let is_same = |touch: &&Touch| usize::from(touch.target) == target && touch.group == hit.group;
        let last = self.touched.iter().rev().find(is_same);
        last.is_some_and(|last| hit.again == 0 || now.saturating_sub(last.tick) < hit.again)
    }

    /// Uses up groups of hits against a target without an effect.
    pub fn spend(&mut self, target: usize, groups: &[u8]) {
        let tick = self.action.map_or(0, |action| action.tick);
        self.touched.extend(groups.iter().map(|&group| Touch { target: target as u16, group, tick }));
    }

    /// The state, which selects the clip.
    pub fn state(&self) -> State {
        let speed = self.velocity.x.abs();
        let action = self.action.map(|action| action.state);
        match self.footing {
            _ if !self.vitals.is_alive() => State::Die,
            _ if self.vitals.stun > 0 => State::Hurt,
            Footing::Ladder(_) => State::Climb,
            Footing::Air | Footing::Ground if action.is_some() => action.unwrap_or_default(),
            Footing::Air if self.flies && speed > STILL_SPEED => State::Walk,
            Footing::Air if self.flies => State::Idle,
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
