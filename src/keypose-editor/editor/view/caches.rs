//! Caches of what the view computes from clips and models. Their keys are the `Arc`s that a value was computed from: an
//! edit makes new ones, so no entry is ever stale.

use std::cell::RefCell;
use std::sync::Arc;

use crate::editor::ops::mirror::Pairs;
use crate::editor::ops::pose::{model_pose, sample};
use crate::editor::ops::rigging::RigWork;
use crate::editor::view::balance::BalanceCache;
use crate::editor::view::cache::{Cache, Deferred};
use crate::editor::view::canvases::Canvases;
use crate::editor::view::crowd::Crowds;
use crate::editor::view::films::Films;
use crate::editor::view::frame_data::{Attacks, Bouts};
use crate::editor::view::measures::Measures;
use crate::editor::view::mesh_trees::MeshTrees;
use crate::editor::view::motion_trails::MotionTrails;
use crate::editor::view::root_speed::RootSpeeds;
use crate::editor::view::weight_problems::WeightProblems;
use crate::render::frame::bounds::{ModelBounds, Shape};
use keypose::anim::bake::measure::Reach;
use keypose::anim::bake::{BakeOptions, BakedClip, SampleFormat, bake_reaching};
use keypose::anim::clip::Clip;
use keypose::anim::pose::{LocalPose, ModelPose};
use keypose::anim::skeleton::{BoneIndex, Skeleton};
use keypose::anim::time::Time;
use keypose::assets::combat::frame_data::FrameData;
use keypose::assets::combat::sweep::Sweep;
use keypose::assets::mesh_reach::{ReachParts, reach};
use keypose::assets::model::Model;
use keypose::assets::recent::ByAddress;
use keypose::assets::rig_notes::RigNotes;
use keypose_tools::root_motion::mover;

/// All caches of the view.
#[derive(Clone, Debug, Default)]
pub struct Caches {
    /// Baked clips.
    pub bakes: Bakes,
    /// Bounds of models.
    bounds: Cache<Shape, Arc<ModelBounds>, 8>,
    /// Speeds at which clips move the character.
    pub root_speeds: RootSpeeds,
    /// The figures of attacks.
    pub frame_data: Attacks<FrameData>,
    /// The ticks on which an opponent is hit.
    pub ticks_hit: Bouts,
    /// The ways of what hits.
    pub sweeps: Attacks<Arc<Vec<Sweep>>>,
    /// Poses of neighbour and pinned ghosts, and mirror pairs.
    pub poses: PoseCache,
    /// Motion trails.
    pub trails: MotionTrails,
    /// Weights of models and the motion of their centre of mass.
    pub balance: BalanceCache,
    /// See [`Caches::mover`].
    movers: Cache<(ByAddress<Clip>, ByAddress<Skeleton>), Option<BoneIndex>, 4>,
    pub crowds: Crowds,
    /// Hierarchies of meshes for picking.
    pub trees: MeshTrees,
    /// Surfaces for the brush of the rig mode.
    pub canvases: Canvases,
    pub weight_problems: WeightProblems,
    /// Frames of reference films.
    pub films: Films,
    /// Weights to compute.
    pub rig_work: Deferred<RigWork>,
    /// The measures of models that the next document will have.
    arriving: RefCell<Vec<Measures>>,
}

impl Caches {
    /// From now on, the app does work that takes longer than a frame in other threads.
    pub fn defer(&self) {
        self.bakes.deferred.turn_on();
        self.trees.defer();
        self.weight_problems.defer();
        self.rig_work.turn_on();
    }

    /// Takes the measures of the models of the next document, so that no frame has to read their vertices.
    pub fn expect(&self, measures: Vec<Measures>) {
        self.arriving.replace(measures);
    }

    /// Caches for another document: empty but for the expected measures, and deferred alike.
    pub fn for_another_document(&self) -> Caches {
        let caches = Caches::default();
        if self.bakes.deferred.is_on() {
            caches.defer();
        }
        for Measures { shape, bounds, proportions, reach } in self.arriving.take() {
            caches.bakes.reaches.get(reach.0, || reach.1);
            caches.bounds.get(shape.clone(), || bounds);
            caches.root_speeds.put(shape, proportions);
        }
        caches
    }

    /// The bounds of a model.
    pub fn bounds(&self, model: &Model) -> Arc<ModelBounds> {
        self.bounds.get(Shape::of(model), || Arc::new(ModelBounds::of(model)))
    }

    /// The bone that moves the character in a clip.
    pub fn mover(&self, clip: &Arc<Clip>, skeleton: &Arc<Skeleton>) -> Option<BoneIndex> {
        self.movers.get((clip.into(), skeleton.into()), || mover(clip, skeleton))
    }
}

