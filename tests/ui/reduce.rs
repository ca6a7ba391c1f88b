//! Reducing a clip to poses, driven by mouse and keys.

use keypose::anim::clip::Clip;
use keypose::anim::time::Time;
use keypose::assets::model::{ClipSlot, Model};
use keypose::assets::project::Project;
use keypose_editor::editor::session::command::Command;
use keypose_editor::editor::state::action::{Action, FileAction, Origin};

use crate::driver::{Driver, SIZE, arm, dense, frames};

fn count(driver: &Driver) -> usize {
    driver.clip().keyframes.len()
}

/// The sentence of the bar.
fn sentence(driver: &Driver) -> String {
    driver.ids().iter().find_map(|id| id.strip_prefix("reduced: ").map(str::to_owned)).unwrap_or_default()
}

/// Opens the bar from the menu of the clip.
fn reducing() -> Driver {
    let mut driver = Driver::new(dense(61), SIZE);
    driver.choose_in_menu(&format!("clip{}", driver.model().clips[0].id.0), "Reduce to poses…");
    driver
}

#[test]
fn the_menu_of_a_clip_reduces_it_live_in_one_step() {
    let mut driver = reducing();
    let first = count(&driver);
    assert!((3..30).contains(&first), "{first} poses are shown at once");
    assert!(sentence(&driver).starts_with(&format!("61 keyframes become {first} poses, largest error ")));
    driver.drag("reduce-error", [200.0, 0.0]);
    let fewer = count(&driver);
    assert!(fewer < first, "a larger error needs fewer poses: {fewer} of {first}");
    driver.enter("reduce-poses", "7");
    assert_eq!(count(&driver), 7);
    assert_eq!(driver.editor.history.undo_count(), 0, "nothing is done yet");
    let length = driver.clip().length();
    driver.click("reduce-apply");
    driver.frames(2);
    assert!(!driver.has("reduce-apply"));
    assert_eq!((count(&driver), driver.editor.history.undo_count()), (7, 1));
    assert_eq!(length, frames(60), "the length stays");
    driver.strike("Ctrl+Z");
    assert_eq!(count(&driver), 61);
}

#[test]
fn digits_set_the_number_of_poses_and_escape_keeps_all_keyframes() {
    let mut driver = reducing();
    driver.hover("picture");
    for (stroke, expected) in [("1", 2), ("2", 12)] {
        driver.strike(stroke);
        assert_eq!(count(&driver), expected);
    }
    driver.strike("Esc");
    driver.frames(2);
    assert_eq!((count(&driver), driver.editor.history.undo_count()), (61, 0));
    assert!(!driver.has("reduce-apply"));
    driver.update(Command::ReduceToPoses);
    driver.frames(2);
    driver.strike("Enter");
    assert!(count(&driver) < 30);
    assert_eq!(driver.editor.history.undo_count(), 1);
}

#[test]
fn the_loop_section_comes_back_with_the_poses() {
    let mut driver = Driver::new(dense(61), SIZE);
    let section = |driver: &Driver| driver.editor.session.focus.playhead.loop_section;
    let chosen = Some((frames(10), frames(20)));
    driver.editor.session.focus.playhead.loop_section = chosen;
    driver.update(Command::ReduceToPoses);
    driver.frames(2);
    driver.hover("picture");
    driver.strike("7");
    assert_eq!(count(&driver), 7);
    assert!(section(&driver).is_some());
    driver.strike("Esc");
    driver.frames(2);
    assert_eq!((count(&driver), section(&driver)), (61, chosen));
}

#[test]
fn an_import_with_a_keyframe_at_every_frame_offers_it() {
    let mut driver = Driver::new(Project::default(), SIZE);
    let origin = Origin::Imported("wave.glb".into());
    driver.update(FileAction::Loaded { project: Box::new(dense(61)), origin });
    driver.frames(3);
    driver.click("accept-offer");
    driver.frames(3);
    assert!(sentence(&driver).starts_with("61 keyframes become "), "{}", sentence(&driver));
    driver.click("reduce-cancel");
    driver.frames(2);
    assert_eq!(count(&driver), 61);
    drop(driver);
    for (project, name) in [(arm(), "arm.glb"), (dense(61), "demo.wad")] {
        let mut plain = Driver::new(Project::default(), SIZE);
        plain.update(FileAction::Loaded { project: Box::new(project), origin: Origin::Imported(name.into()) });
        plain.frames(3);
        assert!(!plain.has("accept-offer"), "{name}");
    }
}

