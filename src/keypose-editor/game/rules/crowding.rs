//! Characters don't stand in each other: those that do push each other apart, a little in each tick. What collides with walls is as wide
//! for all of them; here they are as wide as they look.

use crate::game::rules::actor::{Actor, BODY_HALF_WIDTH, Footing};
use crate::game::rules::collide::room_across;
use crate::game::rules::foe::Foe;
use crate::game::world::World;
use crate::game::world::stage::Stage;
use crate::game::world::units::{Area, grains};

/// The distance in metres by which one is moved in a tick.
const MAX_PUSH: f32 = 0.1;
/// Half the width of a character of the player's size, in metres.
const HALF_WIDTH: f32 = 0.36;
/// The size above which characters are no stouter, and the growth of half the width per size from there on, in metres: blows still reach
/// them.
const STOUTEST: f32 = 1.7;
const GROWTH: f32 = 0.18;

/// Pushes all of them apart by one tick.
pub fn step(world: &mut World) {
    let stage = world.stage.clone();
    let World { player, foes, .. } = world;
    for foe in foes.iter_mut().filter(|foe| foe.actor.vitals.is_alive()) {
        let size = stage.kinds[foe.kind].size;
        if !passes(player, &foe.actor) {
            push(&stage, (player, 1.0), (&mut foe.actor, size));
        }
    }
    // The number of pairs grows with the square of the foes, and nearly all are far apart: widths are computed once.
    let widths: Vec<i64> = stage.kinds.iter().map(|kind| grains(half_width(kind.size))).collect();
    for at in 1..foes.len() {
        let (before, rest) = foes.split_at_mut(at);
        let own = &mut rest[0];
        for other in before {
            let is_far = (own.actor.feet.x - other.actor.feet.x).abs() > widths[own.kind] + widths[other.kind];
            if is_far || !are_together(own, other) {
                continue;
            }
            let (size, other_size) = (stage.kinds[own.kind].size, stage.kinds[other.kind].size);
            push(&stage, (&mut own.actor, size), (&mut other.actor, other_size));
        }
    }
}

/// Whether the player doesn't touch a foe: one walks past a dummy, but an attack doesn't pass it. One rolls past everyone.
fn passes(player: &Actor, foe: &Actor) -> bool {
    let is_climbing = matches!(player.footing, Footing::Ladder(_));
    let is_passed = player.is_rolling() || (foe.vitals.is_dummy() && player.action.is_none());
    !player.vitals.is_alive() || is_climbing || is_passed || foe.flies
}

/// Whether two foes share the ground, or the air.
fn are_together(own: &Foe, other: &Foe) -> bool {
    let is_pushed = |foe: &Foe| foe.actor.vitals.is_alive() && !foe.actor.vitals.is_dummy();
    is_pushed(own) && is_pushed(other) && own.actor.flies == other.actor.flies
}

/// Half the width of a character of some size, in metres: large ones are stout, and bend far over their blows.
fn half_width(size: f32) -> f32 {
    let stout = size.clamp(1.0, STOUTEST);
    HALF_WIDTH * size.min(STOUTEST) * stout * stout + GROWTH * (size - STOUTEST).max(0.0)
}

/// The space that a character of some size takes up.
fn space(actor: &Actor, size: f32) -> Area {
    let (body, beyond) = (actor.body(), grains(half_width(size)) - grains(BODY_HALF_WIDTH));
    let high = ((body.max.y - body.min.y) as f32 * size).round() as i64;
    let (mut min, mut max) = (body.min, body.max);
    (min.x, max.x, max.y) = (min.x - beyond, max.x + beyond, min.y + high);
    Area { min, max }
}

/// Moves two that stand in each other apart. A dummy stays where it is.
fn push(stage: &Stage, (own, own_size): (&mut Actor, f32), (other, other_size): (&mut Actor, f32)) {
    let (mine, its) = (space(own, own_size), space(other, other_size));
    if !mine.overlaps(&its) {
        return;
    }
    let sign = if own.feet.x < other.feet.x { -1 } else { 1 };
    let overlap = if sign < 0 { mine.max.x - its.min.x } else { its.max.x - mine.min.x };
    let share = if other.vitals.is_dummy() { overlap } else { overlap / 2 + 1 };
    let by = sign * share.min(grains(MAX_PUSH));
    let moved = room_across(stage, &own.body(), by);
    own.feet.x += moved;
    if !other.vitals.is_dummy() {
        // What a wall holds leaves its share to the other one.
        other.feet.x += room_across(stage, &other.body(), moved - 2 * by);
    }
}

#[cfg(test)]
mod tests {
    use glam::I64Vec2;

    use super::*;
    use keypose::assets::level::{Level, Rect};

    fn stage(walls: Vec<Rect>) -> Stage {
        Stage::new(Level { solids: walls, ..Level::default() }.into())
    }

    #[test]
    fn two_stand_apart_by_their_sizes_and_one_at_a_wall_stays_outside_of_it() {
        let floor = Rect::new(-20.0, -1.0, 20.0, 0.0);
        for (walls, free) in [(vec![floor], true), (vec![floor, Rect::new(-2.0, 0.0, -0.3, 3.0)], false)] {
            let stage = stage(walls);
            let mut own = Actor::at(I64Vec2::ZERO);
            let mut chief = Actor::at(I64Vec2::new(grains(0.1), 0));
            let start = (own.feet, chief.feet);
            for _ in 0..40 {
                push(&stage, (&mut own, 1.0), (&mut chief, 1.35));
            }
            let apart = chief.feet.x - own.feet.x;
            assert!((apart - grains(half_width(1.0) + half_width(1.35))).abs() <= 4, "{apart}");
            assert_eq!(own.feet.x < start.0.x, free, "{:?}", own.feet);
            push(&stage, (&mut own, 1.0), (&mut chief, 1.35));
            assert_eq!(chief.feet.x - own.feet.x, apart, "it stops");
        }
    }
}
