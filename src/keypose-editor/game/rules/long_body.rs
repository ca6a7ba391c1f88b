//! Where a body stands that is longer than what collides: beside walls it is farther from them, so that its nose or its tail isn't in
//! them. It is drawn and hit there; what collides stays at its place.

use glam::I64Vec2;

use crate::game::rules::actor::Actor;
use crate::game::rules::collide::room_across;
use crate::game::world::stage::Stage;
use crate::game::world::units::{Area, grains};
use keypose::assets::fit::Fit;

/// The largest movement in a tick, in metres.
const STEP: f32 = 0.12;
/// A block that is lower than this over the feet, in metres, is a step, not a wall.
const WALL: f32 = 0.45;

/// Moves a character aside by one tick.
pub fn step(actor: &mut Actor, stage: &Stage, fit: &Fit) {
    let way = aside(actor, stage, fit) - actor.aside;
    actor.aside += way.clamp(-grains(STEP), grains(STEP));
}

/// How far to the right a body stands from its place, in grains.
fn aside(actor: &Actor, stage: &Stage, fit: &Fit) -> i64 {
    let body = actor.body();
    let [half, high] = [0.5 * fit.length, fit.height].map(|side| grains(side * fit.scale));
    let beyond = half - (body.max.x - body.min.x) / 2;
    let low = body.min.y + grains(WALL);
    if fit.length <= fit.height || beyond <= 0 {
        return 0;
    }
    let trunk =
        Area { min: I64Vec2::new(body.min.x, low), max: I64Vec2::new(body.max.x, (body.min.y + high).max(low + 1)) };
    let right = beyond - room_across(stage, &trunk, beyond);
    let left = beyond + room_across(stage, &trunk, -beyond);
    if left > 0 && right > 0 { (left - right) / 2 } else { left - right }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::world::units::metres;
    use glam::Vec2;
    use keypose::assets::level::{Level, Rect};

    #[test]
    fn a_long_body_stands_off_walls_and_a_short_one_at_its_place() {
        let wall = |from: f32, high: f32| Rect { min: Vec2::new(from, 0.0), max: Vec2::new(from + 1.0, high) };
        let fox = Fit { scale: 0.5, height: 2.0, length: 4.0, ..Fit::default() };
        let body = Actor::at(I64Vec2::ZERO).body();
        let half = metres(body.max.x);
        let at = |walls: Vec<Rect>, fit: &Fit| {
            let stage = Stage::new(Level { solids: walls, ..Level::default() }.into());
            metres(aside(&Actor::at(I64Vec2::ZERO), &stage, fit))
        };
        assert_eq!(at(vec![], &fox), 0.0);
        assert!((at(vec![wall(half, 2.0)], &fox) - (half - 1.0)).abs() < 0.01, "its nose touches the wall");
        assert!((at(vec![wall(-1.5, 2.0)], &fox) - 0.5).abs() < 0.01, "its tail does");
        assert!(at(vec![wall(0.6, 2.0), wall(-1.6, 2.0)], &fox).abs() < 0.01, "it doesn't fit between them");
        assert_eq!(at(vec![wall(half, 0.3)], &fox), 0.0, "it stands over a low step");
        assert_eq!(at(vec![wall(half, 2.0)], &Fit { length: 1.0, ..fox }), 0.0);
    }
}
