//! The inspector's keyframe and the playhead, the lanes, and the two controls of a clip's end, driven by mouse and keys.

use imgui::{Key as UiKey, MouseButton};
use keypose::anim::clip::LoopMode;
use keypose::anim::time::FrameRate;
use keypose_editor::editor::session::switch::Switch;
use keypose_editor::editor::state::action::PlaybackAction;

use crate::driver::{Driver, driver, frames};

/// The title over the keyframe in the inspector.
fn title(driver: &Driver) -> String {
    let ids = driver.ids();
    let mut titles = ids.iter().filter_map(|id| id.strip_prefix("section: "));
    titles.find(|title| title.to_lowercase().contains("keyframe") && *title != "Between keyframes").unwrap().to_owned()
}

fn scrub(driver: &mut Driver, frame: i64) {
    driver.update(PlaybackAction::Seek(frames(frame)));
    driver.frames(2);
}

#[test]
fn the_inspector_follows_the_playhead_if_no_keyframe_is_selected() {
    let mut driver = driver();
    let mut seen = Vec::new();
    for frame in [0, 4, 9, 15] {
        scrub(&mut driver, frame);
        seen.push(title(&driver));
    }
    assert_eq!(seen, ["Keyframe 1", "Keyframe 2", "Keyframe 2", "Keyframe 3"]);
}

#[test]
fn a_selected_keyframe_elsewhere_is_named_as_selected_and_a_click_shows_the_one_at_the_playhead() {
    let mut driver = driver();
    driver.click("block0");
    assert_eq!(title(&driver), "Keyframe 1");
    let place = driver.place("frames");
    scrub(&mut driver, 12);
    assert_eq!(title(&driver), "Keyframe 1 · selected");
    assert_eq!(driver.place("frames"), place, "nothing below jumps");
    driver.click("show-keyframe");
    driver.frames(2);
    assert_eq!(title(&driver), "Keyframe 3");
    assert!(!driver.has("show-keyframe"));
    assert_eq!(driver.editor.session.focus.playhead.time, frames(12));
}

#[test]
fn stepping_to_a_keyframe_takes_the_selection_along() {
    let mut driver = driver();
    driver.click("block0");
    driver.strike("Down");
    assert_eq!(driver.editor.session.focus.selection.keyframes, [1].into());
    assert_eq!(title(&driver), "Keyframe 2");
    driver.strike("Up");
    assert_eq!(driver.editor.session.focus.selection.keyframes, [0].into());
    driver.click_holding(UiKey::ModCtrl, "block2");
    driver.strike("Up");
    assert_eq!(driver.editor.session.focus.selection.keyframes, [0, 2].into(), "several stay selected");
    assert_eq!(title(&driver), "2 keyframes · selected");
}

#[test]
fn the_duration_in_the_inspector_is_for_all_selected_keyframes() {
    let mut driver = driver();
    driver.click("block0");
    driver.click_holding(UiKey::ModShift, "block1");
    assert_eq!(title(&driver), "2 keyframes");
    driver.enter("frames", "8");
    assert_eq!(driver.durations(), [8, 8, 10]);
    assert_eq!(driver.editor.history.undo_count(), 1);
}

/// A shorter duration puts the playhead into the next keyframe.
#[test]
fn dragging_a_duration_past_the_playhead_still_changes_the_same_keyframe() {
    let mut driver = driver();
    scrub(&mut driver, 8);
    assert_eq!(title(&driver), "Keyframe 2");
    driver.drag("frames", [-40.0, 0.0]);
    let now = driver.durations();
    assert_eq!((now[0], now[1] < 4, now[2]), (4, true, 10), "{now:?}");
}

#[test]
fn an_event_or_a_bone_moves_nothing_in_the_timeline() {
    let mut driver = driver();
    let places = |driver: &Driver| [driver.place("events"), driver.place("block1")];
    let before = places(&driver);
    driver.click("bone1");
    assert_eq!(places(&driver), before);
    driver.hover("block1");
    driver.strike("M");
    driver.frames(4);
    driver.key(UiKey::Enter);
    driver.frames(3);
    assert_eq!(driver.clip().events.len(), 1);
    assert_eq!(places(&driver), before);
}

#[test]
fn a_double_click_in_the_event_lane_adds_an_event_there() {
    let mut driver = driver();
    let block = driver.place("block1");
    let at = [block.min[0], driver.place("events").center()[1]];
    driver.point(at);
    for is_down in [true, false, true, false] {
        driver.button_now(MouseButton::Left, is_down);
    }
    driver.type_line("step");
    let events: Vec<_> = driver.clip().events.iter().map(|event| (event.name.as_str(), event.time)).collect();
    assert_eq!(events, [("step", frames(4))]);
    driver.double_click("event0");
    driver.frames(3);
    assert!(driver.editor.session.focus.timing.naming.is_some(), "a double click on an event renames it");
    assert_eq!(driver.clip().events.len(), 1);
}

#[test]
fn the_clips_end_and_the_repeat_of_the_preview_are_two_controls() {
    let mut driver = driver();
    assert!(driver.editor.session.is_on(Switch::Repeat));
    driver.click("preview-repeat");
    assert!(!driver.editor.session.is_on(Switch::Repeat));
    assert_eq!((driver.clip().loop_mode, driver.editor.history.undo_count()), (LoopMode::Once, 0));
    driver.click("loop");
    driver.frames(3);
    driver.click("end-Loop");
    driver.frames(2);
    assert_eq!((driver.clip().loop_mode, driver.editor.history.undo_count()), (LoopMode::Loop, 1));
    assert!(!driver.editor.session.is_on(Switch::Repeat), "the preview's own control is as it was");
    driver.click("open-preview-repeat");
    driver.frames(3);
    driver.click("Ping-pong preview");
    driver.frames(2);
    assert!(driver.editor.session.is_on(Switch::PingPong));
    assert_eq!(driver.clip().loop_mode, LoopMode::Loop);
}

#[test]
fn the_inspector_shows_what_the_game_plays() {
    let mut driver = driver();
    let value = |driver: &Driver, label: &str| {
        let prefix = format!("value: {label}: ");
        driver.ids().iter().find_map(|id| id.strip_prefix(&prefix).map(str::to_owned)).unwrap()
    };
    assert_eq!(value(&driver, "Duration"), "0.67 s, 20 frames");
    assert_eq!(value(&driver, "Baked form"), "quantized samples");
    let report = keypose::anim::bake::bake(driver.clip(), &driver.model().skeleton).report().bytes;
    assert_eq!(value(&driver, "Baked size"), format!("{report} bytes"));
    let error = value(&driver, "Largest error");
    let millis: f32 = error.strip_suffix(" mm").unwrap().parse().unwrap();
    assert!(millis < 0.5, "{error}");
    assert_eq!(value(&driver, "Root speed"), "none, in place");
    driver.click("clip-End-Loop");
    driver.frames(2);
    assert_eq!(driver.clip().loop_mode, LoopMode::Loop);
    driver.click("clip-rate");
    driver.frames(3);
    driver.click("rate-60");
    driver.frames(2);
    assert_eq!(driver.clip().frame_rate, FrameRate::new(60, 1).unwrap());
    assert_eq!(value(&driver, "Duration"), "0.67 s, 40 frames");
}
