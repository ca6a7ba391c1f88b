//! Paths that are drawn in the viewport, and the keyframes that follow them.

use std::sync::Arc;

use glam::{Vec2, Vec3};
use keypose::anim::clip::{Clip, Keyframe, LoopMode};
use keypose::anim::skeleton::BoneIndex;
use keypose::anim::time::FrameRate;
use keypose::assets::project::Project;
use keypose_editor::editor::script;
use keypose_editor::editor::session::pointer::PointerKind;
use keypose_editor::editor::session::selection::Pick;
use keypose_editor::editor::session::tool::{Space, Tool};
use keypose_editor::editor::state::Editor;
use keypose_editor::editor::state::action::{Origin, SelectAction};

use crate::editor_kit::{head, legs, mouse, press, seen};

const HIPS: BoneIndex = 1;
const FOOT: BoneIndex = 7;
const FRAMES: i64 = 5;

/// The legs with a looping clip of `count` empty keyframes, seen from beside.
fn with(bone: BoneIndex, count: usize) -> Editor {
    let mut model = legs();
    let keyframe = Keyframe { duration: FrameRate::FPS_30.time_of(FRAMES), ..Keyframe::default() };
    let clip = Clip { keyframes: vec![keyframe; count].into(), loop_mode: LoopMode::Loop, ..Clip::new("step") };
    model.clips[0].clip = Arc::new(clip);
    let mut project = Project::default();
    project.add_model(model);
    seen(Editor::new(project, &Origin::New), bone, Tool::Select, Space::Model, (std::f32::consts::FRAC_PI_2, 0.1))
}

fn pixel(editor: &Editor, bone: BoneIndex) -> Vec2 {
    editor.session.focus.camera.camera().pixel_of(head(editor, bone), Vec2::new(1000.0, 700.0)).unwrap()
}

/// Draws a stroke through pixels, rounded as a mouse does.
fn draw(editor: &mut Editor, stroke: impl Iterator<Item = Vec2>) {
    script::run(editor, "run draw-motion-path").unwrap();
    let pixels: Vec<Vec2> = stroke.map(Vec2::round).collect();
    press(editor, pixels[0]);
    pixels.iter().for_each(|&pixel| mouse(editor, PointerKind::Moved, pixel));
    mouse(editor, PointerKind::Released, pixels[pixels.len() - 1]);
}

/// The head of the bone in each keyframe.
fn heads(editor: &mut Editor, bone: BoneIndex, count: usize) -> Vec<(Vec3, Vec2)> {
    let at = |number: usize| {
        script::run(editor, &format!("seek {}f", number as i64 * FRAMES)).unwrap();
        (head(editor, bone), pixel(editor, bone))
    };
    (0..count).map(at).collect()
}

#[test]
fn a_foot_follows_a_closed_stroke_around_a_loop_evenly_and_by_ik() {
    const COUNT: usize = 12;
    let mut editor = with(FOOT, COUNT);
    let before = editor.document.clone();
    let depth = |editor: &Editor, place: Vec3| place.dot(editor.session.focus.camera.camera().forward());
    let (start, start_depth) = (pixel(&editor, FOOT), depth(&editor, head(&editor, FOOT)));
    let circle = |part: f32| {
        let angle = part * std::f32::consts::TAU;
        start + Vec2::new(angle.sin() * 40.0, angle.cos() * 40.0 - 70.0)
    };
    draw(&mut editor, (0..=97).map(|at| circle(at as f32 / 100.0)));
    let heads = heads(&mut editor, FOOT, COUNT);
    for (number, (place, seen)) in heads.iter().enumerate() {
        let wanted = circle(number as f32 / COUNT as f32);
        assert!(seen.distance(wanted) < 2.5, "keyframe {number}: {seen} instead of {wanted}");
        assert!((depth(&editor, *place) - start_depth).abs() < 1e-3, "it keeps its distance from the viewer");
        let next = heads[(number + 1) % COUNT].1;
        let step = 80.0 * (std::f32::consts::PI / COUNT as f32).sin();
        assert!((seen.distance(next) - step).abs() < 1.2, "steps are even, also across the seam: {number}");
    }
    let keys: Vec<_> = editor.clip().unwrap().clip.keyframes.iter().flat_map(|it| it.keys.to_vec()).collect();
    assert!(keys.iter().all(|key| key.value.is_finite() && key.bone != HIPS), "only the leg is keyed");
    assert_eq!((editor.history.undo_count(), editor.history.undo_label()), (1, Some("Draw motion path")));
    script::run(&mut editor, "run undo").unwrap();
    assert!(editor.document.is_equal(&before));
}

