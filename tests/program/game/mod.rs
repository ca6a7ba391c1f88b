//! The gameplay mode. What its tests share: the demo, a floor, and buttons that are held.

use std::sync::{Arc, LazyLock};

use glam::Vec2;
use keypose::assets::level::{FoeKind, Level, Rect};
use keypose_app::app::files::{self, Opened};
use keypose_editor::game::input::Buttons;
use keypose_editor::game::play::Play;
use keypose_editor::game::step::step;
use keypose_editor::game::world::World;
use keypose_editor::game::world::news::News;

use crate::root::root;

mod bodies;
mod bot;
mod combat;
mod feel;
mod feet;
mod foes;
mod golden;
mod journey;
mod lifts;
mod looks;
mod moves;
mod play;
mod slopes;
mod soak;
mod sounds;

/// The demo, read and baked once.
fn demo() -> &'static Opened {
    static DEMO: LazyLock<Opened> = LazyLock::new(|| files::open(&root().join("data/demo.wad")).unwrap());
    &DEMO
}

/// A kind of foe of the demo.
fn kind(name: &str) -> FoeKind {
    demo().project.levels[0].kinds.iter().find(|kind| kind.name == name).unwrap().clone()
}

const FLOOR: Rect = Rect::new(-30.0, -1.0, 30.0, 0.0);

/// A level without models.
fn empty_world(level: Level, spawn: Vec2) -> World {
    Play::new(&[], Some(&Arc::new(Level { spawn, ..level })), 1).world().clone()
}

/// The simulation, alone or with all that is drawn.
trait Game {
    fn tick(&mut self, buttons: Buttons) -> &World;
}

impl Game for World {
    fn tick(&mut self, buttons: Buttons) -> &World {
        step(self, buttons);
        self
    }
}

impl Game for Play {
    fn tick(&mut self, buttons: Buttons) -> &World {
        Play::tick(self, buttons);
        self.world()
    }
}

/// Holds buttons for some ticks. Returns the news.
fn hold(game: &mut impl Game, buttons: Buttons, ticks: usize) -> Vec<News> {
    (0..ticks).flat_map(|_| game.tick(buttons).news.to_vec()).collect()
}

/// The number of hits that an actor took.
fn hits(news: &[News], who: usize) -> usize {
    news.iter().filter(|news| matches!(news, News::Hit { target, .. } if *target == who)).count()
}
