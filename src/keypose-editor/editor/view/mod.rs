//! The view: everything on screen that is computed from the document and the session. [`View`] is the pose on screen.
//! Only [`View::of`] computes it; the panels of a frame share one, and a gesture computes that of its base.
//!
//! A playing clip is sampled in its baked form, as in the game, once a thread of the app has baked it. A paused one is
//! evaluated exactly, so an edit is visible at once and a typed number stays exactly that number; the two differ by less than
//! the error bound of the bake.

use std::sync::Arc;

use crate::editor::document::Document;
use crate::editor::ops::layered::Layer;
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
    /// The channel is not keyed at the playhead.
    Unkeyed,
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
    /// The clip that gets the keys, which is the layer's if the active clip has one, and its keyframe that starts at exactly that time.
    keyed: Option<(ClipId, Arc<Clip>, Option<usize>)>,
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
        let layer = clip_id.and_then(|id| Layer::posed(model, id)).map(|layer| layer.how.clip);
        let keyed = layer.or(clip_id).and_then(|id| {
            let clip = model.clip(id)?;
            Some((id, clip.clone(), clip.keyframe_at(time)))
        });
        View { model: Some(model.clone()), clip_id, clip, baked, time, keyframe, containing, keyed, draft, local, pose }
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

    /// The clip and the keyframe whose keys of a bone are seen at the playhead, and these keys.
    pub fn keys_here(&self, bone: BoneIndex) -> Option<(ClipId, usize, &[Key])> {
        let (id, clip, here) = self.keyed.as_ref()?;
        let mut time = self.clip.as_ref()?.keyed_time(bone, self.time);
        if Some(*id) != self.clip_id {
            time = clip.keyed_time(bone, time);
        }
        let keyframe = if time == self.time { *here } else { clip.keyframe_at(time) }?;
        Some((*id, keyframe, keys_of(&clip.keyframes[keyframe].keys, bone)))
    }

    /// Whether a channel is a draft or keyed at the playhead.
    pub fn mark(&self, bone: BoneIndex, channel: Channel) -> Mark {
        self.mark_of(bone, |keys| keys.binary_search_by_key(&channel, |key| key.channel).is_ok())
    }

    /// Whether any channel of a bone is a draft or keyed at the playhead. Ignores keys at other times: this is called for
    /// every bone in every frame.
    pub fn bone_mark(&self, bone: BoneIndex) -> Mark {
        self.mark_of(bone, |keys| !keys.is_empty())
    }

    fn mark_of(&self, bone: BoneIndex, has: impl Fn(&[Key]) -> bool) -> Mark {
        if self.draft.as_ref().is_some_and(|draft| has(keys_of(&draft.keys, bone))) {
            Mark::Draft
        } else if self.keys_here(bone).is_some_and(|(.., keys)| has(keys)) {
            Mark::Keyed
        } else {
            Mark::Unkeyed
        }
    }
}

/// The keys of a bone among keys that are sorted by their addresses.
pub fn keys_of(keys: &[Key], bone: BoneIndex) -> &[Key] {
    let from = keys.partition_point(|key| key.bone < bone);
    &keys[from..from + keys[from..].partition_point(|key| key.bone == bone)]
}
