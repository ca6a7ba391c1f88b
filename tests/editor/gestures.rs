//! The gizmo, the modal transforms and picking, driven by pixels as a mouse does.

use glam::{DQuat, Quat, Vec2, Vec3};
use keypose::anim::key::Channel;
use keypose::anim::time::Time;
use keypose_editor::editor::document::edit::{ClipEdit, Gap, KeyEdit, KeyRef, ModelEdit};
use keypose_editor::editor::gesture::gizmo;
use keypose_editor::editor::posing::change::Change;
use keypose_editor::editor::session::command::Command;
use keypose_editor::editor::session::keying::AutoKey;
use keypose_editor::editor::session::pointer::{Axis, ModalKey, PointerEvent, PointerKind};
use keypose_editor::editor::session::selection::Pick;
use keypose_editor::editor::session::shortcuts::Modifiers;
use keypose_editor::editor::session::switch::Switch;
use keypose_editor::editor::session::timing::{KeyDragStart, TimeAction, TimePoint};
use keypose_editor::editor::session::tool::{Constraint, TransformKind};
use keypose_editor::editor::session::tool::{Space, Tool};
use keypose_editor::editor::state::Editor;
use keypose_editor::editor::state::action::{
    Action, DocumentAction, GestureAction, PlaybackAction, PoseAction, SelectAction, ToolAction, ViewAction,
};
use proptest::prelude::*;

use crate::editor_kit;
use crate::editor_kit::{demo, do_all, editor, grip, head, mouse, press, rotation_of, seen};

const UPPER: u16 = 1;

/// An editor with one bone selected, on the rest pose, seen from an angle.
fn with(tool: Tool, space: Space, yaw: f32, pitch: f32) -> Editor {
    let mut editor = editor();
    editor.update(SelectAction::Clip(None));
    seen(editor, UPPER, tool, space, (yaw, pitch))
}

fn pixel(editor: &Editor, point: Vec3) -> Vec2 {
    editor.session.focus.camera.pixel(point, editor.session.workspace.viewport).unwrap()
}

/// The mouse goes round the ring of an axis, through the pixels of its points, by more than two turns either way:
/// at every point the bone has turned by exactly that angle, and nothing flips on the way.
#[test]
fn a_ring_stays_under_the_mouse_over_full_turns() {
    for (yaw, pitch) in [(0.0, 0.0), (0.6, 0.4), (2.5, -0.7)] {
        for axis in Axis::ALL {
            for direction in [1.0, -1.0] {
                let mut editor = with(Tool::Rotate, Space::Model, yaw, pitch);
                let pivot = head(&editor, UPPER);
                let camera = editor.session.focus.camera.camera();
                if axis.unit().dot(camera.to_eye(pivot)).abs() < 0.25 {
                    continue;
                }
                let radius = camera.units_per_pixel(pivot, 700.0) * gizmo::RADIUS_POINTS;
                let across = axis.unit().any_orthonormal_vector();
                // From the near side of the ring, where it is taken.
                let near = camera.to_eye(pivot).reject_from(axis.unit());
                let start = if near.length() > 0.1 { near.normalize() } else { across };
                let at = |angle: f32| pivot + Quat::from_axis_angle(axis.unit(), angle) * start * radius;
                let from = pixel(&editor, at(0.0));
                press(&mut editor, from);
                assert_eq!(
                    editor.gesture.as_ref().and_then(|gesture| gesture.transform()).map(|it| it.constraint),
                    Some(Constraint::Axis(axis)),
                    "{axis:?} from {yaw} {pitch}"
                );
                for step in 1..=110 {
                    let angle = direction * step as f32 * 7.0_f32.to_radians();
                    let to = pixel(&editor, at(angle));
                    mouse(&mut editor, PointerKind::Moved, to);
                    let exact = DQuat::from_axis_angle(axis.unit().as_dvec3(), f64::from(angle)).as_quat();
                    let got = rotation_of(&editor, 1);
                    assert!(exact.dot(got).abs() > 1.0 - 1e-5, "{axis:?} {angle} from {yaw} {pitch}: {got}");
                }
                mouse(&mut editor, PointerKind::Released, from);
                assert_eq!(editor.history.undo_count(), 1);
            }
        }
    }
}

