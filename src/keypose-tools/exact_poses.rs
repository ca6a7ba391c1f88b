//! The exact poses of a clip, from its tracks instead of its baked form.

use crate::anim::clip::Clip;
use crate::anim::pose::{LocalPose, ModelPose};
use crate::anim::skeleton::Skeleton;
use crate::anim::time::Time;
use crate::anim::track::Track;

/// The tracks of a clip that move bones of a skeleton.
pub struct ExactPoses<'a> {
    skeleton: &'a Skeleton,
    tracks: Vec<Track>,
    rest: LocalPose,
}

impl<'a> ExactPoses<'a> {
    /// Channels without keys are those of the rest pose.
    pub fn new(skeleton: &'a Skeleton, clip: &Clip) -> ExactPoses<'a> {
        let mut tracks = Track::all_of(clip);
        tracks.retain(|track| usize::from(track.bone) < skeleton.len());
        ExactPoses { skeleton, tracks, rest: skeleton.rest_pose() }
    }

    /// Overwrites a pose with that of a time.
    pub fn local(&self, time: Time, pose: &mut LocalPose) {
        pose.copy_from(&self.rest);
        for track in &self.tracks {
            pose.put(track.bone, track.channel, track.sample(time));
        }
    }

    /// The pose of a time.
    pub fn at(&self, time: Time) -> LocalPose {
        let mut pose = LocalPose::default();
        self.local(time, &mut pose);
        pose
    }

    /// The pose of a time in model space.
    pub fn model(&self, time: Time) -> ModelPose {
        let mut model = ModelPose::default();
        model.compute(self.skeleton, &self.at(time));
        model
    }

    /// As [`ExactPoses::model`], with the same bits on every machine.
    pub fn model_portable(&self, time: Time) -> ModelPose {
        let mut model = ModelPose::default();
        model.compute_portable(self.skeleton, &self.at(time));
        model
    }
}
