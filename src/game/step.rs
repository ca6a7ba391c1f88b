//! The tick of 1/60 s: the only function that changes a world.

use crate::game::actor::{Actor, Attack, Footing};
use crate::game::camera::Camera;
use crate::game::collide;
use crate::game::input::Buttons;
use crate::game::ladder;
use crate::game::locomotion::{self, BUFFER_TICKS, MoveEvent};
use crate::game::stage::Stage;
use crate::game::units::metres_of;
use crate::game::world::World;

/// Advances the world by one tick with these buttons held.
pub fn step(world: &mut World, held: Buttons) {
    let pressed = held.pressed_since(world.buttons);
    world.buttons = held;
    world.tick += 1;
    let stage = world.stage.clone();
    let happening = step_player(&mut world.player, &stage, world.cast.attack_ticks(), held, pressed);
    let feet = metres_of(world.player.feet);
    match happening {
        MoveEvent::None => {}
        MoveEvent::Jumped => world.dust.rise(feet, 5, &mut world.random),
        MoveEvent::Landed => world.dust.rise(feet, 9, &mut world.random),
    }
    if world.player.feet.y < stage.abyss {
        world.falls += 1;
        world.player = Actor::at(stage.spawn);
        world.camera = Camera::at(&world.player);
    }
    world.camera.step(&world.player);
    world.dust.step();
    world.animator.step(&world.player, &world.cast);
}

fn step_player(actor: &mut Actor, stage: &Stage, attack_ticks: u16, held: Buttons, pressed: Buttons) -> MoveEvent {
    actor.timers.tick();
    actor.lift -= actor.lift / 4 + actor.lift.signum();
    if let Footing::Ladder(hold) = actor.footing {
        ladder::climb(actor, stage, hold, held, pressed.has(Buttons::JUMP));
        return MoveEvent::None;
    }
    if ladder::grab(actor, stage, held) {
        return MoveEvent::None;
    }
    if pressed.has(Buttons::JUMP | Buttons::UP) {
        actor.timers.jump_buffer = BUFFER_TICKS;
    }
    if pressed.has(Buttons::ATTACK) {
        actor.timers.attack_buffer = BUFFER_TICKS;
    }
    attack(actor, attack_ticks);
    locomotion::crouch(actor, stage, held);
    let jumped = locomotion::jump(actor, stage, held);
    locomotion::steer(actor, held);
    locomotion::fall(actor, held);
    let travelled = locomotion::travel(actor, stage);
    debug_assert!(collide::is_free(stage, &actor.body()), "the body is inside a solid");
    if jumped == MoveEvent::None { travelled } else { jumped }
}

/// Continues an attack, or starts a pressed one.
fn attack(actor: &mut Actor, length: u16) {
    actor.attack = actor.attack.and_then(|attack| {
        let tick = attack.tick + 1;
        (tick < attack.length).then_some(Attack { tick, ..attack })
    });
    if actor.attack.is_none_or(Attack::is_recovering) && actor.timers.attack_buffer > 0 {
        actor.timers.attack_buffer = 0;
        actor.attack = Some(Attack { tick: 0, length: length.max(1) });
    }
}
