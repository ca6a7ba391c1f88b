//! The rig mode, driven by mouse and keys.

use imgui::{Key as UiKey, MouseButton};
use keypose_editor::editor::ops::rigging::bind_heads;
use keypose_editor::editor::script;

use crate::driver::{Driver, SIZE, arm};

/// A driver in the rig mode.
fn driver() -> Driver {
    let mut driver = Driver::new(arm(), SIZE);
    driver.hover("picture");
    driver.strike("F4");
    driver.frames(3);
    driver
}

fn fact(driver: &Driver, what: &str) -> String {
    script::show(&driver.editor, what).unwrap()
}

#[test]
fn a_joint_is_dragged_a_bone_extruded_and_both_undone() {
    let mut driver = driver();
    assert!(driver.editor.session.transient.scene.rig().is_some());
    let before = driver.editor.document.clone();
    driver.drag("joint: lower", [0.0, -60.0]);
    let heads = bind_heads(driver.model());
    assert!(heads[2].y > 0.1 && heads[1].y == 0.0, "{heads:?}");
    assert_eq!((fact(&driver, "selected"), fact(&driver, "undo")), ("lower".into(), "Move joints".into()));
    driver.strike("E");
    let [x, y] = driver.place("joint: lower").center();
    driver.point([x + 40.0, y - 40.0]);
    driver.button(MouseButton::Left, true);
    driver.button(MouseButton::Left, false);
    assert_eq!((fact(&driver, "selected"), fact(&driver, "undo")), ("lower.001".into(), "Add bone".into()));
    let skeleton = &driver.model().skeleton;
    assert_eq!(skeleton.parent(skeleton.find("lower.001").unwrap()), skeleton.find("lower"));
    driver.strike("Ctrl+Z");
    driver.strike("Ctrl+Z");
    assert!(driver.editor.document.is_same(&before));
    driver.escape();
    assert!(driver.editor.session.transient.scene.rig().is_none());
}

#[test]
fn esc_ends_a_drag_and_leaves_the_model_alone() {
    let mut driver = driver();
    let before = driver.editor.document.clone();
    driver.take("joint: upper");
    let [x, y] = driver.place("joint: upper").center();
    driver.point([x + 30.0, y]);
    driver.point([x + 60.0, y]);
    assert!(!driver.editor.document.is_same(&before));
    driver.escape();
    driver.button(MouseButton::Left, false);
    assert!(driver.editor.document.is_same(&before));
}

#[test]
fn a_bone_is_renamed_and_gets_another_parent_in_the_panel() {
    let mut driver = driver();
    driver.click("joint: lower");
    driver.strike("F2");
    driver.frames(3);
    driver.text("paw");
    driver.key(UiKey::Enter);
    assert_eq!(fact(&driver, "selected"), "paw");
    driver.click("bone-Parent");
    driver.click("bone-Parent-root");
    let skeleton = &driver.model().skeleton;
    assert_eq!(skeleton.parent(skeleton.find("paw").unwrap()), Some(0));
}

#[test]
fn keys_that_pose_do_nothing_and_a_clip_ends_the_mode() {
    let mut driver = driver();
    driver.click("joint: lower");
    let before = driver.editor.document.clone();
    for stroke in ["R", "S", "I", "Shift+I"] {
        driver.strike(stroke);
    }
    assert!(driver.editor.document.is_same(&before) && driver.editor.gesture.is_none());
    assert!(driver.editor.session.transient.scene.rig().is_some());
    driver.strike("Space");
    driver.editor.update(keypose_editor::editor::state::action::SelectAction::Clip(None));
    assert!(driver.editor.session.transient.scene.rig().is_none());
}
