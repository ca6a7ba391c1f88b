//! The tick of 1/60 s: the only function that changes a world.

use crate::game::input::Buttons;
use crate::game::look::water;
use crate::game::pose;
use crate::game::pose::animator::Animator;
use crate::game::pose::depth;
use crate::game::pose::gaze;
use crate::game::rules::actions;
use crate::game::rules::actor::{Actor, Footing};
use crate::game::rules::collide;
use crate::game::rules::combat;
use crate::game::rules::combat::moves::Moves;
use crate::game::rules::crowding;
use crate::game::rules::ladder;
use crate::game::rules::lift;
use crate::game::rules::locomotion::{self, BUFFER_TICKS, MoveEvent};
use crate::game::rules::long_body;
use crate::game::rules::marks;
use crate::game::world::World;
use crate::game::world::camera::Camera;
use crate::game::world::news::News;
use crate::game::world::stage::Stage;
use crate::game::world::units::metres_of;
use keypose::assets::level::FoeKind;

/// Ticks after the player's death until it continues at a checkpoint.
const DEATH_TICKS: u16 = 110;

/// Advances the world by one tick with these buttons held.
pub fn step(world: &mut World, held: Buttons) {
    let pressed = held.pressed_since(world.buttons);
    world.buttons = held;
    world.tick += 1;
    world.news.clear();
    lift::step(world);
    let (stage, cast) = (world.stage.clone(), world.cast.clone());
    let is_over = world.progress.finished.is_some();
    let (held, pressed) = if is_over { (Buttons::NONE, Buttons::NONE) } else { (held, pressed) };
    let happening = step_actor(&mut world.player, &stage, cast.player_moves(), held, pressed);
    let feet = metres_of(world.player.feet);
    match happening {
        MoveEvent::None => {}
        MoveEvent::Jumped => world.news.push(News::Jump { place: feet }),
        MoveEvent::Landed => world.news.push(News::Land { place: feet }),
    }
    step_foes(world);
    crowding::step(world);
    combat::resolve(world);
    combat::spikes::step(world);
    marks::step(world);
    water::step(world, DEATH_TICKS);
    restart(world, pressed.has(Buttons::RETURN));
    world.camera.step(&world.player, &stage);
    world.animator.has_won = world.progress.finished.is_some();
    let seen = gaze::of_player(&world.player, &world.foes, &stage);
    let surroundings = (&*stage, cast.player.as_ref());
    pose::step(&mut world.animator, &world.player, surroundings, seen, &mut world.news);
    world.effects.step(&world.news, &mut world.random);
}

fn step_foes(world: &mut World) {
    let (stage, cast) = (world.stage.clone(), world.cast.clone());
    let World { foes, player, news, .. } = world;
    for foe in foes {
        if !foe.is_there() {
            continue;
        }
        foe.become_next(&stage);
        let def: &FoeKind = &stage.kinds[foe.kind];
        let held = foe.think(def, player, &stage);
        step_actor(&mut foe.actor, &stage, cast.foe_moves(foe.kind), held, held);
        if foe.actor.feet.y < stage.abyss {
            foe.actor.vitals.health = 0;
            foe.actor.vitals.dead = u16::MAX;
        }
        depth::step(&mut foe.animator, &foe.actor, player, def.size);
        let seen = gaze::of_foe(foe, player);
        pose::step(&mut foe.animator, &foe.actor, (&stage, cast.foe(foe.kind)), seen, news);
    }
}

/// After a fall or a death the player continues at the last checkpoint. One that `gives_up` loses a life there.
fn restart(world: &mut World, gives_up: bool) {
    let has_fallen = world.player.feet.y < world.stage.abyss;
    let has_died = world.player.vitals.dead >= DEATH_TICKS || (gives_up && !has_fallen);
    if !has_fallen && !has_died {
        return;
    }
    world.falls += u32::from(has_fallen);
    world.deaths += u32::from(has_died);
    let vitals = world.player.vitals;
    world.player = Actor::at(world.stage.restart(world.progress.checkpoint));
    if has_fallen && vitals.is_alive() {
        world.player.vitals.health = vitals.health;
    }
    world.camera = Camera::at(&world.player);
    // It stands there at once.
    world.animator = Animator::facing(world.player.facing);
}

fn step_actor(actor: &mut Actor, stage: &Stage, moves: &Moves, held: Buttons, pressed: Buttons) -> MoveEvent {
    remember(actor, pressed);
    actor.before = actor.stand();
    actor.is_held = !actor.vitals.tick();
    if actor.is_held {
        return MoveEvent::None;
    }
    actor.timers.tick();
    actor.lift -= actor.lift / 4 + actor.lift.signum();
    let held = if actor.vitals.can_act() { held } else { Buttons::NONE };
    let happening = act(actor, stage, moves, held, pressed);
    long_body::step(actor, stage, &moves.fit);
    actor.count_state();
    happening
}

/// Keeps presses for a few ticks; those while it stands still for the time after that.
fn remember(actor: &mut Actor, pressed: Buttons) {
    if matches!(actor.footing, Footing::Ladder(_)) || !actor.vitals.can_act() {
        return;
    }
    if pressed.has(Buttons::JUMP | Buttons::UP) {
        actor.timers.jump_buffer = BUFFER_TICKS + 1;
    }
    if pressed.has(Buttons::ATTACK) {
        actor.timers.attack_buffer = BUFFER_TICKS + 1;
    }
    if pressed.has(Buttons::ROLL) {
        actor.timers.roll_buffer = BUFFER_TICKS + 1;
    }
}

fn act(actor: &mut Actor, stage: &Stage, moves: &Moves, held: Buttons, pressed: Buttons) -> MoveEvent {
    if !actor.vitals.can_act() && matches!(actor.footing, Footing::Ladder(_)) {
        actor.footing = Footing::Air;
    }
    if let Footing::Ladder(hold) = actor.footing {
        ladder::climb(actor, stage, hold, held, pressed.has(Buttons::JUMP));
        return MoveEvent::None;
    }
    if !actor.flies && ladder::grab(actor, stage, held) {
        actor.timers.jump_buffer = 0;
        return MoveEvent::None;
    }
    actions::step(actor, stage, moves, held);
    locomotion::crouch(actor, stage, held);
    let jumped = locomotion::jump(actor, stage, held);
    locomotion::steer(actor, held);
    actions::drive(actor, stage, moves);
    locomotion::fall(actor, held);
    let travelled = locomotion::travel(actor, stage);
    debug_assert!(collide::is_free(stage, &actor.body()), "the body is inside a solid");
    if jumped == MoveEvent::None { travelled } else { jumped }
}
