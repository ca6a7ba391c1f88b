//! Values in the inspector: sliders of weights, key marks, properties, and what keys and the mirror do with them.

use std::sync::Arc;

use keypose::anim::key::Channel;
use keypose::anim::scalar::{Scalar, ScalarKind};
use keypose::assets::project::Project;
use keypose_editor::editor::session::command::Command;
use keypose_editor::editor::state::action::Action;

use crate::driver::{Driver, arm};

const SIZE: [f32; 2] = [1600.0, 1000.0];

fn with_weights() -> Project {
    let mut project = arm();
    let model = Arc::make_mut(&mut project.models[0]);
    let weight = |name: &str| Scalar { name: name.into(), bone: 0, kind: ScalarKind::Weight, default: 0.0 };
    let skeleton = (*model.skeleton).clone().with_scalars(vec![weight("smile.L"), weight("smile.R")]);
    model.skeleton = Arc::new(skeleton.unwrap());
    project
}

fn driver() -> Driver {
    let mut driver = Driver::new(with_weights(), SIZE);
    driver.frames(2);
    driver
}

fn keyed(driver: &Driver, scalar: u16) -> Option<f32> {
    driver.clip().keyframes[0].key(0, Channel::Scalar(scalar)).map(|key| key.value.x)
}

#[test]
fn a_drag_of_a_weight_is_one_step_and_makes_a_key() {
    let mut driver = driver();
    driver.drag("value0", [40.0, 0.0]);
    let smile = keyed(&driver, 0).unwrap();
    assert!(smile > 0.05 && smile < 1.0, "{smile}");
    assert_eq!((driver.editor.history.undo_count(), driver.editor.history.undo_label()), (1, Some("Set value")));
    driver.strike("Ctrl+Z");
    assert_eq!((keyed(&driver, 0), driver.editor.view().local.scalar(0)), (None, 0.0));
}

#[test]
fn a_typed_weight_may_be_above_one_and_the_mirror_has_it_on_the_other_side() {
    let mut driver = driver();
    driver.enter("value0", "1.5");
    assert_eq!(keyed(&driver, 0), Some(1.5));
    driver.update(Action::Run(Command::MirrorPose));
    assert_eq!((keyed(&driver, 0), keyed(&driver, 1)), (Some(0.0), Some(1.5)));
}

#[test]
fn key_marks_key_and_unkey_and_buttons_do_it_for_all() {
    let mut driver = driver();
    driver.click("key-value1");
    assert_eq!((keyed(&driver, 0), keyed(&driver, 1)), (None, Some(0.0)));
    driver.click("key-value1");
    assert_eq!(keyed(&driver, 1), None);
    driver.click("morphs-key");
    assert_eq!((keyed(&driver, 0), keyed(&driver, 1)), (Some(0.0), Some(0.0)));
}

#[test]
fn the_bone_list_marks_a_bone_whose_weight_is_keyed() {
    let mut driver = driver();
    assert!(!driver.has("key mark: root"));
    driver.click("key-value1");
    driver.frames(2);
    assert!(driver.has("key mark: root"), "{:?}", driver.ids());
}

#[test]
fn a_property_is_named_at_once_posed_and_keyed() {
    let mut driver = driver();
    driver.click("bone1");
    driver.click("add-property");
    driver.type_line("glow");
    let glow = driver.model().skeleton.scalars().last().unwrap().clone();
    assert_eq!((glow.name.as_str(), glow.bone, glow.kind), ("glow", 1, ScalarKind::Property));
    driver.click("key-value2");
    assert!(driver.clip().keyframes[0].key(1, Channel::Scalar(2)).is_some());
    driver.update(Action::Run(Command::Undo));
    driver.update(Action::Run(Command::Undo));
    assert_eq!(driver.model().skeleton.scalars().len(), 2);
}
