//! Baked forms against the exact tracks: the bound, jumps, the seam, odd clips, and the choice of a form.

use glam::{Quat, Vec3, Vec4};
use keypose::anim::bake::measure::Reach;
use keypose::anim::bake::{BakeOptions, BakedClip, FormKind, SampleFormat, bake, bake_with};
use keypose::anim::bezier::HERMITE;
use keypose::anim::clip::{Clip, Keyframe, LoopMode};
use keypose::anim::key::{Channel, Ease, Key};
use keypose::anim::pose::{LocalPose, ModelPose};
use keypose::anim::skeleton::{Bone, Skeleton};
use keypose::anim::time::Time;
use keypose::anim::track::Track;
use keypose::anim::transform::Transform;
use proptest::prelude::*;

use crate::cases;

/// A chain of `bones` bones, each 0.1 long.
fn chain(bones: usize) -> Skeleton {
    let bone = |index: usize| Bone {
        name: format!("bone{index}"),
        parent: index.checked_sub(1).map(|parent| parent as u16),
        rest: Transform::from_translation(Vec3::new(0.0, 0.1, 0.0)),
    };
    Skeleton::new((0..bones).map(bone).collect()).unwrap()
}

fn keyframe(flicks: i64, keys: Vec<Key>) -> Keyframe {
    Keyframe { duration: Time(flicks), keys: keys.into(), ..Keyframe::default() }
}

fn turn(bone: u16, degrees: f32) -> Key {
    Key::rotation(bone, Quat::from_rotation_z(degrees.to_radians()))
}

/// The pose by the exact tracks of a clip, at a time within it.
fn exact(tracks: &[Track], skeleton: &Skeleton, time: Time) -> LocalPose {
    let mut pose = skeleton.rest_pose();
    for track in tracks {
        let bone = usize::from(track.bone);
        if bone < skeleton.len() {
            let mut transform = pose.get(bone);
            track.channel.put(&mut transform, track.sample(time));
            pose.set(bone, &transform);
        }
    }
    pose
}

/// The maximum distance of the baked clip from the exact one, as a fraction of the model's size, at 500 even times.
fn error(clip: &Clip, skeleton: &Skeleton, baked: &BakedClip) -> f32 {
    let (reach, tracks) = (Reach::of(skeleton), Track::all_of(clip));
    let (mut pose, mut a, mut b) = (skeleton.rest_pose(), ModelPose::default(), ModelPose::default());
    let mut worst = 0.0_f32;
    for step in 0..=499 {
        let time = Time(clip.length().0 / 499 * step);
        baked.sample(time, &mut pose);
        a.compute(skeleton, &pose);
        b.compute(skeleton, &exact(&tracks, skeleton, time));
        worst = worst.max(reach.distance(&a, &b));
    }
    worst / reach.model_size
}

fn swinging(ease: Ease, loop_mode: LoopMode, [in_length, out_length]: [f32; 2]) -> Clip {
    let keys = |angle: f32| {
        let key = |bone| Key {
            ease,
            out_tangent: Vec4::new(0.1, 0.0, 0.7, 0.0),
            in_tangent: Vec4::new(-0.2, 0.3, 0.0, 0.0),
            in_length,
            out_length,
            ..turn(bone, angle * (1.0 + f32::from(bone) * 0.1))
        };
        (0..10).map(key).collect::<Vec<_>>()
    };
    let second = Time::FLICKS_PER_SEC;
    let keyframes = [0.0, 70.0, -50.0, 100.0, 20.0].map(|angle| keyframe(second / 3, keys(angle)));
    Clip { loop_mode, keyframes: keyframes.into(), ..Clip::new("swing") }
}

#[test]
fn slerps_and_cubics_keep_the_error_bound() {
    let skeleton = chain(10);
    let steep = [0.95, 0.8];
    for (ease, lengths) in [(Ease::Linear, HERMITE), (Ease::Cubic, HERMITE), (Ease::Cubic, steep)] {
        for loop_mode in LoopMode::ALL {
            let clip = swinging(ease, loop_mode, lengths);
            let formats = [SampleFormat::Quantized, SampleFormat::Packed];
            for (max_error, format) in
                [1e-2, 1e-3, 1e-4, 1e-5].into_iter().flat_map(|error| formats.map(|format| (error, format)))
            {
                let baked = bake_with(&clip, &skeleton, &BakeOptions { max_error, format });
                let error = error(&clip, &skeleton, &baked);
                let report = baked.report();
                assert!(error <= max_error, "{ease:?} {loop_mode:?} {max_error}: {error} {report:?}");
                assert!(report.max_error <= max_error, "{report:?}");
            }
        }
    }
}

