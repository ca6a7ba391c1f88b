//! The curves of a channel: three numbers over time. Rotations are shown as degrees about x, y and z, in the order of the
//! bone.

use std::collections::BTreeMap;

use glam::{Quat, Vec3, Vec4};

use crate::editor::ops::euler;
use keypose::anim::clip::Clip;
use keypose::anim::key::{Channel, Key};
use keypose::anim::skeleton::BoneIndex;
use keypose::anim::time::Time;
use keypose::anim::track::Track;
use keypose::assets::euler_order::EulerOrder;

/// How the rotations of a bone are read as angles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// The order in which the angles are applied.
    pub order: EulerOrder,
    /// Angles that the user entered, by their times. They are shown as long as they describe the rotation there: keys are
    /// quaternions, which don't count full turns.
    pub entered: BTreeMap<Time, Vec3>,
}

impl Reading {
    /// The angles of a rotation: those that were entered at this time, or else the equivalent ones nearest to `near`.
    pub fn degrees(&self, time: Time, rotation: Quat, near: Vec3) -> Vec3 {
        let is_current = |entered: &&Vec3| euler::is_same(euler::rotation(**entered, self.order), rotation);
        let entered = self.entered.get(&time).filter(is_current);
        entered.copied().unwrap_or_else(|| euler::degrees_near(rotation, self.order, near))
    }

    /// The three numbers of a value at a time.
    fn shown(&self, channel: Channel, time: Time, value: Vec4, near: Vec3) -> Vec3 {
        match channel {
            Channel::Rotation => self.degrees(time, Quat::from_vec4(value), near),
            _ => value.truncate(),
        }
    }
}

/// The three numbers of a value; for rotations the equivalent angles nearest to `near`.
pub fn shown(channel: Channel, value: Vec4, order: EulerOrder, near: Vec3) -> Vec3 {
    match channel {
        Channel::Rotation => euler::degrees_near(Quat::from_vec4(value), order, near),
        _ => value.truncate(),
    }
}

/// The value of three numbers.
pub fn value(channel: Channel, shown: Vec3, order: EulerOrder) -> Vec4 {
    match channel {
        Channel::Rotation => Vec4::from(euler::rotation(shown, order)),
        _ => shown.extend(0.0),
    }
}

/// A text that identifies a channel among those of its bone.
pub fn channel_id(channel: Channel) -> String {
    channel.scalar().map_or(channel.name().to_owned(), |scalar| format!("value{scalar}"))
}

/// The longest step in seconds over which the slopes of rotations are measured.
const STEP: f32 = 1e-3;
/// The change of a rotation in such a step, in components of the quaternion and in degrees: steep slopes are measured over less.
const MAX_CHANGES: [f32; 2] = [0.01, 1.0];

/// The change per second of the three numbers, for a value and its tangent.
pub fn slope(channel: Channel, at: Vec4, tangent: Vec4, order: EulerOrder, near: Vec3) -> Vec3 {
    if channel != Channel::Rotation {
        return tangent.truncate();
    }
    let step = STEP.min(MAX_CHANGES[0] / tangent.abs().max_element().max(f32::MIN_POSITIVE));
    let (from, to) = (at - tangent * step, at + tangent * step);
    let unit = |value: Vec4| value.normalize_or(at);
    let here = shown(channel, at, order, near);
    (shown(channel, unit(to), order, here) - shown(channel, unit(from), order, here)) / (2.0 * step)
}

/// The tangent for a change per second of the three numbers. It has the sign of the value.
pub fn tangent(channel: Channel, at: Vec4, slope: Vec3, order: EulerOrder, near: Vec3) -> Vec4 {
    if channel != Channel::Rotation {
        return slope.extend(0.0);
    }
    let here = shown(channel, at, order, near);
    let beside = |secs: f32| {
        let value = value(channel, here + slope * secs, order);
        if value.dot(at) < 0.0 { -value } else { value }
    };
    let step = STEP.min(MAX_CHANGES[1] / slope.abs().max_element().max(f32::MIN_POSITIVE));
    (beside(step) - beside(-step)) / (2.0 * step)
}

/// A curve: a bone, a channel, and one of its three numbers.
pub type CurveId = (BoneIndex, Channel, usize);

#[derive(Clone, Copy, Debug)]
pub struct CurveKey {
    /// The index of its keyframe.
    pub keyframe: usize,
    /// The start of its keyframe.
    pub time: Time,
    /// The three numbers of the key. Rotations don't jump from key to key.
    pub shown: Vec3,
    pub key: Key,
}

