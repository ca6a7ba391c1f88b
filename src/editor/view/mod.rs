//! The pose on screen, computed once a frame: the clip at the playhead, the draft over it. Nobody has a second way to
//! get it. What plays is the baked clip, as in the game; what stands still is the clip itself, so that an edit shows
//! at once and a typed number stays that number (the two differ by less than the bound of the bake).

pub mod bench;
pub mod checks;
pub mod clip_list;
pub mod dope_sheet;
pub mod ghost_poses;
pub mod ghosts;
pub mod motion_trails;
pub mod references;
pub mod root_speed;
pub mod scene;

use std::cell::RefCell;
use std::sync::Arc;

use crate::anim::bake::{BakedClip, bake};
use crate::anim::clip::Clip;
use crate::anim::key::{Channel, Key};
use crate::anim::pose::{LocalPose, ModelPose};
use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::anim::time::Time;
use crate::assets::bind_pose::{bind_pose, local_of};
use crate::assets::draft::Draft;
use crate::assets::id::ClipId;
use crate::assets::model::Model;
use crate::editor::document::Document;
use crate::editor::ops::exact;
use crate::editor::session::Session;
use crate::editor::session::display::ShownPose;
use crate::editor::state::Editor;

/// How many baked clips are kept: the one on screen, its neighbours in the undo history, ghosts.
const BAKES_KEPT: usize = 16;

/// How a channel stands at the playhead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// It has no key in this clip.
    Unkeyed,
    /// It has keys, none at the playhead.
    Elsewhere,
    /// It is keyed at the playhead.
    Keyed,
    /// It was posed and is not keyed yet.
    Draft,
}

/// The pose on screen and what is known about it.
#[derive(Clone, Debug, Default)]
pub struct View {
    /// What is edited; `None` in an empty project.
    pub model: Option<Arc<Model>>,
    /// The open clip's id.
    pub clip_id: Option<ClipId>,
    /// The open clip.
    pub clip: Option<Arc<Clip>>,
    /// The form of it that plays, while it does.
    pub baked: Option<Arc<BakedClip>>,
    /// The time that is shown.
    pub time: Time,
    /// The keyframe that starts at exactly that time.
    pub keyframe: Option<usize>,
    /// The keyframe in whose duration the time lies.
    pub containing: Option<usize>,
    /// The draft that is shown; none while playing.
    pub draft: Option<Draft>,
    /// Every bone against its parent.
    pub local: LocalPose,
    /// Every bone in model space. The model stands at the world's origin.
    pub pose: ModelPose,
}

impl View {
    /// The view of an editor as it is now.
    pub fn of(editor: &Editor) -> View {
        View::of_document(&editor.document, &editor.session, &editor.bakes)
    }

    /// The view of a document: of a gesture's base, say.
    pub fn of_document(document: &Document, session: &Session, bakes: &Bakes) -> View {
        let Some(model) = document.models.get(session.focus.model) else { return View::default() };
        let time = session.focus.playhead.time;
        let clip_id = session.focus.clip;
        let clip = clip_id.and_then(|id| model.clip(id)).cloned();
        let preview = session.focus.machine.preview.as_ref();
        let played = clip.as_ref().filter(|_| session.focus.playhead.is_playing);
        let baked = played.map(|clip| bakes.get(clip, &model.skeleton));
        let mut local = model.skeleton.rest_pose();
        let shown = session.workspace.display.pose;
        match (preview, &baked, &clip) {
            _ if shown != ShownPose::Clip => {}
            _ if session.transient.blend.is_some() => {
                session.transient.blend.iter().for_each(|blend| blend.sample(&mut local))
            }
            (Some(preview), ..) => preview.sample(&mut local),
            (None, Some(baked), _) => baked.sample(time, &mut local),
            (None, None, Some(clip)) => exact::sample(clip, time, &mut local),
            (None, None, None) => {}
        }
        let is_here = |draft: &&Draft| (draft.clip, draft.time) == (clip_id, time);
        let draft = model.drafts.iter().find(is_here).filter(|_| session.is_posable()).cloned();
        if let Some(draft) = &draft {
            put_draft(draft, &mut local);
        }
        let mut pose = ModelPose::default();
        match shown {
            ShownPose::Bind => {
                pose = bind_pose(model);
                local = local_of(&model.skeleton, &pose);
            }
            _ => pose.compute(&model.skeleton, &local),
        }
        let keyframe = clip.as_ref().and_then(|clip| clip.keyframe_at(time));
        let containing = clip.as_ref().and_then(|clip| clip.keyframe_containing(time));
        View { model: Some(model.clone()), clip_id, clip, baked, time, keyframe, containing, draft, local, pose }
    }

