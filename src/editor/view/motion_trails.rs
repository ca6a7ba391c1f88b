//! Motion trails: the way of a bone through the clip, with the times of its keys. Made from the tracks of the bone and
//! those above it alone, and kept as long as the clip is the same.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;

use glam::Vec3;

use crate::anim::clip::Clip;
use crate::anim::key::Channel;
use crate::anim::mat34::Mat3x4;
use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::anim::time::Time;
use crate::anim::track::Track;
use crate::editor::session::switch::Switch;
use crate::editor::state::Editor;
use crate::editor::view::View;

/// Points of a trail; a clip with more frames has every second, third, … of them.
const MOST_POINTS: i64 = 480;
/// Bones whose trails show at once: more can't be told apart.
const MOST_TRAILS: usize = 16;
/// Trails that are kept.
const KEPT: usize = 48;

/// Where a bone is at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrailPoint {
    /// Clip time.
    pub time: Time,
    /// The bone's origin in model space.
    pub place: Vec3,
    /// What is keyed there.
    pub keyed: Keyed,
}

/// What is keyed at a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keyed {
    /// No keyframe starts there.
    Nothing,
    /// A keyframe starts there, without a key of the bone.
    Others,
    /// The bone has a key there.
    Bone,
}

/// The way of one bone.
#[derive(Clone, Debug, PartialEq)]
pub struct MotionTrail {
    /// Whose.
    pub bone: BoneIndex,
    /// In order of time: every frame and every keyframe.
    pub points: Vec<TrailPoint>,
}

