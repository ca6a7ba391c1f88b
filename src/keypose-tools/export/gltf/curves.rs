//! One channel of a clip as a sampler of glTF (2.0, section 3.11). A sampler has one interpolation for all of its keys; where a
//! channel mixes them, keys are added so that the file shows the same curve:
//!
//! - A step among others ends with a key right before the next one.
//! - A linear segment among cubic ones becomes a cubic one, exactly; for rotations one within [`MAX_ERROR`].

use glam::Vec4;

use crate::anim::bezier::HERMITE;
use crate::anim::curve::Segment;
use crate::anim::key::{Channel, Ease};
use crate::anim::skeleton::BoneIndex;
use crate::anim::track::Track;
use crate::export::gltf::seam::{self, Point};

/// The maximum error of a slerp that is written as a cubic spline, in components of the quaternion.
#[cfg(test)]
const MAX_ERROR: f32 = 1e-5;
/// Half the angle of the rotation that one cubic segment covers at most: a Hermite curve is off by its fourth power / 384.
const MAX_HALF_ANGLE: f32 = 0.2;

/// The time from the end of a step to the key that it jumps to, in seconds. Blender leaves out keys that are nearer than 1/100 of a frame, and
/// makes a ramp of the step.
const JUMP: f32 = 0.0005;

/// A key of a sampler.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// In seconds.
    pub time: f32,
    /// Units per second.
    pub in_tangent: Vec4,
    pub value: Vec4,
    /// Units per second.
    pub out_tangent: Vec4,
}

/// A channel in the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    pub bone: BoneIndex,
    pub channel: Channel,
    pub interpolation: Ease,
    /// At least one; times strictly ascend.
    pub rows: Vec<Row>,
}

impl Curve {
    /// The curve of a track.
    pub fn of(track: &Track) -> Curve {
        let interpolation = shared_ease(&seam::closed(track));
        Curve::with(track, interpolation)
    }

    /// The curve of a track with an interpolation that shows all of its segments.
    pub fn with(track: &Track, interpolation: Ease) -> Curve {
        let points = seam::closed(track);
        let rows = Writer { interpolation, sign: 1.0, into: None, rows: Vec::new() }.write(&points);
        Curve { bone: track.bone, channel: track.channel, interpolation, rows }
    }

    /// The curve between two neighbouring rows.
    pub fn segment(&self, from: &Row, to: &Row) -> Segment {
        Segment {
            channel: self.channel,
            ease: self.interpolation,
            from: from.value,
            out_tangent: from.out_tangent,
            to: to.value,
            in_tangent: to.in_tangent,
            secs: to.time - from.time,
            lengths: HERMITE,
        }
    }

    /// Holds the last value until a time, if it ends earlier.
    pub fn hold_until(&mut self, secs: f32) {
        let Some(last) = self.rows.last_mut().filter(|last| last.time < secs) else { return };
        last.out_tangent = Vec4::ZERO;
        let held = Row { time: secs, in_tangent: Vec4::ZERO, ..*last };
        self.rows.push(held);
    }
}

/// The interpolation that shows all segments. The ease of the last key has no effect.
fn shared_ease(points: &[Point]) -> Ease {
    let segments = &points[..points.len().saturating_sub(1)];
    let has = |ease: Ease| segments.iter().any(|point| point.key.ease == ease);
    match (has(Ease::Cubic), has(Ease::Linear), has(Ease::Step)) {
        (true, _, _) => Ease::Cubic,
        (false, true, _) => Ease::Linear,
        (false, false, true) => Ease::Step,
        // A cubic spline has two keys.
        (false, false, false) if points.first().is_some_and(|point| point.key.ease.jumps()) => Ease::Step,
        (false, false, false) => Ease::Linear,
    }
}

struct Writer {
    interpolation: Ease,
    /// 1, or -1 if rotations are negated so that a cubic segment takes the short way.
    sign: f32,
    /// The in-tangent of the next key, if it isn't its own.
    into: Option<Vec4>,
    rows: Vec<Row>,
}

impl Writer {
    fn write(mut self, points: &[Point]) -> Vec<Row> {
        let times = ascending(points);
        for (at, (point, time)) in points.iter().zip(&times).enumerate() {
            let key = &point.key;
            let in_tangent = self.into.take().unwrap_or(key.in_tangent * self.sign);
            let (value, out_tangent) = (key.value * self.sign, key.out_tangent * self.sign);
            self.rows.push(Row { time: *time, in_tangent, value, out_tangent });
            if let (Some(next), Some(end)) = (points.get(at + 1), times.get(at + 1)) {
                self.segment(point, next, *end);
            }
        }
        self.rows
    }