/// The number of cached bakes: the clip on screen, its neighbours in the undo history, blends.
const BAKES: usize = 16;

/// A clip with more bytes of keys is baked by the app, if it defers bakes: to bake it takes longer than a frame.
const DEFERRED_BYTES: usize = 16 << 10;

/// The number of cached poses: enough for a frame and the base of a gesture.
const SAMPLED: usize = 4;

/// A clip to bake, and for what.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ToBake {
    pub clip: ByAddress<Clip>,
    pub skeleton: ByAddress<Skeleton>,
    reach: ByAddress<Reach>,
    format: SampleFormat,
}

impl ToBake {
    /// Bakes the clip.
    pub fn bake(&self) -> BakedClip {
        let options = BakeOptions { format: self.format, ..BakeOptions::default() };
        bake_reaching(&self.clip.0, &self.skeleton.0, &self.reach.0, &options)
    }
}

/// Baked clips, and the poses that were sampled from keys last.
#[derive(Clone, Debug, Default)]
pub struct Bakes {
    baked: Cache<ToBake, Arc<BakedClip>, BAKES>,
    reaches: Cache<ReachParts, Arc<Reach>, 4>,
    sampled: Cache<PoseKey, Arc<LocalPose>, SAMPLED>,
    deferred: Deferred<ToBake>,
}

impl Bakes {
    /// The baked form of a model's clip; bakes it if necessary.
    pub fn get(&self, clip: &Arc<Clip>, model: &Model) -> Arc<BakedClip> {
        self.get_or_bake(self.of(clip, model))
    }

    fn get_or_bake(&self, wanted: ToBake) -> Arc<BakedClip> {
        self.baked.get(wanted.clone(), || Arc::new(wanted.bake()))
    }

    fn of(&self, clip: &Arc<Clip>, model: &Model) -> ToBake {
        let reach = ByAddress(self.reaches.get(ReachParts::of(model), || Arc::new(reach(model))));
        ToBake { clip: clip.into(), skeleton: (&model.skeleton).into(), reach, format: model.samples }
    }

    /// As [`Bakes::get`]; `None` if that would take longer than a frame and bakes are deferred. Then the clip is wanted.
    pub fn ready(&self, clip: &Arc<Clip>, model: &Model) -> Option<Arc<BakedClip>> {
        let wanted = self.of(clip, model);
        let is_baked = self.baked.peek(&wanted).is_some();
        if self.deferred.is_on() && !is_baked && clip.keyframes.bytes() > DEFERRED_BYTES {
            self.deferred.leave(Some(wanted));
            return None;
        }
        Some(self.get_or_bake(wanted))
    }

    /// The clip that a frame wanted last, if bakes are deferred: the app bakes it and answers with [`Bakes::put`].
    pub fn take_wanted(&self) -> Option<ToBake> {
        self.deferred.take()
    }

    /// Adds a baked clip.
    pub fn put(&self, wanted: &ToBake, baked: Arc<BakedClip>) {
        self.baked.get(wanted.clone(), || baked);
    }

    /// The pose of a clip's keys at a time.
    pub fn pose(&self, clip: &Arc<Clip>, skeleton: &Arc<Skeleton>, time: Time) -> Arc<LocalPose> {
        let compute = || Arc::new(sample(clip, skeleton, time));
        self.sampled.get((clip.into(), skeleton.into(), time), compute)
    }
}

/// The number of cached poses: more than a frame has ghosts.
const POSES: usize = 48;

/// The inputs of a sampled pose.
type PoseKey = (ByAddress<Clip>, ByAddress<Skeleton>, Time);

/// The inputs of mirror pairs, and the pairs.
type CachedPairs = (Arc<Skeleton>, RigNotes, Arc<Pairs>);

/// Poses of the active clip, for the ghosts of neighbours and pinned keyframes, and mirror pairs. The other ghosts are not
/// cached.
#[derive(Clone, Debug, Default)]
pub struct PoseCache {
    sampled: Cache<PoseKey, Arc<ModelPose>, POSES>,
    pairs: RefCell<Option<CachedPairs>>,
}

impl PoseCache {
    /// The pose of a clip at a time.
    pub fn at(&self, clip: &Arc<Clip>, skeleton: &Arc<Skeleton>, time: Time) -> Arc<ModelPose> {
        let compute = || Arc::new(model_pose(skeleton, &sample(clip, skeleton, time)));
        self.sampled.get((clip.into(), skeleton.into(), time), compute)
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
