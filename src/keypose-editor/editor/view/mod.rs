//! The view: everything on screen that is computed from the document and the session. [`View`] is the pose on screen.
//! Only [`View::of`] computes it; the panels of a frame share one, and a gesture computes that of its base.
//!
//! A playing clip is sampled in its baked form, as in the game, once a thread of the app has baked it. A paused one is
//! evaluated exactly, so an edit is visible at once and a typed number stays exactly that number; the two differ by less than
//! the error bound of the bake.

use std::sync::Arc;

use crate::editor::document::Document;
use crate::editor::ops::pose::{apply_draft, model_pose, sample};
use crate::editor::session::Session;
use crate::editor::session::display::ShownPose;
use crate::editor::session::scene::PoseSource;
use crate::editor::session::switch::Switch;
use crate::editor::view::caches::{Bakes, Caches};
use keypose::anim::bake::BakedClip;
use keypose::anim::clip::Clip;
use keypose::anim::key::{Channel, Key};
use keypose::anim::pose::{LocalPose, ModelPose};
use keypose::anim::skeleton::BoneIndex;
use keypose::anim::time::Time;
use keypose::assets::draft::Draft;
use keypose::assets::id::ClipId;
use keypose::assets::model::Model;
use keypose_tools::bind_pose::{bind_pose, local_of};

pub mod balance;
pub mod bench;
pub mod beside;
pub mod bone_list;
pub mod cache;
pub mod caches;
pub mod canvases;
pub mod checks;
pub mod clip_list;
pub mod crowd;
pub mod dope_sheet;
pub mod films;
pub mod frame_data;
pub mod ghosts;
pub mod interpolated;
pub mod legend;
pub mod level;
pub mod measures;
pub mod mesh_trees;
pub mod motion_trails;
mod opponent;
pub mod pixels;
pub mod readings;
pub mod references;
pub mod root_path;
pub mod root_speed;
pub mod scene;
pub mod sockets;
pub mod springs;
pub mod sprite_sheet;
pub mod texts;
pub mod volumes;
pub mod weight_problems;

/// The inputs of the viewport.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The document as it is on screen: during a gesture, with its preview.
    pub document: &'a Document,
    /// The document as it was last saved or loaded.
    pub saved: &'a Document,
    pub session: &'a Session,
    /// Cached results.
    pub caches: &'a Caches,
}

/// Whether a channel is keyed at the playhead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// The channel has no key in this clip.
    Unkeyed,
    /// The channel has keys, but none at the playhead.
    Elsewhere,
    /// The channel is keyed at the playhead.
    Keyed,
    /// The channel was posed and has no key yet.
    Draft,
}

/// The pose on screen and what belongs to it.
#[derive(Clone, Debug, Default)]
pub struct View {
    /// The active model; `None` in an empty project.
    pub model: Option<Arc<Model>>,
    /// The id of the active clip.
    pub clip_id: Option<ClipId>,
    /// The active clip.
    pub clip: Option<Arc<Clip>>,
    /// The baked form of the clip while it plays; `None` until a large clip is baked.
    pub baked: Option<Arc<BakedClip>>,
    /// The clip time on screen.
    pub time: Time,
    /// The keyframe that starts at exactly that time.
    pub keyframe: Option<usize>,
    /// The keyframe whose duration contains that time.
    pub containing: Option<usize>,
    /// The draft on screen; `None` while playing.
    pub draft: Option<Draft>,
    /// The transform of every bone, relative to its parent.
    pub local: LocalPose,
    /// The transform of every bone in model space. The model is at the world's origin.
    pub pose: ModelPose,
}

