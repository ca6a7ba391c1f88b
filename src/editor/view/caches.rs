//! Caches of what the view computes from clips and models. Their keys are the `Arc`s that a value was computed from: an
//! edit makes new ones, so no entry is ever stale.

use std::cell::RefCell;
use std::sync::Arc;

use crate::anim::bake::{BakedClip, bake};
use crate::anim::clip::Clip;
use crate::anim::pose::ModelPose;
use crate::anim::skeleton::Skeleton;
use crate::anim::time::Time;
use crate::assets::model::Model;
use crate::assets::recent::{ByAddress, Recent};
use crate::assets::rig_notes::RigNotes;
use crate::editor::ops::mirror::Pairs;
use crate::editor::view::motion_trails::MotionTrails;
use crate::editor::view::pose::{model_pose, sample};
use crate::editor::view::root_speed::RootSpeeds;
use crate::render::frame::bounds::{ModelBounds, Shape};

/// All caches of the view.
#[derive(Clone, Debug, Default)]
pub struct Caches {
    /// Baked clips.
    pub bakes: Bakes,
    /// Bounds of models.
    pub bounds: BoundsCache,
    /// Speeds at which clips move the character.
    pub root_speeds: RootSpeeds,
    /// Poses of neighbour and pinned ghosts, and mirror pairs.
    pub poses: PoseCache,
    /// Motion trails.
    pub trails: MotionTrails,
}

/// The number of cached bakes: the clip on screen, its neighbours in the undo history, blends.
const BAKES: usize = 16;

/// What a clip was baked from.
type BakeKey = (ByAddress<Clip>, ByAddress<Skeleton>);

/// Baked clips.
#[derive(Clone, Debug, Default)]
pub struct Bakes(RefCell<Recent<BakeKey, Arc<BakedClip>, BAKES>>);

impl Bakes {
    /// The baked form of a clip on a skeleton.
    pub fn get(&self, clip: &Arc<Clip>, skeleton: &Arc<Skeleton>) -> Arc<BakedClip> {
        let key = (clip.into(), skeleton.into());
        self.0.borrow_mut().get_or_insert_with(key, || Arc::new(bake(clip, skeleton))).clone()
    }
}

/// Bounds of models.
#[derive(Clone, Debug, Default)]
pub struct BoundsCache(RefCell<Recent<Shape, Arc<ModelBounds>, 8>>);

impl BoundsCache {
    /// The bounds of a model.
    pub fn get(&self, model: &Model) -> Arc<ModelBounds> {
        self.0.borrow_mut().get_or_insert_with(Shape::of(model), || Arc::new(ModelBounds::of(model))).clone()
    }
}

/// The number of cached poses: more than a frame has ghosts.
const POSES: usize = 48;

/// What a pose was sampled from.
type PoseKey = (ByAddress<Clip>, ByAddress<Skeleton>, Time);

/// What mirror pairs were found from, and the pairs.
type CachedPairs = (Arc<Skeleton>, RigNotes, Arc<Pairs>);

/// Poses of the active clip, for the ghosts of neighbours and pinned keyframes, and mirror pairs. The other ghosts are not
/// cached.
#[derive(Clone, Debug, Default)]
pub struct PoseCache {
    sampled: RefCell<Recent<PoseKey, Arc<ModelPose>, POSES>>,
    pairs: RefCell<Option<CachedPairs>>,
}

impl PoseCache {
    /// The pose of a clip at a time.
    pub fn at(&self, clip: &Arc<Clip>, skeleton: &Arc<Skeleton>, time: Time) -> Arc<ModelPose> {
        let compute = || Arc::new(model_pose(skeleton, &sample(clip, skeleton, time)));
        self.sampled.borrow_mut().get_or_insert_with((clip.into(), skeleton.into(), time), compute).clone()
    }

    /// The mirror pairs of a model.
    pub fn pairs(&self, model: &Model) -> Arc<Pairs> {
        let mut cached = self.pairs.borrow_mut();
        if let Some((skeleton, rig, pairs)) = &*cached
            && Arc::ptr_eq(skeleton, &model.skeleton)
            && *rig == model.rig
        {
            return pairs.clone();
        }
        let pairs = Arc::new(Pairs::of_model(model));
        *cached = Some((model.skeleton.clone(), model.rig.clone(), pairs.clone()));
        pairs
    }
}
