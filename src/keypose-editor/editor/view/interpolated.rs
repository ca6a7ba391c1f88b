//! The poses of the keyframes around a time, between which [`Method::Interpolated`] interpolates matrices.
//!
//! [`Method::Interpolated`]: keypose::anim::skin::method::Method::Interpolated

use std::sync::Arc;

use crate::editor::ops::pose::{model_pose, sample};
use crate::render::frame::NextPose;
use keypose::anim::clip::Clip;
use keypose::anim::mat34::Mat3x4;
use keypose::anim::pose::ModelPose;
use keypose::anim::skeleton::Skeleton;
use keypose::anim::skin::method;
use keypose::anim::time::Time;

/// The pose of the keyframe before a time of a clip, and the next keyframe's pose with the fraction between them; after the
/// last keyframe comes the end of the clip, where a loop is back at the first unless a key holds. Both get the scalars of `pose`, the pose at the time. `None` without keyframes.
pub fn around(clip: &Clip, skeleton: &Skeleton, time: Time, pose: &ModelPose) -> Option<(Arc<ModelPose>, NextPose)> {
    let keyframe = clip.keyframe_containing(time)?;
    let (start, length) = (clip.start_of(keyframe), clip.keyframes.get(keyframe)?.duration);
    let pose_at = |time: Time| {
        let scalars = pose.scalars.clone();
        Arc::new(ModelPose { scalars, ..model_pose(skeleton, &sample(clip, skeleton, time)) })
    };
    let fraction = ((time - start).fraction_of(length) as f32).clamp(0.0, 1.0);
    Some((pose_at(start), NextPose { pose: pose_at(start + length), fraction }))
}

/// A pose of a clip with its bones moved from where the clip has them at a time to between the matrices of its keyframes, as the game does it.
/// `None` without keyframes.
pub fn mixed(clip: &Clip, skeleton: &Skeleton, time: Time, pose: &ModelPose) -> Option<ModelPose> {
    let (from, next) = around(clip, skeleton, time, pose)?;
    let mixed = method::interpolated(&from.bones, &next.pose.bones, next.fraction);
    let exact = model_pose(skeleton, &sample(clip, skeleton, time));
    let moved = |(bone, (mixed, exact)): (&Mat3x4, (&Mat3x4, &Mat3x4))| Mat3x4 {
        rows: std::array::from_fn(|row| bone.rows[row] + (mixed.rows[row] - exact.rows[row])),
    };
    let bones = pose.bones.iter().zip(mixed.iter().zip(&exact.bones)).map(moved).collect();
    Some(ModelPose { bones, scalars: pose.scalars.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Quat, Vec3};
    use keypose::anim::clip::{Keyframe, LoopMode};
    use keypose::anim::key::{Ease, Key};
    use keypose::anim::skeleton::Bone;
    use keypose::anim::transform::Transform;
    use std::f32::consts::FRAC_PI_2;

    /// An arm that turns by 90° in a second.
    fn turning() -> (Skeleton, Clip) {
        let bone = |name: &str, parent, x: f32| Bone {
            name: name.into(),
            parent,
            rest: Transform::from_translation(Vec3::X * x),
        };
        let skeleton = Skeleton::new(vec![bone("arm", None, 0.0), bone("hand", Some(0), 1.0)]).unwrap();
        let keyframe = |turn: f32| Keyframe {
            duration: Time::SECOND,
            keys: [Key::rotation(0, Quat::from_rotation_z(turn))].into(),
            ..Keyframe::default()
        };
        (skeleton, Clip { keyframes: [keyframe(0.0), keyframe(FRAC_PI_2)].into(), ..Clip::new("clip") })
    }

    #[test]
    fn the_last_keyframe_of_a_loop_leads_to_the_first_unless_its_keys_hold() {
        let (skeleton, mut clip) = turning();
        clip.loop_mode = LoopMode::Loop;
        for (ease, end) in [(Ease::Linear, Vec3::X), (Ease::Step, Vec3::Y)] {
            clip.keyframes[1].keys[0].ease = ease;
            let (_, next) = around(&clip, &skeleton, Time::from_secs(1.5), &ModelPose::default()).unwrap();
            let hand = next.pose.get(1).translation();
            assert!(hand.distance(end) < 1e-5, "{ease:?}: {hand}");
        }
    }

    #[test]
    fn a_mixed_pose_is_between_keyframes_and_keeps_what_was_added_to_the_clip() {
        let (skeleton, clip) = turning();
        let time = Time::from_secs(0.5);
        let mut pose = model_pose(&skeleton, &sample(&clip, &skeleton, time));
        pose.bones[1].rows[0].w += 5.0;
        let hand = mixed(&clip, &skeleton, time, &pose).unwrap().get(1).translation();
        assert!(hand.distance(Vec3::new(5.5, 0.5, 0.0)) < 1e-5, "{hand}");
    }
}
