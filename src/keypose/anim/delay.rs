//! Delays: a bone of a clip moves later than its keys, or earlier. The keys keep their times; [`Track`] has the delayed ones, so all that
//! is made from tracks follows.
//!
//! [`Track`]: crate::anim::track::Track

use std::borrow::Cow;
use std::collections::BTreeSet;

use glam::Vec4;

use crate::anim::clip::{Clip, Keyframe, KeyframeKind, LoopMode};
use crate::anim::curve::split_within;
use crate::anim::key::{BoneIndex, Channel, Key};
use crate::anim::keys::Keys;
use crate::anim::shared_list::SharedList;
use crate::anim::time::Time;
use crate::anim::track::Track;

/// A loop whose last key differs from its first one by no more than this in any component is closed: one of them is enough.
const CLOSED: f32 = 1e-4;
/// The maximum error of a rotation that is cut at an end of the clip, in components of the quaternion.
const MAX_ERROR: f32 = 1e-6;

/// The delay of a bone. In a loop its keys move around the loop; otherwise its motion is cut off at the end of the clip, and holds before
/// it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delay {
    /// The index of the bone in the skeleton.
    pub bone: BoneIndex,
    /// Not zero; negative if the bone moves earlier than its keys. At most [`Time::LONGEST`] either way.
    pub by: Time,
}

impl Clip {
    /// The delay of a bone; zero if it has none.
    pub fn delay_of(&self, bone: BoneIndex) -> Time {
        self.delays.iter().find(|delay| delay.bone == bone).map_or(Time::ZERO, |delay| delay.by)
    }

    /// Sets or removes (zero) the delay of a bone.
    pub fn set_delay(&mut self, bone: BoneIndex, by: Time) {
        let others = self.delays.iter().copied().filter(|delay| delay.bone != bone);
        let own = Some(Delay { bone, by }).filter(|delay| delay.by != Time::ZERO);
        self.set_delays(others.chain(own).collect());
    }

    /// Replaces the delays: in any order, zero ones are left out, of several for a bone the first counts.
    pub fn set_delays(&mut self, mut delays: Vec<Delay>) {
        delays.retain(|delay| delay.by != Time::ZERO);
        delays.sort_by_key(|delay| delay.bone);
        delays.dedup_by_key(|delay| delay.bone);
        self.delays = SharedList::from(delays);
    }

    /// Moves the delays to other bones, as a change of indices moves the keys of these bones.
    pub fn move_delays(&mut self, moved: impl Fn(&Key) -> Option<Key>) {
        if !self.delays.is_empty() {
            let place = |delay: &Delay| moved(&Key::new(delay.bone, Channel::Scale, Vec4::ONE)).map(|key| key.bone);
            self.set_delays(
                self.delays.iter().filter_map(|delay| Some(Delay { bone: place(delay)?, ..*delay })).collect(),
            );
        }
    }

    /// The clip with delayed keys instead of delays: it plays the same.
    pub fn without_delays(&self) -> Cow<'_, Clip> {
        if self.delays.is_empty() {
            return Cow::Borrowed(self);
        }
        Cow::Owned(self.with_tracks(Track::all_of(self)))
    }

    /// The clip with the keys of tracks, without delays of its own. Its keyframes stay; where keys are at other times, it has more.
    pub fn with_tracks(&self, tracks: impl IntoIterator<Item = Track>) -> Clip {
        let mut keys: Vec<(Time, Key)> = tracks.into_iter().flat_map(|track| track.keys).collect();
        keys.sort_by_key(|(time, key)| (*time, key.address()));
        let mut starts: Vec<Time> = self.starts().chain(keys.iter().map(|(time, _)| *time)).collect();
        starts.sort_unstable();
        starts.dedup();
        let ends = starts.iter().skip(1).copied().chain([self.length()]);
        let keyframe = |((start, end), kind): ((&Time, Time), KeyframeKind)| {
            let here = keys.partition_point(|(time, _)| time < start)..keys.partition_point(|(time, _)| time <= start);
            let keys: Keys = keys[here].iter().map(|(_, key)| *key).collect();
            Keyframe { duration: end - *start, keys, kind }
        };
        let keyframes = starts.iter().zip(ends).zip(self.kinds_at(&starts)).map(keyframe).collect();
        Clip { keyframes, delays: SharedList::default(), ..self.clone() }
    }

    /// The clip with these tracks instead of its own tracks of the same channels, without delays. See [`Clip::with_tracks`].
    pub fn with_replaced(&self, tracks: impl IntoIterator<Item = Track>) -> Clip {
        let tracks: Vec<Track> = tracks.into_iter().collect();
        let channel = |track: &Track| (track.bone, track.channel);
        let replaced: BTreeSet<(BoneIndex, Channel)> = tracks.iter().map(channel).collect();
        let kept = Track::all_of(self).into_iter().filter(|track| !replaced.contains(&channel(track)));
        self.with_tracks(kept.chain(tracks))
    }

    /// The time at which a value of a bone has to be keyed that is to be seen at `time`.
    pub fn keyed_time(&self, bone: BoneIndex, time: Time) -> Time {
        let by = self.delay_of(bone);
        if by == Time::ZERO {
            return time;
        }
        self.placed(time - by)
    }

    /// The time at which a key of a bone at `time` is seen.
    pub fn seen_time(&self, bone: BoneIndex, time: Time) -> Time {
        let by = self.delay_of(bone);
        if by == Time::ZERO { time } else { self.placed(time + by) }
    }

    fn placed(&self, time: Time) -> Time {
        match self.loop_mode {
            LoopMode::Loop => time % self.length(),
            LoopMode::Once | LoopMode::PingPong => time.min(self.length()).max(Time::ZERO),
        }
    }

    /// Checks order and values of the delays.
    pub(crate) fn has_valid_delays(&self) -> bool {
        let mut before = None;
        self.delays.iter().all(|delay| {
            let follows = before.replace(delay.bone).is_none_or(|before| before < delay.bone);
            follows && delay.by != Time::ZERO && delay.by <= Time::LONGEST && delay.by >= -Time::LONGEST
        })
    }
}

