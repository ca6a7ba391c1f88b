//! The poses of the keyframes around a time, between which [`Method::Interpolated`] interpolates matrices.
//!
//! [`Method::Interpolated`]: keypose::anim::skin::method::Method::Interpolated

use std::sync::Arc;

use crate::editor::ops::pose::{model_pose, sample};
use crate::render::frame::NextPose;
use keypose::anim::clip::{Clip, LoopMode};
use keypose::anim::pose::ModelPose;
use keypose::anim::skeleton::Skeleton;
use keypose::anim::time::Time;

/// The pose of the keyframe before a time of a clip, and the next keyframe's pose with the fraction between them; after the
/// last keyframe of a loop comes the first. Both get the scalars of `pose`, the pose at the time. `None` without keyframes.
pub fn around(clip: &Clip, skeleton: &Skeleton, time: Time, pose: &ModelPose) -> Option<(Arc<ModelPose>, NextPose)> {
    let keyframe = clip.keyframe_containing(time)?;
    let (start, length) = (clip.start_of(keyframe), clip.keyframes.get(keyframe)?.duration);
    let is_last = keyframe + 1 == clip.keyframes.len();
    let end = if is_last && clip.loop_mode == LoopMode::Loop { Time::ZERO } else { start + length };
    let pose_at = |time: Time| {
        let scalars = pose.scalars.clone();
        Arc::new(ModelPose { scalars, ..model_pose(skeleton, &sample(clip, skeleton, time)) })
    };
    let fraction = ((time - start).fraction_of(length) as f32).clamp(0.0, 1.0);
    Some((pose_at(start), NextPose { pose: pose_at(end), fraction }))
}
