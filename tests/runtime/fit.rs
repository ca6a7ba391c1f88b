//! Key reduction against its source, both evaluated in f64 by the formulas of this file.

use glam::{DQuat, DVec4, Quat, Vec3, Vec4};
use keypose::anim::clip::{Clip, Keyframe, LoopMode};
use keypose::anim::fit::{Tolerance, deviation, reduce, reduce_clip};
use keypose::anim::key::{Channel, Ease, Key};
use keypose::anim::time::Time;
use keypose::anim::track::Track;
use proptest::prelude::*;

use crate::cases;

/// The value of a track in f64: glTF's formulas, constant outside the keys, or across the seam if it loops.
fn value(track: &Track, time: f64) -> DVec4 {
    let keys: Vec<(f64, &Key)> = track.keys.iter().map(|(time, key)| (time.secs(), key)).collect();
    let (first, last) = (keys[0], keys[keys.len() - 1]);
    let after = keys.partition_point(|(at, _)| *at <= time);
    let inner = (after > 0 && after < keys.len()).then(|| (keys[after.max(1) - 1], keys[after.min(keys.len() - 1)]));
    let across = track.seam.map(|length| {
        let turns = if after == 0 { -length.secs() } else { 0.0 };
        ((last.0 + turns, last.1), (first.0 + length.secs() + turns, first.1))
    });
    let flips = inner.is_none() && first.1.value.dot(last.1.value) < 0.0 && track.channel == Channel::Rotation;
    match inner.or(across) {
        None => if after == 0 { first } else { last }.1.value.as_dvec4(),
        Some((from, to)) => segment(from, to, time, if flips { -1.0 } else { 1.0 }),
    }
}

fn segment((start, from): (f64, &Key), (end, to): (f64, &Key), time: f64, sign: f64) -> DVec4 {
    let secs = end - start;
    let t = if secs > 0.0 { (time - start) / secs } else { 0.0 };
    let (a, b) = (from.value.as_dvec4(), to.value.as_dvec4() * sign);
    let rotates = from.channel == Channel::Rotation;
    match from.ease {
        Ease::Step => a,
        Ease::Linear if rotates => {
            let b = if a.dot(b) < 0.0 { -b } else { b };
            let angle = 2.0 * f64::atan2((a - b).length(), (a + b).length());
            if angle < 1e-9 { a } else { (a * ((1.0 - t) * angle).sin() + b * (t * angle).sin()) / angle.sin() }
        }
        Ease::Linear => a + (b - a) * t,
        Ease::Cubic => {
            let (m0, m1) = (from.out_tangent.as_dvec4(), to.in_tangent.as_dvec4() * sign);
            let value = (2.0 * t.powi(3) - 3.0 * t.powi(2) + 1.0) * a
                + secs * (t.powi(3) - 2.0 * t.powi(2) + t) * m0
                + (-2.0 * t.powi(3) + 3.0 * t.powi(2)) * b
                + secs * (t.powi(3) - t.powi(2)) * m1;
            if rotates { value.normalize() } else { value }
        }
    }
}

fn distance(channel: Channel, a: DVec4, b: DVec4) -> f64 {
    match channel {
        Channel::Rotation => {
            let (a, b) = (DQuat::from_vec4(a.normalize()), DQuat::from_vec4(b.normalize()));
            let between = a.conjugate() * b;
            2.0 * f64::atan2(between.xyz().length(), between.w.abs())
        }
        _ => (a - b).length(),
    }
}

/// The maximum distance at 40 times of each source segment, and across the seam.
fn error(source: &Track, reduced: &Track, length: f64) -> f64 {
    let mut times: Vec<f64> = source.keys.iter().map(|(time, _)| time.secs()).collect();
    times.extend([0.0, length]);
    times.sort_by(f64::total_cmp);
    let places = times
        .windows(2)
        .flat_map(|pair| (0..40).map(move |place| pair[0] + (pair[1] - pair[0]) * (f64::from(place) + 0.01) / 40.0));
    places.fold(0.0, |worst, time| worst.max(distance(source.channel, value(source, time), value(reduced, time))))
}

