//! Motion trails: the path of a bone through a clip, with the times of its keys. Only the channels of the bone and of
//! its ancestors are sampled.

use std::collections::BTreeSet;
use std::sync::Arc;

use glam::Vec3;

use crate::editor::session::switch::Switch;
use crate::editor::view::cache::Cache;
use crate::editor::view::{Source, View};
use keypose::anim::clip::Clip;
use keypose::anim::key::Channel;
use keypose::anim::mat34::Mat3x4;
use keypose::anim::skeleton::{BoneIndex, Skeleton};
use keypose::anim::time::Time;
use keypose::anim::track::Track;
use keypose::assets::recent::ByAddress;

/// The approximate maximum number of frames of a trail, and of its keyframes; longer clips skip some.
const MAX_POINTS: i64 = 480;
/// The maximum number of trails on screen.
const MAX_TRAILS: usize = 16;
/// The number of cached trails.
const CACHED: usize = 48;

/// The position of a bone at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrailPoint {
    /// Clip time.
    pub time: Time,
    /// The bone's origin in model space.
    pub position: Vec3,
    /// Whether the bone is there by a key.
    pub keyed: Keyed,
}

/// Whether a bone is at a point by a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keyed {
    /// No keyframe starts at that time.
    Nothing,
    /// A keyframe starts there, of other bones.
    Others,
    /// A key of the bone is seen there.
    Bone,
}

/// The path of one bone.
#[derive(Clone, Debug, PartialEq)]
pub struct MotionTrail {
    pub bone: BoneIndex,
    /// Frames and keyframes in order of time: all of them in clips of ordinary length.
    pub points: Vec<TrailPoint>,
}

impl MotionTrail {
    /// Computes the path of a bone from one time of the clip to a later one.
    pub fn of(clip: &Clip, skeleton: &Skeleton, bone: BoneIndex, (from, to): (Time, Time)) -> MotionTrail {
        let mut chain: Vec<BoneIndex> = std::iter::successors(Some(bone), |&bone| skeleton.parent(bone)).collect();
        chain.reverse();
        let tracks: Vec<Track> = chain
            .iter()
            .flat_map(|&bone| Channel::ALL.into_iter().filter_map(move |channel| Track::of(clip, bone, channel)))
            .collect();
        let position = |time: Time| {
            let (mut model_from_bone, mut of_bone) = (Mat3x4::IDENTITY, tracks.iter().peekable());
            for &bone in &chain {
                let mut local = skeleton.get(bone).map(|bone| bone.rest).unwrap_or_default();
                while let Some(track) = of_bone.next_if(|track| track.bone == bone) {
                    track.channel.put(&mut local, track.sample(time));
                }
                model_from_bone = model_from_bone * local.to_mat34();
            }
            model_from_bone.translation()
        };
        // A delayed bone is seen in the pose of a key at another time.
        let is_keyed = |time: Time| {
            let keyed = clip.keyed_time(bone, time);
            let has_key = |at: usize| clip.keyframes[at].keys.iter().any(|key| key.bone == bone);
            clip.seen_time(bone, keyed) == time && clip.keyframe_at(keyed).is_some_and(has_key)
        };
        let keyed = |time: Time| match clip.keyframe_at(time) {
            _ if is_keyed(time) => Keyed::Bone,
            Some(_) => Keyed::Others,
            None => Keyed::Nothing,
        };
        let point = |time: Time| TrailPoint { time, position: position(time), keyed: keyed(time) };
        MotionTrail { bone, points: times(clip, from, to).into_iter().map(point).collect() }
    }
}

/// Both ends, the frames between them and the starts of keyframes.
pub(super) fn times(clip: &Clip, from: Time, to: Time) -> BTreeSet<Time> {
    let rate = clip.frame_rate;
    let (first, last) = (rate.frames_in(from).ceil() as i64, rate.frames_in(to).floor() as i64);
    let step = ((last - first) / MAX_POINTS + 1) as usize;
    let frames = (first..=last).step_by(step).map(|frame| rate.time_of(frame));
    let apart = (to - from) / MAX_POINTS;
    let mut next = from;
    let starts = clip.starts().filter(|start| {
        let is_apart = *start >= next;
        next = if is_apart { *start + apart } else { next };
        is_apart
    });
    let inside = |time: &Time| (from..=to).contains(time);
    frames.chain(starts).filter(inside).chain([from, to]).collect()
}

/// The clip, skeleton, bone and section that a trail was computed from.
pub type Key = (ByAddress<Clip>, ByAddress<Skeleton>, BoneIndex, (Time, Time));

/// The trails that were used most recently.
pub type MotionTrails = Cache<Key, Arc<MotionTrail>, CACHED>;

/// The trail of a bone over a section of a clip.
pub(super) fn trail(
    known: &MotionTrails,
    (clip, skeleton): (&Arc<Clip>, &Arc<Skeleton>),
    bone: BoneIndex,
    section: (Time, Time),
) -> Arc<MotionTrail> {
    let compute = || Arc::new(MotionTrail::of(clip, skeleton, bone, section));
    known.get((clip.into(), skeleton.into(), bone, section), compute)
}

