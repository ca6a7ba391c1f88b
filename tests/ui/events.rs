//! The lane of events, driven by mouse and keys: what an event does is chosen from what the archive has.

use std::sync::Arc;

use keypose::anim::transform::Transform;
use keypose::assets::model::Socket;
use keypose::assets::sound::Sound;

use crate::driver::{Driver, arm};

fn names(driver: &Driver) -> Vec<&str> {
    driver.clip().events.iter().map(|event| event.name.as_str()).collect()
}

/// The arm with a socket, and the sound "hit".
fn driver() -> Driver {
    let mut project = arm();
    let hand = Socket { name: "hand".into(), bone: 0, transform: Transform::IDENTITY, attached: String::new() };
    Arc::make_mut(&mut project.models[0]).sockets = vec![hand];
    project.sounds = vec![Arc::new(Sound::new("hit", 8_000, 1, &[0; 100]))];
    Driver::new(project, [1280.0, 720.0])
}

#[test]
fn a_new_event_is_a_footstep_by_a_click() {
    let mut driver = driver();
    driver.strike("M");
    driver.frames(3);
    driver.click("Footstep");
    driver.frames(2);
    assert_eq!(names(&driver), ["footstep"]);
    driver.strike("Ctrl+Z");
    assert_ne!(names(&driver), ["footstep"]);
}

#[test]
fn an_event_plays_a_sound_of_the_archive() {
    let mut driver = driver();
    driver.strike("M");
    driver.frames(3);
    driver.click("event-Sound");
    driver.frames(3);
    driver.click("hit");
    driver.frames(2);
    assert_eq!(names(&driver), ["sound hit"]);
}

#[test]
fn free_text_is_typed() {
    let mut driver = driver();
    driver.strike("M");
    driver.type_line("open door");
    assert_eq!(names(&driver), ["open door"]);
}
