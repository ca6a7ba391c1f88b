//! Tests of retargeting: a walker whose feet are known, on bodies of other proportions.

use glam::{Quat, Vec3};

use super::*;
use crate::anim::clip::{Keyframe, LoopMode};
use crate::anim::key::{Ease, Key};
use crate::anim::skeleton::Bone;
use crate::anim::time::Time;
use crate::anim::transform::Transform;

/// The proportions of a body.
#[derive(Clone, Copy)]
struct Body {
    thigh: f32,
    shin: f32,
    ankle: f32,
    hip: f32,
    spine: f32,
    shoulder: f32,
    /// How far the arms hang below the horizontal, in radians.
    arms: f32,
    /// Turns the axes of all bones.
    axes: Quat,
    prefix: &'static str,
}

const SMALL: Body = Body {
    thigh: 0.45,
    shin: 0.4,
    ankle: 0.08,
    hip: 0.1,
    spine: 0.5,
    shoulder: 0.2,
    arms: 0.0,
    axes: Quat::IDENTITY,
    prefix: "",
};

const NAMES: [&str; 14] = [
    "Hips",
    "Spine",
    "LeftUpLeg",
    "RightUpLeg",
    "LeftArm",
    "RightArm",
    "LeftLeg",
    "RightLeg",
    "LeftForeArm",
    "RightForeArm",
    "LeftFoot",
    "RightFoot",
    "LeftHand",
    "RightHand",
];

impl Body {
    /// The hips are at their height above the ground, legs a little bent, feet flat.
    fn skeleton(&self) -> Skeleton {
        let parents = [
            None,
            Some(0),
            Some(0),
            Some(0),
            Some(1),
            Some(1),
            Some(2),
            Some(3),
            Some(4),
            Some(5),
            Some(6),
            Some(7),
            Some(8),
            Some(9),
        ];
        let (knee, side) = (0.05, |at: usize| if at.is_multiple_of(2) { 1.0 } else { -1.0 });
        let places: Vec<Vec3> = (0..14)
            .map(|at| {
                let across = side(at);
                let down = |length: f32| Vec3::NEG_Y * length;
                let arm = Vec3::new(across * self.arms.cos(), -self.arms.sin(), 0.0);
                let hip = Vec3::new(0.0, self.ankle + self.shin + self.thigh, 0.0);
                let leg = hip + Vec3::X * self.hip * across;
                let shoulder = hip + Vec3::Y * self.spine + Vec3::X * self.shoulder * across;
                match at {
                    0 => hip,
                    1 => hip + Vec3::Y * 0.2,
                    2 | 3 => leg,
                    4 | 5 => shoulder,
                    6 | 7 => leg + down(self.thigh) + Vec3::Z * knee,
                    8 | 9 => shoulder + arm * 0.3,
                    10 | 11 => leg + down(self.thigh + self.shin),
                    _ => shoulder + arm * 0.6,
                }
            })
            .collect();
        let bone = |at: usize| {
            let parent: Option<usize> = parents[at];
            let offset = parent.map_or(places[at], |parent| self.axes.inverse() * (places[at] - places[parent]));
            let rotation = if parent.is_none() { self.axes } else { Quat::IDENTITY };
            Bone {
                name: format!("{}{}", self.prefix, NAMES[at]),
                parent: parent.map(|parent| parent as u16),
                rest: Transform { translation: offset, rotation, scale: Vec3::ONE },
            }
        };
        Skeleton::new((0..14).map(bone).collect()).unwrap()
    }

    fn leg(&self) -> f32 {
        let knee = 0.05_f32;
        self.thigh.hypot(knee) + self.shin.hypot(knee)
    }
}