#[test]
fn a_ring_seen_from_its_edge_turns_along_the_mouse_without_jumps() {
    let mut editor = with(Tool::Rotate, Space::Model, 0.0, 0.02);
    let from = grip(&editor, None, Constraint::Axis(Axis::Y));
    press(&mut editor, from);
    let mut before = 0.0;
    for step in 1..200 {
        mouse(&mut editor, PointerKind::Moved, from + Vec2::X * step as f32);
        let angle = rotation_of(&editor, 1).to_scaled_axis().y;
        let change =
            (angle - before + 9.0 * std::f32::consts::PI).rem_euclid(std::f32::consts::TAU) - std::f32::consts::PI;
        assert!(change > 0.0 && change < 0.05, "{step}: {before} to {angle}");
        before = angle;
    }
}

#[test]
fn a_dragged_arrow_moves_along_its_axis_alone() {
    for space in Space::ALL {
        for axis in Axis::ALL {
            let mut editor = with(Tool::Move, space, 0.7, 0.5);
            if space == Space::View && axis == Axis::Z {
                continue;
            }
            let (start, before) = (grip(&editor, None, Constraint::Axis(axis)), head(&editor, UPPER));
            let aim = pixel(&editor, before);
            press(&mut editor, start);
            let way = (start - aim).normalize() * 60.0;
            mouse(&mut editor, PointerKind::Moved, start + way);
            mouse(&mut editor, PointerKind::Released, start + way);
            let moved = head(&editor, UPPER) - before;
            let camera = editor.session.focus.camera.camera();
            let (right, up) = camera.right_and_up();
            let expected = if space == Space::View { [right, up][axis as usize % 2] } else { axis.unit() };
            assert!(moved.length() > 0.05, "{space:?} {axis:?}: {moved}");
            assert!(moved.normalize().dot(expected) > 0.999, "{space:?} {axis:?}: {moved}");
            let on_screen = pixel(&editor, head(&editor, UPPER)) - aim;
            assert!(on_screen.distance(way) < 8.0, "{space:?} {axis:?}: {on_screen}");
        }
    }
}

#[test]
fn a_drag_of_the_plane_keeps_the_point_under_the_mouse() {
    let mut editor = with(Tool::Move, Space::Model, 0.7, 0.5);
    let start = grip(&editor, None, Constraint::Plane(Axis::Y));
    let before = head(&editor, UPPER);
    press(&mut editor, start);
    mouse(&mut editor, PointerKind::Moved, start + Vec2::new(40.0, 25.0));
    mouse(&mut editor, PointerKind::Released, start);
    let moved = head(&editor, UPPER) - before;
    assert!(moved.y.abs() < 1e-5 && moved.length() > 0.05, "{moved}");
}

#[test]
fn shift_is_fine_and_ctrl_snaps() {
    let moved = |held: Modifiers| {
        let mut editor = with(Tool::Rotate, Space::Model, 0.0, 0.0);
        let middle = pixel(&editor, head(&editor, UPPER));
        editor.session.transient.pointer.pixel = middle + Vec2::X * 100.0;
        editor.update(GestureAction::Transform(TransformKind::Rotate));
        let turn = |degrees: f32| middle + Vec2::from_angle(-degrees.to_radians()) * 100.0;
        for degrees in 1..=33 {
            let pixel = turn(degrees as f32);
            editor.update(GestureAction::Pointer(PointerEvent { kind: PointerKind::Moved, pixel, held }));
        }
        rotation_of(&editor, 1).to_scaled_axis().z.to_degrees()
    };
    let none = Modifiers::default();
    assert!((moved(none) - 33.0).abs() < 0.1, "{}", moved(none));
    assert!((moved(Modifiers { ctrl: true, ..none }) - 35.0).abs() < 1e-3);
    let fine = moved(Modifiers { shift: true, ..none });
    assert!((2.5..4.0).contains(&fine), "{fine}");
}

#[test]
fn several_bones_turn_together_pairs_as_mirror_images_and_children_not_twice() {
    for (space, child_turns) in [(Space::Model, false), (Space::Local, true)] {
        let mut editor = with(Tool::Rotate, space, 0.0, 0.0);
        editor.update(SelectAction::Bones { bones: vec![3, 2, 1], pick: Pick::Only });
        let start = grip(&editor, None, Constraint::Axis(Axis::Z));
        press(&mut editor, start);
        let middle = pixel(&editor, head(&editor, UPPER));
        mouse(&mut editor, PointerKind::Moved, middle + Vec2::from_angle(-0.5).rotate(start - middle));
        let turned = |bone: usize| rotation_of(&editor, bone).to_scaled_axis().z;
        assert!((turned(1) - 0.5).abs() < 1e-3 && (turned(2) + 0.5).abs() < 1e-3, "{space:?} {}", turned(1));
        assert_eq!(turned(3).abs() > 1e-3, child_turns, "{space:?}");
    }
}

