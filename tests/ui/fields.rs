//! Number fields: typed sums, units and mistakes, several bones at once, Tab, the menu, and tooltips.

use imgui::Key as UiKey;
use keypose_editor::editor::session::selection::Pick;
use keypose_editor::editor::state::action::SelectAction;

use crate::driver::{Driver, SIZE, arm};

/// With these bones selected and the playhead on the first keyframe.
pub fn with_bones(bones: &[u16]) -> Driver {
    let mut driver = Driver::new(arm(), SIZE);
    driver.click("block0");
    driver.update(SelectAction::Bones { bones: bones.to_vec(), pick: Pick::Only });
    driver.frames(3);
    driver
}

fn position(driver: &Driver, bone: usize) -> glam::Vec3 {
    driver.editor.view().local.get(bone).translation
}

#[test]
fn sums_commas_and_units_are_typed() {
    let mut driver = with_bones(&[1]);
    for (step, (text, expected)) in [("30+15", 45.0), ("20 cm", 0.2)].into_iter().enumerate() {
        driver.enter("Translation0", text);
        assert!((position(&driver, 1).x - expected).abs() < 1e-5, "{text}: {}", position(&driver, 1));
        assert_eq!(driver.editor.history.undo_count(), step + 1, "{text}");
    }
    driver.enter("frames", "0,5s");
    assert!((driver.clip().keyframes[0].duration.secs() - 0.5).abs() < 1e-9);
    driver.enter("frames", "120ms");
    assert!((driver.clip().keyframes[0].duration.millis() - 120.0).abs() < 1e-3, "not rounded to frames");
    driver.enter("millis", "6f");
    assert!((driver.clip().keyframes[0].duration.millis() - 200.0).abs() < 1e-9);
}

#[test]
fn what_is_no_number_is_refused_and_changes_nothing() {
    let mut driver = with_bones(&[1]);
    let before = driver.editor.document.clone();
    for (text, reason) in [("1e999", "too large"), ("12x", "not a unit"), ("3+", "incomplete"), ("1/0", "divided by 0")]
    {
        driver.enter("Translation1", text);
        assert!(driver.editor.document.is_equal(&before), "{text}");
        assert!(driver.notice().contains(reason), "{text}: {}", driver.notice());
        assert!(driver.editor.gesture.is_none());
    }
    assert_eq!(driver.editor.history.undo_count(), 0);
}

#[test]
fn escape_and_an_unchanged_text_change_nothing() {
    let mut driver = with_bones(&[1]);
    let before = driver.editor.document.clone();
    driver.double_click("Translation0");
    driver.frames(3);
    driver.text("7");
    assert!((position(&driver, 1).x - 7.0).abs() < 1e-6, "typed text is previewed");
    driver.key(UiKey::Escape);
    assert!(driver.editor.document.is_equal(&before) && driver.editor.gesture.is_none());
    driver.double_click("Translation0");
    driver.frames(3);
    driver.key(UiKey::Enter);
    assert!(driver.editor.document.is_equal(&before) && driver.editor.history.undo_count() == 0);
}

#[test]
fn several_bones_show_their_difference_and_are_changed_together() {
    let mut driver = with_bones(&[0, 1, 2]);
    assert!(driver.has("Translation0: –") && driver.has("Translation1: 0.000"), "{:?}", driver.ids());
    driver.enter("Translation0", "*2");
    assert_eq!([0, 1, 2].map(|bone| position(&driver, bone).x), [0.0, 2.0, 2.0]);
    driver.drag("Translation0", [40.0, 0.0]);
    let x = [0, 1, 2].map(|bone| position(&driver, bone).x);
    assert!(x[0] > 0.05 && (x[1] - x[0] - 2.0).abs() < 1e-4 && x[1] == x[2], "{x:?}");
    driver.enter("Translation0", "3");
    assert_eq!([0, 1, 2].map(|bone| position(&driver, bone).x), [3.0; 3]);
    assert!(driver.has("Translation0: 3.000"));
    assert_eq!(driver.editor.history.undo_count(), 3);
}

