//! Playing a clip: what a frame computes and what it leaves to the app.

use std::collections::BTreeSet;
use std::sync::Arc;

use glam::Quat;
use keypose::anim::clip::Keyframe;
use keypose::anim::key::Key;
use keypose::anim::time::{FrameRate, Time};
use keypose::assets::project::Project;
use keypose_editor::editor::script;
use keypose_editor::editor::state::Editor;
use keypose_editor::editor::state::action::{Action, FileAction, Origin, PlaybackAction};
use keypose_editor::editor::view::caches::Caches;
use keypose_editor::editor::view::scene;

use crate::editor_kit::{demo, model};

/// An editor on the model with a clip of a thousand keyframes, as the app runs it.
fn editor() -> Editor {
    let mut model = model();
    let keyframe = |number: u16| {
        let turn =
            |bone: u16| Key::rotation(bone, Quat::from_rotation_z((f32::from(number) * 0.1).sin() * f32::from(bone)));
        Keyframe { duration: FrameRate::FPS_30.time_of(1), keys: (0..5).map(turn).collect(), ..Keyframe::default() }
    };
    Arc::make_mut(&mut model.clips[0].clip).keyframes = (0..1000).map(keyframe).collect();
    let mut project = Project::default();
    project.add_model(model);
    let mut editor = Editor::new(Project::default(), &Origin::New);
    editor.caches.defer();
    editor.update(FileAction::Loaded { project: Box::new(project), origin: Origin::New });
    editor
}

#[test]
fn a_large_clip_plays_from_its_keys_until_the_app_has_baked_it() {
    let mut editor = editor();
    editor.view();
    assert!(editor.caches.bakes.take_wanted().is_none(), "nothing is baked before the clip plays");
    editor.update(PlaybackAction::SetPlaying(true));
    editor.update(Action::Tick(Time::from_millis(16.0)));
    let first = editor.view();
    assert!(first.baked.is_none() && first.time > Time::ZERO);
    assert_eq!(first.local, first.pose_at(first.time), "the pose of the keys");
    let wanted = editor.caches.bakes.take_wanted().expect("the app bakes it");
    let baked = Arc::new(wanted.bake());
    editor.caches.bakes.put(&wanted, baked.clone());
    let next = editor.view();
    assert!(next.baked.is_some_and(|shown| Arc::ptr_eq(&shown, &baked)));
    let apart = |bone| (next.pose.get(bone).translation() - first.pose.get(bone).translation()).length();
    assert!((0..5).all(|bone| apart(bone) < 1e-3), "nothing jumps when the bake arrives");
    let (clip, model) = (&editor.clip().unwrap().clip, editor.model().unwrap());
    assert!(Caches::default().bakes.ready(clip, model).is_some(), "nothing is deferred without the app");
}

#[test]
fn the_viewport_shows_the_sockets_as_events_switch_them_up_to_the_playhead() {
    let mut editor = demo();
    let mut shown = |commands: &str| {
        script::run(&mut editor, commands).unwrap_or_else(|reason| panic!("{commands}: {reason}"));
        let frame = scene::frame(editor.source(), &editor.view());
        let names = frame.models.iter().map(|draw| draw.model.name.clone()).filter(|name| name != "knight");
        names.collect::<BTreeSet<String>>()
    };
    let set = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<String>>();
    let usual = shown("clip idle; seek 0f");
    assert!(!usual.contains("dummy") && !usual.is_empty(), "{usual:?}");
    shown(
        "event 10f \"socket weapon = dummy\"; event 20f \"socket weapon = none\"; event 20f \"socket scabbard = none\"",
    );
    assert_eq!(shown("seek 9f"), usual);
    assert!(shown("seek 10f").contains("dummy"));
    assert!(shown("seek 19f").contains("dummy"));
    assert_eq!(shown("seek 20f"), set(&[]));
    assert_eq!(shown("seek 0f"), usual, "back before the events");
    assert_eq!(shown("clip walk; seek 20f"), usual, "in another clip");
}
