//! Ladders: grabbed with Up or Down, climbed, and left by a jump, at either end or to a side. From the upper end one steps onto the ground
//! beside it, and from there onto the ladder again.

use glam::{I64Vec2, Vec2};

use crate::game::input::Buttons;
use crate::game::rules::actor::{Actor, BODY_HALF_WIDTH, Facing, Footing, Hold, Stance};
use crate::game::rules::collide::{self, Platforms};
use crate::game::rules::locomotion::{JUMP_SPEED, WALK_SPEED, launch, whole_grains};
use crate::game::world::stage::{Stage, body_area};
use crate::game::world::units::{Area, grains};

/// Speed in metres per second.
const CLIMB_SPEED: f32 = 2.0;
/// Ticks for moving to the ladder's centre.
const SNAP_TICKS: u8 = 6;
/// Ticks after leaving a ladder in which none can be grabbed.
const REGRAB_TICKS: u8 = 15;
/// Ticks that left or right must stay pressed to release the ladder.
const SIDE_TICKS: u8 = 8;
/// Height of the hands above the feet in metres.
const CHEST: f32 = 1.0;
/// Distance in metres from which a ladder can be reached.
const SIDE_REACH: f32 = 0.12;
/// Ground that is at most this far beside the end of a ladder, in metres, is stepped onto from there.
const LANDING_GAP: f32 = 0.3;
/// The way in a tick of one who steps onto it, in metres.
const STEP_OFF: f32 = 0.1;
/// One who is less than this below the end, in metres, turns to that ground.
const TURN_BELOW: f32 = 0.85;

/// The ladder that Up would grab.
fn within_reach(actor: &Actor, stage: &Stage) -> Option<usize> {
    let chest = actor.feet.y + grains(CHEST);
    let found = |ladder: &Area| {
        is_beside(actor, ladder) && (ladder.min.y..=ladder.max.y).contains(&chest) && can_hang(actor, stage, ladder, 0)
    };
    nearest(actor, stage, found)
}

/// The ladder that Down would grab: one that continues below the feet.
pub fn below(actor: &Actor, stage: &Stage) -> Option<usize> {
    let feet = actor.feet.y;
    let found = |ladder: &Area| {
        let continues_below = ladder.min.y < feet - grains(0.1) && feet <= ladder.max.y;
        let is_in_reach = is_beside(actor, ladder) || is_before_end(actor, stage, ladder);
        is_in_reach && continues_below && can_hang(actor, stage, ladder, -1)
    };
    nearest(actor, stage, found)
}

/// Whether its feet are on the ground beside the end of a ladder, no farther away than one steps from there.
fn is_before_end(actor: &Actor, stage: &Stage, ladder: &Area) -> bool {
    let across = actor.feet.x - ladder.middle();
    let reach = grains(LANDING_GAP + BODY_HALF_WIDTH + SIDE_REACH) + (ladder.max.x - ladder.min.x) / 2;
    if actor.feet.y != ladder.max.y || across.abs() > reach {
        return false;
    }
    let towards = if across < 0 { Facing::Left } else { Facing::Right };
    let way = landing(stage, ladder, towards).map(|x| x - ladder.middle());
    way.is_some_and(|way| way.signum() == across.signum() && across.abs() <= way.abs() + grains(SIDE_REACH))
}

/// Where feet are after the step from the upper end of a ladder: the x, in grains, of the ground beside it, on the side to which the
/// climber faces if there is some on both. `None` if there is none, or if the ladder ends below ground or in it.
pub fn landing(stage: &Stage, ladder: &Area, facing: Facing) -> Option<i64> {
    let (middle, top) = (ladder.middle(), ladder.max.y);
    let platforms = stage.platforms.iter().filter(|platform| !stage.ladders.contains(platform));
    let grounds: Vec<&Area> = stage.solids.iter().chain(platforms).filter(|ground| ground.max.y == top).collect();
    if grounds.iter().any(|ground| (ground.min.x..=ground.max.x).contains(&middle)) {
        return None;
    }
    let (gap, inside) = (grains(LANDING_GAP), grains(BODY_HALF_WIDTH));
    let body = body_area(I64Vec2::new(middle, top), Stance::Standing.height());
    let beside = |ground: &Area, is_left: bool| {
        let (edge, far) = match is_left {
            true => (ground.max.x.min(ladder.min.x) - inside, ground.min.x),
            false => (ground.min.x.max(ladder.max.x) + inside, ground.max.x),
        };
        let apart = if is_left { ladder.min.x - ground.max.x } else { ground.min.x - ladder.max.x };
        let is_wide = if is_left { far <= edge } else { far >= edge };
        let is_free = apart <= gap && is_wide && collide::room_across(stage, &body, edge - middle) == edge - middle;
        is_free.then_some(edge)
    };
    let own = facing == Facing::Left;
    [own, !own].into_iter().find_map(|is_left| grounds.iter().find_map(|ground| beside(ground, is_left)))
}

fn is_beside(actor: &Actor, ladder: &Area) -> bool {
    let reach = grains(SIDE_REACH);
    (ladder.min.x - reach..=ladder.max.x + reach).contains(&actor.feet.x)
}

/// Returns true if a standing body at the ladder's centre, `rise` grains higher, is free.
fn can_hang(actor: &Actor, stage: &Stage, ladder: &Area, rise: i64) -> bool {
    let across = ladder.middle() - actor.feet.x;
    let way = actor.standing_body();
    let hanging = way.moved(I64Vec2::new(across, rise));
    collide::is_free(stage, &hanging) && collide::is_free(stage, &way.union(&way.moved(I64Vec2::new(across, 0))))
}

