//! Platforms that move. Where they are is a function of the tick, and they carry who stands on them.

use std::sync::Arc;

use glam::I64Vec2;

use crate::game::rules::actor::{Actor, Footing};
use crate::game::rules::collide::{Platforms, room_across, room_upward};
use crate::game::world::World;
use crate::game::world::stage::Stage;
use crate::game::world::units::{Area, grains_of};
use keypose::assets::level::mover::Mover;

/// Ticks in a second.
const TICK_RATE: f32 = 60.0;

/// A platform that moves, in whole grains and ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lift {
    /// Bounding box at the start.
    area: Area,
    /// The way to its other end.
    way: I64Vec2,
    /// Ticks of one way, at least 1.
    ticks: i64,
    /// Ticks at each end.
    pause: i64,
}

impl Lift {
    /// Converts a platform. `None` if it has no area; its times are clamped to their ranges.
    pub fn of(mover: &Mover) -> Option<Lift> {
        let within = |secs: f32, [low, high]: [f32; 2]| if secs.is_nan() { low } else { secs.clamp(low, high) };
        let way = if mover.way.is_finite() { mover.way } else { glam::Vec2::ZERO };
        let mover = Mover { way, secs: within(mover.secs, Mover::SECS), ..*mover }.slowed();
        let ticks = |secs: f32| (secs * TICK_RATE).round() as i64;
        let pause = ticks(within(mover.pause, Mover::PAUSE));
        Some(Lift { area: Area::of(&mover.rect)?, way: grains_of(mover.way), ticks: ticks(mover.secs).max(1), pause })
    }

    /// The bounding box at a tick: the lift pauses, moves, pauses and comes back.
    pub fn area_at(&self, tick: u64) -> Area {
        let half = self.ticks + self.pause;
        let at = (tick % (2 * half) as u64) as i64;
        let (at, is_back) = if at < half { (at, false) } else { (at - half, true) };
        let part = (at - self.pause).max(0) as f64 / self.ticks as f64;
        let eased = part * part * (3.0 - 2.0 * part);
        let out = if is_back { 1.0 - eased } else { eased };
        let along = |way: i64| (way as f64 * out).round() as i64;
        self.area.moved(I64Vec2::new(along(self.way.x), along(self.way.y)))
    }

    /// The box around all of its way.
    pub fn reach(&self) -> Area {
        self.area.union(&self.area.moved(self.way))
    }
}

/// Moves all of them to where they are in this tick, with those who stand on them.
pub fn step(world: &mut World) {
    let [before, now] = [world.tick.saturating_sub(1), world.tick];
    let moves: Vec<[Area; 2]> = world.stage.lifts.iter().map(|lift| [before, now].map(|at| lift.area_at(at))).collect();
    if moves.is_empty() {
        return;
    }
    let places: Vec<Area> = moves.iter().map(|[_, now]| *now).collect();
    if world.stage.lift_places() != places {
        Arc::make_mut(&mut world.stage).set_lift_places(&places);
    }
    let stage = world.stage.clone();
    let foes = world.foes.iter_mut().map(|foe| &mut foe.actor);
    for actor in std::iter::once(&mut world.player).chain(foes) {
        // One platform carries it.
        let _ = moves.iter().any(|of| carry(actor, &stage, of));
    }
}

/// Moves who stands on a platform, or whose feet it passes on its way up. Returns whether it did.
fn carry(actor: &mut Actor, stage: &Stage, [before, now]: &[Area; 2]) -> bool {
    let (body, by) = (actor.body(), now.min - before.min);
    let feet = body.min.y;
    let stands = actor.footing == Footing::Ground && feet == before.max.y && before.overlaps_across(&body);
    let is_level = actor.footing == Footing::Ground || actor.velocity.y <= 0.0;
    let can_stand = is_level && !actor.flies && !matches!(actor.footing, Footing::Ladder(_));
    let is_passed = can_stand && now.overlaps_across(&body) && (before.max.y..now.max.y).contains(&feet);
    if by == I64Vec2::ZERO || !(stands || is_passed) {
        return false;
    }
    if stands {
        actor.feet.x += room_across(stage, &body, by.x);
    }
    let rise = now.max.y - feet;
    let how = if rise > 0 { Platforms::Passed } else { Platforms::Solid };
    actor.feet.y += room_upward(stage, &actor.body(), rise, how);
    true
}
