//! Poses of clips, in local and in model space.

use crate::anim::clip::Clip;
use crate::anim::pose::{LocalPose, ModelPose};
use crate::anim::skeleton::Skeleton;
use crate::anim::time::Time;
use crate::assets::draft::Draft;
use crate::editor::ops::exact;

/// Samples a clip over the rest pose.
pub fn sample(clip: &Clip, skeleton: &Skeleton, time: Time) -> LocalPose {
    let mut local = skeleton.rest_pose();
    exact::sample(clip, time, &mut local);
    local
}

/// Converts a pose to model space.
pub fn model_pose(skeleton: &Skeleton, local: &LocalPose) -> ModelPose {
    let mut pose = ModelPose::default();
    pose.compute(skeleton, local);
    pose
}

/// Replaces the channels of a pose that the draft has.
pub fn apply_draft(draft: &Draft, local: &mut LocalPose) {
    let bones = local.len();
    for key in draft.keys.iter().filter(|key| usize::from(key.bone) < bones) {
        local.put(key.bone, key.channel, key.value);
    }
}