/// Such as a sword that is hidden at rest and shown in the clip, and one that is held farther away.
#[test]
fn rotations_of_what_is_larger_or_farther_than_at_rest_keep_the_bound() {
    let mut bones = chain(4).bones().to_vec();
    bones[2].rest.scale = Vec3::splat(1e-3);
    let skeleton = Skeleton::new(bones).unwrap();
    for (bone, enlarged) in [(2, Key::scale(2, Vec3::ONE)), (1, Key::translation(2, Vec3::Y))] {
        for (angle, format) in [60.0, 150.0].into_iter().flat_map(|angle| SampleFormat::ALL.map(|it| (angle, it))) {
            let keyframes = [0.0, angle].map(|angle| keyframe(Time::FLICKS_PER_SEC, vec![enlarged, turn(bone, angle)]));
            let clip = Clip { keyframes: keyframes.into(), ..Clip::new("draw") };
            let baked = bake_with(&clip, &skeleton, &BakeOptions { format, ..BakeOptions::default() });
            let (found, report) = (error(&clip, &skeleton, &baked), baked.report());
            assert!(found.max(report.max_error) <= 1e-4, "{bone} {angle} {format:?}: {found} {report:?}");
        }
    }
}

/// One piece of a curve that eases in and out is as far from it as two are.
#[test]
fn a_curve_that_eases_in_and_out_keeps_each_bound() {
    let skeleton = chain(4);
    let keys = |angle| vec![Key { ease: Ease::Cubic, ..turn(1, angle) }];
    let keyframes = [0.0, 20.0, 0.0].map(|angle| keyframe(Time::FLICKS_PER_SEC / 2, keys(angle)));
    let clip = Clip { keyframes: keyframes.into(), ..Clip::new("nod") };
    for step in 0..60 {
        let max_error = 0.1 * 0.86_f32.powi(step);
        let baked = bake_with(&clip, &skeleton, &BakeOptions { max_error, format: SampleFormat::F32 });
        let error = error(&clip, &skeleton, &baked);
        assert!(error <= max_error, "{max_error}: {error} {:?}", baked.report());
    }
}

#[test]
fn a_curve_too_steep_for_samples_keeps_the_bound() {
    let skeleton = chain(8);
    let mut clip = Clip::new("away");
    for step in 0..101 {
        let key = |bone: u16| {
            let wave = (step as f32 * 0.3 + f32::from(bone)).sin() * 0.01;
            let far = if bone == 0 && step >= 50 { 30.0 } else { 0.0 };
            Key { ease: Ease::Cubic, ..Key::translation(bone, Vec3::new(wave, 0.1, far)) }
        };
        clip.keyframes.push(keyframe(Time::TICK.0 * 6, (0..8).map(key).collect()));
    }
    for format in SampleFormat::ALL {
        let baked = bake_with(&clip, &skeleton, &BakeOptions { format, ..BakeOptions::default() });
        let error = error(&clip, &skeleton, &baked);
        assert!(error.max(baked.report().max_error) <= 1e-4, "{error} {:?}", baked.report());
    }
}

/// ```text
/// time      0 ──── 10 ──── 20 ──── 30
/// linear    0       1       2       2
/// step      5 ─────┐7 ─────┐9 ───────
/// ```
#[test]
fn lines_and_steps_are_exact_at_every_time() {
    let skeleton = chain(2);
    let keys = |linear: f32, step: f32| {
        let step = Key { ease: Ease::Step, ..Key::translation(1, Vec3::splat(step)) };
        vec![Key::translation(0, Vec3::splat(linear)), step]
    };
    let keyframes = vec![keyframe(10, keys(0.0, 5.0)), keyframe(10, keys(1.0, 7.0)), keyframe(10, keys(2.0, 9.0))];
    for loop_mode in LoopMode::ALL {
        let clip = Clip { loop_mode, keyframes: keyframes.clone().into(), ..Clip::new("steps") };
        let baked = bake_with(&clip, &skeleton, &BakeOptions::EXACT);
        assert_eq!(baked.report().form, FormKind::SampledPoses);
        let (mut pose, tracks) = (LocalPose::default(), Track::all_of(&clip));
        for time in -5..40 {
            baked.sample(Time(time), &mut pose);
            let expected = exact(&tracks, &skeleton, Time(time).clamp(Time::ZERO, clip.length()));
            for bone in 0..2 {
                let distance = pose.get(bone).distance(&expected.get(bone));
                assert!(distance < 1e-6, "{loop_mode:?} bone {bone} at {time}: {distance}");
            }
        }
    }
}