/// The body goes down and forward and turns, with planted feet; one arm swings.
fn squat(body: Body) -> Clip {
    let skeleton = body.skeleton();
    let frames = 30;
    let keyframe = |frame: i32| {
        let share = frame as f32 / frames as f32;
        let mut pose = skeleton.rest_pose();
        let mut hips = pose.get(0);
        hips.translation += Vec3::new(0.03 * share, -0.2 * share, 0.1 * share);
        hips.rotation = Quat::from_rotation_y(0.3 * share) * hips.rotation;
        pose.set(0, &hips);
        let rest = skeleton.rest_model_pose();
        for (root, middle, tip) in [(2, 6, 10), (3, 7, 11)] {
            let limb = crate::anim::ik::two_bone::TwoBone { root, middle, tip };
            solve(&skeleton, &mut pose, limb, &Goal::at(rest.get(tip).translation()));
            let mut model = ModelPose::default();
            model.compute(&skeleton, &pose);
            let mut foot = pose.get(usize::from(tip));
            foot.rotation = (rotation(&model, middle).inverse() * rotation(&rest, tip)).normalize();
            pose.set(usize::from(tip), &foot);
        }
        let mut arm = pose.get(4);
        arm.rotation = Quat::from_rotation_z(-share) * arm.rotation;
        pose.set(4, &arm);
        let mut keys = vec![Key::translation(0, pose.get(0).translation)];
        keys.extend(
            [0, 2, 3, 4, 6, 7, 10, 11].map(|bone: u16| Key::rotation(bone, pose.get(usize::from(bone)).rotation)),
        );
        keys.sort_by_key(Key::address);
        Keyframe {
            duration: if frame == frames { Time::ZERO } else { Time::SECOND / 30 },
            keys: keys.into(),
            ..Keyframe::default()
        }
    };
    Clip { loop_mode: LoopMode::Once, keyframes: (0..=frames).map(keyframe).collect(), ..Clip::new("squat") }
}

fn rotation(pose: &ModelPose, bone: BoneIndex) -> Quat {
    Transform::from_mat4(pose.get(bone).to_mat4()).rotation
}

/// The places of all bones at a time.
fn places(skeleton: &Skeleton, clip: &Clip, secs: f64) -> Vec<Vec3> {
    let pose = ExactPoses::new(skeleton, clip).model(Time::from_secs(secs));
    pose.bones.iter().map(|bone| bone.translation()).collect()
}

fn bodies() -> Vec<Body> {
    let tall = Body { thigh: 0.9, shin: 0.85, ankle: 0.12, hip: 0.14, spine: 0.6, prefix: "mixamorig:", ..SMALL };
    let stubby = Body { thigh: 0.15, shin: 0.3, ankle: 0.2, hip: 0.25, spine: 0.9, ..SMALL };
    let hanging = Body { arms: 0.8, ..tall };
    let turned = Body { axes: Quat::from_euler(glam::EulerRot::XYZ, 0.4, 1.2, -0.7), arms: 0.6, ..tall };
    vec![SMALL, tall, stubby, hanging, turned]
}

#[test]
fn feet_stay_on_the_ground_and_hips_move_in_proportion() {
    let (source, clip) = (SMALL.skeleton(), squat(SMALL));
    for (at, body) in bodies().into_iter().enumerate() {
        let target = body.skeleton();
        let retarget = Retarget::new(&source, &target, RestFit::On).unwrap();
        let ratio = body.leg() / SMALL.leg();
        assert!((retarget.scale() as f32 - ratio).abs() < 1e-3, "body {at}");
        let made = retarget.clip(&clip);
        made.clip.check().unwrap();
        assert_eq!((made.missing.len(), made.clip.length()), (0, clip.length()));
        let start = places(&target, &made.clip, 0.0);
        for step in 0..=100 {
            let secs = f64::from(step) / 100.0;
            let (from, to) = (places(&source, &clip, secs), places(&target, &made.clip, secs));
            for foot in [10, 11] {
                let slide = to[foot].distance(start[foot]);
                assert!(slide < 0.01 * body.leg(), "body {at} at {secs}: foot {foot} slides {slide}");
                assert!((to[foot].y - body.ankle).abs() < 0.01 * body.leg(), "body {at}: {}", to[foot]);
            }
            // The hips sink by as many leg lengths, unless the legs were too short to stand there.
            let (sunk, expected) = (to[0].y - body.ankle, (from[0].y - SMALL.ankle) * ratio);
            assert!((sunk - expected).abs() < 0.02 * body.leg(), "body {at} at {secs}: {sunk} {expected}");
        }
    }
}

