//! The loops for wide registers against the portable ones.

use glam::{Quat, Vec3};
use keypose::anim::bake::channels::Channels;
use keypose::anim::bake::form::{BakedForm, Form};
use keypose::anim::bake::{BakeOptions, BakedClip, FormKind, SampleFormat, bake, bake_with};
use keypose::anim::blend;
use keypose::anim::clip::{Clip, Keyframe};
use keypose::anim::key::Key;
use keypose::anim::pose::{LocalPose, ModelPose};
use keypose::anim::time::Time;
use keypose::anim::transform::Transform;

use crate::generated::{Kind, clip, skeleton};

/// Lengths around multiples of eight, where lanes are unused. Miri, which is slow, runs two.
const LENGTHS: &[usize] = if cfg!(miri) { &[1, 9] } else { &[1, 7, 8, 9, 23, 67] };
/// The times at which a clip is sampled, in 49th parts of its length.
const STEPS: std::ops::RangeInclusive<i64> = if cfg!(miri) { -1..=1 } else { -1..=50 };

#[test]
fn sampling_agrees_with_the_portable_loop() {
    for &bones in LENGTHS {
        let skeleton = skeleton(bones);
        for kind in Kind::ALL {
            for options in FORMS {
                let baked = bake_with(&clip(&skeleton, kind), &skeleton, &options);
                assert_same_poses(&baked, &format!("{kind:?}, {bones} bones"));
            }
        }
    }
}

/// Groups of eight bones with each channel animated in all, few or no bones, by small and large rotations.
#[test]
fn sampling_agrees_for_any_animated_channels() {
    let skeleton = skeleton(27 * 8 + 3);
    let moves = |bone: usize, channel: usize| match bone / 8 / [1, 3, 9][channel] % 3 {
        0 => false,
        1 => true,
        _ => bone % 8 == 5,
    };
    for (step, is_paced) in [(0.05, false), (1.5, true)] {
        let keyframe = |at: usize| {
            let way = at as f32 * step;
            let mut keys = Vec::new();
            for bone in 0..skeleton.len() {
                let (index, rest) = (bone as u16, skeleton.bones()[bone].rest);
                let far = (at as f32 * 0.7).sin() * 1e-2 * (bone % 5 + 1) as f32;
                let turn = Quat::from_axis_angle(Vec3::new(0.6, 0.0, 0.8), way * (bone % 3) as f32 / 2.0);
                let values = [
                    Key::translation(index, rest.translation + Vec3::new(far, -far, 0.0)),
                    Key::rotation(index, rest.rotation * turn),
                    Key::scale(index, Vec3::ONE + Vec3::X * far),
                ];
                keys.extend(values.into_iter().enumerate().filter(|(at, _)| moves(bone, *at)).map(|(_, key)| key));
            }
            Keyframe { duration: Time::SECOND, keys: keys.into(), ..Keyframe::default() }
        };
        let clip = Clip { keyframes: (0..12).map(keyframe).collect(), ..Clip::new("parts") };
        let [whole, short, compact] = FORMS.map(|options| bake_with(&clip, &skeleton, &options));
        let kinds = [&whole, &short, &compact].map(|baked| baked.report().form);
        assert_eq!(kinds, [FormKind::SampledPoses, FormKind::QuantizedSamples, FormKind::PackedSamples]);
        let Form::QuantizedSamples(form) = short.form() else { panic!("{kinds:?}") };
        assert_eq!(form.sparse().len(), 18);
        assert_eq!(form.is_slerp_corrected(), is_paced);
        for baked in [&whole, &short, &compact] {
            assert_same_poses(baked, &format!("{:?}", baked.report()));
        }
    }
}

/// The w of a bone that turns once changes its sign, and so is stored; that of the other group is derived.
#[test]
fn packed_rotations_with_and_without_w_agree_with_the_portable_loop() {
    let skeleton = skeleton(11);
    let keyframe = |at: usize| {
        let turned = |bone: usize, step: f32| {
            let turn = Quat::from_rotation_x(at as f32 * step) * Quat::from_rotation_z(at as f32 * 0.02);
            Key::rotation(bone as u16, skeleton.bones()[bone].rest.rotation * turn)
        };
        Keyframe { duration: Time::SECOND, keys: vec![turned(3, 0.3), turned(9, 0.02)].into(), ..Keyframe::default() }
    };
    let clip = Clip { keyframes: (0..22).map(keyframe).collect(), ..Clip::new("turn") };
    for max_error in [1e-2, 1e-3, 1e-4] {
        let baked = bake_with(&clip, &skeleton, &BakeOptions { max_error, format: SampleFormat::Packed });
        let Form::PackedSamples(form) = baked.form() else { panic!("{:?}", baked.report()) };
        let is_derived = |channels: &Channels| channels.has(Channels::DERIVED_W);
        assert_eq!(form.layout().animated.iter().map(is_derived).collect::<Vec<_>>(), [false, true]);
        assert_same_poses(&baked, &format!("{max_error}"));
    }
}

/// 32-bit, 16-bit and packed numbers.
const FORMS: [BakeOptions; 3] = [
    BakeOptions { max_error: 1e-3, format: SampleFormat::F32 },
    BakeOptions { max_error: 1e-3, format: SampleFormat::Quantized },
    BakeOptions { max_error: 1e-2, format: SampleFormat::Packed },
];

