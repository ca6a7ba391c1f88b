//! Walking, jumping, falling and crouching: from buttons to velocity, and from velocity to position.

use glam::I64Vec2;

use crate::game::input::Buttons;
use crate::game::rules::actor::{Actor, Facing, Footing, Stance};
use crate::game::rules::collide::{self, Platforms, Support};
use crate::game::rules::ramp;
use crate::game::world::stage::Stage;
use crate::game::world::units::{GRAINS_PER_METRE, TICK_SECS, grains};
pub use keypose::assets::default_machine::{RUN_SPEED, WALK_SPEED};
pub use keypose::assets::rig_notes::GRAVITY;

/// Metres per second.
const CRAWL_SPEED: f32 = 1.1;
/// Metres per second, per second.
const ACCELERATION: f32 = 30.0;
/// Metres per second, per second.
const BRAKING: f32 = 42.0;
/// Braking while thrown back by a hit.
const STUNNED_BRAKING: f32 = 11.0;
/// The fraction of both in the air.
const AIR_CONTROL: f32 = 0.65;
/// Metres per second at the start of a jump, and while it rises.
pub const JUMP_SPEED: f32 = 7.0;
/// Ticks for which a held jump rises without losing speed.
const RISE_TICKS: u8 = 12;
/// A held jump that is slower than this, in metres per second, is at its apex and has half gravity.
const APEX_SPEED: f32 = 1.8;
/// Metres per second.
pub const MAX_FALL_SPEED: f32 = 15.0;
/// A fall that is at least this fast, in metres per second, ends in a hard landing.
const HARD_LANDING: f32 = 6.5;
/// Duration of a hard landing in ticks.
const LAND_TICKS: u8 = 12;
/// Upward and downward speed of what flies, in metres per second.
const FLY_SPEED: f32 = 2.6;
/// Metres per second, per second.
const FLY_ACCELERATION: f32 = 14.0;
/// Ticks after leaving the ground in which a jump is still possible.
pub const COYOTE_TICKS: u8 = 6;
/// Ticks for which a pressed jump or attack is remembered.
pub const BUFFER_TICKS: u8 = 5;
/// Metres by which a body is moved sideways so that its head passes a corner.
const CORNER_REACH: f32 = 0.25;
/// Height of steps, in metres, that are walked up and down without a jump.
const STEP_REACH: f32 = 0.4;

/// An event of a tick that is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MoveEvent {
    /// Nothing.
    #[default]
    None,
    /// The player jumped.
    Jumped,
    /// The player landed hard.
    Landed,
}

/// Updates horizontal speed and facing.
pub fn steer(actor: &mut Actor, held: Buttons) {
    let runs = actor.action.is_some_and(|action| action.runs);
    // Attacking on the run, it doesn't turn back.
    let goes_back = runs && held.across() * actor.facing.sign() < 0.0;
    let across = if is_rooted(actor) || goes_back { 0.0 } else { held.across() };
    let top = match (actor.stance, held.has(Buttons::RUN)) {
        (Stance::Crouched, _) => CRAWL_SPEED,
        (Stance::Standing, true) => RUN_SPEED,
        (Stance::Standing, false) => WALK_SPEED,
    };
    let target = across * top * actor.pace.0;
    let is_faster = target * actor.velocity.x >= 0.0 && target.abs() > actor.velocity.x.abs();
    let rate = match is_faster {
        true => ACCELERATION,
        false if actor.vitals.can_act() => BRAKING,
        false => STUNNED_BRAKING,
    };
    let control = if actor.footing == Footing::Ground || actor.flies { 1.0 } else { AIR_CONTROL };
    actor.velocity.x = towards(actor.velocity.x, target, rate * control * TICK_SECS);
    if across != 0.0 && actor.footing == Footing::Ground && !runs {
        // Walking interrupts the recovery.
        actor.action = None;
    }
    if across != 0.0 && actor.action.is_none() {
        actor.facing = if across > 0.0 { Facing::Right } else { Facing::Left };
    }
}

