//! The gameplay mode. What its tests share: the demo, a floor with foes, and buttons that are held.

use std::iter::{repeat_n, repeat_with};
use std::sync::{Arc, LazyLock};

use glam::Vec2;
use keypose::assets::character::Character;
use keypose::assets::level::{FoeKind, FoePlace, Level, Rect};
use keypose_app::app::files::{self, Opened};
use keypose_editor::game::input::Buttons;
use keypose_editor::game::play::Play;
use keypose_editor::game::step::step;
use keypose_editor::game::world::World;
use keypose_editor::game::world::news::News;
use keypose_editor::game::world::random::Random;

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

/// A foe that looks to the left.
fn foe(kind: &str, place: Vec2) -> FoePlace {
    FoePlace { kind: kind.into(), place, faces_left: true }
}

/// A floor with foes, and the knight at x = 0.
fn level(kinds: &[FoeKind], foes: &[(&str, f32)]) -> Level {
    Level {
        name: "ring".into(),
        solids: vec![FLOOR],
        player: "knight".into(),
        kinds: kinds.to_vec(),
        foes: foes.iter().map(|&(kind, x)| foe(kind, Vec2::new(x, 0.0))).collect(),
        ..Level::default()
    }
}

/// A game in which the player stands.
fn begun(characters: &[Arc<Character>], level: Level) -> Play {
    let mut play = Play::new(characters, Some(&Arc::new(level)), 1);
    hold(&mut play, Buttons::NONE, 3);
    play
}

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

/// Random buttons, each of them for some ticks.
fn restless(seed: u64, ticks: usize) -> impl Iterator<Item = Buttons> {
    let mut random = Random::from_seed(seed);
    let press = move || Buttons(random.bits() as u16 & Buttons::ALL.0);
    repeat_with(press).flat_map(move |held| repeat_n(held, ticks))
}

/// Holds buttons for some ticks. Returns the news.
fn hold(game: &mut impl Game, buttons: Buttons, ticks: usize) -> Vec<News> {
    (0..ticks).flat_map(|_| game.tick(buttons).news.to_vec()).collect()
}

/// The number of hits that an actor took.
fn hits(news: &[News], who: usize) -> usize {
    news.iter().filter(|news| matches!(news, News::Hit { target, .. } if *target == who)).count()
}