#[test]
fn odd_clips_equal_their_tracks() {
    let skeleton = chain(9);
    let one = || vec![turn(3, 40.0), Key::scale(8, Vec3::new(0.0, -1.0, 2.0)), turn(77, 10.0)];
    let bent = Key { ease: Ease::Cubic, out_tangent: Vec4::ONE, ..Key::translation(0, Vec3::splat(0.5)) };
    let cases: [(&str, Vec<Keyframe>); 7] = [
        ("empty", vec![]),
        ("no keys", vec![keyframe(10, vec![])]),
        ("one key of no duration", vec![keyframe(0, one())]),
        ("a pose with a tangent", vec![keyframe(0, vec![bent])]),
        ("one key with a lead-in", vec![keyframe(10, vec![]), keyframe(5, one())]),
        ("a closing key", vec![keyframe(10, one()), keyframe(0, vec![turn(3, -90.0)])]),
        (
            "a lead-in and a closing key",
            vec![keyframe(10, vec![]), keyframe(10, one()), keyframe(0, vec![turn(3, -90.0)])],
        ),
    ];
    for (name, keyframes) in cases {
        for loop_mode in LoopMode::ALL {
            for skeleton in [&skeleton, &Skeleton::default()] {
                let clip = Clip { loop_mode, keyframes: keyframes.clone().into(), ..Clip::new(name) };
                let baked = bake(&clip, skeleton);
                assert_eq!((baked.length, baked.name.as_str()), (clip.length(), name));
                assert!(error(&clip, skeleton, &baked) <= 1e-4, "{name} {loop_mode:?}");
            }
        }
    }
}

/// Every bone is keyed at its own times: samples would need every time for every bone.
#[test]
fn keys_that_dont_line_up_become_curve_windows_and_stay_small() {
    let skeleton = chain(67);
    let mut clip = Clip::new("jitter");
    for step in 0..12 * 67_i64 {
        let bone = (step * 29 % 67) as u16;
        let angle = (step as f32 * 0.7).sin() * 50.0;
        let keys = vec![Key::translation(bone, Vec3::splat(angle * 1e-3)), turn(bone, angle)];
        clip.keyframes.push(keyframe(1_500_000 + step % 7, keys));
    }
    let baked = bake(&clip, &skeleton);
    let report = baked.report();
    assert_eq!(report.form, FormKind::CurveWindows);
    assert!(report.bytes <= 3 * report.source_bytes, "{report:?}");
    assert!(error(&clip, &skeleton, &baked) < 1e-5);
}

/// Every bone has keys of its own, with steps, slerps of up to 170° and cubics; at the keys, just before them, and between.
#[test]
fn curve_windows_equal_their_tracks() {
    let skeleton = chain(19);
    for (loop_mode, eases) in LoopMode::ALL.into_iter().flat_map(|mode| [(mode, 2), (mode, 3)]) {
        let mut clip = Clip { loop_mode, ..Clip::new("own times") };
        for step in 0..19 * 9_i64 {
            let bone = (step * 7 % 19) as u16;
            let moved = Key::translation(bone, Vec3::new(0.0, 0.1, (step as f32).sin() * 0.02));
            let keys = [moved, turn(bone, (step as f32 * 0.9).sin() * 85.0)].map(|key| Key {
                ease: Ease::ALL[(step as usize + usize::from(bone)) % eases],
                out_tangent: Vec4::new(0.1, 0.0, 0.2, 0.0),
                in_tangent: Vec4::new(-0.2, 0.1, 0.0, 0.0),
                ..key
            });
            clip.keyframes.push(keyframe(9_000_000 + step % 7, keys.into()));
        }
        let baked = bake(&clip, &skeleton);
        assert_eq!(baked.report().form, FormKind::CurveWindows, "{loop_mode:?} {eases}");
        let (mut wide, mut portable) = (LocalPose::default(), LocalPose::default());
        let tracks = Track::all_of(&clip);
        let near = |at: Time| [at, Time(at.0 - 1000), Time(at.0 + 4_000_000)];
        for time in clip.starts().flat_map(near).chain([clip.length()]) {
            baked.sample(time, &mut wide);
            baked.sample_portable(time, &mut portable);
            let expected = exact(&tracks, &skeleton, time.clamp(Time::ZERO, clip.length()));
            for bone in 0..skeleton.len() {
                let distances = [&wide, &portable].map(|pose| pose.get(bone).distance(&expected.get(bone)));
                assert!(
                    distances.iter().all(|far| *far < 3e-6),
                    "{loop_mode:?} {eases}, {bone} at {time}: {distances:?}"
                );
            }
        }
    }
}

