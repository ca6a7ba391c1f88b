//! Collisions: moves a body through solids, one axis at a time. It stops exactly where it touches, at any speed.

use glam::I64Vec2;

use crate::game::stage::Stage;
use crate::game::units::Area;

/// Whether platforms stop a body that moves down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Platforms {
    /// The body lands on them.
    Solid,
    /// The body passes through them, as on a ladder.
    Passed,
}

/// Returns true if a body overlaps no solid.
pub fn is_free(stage: &Stage, body: &Area) -> bool {
    stage.solids.iter().all(|solid| !solid.overlaps(body))
}

/// How far the body can move sideways: `by`, or less if a solid is in the way.
pub fn room_across(stage: &Stage, body: &Area, by: i64) -> i64 {
    let beside = stage.solids.iter().filter(|solid| solid.overlaps_upward(body));
    if by >= 0 {
        beside.map(|solid| solid.min.x - body.max.x).filter(|&gap| gap >= 0).fold(by, i64::min)
    } else {
        beside.map(|solid| solid.max.x - body.min.x).filter(|&gap| gap <= 0).fold(by, i64::max)
    }
}

/// How far the body can move up or down: `by`, or less if something is in the way.
pub fn room_upward(stage: &Stage, body: &Area, by: i64, platforms: Platforms) -> i64 {
    let over = stage.solids.iter().filter(|solid| solid.overlaps_across(body));
    if by >= 0 {
        return over.map(|solid| solid.min.y - body.max.y).filter(|&gap| gap >= 0).fold(by, i64::min);
    }
    let from_above = match platforms {
        Platforms::Solid => stage.platforms.as_slice(),
        Platforms::Passed => &[],
    };
    let tops = over.chain(from_above.iter().filter(|platform| platform.overlaps_across(body)));
    tops.map(|thing| thing.max.y - body.min.y).filter(|&gap| gap <= 0).fold(by, i64::max)
}

/// What is under a body's feet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Support {
    /// Nothing: it falls.
    None,
    /// Only platforms: Down and Jump drop through them.
    Platform,
    /// A solid.
    Solid,
}

/// What is directly under the body's feet.
pub fn support(stage: &Stage, body: &Area) -> Support {
    let under = |thing: &&Area| thing.overlaps_across(body) && thing.max.y == body.min.y;
    if stage.solids.iter().any(|solid| under(&solid)) {
        Support::Solid
    } else if stage.platforms.iter().any(|platform| under(&platform)) {
        Support::Platform
    } else {
        Support::None
    }
}

/// The smallest sideways movement, at most `reach`, after which a blocked body can rise by `rise`.
pub fn way_around_corner(stage: &Stage, body: &Area, rise: i64, reach: i64) -> Option<i64> {
    let above = body.moved(I64Vec2::new(0, rise));
    let blocking = || stage.solids.iter().filter(|solid| solid.overlaps(&above));
    let right = blocking().map(|solid| solid.max.x - body.min.x).max()?;
    let left = blocking().map(|solid| solid.min.x - body.max.x).min()?;
    let mut ways = [right, left];
    ways.sort_by_key(|way| way.abs());
    ways.into_iter().find(|&way| {
        let beside = body.moved(I64Vec2::new(way, 0));
        let risen = beside.moved(I64Vec2::new(0, rise));
        way.abs() <= reach && is_free(stage, &beside.union(body)) && is_free(stage, &risen)
    })
}

/// The height, at most `reach`, by which the body must be lifted to move sideways by `by`: a low step.
pub fn step_height(stage: &Stage, body: &Area, by: i64, reach: i64) -> Option<i64> {
    let ahead = body.moved(I64Vec2::new(by, 0));
    let top = stage.solids.iter().filter(|solid| solid.overlaps(&ahead)).map(|solid| solid.max.y).max()?;
    let rise = top - body.min.y;
    let lifted = body.moved(I64Vec2::new(0, rise));
    let free = is_free(stage, &lifted.union(body)) && is_free(stage, &lifted.moved(I64Vec2::new(by, 0)));
    (rise <= reach && free).then_some(rise)
}