fn assert_same_poses(baked: &BakedClip, what: &str) {
    let nan = Transform { translation: Vec3::NAN, ..Transform::IDENTITY };
    let mut wide = LocalPose::from_transforms(vec![nan; 3]);
    let (mut portable, mut by_lanes) = (LocalPose::default(), LocalPose::default());
    for step in STEPS {
        let time = Time(baked.length.0 / 49 * step);
        baked.sample(time, &mut wide);
        baked.sample_portable(time, &mut portable);
        sample_lanes(baked.form(), time.clamp(Time::ZERO, baked.length), &mut by_lanes);
        assert!(bits(&portable).eq(bits(&by_lanes)), "{what} at {time}");
        assert_eq!(wide.len(), portable.len());
        for (bone, (a, b)) in wide.iter().zip(portable.iter()).enumerate() {
            assert!(a.distance(&b) < 5e-7, "{what}, bone {bone} at {time}: {a:?} {b:?}");
        }
        let left_over = wide.lanes().last().map(|group| (wide.len() % 8..8).map(|lane| group.get(lane)));
        if !wide.len().is_multiple_of(8) {
            assert!(left_over.unwrap().all(|lane| lane.distance(&Transform::IDENTITY) < 5e-7), "{what}");
        }
    }
}

/// Samples with the loop that defines the bits of portable sampling, and that processors without wide registers run.
fn sample_lanes(form: &Form, time: Time, pose: &mut LocalPose) {
    match form {
        Form::SampledPoses(form) => form.sample_lanes(time, pose),
        Form::QuantizedSamples(form) => form.sample_lanes(time, pose),
        Form::PackedSamples(form) => form.sample_lanes(time, pose),
        Form::SparseTracks(form) => form.sample_lanes(time, pose),
        Form::CurveWindows(form) => form.sample_lanes(time, pose),
    }
}

fn bits(pose: &LocalPose) -> impl Iterator<Item = u32> {
    let numbers = pose.lanes().iter().flat_map(|group| group.components()).flat_map(|lanes| lanes.0);
    numbers.map(f32::to_bits)
}

#[test]
fn model_space_agrees_with_the_portable_loop() {
    for &bones in LENGTHS {
        let skeleton = skeleton(bones);
        let baked = bake(&clip(&skeleton, Kind::Dense), &skeleton);
        let (mut local, mut wide, mut portable) = (LocalPose::default(), ModelPose::default(), ModelPose::default());
        wide.bones = vec![keypose::anim::mat34::Mat3x4 { rows: [glam::Vec4::NAN; 3] }; 500];
        for step in STEPS {
            baked.sample(Time(baked.length.0 / 49 * step), &mut local);
            wide.compute(&skeleton, &local);
            portable.compute_portable(&skeleton, &local);
            assert_eq!(wide.bones.len(), portable.bones.len());
            for (a, b) in wide.bones.iter().zip(&portable.bones) {
                let apart = a.rows.iter().zip(b.rows).map(|(a, b)| (*a - b).abs().max_element()).fold(0.0, f32::max);
                assert!(apart < 5e-6, "{bones}: {apart}");
            }
        }
    }
}

#[test]
fn blending_agrees_with_the_portable_loop() {
    for &bones in LENGTHS {
        let skeleton = skeleton(bones);
        let baked = bake(&clip(&skeleton, Kind::Dense), &skeleton);
        let (mut from, mut to) = (LocalPose::default(), LocalPose::default());
        baked.sample(Time(0), &mut from);
        baked.sample(Time(baked.length.0 / 3), &mut to);
        for bone in (0..bones).step_by(2) {
            let transform = to.get(bone);
            to.set(bone, &Transform { rotation: -transform.rotation, ..transform });
        }
        for weight in [f32::NAN, -1.0, 0.0, 0.3, 1.0, 2.0] {
            let (mut wide, mut portable, mut out) = (from.clone(), from.clone(), from.clone());
            blend::blend_onto(&mut wide, &to, weight);
            blend::blend_onto_portable(&mut portable, &to, weight);
            blend::blend_poses(&from, &to, weight, &mut out);
            let far = |a: &LocalPose| a.iter().zip(portable.iter()).any(|(a, b)| a.distance(&b) > 5e-7);
            assert!(!far(&wide) && !far(&out), "{bones} bones, {weight}");
        }
    }
}

#[test]
fn layers_agree_with_the_portable_loop() {
    for &bones in LENGTHS {
        let skeleton = skeleton(bones);
        let baked = bake(&clip(&skeleton, Kind::Dense), &skeleton);
        let mut poses: [LocalPose; 3] = Default::default();
        for (at, pose) in poses.iter_mut().enumerate() {
            baked.sample(Time(baked.length.0 / 5 * at as i64), pose);
        }
        for bone in (0..bones).step_by(2) {
            let transform = poses[1].get(bone);
            poses[1].set(bone, &Transform { rotation: -transform.rotation, ..transform });
        }
        let [a, b, c] = &poses;
        for weights in [[1.0, 0.0, 0.0], [0.3, 0.0, 2.0], [0.2, 0.3, 0.5], [0.0, f32::NAN, -1.0]] {
            let parts = [(a, weights[0]), (b, weights[1]), (c, weights[2])];
            let (mut wide, mut portable) = (LocalPose::default(), LocalPose::default());
            blend::layers(&parts, &skeleton.rest_pose(), &mut wide);
            blend::layers_portable(&parts, &skeleton.rest_pose(), &mut portable);
            let far = wide.iter().zip(portable.iter()).any(|(a, b)| a.distance(&b) > 5e-7);
            assert!(wide.len() == bones && !far, "{bones} bones, {weights:?}");
        }
    }
}

#[test]
fn bones_that_a_pose_lacks_get_their_rest_transform() {
    let skeleton = skeleton(20);
    let mut model = ModelPose::default();
    model.compute(&skeleton, &LocalPose::default());
    let mut rest = ModelPose::default();
    rest.compute_portable(&skeleton, &skeleton.rest_pose());
    assert_eq!(model, rest);
}
