//! Springs of a rig: chains and colliders in the document, live while a clip plays and behind the paused pose, and as keys.

use std::sync::Arc;

use glam::Quat;
use keypose::anim::bake::bake;
use keypose::anim::clip::{Clip, LoopMode};
use keypose::anim::pose::LocalPose;
use keypose::anim::time::Time;
use keypose::assets::combat::Volume;
use keypose::assets::spring_notes::SpringTip;
use keypose_editor::editor::ops::pose::rotation_in;
use keypose_editor::editor::posing::change::Change;
use keypose_editor::editor::script;
use keypose_editor::editor::session::command::Command;
use keypose_editor::editor::session::switch::Switch;
use keypose_editor::editor::session::volumes::Picked;
use keypose_editor::editor::state::Editor;
use keypose_editor::editor::state::action::{Action, DocumentAction, PlaybackAction, ViewAction};
use keypose_editor::editor::view::scene;

use crate::editor_kit::{self, demo, run};

const SWUNG: [&str; 6] = ["plume", "plume_tip", "tabard_front", "tabard_front_tip", "tabard_back", "tabard_back_tip"];

fn rotations(editor: &Editor, pose: &LocalPose) -> Vec<Quat> {
    let skeleton = &editor.model().unwrap().skeleton;
    SWUNG.iter().map(|bone| pose.get(usize::from(skeleton.find(bone).unwrap())).rotation).collect()
}

/// The largest angle between rotations. By the axis: the cosine of an angle below 0.001 is 1 in 32 bits.
fn apart(a: &[Quat], b: &[Quat]) -> f32 {
    let angle = |(a, b): (&Quat, &Quat)| 2.0 * (a.inverse() * *b).xyz().length().min(1.0).asin();
    a.iter().zip(b).map(angle).fold(0.0, f32::max)
}

#[test]
fn bones_swing_while_a_clip_plays_and_only_then() {
    let mut editor = demo();
    run(&mut editor, "clip walk; seek 7f");
    let still = rotations(&editor, &editor.view().local);
    editor.update(PlaybackAction::SetPlaying(true));
    let swung = rotations(&editor, &editor.view().local);
    assert!(apart(&still, &swung) > 0.02, "{}", apart(&still, &swung));
    assert_eq!(swung, rotations(&editor, &editor.view().local), "a frame depends on the time only");
    editor.update(ViewAction::Toggle(Switch::Springs));
    assert!(apart(&still, &rotations(&editor, &editor.view().local)) < 0.01);
}

/// The rotations of [`SWUNG`] in the model that the viewport draws.
fn drawn(editor: &Editor) -> Vec<Quat> {
    let frame = scene::frame(editor.source(), &editor.view());
    let model = editor.model().unwrap();
    let draw = frame.models.iter().rfind(|draw| Arc::ptr_eq(&draw.model, model)).unwrap();
    let rotation = |bone: &&str| rotation_in(&draw.pose, model.skeleton.find(bone).unwrap());
    SWUNG.iter().map(rotation).collect()
}

/// Draws frames until nothing moves; returns their number.
fn settle(editor: &mut Editor) -> usize {
    (0..2000)
        .take_while(|_| editor.session.is_lively().then(|| editor.update(Action::Tick(Time::TICK))).is_some())
        .count()
}

#[test]
fn bones_swing_behind_a_paused_pose_until_they_rest_and_are_not_keyed() {
    let scripts = [
        "seek 7f",
        "select head; key R over viewport; type y 40",
        "type enter; run key-pose",
        "key Ctrl+Z; key Ctrl+Z",
    ];
    let (mut editor, mut plain) = (demo(), demo());
    run(&mut editor, "clip walk; switch live-springs");
    run(&mut plain, "clip walk");
    settle(&mut editor);
    for script in scripts {
        let before = drawn(&editor);
        run(&mut editor, script);
        run(&mut plain, script);
        if script != "type enter; run key-pose" {
            editor.update(Action::Tick(Time::TICK * 6));
            let swung = drawn(&editor);
            assert!(apart(&before, &swung) > 1e-3 && editor.session.is_lively(), "{script}");
            assert!(settle(&mut editor) < 590, "{script}");
            assert!(apart(&swung, &drawn(&editor)) > 1e-3, "{script}: it swings after the change");
        }
        settle(&mut editor);
        let rest = drawn(&editor);
        editor.update(Action::Tick(Time::from_secs(1.0)));
        assert_eq!((drawn(&editor), editor.session.is_lively()), (rest, false), "{script}");
        assert_eq!(editor.view().local, plain.view().local, "{script}: nothing but the drawn model swings");
        let [keyed, expected] =
            [&editor, &plain].map(|editor| (&editor.clip().unwrap().clip, &editor.model().unwrap().drafts));
        assert_eq!(keyed, expected, "{script}");
    }
    run(&mut editor, "spring set plume 0 0 0.3 0; pose head rotation 30 0 0");
    let frames = settle(&mut editor);
    assert!((500..=600).contains(&frames), "springs without drag stop after 10 s: {frames}");
    editor.update(PlaybackAction::SetPlaying(true));
    assert!(editor.session.transient.springs.is_none());
}

