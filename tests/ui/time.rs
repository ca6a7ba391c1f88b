//! Dope sheet, curves and events, driven by mouse and keys.

use glam::Quat;
use imgui::Key as UiKey;
use keypose::anim::bezier::THIRD;
use keypose::anim::clip::LoopMode;
use keypose::anim::key::{Channel, Ease, HandleKind};
use keypose::anim::time::FrameRate;
use keypose::anim::track::Track;
use keypose::assets::combat::Range;
use keypose_editor::editor::document::edit::KeyRef;
use keypose_editor::editor::ops::curves::{ChannelCurves, Reading};
use keypose_editor::editor::ops::euler;
use keypose_editor::editor::session::command::Command;
use keypose_editor::editor::session::timing::TimeView;
use keypose_editor::editor::state::action::{Action, ClipAction, PlaybackAction, PoseAction};

use crate::driver::{Driver, SIZE, arm, frames};

fn selected(driver: &Driver) -> Vec<usize> {
    driver.editor.session.focus.selection.keys.iter().map(|key| key.keyframe).collect()
}

/// "wave" with its keyframes of 4, 6 and 10 frames, and the dope sheet in front.
fn sheet() -> Driver {
    let mut driver = Driver::new(arm(), SIZE);
    driver.click("view-ShowSheet");
    driver.frames(2);
    driver
}

/// How many points one frame is wide.
fn frame_width(driver: &Driver) -> f32 {
    (driver.place("sheet-all-1").center()[0] - driver.place("sheet-all-0").center()[0]) / 4.0
}

#[test]
fn the_views_answer_their_tabs_and_their_key() {
    let mut driver = sheet();
    assert_eq!(driver.editor.session.focus.timing.view, TimeView::Sheet);
    driver.strike("Ctrl+Tab");
    assert_eq!(driver.editor.session.focus.timing.view, TimeView::Curves);
    driver.strike("Ctrl+Tab");
    assert_eq!(driver.editor.session.focus.timing.view, TimeView::Sheet);
    driver.click("view-ShowStrip");
    assert!(driver.has("block0"));
}

#[test]
fn a_key_is_picked_and_dragged_on_frames_in_one_step() {
    let mut driver = sheet();
    let width = frame_width(&driver);
    driver.drag("sheet-1-1", [width * 2.2, 0.0]);
    assert_eq!(driver.durations(), [4, 2, 4, 10]);
    assert_eq!(selected(&driver), [2]);
    assert_eq!(driver.editor.session.focus.selection.bones, [1]);
    assert_eq!(driver.editor.history.undo_count(), 1);
    driver.strike("Ctrl+Z");
    assert_eq!(driver.durations(), [4, 6, 10]);
}

#[test]
fn shift_adds_and_a_click_on_nothing_selects_none() {
    let mut driver = sheet();
    driver.click("sheet-1-0");
    assert_eq!(selected(&driver), [0]);
    driver.click_holding(UiKey::ModShift, "sheet-1-2");
    assert_eq!(selected(&driver), [0, 2]);
    let row = driver.place("sheet-row-1");
    driver.click_at([row.max[0] - 4.0, row.center()[1]]);
    assert!(selected(&driver).is_empty());
}

#[test]
fn a_box_takes_what_it_crosses_and_its_handle_scales_it() {
    let mut driver = sheet();
    let (first, last) = (driver.place("sheet-1-0"), driver.place("sheet-1-2"));
    // From the empty place behind the last key, back over the second.
    driver.drag_between([last.center()[0] + 30.0, last.max[1] - 2.0], [first.center()[0] + 30.0, last.min[1] + 2.0]);
    assert_eq!(selected(&driver), [1, 2]);
    let width = frame_width(&driver);
    driver.drag("sheet-handle1", [width * 6.0, 0.0]);
    let starts: Vec<i64> = driver.clip().starts().map(|start| FrameRate::FPS_30.nearest_frame(start)).collect();
    let keyed: Vec<i64> = selected(&driver).iter().map(|&at| starts[at]).collect();
    assert_eq!(keyed[0], 4, "the other end stays");
    assert!((15..=17).contains(&keyed[1]), "{keyed:?}");
    assert_eq!(driver.editor.history.undo_count(), 1);
}

#[test]
fn b_draws_a_box_that_starts_on_a_key() {
    let mut driver = sheet();
    let (first, second) = (driver.place("sheet-1-0"), driver.place("sheet-1-1"));
    driver.point(first.center());
    driver.strike("B");
    driver.drag_between(first.center(), [second.center()[0] + 8.0, second.max[1] - 1.0]);
    assert_eq!(selected(&driver), [0, 1]);
    assert_eq!(driver.editor.history.undo_count(), 0);
    assert!(!driver.editor.session.focus.timing.is_boxing);
}

