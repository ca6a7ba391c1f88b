//! Stored games of the demo, with a digest after each change of the buttons: one reaches the goal, one passes all transitions of the
//! player's state machine. What changes the simulation, the demo's level or its characters changes them; `KEYPOSE_WRITE_REPLAYS=1`
//! plays them again and writes the files.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::PathBuf;

use keypose::anim::machine::parts::TransitionSource;
use keypose_app::app::files::Opened;
use keypose_editor::game::input::Buttons;
use keypose_editor::game::play::Play;
use keypose_editor::game::world::World;
use keypose_editor::game::world::random::Random;
use keypose_editor::game::world::units::metres_of;

use super::combat::Newcomer;
use super::demo;
use crate::root::root;

const SEED: u64 = 7;

fn start(demo: &Opened) -> Play {
    Play::new(&demo.characters, demo.project.levels.first(), SEED)
}

fn file(name: &str) -> PathBuf {
    root().join("data/tests/replays").join(name)
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

/// Plays a stored game and compares its digests; `watch` sees the world after each tick.
fn replay(name: &str, demo: &Opened, mut watch: impl FnMut(&World)) {
    let text = std::fs::read_to_string(file(name)).unwrap();
    let mut play = start(demo);
    for line in text.lines() {
        let [ticks, held, digest] = line.split(' ').collect::<Vec<_>>()[..] else { panic!("{name}: {line}") };
        for _ in 0..ticks.parse::<u32>().unwrap() {
            play.tick(Buttons(u16::from_str_radix(held, 16).unwrap()));
            watch(play.world());
        }
        let (tick, now) = (play.world().tick, format!("{:016x}", play.world().digest()));
        assert_eq!(now, digest, "{name}: another game by tick {tick}; KEYPOSE_WRITE_REPLAYS=1 writes it again");
    }
}

/// Plays a game until it is done, and writes it, if requested.
fn write(name: &str, demo: &Opened, mut next: impl FnMut(&World) -> Option<Buttons>) {
    if std::env::var_os("KEYPOSE_WRITE_REPLAYS").is_some() {
        let (mut play, mut buttons) = (start(demo), Vec::new());
        while let Some(held) = next(play.world()) {
            buttons.push(held);
            play.tick(held);
        }
        std::fs::create_dir_all(file("")).unwrap();
        std::fs::write(file(name), text_of(demo, &buttons)).unwrap();
    }
}

#[test]
fn the_stored_game_reaches_the_goal() {
    let demo = demo();
    let mut newcomer = Newcomer::default();
    write("goal.txt", demo, |world| {
        assert!(world.tick < 30_000, "it stays at {}", metres_of(world.player.feet));
        world.progress.finished.is_none().then(|| newcomer.buttons(world))
    });
    let (mut is_finished, mut hits) = (false, 0);
    replay("goal.txt", demo, |world| {
        is_finished |= world.progress.finished.is_some();
        hits += world.foes.iter().filter(|foe| foe.actor.vitals.since_hit == 0).count();
    });
    assert!(is_finished && hits > 5, "{is_finished}, {hits} hits");
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
fn the_stored_game_passes_all_transitions_of_the_players_machine() {
    let demo = demo();
    let (random, held) = (Random::from_seed(4), Buttons::NONE);
    let mut tourist = Tourist { newcomer: Newcomer::default(), random, held, left: 0 };
    let mut seen = Changes::default();
    let play = start(demo);
    write("transitions.txt", demo, |world| {
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
    let mut seen = Changes::default();
    replay("transitions.txt", demo, |world| seen.watch(world));
    assert_eq!(seen.missing(&play), [] as [String; 0]);
}
