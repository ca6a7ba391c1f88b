//! What helps to see, driven by mouse and keys: the clip check.

mod ui;

use std::sync::Arc;

use glam::Vec3;
use keypose::anim::clip::{Clip, Keyframe};
use keypose::anim::key::Key;
use keypose::anim::time::FrameRate;
use keypose::assets::model::Model;
use keypose::assets::project::Project;
use ui::{Driver, arm};

const SIZE: [f32; 2] = [1280.0, 720.0];

/// The arm, whose second clip pulls the lower bone to twice its length in its second keyframe.
fn pulled() -> Project {
    let mut project = arm();
    let model = Arc::make_mut(&mut project.models[0]);
    let keyframe = |length: f32| {
        let keys = vec![Key::translation(2, Vec3::new(length, 0.0, 0.0)), Key::translation(1, Vec3::X)];
        Keyframe { duration: FrameRate::FPS_30.time_of(5), keys }
    };
    model.clips[1].clip = Arc::new(Clip { keyframes: vec![keyframe(1.0), keyframe(2.0)], ..Clip::new("pull") });
    project
}

#[test]
fn a_click_on_a_finding_goes_where_it_is() {
    let mut driver = Driver::new(forked(pulled()), SIZE);
    driver.strike("F8");
    driver.frames(4);
    let id = driver.model().clips[1].id;
    driver.click(&format!("finding{}-0", id.0));
    assert_eq!(driver.editor.session.clip, Some(id));
    assert_eq!(driver.editor.session.selection.bones.iter().copied().collect::<Vec<_>>(), [3]);
    assert_eq!(driver.editor.session.playhead.time, FrameRate::FPS_30.time_of(5));
    assert_eq!(driver.editor.history.undo_count(), 0);
    assert!(!driver.desk.is_checking());
}

#[test]
fn an_edit_is_looked_at_at_once_and_empty_places_say_so() {
    let mut driver = Driver::new(forked(pulled()), SIZE);
    driver.strike("F8");
    driver.frames(4);
    let row = format!("finding{}-0", driver.model().clips[1].id.0);
    assert!(driver.has(&row));
    driver.click("check-open");
    driver.frames(2);
    assert!(!driver.has(&row), "the open clip is another one");
    driver.click("check-all");
    driver.update(keypose::editor::action::Action::SelectClip(Some(driver.model().clips[1].id)));
    driver.update(keypose::editor::action::Action::Run(keypose::editor::commands::Command::DeleteClip));
    driver.frames(3);
    assert!(!driver.has(&row));
    drop(driver);
    let mut empty = Driver::new(Project::default(), SIZE);
    empty.strike("F8");
    empty.frames(3);
    assert!(!empty.desk.is_checking());
}

/// With a second child of the root, so that the arm is a limb and not the trunk.
fn forked(mut project: Project) -> Project {
    let model = Arc::make_mut(&mut project.models[0]);
    let mut bones = model.skeleton.bones().to_vec();
    let other = keypose::anim::skeleton::Bone { name: "other".into(), ..bones[1].clone() };
    bones.insert(2, other);
    bones[3].parent = Some(1);
    let skeleton = Arc::new(keypose::anim::skeleton::Skeleton::new(bones).unwrap());
    let clips = model.clips.clone();
    *model = Model { skeleton, clips, ..model.clone() };
    for slot in &mut model.clips {
        let clip = Arc::make_mut(&mut slot.clip);
        clip.keyframes
            .iter_mut()
            .flat_map(|keyframe| &mut keyframe.keys)
            .filter(|key| key.bone == 2)
            .for_each(|key| key.bone = 3);
    }
    project
}
