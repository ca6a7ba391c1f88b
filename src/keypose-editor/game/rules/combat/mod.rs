//! Combat: who hits whom in a tick, and what that does. Part of the simulation: the same on every machine.
//!
//! Volumes come from the lanes of clips (`assets::combat`), posed by the portable sampler at whole ticks.

pub mod angle;
pub mod contact;
pub mod moves;
pub mod spikes;
pub mod timing;
pub mod vitals;

use glam::Vec2;

use crate::game::rules::actor::{Actor, Facing, Footing, Touch};
use crate::game::rules::combat::contact::{Placing, touch};
use crate::game::rules::combat::moves::{ActHit, Moves};
use crate::game::rules::locomotion::launch;
use crate::game::world::World;
use crate::game::world::news::News;
use crate::game::world::units::metres_of;
use keypose::assets::combat::Strike;
use keypose::assets::level::FoeKind;
use keypose::assets::machine::State;

/// Characters farther apart than this, in metres, can't hit each other.
const MAX_REACH: f32 = 12.0;
/// The maximum count of hits of an attack that count in one tick.
const MAX_ACTIVE: usize = 16;
/// Ticks for which both stand still when two attacks meet.
const CLASH_STOP: u16 = 7;
/// Ticks for which the player can't be hit after the stun of a hit.
const PLAYER_SAFE_TICKS: u16 = 50;
/// The upward part of a knockback from which the target leaves the ground, in metres per second.
const LIFTING: f32 = 1.2;

/// A hit of this tick.
struct Blow {
    attacker: usize,
    target: usize,
    strike: Strike,
    push: Vec2,
    group: u8,
    place: Vec2,
}

/// Finds the hits of this tick, then applies them all: two characters can hit each other at once.
pub fn resolve(world: &mut World) {
    let mut placing = Placing::default();
    clashes(world, &mut placing);
    let mut blows = Vec::new();
    for foe in 1..=world.foes.len() {
        for (attacker, target) in [(0, foe), (foe, 0)] {
            find_blows(world, &mut placing, [attacker, target], &mut blows);
        }
    }
    for attacker in (1..=world.foes.len()).filter(|foe| hits_foes(world, *foe)) {
        for target in (1..=world.foes.len()).filter(|target| *target != attacker) {
            find_blows(world, &mut placing, [attacker, target], &mut blows);
        }
    }
    blows.iter().for_each(|blow| apply(world, blow));
}

/// Whether an active hit of a foe names foes or dummies as its targets.
fn hits_foes(world: &World, foe: usize) -> bool {
    let masks = active(actor(world, foe), moves(world, foe)).map(|hit| hit.strike.mask);
    masks.into_iter().any(|mask| mask != Strike::ALL_TARGETS && mask & !FoeKind::PLAYER != 0)
}

/// Whether a hit counts against what has these bits. All targets are all of the other side; a hit of a foe counts against foes only if it
/// names them.
fn is_target(mask: u32, bits: u32, [attacker, target]: [usize; 2]) -> bool {
    let are_foes = attacker != 0 && target != 0;
    mask & bits != 0 && !(are_foes && mask == Strike::ALL_TARGETS)
}

/// The player is 0, foes follow.
fn actor(world: &World, id: usize) -> &Actor {
    match id.checked_sub(1) {
        Some(foe) => &world.foes[foe].actor,
        None => &world.player,
    }
}

fn actor_mut(world: &mut World, id: usize) -> &mut Actor {
    match id.checked_sub(1) {
        Some(foe) => &mut world.foes[foe].actor,
        None => &mut world.player,
    }
}

fn moves(world: &World, id: usize) -> &Moves {
    match id.checked_sub(1) {
        Some(foe) => world.cast.foe_moves(world.foes[foe].kind),
        None => world.cast.player_moves(),
    }
}

