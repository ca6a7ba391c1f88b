//! Precomputed matrices of a character's clips: what a game with [`Method::Interpolated`] plays.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::anim::bake::BakedClip;
use crate::anim::machine::play::Machine;
use crate::anim::mat34::Mat3x4;
use crate::anim::pose::{LocalPose, ModelPose};
use crate::anim::root_motion::Motion;
use crate::anim::skeleton::Skeleton;
use crate::anim::skin::cache::PaletteCache;
use crate::anim::skin::method::Method;
use crate::anim::transform::Transform;
use crate::assets::character::Character;
use crate::assets::model::ClipSlot;

/// The matrices of the keyframes of all clips, by the address of the baked clip.
#[derive(Clone, Debug, Default)]
pub struct MatrixClips {
    clips: BTreeMap<usize, (Arc<BakedClip>, PaletteCache)>,
}

impl MatrixClips {
    /// Computes the matrices; none for a model with another method.
    pub fn of(character: &Character) -> MatrixClips {
        let model = &character.model;
        if model.skinning != Method::Interpolated {
            return MatrixClips::default();
        }
        let clip = |(slot, baked): (&ClipSlot, &Arc<BakedClip>)| {
            let cache = PaletteCache::of_keyframes(&slot.clip, baked, &model.skeleton);
            (address(baked), (baked.clone(), cache))
        };
        MatrixClips { clips: model.clips.iter().zip(&character.clips).map(clip).collect() }
    }

    /// Moves the bones of a pose of the machine from where its clips have them to between the matrices of their keyframes. What was
    /// added to the pose of the clips stays added.
    pub fn apply(&self, machine: &Machine, alpha: f32, skeleton: &Skeleton, pose: &mut ModelPose) {
        if self.clips.is_empty() {
            return;
        }
        let (mut local, mut exact, mut mixed) = (LocalPose::default(), ModelPose::default(), Vec::new());
        machine.for_each_clip(alpha, |clip, time, weight| {
            let Some((_, cache)) = self.clips.get(&address(&clip.clip)) else { return };
            clip.clip.sample(time, &mut local);
            exact.compute(skeleton, &local);
            cache.mixed(time, &mut mixed);
            // The machine turns the pose back by the root motion.
            let back = clip.anchor.map_or(Motion::NONE, |anchor| anchor.back(&local.get(0)));
            let turn = Transform::from_rotation(back.rotation.as_quat()).to_mat34();
            for (bone, (mixed, exact)) in pose.bones.iter_mut().zip(mixed.iter().zip(&exact.bones)) {
                let moved = turn * Mat3x4 { rows: std::array::from_fn(|row| mixed.rows[row] - exact.rows[row]) };
                bone.rows.iter_mut().zip(moved.rows).for_each(|(row, moved)| *row += moved * weight);
            }
        });
    }
}

fn address(clip: &Arc<BakedClip>) -> usize {
    Arc::as_ptr(clip).addr()
}