#[test]
fn a_duration_typed_over_the_dope_sheet_is_seen() {
    let mut driver = sheet();
    driver.hover("sheet-1-1");
    driver.strikes(&["D", "9"]);
    driver.frames(2);
    assert!(driver.has("duration-field"));
    driver.strike("Enter");
    assert_eq!(driver.durations(), [9, 6, 10]);
}

#[test]
fn keys_taken_by_g_follow_the_mouse_until_a_click_or_escape() {
    let mut driver = sheet();
    driver.click("sheet-1-2");
    let [x, y] = driver.place("sheet-1-2").center();
    let width = frame_width(&driver);
    driver.strike("G");
    driver.point([x + width * 3.0, y]);
    assert!(driver.editor.gesture.is_some());
    assert_eq!(driver.durations(), [4, 6, 3, 7]);
    driver.strike("Escape");
    assert_eq!(driver.durations(), [4, 6, 10]);
    driver.point([x, y]);
    driver.strike("G");
    driver.click_at([x + width * 3.0, y]);
    assert!(driver.editor.gesture.is_none());
    assert_eq!(driver.durations(), [4, 6, 3, 7]);
    assert_eq!(selected(&driver), [3]);
    driver.strikes(&["G", "-", "2", "Enter"]);
    assert_eq!(driver.editor.history.undo_count(), 2);
    assert_eq!(driver.clip().start_of(selected(&driver)[0]), frames(11));
}

#[test]
fn rows_are_bones_that_open_their_channels_and_select_in_step() {
    let mut driver = sheet();
    assert!(!driver.has("sheet-name-0"), "only keyed bones are shown");
    driver.click("ToggleOnlyKeyed");
    assert!(driver.has("sheet-name-0"));
    driver.click("sheet-name-2");
    assert_eq!(driver.editor.session.focus.selection.bones, [2]);
    driver.click("sheet-fold-1");
    driver.frame();
    driver.click("sheet-1-rotation-1");
    let key = KeyRef { keyframe: 1, bone: 1, channel: Channel::Rotation };
    assert_eq!(driver.editor.session.focus.selection.keys, [key].into());
    assert_eq!(driver.editor.session.focus.selection.bones, [1]);
    driver.click("bone2");
    assert!(driver.editor.session.focus.selection.keys.is_empty());
}

#[test]
fn the_filter_is_typed_after_its_key() {
    let mut driver = sheet();
    driver.click("ToggleOnlyKeyed");
    driver.hover("sheet-row-1");
    driver.strike("Ctrl+F");
    driver.frames(2);
    driver.text("low");
    driver.frames(2);
    assert!(driver.has("sheet-name-2") && !driver.has("sheet-name-1"));
}

#[test]
fn t_opens_the_menu_of_interpolations() {
    let mut driver = sheet();
    driver.click("sheet-1-0");
    driver.strike("T");
    driver.frames(3);
    driver.click("Set step interpolation");
    driver.frames(2);
    assert_eq!(driver.clip().keyframes[0].keys[0].ease, Ease::Step);
    assert_eq!(driver.editor.session.transient.popup, None);
}

#[test]
fn events_are_made_named_dragged_and_deleted() {
    let mut driver = sheet();
    driver.update(PlaybackAction::Seek(frames(5)));
    driver.hover("sheet-row-1");
    driver.strike("M");
    driver.type_line("step");
    assert_eq!(driver.clip().events[0].name, "step");
    assert_eq!(driver.editor.session.focus.timing.naming, None);
    let width = frame_width(&driver);
    driver.drag("event0", [width * 3.0, 0.0]);
    assert_eq!(driver.clip().events[0].time, frames(8));
    assert_eq!(driver.editor.history.undo_count(), 3);
    driver.strike("Delete");
    assert!(driver.clip().events.is_empty());
    for _ in 0..4 {
        driver.strike("Ctrl+Z");
    }
    assert_eq!(driver.editor.history.undo_count(), 0);
}