/// The trails to draw: of the bones whose trails are kept and of the selected ones, over the loop section or the whole
/// clip. Empty while trails are off or the viewport shows another pose than the clip's.
pub fn trails(source: Source<'_>, view: &View) -> Vec<Arc<MotionTrail>> {
    let session = source.session;
    let is_on = session.is_on(Switch::Trails) && session.is_on(Switch::Overlays) && session.shows_clip();
    let (Some(model), Some(clip), true) = (&view.model, &view.clip, is_on) else { return Vec::new() };
    let length = clip.length();
    if length <= Time::ZERO {
        return Vec::new();
    }
    let section = session.focus.playhead.section(length).unwrap_or((Time::ZERO, length));
    let selected = session.focus.selection.bones.iter().copied().filter(|bone| !session.focus.trails.contains(bone));
    let bones = session.focus.trails.iter().copied().chain(selected).take(MAX_TRAILS);
    bones.map(|bone| trail(&source.caches.trails, (clip, &model.skeleton), bone, section)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editor::ops::pose::{model_pose, sample};
    use glam::Quat;
    use keypose::anim::clip::{Keyframe, LoopMode};
    use keypose::anim::key::Key;
    use keypose::anim::skeleton::Bone;
    use keypose::anim::transform::Transform;

    /// An arm of two bones: the upper one rotates in the first and third keyframe, the lower one in the second.
    fn arm() -> (Clip, Skeleton) {
        let bone = |name: &str, parent| Bone {
            name: name.into(),
            parent,
            rest: Transform::from_translation(Vec3::X * f32::from(u8::from(parent.is_some()))),
        };
        let skeleton = Skeleton::new(vec![bone("root", None), bone("upper", Some(0)), bone("lower", Some(1))]).unwrap();
        let mut clip = Clip { loop_mode: LoopMode::Loop, ..Clip::new("test") };
        let rotated = |bone, degrees: f32| Key::rotation(bone, Quat::from_rotation_z(degrees.to_radians()));
        let keyframe = |frames, key| Keyframe {
            duration: clip.frame_rate.time_of(frames),
            keys: vec![key].into(),
            ..Keyframe::default()
        };
        clip.keyframes =
            [keyframe(4, rotated(1, 0.0)), keyframe(3, rotated(2, 70.0)), keyframe(5, rotated(1, 90.0))].into();
        (clip, skeleton)
    }

    #[test]
    fn a_trail_follows_the_bone_in_the_poses_of_the_clip() {
        let (clip, skeleton) = arm();
        for bone in skeleton.indices() {
            let trail = MotionTrail::of(&clip, &skeleton, bone, (Time::ZERO, clip.length()));
            assert_eq!(trail.points.len(), 13, "12 frames and the end");
            for point in &trail.points {
                let pose = model_pose(&skeleton, &sample(&clip, &skeleton, point.time));
                assert!(pose.get(bone).translation().distance(point.position) < 1e-5, "{bone} at {}", point.time);
            }
        }
    }

    #[test]
    fn points_distinguish_keys_of_the_bone_from_other_keys() {
        let (clip, skeleton) = arm();
        let trail = MotionTrail::of(&clip, &skeleton, 2, (Time::ZERO, clip.length()));
        let keyed: Vec<_> = trail.points.iter().filter(|point| point.keyed != Keyed::Nothing).collect();
        let frames = keyed.iter().map(|point| (clip.frame_rate.frames_in(point.time) as i64, point.keyed));
        assert_eq!(frames.collect::<Vec<_>>(), [(0, Keyed::Others), (4, Keyed::Bone), (7, Keyed::Others)]);
    }

    #[test]
    fn a_trail_spans_its_section_and_a_long_clip_has_few_points() {
        let (mut clip, skeleton) = arm();
        let at = |frame| clip.frame_rate.time_of(frame);
        let section = (at(2) + Time(5), at(6));
        let trail = MotionTrail::of(&clip, &skeleton, 1, section);
        let ends = (trail.points[0].time, trail.points[trail.points.len() - 1].time);
        assert_eq!((ends, trail.points.len()), (section, 5));
        clip.keyframes[2].duration = at(100_000);
        let long = MotionTrail::of(&clip, &skeleton, 1, (Time::ZERO, clip.length()));
        assert!(long.points.len() < MAX_POINTS as usize + 10, "{}", long.points.len());
        let keyframe = Keyframe { duration: Time(7), ..clip.keyframes[0].clone() };
        clip.keyframes = vec![keyframe; 10_000].into();
        let dense = MotionTrail::of(&clip, &skeleton, 1, (Time::ZERO, clip.length()));
        assert!(dense.points.len() < 2 * MAX_POINTS as usize + 10, "{}", dense.points.len());
    }
}