#[test]
fn smaller_formats_keep_the_bound() {
    let skeleton = chain(67);
    let mut clip = Clip::new("dense");
    for frame in 0..60 {
        let wave = |bone: u16| (frame as f32 * 0.2 + f32::from(bone)).sin();
        let keys = |bone| [Key::translation(bone, Vec3::splat(wave(bone) * 0.01)), turn(bone, wave(bone) * 4.0)];
        clip.keyframes.push(keyframe(10_000_000, (0..67).flat_map(keys).collect()));
    }
    let whole = bake_with(&clip, &skeleton, &BakeOptions { format: SampleFormat::F32, ..BakeOptions::default() });
    let short = bake(&clip, &skeleton);
    let compact = bake_with(&clip, &skeleton, &BakeOptions { format: SampleFormat::Packed, ..BakeOptions::default() });
    let all = [&whole, &short, &compact];
    assert_eq!(
        all.map(|baked| baked.report().form),
        [FormKind::SampledPoses, FormKind::QuantizedSamples, FormKind::PackedSamples]
    );
    let [whole, half, third] = all.map(|baked| baked.report().bytes as f32);
    assert!(half < whole * 0.6 && third < whole * 0.35, "{whole}, {half}, {third}");
    for baked in all {
        assert!(error(&clip, &skeleton, baked) <= baked.report().max_error.max(1e-6), "{:?}", baked.report());
        let (mut pose, mut portable) = (LocalPose::default(), LocalPose::default());
        baked.sample(Time(12_345_678), &mut pose);
        baked.sample_portable(Time(12_345_678), &mut portable);
        assert!(pose.iter().zip(portable.iter()).all(|(a, b)| a.distance(&b) < 5e-7));
    }
}

/// The weights of two samples of 16-bit numbers are rounded, too.
#[test]
fn a_long_way_from_key_to_key_keeps_the_bound() {
    let skeleton = chain(2);
    for far in [0.1, 0.2, 0.3, 0.4, 0.49] {
        let keys = |x: f32| vec![Key::translation(0, Vec3::X * x)];
        let keyframes = [keyframe(10 * Time::FLICKS_PER_SEC, keys(-far)), keyframe(0, keys(far))];
        let clip = Clip { keyframes: keyframes.into(), ..Clip::new("run") };
        let baked = bake(&clip, &skeleton);
        let (found, report) = (error(&clip, &skeleton, &baked), baked.report());
        assert!(found <= report.max_error + 1e-6 && report.max_error <= 1e-4, "{far}: {found} {report:?}");
    }
}

/// Other programs key all channels of all bones, with rounding errors.
#[test]
fn channels_that_move_the_model_too_little_to_see_are_held() {
    let skeleton = chain(24);
    let clip = |off: f32| {
        let keys = |number: u16| -> Vec<Key> {
            let of_bone = |bone: u16| {
                let off = off * f32::from((number * 7 + number * bone) % 3);
                let angle = if bone == 3 { f32::from(number) * 2.0 } else { 0.0 };
                let scale = Key::scale(bone, Vec3::splat(1.0 + off));
                [Key::translation(bone, Vec3::new(off, 0.1, 0.0)), turn(bone, angle), scale]
            };
            (0..24).flat_map(of_bone).collect()
        };
        let keyframes: Vec<Keyframe> =
            (0..20).map(|number| keyframe(Time::FLICKS_PER_SEC / 30, keys(number))).collect();
        Clip { keyframes: keyframes.into(), ..Clip::new("noise") }
    };
    for format in [SampleFormat::F32, SampleFormat::Quantized, SampleFormat::Packed] {
        let options = BakeOptions { format, ..BakeOptions::default() };
        let baked = |clip: &Clip| {
            let baked = bake_with(clip, &skeleton, &options);
            let (reported, found) = (baked.report().max_error, error(clip, &skeleton, &baked));
            assert!(reported.max(found) <= options.max_error, "{format:?}: {reported}, {found}");
            baked.report().bytes
        };
        let still = baked(&clip(0.0));
        assert!(baked(&clip(1.2e-7)) < still * 5 / 4, "{format:?}");
        assert!(baked(&clip(1e-3)) > still * 2, "{format:?}: they move the model visibly");
    }
}

