//! Joint limits and IK chains: kept with the document, proposed for humanoids, and obeyed by IK and by the gizmo.

use std::sync::Arc;

use glam::{DQuat, Quat, Vec2, Vec3};
use keypose::anim::ik::chain::Solver;
use keypose::anim::ik::limit::Limit;
use keypose::anim::key::Key;
use keypose::anim::skeleton::{Bone, BoneIndex, Skeleton};
use keypose::anim::time::Time;
use keypose::anim::transform::Transform;
use keypose::assets::combat::Lanes;
use keypose::assets::model::Model;
use keypose::wad::encode_authored;
use keypose::wad::equality::is_same_content;
use keypose_editor::editor::gesture::ik::LimbDrag;
use keypose_editor::editor::gesture::limits::{Gauge, LimitHandle};
use keypose_editor::editor::ops::joint_limits::{Sides, with_chain, with_limit};
use keypose_editor::editor::ops::pose::model_pose;
use keypose_editor::editor::ops::posed::Posed;
use keypose_editor::editor::script;
use keypose_editor::editor::session::pointer::{Axis, ModalKey, PointerKind};
use keypose_editor::editor::session::switch::Switch;
use keypose_editor::editor::session::tool::TransformKind;
use keypose_editor::editor::state::action::{DocumentAction, GestureAction, ViewAction};
use keypose_tools::clip_check::{Footing, Kind, Subject, check};
use keypose_tools::joint_limits::{BindJoints, propose};

use crate::editor_kit::{self, demo, run};

/// A linear congruential generator (Knuth, "The Art of Computer Programming", volume 2, MMIX).
pub struct Random(pub u64);

impl Random {
    /// In 0..1.
    pub fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1_u64 << 24) as f32
    }

    /// Each coordinate in -size..size.
    pub fn point(&mut self, size: f32) -> Vec3 {
        Vec3::from_array([(); 3].map(|()| (self.next() * 2.0 - 1.0) * size))
    }

    fn rotation(&mut self) -> Quat {
        Quat::from_axis_angle(self.point(1.0).normalize_or(Vec3::X), self.next() * 6.0)
    }
}

/// The radians by which a rotation is outside a limit, in f64 and by other formulas than the solvers': the angle between the axis
/// and its direction at zero, and the angle about it once that swing is undone.
fn excess(limit: &Limit, rotation: Quat) -> f64 {
    let axis = limit.axis.as_dvec3().normalize();
    let turned = limit.zero.as_dquat().normalize().inverse() * rotation.as_dquat().normalize();
    let to = turned * axis;
    let swing = axis.cross(to).length().atan2(axis.dot(to));
    let back = if swing > 1e-9 { DQuat::from_rotation_arc(to, axis) } else { DQuat::IDENTITY };
    let twist = back * turned;
    let across = axis.any_orthonormal_vector();
    let about = axis.dot(across.cross(twist * across)).atan2(across.dot(twist * across));
    let outside = |angle: f64| (f64::from(limit.min) - angle).max(angle - f64::from(limit.max)).max(0.0);
    let full = std::f64::consts::TAU;
    let about = [about - full, about, about + full].map(outside).into_iter().fold(f64::INFINITY, f64::min);
    about.max(swing - f64::from(limit.swing.unwrap_or(0.0)))
}

/// A tail of `joints` joints along x and its end, below a root and a base; joints are hinges, cones or free in turn.
fn tail(joints: usize, solver: Solver, has_limits: bool) -> Arc<Model> {
    let bone = |at: usize| Bone {
        name: format!("tail {at}"),
        parent: at.checked_sub(1).map(|parent| parent as BoneIndex),
        rest: Transform::from_translation(if at < 2 { Vec3::ZERO } else { Vec3::X * 0.1 }),
    };
    let skeleton = Arc::new(Skeleton::new((0..joints + 2).map(bone).collect()).unwrap());
    let mut model = Model { name: "tail".into(), skeleton, ..Model::default() };
    let end = joints as BoneIndex + 1;
    let chain = keypose::assets::rig_notes::IkChain { joints: joints as u8, solver };
    model.rig = with_chain(&model, end, Some(chain));
    for bone in (1..=end).filter(|bone| has_limits && bone % 3 > 0) {
        let joints = BindJoints::of(&model);
        let limit = match bone % 3 {
            1 => joints.hinge(bone, Vec3::Z, [-0.2, 0.6]),
            _ => Limit { swing: Some(0.5), min: -0.1, max: 0.3, ..joints.free(bone) },
        };
        model.rig = with_limit(&model, bone, Some(limit), Sides::One);
    }
    Arc::new(model)
}