fn clip(loop_mode: LoopMode, keys: Vec<(i64, Key)>) -> Clip {
    let keyframes = keys.into_iter().map(|(millis, key)| Keyframe {
        duration: Time::from_millis(millis as f64),
        keys: vec![key].into(),
        ..Keyframe::default()
    });
    Clip { loop_mode, keyframes: keyframes.collect(), ..Clip::new("source") }
}

#[test]
fn a_sampled_swing_needs_few_cubics() {
    let turn = |frame: i64| {
        let angle = (frame as f32 * 0.1).sin();
        (33, Key::rotation(0, Quat::from_rotation_x(angle) * Quat::from_rotation_y(angle * 0.3)))
    };
    let clip = clip(LoopMode::Once, (0..121).map(turn).collect());
    let source = Track::of(&clip, 0, Channel::Rotation).unwrap();
    for (bound, most) in [(1e-2, 14), (2e-3, 18)] {
        let reduced = reduce(&source, bound);
        assert!(reduced.keys.len() <= most, "{} keys within {bound}", reduced.keys.len());
        assert!(error(&source, &reduced, clip.length().secs()) <= f64::from(bound));
        assert_eq!((reduced.keys[0].0, reduced.keys.last().unwrap().0), (source.keys[0].0, source.keys[120].0));
    }
}

#[test]
fn steps_and_lines_keep_only_their_corners() {
    let key = |ease, x: f32| Key { ease, ..Key::translation(0, Vec3::new(x, 0.0, -x)) };
    let steps = [0.0, 0.0, 1.0, 1.0, 1.0, 3.0, 3.0].map(|x| (100, key(Ease::Step, x)));
    let lines = [0.0, 1.0, 2.0, 3.0, 2.0, 1.0, 0.0].map(|x| (100, key(Ease::Linear, x)));
    for (keys, kept) in [(steps, vec![0, 2, 5, 6]), (lines, vec![0, 3, 6])] {
        let clip = clip(LoopMode::Once, keys.into());
        let source = Track::of(&clip, 0, Channel::Translation).unwrap();
        let reduced = reduce(&source, 1e-4);
        let times: Vec<i64> = reduced.keys.iter().map(|(time, _)| (time.secs() * 10.0).round() as i64).collect();
        assert_eq!(times, kept);
        assert!(error(&source, &reduced, clip.length().secs()) <= 1e-4);
    }
}

#[test]
fn a_constant_channel_becomes_one_key() {
    for loop_mode in LoopMode::ALL {
        let clip = clip(loop_mode, (0..9).map(|_| (50, Key::scale(2, Vec3::new(1.0, 2.0, -1.0)))).collect());
        let source = Track::of(&clip, 2, Channel::Scale).unwrap();
        assert_eq!(reduce(&source, 0.0).keys, source.keys[..1]);
    }
}

#[test]
fn a_reduced_clip_keeps_its_length_events_and_empty_keyframes() {
    let key = |at: i64, x: f32| (at, Key::translation(0, Vec3::splat(x)));
    let mut clip =
        clip(LoopMode::Loop, vec![key(100, 0.0), key(100, 1.0), key(100, 2.0), key(100, 3.0), key(100, 9.0)]);
    clip.keyframes.insert(2, Keyframe { duration: Time::from_millis(7.0), ..Keyframe::default() });
    clip.keyframes[4].keys[0].value = Vec4::new(3.07, 3.07, 3.07, 0.0);
    clip.keyframes[3].keys[0].value = Vec4::new(2.07, 2.07, 2.07, 0.0);
    let tolerance = Tolerance { translation: 1e-3, rotation: 0.0, scale: 0.0 };
    let reduced = reduce_clip(&clip, &[], &tolerance);
    assert_eq!((reduced.check(), reduced.length()), (Ok(()), clip.length()));
    let keys: Vec<usize> = reduced.keyframes.iter().map(|keyframe| keyframe.keys.len()).collect();
    assert_eq!(keys, [1, 0, 1, 1]);
    assert_eq!(reduce_clip(&reduced, &[], &tolerance), reduced);
}

