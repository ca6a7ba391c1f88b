//! Dragging ends and poles with the mouse, and pinned feet: against the runtime's own solver, with targets that can be
//! reached, that can't, and that are none.

use glam::Vec2;
use keypose::anim::ik::two_bone::{self, Goal, TwoBone};
use keypose::anim::pose::ModelPose;
use keypose_editor::editor::session::pointer::{Axis, ModalKey, PointerKind};
use keypose_editor::editor::session::switch::Switch;
use keypose_editor::editor::session::tool::{Constraint, TransformKind};
use keypose_editor::editor::session::tool::{Space, Tool};
use keypose_editor::editor::state::Editor;
use keypose_editor::editor::state::action::{BoneAction, DocumentAction, GestureAction, ToolAction, ViewAction};

use crate::editor_kit::{grip, head, legs_editor, mouse, press, seen};

const HIPS: u16 = 1;
const THIGH: u16 = 3;
const SHIN: u16 = 5;
const FOOT: u16 = 7;

fn with(bone: u16, yaw: f32) -> Editor {
    seen(legs_editor(), bone, Tool::Reach, Space::Model, (yaw, 0.1))
}

/// The drag selects it first.
#[test]
fn a_drag_on_a_foot_that_is_not_selected_moves_it() {
    let mut editor = with(HIPS, 0.4);
    let pixel = |editor: &Editor| {
        let camera = editor.session.focus.camera.camera();
        camera.pixel_of(head(editor, FOOT), Vec2::new(1000.0, 700.0)).unwrap()
    };
    let (from, to) = (pixel(&editor), pixel(&editor) + Vec2::new(30.0, -60.0));
    press(&mut editor, from);
    mouse(&mut editor, PointerKind::Moved, to);
    mouse(&mut editor, PointerKind::Released, to);
    assert_eq!(editor.session.focus.selection.bones, [FOOT]);
    assert!(pixel(&editor).distance(to) < 2.0, "{} instead of {to}", pixel(&editor));
    assert_eq!((editor.history.undo_count(), editor.session.transient.pointer.press), (1, None));
}

/// The mouse goes far around: the foot is where the mouse is, or as near as the leg reaches; the thigh and shin are
/// those of the runtime's solver; the knee stays in front.
#[test]
fn a_dragged_foot_follows_the_mouse_as_the_solver_says() {
    let mut editor = with(FOOT, std::f32::consts::FRAC_PI_2);
    let rest = editor.view().local.clone();
    let skeleton = editor.model().unwrap().skeleton.clone();
    let from = grip(&editor, Some(TransformKind::Reach), Constraint::Free);
    let (start, thigh) = (head(&editor, FOOT), head(&editor, THIGH));
    press(&mut editor, from);
    let camera = editor.session.focus.camera.camera();
    for step in 0..48 {
        let angle = step as f32 * 0.13;
        let to = from + Vec2::from_angle(angle) * (40.0 + 3.0 * step as f32);
        mouse(&mut editor, PointerKind::Moved, to);
        let ray = |pixel| camera.ray_through_pixel(pixel, Vec2::new(1000.0, 700.0));
        let hit = |pixel| ray(pixel).at(ray(pixel).hit_plane(start, camera.forward()).unwrap());
        let target = start + hit(to) - hit(from);
        let mut expected = rest.clone();
        two_bone::solve(&skeleton, &mut expected, TwoBone { root: THIGH, middle: SHIN, tip: FOOT }, &Goal::at(target));
        let mut pose = ModelPose::default();
        pose.compute(&skeleton, &expected);
        for bone in [SHIN, FOOT] {
            let got = head(&editor, bone);
            assert!(got.distance(pose.get(bone).translation()) < 2e-3, "{step}: {bone} at {got}");
        }
        let reach = (target - thigh).length().min(0.9055);
        assert!(((head(&editor, FOOT) - thigh).length() - reach).abs() < 1e-3, "{step}");
    }
    mouse(&mut editor, PointerKind::Released, from);
    assert_eq!(editor.history.undo_count(), 1);
    editor.update(DocumentAction::Undo);
    assert_eq!(editor.view().local, rest);
}