fn worst(model: &Model, posed: &[Posed]) -> f64 {
    let limits: Vec<_> = model.rig.limits_of(&model.skeleton).collect();
    let of = |one: &Posed| {
        let limit = limits.iter().find(|(bone, _)| *bone == one.bone)?;
        Some(excess(&limit.1, Quat::from_vec4(one.value)))
    };
    posed.iter().filter_map(of).fold(0.0, f64::max)
}

/// 10,000 drags, or some of them.
#[test]
fn no_drag_leaves_a_joint_beyond_its_limit() {
    let drags = if std::env::var_os("KEYPOSE_FULL").is_some() { 10_000 } else { 300 };
    let (mut random, mut moved) = (Random(7), 0);
    for solver in Solver::ALL {
        let model = tail(6, solver, true);
        for _ in 0..drags / 4 {
            // Also from poses that are outside.
            let mut local = model.skeleton.rest_pose();
            let bone = 1 + (random.next() * 6.0) as usize;
            local.set(bone, &Transform { rotation: random.rotation(), ..local.get(bone) });
            let drag = LimbDrag::new(model.clone(), local, &[7], 2, true);
            let posed = drag.moved(random.point(1.0));
            assert!(worst(&model, &posed) < 1e-4, "{posed:?}");
            moved += usize::from(posed.iter().any(|one| one.value.w.abs() < 0.999));
        }
    }
    assert!(moved > drags * 2 / 5, "{moved}");
    let mut knight = Model::clone(demo().model().unwrap());
    knight.rig.limits = propose(&knight);
    let knight = Arc::new(knight);
    let ends = ["hand.L", "foot.R", "head"].map(|name| knight.skeleton.find(name).unwrap());
    for at in 0..drags / 2 {
        let joints = [2, 2, 3, 4][at % 4];
        let drag = LimbDrag::new(knight.clone(), knight.skeleton.rest_pose(), &[ends[at % 3]], joints, at % 2 == 0);
        let posed = if at % 5 == 0 { drag.bent(random.point(1.0)) } else { drag.moved(random.point(1.5)) };
        assert!(worst(&knight, &posed) < 1e-4, "{posed:?}");
    }
}

#[test]
fn a_chain_within_its_limits_reaches_what_it_can() {
    let mut random = Random(3);
    for solver in Solver::ALL {
        for joints in [3, 12, 60] {
            let model = tail(joints, solver, false);
            let end = joints as BoneIndex + 1;
            let drag = LimbDrag::new(model.clone(), model.skeleton.rest_pose(), &[end], 2, false);
            let length = joints as f32 * 0.1;
            for _ in 0..20 {
                let target = random.point(0.5) * length;
                let posed = drag.moved(target - Vec3::X * length);
                let mut local = model.skeleton.rest_pose();
                posed.iter().for_each(|one| local.put(one.bone, one.channel, one.value));
                let mut pose = keypose::anim::pose::ModelPose::default();
                pose.compute(&model.skeleton, &local);
                let off = pose.get(end).translation().distance(target);
                // From a straight chain, CCD winds up its end before the rest follows.
                let near = if solver == Solver::Ccd && joints > 12 { 0.1 } else { 0.02 };
                assert!(off < near * length, "{solver:?} {joints} to {target}: {off}");
            }
        }
    }
}

