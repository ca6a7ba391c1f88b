//! The rotation row of the inspector: Euler angles in the order of the bone, quaternions, axis and angle.

use glam::{Quat, Vec3};
use keypose::anim::key::Channel;
use keypose::assets::euler_order::EulerOrder;
use keypose_editor::editor::document::edit::KeyRef;
use keypose_editor::editor::ops::euler;
use keypose_editor::editor::session::selection::Pick;
use keypose_editor::editor::state::action::{PlaybackAction, SelectAction};

use crate::driver::Driver;
use crate::fields::with_bones;

fn rotation(driver: &Driver, bone: usize) -> Quat {
    driver.editor.view().local.get(bone).rotation
}

fn is_near(a: Quat, b: Quat) -> bool {
    a.dot(b).abs() > 0.999_999
}

fn shows(driver: &Driver, expected: &[&str]) {
    for text in expected {
        assert!(driver.has(text), "{text} is missing: {:?}", driver.ids());
    }
}

#[test]
fn the_order_of_several_bones_is_chosen_saved_and_undone() {
    let mut driver = with_bones(&[1, 2]);
    driver.update(SelectAction::Bones { bones: vec![1], pick: Pick::Only });
    driver.frames(3);
    driver.choose("euler-order", "ZYX");
    assert_eq!(driver.model().rig.orders, [("upper".to_owned(), EulerOrder::Zyx)].into());
    for (field, text) in [("Rotation0", "90"), ("Rotation1", "45")] {
        driver.enter(field, text);
    }
    assert!(is_near(rotation(&driver, 1), euler::rotation(Vec3::new(90.0, 45.0, 0.0), EulerOrder::Zyx)));
    driver.update(SelectAction::Bones { bones: vec![1, 2], pick: Pick::Only });
    driver.frames(3);
    driver.choose("euler-order", "YZX");
    assert_eq!(driver.model().rig.orders.values().collect::<Vec<_>>(), [&EulerOrder::Yzx; 2]);
    assert!(is_near(rotation(&driver, 1), euler::rotation(Vec3::new(90.0, 45.0, 0.0), EulerOrder::Zyx)), "only read");
    driver.strike("Ctrl+Z");
    assert_eq!(driver.model().rig.orders, [("upper".to_owned(), EulerOrder::Zyx)].into());
    driver.frames(3);
    driver.update(SelectAction::Bones { bones: vec![1], pick: Pick::Only });
    driver.frames(3);
    shows(&driver, &["Rotation0: 90.0", "Rotation1: 45.0", "Rotation2: 0.0"]);
}

#[test]
fn entered_angles_read_the_same_in_inspector_and_curves_wherever_the_playhead_was() {
    let mut driver = with_bones(&[1]);
    driver.click("view-ShowCurves");
    driver.frames(3);
    for (keyframe, typed) in [(1_usize, "370"), (2, "190"), (1, "-725.5"), (0, "400")] {
        let time = driver.clip().start_of(keyframe);
        let key = KeyRef { keyframe, bone: 1, channel: Channel::Rotation };
        driver.update(PlaybackAction::Seek(time));
        driver.update(SelectAction::Keys { keys: vec![key], pick: Pick::Only });
        driver.frames(3);
        driver.enter("Rotation2", typed);
        let typed = format!("{:.1}", typed.parse::<f32>().unwrap());
        let both = [format!("Rotation2: {typed}"), format!("curve-value2: {typed}")];
        shows(&driver, &both.each_ref().map(String::as_str));
        driver.update(PlaybackAction::Seek(driver.clip().length()));
        driver.frames(3);
        driver.update(PlaybackAction::Seek(time));
        driver.frames(3);
        shows(&driver, &both.each_ref().map(String::as_str));
        driver.enter("curve-value2", "-200");
        shows(&driver, &["Rotation2: -200.0", "curve-value2: -200.0"]);
        driver.strike("Ctrl+Z");
        driver.frames(3);
        let shown = |field: &str| {
            let ids = driver.ids();
            ids.iter().find_map(|id| id.strip_prefix(&format!("{field}: ")).map(str::to_owned))
        };
        assert_eq!(shown("Rotation2"), shown("curve-value2"), "after undo of {typed}");
    }
}