/// Whether an action on the ground does not let it walk yet.
fn is_rooted(actor: &Actor) -> bool {
    actor.footing == Footing::Ground && actor.action.is_some_and(|action| !action.runs) && !actor.freedom.walk
}

fn towards(value: f32, target: f32, step: f32) -> f32 {
    if value < target { (value + step).min(target) } else { (value - step).max(target) }
}

/// Down crouches on the ground, and a roll is as low. It stands up after it if there is room.
pub fn crouch(actor: &mut Actor, stage: &Stage, held: Buttons) {
    if actor.flies {
        // Its body is small, and in the air.
        (actor.stance, actor.footing) = (Stance::Crouched, Footing::Air);
    } else if actor.footing == Footing::Ground && (held.has(Buttons::DOWN) || actor.is_rolling()) {
        actor.stance = Stance::Crouched;
    } else if actor.stance == Stance::Crouched && collide::is_free(stage, &actor.standing_body()) {
        actor.stance = Stance::Standing;
    }
}

/// Starts a pressed jump from the ground or just after leaving it. With Down held, drops through a platform.
pub fn jump(actor: &mut Actor, stage: &Stage, held: Buttons) -> MoveEvent {
    let is_grounded = actor.footing == Footing::Ground;
    let is_bound = is_grounded && actor.action.is_some() && !actor.freedom.jump;
    if actor.timers.jump_buffer == 0 || is_bound || !(is_grounded || actor.timers.coyote > 0) {
        return MoveEvent::None;
    }
    if is_grounded && held.has(Buttons::DOWN) && collide::support(stage, &actor.body()) == Support::Platform {
        actor.timers.jump_buffer = 0;
        actor.feet.y -= 1;
        actor.footing = Footing::Air;
        return MoveEvent::None;
    }
    if !collide::is_free(stage, &actor.standing_body()) {
        return MoveEvent::None;
    }
    if is_grounded {
        actor.action = None;
    }
    actor.stance = Stance::Standing;
    actor.timers.jump_buffer = 0;
    actor.timers.coyote = 0;
    launch(actor, JUMP_SPEED);
    actor.timers.rise = RISE_TICKS;
    MoveEvent::Jumped
}

/// Leaves the ground or the ladder upwards.
pub fn launch(actor: &mut Actor, speed: f32) {
    actor.footing = Footing::Air;
    actor.velocity.y = speed;
    actor.remainder.y = 0.0;
    actor.timers.land = 0;
}

/// Applies gravity, and the rise of a held jump.
pub fn fall(actor: &mut Actor, held: Buttons) {
    if actor.footing != Footing::Air {
        return;
    }
    if actor.flies {
        let target = held.upward() * FLY_SPEED;
        actor.velocity.y = towards(actor.velocity.y, target, FLY_ACCELERATION * TICK_SECS);
        return;
    }
    let is_held = held.has(Buttons::JUMP | Buttons::UP);
    if !is_held {
        actor.timers.rise = 0;
    }
    if actor.timers.rise > 0 {
        actor.timers.rise -= 1;
        return;
    }
    let at_apex = is_held && actor.velocity.y.abs() < APEX_SPEED;
    let gravity = if at_apex { GRAVITY * 0.5 } else { GRAVITY };
    actor.velocity.y = (actor.velocity.y - gravity * TICK_SECS).max(-MAX_FALL_SPEED);
}

/// Moves by the velocity, first sideways, then vertically, and updates what supports the player.
pub fn travel(actor: &mut Actor, stage: &Stage) -> MoveEvent {
    let before = (actor.feet, actor.sink, actor.footing);
    travel_across(actor, stage);
    let event = match actor.footing {
        Footing::Air => travel_upward(actor, stage),
        _ => {
            stay_down(actor, stage);
            MoveEvent::None
        }
    };
    let on_ground = actor.footing == Footing::Ground;
    actor.sink = if on_ground { ramp::sink(stage, &actor.body()) } else { 0 };
    smooth_view(actor, before);
    event
}