#[test]
fn limits_and_chains_are_kept_undone_and_recovered() {
    let mut editor = demo();
    let before = editor.document.clone();
    let edits = [
        "limit forearm.L hinge x -20 140",
        "limit head cone 40 twist -60 60",
        "ik-chain head FABRIK 4",
        "run propose-limits",
    ];
    for edit in edits {
        run(&mut editor, edit);
        assert_eq!(editor.history.undo_count(), 1, "{edit}: {}", editor_kit::notice(&editor));
        assert!(!is_same_content(&editor.document, &before), "{edit}");
        editor.update(DocumentAction::Undo);
        assert!(is_same_content(&editor.document, &before), "{edit} is not undone");
    }
    edits.iter().rev().for_each(|edit| run(&mut editor, edit));
    let reopened = editor_kit::opened(&encode_authored(&editor.document).unwrap());
    assert_eq!(reopened.model().unwrap().rig, editor.model().unwrap().rig);
    run(&mut editor, "undo-all");
    run(&mut editor, "limit forearm.L hinge x 0 90; ik-chain hand.L CCD 3; bone rename forearm.L elbow.L");
    run(&mut editor, "bone rename hand.L paw.L => limit elbow.L = hinge 0 90, ik-chain paw.L = CCD 3");
    run(&mut editor, "bone delete paw.L; bone delete elbow.L");
    let rig = &editor.model().unwrap().rig;
    assert!(rig.limits.is_empty() && rig.chains.is_empty(), "{rig:?}");
    for refused in ["limit head hinge x 20 10", "limit head cone 200 twist 0 0", "ik-chain head CCD 0"] {
        let steps = editor.history.undo_count();
        let _ = script::run(&mut editor, refused);
        assert_eq!(editor.history.undo_count(), steps, "{refused}");
    }
}

/// A rotation of a bone in model space from the bind pose, after its limit.
fn allowed(model: &Model, bone: &str, by: Quat) -> Quat {
    let (joints, at) = (BindJoints::of(model), model.skeleton.find(bone).unwrap());
    joints.rotation_to(at, model.rig.limits[bone].clamp(joints.turned(at, by)))
}

fn mirrored(by: Quat) -> Quat {
    Quat::from_xyzw(by.x, -by.y, -by.z, by.w)
}

#[test]
fn proposals_and_edits_of_one_side_mirror_the_other() {
    let mut model = Model::clone(demo().model().unwrap());
    model.rig.limits = propose(&model);
    let lefts: Vec<String> = model.rig.limits.keys().filter(|name| name.ends_with(".L")).cloned().collect();
    assert!(lefts.len() >= 6, "{lefts:?}");
    let mut edited = model.clone();
    for left in &lefts {
        let bone = edited.skeleton.find(left).unwrap();
        let limit = edited.rig.limits[left];
        edited.rig = with_limit(&edited, bone, Some(limit), Sides::Both);
    }
    let mut random = Random(11);
    for model in [model, edited] {
        for left in &lefts {
            let right = left.replace(".L", ".R");
            for _ in 0..50 {
                let by = random.rotation();
                let [a, b] = [allowed(&model, left, by), allowed(&model, &right, mirrored(by))];
                // Beside half a turn, either end of a range may be nearer.
                let is_same = mirrored(a).dot(b).abs() > 0.9995;
                let outside = excess_of(&model, left, by);
                assert!(is_same || outside > 2.0, "{left} by {by}: {a} and {b}, outside {outside}");
            }
        }
    }
}

fn excess_of(model: &Model, bone: &str, by: Quat) -> f64 {
    let (joints, at) = (BindJoints::of(model), model.skeleton.find(bone).unwrap());
    excess(&model.rig.limits[bone], joints.turned(at, by))
}

