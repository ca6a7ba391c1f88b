//! What helps to see, driven by mouse and keys: the clip check, the side-scroller bench, the blend of two clips, the
//! turntable, the ground, the silhouette.

use std::sync::Arc;

use glam::Vec3;
use keypose::anim::clip::{Clip, Keyframe};
use keypose::anim::key::Key;
use keypose::anim::time::{FrameRate, Time};
use keypose::assets::model::Model;
use keypose::assets::project::Project;
use keypose_editor::editor::document::edit::ClipEdit;
use keypose_editor::editor::posing::change::Change;
use keypose_editor::editor::session::blend::BlendAction;
use keypose_editor::editor::session::command::Command;
use keypose_editor::editor::session::selection::Pick;
use keypose_editor::editor::state::Editor;
use keypose_editor::editor::state::action::{Action, DocumentAction, Origin, PlaybackAction, SelectAction, ViewAction};
use keypose_editor::editor::view::scene;
use keypose_editor::render::frame::color::Color;
use keypose_editor::render::frame::{Frame, Surface};

use crate::driver::{Driver, SIZE, arm, demo};

/// The arm, whose second clip pulls the lower bone to twice its length in its second keyframe.
fn pulled() -> Project {
    let mut project = arm();
    let model = Arc::make_mut(&mut project.models[0]);
    let keyframe = |length: f32| {
        let keys = vec![Key::translation(2, Vec3::new(length, 0.0, 0.0)), Key::translation(1, Vec3::X)];
        Keyframe { duration: FrameRate::FPS_30.time_of(5), keys: keys.into(), ..Keyframe::default() }
    };
    model.clips[1].clip = Arc::new(Clip { keyframes: vec![keyframe(1.0), keyframe(2.0)].into(), ..Clip::new("pull") });
    project
}

#[test]
fn a_click_on_a_finding_goes_where_it_is() {
    let mut driver = Driver::new(forked(pulled()), SIZE);
    driver.strike("F8");
    driver.frames(4);
    let id = driver.model().clips[1].id;
    driver.click(&format!("finding{}-0", id.0));
    assert_eq!(driver.editor.session.focus.clip, Some(id));
    assert_eq!(driver.editor.session.focus.selection.bones.to_vec(), [3]);
    assert_eq!(driver.editor.session.focus.playhead.time, FrameRate::FPS_30.time_of(5));
    assert_eq!(driver.editor.history.undo_count(), 0);
    assert!(!driver.dock.is_checking());
}