#[test]
fn tab_goes_to_the_next_field_and_shift_tab_back() {
    let mut driver = with_bones(&[1]);
    driver.double_click("Translation0");
    driver.frames(3);
    driver.text("4");
    driver.key(UiKey::Tab);
    driver.frames(4);
    driver.text("5");
    driver.key(UiKey::Tab);
    driver.frames(4);
    driver.text("6");
    driver.hold(UiKey::LeftShift, true);
    driver.hold(UiKey::ModShift, true);
    driver.key(UiKey::Tab);
    driver.hold(UiKey::ModShift, false);
    driver.hold(UiKey::LeftShift, false);
    driver.type_line("7");
    assert_eq!(position(&driver, 1), glam::Vec3::new(4.0, 7.0, 6.0));
}

#[test]
fn the_menu_copies_pastes_resets_and_keys() {
    let mut driver = with_bones(&[1]);
    driver.enter("Translation0", "2,25");
    driver.choose_in_menu("Translation0", "Copy value");
    driver.choose_in_menu("Translation2", "Paste value");
    assert_eq!(position(&driver, 1), glam::Vec3::new(2.25, 0.0, 2.25));
    driver.choose_in_menu("Translation0", "Reset");
    assert_eq!(position(&driver, 1), glam::Vec3::new(1.0, 0.0, 2.25));
    let keys = driver.clip().keyframes[0].keys.len();
    driver.choose_in_menu("Scale0", "Insert key");
    assert_eq!(driver.clip().keyframes[0].keys.len(), keys + 1);
    driver.choose_in_menu("Scale0", "Delete key");
    assert_eq!(driver.clip().keyframes[0].keys.len(), keys);
}

#[test]
fn the_menu_keys_all_selected_bones() {
    let mut driver = with_bones(&[1, 2]);
    let keys = driver.clip().keyframes[0].keys.len();
    driver.choose_in_menu("Translation0", "Insert key");
    assert_eq!(driver.clip().keyframes[0].keys.len(), keys + 2);
}

#[test]
fn a_tooltip_is_beside_its_field_and_gone_while_it_is_typed_into() {
    let mut driver = with_bones(&[1]);
    let field = driver.place("Translation0");
    driver.point(field.center());
    driver.frames(60);
    let tip = driver.place("tip");
    let apart = tip.max[0] <= field.min[0] || tip.min[0] >= field.max[0] || tip.max[1] <= field.min[1];
    assert!(apart, "{tip:?} covers {field:?}");
    driver.double_click("Translation0");
    driver.frames(60);
    assert!(!driver.has("tip"));
    driver.key(UiKey::Escape);
    driver.take("Translation0");
    driver.frames(60);
    assert!(!driver.has("tip"));
}

#[test]
fn the_inspector_shows_the_angles_of_the_curves() {
    let mut project = arm();
    let model = std::sync::Arc::make_mut(&mut project.models[0]);
    let clip = std::sync::Arc::make_mut(&mut model.clips[0].clip);
    for (at, keyframe) in clip.keyframes.iter_mut().enumerate() {
        let degrees = glam::Vec3::new(20.0, 30.0, 100.0 * at as f32);
        keyframe.keys = vec![keypose::anim::key::Key::rotation(
            1,
            keypose_editor::editor::ops::euler::rotation(degrees, Default::default()),
        )]
        .into();
    }
    let mut driver = Driver::new(project, [1280.0, 720.0]);
    driver.update(SelectAction::Bones { bones: vec![1], pick: Pick::Only });
    for (block, z) in [("block0", "0.0"), ("block2", "200.0"), ("block1", "100.0"), ("block2", "200.0")] {
        driver.click(block);
        driver.frames(3);
        for shown in ["Rotation0: 20.0", "Rotation1: 30.0", &format!("Rotation2: {z}")] {
            assert!(driver.has(shown), "{block} {shown}: {:?}", driver.ids());
        }
    }
}
