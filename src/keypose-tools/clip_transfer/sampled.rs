//! A clip of sampled poses: a key for every channel that moves, as few as describe the motion.

use crate::anim::clip::{Clip, LoopMode};
use crate::anim::fit;
use crate::anim::key::{Channel, Ease, Key};
use crate::anim::pose::LocalPose;
use crate::anim::skeleton::BoneIndex;
use crate::anim::time::Time;
use crate::anim::track::Track;

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
    let seam = (clip.loop_mode == LoopMode::Loop).then(|| clip.length());
    let track = |bone: BoneIndex, channel: Channel, max_error: f32| {
        let key = |pose: &LocalPose| Key { ease, ..Key::new(bone, channel, pose.value(bone, channel)) };
        let keys = times.iter().copied().zip(poses.iter().map(key)).collect();
        fit::reduce(&Track { bone, channel, keys, seam }, max_error)
    };
    let rotations = bones.iter().map(|(bone, _)| track(*bone, Channel::Rotation, ROTATION));
    let placed = bones.iter().filter_map(|(bone, tolerance)| Some((*bone, (*tolerance)?)));
    let places = placed.map(|(bone, tolerance)| track(bone, Channel::Translation, tolerance));
    clip.with_replaced(rotations.chain(places))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anim::clip::Keyframe;

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