fn nearest(actor: &Actor, stage: &Stage, found: impl Fn(&Area) -> bool) -> Option<usize> {
    let ladders = stage.ladders.iter().enumerate().filter(|(_, ladder)| found(ladder));
    ladders.min_by_key(|(_, ladder)| (ladder.middle() - actor.feet.x).abs()).map(|(index, _)| index)
}

/// Grabs a ladder if the buttons ask for it.
pub fn grab(actor: &mut Actor, stage: &Stage, held: Buttons) -> bool {
    if actor.timers.regrab > 0 || actor.action.is_some() || matches!(actor.footing, Footing::Ladder(_)) {
        return false;
    }
    let wants_down = held.has(Buttons::DOWN) && actor.footing == Footing::Ground && !held.has(Buttons::JUMP);
    let ladder = match held.upward() {
        upward if upward > 0.0 => within_reach(actor, stage),
        upward if upward < 0.0 && wants_down => below(actor, stage),
        _ => None,
    };
    let Some(ladder) = ladder else { return false };
    actor.footing = Footing::Ladder(Hold { ladder, snap_ticks: SNAP_TICKS, side_ticks: 0, onto: None });
    actor.stance = Stance::Standing;
    actor.velocity = Vec2::ZERO;
    actor.remainder = Vec2::ZERO;
    actor.timers = Default::default();
    true
}

/// Climbs for one tick. `jump` is true if Jump was pressed in this tick.
pub fn climb(actor: &mut Actor, stage: &Stage, mut hold: Hold, held: Buttons, jump: bool) {
    let Some(ladder) = stage.ladders.get(hold.ladder) else {
        return release(actor, Vec2::ZERO);
    };
    let (across, upward) = (held.across(), held.upward());
    if jump {
        let speed = if upward < 0.0 { 0.0 } else { JUMP_SPEED * 0.85 };
        return release(actor, Vec2::new(across * WALK_SPEED, speed));
    }
    if let Some(onto) = hold.onto {
        return step_off(actor, stage, onto);
    }
    let wants_aside = across != 0.0 && upward == 0.0 && has_room_aside(actor, stage, across);
    hold.side_ticks = if wants_aside { hold.side_ticks + 1 } else { 0 };
    if hold.side_ticks >= SIDE_TICKS {
        return release(actor, Vec2::new(across * WALK_SPEED, 0.0));
    }
    snap(actor, stage, ladder, &mut hold);
    actor.velocity = Vec2::new(0.0, upward * CLIMB_SPEED);
    let wanted = whole_grains(actor.velocity.y, &mut actor.remainder.y);
    let by = wanted.min((ladder.max.y - actor.feet.y).max(0));
    let room = collide::room_upward(stage, &actor.body(), by, Platforms::Passed);
    actor.feet.y += room;
    actor.climbed += room;
    actor.footing = Footing::Ladder(hold);
    if room != wanted {
        actor.velocity.y = 0.0;
        actor.remainder.y = 0.0;
    }
    let is_at_bottom = upward < 0.0 && room > by && hold.snap_ticks == 0;
    let is_at_end = upward > 0.0 && actor.feet.y >= ladder.max.y;
    let is_near_end = upward > 0.0 && ladder.max.y - actor.feet.y < grains(TURN_BELOW);
    let landing = if is_near_end { landing(stage, ladder, actor.facing) } else { None };
    if let Some(onto) = landing {
        actor.facing = if onto < ladder.middle() { Facing::Left } else { Facing::Right };
        hold.onto = Some(onto).filter(|_| is_at_end);
        actor.footing = Footing::Ladder(hold);
    } else if is_at_end || is_at_bottom {
        stand(actor);
    } else if actor.feet.y + grains(CHEST) < ladder.min.y {
        release(actor, Vec2::ZERO);
    }
}

/// Moves onto the ground beside the end for one tick.
fn step_off(actor: &mut Actor, stage: &Stage, onto: i64) {
    let by = (onto - actor.feet.x).clamp(-grains(STEP_OFF), grains(STEP_OFF));
    let moved = collide::room_across(stage, &actor.body(), by);
    actor.feet.x += moved;
    actor.velocity = Vec2::ZERO;
    if moved == 0 || actor.feet.x == onto {
        stand(actor);
    }
}

/// Ends the climb on the ground.
fn stand(actor: &mut Actor) {
    actor.footing = Footing::Ground;
    actor.timers.regrab = REGRAB_TICKS / 2;
}

/// Returns true if the player can release the ladder to a side: not against a wall, where it would only fall.
fn has_room_aside(actor: &Actor, stage: &Stage, across: f32) -> bool {
    let by = if across > 0.0 { grains(BODY_HALF_WIDTH) } else { -grains(BODY_HALF_WIDTH) };
    collide::room_across(stage, &actor.body(), by) == by
}

/// Moves the body towards the ladder's centre.
fn snap(actor: &mut Actor, stage: &Stage, ladder: &Area, hold: &mut Hold) {
    let away = ladder.middle() - actor.feet.x;
    let by = if hold.snap_ticks > 1 { away / i64::from(hold.snap_ticks) } else { away };
    actor.feet.x += collide::room_across(stage, &actor.body(), by);
    hold.snap_ticks = hold.snap_ticks.saturating_sub(1);
}

fn release(actor: &mut Actor, velocity: Vec2) {
    launch(actor, velocity.y);
    actor.velocity.x = velocity.x;
    if velocity.x != 0.0 {
        actor.facing = if velocity.x > 0.0 { Facing::Right } else { Facing::Left };
    }
    actor.timers.regrab = REGRAB_TICKS;
}
