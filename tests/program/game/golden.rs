//! A stored game of the demo, with a digest after each change of the buttons: it passes all transitions of the player's state machine,
//! the last one at the goal. What changes the simulation, the demo's level or its characters changes it; `KEYPOSE_WRITE_REPLAYS=1`
//! plays it again and writes the file.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::PathBuf;

use glam::I64Vec2;
use keypose::anim::machine::parts::TransitionSource;
use keypose::assets::machine::State;
use keypose_app::app::files::Opened;
use keypose_editor::game::input::Buttons;
use keypose_editor::game::play::Play;
use keypose_editor::game::rules::actor::{Facing, Footing};
use keypose_editor::game::rules::collide::{Support, room_across, support};
use keypose_editor::game::rules::foe::Foe;
use keypose_editor::game::world::World;
use keypose_editor::game::world::random::Random;
use keypose_editor::game::world::units::{grains, metres_of};

use super::demo;
use crate::root::root;

const SEED: u64 = 7;

fn start(demo: &Opened) -> Play {
    Play::new(&demo.characters, demo.project.levels.first(), SEED)
}

fn file() -> PathBuf {
    root().join("data/tests/replays/transitions.txt")
}

/// The stored form: a line for each change of the buttons, with the ticks for which they are held, the buttons, and the digest after
/// them, in hexadecimal.
fn text_of(demo: &Opened, buttons: &[Buttons]) -> String {
    let (mut play, mut text) = (start(demo), String::new());
    for run in buttons.chunk_by(|a, b| a == b) {
        run.iter().for_each(|&held| play.tick(held));
        writeln!(text, "{} {:x} {:016x}", run.len(), run[0].0, play.world().digest()).unwrap();
    }
    text
}

/// Plays the stored game and compares its digests; `watch` sees the world after each tick.
fn replay(demo: &Opened, mut watch: impl FnMut(&World)) {
    let text = std::fs::read_to_string(file()).unwrap();
    let mut play = start(demo);
    for line in text.lines() {
        let [ticks, held, digest] = line.split(' ').collect::<Vec<_>>()[..] else { panic!("{line}") };
        for _ in 0..ticks.parse::<u32>().unwrap() {
            play.tick(Buttons(u16::from_str_radix(held, 16).unwrap()));
            watch(play.world());
        }
        let (tick, now) = (play.world().tick, format!("{:016x}", play.world().digest()));
        assert_eq!(now, digest, "another game by tick {tick}; KEYPOSE_WRITE_REPLAYS=1 writes it again");
    }
}

/// Plays a game until it is done, and writes it, if requested.
fn write(demo: &Opened, mut next: impl FnMut(&World) -> Option<Buttons>) {
    if std::env::var_os("KEYPOSE_WRITE_REPLAYS").is_some() {
        let (mut play, mut buttons) = (start(demo), Vec::new());
        while let Some(held) = next(play.world()) {
            buttons.push(held);
            play.tick(held);
        }
        std::fs::write(file(), text_of(demo, &buttons)).unwrap();
    }
}

/// Changes of states of the player's machine.
#[derive(Default)]
struct Changes {
    before: Option<String>,
    seen: BTreeSet<(String, String)>,
}

impl Changes {
    fn watch(&mut self, world: &World) {
        let Some(machine) = &world.animator.machine else { return self.before = None };
        let now = machine.state_name().to_owned();
        if let Some(before) = self.before.replace(now.clone()).filter(|before| *before != now) {
            self.seen.insert((before, now));
        }
    }

    /// The transitions of the machine that were not seen: from a state or from any, to a state.
    fn missing(&self, play: &Play) -> Vec<String> {
        let player = play.world().cast.player.as_ref().unwrap();
        let parts = player.playable.machine.def().parts();
        let is_seen = |source: &TransitionSource, target: &str| match source {
            TransitionSource::Any => self.seen.iter().any(|(_, to)| to == target),
            TransitionSource::State(from) => self.seen.contains(&(from.clone(), target.to_owned())),
        };
        // A state that starts again doesn't change its name.
        let is_change = |source: &TransitionSource, target: &str| *source != TransitionSource::State(target.to_owned());
        let missing = parts.transitions.iter().filter(|it| is_change(&it.from, &it.to) && !is_seen(&it.from, &it.to));
        missing.map(|it| format!("{:?} to {}", it.from, it.to)).collect()
    }
}

/// Plays like a newcomer: to the right, over what is in the way, and at foes that are near.
#[derive(Default)]
struct Newcomer {
    jump: u8,
    strike: u8,
}

