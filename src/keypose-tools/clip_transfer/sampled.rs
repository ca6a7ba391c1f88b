//! A clip of sampled poses: a key for every channel that moves, as few as describe the motion.

use crate::anim::clip::{Clip, Keyframe, KeyframeKind, LoopMode};
use crate::anim::fit;
use crate::anim::key::{Channel, Ease, Key};
use crate::anim::keys::Keys;
use crate::anim::pose::LocalPose;
use crate::anim::skeleton::BoneIndex;
use crate::anim::time::Time;
use crate::anim::track::Track;
use crate::anim::transform::Transform;

/// Maximum error of rotations in radians.
const ROTATION: f32 = 5e-4;
/// Maximum number of samples times bones, for all clips of a library together.
pub const MAX_TRANSFORMS: usize = 1 << 20;
/// Additional transforms per key of a clip.
const TRANSFORMS_PER_KEY: usize = 8;
/// Maximum of both for a clip: of a long recording, some keyframes are sampled.
const MAX_OF_CLIP: usize = 4 << 20;

/// The interpolation of sampled keys that follow some bones: steps if all of these that move jump from key to key.
pub fn ease(clip: &Clip, is_followed: impl Fn(BoneIndex) -> bool) -> Ease {
    let jumps = |track: &Track| track.keys.iter().all(|(_, key)| key.ease == Ease::Step);
    let is_still = |track: &Track| track.keys.iter().all(|(_, key)| key.value == track.keys[0].1.value);
    let mut tracks = Track::all_of(clip);
    tracks.retain(|track| track.channel.scalar().is_none() && is_followed(track.bone) && !is_still(track));
    if !tracks.is_empty() && tracks.iter().all(jumps) { Ease::Step } else { Ease::Linear }
}

/// The times of the keyframes and of all frames between them, and in a loop up to its end. If those are more than the maximum, or for
/// keys that are steps, the times of the keyframes alone, or some of them.
pub fn times(clip: &Clip, max: usize, ease: Ease) -> Vec<Time> {
    let mut times: Vec<Time> = clip.starts().collect();
    let last = times.last().copied().unwrap_or_default();
    let (end, is_open) = match clip.loop_mode {
        LoopMode::Loop if clip.length() > last => (clip.length(), true),
        LoopMode::Loop | LoopMode::Once | LoopMode::PingPong => (last, false),
    };
    let frames = clip.frame_rate.nearest_frame(end).max(0);
    if ease != Ease::Step && usize::try_from(frames).is_ok_and(|frames| frames.saturating_add(times.len()) <= max) {
        let starts = times.clone();
        // A frame that misses a keyframe by rounding is that keyframe.
        let is_near = |time: Time| {
            let after = starts.partition_point(|start| *start < time);
            let near = starts[after.saturating_sub(1)..].iter().take(2);
            near.into_iter().any(|start| (*start - time).millis().abs() < 0.01)
        };
        let inside = |time: &Time| if is_open { *time < end } else { *time <= end };
        let frames = (0..=frames).map(|frame| clip.frame_rate.time_of(frame));
        times.extend(frames.filter(inside).filter(|time| !is_near(*time)));
    }
    times.sort_unstable();
    let step = times.len().div_ceil(max.max(1));
    let mut at = 0..;
    times.retain(|_| at.next().is_some_and(|at: usize| at.is_multiple_of(step)));
    times.dedup();
    times
}

/// Maximum number of samples of a clip for skeletons of that many bones.
pub fn max_samples(clip: &Clip, share: usize, bones: usize) -> usize {
    let keys: usize = clip.keyframes.iter().map(|keyframe| keyframe.keys.len()).sum();
    keys.saturating_mul(TRANSFORMS_PER_KEY).saturating_add(share).min(MAX_OF_CLIP) / bones.max(1)
}