#[test]
fn the_gizmo_is_where_the_bones_are_that_it_moves() {
    let mut editor = with(Tool::Move, Space::Local, 0.7, 0.5);
    let hand = 3;
    editor.update(SelectAction::Bones { bones: vec![UPPER, hand], pick: Pick::Only });
    // The arm takes the active hand along.
    editor.session.focus.selection.make_active(hand);
    let (from, before) = (grip(&editor, None, Constraint::Axis(Axis::Y)), pixel(&editor, head(&editor, UPPER)));
    let to = from + (from - before).normalize() * 60.0;
    press(&mut editor, from);
    mouse(&mut editor, PointerKind::Moved, to);
    mouse(&mut editor, PointerKind::Released, to);
    let moved = pixel(&editor, head(&editor, UPPER)) - before;
    assert!(moved.distance(to - from) < 8.0, "{moved}");
}

/// Two arms turn about the middle between them by a quarter, as one rigid thing.
#[test]
fn several_bones_turn_and_scale_about_the_pivot_that_they_share() {
    let editor_of = |kind, typed: &str| {
        let mut editor = with(Tool::Rotate, Space::Model, 0.0, 0.0);
        do_all(
            &mut editor,
            [
                Action::Select(SelectAction::Bones { bones: vec![1, 2, 3], pick: Pick::Only }),
                Action::View(ViewAction::Toggle(Switch::SharedPivot)),
                Action::Gesture(GestureAction::Transform(kind)),
            ],
        );
        if kind == TransformKind::Rotate {
            editor.update(GestureAction::Modal(ModalKey::Axis(Axis::Z)));
        }
        typed.chars().for_each(|digit| drop(editor.update(GestureAction::Modal(ModalKey::Char(digit)))));
        editor.update(GestureAction::Modal(ModalKey::Confirm));
        editor
    };
    let (rest, turned) = (editor_of(TransformKind::Rotate, "0"), editor_of(TransformKind::Rotate, "90"));
    let pivot = (head(&rest, 1) + head(&rest, 2)) / 2.0;
    for bone in 1..=4 {
        let expected = pivot + Quat::from_rotation_z(90.0_f32.to_radians()) * (head(&rest, bone) - pivot);
        assert!(head(&turned, bone).distance(expected) < 1e-5, "{bone}: {}", head(&turned, bone));
    }
    let scaled = editor_of(TransformKind::Scale, "2");
    for bone in 1..=4 {
        let expected = pivot + (head(&rest, bone) - pivot) * 2.0;
        assert!(head(&scaled, bone).distance(expected) < 1e-5, "{bone}: {}", head(&scaled, bone));
    }
    assert_eq!(scaled.history.undo_count(), 1);
}

#[test]
fn a_click_picks_the_bone_and_a_box_picks_several() {
    let mut editor = with(Tool::Select, Space::Local, 0.0, 0.0);
    for (bone, other) in [(1_u16, 3_u16), (2, 4)] {
        let middle = (head(&editor, bone) + head(&editor, other)) / 2.0;
        let at = pixel(&editor, middle) + Vec2::new(0.0, 4.0);
        mouse(&mut editor, PointerKind::Moved, at);
        assert_eq!(editor.session.transient.hover, Some(bone));
        mouse(&mut editor, PointerKind::Pressed, at);
        mouse(&mut editor, PointerKind::Released, at);
        assert_eq!(editor.session.focus.selection.bones, [bone]);
    }
    let (from, to) = (pixel(&editor, head(&editor, 1)) - 30.0, Vec2::new(999.0, 699.0));
    mouse(&mut editor, PointerKind::Pressed, Vec2::new(from.x, 1.0));
    mouse(&mut editor, PointerKind::Moved, to);
    assert!(editor.session.transient.pointer.selection_box(1.0).is_some());
    mouse(&mut editor, PointerKind::Released, to);
    let mut bones = editor.session.focus.selection.bones.clone();
    bones.sort();
    assert_eq!(bones, [1, 3]);
    mouse(&mut editor, PointerKind::Pressed, Vec2::new(2.0, 2.0));
    mouse(&mut editor, PointerKind::Released, Vec2::new(2.0, 2.0));
    assert!(editor.session.focus.selection.bones.is_empty());
}

