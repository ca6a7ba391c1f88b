//! The panel of sounds, driven by mouse and keys.

use std::sync::Arc;

use keypose::assets::sound::{Sound, SoundRepeat};
use keypose_editor::editor::panels::window::layout::Panel;
use keypose_editor::editor::session::sounds::SoundAction;
use keypose_editor::editor::state::action::SelectAction;
use keypose_editor::editor::state::effect::{Effect, PathPurpose};

use crate::driver::{Driver, arm};

fn sound(name: &str) -> Arc<Sound> {
    Arc::new(Sound::new(name, 8_000, 1, &[5; 4_000]))
}

fn names(driver: &Driver) -> Vec<&str> {
    driver.editor.document.sounds.iter().map(|sound| sound.name.as_str()).collect()
}

/// The panel in front, with the sounds "hit" and "step".
fn driver() -> Driver {
    let mut project = arm();
    project.sounds = vec![sound("hit"), sound("step")];
    let mut driver = Driver::new(project, [1280.0, 900.0]);
    driver.show(Panel::Sounds);
    driver
}

#[test]
fn a_key_over_the_sounds_deletes_no_clip() {
    let mut driver = driver();
    let clip = driver.editor.session.focus.clip;
    driver.update(SelectAction::Clip(clip));
    driver.click("sound1");
    driver.strike("Delete");
    assert_eq!((driver.model().clips.len(), names(&driver).len()), (2, 2));
    assert_eq!(driver.notice(), "Delete: not available over the panel Sounds.");
}

#[test]
fn a_sound_is_picked_played_renamed_and_removed() {
    let mut driver = driver();
    driver.click("sound1");
    assert_eq!(driver.editor.sound().unwrap().name, "step");
    driver.click("play-sound0");
    assert!(matches!(driver.effects.last(), Some(Effect::PlaySound(sound)) if sound.name == "hit"));
    driver.click("sound-Name");
    driver.type_line("blow");
    assert_eq!(names(&driver), ["blow", "step"]);
    assert_eq!(driver.editor.sound().unwrap().name, "blow", "it stays the active one");
    driver.click("remove-sound0");
    assert_eq!(names(&driver), ["step"]);
    driver.strike("Ctrl+Z");
    driver.strike("Ctrl+Z");
    assert_eq!(names(&driver), ["hit", "step"]);
}

#[test]
fn volume_and_repeat_are_edited() {
    let mut driver = driver();
    driver.drag("sound-Volume0", [-40.0, 0.0]);
    driver.click("sound-Repeat-Loop");
    let sound = &driver.editor.document.sounds[0];
    assert!(sound.volume < 1.0 && sound.repeat == SoundRepeat::Loop, "{sound:?}");
    assert_eq!(driver.editor.history.undo_count(), 2);
}

#[test]
fn sounds_are_asked_for_and_added_in_one_step() {
    let mut driver = driver();
    driver.click("AddSound");
    assert!(matches!(driver.effects.last(), Some(Effect::AskPath(PathPurpose::Sounds))));
    driver.update(SoundAction::Read(vec![sound("coin"), sound("hit")]));
    assert_eq!(names(&driver), ["coin", "hit", "hit.001", "step"]);
    assert_eq!((driver.editor.sound().unwrap().name.as_str(), driver.editor.history.undo_count()), ("hit.001", 1));
}

#[test]
fn without_sounds_the_panel_says_how_to_add_some() {
    let mut driver = Driver::new(arm(), [1280.0, 900.0]);
    driver.show(Panel::Sounds);
    assert!(driver.has("AddSound") && !driver.has("remove-sound0"));
}