#[test]
fn baked_springs_close_the_loop_and_play_what_was_shown() {
    for (name, mode) in [("walk", LoopMode::Loop), ("run", LoopMode::Loop), ("attack", LoopMode::Once)] {
        let mut editor = demo();
        run(&mut editor, &format!("clip {name}"));
        let (before, steps) = (editor.document.clone(), editor.history.undo_count());
        let frames = [3, 8, 12];
        let live = frames.map(|frame| {
            let mut editor = demo();
            run(&mut editor, &format!("clip {name}; seek {frame}f"));
            editor.update(PlaybackAction::SetPlaying(true));
            rotations(&editor, &editor.view().local)
        });
        editor.update(Command::BakeSprings.action(&editor));
        assert_eq!(editor.history.undo_count(), steps + 1);
        let clip: Clip = Clip::clone(&editor.clip().unwrap().clip);
        assert_eq!((clip.loop_mode, clip.length()), (mode, before.models[0].clip_named(name).unwrap().clip.length()));
        let baked = bake(&clip, &editor.model().unwrap().skeleton);
        let at = |time: Time| {
            let mut pose = LocalPose::default();
            baked.sample(time, &mut pose);
            rotations(&editor, &pose)
        };
        if mode == LoopMode::Loop {
            let seam = apart(&at(Time::ZERO), &at(clip.length()));
            assert!(seam <= 1e-4, "{name}: {seam}");
            for (frame, live) in frames.into_iter().zip(&live) {
                let apart = apart(&at(clip.frame_rate.time_of(frame)), live);
                assert!(apart < 0.02, "{name} {frame}: {apart}");
            }
        }
        editor.update(DocumentAction::Undo);
        assert!(editor.document.is_equal(&before));
    }
}

#[test]
fn chains_follow_renamed_and_deleted_bones_and_are_saved() {
    let mut editor = demo();
    run(&mut editor, "bone rename tabard_back_tip hem; bone rename thigh.L leg");
    let springs = editor.model().unwrap().rig.springs.clone();
    assert!(springs.bones.contains_key("hem") && springs.colliders.iter().any(|it| it.bone == "leg"));
    let archive = keypose::wad::encode_authored(&editor.document).unwrap();
    let model = editor_kit::opened(&archive).model().unwrap().rig.springs.clone();
    assert_eq!(model, springs);
    run(&mut editor, "bone delete hem leg");
    let springs = &editor.model().unwrap().rig.springs;
    // The chain ends where the deleted joint was, and the collider stays in place.
    assert!(matches!(springs.bones["tabard_back"].tip, SpringTip::Point(_)));
    assert!(springs.colliders.iter().any(|it| it.name == "thigh.L" && it.bone == "hips"));
    springs.check().unwrap();
}

#[test]
fn a_collider_is_moved_scaled_mirrored_renamed_and_deleted_as_a_volume() {
    let mut editor = demo();
    let (start, steps) = (editor.document.clone(), editor.history.undo_count());
    let collider = |editor: &Editor, name: &str| {
        editor.model().unwrap().rig.springs.colliders.iter().find(|collider| collider.name == name).cloned().unwrap()
    };
    let users = |editor: &Editor, name: &str| {
        let springs = &editor.model().unwrap().rig.springs.bones;
        springs.values().filter(|spring| spring.colliders.iter().any(|collider| collider == name)).count()
    };
    let (before, count) = (collider(&editor, "thigh.L"), users(&editor, "thigh.L"));
    assert!(count > 0);
    run(&mut editor, "collider pick thigh.L; space local; key S over viewport; type 2 enter");
    run(&mut editor, "key G over viewport; type y y 0.1 enter");
    let moved = collider(&editor, "thigh.L");
    assert!((moved.radius / before.radius - 2.0).abs() < 1e-4, "{moved:?}");
    let middle = |volume: &Volume| (volume.from + volume.to) / 2.0;
    assert!((middle(&moved).distance(middle(&before)) - 0.1).abs() < 1e-3, "{before:?} {moved:?}");
    run(&mut editor, "run mirror-volume");
    assert!((collider(&editor, "thigh.R").radius - moved.radius).abs() < 1e-6);
    let picked = Picked::of(editor.model().unwrap(), &editor.session.focus).unwrap();
    let renamed = Volume { name: "leg".to_owned(), ..collider(&editor, "thigh.R") };
    let edits = vec![picked.edit(Some(renamed)).unwrap()];
    editor.update(DocumentAction::Edit { label: "Rename volume".into(), change: Change::Edits(edits) });
    assert_eq!((users(&editor, "leg"), users(&editor, "thigh.R")), (count, 0));
    run(&mut editor, "run delete-volume");
    assert_eq!((users(&editor, "leg"), users(&editor, "thigh.L")), (0, count));
    editor.model().unwrap().rig.springs.check().unwrap();
    (steps..editor.history.undo_count()).for_each(|_| drop(editor.update(DocumentAction::Undo)));
    assert!(editor.document.is_equal(&start));
}

#[test]
fn wrong_springs_are_refused_and_change_nothing() {
    let mut editor = demo();
    for (script, reason) in [
        ("spring set plume -1 0.5 0 0", "stiffness"),
        ("spring set plume 1 1.5 0 0", "drag"),
        ("spring set plume 1 0.5 nan 0", "number"),
        ("spring avoid plume nothing", "there is no collider \"nothing\""),
        ("collider add thigh.L hips 0.1", "used twice"),
        ("collider add new hips 0", "radius"),
    ] {
        let before = editor.document.clone();
        let error = match script::run(&mut editor, script) {
            Ok(_) => editor.session.workspace.log.last().map(|notice| notice.text.clone()).unwrap_or_default(),
            Err(error) => error.to_string(),
        };
        assert!(error.contains(reason), "{script}: {error}");
        assert!(editor.document.is_same(&before));
    }
}
