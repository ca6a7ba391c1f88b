//! The bone map: choices by hand, the clips that follow them, and what an archive keeps.

use std::sync::Arc;

use glam::{Quat, Vec3};
use keypose::anim::clip::{Clip, Keyframe};
use keypose::anim::key::{Channel, Key};
use keypose::anim::skeleton::{Bone, Skeleton};
use keypose::anim::time::Time;
use keypose::anim::track::Track;
use keypose::assets::clip_notes::ClipNotes;
use keypose::assets::id::ClipId;
use keypose::assets::model::Model;
use keypose::assets::project::Project;
use keypose::wad::{self, decode};
use keypose_editor::editor::script;
use keypose_editor::editor::session::Popup;
use keypose_editor::editor::session::notice::Offer;
use keypose_editor::editor::state::Editor;
use keypose_editor::editor::state::action::{DocumentAction, FileAction, Origin, ProgramAction, ReadFiles};
use keypose_editor::editor::state::effect::Adding;
use keypose_tools::clip_library::{Fit, Fitted};

use crate::drops::rig;
use crate::editor_kit::{demo, legs, legs_editor, two_sizes};

/// Adds a file whose bone "Tail" is "Whip" here, and whose clip has a tag; in the window its clips are converted before.
fn add(editor: &mut Editor, is_window: bool) {
    let mut project = rig("wag", &["Hips", "Tail"], Some("wag"));
    let library = Arc::make_mut(&mut project.models[0]);
    let notes = ClipNotes { tags: vec!["Rig_Medium".into()], ..ClipNotes::default() };
    library.clip_notes.insert(library.clips[0].id, notes);
    let mut fitted = Fitted::default();
    if is_window {
        fitted.add(editor.model().unwrap(), &project.models[0], Fit::default());
    }
    let projects = vec![("a/wag.glb".into(), project)];
    editor.update(FileAction::LoadedToAdd {
        read: ReadFiles { projects, fitted, ..ReadFiles::default() },
        adding: Adding::Clips,
    });
}

fn hero() -> Editor {
    Editor::new(rig("hero", &["Hips", "Whip"], None), &Origin::New)
}

/// The bones that a clip turns, and its tags.
fn turned(project: &Project, clip: usize) -> (Vec<u16>, Vec<String>) {
    let model = &project.models[0];
    let slot = &model.clips[clip];
    let keys = slot.clip.keyframes.iter().flat_map(|keyframe| &keyframe.keys);
    let rest = Quat::IDENTITY;
    let is_turn = |key: &&keypose::anim::key::Key| {
        key.channel == Channel::Rotation && Quat::from_vec4(key.value).angle_between(rest) > 0.1
    };
    let tags = model.clip_notes.get(&slot.id).map(|notes| notes.tags.clone()).unwrap_or_default();
    (keys.filter(is_turn).map(|key| key.bone).collect(), tags)
}

#[test]
fn a_choice_reaches_clips_that_are_converted_again_and_those_of_the_next_file() {
    for is_window in [false, true] {
        let mut editor = hero();
        add(&mut editor, is_window);
        let tags = vec!["Rig_Medium".to_owned()];
        assert_eq!(turned(editor.document.project(), 0), (vec![0], tags.clone()), "{is_window}");
        assert_eq!(editor.session.transient.notice.as_ref().unwrap().offer, Some(Offer::BoneMap));
        editor.update(ProgramAction::AcceptOffer);
        assert_eq!(editor.session.transient.popup, Some(Popup::BoneMap));
        script::run(&mut editor, "clip wag; rename-clip beat; map-bone Tail Whip; convert-again wag.glb").unwrap();
        assert_eq!(turned(editor.document.project(), 0), (vec![0, 1], tags.clone()));
        assert_eq!(editor.model().unwrap().clips[0].clip.name, "beat");
        let labels: Vec<_> = editor.history.labels().collect();
        assert_eq!(labels, ["Add clip", "Rename clip", "Map bones", "Convert clips again"]);
        // An archive keeps the choice.
        let bytes = wad::encode(editor.document.project(), &[]).unwrap();
        let mut again = Editor::new(decode(&bytes).unwrap().project, &Origin::New);
        add(&mut again, is_window);
        assert_eq!(turned(again.document.project(), 1), (vec![0, 1], tags.clone()));
        editor.update(DocumentAction::Undo);
        editor.update(DocumentAction::Undo);
        assert!(editor.model().unwrap().rig.bone_map.is_empty());
        script::run(&mut editor, "map-bone Hips none; map-bone Tail Whip; convert-again wag.glb").unwrap();
        assert_eq!(turned(editor.document.project(), 0), (vec![1], tags), "none is a choice, too");
        script::run(&mut editor, "map-bone Hips found; map-bone Tail found").unwrap();
        assert!(editor.model().unwrap().rig.bone_map.is_empty());
    }
}

