//! Arbitrary input: no numbers, bone counts or order of calls that the constructors accept make `anim` panic, and valid
//! input gives finite output. Numbers can be NaN, infinite, subnormal, huge, negative or zero.

use glam::{Quat, Vec3, Vec4};
use keypose::anim::additive::AdditivePose;
use keypose::anim::bake::{BakeOptions, SampleFormat, bake, bake_with};
use keypose::anim::blend::{self, Mask};
use keypose::anim::clip::{Clip, ClipError, Keyframe, LoopMode};
use keypose::anim::ik::chain::{Chain, Effort};
use keypose::anim::ik::foot::{Foot, Footing, Ground};
use keypose::anim::ik::grip::{Grip, Rung};
use keypose::anim::ik::limit::Limit;
use keypose::anim::ik::look::Aim;
use keypose::anim::ik::two_bone::{Goal, TwoBone};
use keypose::anim::ik::{ccd, fabrik, foot, grip, look, two_bone};
use keypose::anim::inertial::Inertia;
use keypose::anim::key::{Channel, Ease, Key};
use keypose::anim::mat34::Mat3x4;
use keypose::anim::playback::{clip_time, same_phase};
use keypose::anim::pose::{LocalPose, ModelPose};
use keypose::anim::root_motion::{RootMotion, delta};
use keypose::anim::skeleton::{Bone, Skeleton};
use keypose::anim::skin::cache::PaletteCache;
use keypose::anim::skin::cpu::{self, InfluenceSet, Influences, Skinned, Source};
use keypose::anim::skin::dual::{self, DualPalette};
use keypose::anim::skin::{Skin, palette};
use keypose::anim::tangent::resolve_tangents;
use keypose::anim::time::{FrameRate, Time};
use keypose::anim::transform::Transform;
use proptest::prelude::*;

use crate::cases;

/// Any number.
fn wild() -> impl Strategy<Value = f32> {
    let odd = [0.0, -0.0, 1.0, -1.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN, 1e-40, 1e30];
    prop_oneof![3 => -2.0_f32..2.0, 1 => any::<f32>(), 2 => prop::sample::select(odd.to_vec())]
}

fn wild3() -> impl Strategy<Value = Vec3> {
    [wild(), wild(), wild()].prop_map(Vec3::from_array)
}

fn wild_transform() -> impl Strategy<Value = Transform> {
    let rotation = [wild(), wild(), wild(), wild()].prop_map(Quat::from_array);
    (wild3(), rotation, wild3()).prop_map(|(translation, rotation, scale)| Transform { translation, rotation, scale })
}

/// A transform that a skeleton accepts: finite numbers and unit quaternions, with scales of zero and below.
fn sound_transform() -> impl Strategy<Value = Transform> {
    let number = || prop_oneof![4 => -2.0_f32..2.0, 1 => Just(0.0), 1 => Just(-1.0), 1 => Just(1e4)];
    let three = move || [number(), number(), number()].prop_map(Vec3::from_array);
    (three(), three(), -3.0_f32..3.0, three()).prop_map(|(translation, axis, angle, scale)| {
        let rotation = Quat::from_axis_angle(axis.try_normalize().unwrap_or(Vec3::Y), angle);
        Transform { translation, rotation, scale }
    })
}

/// A chain, a bush or anything between, in level order.
fn any_skeleton(most: usize) -> impl Strategy<Value = Skeleton> {
    (prop::collection::vec((any::<prop::sample::Index>(), sound_transform()), 0..most), 1_usize..5).prop_map(
        |(bones, spread)| {
            let parents: Vec<Option<usize>> =
                (0..bones.len()).map(|at| (at > 0).then(|| at - 1 - bones[at].0.index(at.min(spread)))).collect();
            let order = Skeleton::level_order(&parents).unwrap();
            let place = |old: usize| order.iter().position(|&other| other == old).unwrap() as u16;
            let bone =
                |&old: &usize| Bone { name: format!("bone{old}"), parent: parents[old].map(place), rest: bones[old].1 };
            Skeleton::new(order.iter().map(bone).collect()).unwrap()
        },
    )
}

fn wild_pose(most: usize) -> impl Strategy<Value = LocalPose> {
    prop::collection::vec(wild_transform(), 0..most).prop_map(LocalPose::from_transforms)
}