/// Near a joint, the bone that it moves is picked, not the long one that ends there; as near in points on every display.
#[test]
fn a_click_near_a_joint_picks_its_bone() {
    let mut editor = with(Tool::Select, Space::Local, 0.0, 0.0);
    let (from, joint) = (pixel(&editor, head(&editor, 1)), pixel(&editor, head(&editor, 3)));
    let size = editor.session.workspace.viewport;
    for scale in [1.0, 2.0] {
        editor.update(ViewAction::SetViewport { size, pixels_per_point: scale });
        for (away, bone) in [(0.0, 3_u16), (5.0, 3), (20.0, 1)] {
            mouse(&mut editor, PointerKind::Moved, joint + (from - joint).normalize() * away * scale);
            assert_eq!(editor.session.transient.hover, Some(bone), "{away} at {scale}");
        }
    }
}

/// The arms hang before the trunk and the thighs there.
#[test]
fn a_side_view_picks_the_bones_of_the_near_arm() {
    let mut editor = seen(demo(), 0, Tool::Select, Space::Local, (0.0, 0.0));
    let skeleton = editor.model().unwrap().skeleton.clone();
    let bone = |name: &str| skeleton.indices().find(|bone| skeleton.bones()[usize::from(*bone)].name == name).unwrap();
    for (look, side) in [(Command::LookRight, "L"), (Command::LookLeft, "R")] {
        do_all(&mut editor, [Action::Run(look), Action::Run(Command::FrameAll)]);
        for (name, next) in [("upper_arm", "forearm"), ("forearm", "hand")] {
            let [from, to] = [name, next].map(|name| head(&editor, bone(&format!("{name}.{side}"))));
            for share in [0.3, 0.5, 0.7] {
                let at = pixel(&editor, from.lerp(to, share));
                mouse(&mut editor, PointerKind::Moved, at);
                let hover = editor.session.transient.hover.map(|bone| &skeleton.bones()[usize::from(bone)].name[..]);
                assert_eq!(hover, Some(&format!("{name}.{side}")[..]), "at {share}");
            }
        }
    }
}

#[test]
fn b_begins_a_box_even_over_the_gizmo() {
    let mut editor = with(Tool::Move, Space::Model, 0.0, 0.0);
    editor.update(keypose_editor::editor::session::command::Command::BoxSelect);
    let start = grip(&editor, None, Constraint::Free);
    mouse(&mut editor, PointerKind::Pressed, start);
    mouse(&mut editor, PointerKind::Moved, start + 200.0);
    assert!(editor.gesture.is_none() && editor.session.transient.pointer.selection_box(1.0).is_some());
    mouse(&mut editor, PointerKind::Released, start + 200.0);
    press(&mut editor, start);
    assert_eq!(editor.session.focus.selection.bones.is_empty(), editor.gesture.is_none(), "the next press is as ever");
}

#[test]
fn a_drag_while_playing_stops_on_a_frame_first() {
    let mut editor = with(Tool::Rotate, Space::Local, 0.0, 0.0);
    let clip = editor.model().unwrap().clips[0].id;
    do_all(
        &mut editor,
        [
            Action::Select(SelectAction::Clip(Some(clip))),
            Action::Tool(ToolAction::SetAutoKey(AutoKey::Always)),
            Action::Playback(PlaybackAction::SetPlaying(true)),
            Action::Tick(Time::from_millis(117.0)),
            Action::Gesture(GestureAction::Transform(TransformKind::Rotate)),
        ],
    );
    assert!(!editor.session.focus.playhead.is_playing);
    let rate = editor.clip().unwrap().clip.frame_rate;
    assert_eq!(editor.session.focus.playhead.time, rate.time_of(4));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    /// Whatever the mouse and the keys do, poses stay finite and undo leads back.
    #[test]
    fn no_drag_breaks_the_document(
        steps in prop::collection::vec((0..8_u8, -500.0..1500.0_f32, -500.0..1500.0_f32), 1..40),
        (yaw, pitch) in (-3.0..3.0_f32, -1.5..1.5_f32),
        tool in 0..3_usize,
        space in 0..4_usize,
    ) {
        let mut editor = with([Tool::Move, Tool::Rotate, Tool::Scale][tool], Space::ALL[space], yaw, pitch);
        let first = editor.document.clone();
        for (what, x, y) in steps {
            let at = Vec2::new(x, y);
            match what {
                0 => drop(editor.update(GestureAction::Transform([TransformKind::Move, TransformKind::Rotate, TransformKind::Scale][tool]))),
                1 => mouse(&mut editor, PointerKind::Pressed, at),
                2 => mouse(&mut editor, PointerKind::Released, at),
                3 => drop(editor.update(GestureAction::Modal(ModalKey::Axis(Axis::ALL[x.abs() as usize % 3])))),
                4 => drop(editor.update(GestureAction::Modal(ModalKey::Char('7')))),
                5 => drop(editor.update(ViewAction::Orbit(at))),
                _ => mouse(&mut editor, PointerKind::Moved, at),
            }
            prop_assert!(editor.document.check().is_ok());
            prop_assert!(editor.view().pose.bones.iter().all(|bone| bone.is_finite()));
        }
        editor.update(DocumentAction::Commit);
        while editor.history.undo_count() > 0 {
            editor.update(DocumentAction::Undo);
        }
        prop_assert!(editor.document.is_equal(&first));
    }
}