#[test]
fn the_hips_follow_an_open_stroke_in_the_selected_keyframes_alone() {
    let mut editor = with(HIPS, 6);
    script::run(&mut editor, "pick-keyframe 2; pick-keyframes-to 5").unwrap();
    let rest = head(&editor, HIPS);
    let (from, to) = (Vec2::new(400.0, 300.0), Vec2::new(600.0, 300.0));
    draw(&mut editor, (0..=50).map(|at| from.lerp(to, at as f32 / 50.0)));
    let heads = heads(&mut editor, HIPS, 6);
    for (number, part) in [(1, 0.0), (2, 1.0 / 3.0), (3, 2.0 / 3.0), (4, 1.0)] {
        let (seen, wanted) = (heads[number].1, from.lerp(to, part));
        assert!(seen.distance(wanted) < 0.7, "keyframe {number}: {seen} instead of {wanted}");
    }
    let keyed: Vec<usize> = editor.clip().unwrap().clip.keyframes.iter().map(|it| it.keys.len()).collect();
    assert_eq!(keyed, [0, 1, 1, 1, 1, 0]);
    assert!(rest.distance(heads[1].0) > 0.01);
}

#[test]
fn a_path_keys_the_keyframes_of_the_section_or_the_selection_alone() {
    let keyed = |editor: &Editor| -> Vec<usize> {
        editor.clip().unwrap().clip.keyframes.iter().map(|keyframe| keyframe.keys.len()).collect()
    };
    let mut editor = with(HIPS, 4);
    let section = "pick-keyframe 1; pick-keyframes-to 2; run set-loop-section; pick-keyframe 4";
    script::run(&mut editor, &format!("{section}; follow-path 0 1 0 0 1.2 0.4")).unwrap();
    assert_eq!(keyed(&editor), [1, 1, 0, 0]);
    script::run(&mut editor, "run undo").unwrap();
    editor.update(SelectAction::KeyframeGroup { keyframes: 1..2, pick: Pick::Add });
    script::run(&mut editor, "follow-path 0 1 0 0 1.2 0.4").unwrap();
    assert_eq!(keyed(&editor), [0, 1, 0, 1]);
}

#[test]
fn a_path_of_points_poses_a_layer_and_leaves_its_source() {
    let mut editor = with(HIPS, 4);
    script::run(&mut editor, "run add-layer; follow-path 0 1 0 0 1.2 0 0 1.2 0.4").unwrap();
    let heads: Vec<f32> = heads(&mut editor, HIPS, 4).iter().map(|(place, _)| place.z).collect();
    assert!((heads[0].abs() < 1e-3) && (heads[3] - 0.4).abs() < 1e-3, "{heads:?}");
    let model = editor.model().unwrap();
    assert!(model.clip_named("step").unwrap().clip.keyframes.iter().all(|keyframe| keyframe.keys.is_empty()));
    assert_eq!(editor.history.undo_label(), Some("Follow path"));
}

#[test]
fn a_path_that_can_not_be_drawn_changes_nothing_and_says_why() {
    let mut editor = with(FOOT, 4);
    let before = editor.document.clone();
    let notice = |editor: &Editor| script::show(editor, "notice").unwrap();
    draw(&mut editor, [Vec2::splat(300.0), Vec2::splat(302.0)].into_iter());
    assert!(notice(&editor).contains("Drag to draw the path."), "{}", notice(&editor));
    assert!(editor.gesture.is_some(), "another stroke can be drawn");
    press(&mut editor, Vec2::splat(300.0));
    mouse(&mut editor, PointerKind::Moved, Vec2::splat(400.0));
    script::run(&mut editor, "type esc; follow-path 0 1 0 0 1 0").unwrap();
    assert!(notice(&editor).contains("at least two different points"), "{}", notice(&editor));
    assert!(editor.gesture.is_none() && editor.document.is_equal(&before) && editor.history.undo_count() == 0);
    let mut short = with(FOOT, 1);
    script::run(&mut short, "run draw-motion-path").unwrap();
    assert!(notice(&short).contains("at least two keyframes"), "{}", notice(&short));
}
