//! The way of a loop that doesn't end where it starts: a walk whose root or hips move on.

use crate::anim::bake::measure::Reach;
use crate::anim::clip::{Clip, LoopMode};
use crate::anim::pose::{LocalPose, ModelPose};
use crate::anim::root_motion::{Motion, RootMotion};
use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::anim::time::Time;
use crate::anim::transform::Transform;

/// The part of the model's size, or of a half turn, by which a bone has to be elsewhere at the end.
const MOVED: f32 = 1e-3;
/// The maximum number of bones that are tried, from the topmost on: a body hangs on one of the first.
const MAX_CARRIERS: usize = 64;

/// The way of a clip from one round to the next, by a function that samples it; none unless it is a loop.
pub fn travel_of(skeleton: &Skeleton, clip: &Clip, sample: impl Fn(Time) -> LocalPose) -> Motion {
    if clip.loop_mode != LoopMode::Loop {
        return Motion::NONE;
    }
    let part = match clip.root_motion {
        RootMotion::Height => RootMotion::Height,
        RootMotion::None | RootMotion::Ground | RootMotion::Turn => RootMotion::Turn,
    };
    let ends = [Time::ZERO, clip.length()].map(sample);
    loop_travel(skeleton, ends.each_ref(), part)
}

/// The part of the motion in model space that takes the pose at the start of a loop to the one at its end: that of the root or of another
/// bone that is elsewhere, whichever takes all bones nearest to their places. The next round of the loop starts there. A thing that is
/// thrown takes nothing along.
fn loop_travel(skeleton: &Skeleton, ends: [&LocalPose; 2], part: RootMotion) -> Motion {
    let size = Reach::of(skeleton).model_size;
    let models = ends.map(|pose| {
        let mut model = ModelPose::default();
        model.compute(skeleton, pose);
        model
    });
    let has_moved = |bone: &BoneIndex| {
        let [start, end] = ends.map(|pose| pose.get(usize::from(*bone)));
        let (way, parent) = (end.translation - start.translation, skeleton.parent(*bone));
        let way = parent.map_or(way, |parent| models[0].get(parent).transform_vector(way));
        let is_turned = parent.is_none() && start.rotation.dot(end.rotation).abs() < 1.0 - MOVED * MOVED;
        is_turned || way.length() > MOVED * size
    };
    let motion = |bone: BoneIndex| {
        let of = |model: &ModelPose| Motion::of(&Transform::from_mat4(model.get(bone).to_mat4()), part);
        let [start, end] = models.each_ref().map(of);
        end.then(start.inverse())
    };
    let off = |motion: Motion| {
        let pairs = models[0].bones.iter().zip(&models[1].bones);
        pairs.map(|(start, end)| motion.moved(start.translation()).distance(end.translation())).sum::<f32>()
    };
    let motions =
        std::iter::once(Motion::NONE).chain(skeleton.indices().filter(has_moved).take(MAX_CARRIERS).map(motion));
    let nearest = motions.map(|motion| (off(motion), motion)).min_by(|a, b| a.0.total_cmp(&b.0));
    nearest.map_or(Motion::NONE, |(_, motion)| motion)
}

#[cfg(test)]
mod tests {
    use glam::{Quat, Vec3};

    use super::*;
    use crate::anim::clip::Keyframe;
    use crate::anim::skeleton::Bone;

    #[test]
    fn the_next_round_starts_at_the_end() {
        let bone =
            |name: &str, parent, y| Bone { name: name.into(), parent, rest: Transform::from_translation(Vec3::Y * y) };
        let skeleton = Skeleton::new(vec![bone("root", None, 0.0), bone("hips", Some(0), 1.0)]).unwrap();
        for turn in [0.0, 1.0] {
            let pose = |part: f32| {
                let mut pose = skeleton.rest_pose();
                let (rotation, translation) =
                    (Quat::from_rotation_y(turn * part), Vec3::new(1.0, 0.0, 3.0 + 2.0 * part));
                pose.set(0, &Transform { rotation, translation, ..Transform::IDENTITY });
                pose
            };
            let ends = [0.0, 1.0].map(pose);
            let travel = loop_travel(&skeleton, [&ends[0], &ends[1]], RootMotion::Turn);
            let point = Vec3::new(0.2, 1.0, 0.3);
            let [before, after] = ends.each_ref().map(|pose| {
                let mut model = ModelPose::default();
                model.compute(&skeleton, pose);
                model.get(1).to_mat4().transform_point3(point)
            });
            assert!(travel.moved(before).distance(after) < 1e-5, "{turn}");
            assert!(travel.times(-1).moved(after).distance(before) < 1e-5, "{turn}");
            assert_eq!(loop_travel(&skeleton, [&ends[0], &ends[0]], RootMotion::Turn), Motion::NONE);
        }
    }

    /// The way in a second of a root, the hips of a body below it, and a bone beside them.
    fn way(root_motion: RootMotion, [root, hips, thrown]: [Vec3; 3]) -> Vec3 {
        let bone =
            |name: &str, parent, y| Bone { name: name.into(), parent, rest: Transform::from_translation(Vec3::Y * y) };
        let bones = vec![
            bone("root", None, 0.0),
            bone("hips", Some(0), 1.0),
            bone("thrown", Some(0), 0.5),
            bone("leg.L", Some(1), -0.5),
            bone("leg.R", Some(1), -0.5),
        ];
        let skeleton = Skeleton::new(bones).unwrap();
        let pose = |time: Time| {
            let mut pose = skeleton.rest_pose();
            for (bone, way) in [root, hips, thrown].into_iter().enumerate() {
                let mut transform = pose.get(bone);
                transform.translation += way * time.secs() as f32;
                pose.set(bone, &transform);
            }
            pose
        };
        let keyframe = Keyframe { duration: Time::SECOND, ..Keyframe::default() };
        let clip = Clip { loop_mode: LoopMode::Loop, root_motion, keyframes: [keyframe].into(), ..Clip::new("clip") };
        travel_of(&skeleton, &clip, pose).translation.as_vec3()
    }

    #[test]
    fn a_loop_travels_with_its_body() {
        let (none, on) = (Vec3::ZERO, Vec3::new(0.0, 0.2, 1.2));
        let flat = on.with_y(0.0);
        for (root_motion, ways, expected) in [
            (RootMotion::None, [on, none, none], flat),
            (RootMotion::None, [none, on, none], flat),
            (RootMotion::None, [Vec3::X * 1e-5, on, none], flat),
            (RootMotion::None, [none, none, on * 3.0], none),
            (RootMotion::None, [none, on, on * 3.0], flat),
            (RootMotion::Height, [on, none, none], on),
        ] {
            let found = way(root_motion, ways);
            assert!(found.distance(expected) < 1e-4, "{root_motion:?} {ways:?}: {found}");
        }
    }
}
