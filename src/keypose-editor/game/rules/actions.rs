//! Attacks and rolls: which one a pressed button begins, what may interrupt it, and how it moves the character.

use glam::I64Vec2;

use crate::game::input::Buttons;
use crate::game::rules::actor::{Action, Actor, Facing, Footing, Freedom, RUNNING, Stance};
use crate::game::rules::collide::{Platforms, is_free, room_upward};
use crate::game::rules::combat::moves::Moves;
use crate::game::world::stage::Stage;
use crate::game::world::units::{Area, GRAINS_PER_METRE, TICK_SECS, grains};
use keypose::assets::machine::State;

/// Speed of the step into an attack without root motion, in metres per second.
const LUNGE_SPEED: f32 = 3.2;
/// Ticks of that step before the first tick that hits, and after it.
const LUNGE_TICKS: [i64; 2] = [6, 2];
/// Speed of a roll without root motion, in metres per second.
const ROLL_SPEED: f32 = 5.5;
/// An attack stops when the middle of the body is this far from an edge, in metres, and what is deeper than this is an edge.
const EDGE: f32 = 0.1;
const EDGE_DEPTH: f32 = 0.5;
/// Ticks after a roll until the next one.
const REROLL_TICKS: u8 = 9;

/// Continues an action, or begins a pressed one.
pub fn step(actor: &mut Actor, stage: &Stage, moves: &Moves, held: Buttons) {
    if !actor.vitals.can_act() {
        actor.action = None;
        (actor.timers.attack_buffer, actor.timers.roll_buffer) = (0, 0);
    }
    let was_rolling = actor.is_rolling();
    actor.action = actor.action.and_then(|action| {
        let tick = action.tick + 1;
        let continues = tick < action.length && !ends(action, actor.footing);
        continues.then_some(Action { tick, ..action })
    });
    if was_rolling && !actor.is_rolling() {
        actor.timers.reroll = REROLL_TICKS;
    }
    roll(actor, moves, held);
    attack(actor, stage, moves, held);
    let may = |action: &str| actor.action.is_none_or(|now| may_cancel(now, moves, action));
    actor.freedom = Freedom { walk: may("walk"), jump: may("jump") };
}

/// Landing ends an attack in the air, an edge ends a roll.
fn ends(action: Action, footing: Footing) -> bool {
    match action.state {
        State::AirAttack => footing == Footing::Ground,
        State::Roll => footing != Footing::Ground,
        _ => false,
    }
}

fn begin(actor: &mut Actor, moves: &Moves, state: State) {
    actor.touched.clear();
    actor.action = Some(Action { state, tick: 0, length: moves.act(state).ticks.max(1), has_hit: false, runs: false });
}

/// A roll goes to the side that is held.
fn roll(actor: &mut Actor, moves: &Moves, held: Buttons) {
    let is_free = actor.action.is_none_or(|action| may_cancel(action, moves, State::Roll.name()));
    if actor.is_rolling()
        || actor.timers.roll_buffer == 0
        || actor.timers.reroll > 0
        || actor.footing != Footing::Ground
        || !is_free
    {
        return;
    }
    (actor.timers.roll_buffer, actor.timers.attack_buffer) = (0, 0);
    match held.across() {
        across if across > 0.0 => actor.facing = Facing::Right,
        across if across < 0.0 => actor.facing = Facing::Left,
        _ => {}
    }
    actor.stance = Stance::Crouched;
    begin(actor, moves, State::Roll);
}

fn attack(actor: &mut Actor, stage: &Stage, moves: &Moves, held: Buttons) {
    if actor.timers.attack_buffer == 0 {
        return;
    }
    let special = special(actor, stage, moves, held);
    let next = match actor.action {
        None => special.or(Some(moves.chain[0])),
        Some(action) => next(action, special, moves),
    };
    let Some(state) = next else { return };
    actor.timers.attack_buffer = 0;
    let runs = moves.attacks_on_the_run && special.is_none() && is_running(actor, held);
    begin(actor, moves, if runs { moves.chain[0] } else { state });
    actor.action.iter_mut().for_each(|action| action.runs = runs);
}

