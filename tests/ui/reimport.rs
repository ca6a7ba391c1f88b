//! Re-import of a changed model: the question with its table, one undo step, and the offer when the file changes.

use std::path::PathBuf;
use std::sync::Arc;

use keypose::anim::skeleton::{Bone, Skeleton};
use keypose::assets::project::Project;
use keypose_editor::editor::session::command::Command;
use keypose_editor::editor::state::action::{FileAction, ProgramAction, ReadFiles};
use keypose_editor::editor::state::effect::{Adding, Effect};

use crate::driver::{Driver, SIZE, arm};

fn names(driver: &Driver) -> Vec<String> {
    driver.model().skeleton.bones().iter().map(|bone| bone.name.clone()).collect()
}

/// The arm, whose last bone has another name.
fn renamed() -> Project {
    let mut project = arm();
    let model = Arc::make_mut(&mut project.models[0]);
    let mut bones: Vec<Bone> = model.skeleton.bones().to_vec();
    bones.last_mut().unwrap().name = "Claw".into();
    model.skeleton = Arc::new(Skeleton::new(bones).unwrap());
    model.clips.clear();
    project
}

fn read(driver: &mut Driver) {
    let projects = vec![(PathBuf::from("models/arm.glb"), renamed())];
    driver.update(FileAction::LoadedToAdd {
        read: ReadFiles { projects, ..ReadFiles::default() },
        adding: Adding::Changed,
    });
    driver.frames(4);
}

#[test]
fn a_changed_model_is_confirmed_and_undone_in_one_step() {
    let mut driver = Driver::new(arm(), SIZE);
    let (before, clips) = (names(&driver), driver.model().clips.len());
    read(&mut driver);
    assert!(driver.has("reimport-apply"), "{:?}", driver.ids());
    assert_eq!(names(&driver), before, "nothing changes before it is confirmed");
    driver.click("reimport-apply");
    driver.frames(3);
    assert_eq!(names(&driver).last().unwrap(), "Claw");
    assert_eq!(driver.model().clips.len(), clips);
    assert!(!driver.has("reimport-apply"));
    driver.update(Command::Undo);
    assert_eq!(names(&driver), before);
}

#[test]
fn a_cancelled_re_import_changes_nothing() {
    let mut driver = Driver::new(arm(), SIZE);
    let before = driver.model().clone();
    let ways: [fn(&mut Driver); 2] = [|driver| driver.click("reimport-cancel"), Driver::escape];
    for cancel in ways {
        read(&mut driver);
        assert!(driver.has("reimport-apply"));
        cancel(&mut driver);
        driver.frames(3);
        assert!(!driver.has("reimport-apply") && *driver.model() == before);
    }
}

#[test]
fn a_changed_file_is_offered() {
    let mut driver = Driver::new(arm(), SIZE);
    driver.update(FileAction::SourceChanged("models/arm.glb".into()));
    driver.update(ProgramAction::AcceptOffer);
    let wanted = |effect: &Effect| match effect {
        Effect::Import { files, adding: Adding::Changed, .. } => *files == [PathBuf::from("models/arm.glb")],
        _ => false,
    };
    assert!(driver.effects.iter().any(wanted), "{:?}", driver.effects);
}