fn sound_pose(most: usize) -> impl Strategy<Value = LocalPose> {
    prop::collection::vec(sound_transform(), 0..most).prop_map(LocalPose::from_transforms)
}

fn any_time() -> impl Strategy<Value = Time> {
    prop_oneof![
        (-4_000_000_000_i64..4_000_000_000).prop_map(Time),
        any::<i64>().prop_map(Time),
        Just(Time::ZERO),
        Just(Time(i64::MAX)),
        Just(Time(i64::MIN))
    ]
}

fn any_mode() -> impl Strategy<Value = LoopMode> {
    prop::sample::select(LoopMode::ALL.to_vec())
}

/// A valid clip that animates the first two bones.
fn swing(mode: LoopMode, transforms: &[Transform]) -> Clip {
    let keyframe = |transform: &Transform| Keyframe {
        duration: Time::TICK * 7,
        keys: vec![
            Key::translation(0, transform.translation),
            Key::rotation(0, transform.rotation),
            Key { ease: Ease::Cubic, ..Key::rotation(1, transform.rotation.inverse()) },
            Key::scale(1, transform.scale),
        ]
        .into(),
        ..Keyframe::default()
    };
    let keyframes = transforms.iter().map(keyframe).collect();
    let mut clip = Clip { loop_mode: mode, keyframes, ..Clip::new("swing") };
    resolve_tangents(&mut clip);
    clip
}

fn is_finite(pose: &LocalPose) -> bool {
    pose.iter().all(|transform| transform.is_finite())
}