    /// Shows the segment after the last row with the interpolation of all.
    fn segment(&mut self, from: &Point, to: &Point, end: f32) {
        let is_rotation = from.key.channel == Channel::Rotation;
        match (self.interpolation, from.key.ease) {
            (all, own) if all == own => {}
            (_, Ease::Step) => self.hold(end),
            (Ease::Cubic, Ease::Linear) if is_rotation => self.turn(from, to, end),
            (Ease::Cubic, Ease::Linear) => {
                let Some(last) = self.rows.last_mut() else { return };
                let slope = (to.key.value - from.key.value) / (end - last.time);
                last.out_tangent = slope;
                self.into = Some(slope);
            }
            // Every segment is shown by the strongest interpolation.
            (Ease::Linear | Ease::Step | Ease::Cubic, Ease::Linear | Ease::Cubic) => {}
        }
    }

    /// A step: keeps the value until just before the next key.
    fn hold(&mut self, end: f32) {
        let Some(last) = self.rows.last_mut() else { return };
        last.out_tangent = Vec4::ZERO;
        let held = Row { time: before(last.time, end), in_tangent: Vec4::ZERO, ..*last };
        if held.time > last.time {
            self.rows.push(held);
        }
        self.into = Some(Vec4::ZERO);
    }

    /// A slerp as cubic segments.
    fn turn(&mut self, from: &Point, to: &Point, end: f32) {
        let Some(last) = self.rows.last_mut() else { return };
        let (start, a) = (last.time, from.key.value * self.sign);
        if a.dot(to.key.value * self.sign) < 0.0 {
            self.sign = -self.sign;
        }
        let b = to.key.value * self.sign;
        let angle = 2.0 * f32::atan2((b - a).length(), (a + b).length());
        let pieces = (angle / MAX_HALF_ANGLE).ceil().max(1.0);
        let secs = end - start;
        last.out_tangent = arc(a, b, angle, 0.0).1 / secs;
        for piece in 1..pieces as u32 {
            let part = piece as f32 / pieces;
            let (value, slope) = arc(a, b, angle, part);
            let (time, slope) = (start + secs * part, slope / secs);
            if self.rows.last().is_some_and(|before| before.time < time) && time < end {
                self.rows.push(Row { time, in_tangent: slope, value, out_tangent: slope });
            }
        }
        self.into = Some(arc(a, b, angle, 1.0).1 / secs);
    }
}

/// A point of the arc between two unit quaternions, and its derivative by the fraction.
fn arc(a: Vec4, b: Vec4, angle: f32, fraction: f32) -> (Vec4, Vec4) {
    if angle < 1e-3 {
        return (a.lerp(b, fraction).normalize(), b - a);
    }
    let (rest, sine) = (1.0 - fraction, angle.sin());
    let value = (a * (rest * angle).sin() + b * (fraction * angle).sin()) / sine;
    let slope = (b * (fraction * angle).cos() - a * (rest * angle).cos()) * (angle / sine);
    (value, slope)
}

/// The end of a segment that jumps at its end, in seconds.
fn before(start: f32, end: f32) -> f32 {
    (end - JUMP).max((start + end) / 2.0).min(end.next_down())
}

/// The times in seconds. Of equal ones, the last is that of its frame, and the others are before it if there is room.
fn ascending(points: &[Point]) -> Vec<f32> {
    let mut times: Vec<f32> = points.iter().map(|point| point.time.secs() as f32).collect();
    for at in (2..times.len()).rev() {
        if times[at - 1] >= times[at] {
            times[at - 1] = before(times[at - 2], times[at]);
        }
    }
    for at in 1..times.len() {
        times[at] = times[at].max(times[at - 1].next_up());
    }
    times
}

#[cfg(test)]
mod tests {
    use glam::{Quat, Vec3};

    use super::*;
    use crate::anim::clip::{Clip, Keyframe, LoopMode};
    use crate::anim::key::Key;
    use crate::anim::slerp::unit_or;
    use crate::anim::tangent::resolve_tangents;
    use crate::anim::time::Time;

    /// The value of a sampler at a time (glTF 2.0, appendix C).
    fn sample(curve: &Curve, time: f32) -> Vec4 {
        let rows = &curve.rows;
        let after = rows.partition_point(|row| row.time <= time);
        let (Some(a), Some(b)) = (after.checked_sub(1).map(|at| rows[at]), rows.get(after)) else {
            return if after == 0 { rows[0].value } else { rows[rows.len() - 1].value };
        };
        let segment = curve.segment(&a, b);
        let value = segment.at((time - a.time) / segment.secs);
        if curve.channel == Channel::Rotation { unit_or(value, Vec4::W) } else { value }
    }