impl MotionTrail {
    /// The way of a bone from one time of the clip to a later one.
    pub fn of(clip: &Clip, skeleton: &Skeleton, bone: BoneIndex, (from, to): (Time, Time)) -> MotionTrail {
        let mut chain: Vec<BoneIndex> = std::iter::successors(Some(bone), |&bone| skeleton.parent(bone)).collect();
        chain.reverse();
        let tracks: Vec<Track> = chain
            .iter()
            .flat_map(|&bone| Channel::ALL.into_iter().filter_map(move |channel| Track::of(clip, bone, channel)))
            .collect();
        let place = |time: Time| {
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
        let keyed = |time: Time| match clip.keyframe_at(time) {
            None => Keyed::Nothing,
            Some(at) if clip.keyframes[at].keys.iter().any(|key| key.bone == bone) => Keyed::Bone,
            Some(_) => Keyed::Others,
        };
        let point = |time: Time| TrailPoint { time, place: place(time), keyed: keyed(time) };
        MotionTrail { bone, points: times(clip, from, to).into_iter().map(point).collect() }
    }
}

/// Both ends, every frame of the grid between them, and every start of a keyframe.
fn times(clip: &Clip, from: Time, to: Time) -> BTreeSet<Time> {
    let rate = clip.frame_rate;
    let (first, last) = (rate.frames_in(from).ceil() as i64, rate.frames_in(to).floor() as i64);
    let step = ((last - first) / MOST_POINTS + 1) as usize;
    let frames = (first..=last).step_by(step).map(|frame| rate.time_of(frame));
    let inside = |time: &Time| (from..=to).contains(time);
    frames.chain(clip.starts()).filter(inside).chain([from, to]).collect()
}

/// What a trail was made from, and the trail.
type Made = (Arc<Clip>, Arc<Skeleton>, (Time, Time), Arc<MotionTrail>);

/// Trails that were needed lately: an edited clip is another one in memory.
#[derive(Clone, Debug, Default)]
pub struct MotionTrails(RefCell<Vec<Made>>);

impl MotionTrails {
    /// The trail of a bone.
    pub fn get(
        &self,
        clip: &Arc<Clip>,
        skeleton: &Arc<Skeleton>,
        bone: BoneIndex,
        section: (Time, Time),
    ) -> Arc<MotionTrail> {
        let mut kept = self.0.borrow_mut();
        let is_it = |made: &Made| {
            made.3.bone == bone && made.2 == section && Arc::ptr_eq(&made.0, clip) && Arc::ptr_eq(&made.1, skeleton)
        };
        let made = match kept.iter().position(is_it) {
            Some(at) => kept.remove(at),
            None => {
                let trail = Arc::new(MotionTrail::of(clip, skeleton, bone, section));
                (clip.clone(), skeleton.clone(), section, trail)
            }
        };
        let trail = made.3.clone();
        kept.insert(0, made);
        kept.truncate(KEPT);
        trail
    }
}

/// The trails of a picture: of the bones that keep theirs, and of the selected ones; over the loop section, or all of
/// the clip. None while they are switched off, or another pose than the clip's shows.
pub fn trails(editor: &Editor, view: &View) -> Vec<Arc<MotionTrail>> {
    let session = &editor.session;
    let is_on = session.is_on(Switch::Trails) && session.is_on(Switch::Overlays) && session.shows_clip();
    let (Some(model), Some(clip), true) = (&view.model, &view.clip, is_on) else { return Vec::new() };
    let length = clip.length();
    if length <= Time::ZERO {
        return Vec::new();
    }
    let section = session.focus.playhead.loop_section.map(|(from, to)| (from.min(length), to.min(length)));
    let section = section.filter(|(from, to)| from < to).unwrap_or((Time::ZERO, length));
    let selected = session.focus.selection.bones.iter().copied().filter(|bone| !session.focus.trails.contains(bone));
    let bones = session.focus.trails.iter().copied().chain(selected).take(MOST_TRAILS);
    bones.map(|bone| editor.trails.get(clip, &model.skeleton, bone, section)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anim::clip::{Keyframe, LoopMode};
    use crate::anim::key::Key;
    use crate::anim::skeleton::Bone;
    use crate::anim::transform::Transform;
    use crate::editor::view::ghost_poses::{posed, sample};
    use glam::Quat;

    /// An arm of two bones: the upper one turns in the first and third keyframe, the lower one in the second.
    fn arm() -> (Clip, Skeleton) {
        let bone = |name: &str, parent| Bone {
            name: name.into(),
            parent,
            rest: Transform::from_translation(Vec3::X * f32::from(u8::from(parent.is_some()))),
        };
        let skeleton = Skeleton::new(vec![bone("root", None), bone("upper", Some(0)), bone("lower", Some(1))]).unwrap();
        let mut clip = Clip { loop_mode: LoopMode::Loop, ..Clip::new("test") };
        let turned = |bone, degrees: f32| Key::rotation(bone, Quat::from_rotation_z(degrees.to_radians()));
        let keyframe = |frames, key| Keyframe { duration: clip.frame_rate.time_of(frames), keys: vec![key] };
        clip.keyframes =
            [keyframe(4, turned(1, 0.0)), keyframe(3, turned(2, 70.0)), keyframe(5, turned(1, 90.0))].into();
        (clip, skeleton)
    }

    #[test]
    fn a_trail_is_where_the_bone_is_in_the_clips_poses() {
        let (clip, skeleton) = arm();
        for bone in skeleton.indices() {
            let trail = MotionTrail::of(&clip, &skeleton, bone, (Time::ZERO, clip.length()));
            assert_eq!(trail.points.len(), 13, "twelve frames and the end");
            for point in &trail.points {
                let pose = posed(&skeleton, &sample(&clip, &skeleton, point.time));
                assert!(pose.get(bone).translation().distance(point.place) < 1e-5, "{bone} at {}", point.time);
            }
        }
    }

    #[test]
    fn its_keys_are_told_from_those_of_other_bones() {
        let (clip, skeleton) = arm();
        let trail = MotionTrail::of(&clip, &skeleton, 2, (Time::ZERO, clip.length()));
        let keyed: Vec<_> = trail.points.iter().filter(|point| point.keyed != Keyed::Nothing).collect();
        let frames = keyed.iter().map(|point| (clip.frame_rate.frames_in(point.time) as i64, point.keyed));
        assert_eq!(frames.collect::<Vec<_>>(), [(0, Keyed::Others), (4, Keyed::Bone), (7, Keyed::Others)]);
    }

    #[test]
    fn a_section_ends_where_it_is_said_and_a_long_clip_has_few_points() {
        let (mut clip, skeleton) = arm();
        let at = |frame| clip.frame_rate.time_of(frame);
        let section = (at(2) + Time(5), at(6));
        let trail = MotionTrail::of(&clip, &skeleton, 1, section);
        let ends = (trail.points[0].time, trail.points[trail.points.len() - 1].time);
        assert_eq!((ends, trail.points.len()), (section, 5));
        clip.keyframes[2].duration = at(100_000);
        let long = MotionTrail::of(&clip, &skeleton, 1, (Time::ZERO, clip.length()));
        assert!(long.points.len() < MOST_POINTS as usize + 10, "{}", long.points.len());
    }

    #[test]
    fn a_trail_is_made_again_only_when_the_clip_changed() {
        let (clip, skeleton) = arm();
        let (clip, skeleton, cache) = (Arc::new(clip), Arc::new(skeleton), MotionTrails::default());
        let section = (Time::ZERO, clip.length());
        let first = cache.get(&clip, &skeleton, 2, section);
        assert!(Arc::ptr_eq(&first, &cache.get(&clip, &skeleton, 2, section)));
        assert!(!Arc::ptr_eq(&first, &cache.get(&clip, &skeleton, 1, section)));
        let edited = Arc::new(Clip::clone(&clip));
        assert!(!Arc::ptr_eq(&first, &cache.get(&edited, &skeleton, 2, section)));
    }
}