/// The error of a bone below a parent that is scaled by 100 is 100 times as large in the model.
#[test]
fn translations_are_measured_in_the_model() {
    let key = |at: i64, x: f32| (at, Key::translation(1, Vec3::splat(x)));
    let clip = clip(LoopMode::Once, vec![key(100, 0.0), key(100, 1.001), key(100, 2.0)]);
    let tolerance = Tolerance { translation: 0.01, rotation: 0.0, scale: 0.0 };
    let [plain, scaled] = [[1.0, 1.0], [1.0, 100.0]].map(|scales| reduce_clip(&clip, &scales, &tolerance));
    let keys = |clip: &Clip| clip.keyframes.iter().map(|keyframe| keyframe.keys.len()).sum::<usize>();
    assert_eq!((keys(&plain), keys(&scaled)), (2, 3));
    let found = deviation(&clip, &plain, &[1.0, 100.0]).translation;
    assert!((found - 0.1 * 3.0_f32.sqrt()).abs() < 1e-3, "{found}");
}

fn any_track() -> impl Strategy<Value = Clip> {
    let number = || -2.0_f32..2.0;
    let four = || [number(), number(), number(), number()].prop_map(Vec4::from_array);
    let key = (1_i64..500, 0..3_usize, four(), four(), four(), any::<bool>());
    (0..3_usize, 0..3_usize, prop::collection::vec(key, 1..25), any::<bool>()).prop_map(
        |(channel, mode, keys, calm)| {
            let channel = Channel::ALL[channel];
            let mut before = Vec4::new(0.1, 0.2, 0.3, 0.4);
            let keys = keys.into_iter().map(|(millis, ease, step, into, out, flips)| {
                // Calm tracks change little from key to key, so that some keys can be removed.
                let raw = if calm { before + step * 0.02 } else { step };
                before = raw;
                let unit = Vec4::from(Quat::from_vec4(raw).normalize()) * if flips { -1.0 } else { 1.0 };
                let value = if channel == Channel::Rotation { unit } else { raw.truncate().extend(0.0) };
                let ease = if calm { Ease::Linear } else { Ease::ALL[ease] };
                let flat =
                    |tangent: Vec4| if channel == Channel::Rotation { tangent } else { tangent.truncate().extend(0.0) };
                (millis, Key { ease, in_tangent: flat(into), out_tangent: flat(out), ..Key::new(0, channel, value) })
            });
            clip(LoopMode::ALL[mode], keys.collect())
        },
    )
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn any_track_stays_within_the_bound(clip in any_track(), bound in prop_oneof![Just(0.0_f32), Just(1e-3), 0.0_f32..0.5]) {
        let source = Track::all_of(&clip).remove(0);
        let reduced = reduce(&source, bound);
        prop_assert!(reduced.keys.len() <= source.keys.len());
        prop_assert!(reduced.keys.iter().all(|(_, key)| key.is_valid()));
        let apart = error(&source, &reduced, clip.length().secs());
        prop_assert!(apart <= f64::from(bound) + 3e-6, "{} of {}: {:?}", apart, bound, reduced.keys.len());
    }

    #[test]
    fn any_numbers_reduce_without_a_panic(values in prop::collection::vec(any::<f32>(), 1..9), bound in any::<f32>()) {
        let finite = values.iter().map(|value| if value.is_finite() { *value } else { 1e30 });
        let key = |x: f32| Key { ease: Ease::Cubic, out_tangent: Vec4::splat(x), ..Key::translation(0, Vec3::splat(x)) };
        let clip = clip(LoopMode::Loop, finite.map(|x| (3, key(x))).collect());
        let reduced = reduce(&Track::all_of(&clip)[0], bound);
        prop_assert!(!reduced.keys.is_empty() && reduced.keys.iter().all(|(_, key)| key.is_valid()));
    }
}
