//! What the gameplay mode looks like, drawn by a software driver.
//! `KEYPOSE_PICTURES=FOLDER` writes the pictures there.

use std::path::Path;

use keypose_app::app::files;
use keypose_editor::game::input::Buttons;
use keypose_editor::game::play::Play;
use keypose_editor::render::frame::Frame;
use keypose_editor::render::gl::target::Target;
use keypose_tools::export::bitmap::Bitmap;
use keypose_tools::export::png;

use crate::root::root;
use crate::{Stage, on_driver};

const SIZE: [u32; 2] = [320, 180];

fn pixels(stage: &Stage, frame: &Frame, name: &str) -> Vec<u8> {
    let target = Target::new(&stage.context, SIZE, 4).unwrap();
    stage.render(frame, &target);
    let pixels = target.read();
    if let Some(folder) = std::env::var_os("KEYPOSE_PICTURES") {
        let picture = Bitmap::new(SIZE[0], SIZE[1], pixels.clone()).unwrap();
        std::fs::write(Path::new(&folder).join(format!("game-{name}.png")), png::encode(&picture).unwrap()).unwrap();
    }
    pixels
}

fn play(level: Level) -> Play {
    let demo = root().join("data/demo.wad");
    let opened = files::open(&demo).unwrap();
    let own = opened.project.levels.first().filter(|_| level == Level::Own);
    Play::new(&opened.characters, own, 1)
}

#[derive(Clone, Copy, PartialEq)]
enum Level {
    Own,
    Test,
}

fn hold(play: &mut Play, held: Buttons, ticks: usize) {
    (0..ticks).for_each(|_| play.tick(held));
}

/// Pixels that differ clearly.
fn difference(a: &[u8], b: &[u8]) -> usize {
    let far = |(a, b): (&[u8], &[u8])| a.iter().zip(b).any(|(a, b)| a.abs_diff(*b) > 24);
    a.chunks_exact(4).zip(b.chunks_exact(4)).filter(|pair| far(*pair)).count()
}

const ASPECT: f32 = SIZE[0] as f32 / SIZE[1] as f32;

#[test]
fn the_player_is_seen_at_a_good_size_in_both_levels() {
    on_driver(|stage| {
        for (level, name) in [(Level::Own, "demo"), (Level::Test, "test-level")] {
            let mut play = play(level);
            hold(&mut play, Buttons::RIGHT, 30);
            let frame = play.frame(1.0, ASPECT);
            let with = pixels(stage, &frame, name);
            let without = pixels(stage, &Frame { models: Vec::new(), ..frame }, &format!("{name}-empty"));
            let covered = difference(&with, &without) as f32 / (SIZE[0] * SIZE[1]) as f32;
            assert!((0.008..0.2).contains(&covered), "{name}: the player covers {covered} of the picture");
        }
    });
}

#[test]
fn what_moves_is_drawn_elsewhere_and_a_pause_is_still() {
    on_driver(|stage| {
        let mut play = play(Level::Test);
        hold(&mut play, Buttons::RIGHT, 40);
        let early = pixels(stage, &play.frame(0.0, ASPECT), "walk-0");
        let late = pixels(stage, &play.frame(1.0, ASPECT), "walk-1");
        assert!(difference(&early, &late) > 20, "half a tick shows");
        assert_eq!(pixels(stage, &play.frame(1.0, ASPECT), "walk-1"), late);
    });
}

#[test]
fn climbing_and_fighting_look_different_from_standing() {
    on_driver(|stage| {
        let mut play = play(Level::Test);
        hold(&mut play, Buttons::NONE, 60);
        let standing = pixels(stage, &play.frame(1.0, ASPECT), "idle");
        hold(&mut play, Buttons::ATTACK, 12);
        let striking = pixels(stage, &play.frame(1.0, ASPECT), "attack");
        assert!(difference(&standing, &striking) > 150);
        hold(&mut play, Buttons::NONE, 90);
        hold(&mut play, Buttons::DOWN, 20);
        let crouching = pixels(stage, &play.frame(1.0, ASPECT), "crouch");
        assert!(difference(&standing, &crouching) > 150);
    });
}

/// `KEYPOSE_PICTURES` writes every second picture of a fight with the dummy, then with the goblin.
#[test]
fn a_fight_shows_sparks_and_a_trail() {
    on_driver(|stage| {
        let mut play = play(Level::Own);
        hold(&mut play, Buttons::RIGHT, 52);
        hold(&mut play, Buttons::NONE, 8);
        let mut most = 0;
        for tick in 0..64 {
            hold(&mut play, if tick % 12 == 0 && tick < 30 { Buttons::ATTACK } else { Buttons::NONE }, 1);
            let frame = play.frame(1.0, ASPECT);
            most = most.max(frame.overlay.triangles.len() + frame.overlay.lines.len());
            let is_written = std::env::var_os("KEYPOSE_PICTURES").is_some();
            if tick == 14 || is_written && tick % 2 == 0 {
                let with = pixels(stage, &frame, &format!("fight-{tick:02}"));
                let bare = Frame { overlay: Default::default(), ..frame };
                let without = pixels(stage, &bare, "fight-bare");
                assert!(tick != 14 || difference(&with, &without) > 10, "sparks, a ring or a trail are seen");
            }
        }
        assert!(most > 30, "{most}");
    });
}

/// `KEYPOSE_PICTURES` writes a goblin that sees the player, warns and strikes.
#[test]
fn a_goblin_is_seen_and_warns() {
    on_driver(|stage| {
        let demo = root().join("data/demo.wad");
        let opened = files::open(&demo).unwrap();
        let level =
            keypose::assets::level::Level { spawn: glam::Vec2::new(6.4, 0.0), ..(*opened.project.levels[0]).clone() };
        let mut play = Play::new(&opened.characters, Some(&std::sync::Arc::new(level)), 1);
        let mut signs = 0;
        for tick in 0..130 {
            hold(&mut play, Buttons::NONE, 1);
            let frame = play.frame(1.0, ASPECT);
            signs = signs.max(frame.solids.len());
            assert!(frame.models.len() > 3, "the knight, his sword and goblins are drawn");
            let is_written = std::env::var_os("KEYPOSE_PICTURES").is_some();
            if tick == 20 || is_written && tick % 5 == 0 {
                let with = pixels(stage, &frame, &format!("goblin-{tick:03}"));
                let without = pixels(stage, &Frame { models: Vec::new(), ..frame }, "goblin-bare");
                assert!(difference(&with, &without) > 800);
            }
        }
        assert!(play.world().hits_taken > 0, "it struck");
    });
}