/// The keys of a channel as they are played in a clip of a length: delayed around the loop, or within the clip.
pub(crate) fn delayed(keys: Vec<(Time, Key)>, by: Time, (length, is_loop): (Time, bool)) -> Vec<(Time, Key)> {
    if by == Time::ZERO || keys.is_empty() {
        keys
    } else if is_loop && length > Time::ZERO {
        around(keys, by % length, length)
    } else {
        within(keys, by, length)
    }
}

/// ```text
/// keys                A-----B---C---A     the last one closes the loop
/// delayed by 4        C---A-----B---      A once, with both of its tangents
/// ```
fn around(mut keys: Vec<(Time, Key)>, by: Time, length: Time) -> Vec<(Time, Key)> {
    if by == Time::ZERO {
        return keys;
    }
    let (start, first) = keys[0];
    let last = keys[keys.len() - 1].1;
    let is_closed = keys.len() > 1 && start == Time::ZERO && keys[keys.len() - 1].0 == length;
    let closing = if is_closed { keys.pop() } else { None };
    let wrapped = keys.partition_point(|(time, _)| *time + by < length);
    // The way over the old seam is now inside, where signs of rotations decide about it.
    let sign = if first.channel == Channel::Rotation && last.value.dot(first.value) < 0.0 { -1.0 } else { 1.0 };
    let signed = |key: &Key| key.mapped(|value| value * sign, |tangent| tangent * sign);
    let mut out: Vec<(Time, Key)> =
        keys[wrapped..].iter().map(|(time, key)| (*time + by - length, signed(key))).collect();
    let inside = out.len();
    out.extend(keys[..wrapped].iter().map(|(time, key)| (*time + by, *key)));
    if let Some(closing) = closing.map(|(_, key)| signed(&key)) {
        let is_same = (closing.value - first.value).abs().max_element() <= CLOSED;
        if is_same {
            (out[inside].1.in_tangent, out[inside].1.in_length) = (closing.in_tangent, closing.in_length);
        } else if by > Time(1) && out[..inside].last().is_none_or(|(time, _)| *time < by - Time(1)) {
            out.insert(inside, (by - Time(1), closing));
        }
    }
    out
}

fn within(mut keys: Vec<(Time, Key)>, by: Time, length: Time) -> Vec<(Time, Key)> {
    keys.iter_mut().for_each(|(time, _)| *time += by);
    cut(&mut keys, if by > Time::ZERO { length } else { Time::ZERO });
    let (first, last) = (keys[0], keys[keys.len() - 1]);
    keys.retain(|(time, _)| (Time::ZERO..=length).contains(time));
    if keys.is_empty() {
        keys.push(if first.0 > length { (length, first.1) } else { (Time::ZERO, last.1) });
    }
    keys
}

/// Inserts keys at a time between two others without changing the curve.
fn cut(keys: &mut Vec<(Time, Key)>, at: Time) {
    let Err(place) = keys.binary_search_by_key(&at, |(time, _)| *time) else { return };
    let ([.., (start, from)], [(end, to), ..]) = keys.split_at_mut(place) else { return };
    let (start, length) = (*start, *end - *start);
    let fraction = (at - start).fraction_of(length) as f32;
    let made = split_within(from, to, length.secs() as f32, fraction, MAX_ERROR);
    let time = |part: f32| {
        if part == fraction { at } else { start + Time::from_secs(f64::from(part) * length.secs()) }
    };
    let made: Vec<(Time, Key)> = made.into_iter().map(|(part, key)| (time(part), key)).collect();
    keys.splice(place..place, made);
    keys.dedup_by_key(|(time, _)| *time);
}

#[cfg(test)]
mod tests {
    use glam::{Quat, Vec3};

    use super::*;
    use crate::anim::bake::bake;
    use crate::anim::clip::Keyframe;
    use crate::anim::fit::distance;
    use crate::anim::key::Ease;
    use crate::anim::pose::LocalPose;
    use crate::anim::skeleton::{Bone, Skeleton};
    use crate::anim::tangent::resolve_tangents;