/// Whether a hit counts now. At the goal the level is over: nothing hurts the player any more.
fn can_be_hit(world: &World, id: usize) -> bool {
    actor(world, id).vitals.can_be_hit() && !(id == 0 && world.progress.finished.is_some())
}

/// The bits of a target, of which a hit's mask must have one.
fn kind_bits(world: &World, id: usize) -> u32 {
    match id.checked_sub(1) {
        Some(foe) => world.stage.kinds[world.foes[foe].kind].mask,
        None => FoeKind::PLAYER,
    }
}

/// The hits of an attack that are active in this tick; none while the attacker stands still in a hit.
fn active<'a>(actor: &Actor, moves: &'a Moves) -> impl Iterator<Item = &'a ActHit> + use<'a> {
    let action = actor.action.filter(|_| actor.vitals.stop == 0 && actor.vitals.is_alive());
    let tick = action.map(|action| i64::from(action.tick));
    let act = action.map(|action| moves.act(action.state));
    let hits = act.into_iter().flat_map(|act| &act.hits);
    hits.filter(move |hit| tick.is_some_and(|tick| hit.ticks.contains(&tick))).take(MAX_ACTIVE)
}

fn are_near(a: &Actor, b: &Actor) -> bool {
    metres_of(a.feet).distance(metres_of(b.feet)) < MAX_REACH
}

/// The swept capsules of a hit. It isn't swept in its first tick.
fn capsules_of(
    placing: &mut Placing,
    actor: &Actor,
    moves: &Moves,
    hit: &ActHit,
) -> Vec<[keypose::assets::combat::capsule::Capsule; 2]> {
    let now = actor.stand();
    let is_first = !hit.ticks.contains(&i64::from(actor.before.tick)) || actor.before.state != now.state;
    let before = if is_first { &now } else { &actor.before };
    placing.swept(moves, [before, &now], &hit.volumes)
}

/// Attacks that meet: the one of higher priority continues, equal ones cancel each other.
fn clashes(world: &mut World, placing: &mut Placing) {
    for id in 1..=world.foes.len() {
        let Some((place, [own, other])) = clash(world, placing, id) else { continue };
        let groups = |hits: Vec<(u8, u8)>| hits.into_iter().map(|(group, _)| group).collect::<Vec<_>>();
        let best = |hits: &[(u8, u8)]| hits.iter().map(|(_, priority)| *priority).max();
        let (mine, theirs) = (best(&own), best(&other));
        if mine <= theirs {
            world.player.spend(id, &groups(own));
        }
        if theirs <= mine {
            world.foes[id - 1].actor.spend(0, &groups(other));
        }
        for id in [0, id] {
            let vitals = &mut actor_mut(world, id).vitals;
            vitals.stop = vitals.stop.max(CLASH_STOP);
        }
        world.news.push(News::Clash { place });
    }
}

/// Group and priority of a hit.
type GroupPriority = (u8, u8);

/// Where the attacks of the player and of a foe meet, with the hits of both.
fn clash(world: &World, placing: &mut Placing, foe: usize) -> Option<(Vec2, [Vec<GroupPriority>; 2])> {
    let ids = [0, foe];
    let [player, other] = ids.map(|id| actor(world, id));
    if !are_near(player, other) || other.vitals.is_dummy() {
        return None;
    }
    let hits_of = |id: usize, target: usize| {
        let actor = actor(world, id);
        let fresh = move |hit: &&ActHit| !actor.has_touched(target, hit);
        active(actor, moves(world, id)).filter(fresh).collect::<Vec<_>>()
    };
    let (own, others) = (hits_of(0, foe), hits_of(foe, 0));
    for a in &own {
        let swept = capsules_of(placing, player, moves(world, 0), a);
        for b in &others {
            let place = touch(&swept, &capsules_of(placing, other, moves(world, foe), b));
            if let Some(place) = place {
                let of = |hits: &[&ActHit]| hits.iter().map(|hit| (hit.group, hit.strike.priority)).collect();
                return Some((place, [of(&own), of(&others)]));
            }
        }
    }
    None
}

