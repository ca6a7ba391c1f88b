//! Poses of clips, in local and in model space.

use crate::editor::ops::exact;
use keypose::anim::clip::Clip;
use keypose::anim::pose::{LocalPose, ModelPose};
use keypose::anim::skeleton::Skeleton;
use keypose::anim::time::Time;
use keypose::assets::draft::Draft;

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
