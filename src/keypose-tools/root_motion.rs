//! Extraction of root motion: the movement of the body along the ground becomes keys of the root, and the bones under the root
//! keep their places.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use glam::{Mat4, Quat, Vec3, Vec4};

use crate::anim::bake::measure::Reach;
use crate::anim::clip::{Clip, LoopMode};
use crate::anim::fit;
use crate::anim::key::{Channel, Ease, Key};
use crate::anim::root_motion::{Anchor, RootMotion};
use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::anim::time::Time;
use crate::anim::track::Track;
use crate::anim::transform::Transform;
use crate::even_times;
use crate::exact_poses::ExactPoses;

/// The maximum error of the keys of sampled bones, as a part of the model's size.
const MAX_ERROR: f32 = 1e-4;
/// Rotations that differ by less are the same, in radians.
const TURNED: f32 = 1e-3;

/// Whether a bone below the root moves.
pub fn has_body(clip: &Clip) -> bool {
    Track::keyed(clip, |bone| bone > 0).iter().any(moves)
}

/// The bone that moves the body: of those below the root whose position is animated, the one with most bones below it. Feet and other
/// targets of IK often are children of the root as well.
pub fn body(clip: &Clip, skeleton: &Skeleton) -> Option<BoneIndex> {
    let tracks = Track::keyed(clip, |bone| bone > 0);
    largest(tracks.iter().filter(|track| moves(track)).map(|track| track.bone), skeleton)
}

/// The bone with most bones below it.
fn largest(bones: impl Iterator<Item = BoneIndex>, skeleton: &Skeleton) -> Option<BoneIndex> {
    let carried = |bone: BoneIndex| skeleton.indices().filter(|&other| skeleton.is_below(other, bone)).count();
    bones.max_by_key(|&bone| (carried(bone), Reverse(bone)))
}

/// The bone that moves the character: the root if its position is animated, or else the [`body`], whose motion can be extracted.
pub fn mover(clip: &Clip, skeleton: &Skeleton) -> Option<BoneIndex> {
    if Track::keyed(clip, |bone| bone == 0).iter().any(moves) { Some(0) } else { body(clip, skeleton) }
}

/// The bone whose motion is the root motion of the clip: the [`mover`], or of a clip that turns, a bone above that one that does, perhaps on
/// the spot.
fn leader(clip: &Clip, skeleton: &Skeleton) -> Option<BoneIndex> {
    let mover = mover(clip, skeleton);
    if clip.root_motion != RootMotion::Turn {
        return mover;
    }
    let is_above = |bone: &BoneIndex| mover.is_none_or(|mover| skeleton.is_below(mover, *bone));
    let tracks = Track::keyed(clip, |_| true);
    let turning = tracks.iter().filter(|track| turns(track)).map(|track| track.bone);
    largest(turning.filter(is_above), skeleton).or(mover)
}

/// Whether a rotation changes.
pub fn turns(track: &Track) -> bool {
    let first = track.keys[0].1.value;
    let is_other = |value| fit::distance(Channel::Rotation, value, first) > TURNED;
    track.channel == Channel::Rotation && track.keys.iter().any(|(_, key)| is_other(key.value))
}

fn moves(track: &Track) -> bool {
    track.channel == Channel::Translation && track.keys.iter().any(|(_, key)| key.value != track.keys[0].1.value)
}

/// The clip with the motion of a bone in the root, the first bone. Where that can be done exactly, the keys of the bone are split;
/// otherwise root and children get keys at frames. `None` for no motion, or without a bone below the root.
pub fn extracted(clip: &Clip, skeleton: &Skeleton, body: BoneIndex, part: RootMotion) -> Option<Clip> {
    if part == RootMotion::None || body == 0 || usize::from(body) >= skeleton.len() {
        return None;
    }
    let moved =
        split(&Track::all_of(clip), skeleton, body, part).unwrap_or_else(|| sampled(clip, skeleton, body, part));
    Some(Clip { root_motion: part, ..clip.with_replaced(moved) })
}

/// The clip with its root motion in the first bone, if another bone moves the character: a game reads that of the first bone.
pub fn rooted(clip: Clip, skeleton: &Skeleton) -> Clip {
    let body = leader(&clip, skeleton);
    body.and_then(|body| extracted(&clip, skeleton, body, clip.root_motion)).unwrap_or(clip)
}

