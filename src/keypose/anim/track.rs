//! A track: all keys of one channel of one bone, sorted by time. The exact evaluation of a clip, from which baked forms
//! are made and which they are tested against.

use std::cell::Cell;

use glam::Vec4;

use crate::anim::clip::{Clip, LoopMode};
use crate::anim::curve::Segment;
use crate::anim::delay::delayed;
use crate::anim::key::{Channel, Key};
use crate::anim::nearest_keys::channels_of;
use crate::anim::skeleton::BoneIndex;
use crate::anim::slerp::unit_or;
use crate::anim::time::Time;

/// Neighbours that a search which starts near its end tries before it looks at all keys.
const MAX_STEPS: usize = 4;

/// The keys of one channel of one bone with their times, and whether the clip loops.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// The index of the bone in the skeleton.
    pub bone: BoneIndex,
    /// The part of the transform, or the scalar.
    pub channel: Channel,
    /// At least one; times strictly ascend. Where the bone has a delay, they are those at which the keys are played.
    pub keys: Vec<(Time, Key)>,
    /// The clip's length if it loops: the last key is then interpolated to the first across that seam.
    pub seam: Option<Time>,
}

impl Track {
    /// All keyed channels of a clip as it is played, sorted by bone and channel.
    pub fn all_of(clip: &Clip) -> Vec<Track> {
        let mut tracks = Track::keyed(clip, |_| true);
        if !clip.delays.is_empty() {
            tracks.iter_mut().for_each(|track| track.delay(clip));
        }
        tracks
    }

    /// As [`Track::all_of`], of the bones that have a delay.
    pub fn delayed(clip: &Clip) -> Vec<Track> {
        let mut tracks = Track::keyed(clip, |bone| clip.delays.iter().any(|delay| delay.bone == bone));
        tracks.iter_mut().for_each(|track| track.delay(clip));
        tracks
    }

    /// The keyed channels of some bones with the times that their keys have in the clip, without delays: for what changes keys.
    pub fn keyed(clip: &Clip, has: impl Fn(BoneIndex) -> bool) -> Vec<Track> {
        let seam = (clip.loop_mode == LoopMode::Loop).then(|| clip.length());
        if !clip.keyframes.iter().all(|keyframe| keyframe.keys.is_sorted_by_key(Key::address)) {
            return Track::unsorted(clip, has, seam);
        }
        let mut channels = channels_of(&clip.keyframes);
        channels.retain(|(bone, _)| has(*bone));
        let mut keys = vec![Vec::new(); channels.len()];
        for (start, keyframe) in clip.starts().zip(&clip.keyframes) {
            keyframe.find_channels(&channels, |channel, key| keys[channel].push((start, keyframe.keys[key])));
        }
        let track = |((bone, channel), keys)| Track { bone, channel, keys, seam };
        channels.into_iter().zip(keys).map(track).collect()
    }

    /// As [`Track::keyed`], with keys in any order: those of a clip in the making.
    fn unsorted(clip: &Clip, has: impl Fn(BoneIndex) -> bool, seam: Option<Time>) -> Vec<Track> {
        let mut keys: Vec<(Time, Key)> = Vec::new();
        for (start, keyframe) in clip.starts().zip(&clip.keyframes) {
            keys.extend(keyframe.keys.iter().filter(|key| has(key.bone)).map(|key| (start, *key)));
        }
        keys.sort_by_key(|(time, key)| (key.address(), *time));
        let track = |keys: &[(Time, Key)]| {
            let (bone, channel) = keys[0].1.address();
            Track { bone, channel, keys: keys.to_vec(), seam }
        };
        keys.chunk_by(|a, b| a.1.address() == b.1.address()).map(track).collect()
    }

    /// The track of one channel as it is played, if it has any keys.
    pub fn of(clip: &Clip, bone: BoneIndex, channel: Channel) -> Option<Track> {
        let mut track = Track::of_keys(clip, bone, channel)?;
        track.delay(clip);
        Some(track)
    }