#[test]
fn the_inspector_shows_the_findings_of_the_open_clip() {
    let mut driver = Driver::new(forked(pulled()), SIZE);
    driver.frames(3);
    assert!(driver.has("no-problems") && !driver.has("open-finding-0"), "the open clip has none");
    let pull = format!("clip{}", driver.model().clips[1].id.0);
    driver.click(&pull);
    driver.frames(3);
    assert!(driver.has("finding: lower has 200 % of its rest length at frame 5"), "{:?}", driver.ids());
    driver.click("open-finding-0");
    assert_eq!(driver.editor.session.focus.selection.bones.to_vec(), [3]);
    assert_eq!(driver.editor.session.focus.playhead.time, FrameRate::FPS_30.time_of(5));
    assert!(!driver.dock.is_checking(), "only the open clip is checked");
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
    driver.update(SelectAction::Clip(Some(driver.model().clips[1].id)));
    driver.update(Command::DeleteClip);
    driver.frames(3);
    assert!(!driver.has(&row));
    drop(driver);
    let mut empty = Driver::new(Project::default(), SIZE);
    empty.strike("F8");
    empty.frames(3);
    assert!(!empty.dock.is_checking());
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

fn picture(editor: &Editor) -> Frame {
    scene::frame(editor.source(), &editor.view())
}

#[test]
fn the_bench_shows_the_model_alone_and_leaves_as_it_came() {
    let mut driver = Driver::new(arm(), SIZE);
    let before = driver.editor.session.focus.camera;
    driver.strike("F6");
    driver.frames(2);
    let bench = picture(&driver.editor);
    assert!(bench.overlay.lines.is_empty() && bench.solids.len() > 20);
    assert_eq!(bench.camera.eye.x, 0.0);
    assert!(driver.has("FlipBench") && !driver.has("tool0"));
    driver.click("FlipBench");
    driver.frames(2);
    let flipped = picture(&driver.editor);
    assert_ne!(flipped.models[0].world_from_model, bench.models[0].world_from_model);
    driver.strike("Ctrl+F6");
    assert_eq!(picture(&driver.editor).models[0].surface, Surface::Silhouette);
    driver.strike("Escape");
    driver.frames(2);
    assert!(driver.editor.session.transient.scene.bench().is_none() && driver.has("tool0"));
    assert_eq!(driver.editor.session.focus.camera, before);
    assert_eq!(driver.editor.history.undo_count(), 0);
    driver.strike("F6");
    driver.update(ViewAction::LookFrom(keypose_editor::editor::session::camera::Look::Top));
    assert!(driver.editor.session.transient.scene.bench().is_none(), "who looks from elsewhere leaves it");
}

#[test]
fn a_crowd_plays_the_clip_until_escape() {
    let mut driver = Driver::new(demo(), SIZE);
    let before = driver.editor.session.focus.camera;
    let crowd = |driver: &Driver| picture(&driver.editor).crowds.first().map(|draw| draw.crowd.clone());
    driver.update(Command::Crowd);
    driver.frames(2);
    let first = crowd(&driver).expect("a crowd");
    assert_eq!((first.members.len(), first.clips.len()), (100, 1));
    assert!(picture(&driver.editor).models.is_empty() && !driver.has("tool0"));
    assert!(Arc::ptr_eq(&first, &crowd(&driver).unwrap()), "the same as long as nothing changes");
    driver.click("crowd-1000");
    driver.click("CrowdClips");
    driver.frames(2);
    let second = crowd(&driver).unwrap();
    assert!(second.members.len() == 1000 && second.clips.len() > 3);
    let elapsed = picture(&driver.editor).crowds[0].elapsed;
    driver.update(PlaybackAction::Seek(FrameRate::FPS_30.time_of(7)));
    assert!(picture(&driver.editor).crowds[0].elapsed > elapsed, "it follows the playhead");
    driver.strike("Escape");
    driver.frames(2);
    assert!(crowd(&driver).is_none() && driver.has("tool0"));
    assert_eq!((driver.editor.session.focus.camera, driver.editor.history.undo_count()), (before, 0));
}

/// The floor goes with the foot that stands on it, whatever the speed of the clip.
#[test]
fn the_floor_of_the_bench_passes_as_the_feet_walk() {
    let mut editor = Editor::new(demo(), &Origin::New);
    editor.update(Command::Bench);
    let model = editor.model().unwrap().clone();
    let speed = |editor: &Editor| keypose_editor::editor::view::bench::speed(editor.source(), &editor.view());
    for (clip, expected, foot, from, to) in [("walk", 1.4, "foot.L", 3, 6), ("run", 3.6, "toe.L", 2, 4)] {
        let id = model.clip_named(clip).unwrap().id;
        editor.update(SelectAction::Clip(Some(id)));
        assert!((speed(&editor) - expected).abs() < 0.12 * expected, "{clip}: {}", speed(&editor));
        let foot = model.skeleton.find(foot).unwrap();
        let mut places = |frame: i64| {
            editor.update(PlaybackAction::Seek(FrameRate::FPS_30.time_of(frame)));
            let picture = picture(&editor);
            let body = picture.models.iter().find(|draw| draw.model.name == model.name).unwrap();
            let foot = body.world_from_model.transform_point3(body.pose.get(foot).translation());
            (foot.x, picture.solids[0].min.x)
        };
        let (before, after) = (places(from), places(to));
        let (walked, passed) = (after.0 - before.0, after.1 - before.1);
        let apart = (walked - passed).rem_euclid(2.0).min((passed - walked).rem_euclid(2.0));
        assert!(walked < -0.05 && apart < 0.05, "{clip}: the foot {walked}, the floor {passed}");
    }
    for clip in ["idle", "jump", "climb"] {
        editor.update(SelectAction::Clip(Some(model.clip_named(clip).unwrap().id)));
        assert_eq!(speed(&editor), 0.0, "{clip}");
    }
}

#[test]
fn a_blend_mixes_two_clips_by_its_slider() {
    let mut driver = Driver::new(pulled(), SIZE);
    driver.strike("F7");
    driver.frames(2);
    assert!(driver.editor.session.is_in_motion());
    let length = |driver: &Driver| driver.editor.view().local.get(2).translation.x;
    driver.update(BlendAction::Weight(0.0));
    driver.update(Action::Tick(FrameRate::FPS_30.time_of(3)));
    assert_eq!(length(&driver), 1.0, "the first clip alone does not pull");
    driver.update(BlendAction::Weight(1.0));
    driver.update(Action::Tick(FrameRate::FPS_30.time_of(1)));
    let whole = length(&driver);
    assert!(whole > 1.1, "{whole}");
    driver.update(BlendAction::Weight(0.5));
    let half = length(&driver);
    assert!(half > 1.02 && half < whole, "{half} of {whole}");
    driver.drag("blend-weight", [60.0, 0.0]);
    assert!(driver.editor.session.transient.pose.blend().unwrap().weight > 0.55);
    let clips = driver.editor.session.transient.pose.blend().unwrap().clips;
    driver.update(BlendAction::Clips([clips[1], clips[0]]));
    assert_eq!(driver.editor.session.transient.pose.blend().unwrap().clips, [clips[1], clips[0]]);
    driver.click("leave-blend");
    assert!(driver.editor.session.transient.pose.blend().is_none() && !driver.editor.session.is_in_motion());
    assert_eq!(driver.editor.history.undo_count(), 0);
}

#[test]
fn a_blend_continues_through_edits_and_ends_with_its_clips() {
    let mut editor = Editor::new(pulled(), &Origin::New);
    editor.update(Command::BlendPreview);
    let id = editor.model().unwrap().clips[1].id;
    let loop_mode = keypose::anim::clip::LoopMode::Loop;
    let change = Change::Edits(vec![ClipEdit::SetLoopMode { clip: id, loop_mode }.into()]);
    editor.update(DocumentAction::Edit { label: "loop".into(), change });
    editor.update(Action::Tick(Time::TICK));
    assert!(editor.session.transient.pose.blend().is_some());
    let change = Change::Edits(vec![ClipEdit::DeleteClip { clip: id }.into()]);
    editor.update(DocumentAction::Edit { label: "delete".into(), change });
    editor.update(Action::Tick(Time::TICK));
    assert!(editor.session.transient.pose.blend().is_none());
    let effects = editor.update(Command::BlendPreview);
    assert!(
        editor.session.transient.pose.blend().is_none() && !effects.is_empty(),
        "one clip alone can't be mixed, and it says so"
    );
}

#[test]
fn the_turntable_turns_the_camera_and_nothing_else() {
    let mut editor = Editor::new(arm(), &Origin::New);
    let before = editor.session.focus.camera;
    editor.update(Command::ToggleTurntable);
    editor.update(Action::Tick(Time::SECOND));
    let turned = std::f32::consts::TAU / keypose_editor::editor::session::camera::TURN_SECS;
    assert!((editor.session.focus.camera.yaw - before.yaw - turned).abs() < 1e-4);
    assert_eq!(
        (editor.session.focus.camera.pitch, editor.session.focus.camera.distance),
        (before.pitch, before.distance)
    );
    assert!(!editor.session.is_in_motion(), "one can pose meanwhile");
    editor.update(Command::ToggleTurntable);
    assert!(!editor.session.is_lively());
}

#[test]
fn the_ground_is_a_line_in_a_parallel_side_view() {
    let mut editor = Editor::new(arm(), &Origin::New);
    editor.update(ViewAction::SetViewport { size: glam::Vec2::new(800.0, 600.0), pixels_per_point: 1.0 });
    let level_lines = |editor: &Editor| {
        let lines = picture(editor).overlay.lines;
        lines.into_iter().filter(|line| line.from.y == 0.0 && line.to.y == 0.0 && line.from.distance(line.to) > 2.5)
    };
    editor.update(Command::LookFront);
    editor.update(Command::ToggleOrtho);
    assert_eq!(level_lines(&editor).count(), 0, "in perspective, the grid shows the ground");
    editor.update(Command::ToggleOrtho);
    for (look, axis) in [(Command::LookFront, 0), (Command::LookRight, 2), (Command::LookBack, 0)] {
        editor.update(look);
        let line = level_lines(&editor).next().unwrap();
        assert_eq!(line.from_color.with_alpha(1.0), Color::AXES[axis], "{look:?}");
        let camera = picture(&editor).camera;
        let wide = camera.units_per_pixel(camera.target, 600.0) * 800.0;
        assert!(line.from.distance(line.to) >= wide, "{look:?}: it crosses the viewport");
    }
    editor.update(Command::ToggleGrid);
    assert_eq!(level_lines(&editor).count(), 0, "it belongs to the grid");
    editor.update(Command::ToggleGrid);
    editor.update(Command::LookTop);
    assert_eq!(level_lines(&editor).count(), 0);
}

#[test]
fn a_silhouette_is_dark_on_light_without_bones() {
    let mut editor = Editor::new(arm(), &Origin::New);
    let bones = picture(&editor).overlay.lines.len();
    editor.update(Command::ShadeSilhouette);
    let shown = picture(&editor);
    assert!(shown.overlay.lines.len() < bones);
    let draw = &shown.models[0];
    let brightness = |color: Color| color.to_array()[..3].iter().sum::<f32>() / 3.0;
    assert_eq!(draw.surface, Surface::Silhouette);
    assert!(brightness(draw.tint) < 0.15 && brightness(shown.background.bottom) > 0.7);
    editor.update(SelectAction::Bones { bones: vec![1], pick: Pick::Only });
    assert!(picture(&editor).overlay.lines.len() > shown.overlay.lines.len(), "the selected bone is shown");
    editor.update(Command::ShadeSilhouette);
    assert_eq!(picture(&editor).models[0].surface, Surface::Lit);
}