#[test]
fn a_loop_closes_where_that_of_the_source_does() {
    let source = SMALL.skeleton();
    let frames: Vec<Keyframe> = squat(SMALL).keyframes.iter().cloned().collect();
    // Slowly down, and up at once.
    let mut keyframes: Vec<Keyframe> = frames[..16].iter().chain([&frames[8], &frames[0]]).cloned().collect();
    keyframes[17].duration = Time::ZERO;
    let clip = Clip { loop_mode: LoopMode::Loop, keyframes: keyframes.into(), ..Clip::new("bob") };
    for (at, body) in bodies().into_iter().enumerate() {
        let target = body.skeleton();
        let made = Retarget::new(&source, &target, RestFit::On).unwrap().clip(&clip).clip;
        let [start, end] = [0.0, clip.length().secs()].map(|secs| places(&target, &made, secs));
        for (bone, (start, end)) in start.iter().zip(&end).enumerate() {
            assert!(start.distance(*end) < 1e-3 * body.leg(), "body {at}: bone {bone} jumps from {start} to {end}");
        }
    }
}

#[test]
fn a_stepped_clip_holds_its_poses_while_a_ring_turns() {
    let with_ring = |skeleton: Skeleton| {
        let rest = Transform::from_translation(Vec3::Y * 0.1);
        let ring = Bone { name: "ring".into(), parent: Some(12), rest };
        Skeleton::new(skeleton.bones().iter().cloned().chain([ring]).collect()).unwrap()
    };
    let (source, mut clip) = (with_ring(SMALL.skeleton()), squat(SMALL));
    for (at, keyframe) in clip.keyframes.iter_mut().enumerate() {
        let keys = keyframe.keys.iter().map(|key| Key { ease: Ease::Step, ..*key });
        keyframe.keys = keys.chain([Key::rotation(14, Quat::from_rotation_y(at as f32 * 0.02))]).collect();
    }
    for (at, body) in bodies().into_iter().enumerate() {
        let target = with_ring(body.skeleton());
        let made = Retarget::new(&source, &target, RestFit::On).unwrap().clip(&clip).clip;
        for frame in 0..30 {
            let [held, later] = [0.05, 0.95].map(|part| places(&target, &made, (f64::from(frame) + part) / 30.0));
            let moved = held.iter().zip(&later).map(|(held, later)| held.distance(*later)).fold(0.0, f32::max);
            assert!(moved < 2e-3 * body.leg(), "body {at}, frame {frame}: moves by {moved}");
        }
    }
}

#[test]
fn arms_that_hang_at_rest_point_as_those_of_the_source() {
    let (source, clip) = (SMALL.skeleton(), squat(SMALL));
    for (at, body) in bodies().into_iter().enumerate() {
        let target = body.skeleton();
        let made = Retarget::new(&source, &target, RestFit::On).unwrap().clip(&clip).clip;
        for secs in [0.0, 0.5, 1.0] {
            let (from, to) = (places(&source, &clip, secs), places(&target, &made, secs));
            for (upper, lower) in [(4, 8), (5, 9), (8, 12)] {
                let along = |places: &[Vec3]| (places[lower] - places[upper]).normalize();
                assert!(along(&from).distance(along(&to)) < 5e-3, "body {at} at {secs}: {upper}");
            }
        }
    }
}

/// Both hands move on something that is before the chest.
fn held(body: Body) -> Clip {
    let skeleton = body.skeleton();
    let arms = [(4, 8, 12, 0.06), (5, 9, 13, -0.06)];
    let keyframe = |at: i32| {
        let mut pose = skeleton.rest_pose();
        for (root, middle, tip, side) in arms {
            let limb = crate::anim::ik::two_bone::TwoBone { root, middle, tip };
            let place = Vec3::new(side + 0.02 * at as f32, 1.2 + 0.03 * at as f32, 0.4);
            solve(&skeleton, &mut pose, limb, &Goal::at(place));
        }
        let keys = [4, 5, 8, 9].map(|bone: u16| Key::rotation(bone, pose.get(usize::from(bone)).rotation));
        Keyframe { duration: Time::SECOND / 10, keys: keys.into_iter().collect(), ..Keyframe::default() }
    };
    Clip { loop_mode: LoopMode::Once, keyframes: (0..4).map(keyframe).collect(), ..Clip::new("held") }
}

