//! Models: renaming, removing and setting the rest pose, driven by mouse and keys.

use imgui::Key as UiKey;
use keypose::anim::time::Time;
use keypose::assets::model::{ClipSlot, Model, Socket};
use keypose_editor::editor::session::command::Command;
use keypose_editor::editor::state::action::{Action, SelectAction};

use crate::driver::{Driver, arm};

const SIZE: [f32; 2] = [1280.0, 1000.0];

fn names(driver: &Driver) -> Vec<&str> {
    driver.editor.document.models.iter().map(|model| &*model.name).collect()
}

/// The arm, which holds a sword.
fn armed() -> Driver {
    let mut project = arm();
    let clip = keypose::anim::clip::Clip::new("swing").into();
    let clips = vec![ClipSlot { id: Default::default(), clip }];
    project.add_model(Model { name: "sword".into(), clips, ..Model::default() });
    let arm = std::sync::Arc::make_mut(&mut project.models[0]);
    let transform = Default::default();
    arm.sockets.push(Socket { name: "grip".into(), bone: 2, transform, attached: "sword".into() });
    Driver::new(project, SIZE)
}

#[test]
fn the_inspector_renames_the_model_in_place() {
    // High enough for the model's section, the last one.
    let mut driver = Driver::new(arm(), [1280.0, 1400.0]);
    driver.click("RenameModel");
    driver.type_line("right arm");
    assert_eq!(names(&driver), ["right arm"]);
    assert_eq!(driver.editor.history.undo_count(), 1);
    driver.strike("Ctrl+Z");
    assert_eq!(names(&driver), ["arm"]);
    driver.update(Command::RenameModel);
    driver.frames(4);
    driver.text("nothing");
    driver.key(UiKey::Escape);
    assert_eq!(names(&driver), ["arm"]);
    assert_eq!(driver.editor.history.undo_count(), 0);
}

#[test]
fn a_name_that_another_model_has_is_refused() {
    let mut driver = armed();
    driver.update(Command::RenameModel);
    driver.type_line("sword");
    assert_eq!(names(&driver), ["arm", "sword"]);
    assert!(driver.notice().contains("sword"), "{}", driver.notice());
}

#[test]
fn the_list_of_models_removes_one_and_undo_brings_it_back() {
    let mut driver = armed();
    driver.update(SelectAction::Model(1));
    driver.frames(2);
    driver.click("model");
    driver.frames(2);
    driver.click(Command::RemoveModel.label());
    assert_eq!(names(&driver), ["arm"]);
    assert_eq!(driver.clip().name, "wave", "the model before it is shown with its first clip");
    assert_eq!(driver.model().sockets[0].attached, "", "the socket is empty");
    driver.strike("Ctrl+Z");
    assert_eq!(names(&driver), ["arm", "sword"]);
    assert_eq!((driver.model().name.as_str(), driver.clip().name.as_str()), ("sword", "swing"));
    assert_eq!(driver.editor.document.models[0].sockets[0].attached, "sword");
    driver.strike("Ctrl+Y");
    assert_eq!(names(&driver), ["arm"]);
}

#[test]
fn without_its_last_model_the_document_is_empty_and_everything_still_draws() {
    let mut driver = Driver::new(arm(), SIZE);
    driver.click("bone1");
    driver.update(Command::RemoveModel);
    driver.frames(4);
    assert!(names(&driver).is_empty() && driver.has("start-OpenDemo"));
    driver.update(keypose_editor::editor::state::action::DocumentAction::Undo);
    driver.frames(4);
    assert!(names(&driver) == ["arm"] && driver.has("bone1"));
}

#[test]
fn the_menu_of_a_bone_sets_its_rest_pose() {
    let mut driver = Driver::new(arm(), SIZE);
    driver.click("block1");
    driver.choose_in_menu("bone1", Command::SetRestPose.label());
    let rest = driver.model().skeleton.get(1).unwrap().rest.rotation;
    assert!((rest.to_euler(glam::EulerRot::XYZ).2.to_degrees() - 40.0).abs() < 0.01);
    driver.strike("Ctrl+Z");
    assert_eq!(driver.model().skeleton.get(1).unwrap().rest.rotation, glam::Quat::IDENTITY);
}

#[test]
fn a_clip_of_another_model_is_shown_beside_it_and_added() {
    let mut project = arm();
    let (clip_notes, combat) = Default::default();
    let first = Model::clone(&project.models[0]);
    project.add_model(Model {
        name: "other".into(),
        clips: Vec::new(),
        drafts: Vec::new(),
        clip_notes,
        combat,
        ..first
    });
    let mut driver = Driver::new(project, SIZE);
    driver.update(SelectAction::Model(1));
    driver.update(Command::RetargetedClip);
    driver.frames(3);
    let before = driver.editor.session.transient.pose.retargeting().unwrap().time;
    driver.update(Action::Tick(Time::SECOND / 10));
    assert!(driver.editor.session.transient.pose.retargeting().unwrap().time != before, "it plays");
    driver.strike("Esc");
    assert!(driver.editor.session.transient.pose.retargeting().is_none());
    driver.update(Command::RetargetedClip);
    driver.frames(3);
    driver.click("leave-retarget");
    assert!(driver.editor.session.transient.pose.retargeting().is_none());
    driver.update(Command::RetargetedClip);
    driver.frames(3);
    driver.click("retarget-Add");
    driver.frames(3);
    let slot = driver.model().clips[0].clone();
    assert_eq!((driver.model().clips.len(), driver.editor.history.undo_count()), (1, 1));
    assert_eq!(driver.editor.session.focus.clip, Some(slot.id));
    assert!(driver.has(&format!("link{}", slot.id.0)));
    driver.click("unlock-clip");
    assert_eq!(driver.model().derived(slot.id), None);
    assert_eq!(driver.model().clips[0].clip, slot.clip);
}
