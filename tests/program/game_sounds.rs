//! What is heard of the demo: the names of the sounds of each tick, and that the archive has them.

use std::collections::BTreeSet;
use std::path::Path;

use keypose::app::files;
use keypose::game::cues::{Cue, MUSIC, cues};
use keypose::game::input::Buttons;
use keypose::game::play::Play;

fn heard(play: &mut Play, held: Buttons, ticks: u32) -> Vec<Cue> {
    let mut heard = Vec::new();
    for _ in 0..ticks {
        play.tick(held);
        heard.extend(cues(play.world()));
    }
    heard
}

#[test]
fn a_jump_is_heard_once_and_so_is_its_landing() {
    let demo = files::open(Path::new(files::DEMO)).unwrap();
    let mut play = Play::new(&demo.characters, demo.project.levels.first(), 1);
    heard(&mut play, Buttons::NONE, 60);
    let jump = [heard(&mut play, Buttons::JUMP, 8), heard(&mut play, Buttons::NONE, 90)].concat();
    let names: Vec<&str> = jump.iter().map(|cue| &*cue.sound).collect();
    assert_eq!(names, ["jump", "land"]);
    assert!(jump.iter().all(|cue| cue.gain == 1.0));
}

#[test]
fn the_demo_has_every_sound_that_is_heard_in_it() {
    let demo = files::open(Path::new(files::DEMO)).unwrap();
    let mut play = Play::new(&demo.characters, demo.project.levels.first(), 1);
    let mut names = BTreeSet::from([MUSIC.to_owned()]);
    for step in 0..60 {
        let jumps = if step % 3 == 0 { Buttons::JUMP } else { Buttons::ATTACK };
        names.extend(heard(&mut play, Buttons::RIGHT, 20).into_iter().map(|cue| cue.sound.to_string()));
        names.extend(heard(&mut play, Buttons::RIGHT | jumps, 10).into_iter().map(|cue| cue.sound.to_string()));
    }
    assert!(names.len() > 4, "{names:?}");
    let missing: Vec<_> = names.iter().filter(|name| demo.project.sound_named(name).is_none()).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