fn find_blows(world: &World, placing: &mut Placing, [attacker, target]: [usize; 2], blows: &mut Vec<Blow>) {
    let (from, to) = (actor(world, attacker), actor(world, target));
    if from.action.is_none() || !can_be_hit(world, target) || !are_near(from, to) {
        return;
    }
    let (own, bits) = (moves(world, attacker), kind_bits(world, target));
    let theirs = moves(world, target);
    let stand = to.stand();
    let mut groups: Vec<u8> = Vec::new();
    for hit in active(from, own) {
        let is_target = is_target(hit.strike.mask, bits, [attacker, target]);
        let counts = is_target && !groups.contains(&hit.group) && !from.has_touched(target, hit);
        if !counts {
            continue;
        }
        let hurt = theirs.hurt_at(stand.state, stand.tick);
        let body = placing.swept(theirs, [&to.before, &stand], &hurt);
        if let Some(place) = touch(&capsules_of(placing, from, own, hit), &body) {
            groups.push(hit.group);
            let (strike, push, group) = (hit.strike, hit.push, hit.group);
            blows.push(Blow { attacker, target, strike, push, group, place });
        }
    }
}

fn apply(world: &mut World, blow: &Blow) {
    let Blow { attacker, target, strike, push, group, place } = *blow;
    let from = actor_mut(world, attacker);
    let facing = from.facing;
    let tick = from.action.map_or(0, |action| action.tick);
    from.touched.push(Touch { target: target as u16, group, tick });
    if let Some(action) = &mut from.action {
        action.has_hit = true;
    }
    from.vitals.stop = from.vitals.stop.max(strike.stop);
    let sway = moves(world, target).act(State::Hurt).ticks;
    let foe = target.checked_sub(1).map(|foe| &world.stage.kinds[world.foes[foe].kind].nature);
    let is_braced = foe.is_some_and(|nature| strike.damage < nature.poise);
    let to = actor_mut(world, target);
    let speed = strike.knockback + strike.growth * to.vitals.taken as f32;
    let stun = to.vitals.stun;
    to.vitals.take(&strike);
    let (is_alive, is_dummy) = (to.vitals.is_alive(), to.vitals.is_dummy());
    if is_dummy {
        to.vitals.stun = sway;
        to.clock.tick = 0;
    } else if is_braced && is_alive {
        to.vitals.stun = stun;
    } else {
        knock(to, push * Vec2::new(facing.sign(), 1.0) * speed.clamp(0.0, 100.0), facing);
    }
    if target == 0 {
        to.vitals.safe = strike.stun.saturating_add(PLAYER_SAFE_TICKS);
        world.hits_taken += 1;
    }
    world.news.push(News::Hit { target, place, damage: strike.damage, facing });
    if !is_alive {
        world.news.push(News::Death { target, place });
    }
}

/// Throws a character back. It turns to the attacker, and stays low until there is room to stand.
fn knock(actor: &mut Actor, velocity: Vec2, attacker: Facing) {
    actor.action = None;
    actor.clock.tick = 0;
    actor.facing = attacker.opposite();
    actor.velocity.x = velocity.x;
    if velocity.y > LIFTING || actor.footing != Footing::Ground {
        launch(actor, velocity.y);
    }
}

#[cfg(test)]
mod tests {
    use glam::I64Vec2;

    use super::*;
    use crate::game::rules::actor::Stance;

    #[test]
    fn one_that_is_hit_while_it_rolls_under_a_ceiling_stays_low() {
        let rolling = Actor { stance: Stance::Crouched, footing: Footing::Air, ..Actor::at(I64Vec2::ZERO) };
        let mut hit = rolling.clone();
        knock(&mut hit, Vec2::new(3.0, 0.5), Facing::Left);
        assert_eq!((hit.body(), hit.facing), (rolling.body(), Facing::Right));
    }
}