    fn delay(&mut self, clip: &Clip) {
        let by = clip.delay_of(self.bone);
        if by != Time::ZERO {
            self.keys = delayed(std::mem::take(&mut self.keys), by, (clip.length(), self.seam.is_some()));
        }
    }

    /// The track of one channel without the delay of the bone, if it has any keys.
    pub fn of_keys(clip: &Clip, bone: BoneIndex, channel: Channel) -> Option<Track> {
        let seam = (clip.loop_mode == LoopMode::Loop).then(|| clip.length());
        let columns = clip.starts().zip(&clip.keyframes);
        let keys = columns.filter_map(|(start, keyframe)| keyframe.key(bone, channel).map(|key| (start, *key)));
        let keys: Vec<_> = keys.collect();
        (!keys.is_empty()).then_some(Track { bone, channel, keys, seam })
    }

    /// The value at a clip time in `0..=length`: interpolated between the key before and the key after; constant before
    /// the first and after the last, or interpolated across the seam if the clip loops.
    pub fn sample(&self, time: Time) -> Vec4 {
        self.between(self.keys.partition_point(|(at, _)| *at <= time), time)
    }

    /// The limit of [`Track::sample`] as time approaches `time` from below. It differs only at the end of a step
    /// segment.
    pub fn sample_before(&self, time: Time) -> Vec4 {
        self.between(self.keys.partition_point(|(at, _)| *at < time), time)
    }

    /// As [`Track::sample`], for times that follow one another: `near` is the number of keys up to the last time, from which the search
    /// starts.
    pub fn sample_near(&self, time: Time, near: &Cell<usize>) -> Vec4 {
        self.between(self.count_near(near, |at| at <= time), time)
    }

    /// As [`Track::sample_before`], for times that follow one another.
    pub fn sample_before_near(&self, time: Time, near: &Cell<usize>) -> Vec4 {
        self.between(self.count_near(near, |at| at < time), time)
    }

    /// The number of keys for whose time `is_before` is true.
    fn count_near(&self, near: &Cell<usize>, is_before: impl Fn(Time) -> bool) -> usize {
        let mut count = near.get().min(self.keys.len());
        for _ in 0..MAX_STEPS {
            match (count.checked_sub(1).map(|at| &self.keys[at]), self.keys.get(count)) {
                (_, Some((after, _))) if is_before(*after) => count += 1,
                (Some((before, _)), _) if !is_before(*before) => count -= 1,
                _ => {
                    near.set(count);
                    return count;
                }
            }
        }
        near.set(self.keys.partition_point(|(at, _)| is_before(*at)));
        near.get()
    }

    /// The value at `time`, which is before the key `after` and not before the one preceding it.
    fn between(&self, after: usize, time: Time) -> Vec4 {
        let (first, last) = (&self.keys[0], &self.keys[self.keys.len() - 1]);
        let value = match (after, self.seam) {
            (0, None) => first.1.value,
            (0, Some(length)) => {
                let first = nearer(&last.1, &first.1, first.0);
                segment((last.0 - length, &last.1), (first.0, &first.1), time)
            }
            (after, None) if after == self.keys.len() => last.1.value,
            (after, Some(length)) if after == self.keys.len() => {
                let first = nearer(&last.1, &first.1, first.0 + length);
                segment((last.0, &last.1), (first.0, &first.1), time)
            }
            (after, _) => {
                let (from, to) = (&self.keys[after - 1], &self.keys[after]);
                segment((from.0, &from.1), (to.0, &to.1), time)
            }
        };
        match self.channel {
            Channel::Rotation => unit_or(value, first.1.value),
            _ => value,
        }
    }
}

/// The first key as seen from the last one across the seam: a rotation is negated if that is the shorter way. Within a
/// clip the signs of the keys determine the way of a cubic; only a full rotation can't keep one sign across the seam.
fn nearer(last: &Key, first: &Key, time: Time) -> (Time, Key) {
    let is_far = first.channel == Channel::Rotation && last.value.dot(first.value) < 0.0;
    let sign = if is_far { -1.0 } else { 1.0 };
    let (value, in_tangent) = (first.value * sign, first.in_tangent * sign);
    (time, Key { value, in_tangent, ..*first })
}