/// A handle of a key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurveHandle {
    /// Where it begins: at the key. That before the first key of a loop begins at the end of the loop, where the key is reached again.
    pub time: Time,
    /// The three numbers there.
    pub at: Vec3,
    /// The change of the three numbers per second.
    pub slope: Vec3,
    /// The length, as a fraction of the span.
    pub length: f32,
    /// The seconds to the neighbouring key: negative before the key.
    pub span: f32,
}

impl CurveHandle {
    /// The seconds from where it begins to its end: negative before the key.
    pub fn secs(&self) -> f32 {
        self.length * self.span
    }

    /// The three numbers at its end.
    pub fn end(&self) -> Vec3 {
        self.at + self.slope * self.secs()
    }
}

/// The three curves of a channel.
#[derive(Clone, Debug)]
pub struct ChannelCurves {
    pub bone: BoneIndex,
    /// The channel of the bone.
    pub channel: Channel,
    /// At least one.
    pub keys: Vec<CurveKey>,
    /// How its rotations are read.
    pub reading: Reading,
    track: Track,
    /// The first key where a loop reaches it again, later than the last one.
    again: Option<CurveKey>,
}

/// The number of samples between two keys that keep the angles of a rotation from jumping.
const STEPS: i64 = 8;

impl ChannelCurves {
    /// The curves of a channel; `None` if the clip does not key it.
    pub fn of(clip: &Clip, bone: BoneIndex, channel: Channel, reading: Reading) -> Option<ChannelCurves> {
        let track = Track::of_keys(clip, bone, channel)?;
        let starts: Vec<Time> = clip.starts().collect();
        let mut keys: Vec<CurveKey> = Vec::with_capacity(track.keys.len());
        let mut near = Vec3::ZERO;
        for &(time, key) in &track.keys {
            near = keys.last().map_or(near, |before| near_at(&track, before, time, reading.order));
            near = reading.shown(channel, time, key.value, near);
            let keyframe = starts.binary_search(&time).unwrap_or_default();
            keys.push(CurveKey { keyframe, time, shown: near, key });
        }
        let again = again(&track, &keys, reading.order);
        Some(ChannelCurves { bone, channel, keys, reading, track, again })
    }

    /// The three numbers at ascending times.
    pub fn sample(&self, times: impl Iterator<Item = Time>) -> Vec<Vec3> {
        self.shown_of(times.map(|time| (time, self.track.sample(time))))
    }

    /// The three numbers of values at ascending times.
    pub fn shown_of(&self, values: impl Iterator<Item = (Time, Vec4)>) -> Vec<Vec3> {
        let mut before: Option<(usize, Vec3)> = None;
        let one = |(time, value): (Time, Vec4)| {
            let at = self.keys.partition_point(|key| key.time <= time).saturating_sub(1);
            let near = match before {
                Some((last, near)) if last == at => near,
                _ => self.keys[at].shown,
            };
            let shown = shown(self.channel, value, self.reading.order, near);
            before = Some((at, shown));
            shown
        };
        values.map(one).collect()
    }

    /// The key at a keyframe.
    pub fn key(&self, keyframe: usize) -> Option<&CurveKey> {
        let at = self.keys.binary_search_by_key(&keyframe, |key| key.keyframe).ok()?;
        self.keys.get(at)
    }

    /// The handles of a key, before and after it; `None` on a side without a cubic segment.
    pub fn handles(&self, keyframe: usize) -> [Option<CurveHandle>; 2] {
        let Ok(at) = self.keys.binary_search_by_key(&keyframe, |key| key.keyframe) else { return [None; 2] };
        let (here, last) = (&self.keys[at], &self.keys[self.keys.len() - 1]);
        let of = |from: &CurveKey, other: &CurveKey, tangent, length| {
            let CurveKey { shown, key, time, .. } = *from;
            let slope = slope(self.channel, key.value, tangent, self.reading.order, shown);
            CurveHandle { time, at: shown, slope, length, span: (other.time - time).secs() as f32 }
        };
        let before = match at.checked_sub(1) {
            Some(before) => Some((here, &self.keys[before])),
            None => self.again.as_ref().map(|again| (again, last)),
        };
        let before = before.filter(|(_, before)| before.key.ease.has_tangents());
        let after = self.keys.get(at + 1).or(self.again.as_ref()).filter(|_| here.key.ease.has_tangents());
        [
            before.map(|(here, before)| of(here, before, here.key.in_tangent, here.key.in_length)),
            after.map(|after| of(here, after, here.key.out_tangent, here.key.out_length)),
        ]
    }

