//! Retargeting: clips of one character on another with other proportions. Clips are transferred bone by bone
//! ([`crate::assets::clip_transfer`]), then legs are bent so that feet stand where those of the source stand, in leg lengths, and
//! hips are lowered if legs are too short. A clip whose feet stand there already is not changed.
//!
//! Only hips and legs are sampled, at their keys and frames; all other bones keep the transferred keys. Hands don't reach for the
//! world: arms keep directions, not positions.

mod lanes;
mod legs;

use glam::{DQuat, DVec3};

use crate::anim::clip::Clip;
use crate::anim::ik::two_bone::{Goal, solve};
use crate::anim::pose::{LocalPose, ModelPose};
use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::anim::time::Time;
use crate::anim::track::Track;
use crate::assets::bone_match::NamedBones;
use crate::assets::clip_transfer::frames::Frames;
use crate::assets::clip_transfer::{Transfer, Transferred, sampled};
use crate::assets::import_options::RestFit;
use crate::assets::retarget::legs::{Leg, Steps};

/// The share of a leg's length that it may be straightened to: a knee that snaps straight is visible.
const MAX_STRETCH: f64 = 0.9995;
/// The maximum distance of feet from where they belong, in leg lengths, that is left as it is.
const NEAR: f64 = 0.004;
/// How far hips are lowered for legs that are too short, in leg lengths. Feet that still don't reach the ground float.
const MAX_DROP: f64 = 0.03;

/// The conversion of clips from one character to another.
#[derive(Clone, Debug)]
pub struct Retarget<'a> {
    transfer: Transfer<'a>,
    legs: Vec<Leg>,
}

impl<'a> Retarget<'a> {
    /// Prepares the conversion. `None` if no bone of the source is found in the target.
    pub fn new(from: impl Into<NamedBones<'a>>, to: impl Into<NamedBones<'a>>, fit: RestFit) -> Option<Retarget<'a>> {
        let transfer = Transfer::new(from, to, fit)?;
        let legs = legs::legs(&transfer);
        Some(Retarget { transfer, legs })
    }

    /// The conversion of a number of clips. The more they are, the fewer samples a long one may have.
    #[must_use]
    pub fn for_clips(self, clips: usize) -> Retarget<'a> {
        Retarget { transfer: self.transfer.for_clips(clips), ..self }
    }

    /// The conversion without the correction of legs.
    pub fn transfer(&self) -> &Transfer<'a> {
        &self.transfer
    }

    /// Returns the ratio of leg lengths, or of all limbs without legs.
    pub fn scale(&self) -> f64 {
        self.transfer.pairing.scale
    }

    /// Converts a clip.
    pub fn clip(&self, clip: &Clip) -> Transferred {
        let transferred = self.transfer.clip(clip);
        let to = self.transfer.to;
        if self.legs.is_empty() {
            return transferred;
        }
        let times = sampled::times(clip, self.transfer.max_samples(clip));
        let ground = self.transfer.ground(clip);
        let sources: Vec<Frames> =
            self.transfer.sources(clip, &times).map(|pose| Frames::of(self.transfer.from, &pose)).collect();
        let mut poses = poses(to, &transferred.clip, &times);
        let posed: Vec<Frames> = poses.iter().map(|pose| Frames::of(to, pose)).collect();
        let goals: Vec<Vec<DVec3>> = self
            .legs
            .iter()
            .map(|leg| leg.goals(&self.transfer, &Steps { sources: &sources, posed: &posed, ground }))
            .collect();
        let apart = |leg: usize, at: usize| posed[at].place(self.legs[leg].limb.tip).distance(goals[leg][at]);
        let is_far = |leg: usize| (0..times.len()).any(|at| apart(leg, at) > NEAR * self.transfer.pairing.leg_length);
        if !(0..self.legs.len()).any(is_far) {
            return transferred;
        }
        let mut is_lowered = false;
        for (at, pose) in poses.iter_mut().enumerate() {
            let goals: Vec<DVec3> = goals.iter().map(|goals| goals[at]).collect();
            is_lowered |= self.plant((pose, &posed[at]), &goals);
        }
        let hips = self.transfer.pairing.hips.map(|hips| hips[1]).filter(|_| is_lowered);
        let bones = hips.into_iter().chain(self.legs.iter().flat_map(Leg::bones));
        let bones: Vec<(BoneIndex, Option<f32>)> = bones.map(|bone| (bone, self.transfer.tolerance(bone))).collect();
        let clip = sampled::merged(&transferred.clip, &times, &poses, &bones);
        Transferred { clip, ..transferred }
    }

    /// Brings the feet of a pose to their goals. Returns whether the hips are too high for that and were lowered.
    fn plant(&self, (local, posed): (&mut LocalPose, &Frames), goals: &[DVec3]) -> bool {
        let to = self.transfer.to;
        let mut model = model(to, local);
        let missing = self.legs.iter().zip(goals).map(|(leg, goal)| leg.missing(&model, *goal, MAX_STRETCH));
        let drop = missing.fold(0.0, f64::max).min(MAX_DROP * self.transfer.pairing.leg_length);
        if let Some([_, hips]) = self.transfer.pairing.hips.filter(|_| drop > 0.0) {
            let place = posed.place(hips) - DVec3::Y * drop;
            put(to, (local, &model), hips, place);
        }
        for (leg, goal) in self.legs.iter().zip(goals) {
            solve(to, local, leg.limb, &Goal::at(goal.as_vec3()));
            model.compute_portable(to, local);
            let above = Frames::of(to, local).above(to.parent(leg.foot)).0;
            let mut foot = local.get(usize::from(leg.foot));
            foot.rotation = (above.inverse() * posed.rotation(leg.foot)).normalize().as_quat();
            local.set(usize::from(leg.foot), &foot);
            if leg.foot != leg.limb.tip {
                let end = model.get(leg.limb.tip).translation().as_dvec3();
                put(to, (local, &model), leg.foot, end);
            }
        }
        drop > 0.0
    }
}

/// The poses of a clip.
fn poses(skeleton: &Skeleton, clip: &Clip, times: &[Time]) -> Vec<LocalPose> {
    let tracks = Track::all_of(clip);
    let rest = skeleton.rest_pose();
    let pose = |time: &Time| {
        let mut pose = rest.clone();
        tracks.iter().for_each(|track| pose.put(track.bone, track.channel, track.sample(*time)));
        pose
    };
    times.iter().map(pose).collect()
}

fn model(skeleton: &Skeleton, local: &LocalPose) -> ModelPose {
    let mut model = ModelPose::default();
    model.compute_portable(skeleton, local);
    model
}

/// Moves a bone to a point in model space; the bones above are posed as in `model`.
fn put(skeleton: &Skeleton, (local, model): (&mut LocalPose, &ModelPose), bone: BoneIndex, at: DVec3) {
    let parent = skeleton.parent(bone);
    let from_model = parent.map(|parent| model.get(parent).to_mat4().as_dmat4().inverse()).unwrap_or_default();
    let mut transform = local.get(usize::from(bone));
    let translation = from_model.transform_point3(at).as_vec3();
    if translation.is_finite() {
        transform.translation = translation;
        local.set(usize::from(bone), &transform);
    }
}

/// The heading of a rotation: its part about the vertical axis, in radians.
fn heading(turned: DQuat) -> f64 {
    2.0 * turned.y.atan2(turned.w)
}

#[cfg(test)]
mod tests;