#[test]
fn the_ends_of_the_loop_section_are_dragged() {
    let mut driver = Driver::new(arm(), SIZE);
    driver.click("block1");
    driver.strike("P");
    driver.frame();
    assert_eq!(driver.editor.session.focus.playhead.loop_section, Some((frames(4), frames(10))));
    let by = driver.place("block0").size()[0];
    driver.drag("loop-end1", [by, 0.0]);
    let (from, to) = driver.editor.session.focus.playhead.loop_section.unwrap();
    assert_eq!((from, to > frames(12)), (frames(4), true));
    driver.strike("Alt+P");
    assert_eq!(driver.editor.session.focus.playhead.loop_section, None);
}

/// The curves of the second bone, whose rotation about z is 0, 40 and -20 degrees.
fn curves() -> Driver {
    let mut driver = Driver::new(arm(), SIZE);
    driver.click("bone1");
    driver.click("view-ShowCurves");
    driver.frames(3);
    driver
}

fn z_degrees(driver: &Driver, keyframe: usize) -> f32 {
    let key = driver.clip().keyframes[keyframe].key(1, Channel::Rotation).unwrap();
    keypose_editor::editor::ops::euler::degrees(glam::Quat::from_vec4(key.value), Default::default()).z
}

#[test]
fn a_key_of_a_curve_is_dragged_in_time_and_value() {
    let mut driver = curves();
    let places: Vec<[f32; 2]> =
        (0..3).map(|at| driver.place(&format!("curve-key-1-rotation-2-{at}")).center()).collect();
    let per_degree = (places[0][1] - places[1][1]) / 40.0;
    let frame = (places[1][0] - places[0][0]) / 4.0;
    driver.drag("curve-key-1-rotation-2-1", [frame * 2.0, per_degree * 20.0]);
    assert_eq!(driver.durations(), [4, 2, 4, 10]);
    assert!((z_degrees(&driver, 2) - 20.0).abs() < 1.0, "{}", z_degrees(&driver, 2));
    assert_eq!(driver.editor.history.undo_count(), 1);
    assert_eq!(selected(&driver), [2]);
}

#[test]
fn a_typed_value_and_time_of_a_key() {
    let mut driver = curves();
    driver.click("curve-key-1-rotation-2-1");
    for (field, text) in [("curve-value2", "75"), ("curve-time", "7")] {
        driver.frames(2);
        driver.enter(field, text);
    }
    assert_eq!(driver.durations(), [4, 3, 3, 10]);
    assert!((z_degrees(&driver, 2) - 75.0).abs() < 0.1, "{}", z_degrees(&driver, 2));
    assert_eq!(driver.editor.history.undo_count(), 2);
}

#[test]
fn a_handle_sets_tangent_and_length() {
    let mut driver = curves();
    driver.hover("curves");
    driver.strike("A");
    driver.update(PoseAction::SetEase(Ease::Cubic));
    driver.frames(2);
    driver.click("curve-key-1-rotation-2-1");
    driver.frames(2);
    let key = |driver: &Driver| *driver.clip().keyframes[1].key(1, Channel::Rotation).unwrap();
    driver.drag("handle-2-1-1", [0.0, -30.0]);
    let turned = key(&driver);
    assert_eq!((turned.handles, turned.in_length, turned.out_length), (HandleKind::Aligned, THIRD, THIRD));
    assert!(turned.out_tangent.z > 0.0 && turned.out_tangent == turned.in_tangent, "{}", turned.out_tangent);
    driver.frames(3);
    driver.drag("handle-2-1-1", [25.0, 0.0]);
    driver.frames(3);
    let longer = key(&driver);
    assert_eq!((longer.handles, longer.in_length), (HandleKind::Aligned, THIRD));
    assert!(longer.out_length > THIRD + 0.05 && longer.out_length < 1.0, "{}", longer.out_length);
    assert!(longer.out_tangent.z < turned.out_tangent.z && longer.in_tangent == longer.out_tangent);
    // Alt breaks the tangent.
    driver.hold(UiKey::ModAlt, true);
    driver.drag("handle-2-1-0", [0.0, -20.0]);
    driver.hold(UiKey::ModAlt, false);
    let free = key(&driver);
    assert_eq!((free.handles, free.out_tangent), (HandleKind::Free, longer.out_tangent));
    assert!(free.in_tangent.z < longer.in_tangent.z);
    for before in [longer, turned] {
        driver.strike("Ctrl+Z");
        assert_eq!(key(&driver), before);
    }
    driver.strike("Ctrl+Z");
    assert_eq!(key(&driver).handles, HandleKind::Auto);
}

