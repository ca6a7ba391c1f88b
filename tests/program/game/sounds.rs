//! What is heard of the demo: the names of the sounds of each tick, and that the archive has them. What events of clips do.

use std::collections::BTreeSet;
use std::sync::Arc;

use keypose::anim::clip::Event;
use keypose::anim::time::Time;
use keypose::assets::character::Character;
use keypose_editor::game::input::Buttons;
use keypose_editor::game::look::cues::{Cue, MUSIC, cues, music};
use keypose_editor::game::play::Play;
use keypose_editor::game::pose::clip_events::Switched;

use super::demo;

fn heard(play: &mut Play, held: Buttons, ticks: u32) -> Vec<Cue> {
    let mut heard = Vec::new();
    for _ in 0..ticks {
        play.tick(held);
        heard.extend(cues(play.world()));
    }
    heard
}

/// The names of the player's sounds: those of foes come from farther away.
fn own(cues: &[Cue]) -> Vec<&str> {
    cues.iter().filter(|cue| cue.gain == 1.0).map(|cue| &*cue.sound).collect()
}

#[test]
fn a_jump_is_heard_once_and_so_is_its_landing() {
    let demo = demo();
    let mut play = Play::new(&demo.characters, demo.project.levels.first(), 1);
    heard(&mut play, Buttons::NONE, 60);
    let jump = [heard(&mut play, Buttons::JUMP, 8), heard(&mut play, Buttons::NONE, 90)].concat();
    assert_eq!(own(&jump), ["jump", "land"]);
}

#[test]
fn the_demo_has_every_sound_that_is_heard_in_it() {
    let demo = demo();
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

#[test]
fn a_guardian_that_fights_has_music_of_its_own() {
    let demo = demo();
    let mut level = demo.project.levels.last().map(|level| (**level).clone()).unwrap();
    level.spawn.x = level.foes.last().unwrap().place.x - 5.0;
    let mut play = Play::new(&demo.characters, Some(&Arc::new(level)), 1);
    assert_eq!(music(play.world()), MUSIC);
    heard(&mut play, Buttons::NONE, 120);
    assert!(music(play.world()) != MUSIC && demo.project.sound_named(music(play.world())).is_some());
}

#[test]
fn a_swing_is_heard_once_and_footsteps_at_every_step() {
    let demo = demo();
    let mut play = Play::new(&demo.characters, demo.project.levels.first(), 1);
    heard(&mut play, Buttons::NONE, 30);
    let attack = [heard(&mut play, Buttons::ATTACK, 2), heard(&mut play, Buttons::NONE, 40)].concat();
    assert_eq!(own(&attack).iter().filter(|name| **name == "swing").count(), 1, "{attack:?}");
    // A loop of the walk takes 0.8 s and has two steps.
    let walk = heard(&mut play, Buttons::LEFT, 96);
    let steps = own(&walk).iter().filter(|name| **name == "step").count();
    assert!((3..=6).contains(&steps), "{steps} steps");
}

/// The demo whose knight has these events at the start of a clip.
fn with_events(clip: &str, events: &[&str]) -> Vec<Arc<Character>> {
    let mut project = demo().project.clone();
    let knight = Arc::make_mut(&mut project.models[0]);
    let slot = knight.clips.iter_mut().find(|slot| slot.clip.name == clip).unwrap();
    let event = |name: &&str| Event { time: Time::ZERO, name: (*name).into() };
    Arc::make_mut(&mut slot.clip).events = events.iter().map(event).collect();
    Character::bake_all(&project.models, &demo().characters)
}

#[test]
fn an_event_puts_a_model_on_a_socket_until_the_state_ends() {
    let characters = with_events("idle", &["socket weapon = dummy", "socket scabbard = none"]);
    let mut play = Play::new(&characters, None, 1);
    heard(&mut play, Buttons::NONE, 20);
    let props = &play.world().cast.player.as_ref().unwrap().props;
    let dummy = props.iter().position(|prop| prop.name == "dummy");
    let switched = [Switched { socket: 0, prop: dummy }, Switched { socket: 1, prop: None }];
    assert_eq!(play.world().animator.switched, switched);
    let of_dummy = |play: &Play| play.frame(1.0, 1.5).models.iter().filter(|draw| draw.model.name == "dummy").count();
    let shown = of_dummy(&play);
    heard(&mut play, Buttons::LEFT, 60);
    assert_eq!(play.world().animator.switched, []);
    assert_eq!(of_dummy(&play) + 1, shown, "the sword is there again");
}

#[test]
fn events_change_neither_the_game_nor_its_random_numbers() {
    let digests = |events: &[&str]| {
        let mut play = Play::new(&with_events("idle", events), None, 1);
        heard(&mut play, Buttons::NONE, 120);
        play.world().digest()
    };
    assert_eq!(
        digests(&["footstep", "effect dust", "effect shake", "sound gone", "socket gone = none", "free"]),
        digests(&[])
    );
}
