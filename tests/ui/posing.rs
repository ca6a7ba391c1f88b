//! The pose library and what else poses with panels, driven by mouse and keys.

use imgui::MouseButton;
use keypose::anim::key::Channel;
use keypose_editor::editor::panels::window::layout::Panel;

use crate::driver::{Driver, driver};

/// With "wave" kept at its second keyframe, the playhead at the first again, and the library in front.
fn with_a_pose() -> Driver {
    let mut driver = driver();
    driver.click("block1");
    driver.show(Panel::Poses);
    driver.click("save-pose");
    driver.type_line("up");
    driver.click("block0");
    driver
}

/// Degrees of the upper bone on screen.
fn shown(driver: &Driver) -> f32 {
    driver.editor.view().local.get(1).rotation.to_euler(glam::EulerRot::XYZ).2.to_degrees()
}

#[test]
fn a_name_of_a_pose_whose_library_is_hidden_by_a_click_is_taken() {
    let mut driver = driver();
    driver.show(Panel::Poses);
    driver.click("save-pose");
    driver.frames(3);
    driver.text("up");
    driver.dock.show(Panel::Clips);
    driver.frames(20);
    assert_eq!(driver.model().poses[0].name, "up");
}

#[test]
fn a_click_puts_the_pose_on_in_one_step() {
    let mut driver = with_a_pose();
    let steps = driver.editor.history.undo_count();
    driver.click("pose0");
    assert!((shown(&driver) - 40.0).abs() < 1e-2, "{}", shown(&driver));
    assert_eq!(driver.editor.history.undo_count(), steps + 1);
    assert!(driver.clip().keyframes[0].key(1, Channel::Rotation).is_some());
    driver.strike("Ctrl+Z");
    assert!(shown(&driver).abs() < 1e-3);
}

#[test]
fn a_drag_sideways_blends_in_one_step_and_escape_takes_it_back() {
    let mut driver = with_a_pose();
    let steps = driver.editor.history.undo_count();
    driver.drag("pose0", [70.0, 0.0]);
    assert!((shown(&driver) - 20.0).abs() < 1.0, "{}", shown(&driver));
    assert_eq!(driver.editor.history.undo_count(), steps + 1);
    driver.pull("pose0", [100.0, 0.0]);
    assert!(driver.editor.gesture.is_some() && shown(&driver) > 21.0, "{}", shown(&driver));
    driver.strike("Escape");
    driver.button(MouseButton::Left, false);
    assert!((shown(&driver) - 20.0).abs() < 1.0);
    assert_eq!(driver.editor.history.undo_count(), steps + 1);
}

#[test]
fn the_menu_deletes_a_pose_and_undo_brings_it_back() {
    let mut driver = with_a_pose();
    driver.choose_in_menu("pose0", "Delete");
    assert!(driver.model().poses.is_empty() && !driver.has("pose0"));
    driver.strike("Ctrl+Z");
    assert_eq!(driver.model().poses.len(), 1);
}

#[test]
fn a_double_click_on_its_name_renames_a_pose() {
    let mut driver = with_a_pose();
    driver.enter("pose-name0", "arm up");
    assert_eq!(driver.model().poses[0].name, "arm up");
}

#[test]
fn a_field_mixes_with_the_neighbours_in_one_step() {
    let mut driver = driver();
    driver.click("bone1");
    driver.click("block1");
    let before = shown(&driver);
    driver.drag("mix-Towards0", [100.0, 0.0]);
    let mixed = shown(&driver);
    assert!(mixed < before - 10.0, "towards -20 degrees: {mixed}");
    assert_eq!(driver.editor.history.undo_count(), 1);
    driver.strike("Shift+E");
    let [x, y] = driver.place("picture").center();
    driver.point([x, y]);
    driver.point([x + 60.0, y]);
    assert!(driver.editor.gesture.is_some());
    driver.button(MouseButton::Left, true);
    driver.button(MouseButton::Left, false);
    assert!(driver.editor.gesture.is_none());
    assert_eq!(driver.editor.history.undo_count(), 2);
}

#[test]
fn the_mirror_table_corrects_a_pair() {
    let mut driver = driver();
    driver.update(keypose_editor::editor::session::command::Command::MirrorTable);
    driver.frames(3);
    driver.choose("mirror-of1", "lower");
    assert_eq!(driver.model().rig.mirror, [("upper".to_owned(), "lower".to_owned())]);
    driver.frames(2);
    driver.click("unpair1");
    assert!(driver.model().rig.mirror.is_empty());
    assert_eq!(driver.editor.history.undo_count(), 2);
    driver.click("live-mirror");
    assert!(driver.editor.session.is_on(keypose_editor::editor::session::switch::Switch::LiveMirror));
}

#[test]
fn bones_are_grouped_coloured_and_selected_by_their_group() {
    let mut driver = driver();
    driver.click("bone1");
    driver.frames(2);
    driver.click("new-group");
    driver.frames(2);
    driver.choose_in_menu("group0", "color6");
    assert_eq!(driver.model().rig.groups[0].color, keypose_editor::editor::ops::bone_groups::COLORS[6]);
    driver.click("group-name");
    driver.type_line("arm");
    assert_eq!(driver.model().rig.groups[0].name, "arm");
    driver.frames(2);
    driver.click("bone2");
    driver.click("group0");
    assert_eq!(driver.editor.session.focus.selection.bones, [1]);
}

#[test]
fn the_cross_empties_a_search_that_is_typed_into() {
    let mut driver = driver();
    driver.click("bone-search");
    driver.text("low");
    driver.frames(2);
    assert!(driver.has("bone2") && !driver.has("bone1"));
    let field = driver.place("bone-search");
    driver.click_at([field.max[0] - 8.0, field.center()[1]]);
    driver.frames(2);
    assert!(driver.has("bone2") && driver.has("bone1"));
}
