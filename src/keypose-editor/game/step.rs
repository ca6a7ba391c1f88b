//! The tick of 1/60 s: the only function that changes a world.

use crate::assets::level::FoeKind;
use crate::game::actions;
use crate::game::actor::{Actor, Footing};
use crate::game::animator::Animator;
use crate::game::camera::Camera;
use crate::game::clip_events;
use crate::game::collide;
use crate::game::combat;
use crate::game::combat::moves::Moves;
use crate::game::crowding;
use crate::game::depth;
use crate::game::fallen;
use crate::game::feet;
use crate::game::gaze;
use crate::game::hands;
use crate::game::headroom;
use crate::game::input::Buttons;
use crate::game::ladder;
use crate::game::ledge;
use crate::game::lift;
use crate::game::locomotion::{self, BUFFER_TICKS, MoveEvent};
use crate::game::long_body;
use crate::game::marks;
use crate::game::news::News;
use crate::game::stage::Stage;
use crate::game::sway;
use crate::game::units::metres_of;
use crate::game::wall_room;
use crate::game::water;
use crate::game::world::World;

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
        MoveEvent::Jumped => {
            world.dust.rise(feet, 5, &mut world.random);
            world.news.push(News::Jump { place: feet });
        }
        MoveEvent::Landed => {
            world.dust.rise(feet, 9, &mut world.random);
            world.news.push(News::Land { place: feet });
        }
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
    world.animator.step(&world.player, cast.player.as_ref());
    feet::step(&mut world.animator, &world.player, &stage, cast.player.as_ref());
    hands::step(&mut world.animator, &world.player, &stage, cast.player.as_ref());
    ledge::step(&mut world.animator, &world.player, &stage);
    headroom::step(&mut world.animator, &world.player, &stage, cast.player.as_ref());
    wall_room::step(&mut world.animator, &world.player, &stage, cast.player.as_ref());
    fallen::step(&mut world.animator, &world.player, &stage, cast.player.as_ref());
    gaze::step(&mut world.animator, &world.player, gaze::of_player(&world.player, &world.foes, &stage));
    sway::step(&mut world.animator, &world.player, cast.player.as_ref());
    clip_events::meet(&mut world.animator, &world.player, cast.player.as_ref(), &mut world.news);
    world.dust.follow(&world.news);
    world.dust.step();
    world.effects.step(&world.news);
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
        foe.animator.step(&foe.actor, cast.foe(foe.kind));
        depth::step(&mut foe.animator, &foe.actor, player, def.size);
        feet::step(&mut foe.animator, &foe.actor, &stage, cast.foe(foe.kind));
        wall_room::step(&mut foe.animator, &foe.actor, &stage, cast.foe(foe.kind));
        fallen::step(&mut foe.animator, &foe.actor, &stage, cast.foe(foe.kind));
        let seen = gaze::of_foe(foe, player);
        gaze::step(&mut foe.animator, &foe.actor, seen);
        sway::step(&mut foe.animator, &foe.actor, cast.foe(foe.kind));
        clip_events::meet(&mut foe.animator, &foe.actor, cast.foe(foe.kind), news);
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