    /// A clip with keys of these eases 0.3 s apart; the first is after `lead`, the last duration is `tail` tenths of a second.
    fn clip(mode: LoopMode, eases: &[Ease], lead: i64, tail: i64) -> Clip {
        let tenths = |count: i64| Time(Time::SECOND.0 / 10 * count);
        let mut keyframes = Vec::new();
        if lead > 0 {
            keyframes.push(Keyframe { duration: tenths(lead), ..Keyframe::default() });
        }
        for (at, ease) in eases.iter().enumerate() {
            let part = at as f32;
            let turn = Quat::from_rotation_y(part * 1.9) * Quat::from_rotation_x(part);
            let place = Vec3::new(part * 2.0, part * part, 1.0 - part);
            let keys = [Key::translation(0, place), Key::rotation(0, turn)].map(|key| Key { ease: *ease, ..key });
            let duration = if at + 1 == eases.len() { tenths(tail) } else { tenths(3) };
            keyframes.push(Keyframe { duration, keys: Vec::from(keys).into(), ..Keyframe::default() });
        }
        let mut clip = Clip { loop_mode: mode, keyframes: keyframes.into(), ..Clip::new("test") };
        resolve_tangents(&mut clip);
        clip
    }

    #[test]
    fn every_mix_of_eases_shows_the_same_curve() {
        let [step, linear, cubic] = Ease::ALL;
        let mixes: [&[Ease]; 8] = [
            &[linear, linear, linear],
            &[step, step, step],
            &[cubic, cubic, cubic],
            &[step, linear, step],
            &[linear, cubic, linear],
            &[cubic, step, cubic, linear],
            &[step, cubic, linear, step, linear],
            &[cubic],
        ];
        for mode in LoopMode::ALL {
            for (eases, lead, tail) in
                mixes.iter().flat_map(|eases| [(0, 0), (0, 4), (2, 0), (2, 4)].map(|(lead, tail)| (eases, lead, tail)))
            {
                let clip = clip(mode, eases, lead, tail);
                for track in Track::all_of(&clip) {
                    check(&track, clip.length(), &format!("{:?}", (mode, eases, lead, tail, track.channel)));
                }
            }
        }
    }

    #[test]
    fn one_key_whose_handles_slope_swings_around_the_loop() {
        for start in [0, 1, 2] {
            let slope = Vec4::new(0.0, 2.0, 0.0, 0.0);
            let key =
                Key { ease: Ease::Cubic, in_tangent: -slope, out_tangent: slope, ..Key::translation(0, Vec3::ONE) };
            let keys = vec![(Time::SECOND * start, key)];
            let track = Track { bone: 0, channel: Channel::Translation, keys, seam: Some(Time::SECOND * 2) };
            assert!(track.channel.difference(track.sample(Time::SECOND / 2), key.value) > 0.1);
            check(&track, Time::SECOND * 2, "one key");
        }
    }

    /// Checks that the file shows what the track does.
    fn check(track: &Track, length: Time, place: &str) {
        let curve = Curve::of(track);
        assert!(curve.rows.is_sorted_by(|a, b| a.time < b.time) && curve.rows.len() >= track.keys.len());
        let length = length.secs() as f32;
        for step in 0..=997 {
            let time = length * step as f32 / 997.0;
            // A step is a jump.
            if curve.rows.iter().any(|row| (row.time - JUMP / 2.0 - time).abs() <= JUMP) {
                continue;
            }
            let expected = track.sample(Time::from_secs(f64::from(time)));
            let error = track.channel.difference(sample(&curve, time), expected);
            assert!(error <= 2.0 * MAX_ERROR, "{place}, {time} s: {error}");
        }
    }

    #[test]
    fn one_ease_keeps_its_keys_alone() {
        for ease in Ease::ALL {
            let clip = clip(LoopMode::Once, &[ease; 4], 0, 5);
            for track in Track::all_of(&clip) {
                let curve = Curve::of(&track);
                assert_eq!((curve.interpolation, curve.rows.len()), (ease, 4));
                for (row, (_, key)) in curve.rows.iter().zip(&track.keys) {
                    assert_eq!(
                        (row.value, row.in_tangent, row.out_tangent),
                        (key.value, key.in_tangent, key.out_tangent)
                    );
                }
            }
        }
    }

    #[test]
    fn times_closer_than_a_float_can_say_still_ascend() {
        for place in 0..9_usize {
            let eases = [Ease::Step, Ease::Linear, Ease::Cubic];
            let key = |at: usize| Key { ease: eases[(at + at / 3 * place) % 3], ..Key::scale(0, Vec3::ONE) };
            // Six keys within a float's step, and six a step apart.
            let time = |at: usize| {
                Time::SECOND * 3600 + Time(if at < 6 { at as i64 } else { at as i64 * Time::SECOND.0 / 4096 })
            };
            let keys = (0..12).map(|at| (time(at), key(at))).collect();
            let curve = Curve::of(&Track { bone: 0, channel: Channel::Scale, keys, seam: None });
            assert!(curve.rows.is_sorted_by(|a, b| a.time < b.time), "{place}: {:?}", curve.rows);
        }
    }
}