#[test]
fn a_proposed_elbow_bends_forwards_and_a_knee_backwards() {
    let mut model = Model::clone(demo().model().unwrap());
    model.rig.limits = propose(&model);
    let joints = BindJoints::of(&model);
    let head = |name: &str| joints.head(model.skeleton.find(name).unwrap());
    for (bone, end, towards) in [
        ("forearm.L", "hand.L", Vec3::Z),
        ("forearm.R", "hand.R", Vec3::Z),
        ("shin.L", "foot.L", Vec3::NEG_Z),
        ("shin.R", "foot.R", Vec3::NEG_Z),
    ] {
        let (along, limit) = ((head(end) - head(bone)).normalize(), model.rig.limits[bone]);
        let at = |angle: f32| {
            let local = limit.zero * Quat::from_axis_angle(limit.axis, angle);
            joints.rotation_to(model.skeleton.find(bone).unwrap(), local) * along
        };
        assert!(at(1.4).dot(towards) > 0.7, "{bone} bends to {}", at(1.4));
        let across = along.cross(towards).normalize();
        let [bent, back] = [1.4, -1.4].map(|angle| excess_of(&model, bone, Quat::from_axis_angle(across, angle)));
        assert!(bent < 0.5 && back > 1.0, "{bone}: {bent} {back}");
    }
    // The arm hangs, points forwards and up, and never straight back; the thigh lifts and doesn't go over the back.
    for (target, is_allowed) in
        [(Vec3::NEG_Y, true), (Vec3::Z, true), (Vec3::new(0.2, 1.0, 0.2), true), (Vec3::NEG_Z, false)]
    {
        let along = (head("forearm.L") - head("upper_arm.L")).normalize();
        let by = Quat::from_rotation_arc(along, target.normalize());
        assert_eq!(excess_of(&model, "upper_arm.L", by) < 0.05, is_allowed, "arm to {target}");
    }
    for (target, is_allowed) in [(Vec3::NEG_Y, true), (Vec3::new(0.0, 0.1, 1.0), true), (Vec3::NEG_Z, false)] {
        let along = (head("shin.L") - head("thigh.L")).normalize();
        let by = Quat::from_rotation_arc(along, target.normalize());
        assert_eq!(excess_of(&model, "thigh.L", by) < 0.05, is_allowed, "thigh to {target}");
    }
}

/// The same figure, not skinned, with mirrored roots and all that is below them mirrored once more.
fn below_a_mirror(model: &Model) -> Model {
    let flip = Vec3::new(-1.0, 1.0, 1.0);
    let flipped = |bone: &Bone| {
        let Transform { translation, rotation, scale } = bone.rest;
        let rest = match bone.parent {
            None => Transform { scale: scale * flip, ..bone.rest },
            Some(_) => Transform { translation: translation * flip, rotation: mirrored(rotation), scale },
        };
        Bone { rest, ..bone.clone() }
    };
    let bones = model.skeleton.bones().iter().map(flipped).collect();
    Model { skeleton: Arc::new(Skeleton::new(bones).unwrap()), skins: Vec::new(), ..model.clone() }
}

#[test]
fn elbows_and_knees_bend_the_same_way_below_a_mirrored_root() {
    let model = below_a_mirror(demo().model().unwrap());
    let limits = propose(&model);
    for (bone, end, towards) in [
        ("forearm.L", "hand.L", Vec3::Z),
        ("forearm.R", "hand.R", Vec3::Z),
        ("shin.L", "foot.L", Vec3::NEG_Z),
        ("shin.R", "foot.R", Vec3::NEG_Z),
    ] {
        let [at, end] = [bone, end].map(|name| model.skeleton.find(name).unwrap());
        let (limit, mut pose) = (limits[bone], model.skeleton.rest_pose());
        let rotation = limit.zero * Quat::from_axis_angle(limit.axis, 1.4);
        pose.set(usize::from(at), &Transform { rotation, ..pose.get(usize::from(at)) });
        let posed = model_pose(&model.skeleton, &pose);
        let way = (posed.get(end).translation() - posed.get(at).translation()).normalize();
        assert!(way.dot(towards) > 0.7, "{bone} bends to {way}");
    }
}