impl Newcomer {
    /// The buttons of the next tick.
    fn buttons(&mut self, world: &World) -> Buttons {
        let (player, stage) = (&world.player, &world.stage);
        let (at, body) = (metres_of(player.feet), player.body());
        self.strike = self.strike.saturating_sub(1);
        let near = |foe: &&Foe| {
            let way = metres_of(foe.actor.feet) - at;
            foe.actor.vitals.is_alive() && !foe.actor.vitals.is_dummy() && way.x.abs() < 1.7 && way.y.abs() < 1.2
        };
        if let Some(foe) = world.foes.iter().find(near) {
            let is_left = foe.actor.feet.x < player.feet.x;
            let faces_it = (player.facing == Facing::Left) == is_left;
            if !faces_it {
                return if is_left { Buttons::LEFT } else { Buttons::RIGHT };
            }
            if self.strike == 0 {
                self.strike = 11;
                return Buttons::ATTACK;
            }
            return Buttons::NONE;
        }
        let ladder = stage.ladders.iter().find(|it| {
            it.min.x > 0 && body.max.x > it.min.x - grains(0.15) && player.feet.x < it.max.x && player.feet.y < it.max.y
        });
        if ladder.is_some() {
            return if player.state() == State::Climb { Buttons::UP } else { Buttons::UP | Buttons::RIGHT };
        }
        if (49.0..55.5).contains(&at.x) && at.y < 1.0 {
            return Buttons::RIGHT | Buttons::DOWN;
        }
        if stage.goal.is_some_and(|goal| body.min.x > goal.max.x) {
            return Buttons::LEFT;
        }
        let ahead = grains(0.5);
        let is_blocked = room_across(stage, &body, ahead) < ahead;
        let is_edge = support(stage, &body.moved(I64Vec2::new(ahead, 0))) == Support::None;
        let stands = player.footing == Footing::Ground;
        if self.jump == 0 && stands && (is_blocked || is_edge) {
            self.jump = 16;
        }
        self.jump = self.jump.saturating_sub(1);
        let up = if self.jump > 1 { Buttons::JUMP } else { Buttons::NONE };
        Buttons::RIGHT | Buttons::RUN | up
    }
}

/// Plays like a newcomer, with restless fingers every other while, and stays away from the goal.
struct Tourist {
    newcomer: Newcomer,
    random: Random,
    held: Buttons,
    left: u32,
}

impl Tourist {
    fn buttons(&mut self, world: &World) -> Buttons {
        if (world.tick / 240).is_multiple_of(2) && metres_of(world.player.feet).x < 60.0 {
            return self.newcomer.buttons(world);
        }
        if self.left == 0 {
            let bits = self.random.bits();
            (self.held, self.left) = (Buttons(bits as u16 & Buttons::ALL.0), 1 + (bits >> 32) as u32 % 30);
            if metres_of(world.player.feet).x > 70.0 {
                self.held = Buttons(self.held.0 & !Buttons::RIGHT.0) | Buttons::LEFT;
            }
        }
        self.left -= 1;
        self.held
    }
}

/// The time at the start in which the tourist stands until the knight sleeps.
const REST_TICKS: u64 = 22 * 60;

#[test]
fn the_stored_game_passes_all_transitions_of_the_players_machine_and_reaches_the_goal() {
    let demo = demo();
    let (random, held) = (Random::from_seed(4), Buttons::NONE);
    let mut tourist = Tourist { newcomer: Newcomer::default(), random, held, left: 0 };
    let mut seen = Changes::default();
    let play = start(demo);
    write(demo, |world| {
        seen.watch(world);
        let missing = seen.missing(&play);
        assert!(world.tick < 60_000, "{missing:?}");
        match &missing[..] {
            [] => None,
            _ if world.tick < REST_TICKS => Some(Buttons::NONE),
            [last] if last.ends_with("victory") => Some(tourist.newcomer.buttons(world)),
            _ => Some(tourist.buttons(world)),
        }
    });
    let (mut seen, mut is_finished, mut hits) = (Changes::default(), false, 0);
    replay(demo, |world| {
        seen.watch(world);
        is_finished |= world.progress.finished.is_some();
        hits += world.foes.iter().filter(|foe| foe.actor.vitals.since_hit == 0).count();
    });
    assert_eq!(seen.missing(&play), [] as [String; 0]);
    assert!(is_finished && hits > 5, "{is_finished}, {hits} hits");
}