/// The value between two keys, `from` at or before `time`, `to` after it.
fn segment(from: (Time, &Key), to: (Time, &Key), time: Time) -> Vec4 {
    if time == from.0 {
        return from.1.value;
    }
    let length = to.0 - from.0;
    let fraction = (time - from.0).fraction_of(length) as f32;
    let mut segment = Segment::between(from.1, to.1, length.secs() as f32);
    if segment.channel == Channel::Rotation && segment.ease.slerps() {
        (segment.from, segment.to) = (unit_or(segment.from, Vec4::W), unit_or(segment.to, Vec4::W));
    }
    segment.at(fraction)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anim::clip::Keyframe;
    use glam::Vec3;

    fn clip(loop_mode: LoopMode) -> Clip {
        let keyframe = |duration, value: Option<f32>| Keyframe {
            duration: Time(duration),
            keys: value.map(|x| Key::translation(0, Vec3::splat(x))).into_iter().collect(),
            ..Keyframe::default()
        };
        let keyframes = vec![keyframe(10, None), keyframe(10, Some(1.0)), keyframe(10, Some(2.0)), keyframe(10, None)];
        Clip { loop_mode, keyframes: keyframes.into(), ..Clip::new("test") }
    }

    /// ```text
    /// time      0    10    20    30    40
    /// keys            1     2
    /// once      1     1     2     2     2
    /// loop     4/3    1     2    5/3   4/3
    /// ```
    #[test]
    fn outside_its_keys_a_track_holds_or_loops() {
        let once = [(0, 1.0), (10, 1.0), (15, 1.5), (20, 2.0), (40, 2.0)];
        let looped = [(0, 4.0 / 3.0), (10, 1.0), (15, 1.5), (20, 2.0), (30, 5.0 / 3.0), (40, 4.0 / 3.0)];
        for (mode, cases) in [(LoopMode::Once, &once[..]), (LoopMode::Loop, &looped[..])] {
            let track = Track::of(&clip(mode), 0, Channel::Translation).unwrap();
            for &(time, expected) in cases {
                assert!((track.sample(Time(time)).x - expected).abs() < 1e-6, "{mode:?} at {time}");
            }
        }
    }

    #[test]
    fn keys_in_any_order_make_the_same_tracks() {
        let key = |bone| Key::translation(bone, Vec3::splat(f32::from(bone)));
        let of = |bones: &[u16]| {
            let keyframe = Keyframe {
                duration: Time(5),
                keys: bones.iter().map(|bone| key(*bone)).collect(),
                ..Keyframe::default()
            };
            Track::all_of(&Clip { keyframes: vec![keyframe; 3].into(), ..Clip::new("a") })
        };
        assert_eq!(of(&[3, 0, 2]), of(&[0, 2, 3]));
    }

    #[test]
    fn a_search_from_nearby_finds_the_same() {
        let keys: Vec<_> = (0..40).map(|at| (Time(at * at), Key::translation(0, Vec3::splat(at as f32)))).collect();
        let track = Track { bone: 0, channel: Channel::Translation, keys, seam: None };
        let near = Cell::new(0);
        for time in (-3..1600).chain((0..1600).step_by(97)).chain((0..50).map(|at| 1500 - at * 31)).map(Time) {
            assert_eq!(track.sample_near(time, &near), track.sample(time));
            assert_eq!(track.sample_before_near(time, &near), track.sample_before(time));
        }
    }

    #[test]
    fn a_closing_keyframe_of_no_duration_is_the_end() {
        let mut clip = clip(LoopMode::Loop);
        clip.keyframes[3] = Keyframe {
            duration: Time::ZERO,
            keys: vec![Key::translation(0, Vec3::splat(5.0))].into(),
            ..Keyframe::default()
        };
        let track = Track::of(&clip, 0, Channel::Translation).unwrap();
        assert_eq!(track.sample(Time(30)).x, 5.0);
        assert_eq!(Track::all_of(&clip), [track]);
        assert_eq!(Track::of(&clip, 1, Channel::Translation), None);
    }
}
