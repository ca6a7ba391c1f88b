//! Poses of clips and mirror pairs that ghosts needed lately: a picture that differs from the last one only by the
//! camera samples nothing again.

use std::cell::RefCell;
use std::sync::Arc;

use crate::anim::clip::Clip;
use crate::anim::pose::{LocalPose, ModelPose};
use crate::anim::skeleton::Skeleton;
use crate::anim::time::Time;
use crate::assets::model::Model;
use crate::assets::rig_notes::RigNotes;
use crate::editor::ops::exact;
use crate::editor::ops::mirror::Pairs;

/// Poses that are kept: more than a picture has ghosts.
const KEPT: usize = 48;

/// What a pose was sampled from, and the pose.
type Sampled = (Arc<Clip>, Arc<Skeleton>, Time, Arc<ModelPose>);

/// What mirror pairs were found from, and the pairs.
type Paired = (Arc<Skeleton>, RigNotes, Arc<Pairs>);

/// The caches. A clip that was edited is another one in memory, so nothing here is ever stale.
#[derive(Clone, Debug, Default)]
pub struct GhostPoses {
    sampled: RefCell<Vec<Sampled>>,
    pairs: RefCell<Option<Paired>>,
}

impl GhostPoses {
    /// The pose of a clip at a time.
    pub fn at(&self, clip: &Arc<Clip>, skeleton: &Arc<Skeleton>, time: Time) -> Arc<ModelPose> {
        let mut kept = self.sampled.borrow_mut();
        let is_it = |(a, b, at, _): &Sampled| *at == time && Arc::ptr_eq(a, clip) && Arc::ptr_eq(b, skeleton);
        let sampled = match kept.iter().position(is_it) {
            Some(place) => kept.remove(place),
            None => (clip.clone(), skeleton.clone(), time, Arc::new(posed(skeleton, &sample(clip, skeleton, time)))),
        };
        let pose = sampled.3.clone();
        kept.insert(0, sampled);
        kept.truncate(KEPT);
        pose
    }

    /// The mirror pairs of a model.
    pub fn pairs(&self, model: &Model) -> Arc<Pairs> {
        let mut kept = self.pairs.borrow_mut();
        if let Some((skeleton, rig, pairs)) = &*kept
            && Arc::ptr_eq(skeleton, &model.skeleton)
            && *rig == model.rig
        {
            return pairs.clone();
        }
        let pairs = Arc::new(Pairs::of_model(model));
        *kept = Some((model.skeleton.clone(), model.rig.clone(), pairs.clone()));
        pairs
    }
}

/// A clip's pose over the rest pose.
pub fn sample(clip: &Clip, skeleton: &Skeleton, time: Time) -> LocalPose {
    let mut local = skeleton.rest_pose();
    exact::sample(clip, time, &mut local);
    local
}

/// A pose in model space.
pub fn posed(skeleton: &Skeleton, local: &LocalPose) -> ModelPose {
    let mut pose = ModelPose::default();
    pose.compute(skeleton, local);
    pose
}
