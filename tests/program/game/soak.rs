//! The demo under random buttons for a long time: nothing that a player can do breaks what always holds. 20,000 ticks in every run,
//! a million with `KEYPOSE_FULL=1`.

use std::collections::BTreeSet;

use keypose_app::app::files::Opened;
use keypose_editor::game::input::{Buttons, Held};
use keypose_editor::game::play::Play;
use keypose_editor::game::rules::actor::Actor;
use keypose_editor::game::rules::collide::is_free;
use keypose_editor::game::rules::combat::vitals::PLAYER_HEALTH;
use keypose_editor::game::world::World;
use keypose_editor::game::world::random::Random;
use keypose_editor::game::world::units::grains;

use super::demo;

fn start(demo: &Opened, seed: u64) -> Play {
    Play::new(&demo.characters, demo.project.levels.first(), seed)
}

fn ticks() -> u64 {
    if std::env::var_os("KEYPOSE_FULL").is_some() { 1_000_000 } else { 20_000 }
}

/// Buttons as a restless player holds them: for a while, and mostly to the right.
#[derive(Clone)]
struct Player {
    random: Random,
    held: Buttons,
    left: u32,
}

impl Player {
    fn next(&mut self) -> Buttons {
        if self.left == 0 {
            let bits = self.random.bits();
            self.held = Buttons(bits as u16 & Buttons::ALL.0);
            if self.held.has(Buttons::LEFT) && (bits >> 16) & 3 != 0 {
                self.held = self.held.with(Buttons::LEFT, Held::Up) | Buttons::RIGHT;
            }
            self.left = 1 + (bits >> 32) as u32 % 40;
        }
        self.left -= 1;
        self.held
    }
}

fn check_actor(world: &World, actor: &Actor, who: &str) {
    let at = || format!("{who} at tick {}: {actor:?}", world.tick);
    assert!(actor.velocity.is_finite() && actor.remainder.is_finite(), "{}", at());
    assert!(actor.velocity.length() < 200.0, "{}", at());
    assert!(is_free(&world.stage, &actor.body()), "{}", at());
    let vitals = actor.vitals;
    assert!(vitals.health <= i32::from(vitals.most) && vitals.stop <= 64 && vitals.stun <= 64, "{}", at());
    assert!(actor.action.is_none_or(|attack| attack.tick < attack.length) && actor.touched.len() < 200, "{}", at());
    assert!(vitals.can_act() || actor.action.is_none(), "{}: an attack in a stun", at());
}

pub fn check(world: &World) {
    check_actor(world, &world.player, "the player");
    assert_eq!(world.player.vitals.most, PLAYER_HEALTH);
    assert!(world.player.feet.y >= world.stage.abyss, "below the level at tick {}", world.tick);
    for foe in world.foes.iter().filter(|foe| foe.is_there() && foe.actor.vitals.is_alive()) {
        check_actor(world, &foe.actor, &world.stage.kinds[foe.kind].name);
    }
    let camera = &world.camera;
    assert!(
        camera.aim.is_finite() && camera.ahead.is_finite() && world.effects.kick.is_finite(),
        "{camera:?} at tick {}",
        world.tick
    );
    let shown = world.effects.puffs.len() + world.effects.numbers.len();
    assert!(shown < 1000, "{shown} puffs and numbers at tick {}", world.tick);
}

#[test]
fn whatever_is_pressed_bodies_stay_free_and_numbers_finite() {
    let demo = demo();
    let mut play = start(demo, 11);
    let mut player = Player { random: Random::from_seed(5), held: Buttons::NONE, left: 0 };
    let (mut reached, mut states) = (0, BTreeSet::new());
    for tick in 0..ticks() {
        play.tick(player.next());
        let world = play.world();
        check(world);
        reached = reached.max(world.player.feet.x);
        states.insert(world.player.state() as u8);
        // Again, after the end for a while.
        let is_over = world.progress.finished.is_some_and(|finished| world.tick > finished + 300);
        if is_over || world.tick == 30_000 {
            play = start(demo, tick);
        }
    }
    assert!(states.len() >= 8, "only {} states were seen", states.len());
    assert!(reached > grains(20.0), "the player stayed near the start");
}