#[test]
fn hands_that_hold_something_stay_together() {
    let (source, clip) = (SMALL.skeleton(), held(SMALL));
    let broad = Body { shoulder: 0.34, ..SMALL };
    for (at, body) in
        bodies().into_iter().chain([broad, Body { axes: Quat::from_rotation_y(1.0), ..broad }]).enumerate()
    {
        let target = body.skeleton();
        let retarget = Retarget::new(&source, &target, RestFit::On).unwrap();
        let made = retarget.clip(&clip).clip;
        for secs in [0.0, 0.1, 0.2, 0.3] {
            let between = |places: Vec<Vec3>| places[12] - places[13];
            let (from, to) = (between(places(&source, &clip, secs)), between(places(&target, &made, secs)));
            assert!(from.distance(to) < 0.01, "body {at} at {secs}: {from} {to}");
        }
    }
    let copied = Retarget::new(&source, &broad.skeleton(), RestFit::On).unwrap().transfer().clip(&clip).clip;
    let hands = places(&broad.skeleton(), &copied, 0.0);
    assert!(hands[12].distance(hands[13]) > 0.3, "only the fit brings them together");
}

/// The bones below a root on the ground.
fn under_root(skeleton: &Skeleton) -> Skeleton {
    let root = Bone { name: "root".into(), parent: None, rest: Transform::IDENTITY };
    let below = |bone: &Bone| Bone { parent: Some(bone.parent.map_or(0, |parent| parent + 1)), ..bone.clone() };
    Skeleton::new(std::iter::once(root).chain(skeleton.bones().iter().map(below)).collect()).unwrap()
}

#[test]
fn a_character_that_grows_stays_on_the_ground() {
    let source = under_root(&SMALL.skeleton());
    let [clip, grown] = [1.0, 1.5].map(|scale| {
        let mut clip = squat(SMALL);
        for keyframe in clip.keyframes.iter_mut() {
            let keys = keyframe.keys.iter().map(|key| Key { bone: key.bone + 1, ..*key });
            keyframe.keys = std::iter::once(Key::scale(0, Vec3::splat(scale))).chain(keys).collect();
        }
        clip
    });
    // Hips that are higher above the legs.
    let mut bones = source.bones().to_vec();
    bones[1].rest.translation.y += 0.12;
    bones.iter_mut().filter(|bone| bone.parent == Some(1)).for_each(|bone| bone.rest.translation.y -= 0.12);
    let targets = bodies().into_iter().map(|body| under_root(&body.skeleton()));
    for (at, target) in targets.chain([Skeleton::new(bones).unwrap()]).enumerate() {
        let retarget = Retarget::new(&source, &target, RestFit::On).unwrap();
        let [made, large] = [&clip, &grown].map(|clip| retarget.clip(clip).clip);
        for secs in [0.0, 0.5, 1.0] {
            let (expected, is) = (places(&target, &made, secs), places(&target, &large, secs));
            for bone in [1, 11, 12] {
                let off = is[bone].distance(1.5 * expected[bone]);
                assert!(off < 0.1 * retarget.scale() as f32, "target {at} at {secs}: bone {bone} is {off} off");
            }
        }
    }
}

#[test]
fn a_root_that_rests_elsewhere_leaves_the_hips_in_their_place() {
    let source = under_root(&SMALL.skeleton());
    for (axis, by) in [(Vec3::X, Vec3::Y * 0.5), (Vec3::X, Vec3::Y * 0.93), (Vec3::Y, Vec3::Z * -0.3)] {
        let mut bones = source.bones().to_vec();
        bones[0].rest.translation += by;
        bones[1].rest.translation -= by;
        let target = Skeleton::new(bones).unwrap();
        let mut clip = squat(SMALL);
        for (at, keyframe) in clip.keyframes.iter_mut().enumerate() {
            let tilt = Key::rotation(0, Quat::from_axis_angle(axis, at as f32 * 0.04));
            let keys = keyframe.keys.iter().map(|key| Key { bone: key.bone + 1, ..*key });
            keyframe.keys = std::iter::once(tilt).chain(keys).collect();
        }
        let made = Retarget::new(&source, &target, RestFit::On).unwrap().clip(&clip).clip;
        for secs in [0.0, 0.5, 1.0] {
            let (expected, is) = (places(&source, &clip, secs), places(&target, &made, secs));
            for (bone, (is, expected)) in is.iter().zip(&expected).enumerate().skip(1) {
                assert!(is.distance(*expected) < 0.02, "{by} at {secs}: bone {bone} is at {is}, not {expected}");
            }
        }
    }
}

