//! How far clips carry in the level, kept for the clips that were looked at lately: for the bench and for blends.

use std::cell::RefCell;
use std::sync::Arc;

use crate::anim::clip::Clip;
use crate::anim::pose::LocalPose;
use crate::anim::time::Time;
use crate::assets::clip_check::Footing;
use crate::assets::fit::{Fit, deform_bones, fit};
use crate::assets::gait::{Gait, walking_from};
use crate::assets::model::Model;
use crate::editor::ops::exact;
use crate::editor::view::scene::is_same_shape;

/// How many clips are kept.
const CLIPS_KEPT: usize = 8;

/// A model's size in the level, and the gaits of some of its clips.
#[derive(Clone, Debug)]
struct Known {
    model: Arc<Model>,
    fit: Fit,
    bones: Vec<usize>,
    clips: Vec<(Arc<Clip>, Gait)>,
}

/// What was read off models and clips, by their place in memory.
#[derive(Clone, Debug, Default)]
pub struct Strides(RefCell<Option<Known>>);

impl Strides {
    /// The model's size in the level.
    pub fn fit(&self, model: &Arc<Model>) -> Fit {
        self.with(model, |known| known.fit)
    }

    /// How far a clip carries, read off its feet; nothing where it does not stand on them.
    pub fn gait(&self, model: &Arc<Model>, clip: &Arc<Clip>) -> Gait {
        if Footing::of(model, &clip.name) == Footing::Elsewhere {
            return Gait::default();
        }
        self.with(model, |known| {
            if let Some((_, gait)) = known.clips.iter().find(|(other, _)| Arc::ptr_eq(other, clip)) {
                return *gait;
            }
            let rest = model.skeleton.rest_pose();
            let pose_at = |time: Time, pose: &mut LocalPose| {
                pose.copy_from(&rest);
                exact::sample(clip, time, pose);
            };
            let gait = walking_from(&model.skeleton, (clip.length(), &pose_at), &known.bones, known.fit.height);
            known.clips.insert(0, (clip.clone(), gait));
            known.clips.truncate(CLIPS_KEPT);
            gait
        })
    }

    /// Metres a second by which a clip goes forwards in the level; less than 0 for one that walks backwards.
    pub fn speed(&self, model: &Arc<Model>, clip: &Arc<Clip>) -> f32 {
        let secs = clip.length().secs() as f32;
        let way = self.gait(model, clip).way.z * self.fit(model).scale;
        if secs > 0.0 { way / secs } else { 0.0 }
    }

    fn with<T>(&self, model: &Arc<Model>, read: impl FnOnce(&mut Known) -> T) -> T {
        let mut kept = self.0.borrow_mut();
        if !kept.as_ref().is_some_and(|known| is_same_shape(&known.model, model)) {
            *kept = None;
        }
        let fresh = || Known { model: model.clone(), fit: fit(model), bones: deform_bones(model), clips: Vec::new() };
        read(kept.get_or_insert_with(fresh))
    }
}