    /// The pose of the open clip at another time, without drafts: for ghosts and thumbnails.
    pub fn pose_at(&self, time: Time) -> LocalPose {
        let mut local = self.model.as_ref().map(|model| model.skeleton.rest_pose()).unwrap_or_default();
        if let Some(clip) = &self.clip {
            exact::sample(clip, time, &mut local);
        }
        local
    }

    /// The pose at another time in model space.
    pub fn model_pose_at(&self, time: Time) -> ModelPose {
        let mut pose = ModelPose::default();
        if let Some(model) = &self.model {
            pose.compute(&model.skeleton, &self.pose_at(time));
        }
        pose
    }

    /// How a channel stands at the playhead.
    pub fn mark(&self, bone: BoneIndex, channel: Channel) -> Mark {
        let in_draft = |draft: &Draft| draft.keys.iter().any(|key| key.address() == (bone, channel));
        if self.draft.as_ref().is_some_and(in_draft) {
            return Mark::Draft;
        }
        let Some(clip) = &self.clip else { return Mark::Unkeyed };
        let here = self.keyframe.and_then(|at| clip.keyframes[at].key(bone, channel));
        if here.is_some() {
            return Mark::Keyed;
        }
        let has_keys = clip.keyframes.iter().any(|keyframe| keyframe.key(bone, channel).is_some());
        if has_keys { Mark::Elsewhere } else { Mark::Unkeyed }
    }

    /// How a bone stands at the playhead, by the strongest of its channels: draft, keyed there, or neither. Keys elsewhere
    /// are not looked for: a picture asks this of every bone.
    pub fn bone_mark(&self, bone: BoneIndex) -> Mark {
        let has = |keys: &[Key]| {
            let from = keys.partition_point(|key| key.bone < bone);
            keys.get(from).is_some_and(|key| key.bone == bone)
        };
        let here = self.clip.as_ref().and_then(|clip| clip.keyframes.get(self.keyframe?));
        match () {
            _ if self.draft.as_ref().is_some_and(|draft| has(&draft.keys)) => Mark::Draft,
            _ if here.is_some_and(|keyframe| has(&keyframe.keys)) => Mark::Keyed,
            _ => Mark::Unkeyed,
        }
    }
}

/// Puts the draft's channels over a pose.
pub fn put_draft(draft: &Draft, local: &mut LocalPose) {
    let bones = local.len();
    for key in draft.keys.iter().filter(|key| usize::from(key.bone) < bones) {
        let bone = usize::from(key.bone);
        let mut transform = local.get(bone);
        key.channel.put(&mut transform, key.value);
        local.set(bone, &transform);
    }
}

/// Clip, skeleton and what was made of them.
type Bake = (Arc<Clip>, Arc<Skeleton>, Arc<BakedClip>);

/// Baked clips by the place of their source in memory: an edit makes a new clip, all others are found again.
#[derive(Clone, Debug, Default)]
pub struct Bakes(RefCell<Vec<Bake>>);

impl Bakes {
    /// The baked form of a clip on a skeleton.
    pub fn get(&self, clip: &Arc<Clip>, skeleton: &Arc<Skeleton>) -> Arc<BakedClip> {
        let mut kept = self.0.borrow_mut();
        let found = kept.iter().position(|(a, b, _)| Arc::ptr_eq(a, clip) && Arc::ptr_eq(b, skeleton));
        let bake = match found {
            Some(at) => kept.remove(at),
            None => (clip.clone(), skeleton.clone(), Arc::new(bake(clip, skeleton))),
        };
        let baked = bake.2.clone();
        kept.insert(0, bake);
        kept.truncate(BAKES_KEPT);
        baked
    }
}
