//! Retargeting: clips of one character on another with other proportions. The pose is carried over bone by bone in the world, limbs
//! that rest in another direction (a T-pose and an A-pose) are aligned, the hips move in proportion to the legs, and the feet
//! stand where those of the source stand. Bones are found by name ([`crate::assets::bone_match`]).
//!
//! Clips are sampled at their keys and frames, then reduced. Scale keys and bones that only one of both has are left as they are at
//! rest. Weights and properties keep their keys. Hands don't reach for the world: arms keep directions, not positions.

mod lanes;
mod legs;
mod rig;
mod sampled;

use glam::{DQuat, DVec3};

use crate::anim::clip::Clip;
use crate::anim::ik::two_bone::{Goal, solve};
use crate::anim::pose::{LocalPose, ModelPose};
use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::anim::time::Time;
use crate::anim::track::Track;
use crate::assets::bone_match::NamedBones;
use crate::assets::clip_transfer::{Transfer, Transferred};
use crate::assets::retarget::legs::{Ground, Leg};
use crate::assets::retarget::rig::{Rig, rotation};

/// The share of a leg's length that it may be straightened to: a knee that snaps straight is visible.
const MAX_STRETCH: f64 = 0.9995;
/// Height of an ankle above the ground, in leg lengths, below which a foot stands.
const STANDING: f64 = 0.05;
/// Height of an ankle above the ground, in leg lengths, at which a foot carries nothing.
const LIFTED: f64 = 0.2;

/// Maximum number of samples times bones, for all clips of a library together.
const MAX_TRANSFORMS: usize = 1 << 20;
/// Additional transforms per key of a clip.
const TRANSFORMS_PER_KEY: usize = 8;

/// The conversion of clips from one character to another.
#[derive(Clone, Debug)]
pub struct Retarget<'a> {
    from: &'a Skeleton,
    to: &'a Skeleton,
    rig: Rig,
    legs: Vec<Leg>,
    /// For values that are no transforms: weights and properties.
    copied: Transfer,
    /// Maximum transforms of a sampled clip, beside those per key.
    share: usize,
}

