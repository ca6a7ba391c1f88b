//! The way of a loop that doesn't end where it starts: a walk whose root or hips move on.

use crate::anim::clip::{Clip, LoopMode};
use crate::anim::pose::{LocalPose, ModelPose};
use crate::anim::root_motion::{Motion, RootMotion};
use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::anim::time::Time;
use crate::anim::transform::Transform;

/// The part of the way from its parent, or of a half turn, by which a bone has to be elsewhere at the end.
const MOVED: f32 = 1e-3;

/// The way of a clip from one round to the next, by a function that samples it; none unless it is a loop.
pub fn travel_of(skeleton: &Skeleton, clip: &Clip, sample: impl Fn(Time) -> LocalPose) -> Motion {
    if clip.loop_mode != LoopMode::Loop {
        return Motion::NONE;
    }
    let ends = [Time::ZERO, clip.length()].map(sample);
    loop_travel(skeleton, ends.each_ref())
}

/// The motion in model space, along the ground and about the vertical, that takes the pose at the start of a loop to the one at its end:
/// that of the first bone that is elsewhere. The next round of the loop starts there.
fn loop_travel(skeleton: &Skeleton, [start, end]: [&LocalPose; 2]) -> Motion {
    let has_moved = |bone: &BoneIndex| {
        let [start, end] = [start, end].map(|pose| pose.get(usize::from(*bone)));
        let length = start.translation.length().max(end.translation.length());
        let is_root = skeleton.parent(*bone).is_none();
        start.translation.distance(end.translation) > MOVED * length
            || is_root && start.rotation.dot(end.rotation).abs() < 1.0 - MOVED * MOVED
    };
    let Some(bone) = skeleton.indices().find(has_moved) else { return Motion::NONE };
    let [start, end] = [start, end].map(|pose| {
        let mut model = ModelPose::default();
        model.compute(skeleton, pose);
        Motion::of(&Transform::from_mat4(model.get(bone).to_mat4()), RootMotion::Turn)
    });
    end.then(start.inverse())
}

#[cfg(test)]
mod tests {
    use glam::{Quat, Vec3};

    use super::*;
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
            let travel = loop_travel(&skeleton, [&ends[0], &ends[1]]);
            let point = Vec3::new(0.2, 1.0, 0.3);
            let [before, after] = ends.each_ref().map(|pose| {
                let mut model = ModelPose::default();
                model.compute(&skeleton, pose);
                model.get(1).to_mat4().transform_point3(point)
            });
            assert!(travel.moved(before).distance(after) < 1e-5, "{turn}");
            assert!(travel.times(-1).moved(after).distance(before) < 1e-5, "{turn}");
            assert_eq!(loop_travel(&skeleton, [&ends[0], &ends[0]]), Motion::NONE);
        }
    }
}