    /// Five keyframes of 6 frames; a bone of each ease. Closed by a keyframe of no duration, or across the seam.
    fn clip(mode: LoopMode, is_closed: bool) -> Clip {
        let mut clip = Clip { loop_mode: mode, ..Clip::new("tail") };
        let frames = |count| clip.frame_rate.time_of(count);
        let keys = |at: usize| {
            let part = (at % 5) as f32;
            let turn = Quat::from_rotation_z((part * 1.3).sin()) * Quat::from_rotation_x(part * 0.2);
            let keys = Ease::ALL.into_iter().zip(0_u16..).flat_map(|(ease, bone)| {
                let keys = [Key::translation(bone, Vec3::new(part, part * part, -part)), Key::rotation(bone, turn)];
                keys.map(|key| Key { ease, ..key })
            });
            keys.collect()
        };
        let mut all: Vec<Keyframe> =
            (0..5).map(|at| Keyframe { duration: frames(6), keys: keys(at), ..Keyframe::default() }).collect();
        if is_closed {
            all.push(Keyframe { duration: Time::ZERO, keys: keys(5), ..Keyframe::default() });
        }
        clip.keyframes = all.into();
        resolve_tangents(&mut clip);
        clip
    }

    #[test]
    fn a_delayed_bone_is_at_each_time_where_it_was_that_much_earlier() {
        let modes =
            [(LoopMode::Loop, true), (LoopMode::Loop, false), (LoopMode::Once, true), (LoopMode::PingPong, false)];
        for (mode, is_closed) in modes {
            let plain = clip(mode, is_closed);
            let length = plain.length();
            for by in [1, 3, 7, 12, 29, 30, 64, -1, -5, -40] {
                let by = plain.frame_rate.time_of(by) + Time(by % 2 * 1_000);
                let mut late = plain.clone();
                (0..3).for_each(|bone| late.set_delay(bone, by));
                late.check().unwrap();
                for (was, is) in Track::all_of(&plain).iter().zip(Track::all_of(&late)) {
                    assert!(is.keys.is_sorted_by(|a, b| a.0 < b.0), "{mode:?} {by}");
                    for at in 0..400 {
                        // A jump lies between two flicks.
                        let time = Time(length.0 / 400 * at + 17);
                        let before = plain.placed(time - by);
                        let apart = distance(was.channel, was.sample(before), is.sample(time));
                        assert!(apart < 1e-5, "{mode:?} {is_closed} {by} bone {} {at}: {apart}", was.bone);
                    }
                }
            }
        }
    }

    #[test]
    fn a_delayed_loop_has_no_seam_when_it_is_baked() {
        let bone = |name: &str| Bone { name: name.into(), parent: None, rest: Default::default() };
        let skeleton = Skeleton::new(vec![bone("a"), bone("b"), bone("c")]).unwrap();
        for is_closed in [true, false] {
            let mut clip = clip(LoopMode::Loop, is_closed);
            (1..3).for_each(|bone| clip.set_delay(bone, clip.frame_rate.time_of(7)));
            let baked = bake(&clip, &skeleton);
            let (mut start, mut end) = (LocalPose::default(), LocalPose::default());
            baked.sample(Time::ZERO, &mut start);
            baked.sample(clip.length(), &mut end);
            for bone in 1..3 {
                for channel in [Channel::Translation, Channel::Rotation] {
                    let apart = distance(channel, start.value(bone, channel), end.value(bone, channel));
                    assert!(apart <= 1e-6, "bone {bone} {channel:?}: {apart}");
                }
            }
        }
    }

    #[test]
    fn delays_become_keys() {
        for mode in LoopMode::ALL {
            let mut late = clip(mode, false);
            late.set_delay(2, late.frame_rate.time_of(8));
            let plain = late.without_delays();
            plain.check().unwrap();
            assert_eq!((plain.delays.len(), plain.length()), (0, late.length()));
            assert_eq!(Track::all_of(&plain), Track::all_of(&late));
        }
    }

    #[test]
    fn tracks_replace_those_of_the_same_channels() {
        let clip = clip(LoopMode::Loop, true);
        let mut tracks = Track::all_of(&clip);
        tracks[2].keys = vec![(Time(1), tracks[2].keys[0].1)];
        assert_eq!(Track::all_of(&clip.with_replaced([tracks[2].clone()])), tracks);
    }

    #[test]
    fn values_are_keyed_where_they_are_seen() {
        for mode in LoopMode::ALL {
            let mut clip = clip(mode, false);
            clip.set_delay(1, clip.frame_rate.time_of(4));
            for frame in [5, 12, 20, 29] {
                let time = clip.frame_rate.time_of(frame);
                assert_eq!(clip.seen_time(1, clip.keyed_time(1, time)), time, "{mode:?} {frame}");
                assert_eq!(clip.keyed_time(0, time), time);
            }
        }
    }
}