#[test]
fn the_offer_and_the_search_count_the_clips() {
    let mut model = Model::clone(&dense(61).models[0]);
    let first = Clip::clone(&model.clips[0].clip);
    let copy = |at: usize| Clip { name: format!("wave {at}"), ..first.clone() };
    model.clips.extend((0..9).map(|at| ClipSlot { id: Default::default(), clip: copy(at).into() }));
    let mut project = Project::default();
    project.add_model(model);
    let mut driver = Driver::new(Project::default(), SIZE);
    driver.update(FileAction::Loaded { project: Box::new(project), origin: Origin::Imported("wave.glb".into()) });
    driver.frames(3);
    assert!(driver.ids().iter().any(|id| id.ends_with(": Reduce 10 clips…")), "{:?}", driver.ids());
    driver.click("accept-offer");
    let mut counts: Vec<String> = Vec::new();
    while !driver.has("reduce-apply") {
        let ids = driver.ids();
        let count = ids.iter().find_map(|id| Some(id.split_once("Searching poses: clip ")?.1.to_owned()));
        counts.extend(count.filter(|count| counts.last() != Some(count)));
        driver.frame();
    }
    assert!(counts.windows(2).all(|pair| pair[0] != pair[1]), "{counts:?}");
    assert!(counts.len() > 1 && counts.iter().all(|count| count.ends_with(" of 10")), "{counts:?}");
    assert!(sentence(&driver).contains(" of 10 clips become "), "{}", sentence(&driver));
    assert!(!driver.has(&format!("cut: {}", sentence(&driver))), "the error is shown as well");
}

/// The state of a preview: nothing is applied, and the bar is open.
fn is_preview(driver: &Driver, poses: usize) -> bool {
    (count(driver), driver.editor.history.undo_count(), driver.has("reduce-apply")) == (poses, 0, true)
}

#[test]
fn scrubbing_stepping_and_playing_show_the_preview_and_do_not_apply_it() {
    let mut driver = reducing();
    driver.strike("7");
    assert!(is_preview(&driver, 7));
    driver.click("ruler");
    let scrubbed = driver.editor.session.focus.playhead.time;
    assert!(scrubbed > Time::ZERO && is_preview(&driver, 7), "scrubbed");
    driver.strike("Right");
    assert!(driver.editor.session.focus.playhead.time > scrubbed && is_preview(&driver, 7), "stepped");
    for _ in 0..2 {
        let was_playing = driver.editor.session.focus.playhead.is_playing;
        driver.strike("Space");
        assert_ne!(driver.editor.session.focus.playhead.is_playing, was_playing);
        driver.update(Action::Tick(Time::from_secs(0.05)));
        driver.frames(2);
        assert!(is_preview(&driver, 7), "played");
    }
    let before = driver.editor.session.focus.playhead.time;
    driver.strike("Esc");
    driver.frames(2);
    assert_eq!((count(&driver), driver.editor.history.undo_count()), (61, 0));
    assert_eq!(driver.editor.session.focus.playhead.time, before, "the playhead stays where it was looked from");
}

#[test]
fn another_edit_or_clip_cancels_the_preview_and_only_apply_applies_it() {
    let mut driver = reducing();
    let other = format!("clip{}", driver.model().clips[1].id.0);
    driver.click(&other);
    driver.frames(2);
    assert!(!driver.has("reduce-apply"));
    assert_eq!(driver.model().clips[0].clip.keyframes.len(), 61);
    assert_eq!(driver.editor.history.undo_count(), 0);
    drop(driver);
    let mut driver = reducing();
    driver.strike("5");
    driver.click("ruler");
    driver.strike("Enter");
    driver.frames(2);
    assert_eq!((count(&driver), driver.editor.history.undo_count()), (5, 1));
}

#[test]
fn long_clips_are_searched_in_slices_that_can_be_cancelled() {
    let long = || {
        let mut project = dense(61);
        let model = std::sync::Arc::make_mut(&mut project.models[0]);
        let mut clip = Clip::clone(&model.clips[0].clip);
        clip.keyframes = (0..3000).map(|at| clip.keyframes[at % 60].clone()).collect();
        model.clips[0].clip = std::sync::Arc::new(clip);
        Driver::new(project, SIZE)
    };
    let mut driver = long();
    driver.update(Command::ReduceToPoses);
    driver.frame();
    assert!(driver.has("reduce-progress") && driver.has("reduce-cancel") && !driver.has("reduce-apply"));
    driver.strike("Enter");
    assert!(driver.has("reduce-progress"), "nothing to apply yet");
    driver.click("reduce-cancel");
    driver.frames(2);
    assert!(!driver.has("reduce-progress") && driver.editor.gesture.is_none());
    assert_eq!((count(&driver), driver.editor.history.undo_count()), (3000, 0));
    driver.update(Command::ReduceToPoses);
    let mut frames = 0;
    // The app draws frames until it is done.
    while driver.editor.is_searching() {
        driver.frame();
        frames += 1;
        assert!(frames < 10_000);
    }
    driver.frame();
    assert!(driver.has("reduce-apply"));
    assert!(frames > 3 && count(&driver) < 3000, "{frames} frames, {} poses", count(&driver));
}