/// A file of the demo's knight and one clip; its nodes rest where the clip begins, though the skin says how he stands.
fn crouching() -> Project {
    let mut model = Model::clone(demo().document.models.iter().find(|model| model.name == "knight").unwrap());
    model.clips.retain(|slot| slot.clip.name == "crouch");
    let mut pose = model.skeleton.rest_pose();
    for track in Track::all_of(&model.clips[0].clip) {
        pose.put(track.bone, track.channel, track.sample(Time::ZERO));
    }
    let bones = model.skeleton.bones().iter().enumerate();
    let bones = bones.map(|(at, bone)| Bone { rest: pose.get(at), ..bone.clone() }).collect();
    let scalars = model.skeleton.scalars().to_vec();
    model.skeleton = Arc::new(Skeleton::new(bones).unwrap().with_scalars(scalars).unwrap());
    let mut project = Project::default();
    project.add_model(model);
    project
}

/// A file with a clip whose hips travel.
fn travelling() -> Project {
    let keyframe = |(duration, z): (Time, f32)| {
        let turn = Quat::from_rotation_x(z);
        let keys = vec![Key::translation(1, Vec3::new(0.0, 1.0, z)), Key::rotation(3, turn)];
        Keyframe { duration, keys: keys.into(), ..Keyframe::default() }
    };
    let mut model = legs();
    let keyframes = [(Time::SECOND, 0.0), (Time::ZERO, 1.0)].map(keyframe).into();
    model.clips[0].clip = Arc::new(Clip { keyframes, ..Clip::new("walk") });
    let mut project = Project::default();
    project.add_model(model);
    project
}

/// Adds a file, runs commands on its clip, and converts it again.
fn assert_stays(mut editor: Editor, file: Project, commands: &str) {
    let read = ReadFiles { projects: vec![("a/clips.glb".into(), file)], ..ReadFiles::default() };
    editor.update(FileAction::LoadedToAdd { read, adding: Adding::Clips });
    script::run(&mut editor, commands).unwrap();
    let clip = |editor: &Editor| Clip::clone(&editor.model().unwrap().clips.last().unwrap().clip);
    let before = clip(&editor);
    script::run(&mut editor, "convert-again clips.glb").unwrap();
    assert_eq!(clip(&editor), before);
}

#[test]
fn clips_that_are_converted_again_with_the_same_bone_map_stay_as_they_are() {
    let mut editor = demo();
    script::run(&mut editor, "model goblin").unwrap();
    assert_stays(editor, crouching(), "");
    let settings = "rate 24; root-motion ground; run extract-root-motion; loop loop; event 6f step; delay thigh.L 2f";
    assert_stays(legs_editor(), travelling(), settings);
}

#[test]
fn retargeted_clips_follow_the_bone_map_in_the_same_step() {
    let mut editor = two_sizes();
    script::run(&mut editor, "model giant; retarget puppet wave; clip wave; map-bone upper.L none").unwrap();
    let id: ClipId = editor.session.focus.clip.unwrap();
    let turns = |editor: &Editor| {
        let model = editor.model().unwrap();
        let upper = model.skeleton.find("upper.L").unwrap();
        let keyframes = model.clip(id).unwrap().keyframes.iter();
        keyframes.flat_map(|keyframe| &keyframe.keys).filter(|key| key.bone == upper).count()
    };
    assert_eq!(turns(&editor), 0);
    editor.update(DocumentAction::Undo);
    assert!(turns(&editor) > 0);
}

#[test]
fn a_long_report_is_ten_lines_and_the_others_unfold() {
    for count in [0, 1, 10, 11, 300] {
        let mut editor = hero();
        editor.update(ProgramAction::Report((0..count).map(|at| format!("finding {at}")).collect()));
        let log = &editor.session.workspace.log;
        assert_eq!(log.len(), count.min(10));
        let lines: usize = log.iter().map(|line| line.details.len().max(1)).sum();
        assert_eq!(lines, count);
        let shown = editor.session.transient.notice.as_ref().map(|notice| notice.text.clone()).unwrap_or_default();
        assert_eq!((shown.starts_with("finding 0"), shown.contains("more in the log")), (count > 0, count > 1));
    }
}
