//! The demo from its title to the end of its last level, through the input of a gamepad as a player gives it: titles, menus and levels.
//! A bot plays. In every run each level begins at its last flag; with `KEYPOSE_FULL=1` all three are played from their starts.

use std::sync::Arc;
use std::time::Duration;

use keypose::assets::level::Level;
use keypose::assets::project::Project;
use keypose_app::app::play::controls::Controls;
use keypose_app::app::play::controls::pad::{PadButton, PadStyle};
use keypose_app::app::play::gamepad::PadEvent;
use keypose_app::app::play::recording::InputRecording;
use keypose_app::app::play::sound::Speaker;
use keypose_app::app::play::{Beginning, PlayMode, SEED, results};
use keypose_editor::game::input::{Buttons, Held};
use keypose_editor::game::world::World;
use keypose_editor::game::world::units::metres_of;

use super::bot::Bot;

/// Less than a tick, so that a frame plays at most one.
const FRAME: Duration = Duration::from_millis(16);
/// More ticks than any level takes.
const MAX_TICKS: u64 = 9_000;
/// The buttons of a gamepad that stand for those of the game.
const PAD: [(Buttons, PadButton); 8] = [
    (Buttons::LEFT, PadButton::DpadLeft),
    (Buttons::RIGHT, PadButton::DpadRight),
    (Buttons::UP, PadButton::DpadUp),
    (Buttons::DOWN, PadButton::DpadDown),
    (Buttons::JUMP, PadButton::South),
    (Buttons::ATTACK, PadButton::West),
    (Buttons::ROLL, PadButton::East),
    (Buttons::RUN, PadButton::RightTrigger),
];

/// A player with a gamepad.
struct Player {
    game: PlayMode,
    held: Buttons,
}

impl Player {
    fn press(&mut self, button: PadButton) {
        for state in [Held::Down, Held::Up] {
            self.game.pad(PadEvent::Button(button, state), PadStyle::Letters);
        }
    }

    /// Presses and releases buttons until these are held.
    fn hold(&mut self, wanted: Buttons) {
        for (button, pad) in PAD {
            if wanted.has(button) != self.held.has(button) {
                let state = if wanted.has(button) { Held::Down } else { Held::Up };
                self.game.pad(PadEvent::Button(pad, state), PadStyle::Letters);
            }
        }
        self.held = wanted;
    }

    /// Plays until the tick after the next one that was played.
    fn tick(&mut self) {
        let before = self.game.world().tick;
        while self.game.world().tick == before {
            self.game.advance(FRAME, &mut Speaker::new(|_| ()));
        }
    }

    fn at(&self) -> String {
        let world = self.game.world();
        format!("{}, tick {}, at {}", world.stage.level.name, world.tick, metres_of(world.player.feet))
    }

    /// Plays the level until the end, and opens its menu. Returns the hits taken before the end.
    fn finish(&mut self) -> u64 {
        let mut bot = Bot::default();
        while self.game.world().progress.finished.is_none() {
            self.hold(bot.buttons(self.game.world()));
            self.tick();
            assert!(self.game.world().tick < MAX_TICKS, "it doesn't get on: {}", self.at());
        }
        self.hold(Buttons::NONE);
        let (finished, hits) = (self.game.world().tick, u64::from(self.game.world().hits_taken));
        while self.game.world().tick < finished + 130 {
            self.tick();
        }
        hits
    }
}

/// The demo, with levels that start at their last flags unless all is played.
fn demo(plays_all: bool) -> Project {
    let mut project = super::demo().project.clone();
    if !plays_all {
        let last = |level: &Level| level.checkpoints.iter().copied().max_by(|a, b| a.x.total_cmp(&b.x)).unwrap();
        for level in &mut project.levels {
            *level = Arc::new(Level { spawn: last(level), ..Level::clone(level) });
        }
    }
    project
}

fn is_won(world: &World) -> bool {
    world.progress.finished.is_some()
}

#[test]
fn the_demo_is_played_from_its_title_to_its_end() {
    let project = demo(std::env::var_os("KEYPOSE_FULL").is_some());
    let (recording, controls, clips) = (InputRecording::None, Controls::default(), Vec::new());
    let file = std::env::temp_dir().join(format!("keypose-journey-{}.json", std::process::id()));
    let results = Some(file.clone());
    let beginning = Beginning { recording, seed: SEED, controls, clips, results, is_own_program: true };
    let mut player =
        Player { game: PlayMode::new(&project, &super::demo().characters, beginning), held: Buttons::NONE };
    assert_eq!(player.game.findings(), [] as [String; 0]);
    let names: Vec<String> = project.levels.iter().map(|level| level.name.clone()).collect();
    assert_eq!(names, ["courtyard", "lake", "keep"]);
    for (name, level) in names.iter().zip(&project.levels) {
        assert_eq!(results::load(&file, level), None);
        player.press(PadButton::South);
        assert_eq!((&player.game.world().stage.level.name, player.game.world().tick), (name, 0), "its title ended");
        let hits = player.finish();
        assert!(is_won(player.game.world()), "{}", player.at());
        let world = player.game.world();
        let best = results::load(&file, level).unwrap();
        assert_eq!((Some(best.ticks), best.hits), (world.progress.finished, hits), "it is saved");
        // The first entry of the menu leads on.
        player.press(PadButton::South);
        assert!(!is_won(player.game.world()), "{}", player.at());
    }
    assert_eq!(player.game.world().stage.level.name, names[0], "after the last level comes the first");
    std::fs::remove_file(file).unwrap();
}