/// Splits the keys of a child of an unmoving root. `None` if another child is moved, too, or a rotation is to be extracted.
fn split(tracks: &[Track], skeleton: &Skeleton, body: BoneIndex, part: RootMotion) -> Option<Vec<Track>> {
    let root = skeleton.get(0)?.rest;
    let is_child = |bone: BoneIndex| skeleton.parent(bone) == Some(0);
    let is_other = |track: &Track| is_child(track.bone) && track.bone != body && track.channel == Channel::Translation;
    let is_moved = tracks.iter().any(|track| track.bone == 0 || is_other(track));
    if part == RootMotion::Turn || is_moved || !is_child(body) {
        return None;
    }
    let of_body = tracks.iter().find(|track| (track.bone, track.channel) == (body, Channel::Translation))?;
    let mask = if part == RootMotion::Height { Vec3::ONE } else { Vec3::new(1.0, 0.0, 1.0) };
    let first = of_body.sample(Time::ZERO).truncate();
    // In model space, of a difference in the space of the root; and back.
    let out = |by: Vec3| mask * (root.rotation * (root.scale * by));
    let back = |by: Vec3| (root.rotation.inverse() * by) / root.scale;
    let children = (1..skeleton.len() as BoneIndex).filter(|&bone| is_child(bone));
    let of = |bone: BoneIndex| {
        let rest = skeleton.get(bone).map_or(Vec3::ZERO, |bone| bone.rest.translation);
        let place = |value: Vec3| match bone {
            0 => root.translation + out(value - first),
            bone if bone == body => value - back(out(value - first)),
            _ => rest - back(out(value - first)),
        };
        // A tangent is a difference.
        let tangent = |by: Vec4| (place(first + by.truncate()) - place(first)).extend(0.0);
        let key = |(time, key): &(Time, Key)| {
            let (value, [a, b]) = (place(key.value.truncate()), [key.in_tangent, key.out_tangent].map(tangent));
            (*time, Key { bone, value: value.extend(0.0), in_tangent: a, out_tangent: b, ..*key })
        };
        Track { bone, keys: of_body.keys.iter().map(key).collect(), ..of_body.clone() }
    };
    Some([0].into_iter().chain(children).map(of).collect())
}