proptest! {
    #![proptest_config(cases(48))]

    #[test]
    fn keys_that_are_not_finite_or_out_of_order_are_refused(value in [wild(), wild(), wild(), wild()], channel in 0..3_usize) {
        let (value, channel) = (Vec4::from_array(value), Channel::ALL[channel]);
        let key = Key::new(0, channel, value);
        let fine = value.is_finite() && (channel != Channel::Rotation || (value.length_squared() - 1.0).abs() < 1e-3);
        let clip = |keys| Clip { keyframes: vec![Keyframe { duration: Time::SECOND, keys, ..Keyframe::default() }].into(), ..Clip::new("one") };
        prop_assert_eq!(clip(vec![key].into()).check().is_ok(), fine);
        let sound = Key::translation(1, Vec3::ONE);
        let below = Key::scale(0, Vec3::ONE);
        prop_assert_eq!(clip(vec![sound, below].into()).check(), Err(ClipError::KeyOrder { keyframe: 0 }));
        prop_assert_eq!(clip(vec![sound, sound].into()).check(), Err(ClipError::KeyOrder { keyframe: 0 }));
    }

    #[test]
    fn any_poses_blend_and_add(
        a in wild_pose(20), b in wild_pose(20), weight in wild(), secs in wild(), step in wild(), bone in any::<u16>(),
    ) {
        let mut out = LocalPose::default();
        blend::blend_poses(&a, &b, weight, &mut out);
        prop_assert_eq!(out.len(), a.len());
        let mut mask = Mask::uniform(a.len(), weight);
        mask.set(bone, secs);
        blend::blend_masked(&mut out, &b, weight, &mask);
        blend::layers(&[(&a, weight), (&b, secs)], &a, &mut out);
        blend::layers_portable(&[(&a, weight), (&b, secs)], &a, &mut out);
        let additive = AdditivePose::between(&a, &b);
        additive.add_to(&mut out, weight);
        additive.add_masked(&mut out, secs, &mask);
        let inertia = Inertia::new([&a, &b], &out, step, secs);
        inertia.apply(weight, &mut out);
        prop_assert_eq!(out.len(), a.len());
    }

    #[test]
    fn valid_poses_stay_finite(a in sound_pose(20), b in sound_pose(20), weight in 0.0_f32..1.0) {
        let mut out = LocalPose::default();
        blend::blend_poses(&a, &b, weight, &mut out);
        prop_assert!(is_finite(&out));
        AdditivePose::between(&a, &b).add_to(&mut out, weight);
        prop_assert!(is_finite(&out));
        let inertia = Inertia::new([&a, &b], &out, 1.0 / 60.0, 0.3);
        inertia.apply(weight * 0.3, &mut out);
        prop_assert!(is_finite(&out));
    }

    #[test]
    fn any_pose_goes_to_model_space_and_moves_vertices(
        skeleton in any_skeleton(40), pose in wild_pose(40), points in prop::collection::vec(wild3(), 0..9),
        joints in prop::collection::vec(any::<u16>(), 8), weights in prop::collection::vec(wild(), 8), sets in 0..4_usize,
    ) {
        let (mut model, mut portable) = (ModelPose::default(), ModelPose::default());
        model.compute(&skeleton, &pose);
        portable.compute_portable(&skeleton, &pose);
        prop_assert_eq!((model.bones.len(), portable.bones.len()), (skeleton.len(), skeleton.len()));
        let skin = Skin {
            joints: joints.iter().map(|joint| joint % 64).collect(),
            inverse_binds: vec![glam::Mat4::IDENTITY; 5],
            ..Skin::default()
        };
        let mut matrices: Vec<Mat3x4> = Vec::new();
        palette::compute(&skin, &model, &mut matrices);
        let set = |at: usize| InfluenceSet {
            // The last set is too short for the vertices.
            joints: points.iter().skip(at / 2).map(|_| [0, 1, 2, 3].map(|slot| joints[slot + at % 2 * 4])).collect(),
            weights: points.iter().skip(at / 2).map(|_| [0, 1, 2, 3].map(|slot| weights[slot + at % 2 * 4])).collect(),
        };
        let sets: Vec<InfluenceSet> = (0..sets).map(set).collect();
        let influences = Influences::of(&sets);
        let tangents: Vec<Vec4> = points.iter().map(|point| point.extend(1.0)).collect();
        let source = Source { positions: &points, normals: &points[..points.len() / 2 * 2], tangents: &tangents };
        let (mut out, mut duals) = (Skinned::default(), DualPalette::default());
        cpu::vertices(&influences, &matrices, &source, &mut out);
        cpu::vertices_portable(&influences, &matrices, &source, &mut out);
        dual::vertices_rigid(&influences, &matrices, &source, &mut out);
        duals.compute(&matrices);
        dual::vertices(&influences, &duals, &source, &mut out);
        prop_assert_eq!(out.positions.len(), points.len());
    }

    #[test]
    fn every_solver_handles_any_input(
        skeleton in any_skeleton(12), pose in prop_oneof![wild_pose(14), sound_pose(14)],
        bones in prop::collection::vec(0_u16..14, 6), points in prop::collection::vec(wild3(), 6),
        numbers in prop::collection::vec(wild(), 6),
    ) {
        let started = pose.clone();
        let mut pose = pose;
        let limb = TwoBone { root: bones[0], middle: bones[1], tip: bones[2] };
        let goal = Goal { target: points[0], pole: Some(points[1]), softness: numbers[0] };
        let limbs = [Some(limb), TwoBone::ending_in(&skeleton, bones[3])];
        for limb in limbs.into_iter().flatten() {
            two_bone::solve(&skeleton, &mut pose, limb, &goal);
            let grip = Grip { center: points[2], axis: points[3] };
            grip::hold(&skeleton, &mut pose, limb, &grip, &Rung { from: points[4], to: points[5] }, None);
            let ground = Some(Ground { height: numbers[1], normal: points[2] });
            let footing = Footing { up: points[3], max_drop: numbers[2], max_tilt: numbers[3] };
            foot::place(&skeleton, &mut pose, bones[4], &[Foot { leg: limb, ground }], &footing);
        }
        let effort = Effort { iterations: 8, tolerance: numbers[4] };
        for chain in [Chain::above(&skeleton, bones[3], 4), Chain::between(&skeleton, bones[0], bones[5])] {
            let Some(chain) = chain else { continue };
            let hinge =
                Limit { zero: Quat::IDENTITY, axis: points[1], min: numbers[0], max: numbers[1], swing: None };
            let cone = Limit { axis: Vec3::X, min: -0.1, max: 0.1, swing: Some(numbers[2]), ..hinge };
            let chain = chain.limit(bones[1], hinge).limit(bones[2], cone);
            ccd::solve(&skeleton, &mut pose, &chain, points[0], &effort);
            fabrik::solve(&skeleton, &mut pose, &chain, points[1], &effort);
        }
        let aim = Aim { target: points[2], axis: points[3], max_angle: numbers[5] };
        look::solve(&skeleton, &mut pose, &[(bones[0], numbers[0]), (bones[1], numbers[1])], &aim);
        prop_assert_eq!(pose.len(), started.len());
        prop_assert!(!is_finite(&started) || is_finite(&pose), "{:?} became {:?}", started, pose);
    }

    #[test]
    fn clips_play_on_every_skeleton(
        skeleton in any_skeleton(20), transforms in prop::collection::vec(sound_transform(), 0..4), mode in any_mode(),
        times in prop::collection::vec(any_time(), 4), form in 0..3_usize,
    ) {
        let clip = swing(mode, &transforms);
        prop_assert_eq!(clip.check(), Ok(()));
        let format = [SampleFormat::F32, SampleFormat::Quantized, SampleFormat::Packed][form];
        let baked = bake_with(&clip, &skeleton, &BakeOptions { max_error: 1e-2, format });
        let (mut pose, mut portable) = (LocalPose::default(), LocalPose::default());
        // Rounding errors grow with the values of the clip.
        let all = transforms.iter().copied().chain(skeleton.bones().iter().map(|bone| bone.rest));
        let of = |it: Transform| it.translation.abs().max_element() + it.scale.abs().max_element();
        let largest = all.fold(1.0, |largest: f32, it| largest.max(of(it)));
        for &time in &times {
            baked.sample(time, &mut pose);
            baked.sample_portable(time, &mut portable);
            prop_assert!(pose.len() == skeleton.len() && is_finite(&pose) && is_finite(&portable));
            for (wide, narrow) in pose.iter().zip(portable.iter()) {
                prop_assert!(wide.distance(&narrow) <= 5e-7 * largest, "{:?} {:?}", wide, narrow);
            }
            let played = clip_time(time, baked.length, mode);
            prop_assert!(played >= Time::ZERO && played <= baked.length);
            let phase = same_phase(played, baked.length, Time::SECOND);
            prop_assert!(phase >= Time::ZERO && phase <= Time::SECOND);
        }
        let root = |time: Time| {
            let mut pose = LocalPose::default();
            baked.sample(time, &mut pose);
            if pose.is_empty() { Transform::IDENTITY } else { pose.get(0) }
        };
        let (from, to) = (times[0] % (Time::SECOND * 100), times[1] % (Time::SECOND * 100));
        let motion = delta(root, baked.length, mode, RootMotion::Turn, from, to);
        prop_assert!(motion.translation.is_finite() && motion.rotation.is_finite());
        let skin = Skin { joints: vec![0, 1, 99], inverse_binds: vec![glam::Mat4::IDENTITY; 3], ..Skin::default() };
        let cache = PaletteCache::new(&baked, &skeleton, &skin, FrameRate::FPS_30);
        let mut mixed = Vec::new();
        cache.mixed(times[2], &mut mixed);
        prop_assert_eq!((cache.nearest(times[3]).len(), mixed.len()), (3, 3));
    }
}

#[test]
fn skeletons_of_a_thousand_bones_and_none_play() {
    for bones in [0, 1, 7, 8, 1000] {
        let bone = |at: usize| Bone {
            name: format!("bone{at}"),
            parent: at.checked_sub(1).map(|before| before as u16 / 4),
            rest: Transform { scale: Vec3::new(1.0, -1.0, 1.0), ..Transform::from_translation(Vec3::Y * 1e-3) },
        };
        let skeleton = Skeleton::new((0..bones).map(bone).collect()).unwrap();
        let turned = Transform::from_rotation(Quat::from_rotation_x(1.0));
        let baked = bake(&swing(LoopMode::Loop, &[Transform::IDENTITY, turned]), &skeleton);
        let (mut pose, mut model) = (LocalPose::default(), ModelPose::default());
        baked.sample(Time::TICK * 3, &mut pose);
        model.compute(&skeleton, &pose);
        assert_eq!((pose.len(), model.bones.len()), (bones, bones));
        assert!(model.bones.iter().all(|bone| bone.is_finite()), "{bones} bones");
    }
}