/// Smooths the drawn height: it follows a slope at once, and takes a step, or the depth of a slope under it, in a few ticks.
fn smooth_view(actor: &mut Actor, (feet, sink, footing): (I64Vec2, i64, Footing)) {
    let sunk = actor.sink - sink;
    if actor.footing != Footing::Ground || footing != Footing::Ground {
        actor.lift += sunk;
        return;
    }
    let (across, rise) = ((actor.feet.x - feet.x).abs(), actor.feet.y - feet.y - sunk);
    let followed = if actor.sink == 0 && sink == 0 { 0 } else { rise.clamp(-across, across) };
    actor.lift -= rise - followed;
}

fn travel_across(actor: &mut Actor, stage: &Stage) {
    let is_grounded = actor.footing == Footing::Ground;
    // As fast along a slope as on the flat.
    let flatness = if is_grounded { ramp::flatness(stage, &actor.body()) } else { 1.0 };
    let by = whole_grains(actor.velocity.x * flatness, &mut actor.remainder.x);
    let room = collide::room_across(stage, &actor.body(), by);
    actor.feet.x += room;
    let mut gone = room.abs();
    if room != by {
        let rest = by - room;
        let step = match is_grounded {
            true => collide::step_height(stage, &actor.body(), rest, grains(STEP_REACH)),
            // In the air it slides up a slope, and no step.
            false => collide::step_height(stage, &actor.body(), rest, rest.abs() + 1)
                .filter(|_| collide::meets_only_ramps(stage, &actor.body(), rest)),
        };
        match step {
            Some(rise) => {
                actor.feet += I64Vec2::new(rest, rise);
                gone += rest.abs();
            }
            None => {
                actor.velocity.x = 0.0;
                actor.remainder.x = 0.0;
            }
        }
    }
    if is_grounded {
        actor.walked += (gone as f32 / flatness).round() as i64;
    }
}

/// Follows the ground down a low step, or starts to fall.
fn stay_down(actor: &mut Actor, stage: &Stage) {
    let body = actor.body();
    if collide::support(stage, &body) != Support::None {
        return;
    }
    let reach = grains(STEP_REACH);
    let drop = collide::room_upward(stage, &body, -reach, Platforms::Solid);
    let below = body.moved(I64Vec2::new(0, drop));
    if collide::support(stage, &below) == Support::None {
        actor.footing = Footing::Air;
        actor.velocity.y = 0.0;
        actor.timers.coyote = COYOTE_TICKS;
        return;
    }
    actor.feet.y += drop;
}

fn travel_upward(actor: &mut Actor, stage: &Stage) -> MoveEvent {
    let by = whole_grains(actor.velocity.y, &mut actor.remainder.y);
    let mut room = collide::room_upward(stage, &actor.body(), by, Platforms::Solid);
    if by > 0 && room < by {
        let way = collide::way_around_corner(stage, &actor.body(), by, grains(CORNER_REACH));
        if let Some(way) = way.filter(|&way| way as f32 * actor.velocity.x >= 0.0) {
            actor.feet.x += way;
            room = by;
        }
    }
    actor.feet.y += room;
    if room == by && !(by <= 0 && collide::support(stage, &actor.body()) != Support::None) {
        return MoveEvent::None;
    }
    let speed = actor.velocity.y;
    actor.velocity.y = 0.0;
    actor.remainder.y = 0.0;
    actor.timers.rise = 0;
    if by > 0 {
        return MoveEvent::None;
    }
    actor.footing = Footing::Ground;
    if speed > -HARD_LANDING {
        return MoveEvent::None;
    }
    actor.timers.land = LAND_TICKS;
    MoveEvent::Landed
}

/// The whole grains of one tick at a speed. The remainder is kept for the next tick.
pub fn whole_grains(speed: f32, remainder: &mut f32) -> i64 {
    let exact = speed * TICK_SECS * GRAINS_PER_METRE as f32 + *remainder;
    let whole = exact.floor();
    *remainder = exact - whole;
    whole as i64
}
