//! Collisions: moves a body through solids, one axis at a time. It stops exactly where it touches, at any speed.

use glam::I64Vec2;

use crate::game::rules::ramp::Ramp;
use crate::game::world::stage::Stage;
use crate::game::world::units::Area;

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
    stage.solids.iter().all(|solid| !solid.overlaps(body)) && stage.ramps.iter().all(|ramp| !ramp.overlaps(body))
}

/// How far the body can move sideways: `by`, or less if a solid is in the way.
pub fn room_across(stage: &Stage, body: &Area, by: i64) -> i64 {
    let beside = stage.solids.iter().filter(|solid| solid.overlaps_upward(body));
    let ramps = stage.ramps.iter().filter(|ramp| ramp.area.overlaps_upward(body));
    if by >= 0 {
        let stop = |ramp: &Ramp| if ramp.rises_left { ramp.area.min.x } else { ramp.stop_at(body.min.y) };
        let stops = beside.map(|solid| solid.min.x).chain(ramps.map(stop));
        stops.map(|stop| stop - body.max.x).filter(|&gap| gap >= 0).fold(by, i64::min)
    } else {
        let stop = |ramp: &Ramp| if ramp.rises_left { ramp.stop_at(body.min.y) } else { ramp.area.max.x };
        let stops = beside.map(|solid| solid.max.x).chain(ramps.map(stop));
        stops.map(|stop| stop - body.min.x).filter(|&gap| gap <= 0).fold(by, i64::max)
    }
}

/// How far the body can move up or down: `by`, or less if something is in the way.
pub fn room_upward(stage: &Stage, body: &Area, by: i64, platforms: Platforms) -> i64 {
    let over = stage.solids.iter().filter(|solid| solid.overlaps_across(body));
    let ramps = stage.ramps.iter().filter(|ramp| ramp.area.overlaps_across(body));
    if by >= 0 {
        let undersides = over.map(|solid| solid.min.y).chain(ramps.map(|ramp| ramp.area.min.y));
        return undersides.map(|underside| underside - body.max.y).filter(|&gap| gap >= 0).fold(by, i64::min);
    }
    let from_above = match platforms {
        Platforms::Solid => stage.platforms.as_slice(),
        Platforms::Passed => &[],
    };
    let tops = over.chain(from_above.iter().filter(|platform| platform.overlaps_across(body)));
    let tops = tops.map(|thing| thing.max.y).chain(ramps.map(|ramp| ramp.top_under(body)));
    tops.map(|top| top - body.min.y).filter(|&gap| gap <= 0).fold(by, i64::max)
}

/// The kind of surface under a body's feet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Support {
    /// Nothing: it falls.
    None,
    /// Only platforms: Down and Jump drop through them.
    Platform,
    /// A solid or a slope.
    Solid,
}

/// Returns the surface directly under the body's feet.
pub fn support(stage: &Stage, body: &Area) -> Support {
    let under = |thing: &&Area| thing.overlaps_across(body) && thing.max.y == body.min.y;
    if stage.solids.iter().any(|solid| under(&solid)) || stage.ramps.iter().any(|ramp| ramp.holds(body)) {
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
    let ramps = || stage.ramps.iter().filter(|ramp| ramp.overlaps(&above)).map(|ramp| &ramp.area);
    let blocking = || stage.solids.iter().filter(|solid| solid.overlaps(&above)).chain(ramps());
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
    let boxes = stage.solids.iter().filter(|solid| solid.overlaps(&ahead)).map(|solid| solid.max.y);
    let ramps = stage.ramps.iter().filter(|ramp| ramp.overlaps(&ahead)).map(|ramp| ramp.top_under(&ahead));
    let top = boxes.chain(ramps).max()?;
    let rise = top - body.min.y;
    let lifted = body.moved(I64Vec2::new(0, rise));
    let free = is_free(stage, &lifted.union(body)) && is_free(stage, &lifted.moved(I64Vec2::new(by, 0)));
    (rise <= reach && free).then_some(rise)
}

/// Whether only slopes are in the way of a body that moves sideways.
pub fn meets_only_ramps(stage: &Stage, body: &Area, by: i64) -> bool {
    let ahead = body.moved(I64Vec2::new(by, 0));
    stage.solids.iter().all(|solid| !solid.overlaps(&ahead))
}