/// The clip with other keys for some bones: those of poses at times, as few as describe the motion. Bones with a tolerance have keys
/// of their positions, with at most that error in the parent's units. Keys of other bones stay.
pub fn merged(
    clip: &Clip,
    times: &[Time],
    poses: &[LocalPose],
    bones: &[(BoneIndex, Option<f32>)],
    ease: Ease,
) -> Clip {
    let ends = times.iter().skip(1).copied().chain([clip.length()]);
    let keyframe = |((start, end), pose): ((&Time, Time), &LocalPose)| {
        let mut keys = Keys::default();
        for (bone, tolerance) in bones {
            let transform = pose.get(usize::from(*bone));
            if tolerance.is_some() {
                keys.push(key(*bone, Channel::Translation, &transform, ease));
            }
            keys.push(key(*bone, Channel::Rotation, &transform, ease));
        }
        keys.sort_by_key(Key::address);
        Keyframe { duration: end - *start, keys, ..Keyframe::default() }
    };
    let keyframes = times.iter().zip(ends).zip(poses).map(keyframe).collect();
    let dense = Clip { keyframes, ..clip.clone() };
    let tolerance = |bone: BoneIndex| bones.iter().find(|(one, _)| *one == bone).and_then(|(_, tolerance)| *tolerance);
    let tracks = Track::all_of(&dense).into_iter().map(|track| match track.channel {
        Channel::Translation => fit::reduce(&track, tolerance(track.bone).unwrap_or_default()),
        Channel::Rotation | Channel::Scale | Channel::Scalar(_) => fit::reduce(&track, ROTATION),
    });
    let is_replaced = |key: &Key| match key.channel {
        Channel::Rotation => bones.iter().any(|(bone, _)| *bone == key.bone),
        Channel::Translation => tolerance(key.bone).is_some(),
        Channel::Scale | Channel::Scalar(_) => false,
    };
    let kept = clip.starts().zip(&clip.keyframes).flat_map(|(start, keyframe)| {
        keyframe.keys.iter().filter(|key| !is_replaced(key)).map(move |key| (start, *key)).collect::<Vec<_>>()
    });
    let mut keys: Vec<(Time, Key)> = tracks.flat_map(|track| track.keys).chain(kept).collect();
    keys.sort_by_key(|(time, key)| (*time, key.address()));
    let mut starts: Vec<Time> = keys.iter().map(|(time, _)| *time).chain(clip.starts()).collect();
    starts.sort_unstable();
    starts.dedup();
    let ends = starts.iter().skip(1).copied().chain([clip.length()]);
    let keyframe = |((start, end), kind): ((&Time, Time), KeyframeKind)| {
        let here = keys.partition_point(|(time, _)| time < start)..keys.partition_point(|(time, _)| time <= start);
        Keyframe { duration: end - *start, keys: keys[here].iter().map(|(_, key)| *key).collect(), kind }
    };
    let kinds = clip.kinds_at(&starts);
    Clip { keyframes: starts.iter().zip(ends).zip(kinds).map(keyframe).collect(), ..clip.clone() }
}

fn key(bone: u16, channel: Channel, transform: &Transform, ease: Ease) -> Key {
    Key { ease, ..Key::new(bone, channel, channel.of(transform)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clip_of_too_many_frames_is_sampled_at_some_of_its_keyframes() {
        let keyframe = Keyframe { duration: Time(Time::SECOND.0), ..Keyframe::default() };
        let clip = Clip { keyframes: vec![keyframe; 1000].into(), loop_mode: LoopMode::Once, ..Clip::new("long") };
        assert_eq!(
            times(&clip, 1_000_000, Ease::Linear).len(),
            usize::try_from(clip.frame_rate.nearest_frame(Time(999 * Time::SECOND.0))).unwrap() + 1
        );
        assert_eq!(times(&clip, 1500, Ease::Linear).len(), 1000);
        let some = times(&clip, 100, Ease::Linear);
        assert_eq!((some.len(), some[0], some[1]), (100, Time::ZERO, Time(10 * Time::SECOND.0)));
        assert_eq!(times(&clip, 0, Ease::Linear).len(), 1);
    }
}