fn is_running(actor: &Actor, held: Buttons) -> bool {
    let ahead = actor.facing.sign();
    let is_held = held.has(Buttons::RUN) && held.across() * ahead > 0.0;
    actor.footing == Footing::Ground && is_held && actor.velocity.x * ahead > RUNNING
}

/// The attack of this place and posture, if the character has one: in the air, or from a crouch. Under a low ceiling it is the one from
/// a crouch.
fn special(actor: &Actor, stage: &Stage, moves: &Moves, held: Buttons) -> Option<State> {
    let state = match actor.footing {
        // What flies is never on the ground.
        Footing::Air if actor.flies && held.has(Buttons::DOWN) => State::Stab,
        Footing::Air => State::AirAttack,
        Footing::Ground if held.has(Buttons::DOWN) || is_confined(actor, stage) => State::Stab,
        _ => return None,
    };
    moves.has(state).then_some(state)
}

/// Whether the character crouches where it can't stand up.
fn is_confined(actor: &Actor, stage: &Stage) -> bool {
    actor.stance == Stance::Crouched && !is_free(stage, &actor.standing_body())
}

/// Whether an action may interrupt another one. One without ranges for this may be interrupted in its last part.
fn may_cancel(now: Action, moves: &Moves, action: &str) -> bool {
    let allowed = moves.act(now.state).allows(action, now.tick, now.has_hit);
    allowed.unwrap_or(now.is_recovering())
}

/// The attack that may follow now: the wanted one, the next of the chain, or another one that a cancel names by state or clip.
fn next(now: Action, special: Option<State>, moves: &Moves) -> Option<State> {
    let chain = &moves.chain;
    let first = chain.iter().position(|&state| state == now.state).map_or(0, |at| at + 1);
    let in_order = (0..chain.len()).map(|ahead| chain[(first + ahead) % chain.len()]);
    if may_cancel(now, moves, "attack") {
        return special.or(Some(chain[first % chain.len()]));
    }
    let is_named = |state: &State| {
        let names = [state.name(), moves.act(*state).name.as_str()];
        names.iter().any(|name| moves.act(now.state).allows(name, now.tick, now.has_hit) == Some(true))
    };
    special.into_iter().chain(in_order).find(is_named)
}

/// Sets the speed that an action on the ground gives: by the root of its clip, or else the usual one. Attacks don't lead over an edge.
pub fn drive(actor: &mut Actor, stage: &Stage, moves: &Moves) {
    let on_ground = actor.footing == Footing::Ground || actor.flies;
    let Some(action) = actor.action.filter(|action| on_ground && !action.runs) else { return };
    let act = moves.act(action.state);
    let speed = if let Some(way) = act.root_step(action.tick) {
        way as f32 / (GRAINS_PER_METRE as f32 * TICK_SECS)
    } else if action.state == State::Roll {
        ROLL_SPEED
    } else {
        let first = act.first_hit().filter(|_| !act.name.is_empty());
        let window = first.map(|first| first - LUNGE_TICKS[0]..first + LUNGE_TICKS[1]);
        match window.is_some_and(|window| window.contains(&i64::from(action.tick))) {
            true => LUNGE_SPEED,
            false => return,
        }
    };
    let is_held_back = !actor.flies && action.state != State::Roll && !has_ground(actor, stage, speed);
    actor.velocity.x = if is_held_back { 0.0 } else { actor.facing.sign() * speed };
}

/// Whether there is ground, or a step down, where its middle would be next at a speed.
fn has_ground(actor: &Actor, stage: &Stage, speed: f32) -> bool {
    let ahead = actor.feet.x + grains(actor.facing.sign() * (speed * TICK_SECS + EDGE.copysign(speed)));
    let middle = Area { min: I64Vec2::new(ahead - 1, actor.feet.y), max: I64Vec2::new(ahead + 1, actor.feet.y + 1) };
    let deep = -grains(EDGE_DEPTH);
    room_upward(stage, &middle, deep, Platforms::Solid) > deep
}
