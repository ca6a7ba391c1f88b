//! Measures a tick of the game: the player of the demo with 0 to 200 foes around it, all of them awake.
//!
//! `cargo bench --bench game`

use std::sync::Arc;

use glam::Vec2;
use keypose::assets::level::{FoePlace, Level, Rect};
use keypose_editor::game::input::Buttons;
use keypose_editor::game::play::Play;

#[path = "shared/clock.rs"]
mod clock;

use clock::min_ns;

/// Ticks per timed run: the first seconds, in which foes notice, chase and strike.
const TICKS: usize = 240;

fn main() {
    let demo = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/demo.wad")).expect("the demo is there");
    let demo = keypose::wad::decode(&demo).expect("the demo is sound");
    println!("| foes | µs a tick | µs a foe | with the frame to draw |");
    println!("|---|---|---|---|");
    for foes in [0, 1, 10, 50, 100, 200] {
        let level = Arc::new(ring(&demo.project.levels[0], foes));
        let start = Play::new(&demo.characters, Some(&level), 1);
        let run = |is_drawn: bool| {
            min_ns(TICKS, || {
                let mut play = start.clone();
                for tick in 0..TICKS {
                    let held = if tick % 40 < 3 { Buttons::ATTACK } else { Buttons::RIGHT };
                    play.tick(held);
                    if is_drawn {
                        std::hint::black_box(play.frame(0.5, 1.6));
                    }
                }
                std::hint::black_box(play.world().digest());
            }) / 1e3
        };
        let (tick, drawn) = (run(false), run(true));
        let each = if foes == 0 { String::new() } else { format!("{:.2}", tick / foes as f64) };
        println!("| {foes} | {tick:.1} | {each} | {drawn:.1} |");
    }
}

/// The level of the demo on a wide floor, with foes of its second kind on both sides of the player.
fn ring(demo: &Level, foes: usize) -> Level {
    let kind = demo.kinds.iter().find(|kind| !kind.is_dummy()).expect("the demo has foes").name.clone();
    let place = |at: usize| {
        let side = if at.is_multiple_of(2) { 1.0 } else { -1.0 };
        FoePlace { kind: kind.clone(), place: Vec2::new(side * (2.0 + 0.4 * at as f32), 0.0), faces_left: side > 0.0 }
    };
    let floor = Rect::new(-120.0, -1.0, 120.0, 0.0);
    Level { solids: vec![floor], foes: (0..foes).map(place).collect(), spawn: Vec2::ZERO, ..demo.clone() }
}