/// Every gesture that a key starts, on a bone and keys that are there.
fn key_gestures() -> Vec<Action> {
    use keypose_editor::editor::session::timing::KeyDragKind;
    let take = |grip| {
        let original = keypose_editor::editor::document::edit::Original::Moves;
        TimeAction::StartKeyDrag(KeyDragStart {
            kind: grip,
            original,
            is_modal: true,
            dragged_values: None,
            from: None,
        })
    };
    vec![
        Action::Gesture(GestureAction::Transform(TransformKind::Rotate)),
        Action::Gesture(GestureAction::Transform(TransformKind::Reach)),
        Action::Pose(PoseAction::Mix(keypose_editor::editor::posing::mixing::Mix::Push)),
        Action::Time(take(KeyDragKind::Move)),
        Action::Time(take(KeyDragKind::Ripple)),
        Action::Time(TimeAction::TypeDuration { keyframes: vec![0, 1], first: None }),
    ]
}

fn begun(start: &Action) -> Editor {
    let mut editor = editor_kit::editor();
    editor.update(SelectAction::KeyframeGroup { keyframes: 1..2, pick: Pick::Only });
    editor.update(SelectAction::Bones { bones: vec![3], pick: Pick::Add });
    let keys = vec![KeyRef { keyframe: 1, bone: 1, channel: Channel::Rotation }];
    if matches!(start, Action::Time(TimeAction::StartKeyDrag(_))) {
        editor.update(SelectAction::Keys { keys, pick: Pick::Only });
    }
    editor.update(start.clone());
    assert!(editor.gesture.as_ref().is_some_and(|gesture| gesture.takes_keys()), "{start:?}");
    editor.update(GestureAction::Modal(ModalKey::Char('3')));
    editor
}

#[test]
fn every_gesture_is_cancelled_without_a_trace() {
    for start in key_gestures() {
        for cancel in [
            Action::Gesture(GestureAction::Modal(ModalKey::Cancel)),
            Action::Document(DocumentAction::Cancel),
            Action::Document(DocumentAction::Undo),
        ] {
            let mut editor = begun(&start);
            editor.update(cancel.clone());
            assert!(editor.gesture.is_none(), "{start:?} {cancel:?}");
            assert_eq!(editor.history.undo_count(), 0, "{start:?} {cancel:?}");
            assert!(editor.document.is_equal(&editor_kit::editor().document), "{start:?} {cancel:?}");
        }
    }
}

#[test]
fn a_gesture_ends_whole_when_what_it_holds_goes_away() {
    let clip = editor_kit::editor().session.focus.clip.unwrap();
    let edit =
        |edit| Action::Document(DocumentAction::Edit { label: "away".into(), change: Change::Edits(vec![edit]) });
    let aways = [
        edit(ModelEdit::RemoveModel { model: 0 }.into()),
        edit(ClipEdit::DeleteClip { clip }.into()),
        edit(KeyEdit::DeleteKeyframes { clip, keyframes: vec![0, 1], gap: Gap::Closed }.into()),
        Action::Select(SelectAction::Clip(None)),
        Action::Select(SelectAction::Model(7)),
    ];
    for start in key_gestures() {
        for away in &aways {
            let mut editor = begun(&start);
            editor.update(away.clone());
            editor.update(GestureAction::Modal(ModalKey::Char('4')));
            editor.update(TimeAction::MouseMoved(TimePoint::default()));
            mouse(&mut editor, PointerKind::Moved, Vec2::new(200.0, 300.0));
            editor.update(GestureAction::Modal(ModalKey::Confirm));
            assert!(editor.gesture.is_none(), "{start:?} {away:?}");
            editor.document.check().unwrap();
            editor.update(DocumentAction::GoToStep(0));
            assert!(editor.document.is_equal(&editor_kit::editor().document), "{start:?} {away:?}");
        }
    }
}