#[test]
fn quaternions_are_read_typed_and_normalised() {
    let mut driver = with_bones(&[1, 2]);
    driver.choose("rotation-reading", "Quaternion");
    shows(&driver, &["Rotation0: 1.000", "Rotation1: 0.000", "Rotation3: 0.000"]);
    driver.enter("Rotation1", "1");
    assert!([1, 2].iter().all(|bone| is_near(rotation(&driver, *bone), Quat::from_rotation_x(90f32.to_radians()))));
    driver.enter("Rotation0", "0");
    assert!(is_near(rotation(&driver, 2), Quat::from_xyzw(1.0, 0.0, 0.0, 0.0)));
    let before = driver.editor.document.clone();
    driver.enter("Rotation1", "0");
    assert!(driver.editor.document.is_equal(&before) && driver.editor.gesture.is_none());
    assert!(driver.notice().contains("length 0"), "{}", driver.notice());
    shows(&driver, &["Rotation0: 0.000", "Rotation1: 1.000"]);
    let keys = driver.clip().keyframes[0].keys.clone();
    assert!(keys.iter().all(|key| (key.value.length() - 1.0).abs() < 1e-5), "{keys:?}");
}

#[test]
fn axis_and_angle_are_read_and_typed() {
    let mut driver = with_bones(&[1]);
    driver.choose("rotation-reading", "Axis-angle");
    driver.enter("Rotation2", "0");
    assert!(driver.notice().contains("axis of length 0"), "{}", driver.notice());
    driver.enter("Rotation3", "1");
    driver.enter("Rotation2", "0");
    driver.enter("Rotation0", "30");
    assert!(is_near(rotation(&driver, 1), Quat::from_rotation_z(30f32.to_radians())));
    shows(&driver, &["Rotation0: 30.0", "Rotation1: 0.000", "Rotation2: 0.000", "Rotation3: 1.000"]);
    driver.choose("rotation-reading", "Euler");
    shows(&driver, &["Rotation0: 0.0", "Rotation1: 0.0", "Rotation2: 30.0"]);
}

#[test]
fn a_row_is_copied_and_pasted() {
    let mut driver = with_bones(&[1]);
    driver.enter("Rotation0", "20");
    driver.enter("Rotation2", "-50,5");
    let wanted = rotation(&driver, 1);
    for reading in ["Euler", "Quaternion", "Axis-angle"] {
        driver.update(SelectAction::Bones { bones: vec![1], pick: Pick::Only });
        driver.frames(3);
        driver.choose("rotation-reading", reading);
        driver.choose_in_menu("Rotation1", "Copy all");
        driver.update(SelectAction::Bones { bones: vec![0, 2], pick: Pick::Only });
        driver.frames(3);
        let steps = driver.editor.history.undo_count();
        driver.choose_in_menu("Rotation0", "Paste all");
        for bone in [0, 2] {
            assert!(rotation(&driver, bone).dot(wanted).abs() > 0.999_99, "{reading}");
        }
        assert_eq!(driver.editor.history.undo_count(), steps + 1);
        driver.strike("Ctrl+Z");
        driver.frames(3);
        driver.choose_in_menu("Translation0", "Paste all");
        let is_pasted = driver.editor.history.undo_count() > steps;
        assert_eq!(is_pasted, reading == "Euler");
        if is_pasted {
            driver.strike("Ctrl+Z");
            driver.frames(3);
        } else {
            assert!(driver.notice().contains("3 are needed"), "{}", driver.notice());
        }
    }
}

#[test]
fn an_entry_of_a_list_is_chosen_with_the_arrow_keys() {
    let mut driver = with_bones(&[1]);
    driver.click("euler-order");
    driver.frames(3);
    driver.key(imgui::Key::DownArrow);
    driver.key(imgui::Key::DownArrow);
    driver.strike("Enter");
    driver.frames(3);
    assert_ne!(driver.model().rig.order("upper"), EulerOrder::Xyz);
    let bones = driver.editor.session.focus.selection.bones.clone();
    driver.key(imgui::Key::DownArrow);
    assert_eq!(driver.editor.session.focus.selection.bones, bones, "the list is closed");
}