    /// The minimum and maximum of one of the numbers, at keys and between them.
    pub fn range(&self, axis: usize) -> (f32, f32) {
        let (from, to) = (self.keys[0].time, self.keys[self.keys.len() - 1].time);
        let between = (0..=RANGE_STEPS).map(|at| from + (to - from) / RANGE_STEPS * at);
        let values = self.sample(between).into_iter().chain(self.keys.iter().map(|key| key.shown));
        values.map(|shown| shown[axis]).fold((f32::MAX, f32::MIN), |(min, max), value| (min.min(value), max.max(value)))
    }
}

/// The numbers of a rotation shortly before a time after a key, from which those at the time don't jump.
fn near_at(track: &Track, before: &CurveKey, time: Time, order: EulerOrder) -> Vec3 {
    if track.channel != Channel::Rotation {
        return before.shown;
    }
    let step = (time - before.time) / STEPS;
    let wrapped = |time: Time| track.seam.filter(|seam| time > *seam).map_or(time, |seam| time - seam);
    let between = (1..STEPS).map(|at| track.sample(wrapped(before.time + step * at)));
    between.fold(before.shown, |near, value| shown(track.channel, value, order, near))
}

/// The first of several keys where a loop reaches it again, if some time passes between it and the last one.
fn again(track: &Track, keys: &[CurveKey], order: EulerOrder) -> Option<CurveKey> {
    let ([first, .., last], Some(seam)) = (keys, track.seam) else { return None };
    let time = seam + first.time;
    let near = near_at(track, last, time, order);
    (time > last.time).then(|| CurveKey { time, shown: shown(track.channel, first.key.value, order, near), ..*first })
}

/// The number of samples that find the range of a curve.
const RANGE_STEPS: i64 = 64;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_and_tangents_answer_each_other() {
        for order in EulerOrder::ALL {
            let at = value(Channel::Rotation, Vec3::new(20.0, -30.0, 100.0), order);
            for sign in [1.0, -1.0] {
                for wanted in [Vec3::ZERO, Vec3::new(40.0, 0.0, 0.0), Vec3::new(-10.0, 25.0, 90.0)] {
                    let tangent = tangent(Channel::Rotation, at * sign, wanted, order, Vec3::ZERO);
                    let got = slope(Channel::Rotation, at * sign, tangent, order, Vec3::ZERO);
                    assert!(got.distance(wanted) < 0.5, "{order:?} {wanted} {got}");
                }
            }
        }
        let order = EulerOrder::Xyz;
        let at = Vec4::new(1.0, 2.0, 3.0, 0.0);
        let tangent = tangent(Channel::Scale, at, Vec3::X, order, Vec3::ZERO);
        assert_eq!(slope(Channel::Scale, at, tangent, order, Vec3::ZERO), Vec3::X);
    }

    #[test]
    fn a_rotation_of_more_than_a_full_turn_is_shown_without_a_jump() {
        use keypose::anim::clip::Keyframe;
        let keyframe = |at: i32| Keyframe {
            duration: Time::SECOND,
            keys: vec![Key::rotation(0, euler::rotation(Vec3::new(0.0, 0.0, at as f32 * 100.0), EulerOrder::Xyz))]
                .into(),
            ..Keyframe::default()
        };
        let clip = Clip { keyframes: (0..6).map(keyframe).collect(), ..Clip::new("turn") };
        let curves = ChannelCurves::of(&clip, 0, Channel::Rotation, Reading::default()).unwrap();
        let shown: Vec<f32> = curves.keys.iter().map(|key| key.shown.z.round()).collect();
        assert_eq!(shown, [0.0, 100.0, 200.0, 300.0, 400.0, 500.0]);
        let half = curves.sample([Time::SECOND / 2, Time::SECOND * 9 / 2].into_iter());
        assert!((half[0].z - 50.0).abs() < 0.1 && (half[1].z - 450.0).abs() < 0.1, "{half:?}");
        assert!(curves.range(2).1 > 499.0);
        assert_eq!(curves.handles(1), [None, None]);
        assert!(ChannelCurves::of(&clip, 1, Channel::Rotation, Reading::default()).is_none());
    }

    #[test]
    fn entered_angles_are_shown_while_they_describe_the_rotation() {
        let entered = Vec3::new(0.0, 0.0, 370.0);
        let reading = Reading { order: EulerOrder::Yzx, entered: [(Time::SECOND, entered)].into() };
        let rotation = euler::rotation(entered, EulerOrder::Yzx);
        assert_eq!(reading.degrees(Time::SECOND, rotation, Vec3::ZERO), entered);
        assert!((reading.degrees(Time::ZERO, rotation, Vec3::ZERO).z - 10.0).abs() < 1e-3);
        let other = euler::rotation(Vec3::new(0.0, 0.0, 20.0), EulerOrder::Yzx);
        assert!((reading.degrees(Time::SECOND, other, Vec3::ZERO).z - 20.0).abs() < 1e-3);
    }
}