#[test]
fn rotating_a_bone_stops_at_its_limit_unless_the_switch_is_off() {
    for is_on in [true, false] {
        let mut editor = demo();
        editor.update(ViewAction::SetViewport { size: Vec2::new(1000.0, 700.0), pixels_per_point: 1.0 });
        if !is_on {
            editor.update(ViewAction::Toggle(Switch::JointLimits));
        }
        run(&mut editor, "clip idle; limit head cone 30 twist -10 10; select head");
        editor.update(GestureAction::Transform(TransformKind::Rotate));
        for key in [ModalKey::Axis(Axis::X), ModalKey::Char('9'), ModalKey::Char('0'), ModalKey::Confirm] {
            editor.update(GestureAction::Modal(key));
        }
        let (bone, model) = (editor.model().unwrap().skeleton.find("head").unwrap(), editor.model().unwrap().clone());
        let outside = excess(&model.rig.limits["head"], editor_kit::rotation_of(&editor, usize::from(bone)));
        assert_eq!(outside < 1e-4, is_on, "{outside}");
    }
}

#[test]
fn a_dragged_handle_changes_the_angle_on_both_sides_in_one_step() {
    let mut editor = demo();
    editor.update(ViewAction::SetViewport { size: Vec2::new(1000.0, 700.0), pixels_per_point: 1.0 });
    run(&mut editor, "run propose-limits; select shin.L; run rig-mode; run look-right");
    let gauge = Gauge::of(&editor.session, &editor.view()).unwrap();
    let pixel = |angle: f32| {
        let (camera, size) = (editor.session.focus.camera.camera(), editor.session.workspace.viewport);
        camera.pixel_of(gauge.place(LimitHandle::Max, angle), size).unwrap()
    };
    let (from, to) = (pixel(gauge.limit.max), pixel(60_f32.to_radians()));
    let steps = editor.history.undo_count();
    editor_kit::press(&mut editor, from);
    editor_kit::mouse(&mut editor, PointerKind::Moved, to);
    editor_kit::mouse(&mut editor, PointerKind::Released, to);
    assert_eq!(editor.history.undo_count(), steps + 1);
    run(&mut editor, "=> limit shin.L = hinge 0 60, limit shin.R = hinge 0 60");
    editor.update(DocumentAction::Undo);
    run(&mut editor, "=> limit shin.L = hinge 0 135, limit shin.R = hinge 0 135");
}

#[test]
fn the_check_finds_the_keyframe_that_exceeds_a_limit() {
    let mut model = Model::clone(demo().model().unwrap());
    let bone = model.skeleton.find("forearm.L").unwrap();
    let joints = BindJoints::of(&model);
    let limit = joints.hinge(bone, Vec3::X, [0.0, 1.0]);
    let key = |angle: f32| Key::rotation(bone, limit.zero * Quat::from_rotation_x(angle));
    model.rig = with_limit(&model, bone, Some(limit), Sides::One);
    let keyframes = [0.5, 0.9, 1.21, 1.1];
    let mut clip = keypose::anim::clip::Clip::new("bent");
    let keyframe = |angle: f32| keypose::anim::clip::Keyframe {
        duration: Time::SECOND,
        keys: vec![key(angle)].into(),
        ..Default::default()
    };
    clip.keyframes = keyframes.into_iter().map(keyframe).collect();
    let findings = check(&Subject::of(&model), (&clip, &Lanes::default()), Footing::OffGround);
    let found: Vec<_> = findings.iter().filter(|finding| finding.kind == Kind::BeyondLimit).collect();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((found[0].bone, found[0].time), (Some(bone), Time::SECOND * 2));
    assert_eq!(found[0].text, "forearm.L bends 12° beyond its limit at keyframe 3");
}

#[test]
fn any_model_can_be_proposed_limits() {
    let none = Model::default();
    assert!(propose(&none).is_empty());
    // Arms and legs of no length, all at one place.
    let names = ["hips", "upper_arm.L", "upper_arm.R", "forearm.L", "hand.L", "thigh.L", "thigh.R", "shin.L", "foot.L"];
    let bone = |(at, name): (usize, &&str)| Bone {
        name: (*name).into(),
        parent: (at > 0).then_some(0),
        rest: Transform::IDENTITY,
    };
    let skeleton = Skeleton::new(names.iter().enumerate().map(bone).collect()).unwrap();
    assert!(propose(&Model { skeleton: Arc::new(skeleton), ..Model::default() }).is_empty());
}