#[test]
fn the_pole_handle_turns_the_knee_and_leaves_the_foot() {
    let mut editor = with(FOOT, 0.0);
    editor.update(GestureAction::Transform(TransformKind::Reach));
    for key in [ModalKey::Axis(Axis::Y), ModalKey::Char('.'), ModalKey::Char('3')] {
        editor.update(GestureAction::Modal(key));
    }
    editor.update(GestureAction::Modal(ModalKey::Confirm));
    let (foot, knee) = (head(&editor, FOOT), head(&editor, SHIN));
    assert!(knee.z > 0.3, "{knee}");
    let from = grip(&editor, Some(TransformKind::Pole), Constraint::Free);
    press(&mut editor, from);
    mouse(&mut editor, PointerKind::Moved, from + Vec2::X * 400.0);
    let turned = head(&editor, SHIN);
    assert!(turned.x > knee.x + 0.1, "{turned}");
    assert!(head(&editor, FOOT).distance(foot) < 1e-3);
    editor.update(GestureAction::Modal(ModalKey::Cancel));
    assert!(head(&editor, SHIN).distance(knee) < 1e-6);
    assert_eq!(editor.history.undo_count(), 1);
}

#[test]
fn dragging_the_hips_bends_both_pinned_legs() {
    let mut editor = with(HIPS, 0.4);
    editor.update(BoneAction::SetPinned { bones: vec![FOOT, FOOT + 1], is_pinned: true });
    let feet = [FOOT, FOOT + 1].map(|foot| head(&editor, foot));
    let from = grip(&editor, Some(TransformKind::Reach), Constraint::Free);
    press(&mut editor, from);
    for step in 1..30 {
        mouse(&mut editor, PointerKind::Moved, from + Vec2::new(3.0, 4.0) * step as f32);
        for (foot, held) in [FOOT, FOOT + 1].into_iter().zip(feet) {
            assert!(head(&editor, foot).distance(held) < 1e-3, "{step}");
        }
    }
    assert!(head(&editor, HIPS).y < 0.9);
    assert!(head(&editor, SHIN).z > 0.1, "the knee bends forwards");
    editor.update(DocumentAction::Cancel);
    assert_eq!(editor.history.undo_count(), 0);
    assert!(editor.model().unwrap().drafts.is_empty());
}

/// Targets that are no numbers come from no mouse, but from typed amounts and cameras at their limits.
#[test]
fn no_target_breaks_the_pose() {
    for amount in ["99999999", "-99999999", "0", "-.9", "-1", "1.0"] {
        for joints in [1, 2, 3, 9] {
            for hold in [false, true] {
                let mut editor = with(FOOT, 0.3);
                if !hold {
                    editor.update(ViewAction::Toggle(Switch::KeepEndRotation));
                }
                editor.update(ToolAction::SetChain(joints));
                editor.update(GestureAction::Transform(TransformKind::Reach));
                editor.update(GestureAction::Modal(ModalKey::Axis(Axis::Y)));
                amount.chars().for_each(|digit| drop(editor.update(GestureAction::Modal(ModalKey::Char(digit)))));
                let view = editor.view();
                assert!(view.pose.bones.iter().all(|bone| bone.is_finite()), "{amount} {joints}");
                let lengths = [(THIGH, SHIN), (SHIN, FOOT)];
                for (from, to) in lengths {
                    let length = head(&editor, from).distance(head(&editor, to));
                    assert!((length - 0.4527).abs() < 1e-3, "{amount} {joints}: {length}");
                }
                editor.update(GestureAction::Modal(ModalKey::Confirm));
                editor.document.check().unwrap();
            }
        }
    }
}