impl<'a> Retarget<'a> {
    /// Prepares the conversion. `None` if no bone of the source is found in the target.
    pub fn new(from: impl Into<NamedBones<'a>>, to: impl Into<NamedBones<'a>>) -> Option<Retarget<'a>> {
        let (from, to) = (from.into(), to.into());
        let pairs = rig::pairs(from, to)?;
        let legs = legs::legs(from.skeleton, to, &pairs);
        let rig = Rig::new(from, to, pairs, &legs);
        let copied = Transfer::new(from, to)?;
        Some(Retarget { from: from.skeleton, to: to.skeleton, rig, legs, copied, share: MAX_TRANSFORMS })
    }

    /// The conversion of a number of clips. The more they are, the fewer samples a long one may have.
    #[must_use]
    pub fn for_clips(self, clips: usize) -> Retarget<'a> {
        Retarget { share: MAX_TRANSFORMS / clips.max(1), ..self }
    }

    /// Returns the maximum number of samples of a clip.
    fn max_samples(&self, clip: &Clip) -> usize {
        let keys: usize = clip.keyframes.iter().map(|keyframe| keyframe.keys.len()).sum();
        let room = keys.saturating_mul(TRANSFORMS_PER_KEY).saturating_add(self.share);
        room / self.from.len().max(self.to.len()).max(1)
    }

    /// Returns the ratio of leg lengths, or of all limbs without legs.
    pub fn scale(&self) -> f64 {
        self.rig.scale
    }

    /// Converts a clip.
    pub fn clip(&self, clip: &Clip) -> Transferred {
        let tracks = Track::all_of(clip);
        let tracks: Vec<Track> = tracks.into_iter().filter(|track| usize::from(track.bone) < self.from.len()).collect();
        let times = sampled::times(clip, self.max_samples(clip));
        let sources: Vec<ModelPose> = times.iter().map(|time| self.source(&tracks, *time)).collect();
        let ground = legs::ground(&self.legs, &sources, &self.rig);
        let headings: Vec<Vec<DQuat>> = self.legs.iter().map(|leg| self.headings(leg, &sources, &ground)).collect();
        let headings = |at: usize| headings.iter().map(|leg| leg[at]).collect::<Vec<_>>();
        let poses = sources.iter().enumerate().map(|(at, pose)| self.pose(pose, &ground, &headings(at)));
        let poses: Vec<LocalPose> = poses.collect();
        let mut keyed: Vec<bool> = vec![false; self.to.len()];
        self.rig.source.iter().enumerate().for_each(|(bone, source)| keyed[bone] = source.is_some());
        self.legs.iter().flat_map(Leg::bones).for_each(|bone| keyed[usize::from(bone)] = true);
        let tolerance = 5e-4 * self.rig.leg_length;
        let scalars = self.copied.clip(&sampled::only_scalars(clip));
        let converted = sampled::clip(&scalars.clip, &times, &poses, (self.to, &keyed, tolerance as f32));
        let missing = self.missing(&tracks).into_iter().chain(scalars.missing).collect();
        Transferred { clip: converted, missing }
    }

    /// Names of the source's bones that move and that the target lacks.
    fn missing(&self, tracks: &[Track]) -> Vec<String> {
        let mut moves = vec![false; self.from.len()];
        let of_bones = tracks.iter().filter(|track| track.channel.scalar().is_none());
        of_bones.for_each(|track| moves[usize::from(track.bone)] = true);
        self.rig.source.iter().flatten().for_each(|bone| moves[usize::from(*bone)] = false);
        let names = self.from.bones().iter().zip(moves).filter(|(_, is_missing)| *is_missing);
        names.map(|(bone, _)| bone.name.clone()).collect()
    }

    /// The pose of the source at a time.
    fn source(&self, tracks: &[Track], time: Time) -> ModelPose {
        let mut local = self.from.rest_pose();
        for track in tracks {
            local.put(track.bone, track.channel, track.sample(time));
        }
        let mut pose = ModelPose::default();
        pose.compute_portable(self.from, &local);
        pose
    }

    /// The pose of the target for one of the source.
    fn pose(&self, source: &ModelPose, ground: &Ground, headings: &[DQuat]) -> LocalPose {
        let rotations = self.rotations(source);
        let mut local = self.to.rest_pose();
        for (bone, rest) in self.to.bones().iter().enumerate() {
            let mut transform = rest.rest;
            if self.rig.source[bone].is_some() {
                let above = rest.parent.map_or(DQuat::IDENTITY, |parent| rotations[usize::from(parent)]);
                transform.rotation = (above.inverse() * rotations[bone]).normalize().as_quat();
            }
            local.set(bone, &transform);
        }
        // Bones at the top don't move each other; hips may be below one.
        let is_below = |bone: &BoneIndex| Some(*bone) == self.rig.hips && self.to.parent(*bone).is_some();
        let (below, tops): (Vec<BoneIndex>, Vec<BoneIndex>) = self.rig.movers.iter().partition(|bone| is_below(bone));
        for bones in [tops, below] {
            let model = self.model(&local);
            for bone in bones {
                self.place((&mut local, &model), bone, self.goal(source, bone, ground));
            }
        }
        self.plant(&mut local, source, &rotations, (ground, headings));
        local
    }

    /// The rotation of each bone of the target in model space.
    fn rotations(&self, source: &ModelPose) -> Vec<DQuat> {
        let mut rotations: Vec<DQuat> = Vec::with_capacity(self.to.len());
        for (bone, rest) in self.to.bones().iter().enumerate() {
            let turned = match self.rig.source[bone] {
                Some(from) => self.rig.above * rotation(source, Some(from)) * self.rig.axes[bone],
                None => {
                    let above = rest.parent.map_or(DQuat::IDENTITY, |parent| rotations[usize::from(parent)]);
                    above * rest.rest.rotation.as_dquat()
                }
            };
            rotations.push(turned.normalize());
        }
        rotations
    }

    /// Returns the target position of a moving bone in model space.
    fn goal(&self, source: &ModelPose, bone: BoneIndex, ground: &Ground) -> DVec3 {
        let from = self.rig.source[usize::from(bone)];
        let place = from.map_or(DVec3::ZERO, |from| source.get(from).translation().as_dvec3());
        if self.legs.is_empty() {
            self.rig.moved(place, (from, bone))
        } else {
            ground.moved(self.rig.above * place, self.rig.scale)
        }
    }

    /// The pose of the target in model space.
    fn model(&self, local: &LocalPose) -> ModelPose {
        let mut model = ModelPose::default();
        model.compute_portable(self.to, local);
        model
    }

    /// Moves a bone to a point in model space; the bones above are posed as in `model`.
    fn place(&self, (local, model): (&mut LocalPose, &ModelPose), bone: BoneIndex, at: DVec3) {
        let parent = self.to.parent(bone);
        let from_model = parent.map(|parent| model.get(parent).to_mat4().as_dmat4().inverse()).unwrap_or_default();
        let mut transform = local.get(usize::from(bone));
        let translation = from_model.transform_point3(at).as_vec3();
        if translation.is_finite() {
            transform.translation = translation;
            local.set(usize::from(bone), &transform);
        }
    }

    /// The place of the source's ankle.
    fn ankle(&self, leg: &Leg, source: &ModelPose) -> DVec3 {
        self.rig.above * source.get(leg.from[2]).translation().as_dvec3()
    }

    /// The direction of a foot in each pose.
    fn headings(&self, leg: &Leg, sources: &[ModelPose], ground: &Ground) -> Vec<DQuat> {
        let tip = leg.limb.tip;
        let turned = sources.iter().map(|pose| self.rig.heading(tip, self.rotations(pose)[usize::from(tip)]));
        let is_down = |pose: &ModelPose| self.ankle(leg, pose).y - ground.from < STANDING * leg.from_length;
        let is_down: Vec<bool> = sources.iter().map(is_down).collect();
        legs::headings(&turned.collect::<Vec<_>>(), &is_down)
    }

    /// Brings the feet to where those of the source are, in proportion. Hips that are too high for a standing foot are lowered.
    fn plant(
        &self,
        local: &mut LocalPose,
        source: &ModelPose,
        rotations: &[DQuat],
        (ground, headings): (&Ground, &[DQuat]),
    ) {
        let mut model = self.model(local);
        let goals: Vec<DVec3> = self
            .legs
            .iter()
            .zip(headings)
            .map(|(leg, heading)| ground.moved(self.ankle(leg, source), self.rig.scale) + *heading * leg.outward)
            .collect();
        let drop = self.legs.iter().zip(&goals).map(|(leg, goal)| {
            let height = self.ankle(leg, source).y - ground.from;
            let carries = (1.0 - height / (LIFTED * leg.from_length)).clamp(0.0, 1.0);
            carries * leg.missing(&model, *goal, MAX_STRETCH)
        });
        let drop = drop.fold(0.0, f64::max);
        if drop > 0.0
            && let Some(hips) = self.rig.hips
        {
            let at = model.get(hips).translation().as_dvec3();
            self.place((local, &model), hips, at - DVec3::Y * drop);
        }
        for (leg, goal) in self.legs.iter().zip(&goals) {
            solve(self.to, local, leg.limb, &Goal::at(goal.as_vec3()));
            model.compute_portable(self.to, local);
            let above = rotation(&model, self.to.parent(leg.limb.tip));
            let mut foot = local.get(usize::from(leg.limb.tip));
            foot.rotation = (above.inverse() * rotations[usize::from(leg.limb.tip)]).normalize().as_quat();
            local.set(usize::from(leg.limb.tip), &foot);
        }
    }
}

#[cfg(test)]
mod tests;