/// The curves of the wave as a loop with Bézier curves, with a key selected.
fn looping(key: &str) -> Driver {
    let mut driver = curves();
    driver.hover("curves");
    driver.strike("A");
    driver.update(PoseAction::SetEase(Ease::Cubic));
    driver.update(ClipAction::SetLoopMode(LoopMode::Loop));
    driver.frames(2);
    driver.click(key);
    driver.frames(3);
    driver
}

#[test]
fn handles_shape_the_curve_across_the_seam_of_a_loop() {
    let mut driver = looping("curve-key-1-rotation-2-0");
    let z = |driver: &Driver| {
        let value = Track::of(driver.clip(), 1, Channel::Rotation).unwrap().sample(frames(19));
        euler::degrees(Quat::from_vec4(value), Default::default()).z
    };
    let before = z(&driver);
    // The handle before the first key begins at the end of the loop.
    let (first, handle) = (driver.place("curve-key-1-rotation-2-0"), driver.place("handle-2-0-0"));
    let last = driver.place("curve-key-1-rotation-2-2");
    assert!(handle.center()[0] > last.center()[0] && handle.center()[0] > first.center()[0] + 100.0);
    driver.drag("handle-2-0-0", [0.0, 40.0]);
    let lower = z(&driver);
    assert!(lower < before - 1.0, "{lower} {before}");
    let key = driver.clip().keyframes[0].key(1, Channel::Rotation).unwrap();
    assert!(key.handles == HandleKind::Aligned && key.in_tangent.z > 0.0, "{key:?}");
    drop(driver);
    let mut driver = looping("curve-key-1-rotation-2-2");
    driver.drag("handle-2-2-1", [0.0, -40.0]);
    assert!(z(&driver) > before + 0.1, "{} {before}", z(&driver));
}

#[test]
fn the_end_of_a_handle_is_typed_in_the_inspector() {
    let mut driver = looping("curve-key-1-rotation-2-1");
    // The inspector has room for all of its rows.
    driver.resize([1280.0, 1600.0]);
    driver.click("key-handles-Free");
    driver.frames(2);
    let key = |driver: &Driver| *driver.clip().keyframes[1].key(1, Channel::Rotation).unwrap();
    assert_eq!(key(&driver).handles, HandleKind::Free);
    let before = key(&driver);
    driver.enter("handle-time1", "7");
    driver.frames(2);
    driver.enter("handle-value1-2", "60");
    driver.frames(2);
    let after = key(&driver);
    assert!((after.out_length - 0.5).abs() < 1e-3, "half of the way from 4 to 10: {}", after.out_length);
    assert_eq!((after.in_tangent, after.in_length), (before.in_tangent, before.in_length));
    let curves = ChannelCurves::of(driver.clip(), 1, Channel::Rotation, Reading::default()).unwrap();
    let end = curves.handles(1)[1].unwrap().end();
    assert!((end.z - 60.0).abs() < 0.1, "{end}");
    driver.strike("Ctrl+Z");
    driver.strike("Ctrl+Z");
    assert_eq!(key(&driver), before);
}

#[test]
fn keys_taken_by_g_in_the_curves_go_up_with_y() {
    let mut driver = curves();
    driver.click("curve-key-1-rotation-2-1");
    driver.strikes(&["G", "Y", "5", "Enter"]);
    assert!((z_degrees(&driver, 1) - 45.0).abs() < 0.1, "{}", z_degrees(&driver, 1));
    assert_eq!(driver.durations(), [4, 6, 10]);
}

#[test]
fn the_inspector_sets_the_handles_of_the_keys_that_it_shows() {
    let mut driver = curves();
    driver.click("curve-key-1-rotation-2-1");
    driver.click("bone1");
    driver.resize([1280.0, 1600.0]);
    driver.click("key-handles-Flat");
    let kind = |at: usize| driver.clip().keyframes[at].key(1, Channel::Rotation).unwrap().handles;
    assert_eq!([0, 1, 2].map(kind), [HandleKind::Auto, HandleKind::Flat, HandleKind::Auto]);
}

#[test]
fn a_drag_in_the_dope_sheet_keeps_the_values_of_picked_curves() {
    let mut driver = curves();
    driver.click("curve-key-1-rotation-2-1");
    driver.drag("sheet-all-1", [frame_width(&driver) * 2.2, 25.0]);
    assert_eq!(driver.durations(), [4, 2, 4, 10]);
    assert!((z_degrees(&driver, 2) - 40.0).abs() < 0.1, "{}", z_degrees(&driver, 2));
}