impl View {
    /// Computes the view of a document, for example of the base of a gesture.
    pub fn of(document: &Document, session: &Session, bakes: &Bakes) -> View {
        let Some(model) = document.models.get(session.focus.model) else { return View::default() };
        let time = session.focus.playhead.time;
        let clip_id = session.focus.clip;
        let clip = clip_id.and_then(|id| model.clip(id)).cloned();
        let played = if session.focus.playhead.is_playing { clip.as_ref() } else { None };
        let baked = played.and_then(|clip| bakes.ready(clip, model));
        let mut local = model.skeleton.rest_pose();
        let sample_keys = |clip, time, local: &mut LocalPose| local.copy_from(&bakes.pose(clip, &model.skeleton, time));
        let rig = session.transient.scene.rig();
        let is_painted_posed = rig.is_some_and(|desk| desk.paint.shows_pose());
        let is_bind = (rig.is_some() && !is_painted_posed) || session.transient.pose.shown() == ShownPose::Bind;
        let bind = PoseSource::Model(ShownPose::Bind);
        match (if is_bind { &bind } else { &session.transient.pose }, &baked, &clip) {
            (PoseSource::Machine(preview), ..) => preview.sample(&mut local),
            (PoseSource::Blend(blend), ..) => blend.sample(&mut local),
            (PoseSource::Retarget(shown), ..) => sample_keys(&shown.clip, shown.time, &mut local),
            (PoseSource::Model(ShownPose::Clip), Some(baked), _) => baked.sample(time, &mut local),
            (PoseSource::Model(ShownPose::Clip), None, Some(clip)) => sample_keys(clip, time, &mut local),
            (PoseSource::Model(ShownPose::Clip), None, None) => {}
            (PoseSource::Model(ShownPose::Rest | ShownPose::Bind), ..) => {}
        }
        if let Some(clip) = played.filter(|_| session.is_on(Switch::Springs) && session.shows_clip()) {
            let sampled = |time, pose: &mut LocalPose| match &baked {
                Some(baked) => baked.sample(time, pose),
                None => pose.copy_from(&sample(clip, &model.skeleton, time)),
            };
            springs::swing(model, clip, &sampled, time, &mut local);
        }
        let is_here = |draft: &&Draft| (draft.clip, draft.time) == (clip_id, time);
        let draft =
            if session.is_posable() || is_painted_posed { model.drafts.iter().find(is_here).cloned() } else { None };
        if let Some(draft) = &draft {
            apply_draft(draft, &mut local);
        }
        let mut pose = ModelPose::default();
        if is_bind {
            pose = bind_pose(model);
            local = local_of(&model.skeleton, &pose);
        } else {
            pose.compute(&model.skeleton, &local);
        }
        let keyframe = clip.as_ref().and_then(|clip| clip.keyframe_at(time));
        let containing = clip.as_ref().and_then(|clip| clip.keyframe_containing(time));
        View { model: Some(model.clone()), clip_id, clip, baked, time, keyframe, containing, draft, local, pose }
    }

    /// The pose of the active clip at another time, without drafts: for ghosts and thumbnails.
    pub fn pose_at(&self, time: Time) -> LocalPose {
        match (&self.model, &self.clip) {
            (Some(model), Some(clip)) => sample(clip, &model.skeleton, time),
            (Some(model), None) => model.skeleton.rest_pose(),
            (None, _) => LocalPose::default(),
        }
    }

    /// The pose at another time in model space.
    pub fn model_pose_at(&self, time: Time) -> ModelPose {
        let model = self.model.as_ref();
        model.map_or_else(ModelPose::default, |model| model_pose(&model.skeleton, &self.pose_at(time)))
    }

    /// The keyframe whose keys of a bone are seen at the playhead.
    fn keyframe_of(&self, clip: &Clip, bone: BoneIndex) -> Option<usize> {
        match clip.delay_of(bone) {
            Time::ZERO => self.keyframe,
            _ => clip.keyframe_at(clip.keyed_time(bone, self.time)),
        }
    }

    /// Whether a channel is keyed at the playhead.
    pub fn mark(&self, bone: BoneIndex, channel: Channel) -> Mark {
        let in_draft = |draft: &Draft| draft.keys.iter().any(|key| key.address() == (bone, channel));
        if self.draft.as_ref().is_some_and(in_draft) {
            return Mark::Draft;
        }
        let Some(clip) = &self.clip else { return Mark::Unkeyed };
        let here = self.keyframe_of(clip, bone).and_then(|at| clip.keyframes[at].key(bone, channel));
        if here.is_some() {
            return Mark::Keyed;
        }
        if clip.keyframes.has_channel(bone, channel) { Mark::Elsewhere } else { Mark::Unkeyed }
    }

    /// Whether any channel of a bone is a draft or keyed at the playhead. Ignores keys at other times: this is called for
    /// every bone in every frame.
    pub fn bone_mark(&self, bone: BoneIndex) -> Mark {
        let has = |keys: &[Key]| {
            let from = keys.partition_point(|key| key.bone < bone);
            keys.get(from).is_some_and(|key| key.bone == bone)
        };
        let here = self.clip.as_ref().and_then(|clip| clip.keyframes.get(self.keyframe_of(clip, bone)?));
        if self.draft.as_ref().is_some_and(|draft| has(&draft.keys)) {
            Mark::Draft
        } else if here.is_some_and(|keyframe| has(&keyframe.keys)) {
            Mark::Keyed
        } else {
            Mark::Unkeyed
        }
    }
}