#[test]
fn a_rig_without_the_root_that_grows_grows_alike() {
    let (source, target) = (under_root(&SMALL.skeleton()), SMALL.skeleton());
    let mut clip = squat(SMALL);
    for (at, keyframe) in clip.keyframes.iter_mut().enumerate() {
        let grown = Key::scale(0, Vec3::splat(0.1 + 0.03 * at as f32));
        let keys = keyframe.keys.iter().map(|key| Key { bone: key.bone + 1, ..*key });
        keyframe.keys = std::iter::once(grown).chain(keys).collect();
    }
    let made = Retarget::new(&source, &target, RestFit::On).unwrap().clip(&clip).clip;
    for secs in [0.0, 0.5, 1.0] {
        let (expected, is) = (places(&source, &clip, secs), places(&target, &made, secs));
        for (bone, (is, expected)) in is.iter().zip(&expected[1..]).enumerate() {
            assert!(is.distance(*expected) < 0.02, "at {secs}: bone {bone} is at {is}, not {expected}");
        }
    }
}

/// The same body below a root that mirrors it.
fn mirrored(skeleton: &Skeleton, axis: Vec3) -> Skeleton {
    let flip = Vec3::ONE - 2.0 * axis;
    let mut bones = under_root(skeleton).bones().to_vec();
    bones[0].rest.scale = flip;
    for bone in &mut bones[1..] {
        let Transform { translation, rotation, .. } = bone.rest;
        bone.rest.translation = translation * flip;
        bone.rest.rotation = Quat::from_vec4((-flip * rotation.xyz()).extend(rotation.w));
    }
    Skeleton::new(bones).unwrap()
}

#[test]
fn a_mirrored_armature_changes_no_motion() {
    let (plain, mut clip) = (under_root(&SMALL.skeleton()), squat(SMALL));
    for keyframe in clip.keyframes.iter_mut() {
        keyframe.keys = keyframe.keys.iter().map(|key| Key { bone: key.bone + 1, ..*key }).collect();
    }
    for axis in Vec3::AXES {
        let mirror = mirrored(&SMALL.skeleton(), axis);
        let there = Retarget::new(&plain, &mirror, RestFit::On).unwrap().clip(&clip).clip;
        let back = Retarget::new(&mirror, &plain, RestFit::On).unwrap().clip(&there).clip;
        for secs in [0.0, 0.5, 1.0] {
            let expected = places(&plain, &clip, secs);
            let (there, back) = (places(&mirror, &there, secs), places(&plain, &back, secs));
            for (bone, expected) in expected.iter().enumerate() {
                let off = there[bone].distance(*expected).max(back[bone].distance(*expected));
                assert!(off < 1e-3, "{axis} at {secs}: bone {bone} is {off} off");
            }
        }
    }
}

#[test]
fn the_same_body_keeps_its_keys() {
    let (source, clip) = (SMALL.skeleton(), squat(SMALL));
    assert_eq!(Retarget::new(&source, &source, RestFit::On).unwrap().clip(&clip).clip, clip);
}

#[test]
fn strangers_and_bones_of_one_alone_are_named() {
    let source = SMALL.skeleton();
    let strange = Skeleton::new(vec![Bone { name: "wheel".into(), parent: None, rest: Transform::IDENTITY }]).unwrap();
    assert!(Retarget::new(&source, &strange, RestFit::On).is_none());
    let bones = source.bones()[..4].to_vec();
    let trunk = Skeleton::new(bones).unwrap();
    let made = Retarget::new(&source, &trunk, RestFit::On).unwrap().clip(&squat(SMALL));
    assert_eq!(made.missing, ["LeftArm", "LeftLeg", "RightLeg", "LeftFoot", "RightFoot"]);
    made.clip.check().unwrap();
}
