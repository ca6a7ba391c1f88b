//! A clip of sampled poses: a key for every channel that moves, as few as describe the motion.

use crate::anim::clip::{Clip, Keyframe, LoopMode};
use crate::anim::fit;
use crate::anim::key::{Channel, Ease, Key};
use crate::anim::keys::Keys;
use crate::anim::pose::LocalPose;
use crate::anim::skeleton::Skeleton;
use crate::anim::time::Time;
use crate::anim::transform::Transform;

/// Maximum error of rotations in radians.
const ROTATION: f32 = 5e-4;

/// The times of the keyframes and of all frames between them, and in a loop up to its end. If those are more than the maximum, the
/// times of the keyframes alone, or some of them.
pub fn times(clip: &Clip, max: usize) -> Vec<Time> {
    let mut times: Vec<Time> = clip.starts().collect();
    let last = times.last().copied().unwrap_or_default();
    let (end, is_open) = match clip.loop_mode {
        LoopMode::Loop if clip.length() > last => (clip.length(), true),
        LoopMode::Loop | LoopMode::Once | LoopMode::PingPong => (last, false),
    };
    let frames = clip.frame_rate.nearest_frame(end).max(0);
    if usize::try_from(frames).is_ok_and(|frames| frames.saturating_add(times.len()) <= max) {
        let inside = |time: &Time| if is_open { *time < end } else { *time <= end };
        times.extend((0..=frames).map(|frame| clip.frame_rate.time_of(frame)).filter(inside));
    }
    times.sort_unstable();
    let step = times.len().div_ceil(max.max(1));
    let mut at = 0..;
    times.retain(|_| at.next().is_some_and(|at: usize| at.is_multiple_of(step)));
    // A frame that misses a keyframe by rounding is that keyframe.
    times.dedup_by(|next, kept| (*next - *kept).millis() < 0.01);
    times
}

/// The clip with keys of weights and properties alone.
pub fn only_scalars(clip: &Clip) -> Clip {
    let mut clip = clip.clone();
    for keyframe in clip.keyframes.iter_mut() {
        keyframe.keys = keyframe.keys.iter().filter(|key| key.channel.scalar().is_some()).copied().collect();
    }
    clip
}

/// The clip of poses at times, and of the keys that `like` has. `keyed` says which bones get keys; `tolerance` is the maximum error
/// of places.
pub fn clip(
    like: &Clip,
    times: &[Time],
    poses: &[LocalPose],
    (skeleton, keyed, tolerance): (&Skeleton, &[bool], f32),
) -> Clip {
    let ends = times.iter().skip(1).copied().chain([like.length()]);
    let keyframe = |(start, end): (&Time, Time)| Keyframe { duration: end - *start, keys: Keys::default() };
    let mut keyframes: Vec<Keyframe> = times.iter().zip(ends).map(keyframe).collect();
    for bone in skeleton.indices().filter(|bone| keyed[usize::from(*bone)]) {
        let at = usize::from(bone);
        let moves = poses.iter().any(|pose| pose.get(at).translation != skeleton.bones()[at].rest.translation);
        for (keyframe, pose) in keyframes.iter_mut().zip(poses) {
            let transform = pose.get(at);
            if moves {
                keyframe.keys.push(key(bone, Channel::Translation, &transform));
            }
            keyframe.keys.push(key(bone, Channel::Rotation, &transform));
        }
    }
    for (start, keyframe) in like.starts().zip(&like.keyframes) {
        let at = times.partition_point(|time| (*time - start).millis() < 0.01).saturating_sub(1);
        if let Some(place) = keyframes.get_mut(at) {
            place.keys.extend(keyframe.keys.iter().copied());
            place.keys.sort_by_key(Key::address);
            place.keys.dedup_by_key(|key| key.address());
        }
    }
    let dense = Clip { keyframes: keyframes.into(), ..like.clone() };
    fit::reduce_clip_by(&dense, |track| match track.channel {
        Channel::Rotation => ROTATION,
        Channel::Translation | Channel::Scale => tolerance,
        Channel::Scalar(_) => 0.0,
    })
}

fn key(bone: u16, channel: Channel, transform: &Transform) -> Key {
    Key { ease: Ease::Linear, ..Key::new(bone, channel, channel.of(transform)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clip_of_too_many_frames_is_sampled_at_some_of_its_keyframes() {
        let keyframe = Keyframe { duration: Time(Time::SECOND.0), keys: Keys::default() };
        let clip = Clip { keyframes: vec![keyframe; 1000].into(), loop_mode: LoopMode::Once, ..Clip::new("long") };
        assert_eq!(
            times(&clip, 1_000_000).len(),
            usize::try_from(clip.frame_rate.nearest_frame(Time(999 * Time::SECOND.0))).unwrap() + 1
        );
        assert_eq!(times(&clip, 1500).len(), 1000);
        let some = times(&clip, 100);
        assert_eq!((some.len(), some[0], some[1]), (100, Time::ZERO, Time(10 * Time::SECOND.0)));
        assert_eq!(times(&clip, 0).len(), 1);
    }
}