/// Keys root and children at all frames and keyframes, and between them where they aren't straight; reduced.
fn sampled(clip: &Clip, skeleton: &Skeleton, body: BoneIndex, part: RootMotion) -> Vec<Track> {
    let (length, rate) = (clip.length(), clip.frame_rate);
    let children: Vec<BoneIndex> =
        (0..skeleton.len() as BoneIndex).filter(|&bone| skeleton.parent(bone) == Some(0)).collect();
    let is_loop = clip.loop_mode == LoopMode::Loop;
    let frames = even_times::frames(rate, [Time::ZERO, length]);
    let times: BTreeSet<Time> =
        frames.chain(clip.starts()).chain([length]).filter(|time| (Time::ZERO..=length).contains(time)).collect();
    let exact = ExactPoses::new(skeleton, clip);
    let poses = |time: Time| (exact.at(time), Transform::from_mat4(exact.model(time).get(body).to_mat4()));
    let [of_root, of_body] = {
        let (local, place) = poses(Time::ZERO);
        [local.get(0), place].map(|at| Anchor::at(&at, part))
    };
    let row = |time: Time| -> Vec<Transform> {
        let (local, place) = poses(time);
        let old = local.get(0);
        let matrix = |motion: crate::anim::root_motion::Motion| {
            Mat4::from_rotation_translation(motion.rotation.as_quat(), motion.translation.as_vec3())
        };
        // The root as it would be in place, moved as the body is.
        let new = matrix(of_body.back(&place)).inverse() * matrix(of_root.back(&old)) * old.to_mat4();
        let keep = new.inverse() * old.to_mat4();
        let child = |&bone: &BoneIndex| Transform::from_mat4(keep * local.get(usize::from(bone)).to_mat4());
        let root = Transform { scale: old.scale, ..Transform::from_mat4(new) };
        [root].into_iter().chain(children.iter().map(child)).collect()
    };
    let (size, scales) = (Reach::of(skeleton).model_size * MAX_ERROR, skeleton.parent_scales());
    let sizes: Vec<f32> = [0].iter().chain(&children).map(|bone| size / scales[usize::from(*bone)]).collect();
    let is_straight = |middle: &Vec<Transform>, [a, b]: [&Vec<Transform>; 2]| {
        let is_near = |(((at, a), b), size): (((&Transform, &Transform), &Transform), &f32)| {
            let turn = a.rotation.slerp(b.rotation, 0.5).angle_between(at.rotation);
            at.translation.distance(a.translation.midpoint(b.translation)) < 10.0 * size && turn < 10.0 * MAX_ERROR
        };
        middle.iter().zip(a).zip(b).zip(&sizes).all(is_near)
    };
    let rows = even_times::with_middles(times, row, is_straight);
    let mut tracks = Vec::new();
    for (at, &bone) in [0].iter().chain(&children).enumerate() {
        for channel in [Channel::Translation, Channel::Rotation] {
            let mut before = Quat::IDENTITY;
            let key = |(time, row): &(Time, Vec<Transform>)| {
                let mut value = channel.of(&row[at]);
                if channel == Channel::Rotation && before.dot(Quat::from_vec4(value)) < 0.0 {
                    value = -value;
                }
                before = Quat::from_vec4(value);
                (*time, Key { ease: Ease::Linear, ..Key::new(bone, channel, value) })
            };
            let keys: Vec<(Time, Key)> = rows.iter().map(key).collect();
            let track = Track { bone, channel, keys, seam: is_loop.then_some(length) };
            tracks.push(fit::reduce(&track, if channel == Channel::Translation { sizes[at] } else { MAX_ERROR }));
        }
    }
    tracks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anim::clip::Keyframe;
    use crate::anim::skeleton::Bone;

    const HIPS: BoneIndex = 2;

    /// A root, hips and a foot: the hips travel, turn and bob.
    fn walk(ease: Ease) -> (Clip, Skeleton) {
        let rest = |x: f32, y: f32| Transform::from_translation(Vec3::new(x, y, 0.0));
        let bone = |name: &str, parent, rest| Bone { name: name.into(), parent, rest };
        let bones = vec![
            bone("root", None, rest(0.0, 0.0)),
            bone("target", Some(0), rest(0.2, 0.0)),
            bone("hips", Some(0), rest(0.0, 1.0)),
            bone("foot", Some(2), rest(0.0, -0.9)),
        ];
        let keyframe = |at: usize| {
            let mut keyframe =
                Keyframe { duration: if at < 3 { Time::from_secs(0.3) } else { Time::ZERO }, ..Keyframe::default() };
            let part = at as f32;
            let place = Vec3::new(0.1 * part, 1.0 + 0.05 * (at % 2) as f32, part * part * 0.3);
            keyframe.set(Key { ease, out_tangent: Vec4::new(0.0, 0.3, 1.0, 0.0), ..Key::translation(HIPS, place) });
            keyframe.set(Key {
                ease,
                ..Key::rotation(HIPS, Quat::from_rotation_y(0.4 * part) * Quat::from_rotation_x(0.2))
            });
            keyframe
        };
        let clip = Clip { keyframes: (0..4).map(keyframe).collect(), ..Clip::new("walk") };
        (clip, Skeleton::new(bones).unwrap())
    }

    #[test]
    fn the_body_is_what_carries_most_bones() {
        let (clip, skeleton) = walk(Ease::Linear);
        let mut keyframes = clip.keyframes.clone();
        keyframes.iter_mut().zip([0.0, 0.1]).for_each(|(keyframe, z)| {
            keyframe.set(Key::translation(1, Vec3::new(0.2, 0.0, z)));
        });
        assert_eq!(body(&Clip { keyframes, ..clip }, &skeleton), Some(HIPS));
    }

    #[test]
    fn every_bone_but_the_root_keeps_its_place() {
        for part in [RootMotion::Ground, RootMotion::Height, RootMotion::Turn] {
            for ease in [Ease::Linear, Ease::Cubic] {
                let (clip, skeleton) = walk(ease);
                assert_eq!(body(&clip, &skeleton), Some(HIPS));
                let moved = extracted(&clip, &skeleton, HIPS, part).unwrap();
                let mut farthest = 0.0_f32;
                for step in 0..=90 {
                    let time = Time::from_secs(f64::from(step) * 0.01);
                    let [before, after] = [&clip, &moved].map(|clip| ExactPoses::new(&skeleton, clip).model(time));
                    for bone in [1, 2, 3] {
                        farthest = farthest.max(before.get(bone).translation().distance(after.get(bone).translation()));
                    }
                }
                // Sampled keys are straight between them.
                assert!(farthest < if part == RootMotion::Turn { 0.001 } else { 1e-5 }, "{part:?} {ease:?} {farthest}");
                let end = ExactPoses::new(&skeleton, &moved).at(moved.length()).get(0);
                assert!(
                    (end.translation - Vec3::new(0.3, if part == RootMotion::Height { 0.05 } else { 0.0 }, 2.7))
                        .length()
                        < 1e-4,
                    "{end:?}"
                );
                let turn = end.rotation.to_axis_angle().1;
                assert!((turn - if part == RootMotion::Turn { 1.2 } else { 0.0 }).abs() < 1e-3, "{turn}");
                let is_split = part != RootMotion::Turn;
                assert!(!is_split || moved.keyframes.len() == clip.keyframes.len());
            }
        }
    }
}
