//! Spikes: who touches them is hurt and thrown up and away.

use glam::Vec2;

use crate::game::rules::actor::Facing;
use crate::game::rules::combat::{PLAYER_SAFE_TICKS, actor, actor_mut, can_be_hit, knock};
use crate::game::world::World;
use crate::game::world::news::News;
use crate::game::world::units::metres_of;
use keypose::assets::combat::Strike;

/// Points of damage.
const DAMAGE: u16 = 20;
/// Ticks for which who touches them stands still.
const STOP_TICKS: u16 = 5;
/// Ticks for which it can't act then.
const STUN_TICKS: u16 = 18;
/// Ticks after that for which nothing hits a foe.
const FOE_SAFE_TICKS: u16 = 12;
/// The speed of the throw, in metres per second: away from the middle of the spikes, and up.
const THROW: Vec2 = Vec2::new(2.6, 6.2);

/// Hurts the player and the foes that touch spikes. Training dummies don't mind.
pub fn step(world: &mut World) {
    let stage = world.stage.clone();
    if stage.spikes.is_empty() {
        return;
    }
    for target in 0..=world.foes.len() {
        let touching = actor(world, target);
        let body = touching.body();
        let can_be_hit = can_be_hit(world, target) && !touching.vitals.is_dummy();
        if let Some(spikes) = stage.spikes.iter().find(|spikes| can_be_hit && spikes.overlaps(&body)) {
            // They act like an attacker in their middle.
            let facing = if touching.feet.x < spikes.middle() { Facing::Left } else { Facing::Right };
            hurt(world, target, facing);
        }
    }
}

fn hurt(world: &mut World, target: usize, facing: Facing) {
    let strike = Strike { damage: DAMAGE, stop: STOP_TICKS, stun: STUN_TICKS, ..Strike::default() };
    let actor = actor_mut(world, target);
    actor.vitals.take(&strike);
    actor.vitals.safe = STUN_TICKS + if target == 0 { PLAYER_SAFE_TICKS } else { FOE_SAFE_TICKS };
    knock(actor, THROW * Vec2::new(facing.sign(), 1.0), facing);
    let (place, is_alive) = (metres_of(actor.feet) + Vec2::new(0.0, 0.4), actor.vitals.is_alive());
    world.hits_taken += u32::from(target == 0);
    world.news.push(News::Hit { target, place, damage: DAMAGE, facing });
    if !is_alive {
        world.news.push(News::Death { target, place });
    }
}
