//! The rig mode, driven by mouse and keys.

use std::sync::Arc;

use imgui::MouseButton;
use keypose::assets::model::Model;
use keypose_editor::editor::ops::rigging::bind_heads;
use keypose_editor::editor::script;

use crate::driver::{Driver, SIZE, arm, demo};

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
    driver.click_at([x - 40.0, y - 40.0]);
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
fn a_marker_is_dragged_in_depth_in_the_view_from_beside() {
    let mut project = demo();
    let Model { skeleton, meshes, skins, materials, textures, .. } = Model::clone(&project.models[0]);
    let bare = Model { name: "bare".into(), skeleton, meshes, skins, materials, textures, ..Model::default() };
    project.models = vec![Arc::new(bare)];
    let mut driver = Driver::new(project, SIZE);
    driver.hover("picture");
    driver.strike("F4");
    driver.frames(3);
    driver.strike("T");
    driver.frames(3);
    let marker = |driver: &Driver| {
        let desk = driver.editor.session.transient.scene.rig().unwrap();
        desk.placing.as_ref().unwrap().markers["knee.L"]
    };
    let before = marker(&driver);
    driver.drag("beside-knee.L", [24.0, 0.0]);
    let moved = marker(&driver) - before;
    assert!(moved.z.abs() > 0.01 && moved.x.abs() < 1e-3, "{moved}");
}

#[test]
fn esc_ends_a_drag_and_leaves_the_model_alone() {
    let mut driver = driver();
    let before = driver.editor.document.clone();
    driver.pull("joint: upper", [60.0, 0.0]);
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
    driver.type_line("paw");
    assert_eq!(fact(&driver, "selected"), "paw");
    driver.choose("bone-Parent", "root");
    let skeleton = &driver.model().skeleton;
    assert_eq!(skeleton.parent(skeleton.find("paw").unwrap()), Some(0));
}

#[test]
fn keys_that_pose_do_nothing_and_a_clip_ends_the_mode() {
    let mut driver = driver();
    driver.click("joint: lower");
    let before = driver.editor.document.clone();
    driver.strikes(&["R", "S", "I", "Shift+I"]);
    assert!(driver.editor.document.is_same(&before) && driver.editor.gesture.is_none());
    assert!(driver.editor.session.transient.scene.rig().is_some());
    driver.editor.update(keypose_editor::editor::state::action::SelectAction::Clip(None));
    assert!(driver.editor.session.transient.scene.rig().is_none());
}

#[test]
fn the_mouse_paints_weights_in_one_step_and_keys_change_the_brush() {
    let mut driver = Driver::new(demo(), SIZE);
    driver.hover("picture");
    driver.strike("F4");
    driver.frames(3);
    script::run(&mut driver.editor, "select forearm.L").unwrap();
    driver.frames(2);
    driver.strike("P");
    driver.frames(2);
    let before = driver.editor.document.clone();
    let desk = |driver: &Driver| driver.editor.session.transient.scene.rig().unwrap().clone();
    for is_locked in [true, false] {
        driver.click("lock: forearm.L");
        assert_eq!(desk(&driver).paint.locked.contains("forearm.L"), is_locked);
    }
    driver.hover("picture");
    let [x, y] = driver.place("joint: upper_arm.L").center();
    driver.point([x, y]);
    driver.frames(2);
    assert!(desk(&driver).paint.over.is_some());
    driver.button(MouseButton::Left, true);
    driver.point([x + 6.0, y + 4.0]);
    driver.point([x + 12.0, y + 8.0]);
    assert!(!driver.editor.document.is_same(&before));
    driver.button(MouseButton::Left, false);
    assert_eq!(fact(&driver, "undo"), "Paint weights");
    assert!(desk(&driver).vertex.is_some());
    driver.model().check().unwrap();
    driver.strike("Ctrl+Z");
    assert!(driver.editor.document.is_same(&before));
    // Esc in a stroke changes nothing.
    driver.button(MouseButton::Left, true);
    driver.point([x, y]);
    driver.escape();
    driver.button(MouseButton::Left, false);
    assert!(driver.editor.document.is_same(&before) && desk(&driver).paint.is_on);
    let radius = desk(&driver).paint.brush.radius;
    driver.strike("F");
    driver.click_at([x + 30.0, y]);
    assert_eq!(desk(&driver).paint.brush.radius, radius + 30.0);
    driver.strike("Shift+F");
    driver.point([x + 130.0, y]);
    assert!(desk(&driver).paint.brush.strength > 0.9);
    driver.escape();
    assert_eq!(desk(&driver).paint.brush.strength, 0.5);
    driver.strike("P");
    assert!(!desk(&driver).paint.is_on);
    assert!(driver.editor.document.is_same(&before));
}

#[test]
fn keys_delete_no_keys_of_the_hidden_clip() {
    let mut driver = driver();
    let before = driver.editor.document.clone();
    for stroke in ["X", "Delete", "Alt+Delete"] {
        driver.strike(stroke);
        assert!(driver.editor.document.is_same(&before), "{stroke}");
    }
    driver.escape();
    driver.strike("X");
    assert!(!driver.editor.document.is_same(&before), "they do outside the mode");
}

#[test]
fn a_length_of_zero_keeps_its_direction_in_a_drag() {
    let mut driver = driver();
    driver.click("joint: upper");
    driver.take("bone-Length0");
    let [x, y] = driver.place("bone-Length0").center();
    driver.point([x - 700.0, y]);
    driver.frames(2);
    assert_eq!(bind_heads(driver.model())[2].distance(bind_heads(driver.model())[1]), 0.0);
    driver.point([x - 300.0, y]);
    driver.frames(2);
    driver.button(MouseButton::Left, false);
    let heads = bind_heads(driver.model());
    assert!(heads[2].x > heads[1].x && (heads[2].y - heads[1].y).abs() < 1e-4, "{heads:?}");
    assert_eq!(fact(&driver, "undo"), "Set length");
}
