//! The window of the bone map: bones chosen from a list that finds what is typed, and reset.

use std::sync::Arc;

use keypose::anim::skeleton::{Bone, Skeleton};
use keypose::assets::project::Project;
use keypose_editor::editor::session::command::Command;
use keypose_editor::editor::state::action::{FileAction, ProgramAction, ReadFiles};
use keypose_editor::editor::state::effect::Adding;

use crate::driver::{Driver, driver};

/// The arm with other names, without a mesh.
fn library() -> Project {
    let mut project = crate::driver::arm();
    let model = Arc::make_mut(&mut project.models[0]);
    let names = ["root", "UnterArm", "Ober Arm"];
    let bones = model.skeleton.bones().iter().zip(names);
    let bones = bones.map(|(bone, name)| Bone { name: name.into(), ..bone.clone() });
    model.skeleton = Arc::new(Skeleton::new(bones.collect()).unwrap());
    project
}

fn opened() -> Driver {
    let mut driver = driver();
    let projects = vec![("arms.glb".into(), library())];
    driver.update(FileAction::LoadedToAdd {
        read: ReadFiles { projects, ..ReadFiles::default() },
        adding: Adding::Clips,
    });
    driver.update(Command::BoneMap);
    driver.frames(3);
    driver
}

fn map(driver: &Driver) -> Vec<(&str, &str)> {
    driver.model().rig.bone_map.iter().map(|(theirs, ours)| (theirs.as_str(), ours.as_str())).collect()
}

#[test]
fn bones_are_chosen_by_typing_moved_and_reset() {
    let mut driver = opened();
    driver.click("map-to1");
    driver.type_line("low");
    assert_eq!(map(&driver), [("UnterArm", "lower")]);
    // A bone follows one bone of a file: a later choice takes it.
    driver.choose("map-to2", "lower");
    assert_eq!(map(&driver), [("Ober Arm", "lower")]);
    driver.choose("map-to0", "none");
    assert_eq!(map(&driver), [("Ober Arm", "lower"), ("root", "")]);
    driver.click("unmap2");
    driver.frames(3);
    assert_eq!(map(&driver), [("root", "")]);
    driver.click("map-reset");
    driver.frames(3);
    assert!(map(&driver).is_empty());
    let labels: Vec<_> = driver.editor.history.labels().skip(1).collect();
    assert_eq!(labels, ["Map bones"; 5]);
}

#[test]
fn the_list_is_filtered_and_clips_are_converted_again() {
    let mut driver = opened();
    let before = driver.model().clips[2].clip.clone();
    assert!(driver.has("map-to0") && driver.has("map-to2"));
    driver.choose("map-rows", "Without");
    assert!(!driver.has("map-to0") && driver.has("map-to1"), "the root is found by name");
    driver.choose("map-to1", "upper");
    assert!(!driver.has("map-to1"));
    driver.click("map-convert");
    driver.frames(3);
    assert!(driver.model().clips[2].clip != before);
    assert_eq!(driver.editor.history.labels().last(), Some("Convert clips again"));
}

#[test]
fn without_another_model_there_is_nothing_to_choose() {
    let mut driver = driver();
    driver.update(Command::BoneMap);
    driver.frames(3);
    assert!(!driver.has("map-source"));
}

#[test]
fn the_log_unfolds_a_long_report() {
    let mut driver = driver();
    // Too low for all lines, so that what unfolds makes the log longer.
    driver.resize([1280.0, 600.0]);
    driver.update(ProgramAction::Report((0..12).map(|at| format!("finding {at}")).collect()));
    driver.show(keypose_editor::editor::panels::window::layout::Panel::Log);
    driver.frames(3);
    let before = driver.place("unfold9").min[1];
    driver.click("unfold9");
    driver.wheel(-50.0);
    assert!(driver.place("unfold9").min[1] < before - 20.0, "three findings are below it");
}