/// Other programs write tangents that are next to none.
#[test]
fn a_channel_with_equal_keys_and_tiny_tangents_keeps_its_value_in_16_bits() {
    let skeleton = chain(20);
    let tangent = Vec4::X * 1e-7;
    let place = Key::translation(3, Vec3::new(0.3, 0.2, 0.1));
    let place = Key { ease: Ease::Cubic, in_tangent: tangent, out_tangent: tangent, ..place };
    let keys = |frame: usize| {
        let turns = (0..20).map(move |bone| turn(bone, (frame as f32 * 0.15 + f32::from(bone)).sin() * 3.0));
        turns.chain(frame.is_multiple_of(10).then_some(place)).collect::<Vec<_>>()
    };
    let keyframes: Vec<Keyframe> = (0..60).map(|frame| keyframe(Time::FLICKS_PER_SEC / 30, keys(frame))).collect();
    let clip = Clip { keyframes: keyframes.into(), ..Clip::new("tiny") };
    let baked = bake(&clip, &skeleton);
    assert_eq!(baked.report().form, FormKind::QuantizedSamples);
    assert!(error(&clip, &skeleton, &baked) <= 1e-4, "{:?}", baked.report());
}

#[test]
fn sampling_overwrites_the_whole_pose() {
    let skeleton = chain(10);
    let baked = bake(&swinging(Ease::Linear, LoopMode::Once, HERMITE), &skeleton);
    let nan = Transform { translation: Vec3::NAN, rotation: Quat::NAN, scale: Vec3::NAN };
    let (mut poisoned, mut fresh) = (LocalPose::from_transforms([nan; 33]), LocalPose::default());
    baked.sample(Time(400_000_000), &mut poisoned);
    baked.sample(Time(400_000_000), &mut fresh);
    assert_eq!(poisoned, fresh);
}

fn any_key() -> impl Strategy<Value = Key> {
    let number = || prop_oneof![-2.0_f32..2.0, Just(0.0), Just(1e30), Just(-1e30), Just(f32::MAX), Just(1e-40)];
    let value = || [number(), number(), number(), number()].prop_map(Vec4::from_array);
    (0_u16..12, 0..3_usize, 0..3_usize, value(), value(), value()).prop_map(|(bone, channel, ease, v, into, out)| {
        let channel = Channel::ALL[channel];
        let unit = Quat::from_vec4(v.clamp(Vec4::splat(-2.0), Vec4::splat(2.0)));
        let unit = if unit.length() > 1e-3 { unit.normalize() } else { Quat::IDENTITY };
        let value = if channel == Channel::Rotation { Vec4::from(unit) } else { v };
        let lengths = [HERMITE, HERMITE, [0.001, 1.0], [1.0, 0.6]][usize::from(bone) % 4];
        let [in_length, out_length] = lengths;
        let key = Key { in_length, out_length, ..Key::new(bone, channel, value) };
        Key { ease: Ease::ALL[ease], in_tangent: into, out_tangent: out, ..key }
    })
}

fn any_clip() -> impl Strategy<Value = Clip> {
    let keyframe = (1_i64..2_000_000_000, prop::collection::vec(any_key(), 0..8));
    (prop::collection::vec(keyframe, 0..6), 0..3_usize, any::<bool>()).prop_map(|(keyframes, mode, closing)| {
        let mut clip = Clip { loop_mode: LoopMode::ALL[mode], ..Clip::new("any") };
        for (duration, keys) in keyframes {
            let mut keyframe = Keyframe { duration: Time(duration), ..Keyframe::default() };
            keys.into_iter().for_each(|key| keyframe.set(key));
            clip.keyframes.push(keyframe);
        }
        if closing && let Some(last) = clip.keyframes.last_mut() {
            last.duration = Time::ZERO;
        }
        clip
    })
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn any_valid_clip_bakes_and_samples(clip in any_clip(), bones in 0_usize..12, time in any::<i64>()) {
        prop_assert_eq!(clip.check(), Ok(()));
        let skeleton = chain(bones);
        let format = if bones % 2 == 0 { SampleFormat::Quantized } else { SampleFormat::Packed };
        let baked = bake_with(&clip, &skeleton, &BakeOptions { max_error: 0.1, format });
        let mut pose = LocalPose::default();
        for time in [Time(time), Time(time % 8_000_000_000), Time::ZERO, baked.length, Time(i64::MIN)] {
            baked.sample(time, &mut pose);
            prop_assert_eq!(pose.len(), bones);
        }
    }
}