#[test]
fn curves_are_switched_off_and_normalised() {
    let mut driver = curves();
    driver.click("curve-1-rotation-2");
    driver.frame();
    assert!(!driver.has("curve-key-1-rotation-2-1") && driver.has("curve-key-1-rotation-0-1"));
    driver.click("ToggleNormalised");
    driver.click("curve-1-rotation-2");
    driver.frames(2);
    let area = driver.place("curves");
    let highest = driver.place("curve-key-1-rotation-2-1").center()[1];
    assert!(highest - area.min[1] < area.size()[1] * 0.2);
}

#[test]
fn clips_are_dragged_in_the_list_and_deleted_together() {
    let mut driver = Driver::new(arm(), SIZE);
    let ids: Vec<_> = driver.model().clips.iter().map(|slot| slot.id).collect();
    let rows: Vec<String> = ids.iter().map(|id| format!("clip{}", id.0)).collect();
    driver.drag(&rows[0], [0.0, 36.0]);
    assert_eq!(driver.model().clips[0].id, ids[1]);
    assert_eq!(driver.editor.history.undo_label(), Some("Reorder clips"));
    driver.drag(&rows[0], [0.0, -60.0]);
    assert_eq!(driver.model().clips[0].id, ids[0], "above the first one");
    driver.click(&rows[0]);
    driver.click_holding(UiKey::ModCtrl, &rows[1]);
    driver.strike("Delete");
    assert!(driver.model().clips.is_empty());
    driver.strike("Ctrl+Z");
    assert_eq!(driver.model().clips.len(), 2);
}

#[test]
fn a_clip_gets_a_folder_and_tags_in_its_menu() {
    let mut driver = Driver::new(arm(), SIZE);
    let row = format!("clip{}", driver.model().clips[0].id.0);
    driver.choose_in_menu(&row, "Folder and tags…");
    driver.text("arms");
    driver.click("clip-tags");
    driver.type_line("loop fast");
    let notes = driver.model().clip_notes.values().next().unwrap().clone();
    assert_eq!((notes.folder.as_str(), notes.tags), ("arms", vec!["loop".to_owned(), "fast".to_owned()]));
    driver.click("folder-arms");
    driver.frames(2);
    assert!(!driver.has(&row), "the folder is closed");
    driver.click("clip-search");
    driver.text("#fast");
    driver.frames(2);
    assert!(driver.has(&row), "a search looks into folders");
}

#[test]
fn a_clip_that_follows_shows_its_badge_until_it_is_unlocked() {
    let mut driver = Driver::new(arm(), SIZE);
    driver.update(Action::Run(Command::ReversedClip));
    driver.frames(2);
    let id = driver.editor.session.focus.clip.unwrap();
    assert!(driver.has(&format!("link{}", id.0)));
    assert_eq!(driver.durations(), [10, 6, 4, 0]);
    driver.drag("edge0", [40.0, 0.0]);
    assert_eq!(driver.durations(), [10, 6, 4, 0], "a derived clip is not edited");
    driver.click("unlock-clip");
    driver.frame();
    assert!(!driver.has(&format!("link{}", id.0)));
    driver.drag("edge0", [40.0, 0.0]);
    assert_ne!(driver.durations(), [10, 6, 4, 0]);
}

#[test]
fn hits_are_made_dragged_at_ticks_and_deleted() {
    let mut driver = sheet();
    driver.click("bone1");
    driver.update(PlaybackAction::Seek(frames(5)));
    driver.update(Action::Run(Command::AddHit));
    driver.frames(3);
    let hits = |driver: &Driver| driver.model().combat.lanes.values().next().map(|lanes| lanes.hits.clone());
    let hit = hits(&driver).unwrap().remove(0);
    assert_eq!(hit.range, Range::of_ticks(10, 14));
    assert_eq!(hit.volumes[0].bone, driver.model().skeleton.bones()[1].name);
    let tick = frame_width(&driver) / 2.0;
    driver.drag("hits0", [tick * 5.0, 0.0]);
    assert_eq!(hits(&driver).unwrap()[0].range, Range::of_ticks(15, 19));
    assert_eq!(driver.editor.history.undo_count(), 2);
    // Its end.
    let place = driver.place("hits0");
    let end = [place.max[0] - 2.0, place.center()[1]];
    driver.drag_between(end, [end[0] + tick * 3.0, end[1]]);
    assert_eq!(hits(&driver).unwrap()[0].range, Range::of_ticks(15, 22));
    driver.strike("Delete");
    assert_eq!(hits(&driver), None);
    (0..4).for_each(|_| driver.strike("Ctrl+Z"));
    assert!(driver.model().combat == Default::default());
}
