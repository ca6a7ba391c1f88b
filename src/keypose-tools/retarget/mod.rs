//! Retargeting: clips of one character on another with other proportions. Clips are transferred bone by bone
//! ([`crate::clip_transfer`]), then legs are bent so that feet stand where those of the source stand, in leg lengths, and
//! hips are lowered if legs are too short. A clip whose feet stand there already is not changed.
//!
//! Only hips and legs are sampled, at their keys and frames, or at keyframes if those are stepped; all other bones keep the
//! transferred keys. Hands don't reach for the world: arms keep directions, not positions.

mod hands;
mod lanes;
mod legs;
mod steps;

use glam::{DQuat, DVec3};

use crate::anim::clip::{Clip, LoopMode};
use crate::anim::ik::two_bone::{Goal, solve};
use crate::anim::key::Ease;
use crate::anim::pose::{LocalPose, ModelPose};
use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::assets::bone_match::NamedBones;
use crate::assets::import_options::RestFit;
use crate::clip_transfer::frames::Frames;
use crate::clip_transfer::{Transfer, Transferred, sampled};
use crate::exact_poses::ExactPoses;
use crate::retarget::hands::Hands;
use crate::retarget::legs::Leg;
use crate::retarget::steps::{Step, Steps};

/// The share of a leg's length that it may be straightened to: a knee that snaps straight is visible.
const MAX_STRETCH: f64 = 0.9995;
/// The maximum distance of feet from where they belong, in leg lengths, that is left as it is.
const NEAR: f64 = 0.004;
/// How far hips are moved up or down, and across the ground, for legs of other proportions, in leg lengths.
const MAX_MOVE: DVec3 = DVec3::new(0.05, 0.028, 0.05);
/// Weight of a move of the hips: by a hundredth of a leg, it is worth as much as the turn of a leg by 3°.
const MOVE: f64 = 0.3;
/// How far hips may end from where the transferred clip has them, relative to its start, in leg lengths.
const MAX_DRIFT: f64 = 0.02;
/// How often moves of the hips are smoothed over time.
const SMOOTHINGS: usize = 3;

/// The conversion of clips from one character to another.
#[derive(Clone, Debug)]
pub struct Retarget<'a> {
    transfer: Transfer<'a>,
    legs: Vec<Leg>,
    hands: Option<Hands>,
}

impl<'a> Retarget<'a> {
    /// Prepares the conversion. `None` if no bone of the source is found in the target.
    pub fn new(from: impl Into<NamedBones<'a>>, to: impl Into<NamedBones<'a>>, fit: RestFit) -> Option<Retarget<'a>> {
        let transfer = Transfer::new(from, to, fit)?;
        let legs = legs::legs(&transfer);
        let hands = Hands::new(&transfer);
        Some(Retarget { transfer, legs, hands })
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
        let clip = &*clip.without_delays();
        let transferred = self.transfer.clip(clip);
        let (to, pairing) = (self.transfer.to, &self.transfer.pairing);
        if self.legs.is_empty() && self.hands.is_none() {
            return transferred;
        }
        let ease = self.ease(clip);
        let times = sampled::times(clip, self.transfer.max_samples(clip), ease);
        let sources: Vec<Frames> =
            self.transfer.sources(clip, &times).map(|pose| Frames::of(self.transfer.from, &pose)).collect();
        let exact = ExactPoses::new(to, &transferred.clip);
        let mut poses: Vec<LocalPose> = times.iter().map(|time| exact.at(*time)).collect();
        let posed: Vec<Frames> = poses.iter().map(|pose| Frames::of(to, pose)).collect();
        let is_closed = times.len() > 1 && times.last() == Some(&clip.length());
        let period = (clip.loop_mode == LoopMode::Loop).then_some(times.len() - usize::from(is_closed));
        let (ground, is_scaled) = (self.transfer.ground(clip), self.transfer.scales(clip));
        let both = Steps { sources: &sources, posed: &posed, ground, period, is_scaled };
        let mut bones: Vec<BoneIndex> = Vec::new();
        let steps: Vec<Vec<Step>> = self.legs.iter().map(|leg| leg.steps(&self.transfer, &both)).collect();
        if self.has_far(&steps, &posed) {
            let moved = self.moved(&steps, &posed, period);
            for (at, pose) in poses.iter_mut().enumerate() {
                let steps: Vec<Step> = steps.iter().map(|steps| steps[at]).collect();
                self.plant((pose, &posed[at]), &steps, moved[at]);
            }
            let is_moved = moved.iter().any(|by| by.length() > 1e-4 * pairing.leg_length);
            bones.extend(pairing.hips.map(|hips| hips[1]).filter(|_| is_moved));
            bones.extend(self.legs.iter().flat_map(Leg::bones));
        }
        if let Some(hands) = &self.hands {
            let reaches = hands.reaches(&self.transfer, &both);
            bones.extend(hands.bones().filter(|_| !reaches.is_empty()));
            for ((pose, posed), by) in poses.iter_mut().zip(&posed).zip(reaches) {
                self.hold((pose, posed), hands, by);
            }
        }
        if bones.is_empty() {
            return transferred;
        }
        let bones: Vec<(BoneIndex, Option<f32>)> =
            bones.into_iter().map(|bone| (bone, self.transfer.tolerance(bone))).collect();
        let clip = sampled::merged(&transferred.clip, &times, &poses, &bones, ease);
        Transferred { clip, ..transferred }
    }

    /// The interpolation of sampled keys, which follow hips, legs and arms.
    fn ease(&self, clip: &Clip) -> Ease {
        let legs = self.legs.iter().flat_map(|leg| leg.pair.from.into_iter().chain(leg.pair.toes.map(|toes| toes[0])));
        let hips = self.transfer.pairing.hips.map(|hips| hips[0]);
        let arms = self.hands.iter().flat_map(|hands| hands.from.into_iter().flatten());
        self.transfer.ease(clip, &legs.chain(hips).chain(arms).collect::<Vec<_>>())
    }

    /// Brings the hands of a pose together: the left one goes `by`, the right one the other way.
    fn hold(&self, (local, posed): (&mut LocalPose, &Frames), hands: &Hands, by: DVec3) {
        for (limb, by) in hands.limbs.iter().zip([by, -by]).filter(|(_, by)| *by != DVec3::ZERO) {
            let place = model(self.transfer.to, local).get(limb.tip).translation().as_dvec3();
            solve(self.transfer.to, local, *limb, &Goal::at((place + by).as_vec3()));
            self.turn(local, limb.tip, posed.rotation(limb.tip));
        }
    }

    /// Whether a foot is far from where it belongs.
    fn has_far(&self, steps: &[Vec<Step>], posed: &[Frames]) -> bool {
        let is_far = |leg: &Leg, step: &Step, posed: &Frames| {
            let turned = posed.rotation(leg.foot) * self.transfer.pairing.rests[1].rotation(leg.foot).inverse();
            step.goal.distance(posed.place(leg.limb.tip)) * step.weight > NEAR * leg.length
                || turned.angle_between(step.turn) > NEAR
        };
        let mut legs = self.legs.iter().zip(steps);
        legs.any(|(leg, steps)| steps.iter().zip(posed).any(|(step, posed)| is_far(leg, step, posed)))
    }

    /// How far the hips are moved in each pose, so that the legs turn least.
    fn moved(&self, steps: &[Vec<Step>], posed: &[Frames], period: Option<usize>) -> Vec<DVec3> {
        let count = period.unwrap_or(posed.len());
        let mut moved: Vec<DVec3> = (0..count)
            .map(|at| {
                let effort = |by: DVec3| {
                    let of = |(leg, steps): (&Leg, &Vec<Step>)| leg.effort(&steps[at], &posed[at], by).powi(4);
                    self.legs.iter().zip(steps).map(of).sum::<f64>()
                };
                best_move(effort) * self.transfer.pairing.leg_length
            })
            .collect();
        for _ in 0..SMOOTHINGS {
            let last = count - 1;
            let ends = if period.is_some() { [last, 0] } else { [0, last] };
            let before = |at: usize| at.checked_sub(1).unwrap_or(ends[0]);
            let after = |at: usize| if at < last { at + 1 } else { ends[1] };
            moved = (0..=last).map(|at| (moved[before(at)] + 2.0 * moved[at] + moved[after(at)]) / 4.0).collect();
        }
        let (first, last) = (moved[0], moved[moved.len() - 1]);
        let drift = (last - first).with_y(0.0);
        let excess = drift - drift.clamp_length_max(MAX_DRIFT * self.transfer.pairing.leg_length);
        let share = |at: usize| at as f64 / (count - 1).max(1) as f64 - 0.5;
        (0..posed.len()).map(|at| at % count).map(|at| moved[at] - excess * share(at)).collect()
    }

    /// Brings the feet of a pose to their goals, with the hips moved.
    fn plant(&self, (local, posed): (&mut LocalPose, &Frames), steps: &[Step], by: DVec3) {
        let to = self.transfer.to;
        let mut model = model(to, local);
        if let Some([_, hips]) = self.transfer.pairing.hips.filter(|_| by != DVec3::ZERO) {
            put(to, (local, &model), hips, posed.place(hips) + by);
            model.compute_portable(to, local);
        }
        for (leg, step) in self.legs.iter().zip(steps) {
            let goal = leg.goal(step, posed, by);
            let root = model.get(leg.limb.root).translation().as_dvec3();
            let goal = root + (goal - root).clamp_length_max(step.reach * MAX_STRETCH);
            solve(to, local, leg.limb, &Goal::at(goal.as_vec3()));
            self.turn(local, leg.foot, step.turn * self.transfer.pairing.rests[1].rotation(leg.foot));
            leg.toes.iter().for_each(|toes| self.turn(local, *toes, posed.rotation(*toes)));
            model.compute_portable(to, local);
            if leg.foot != leg.limb.tip {
                let end = model.get(leg.limb.tip).translation().as_dvec3();
                put(to, (local, &model), leg.foot, end);
            }
        }
    }

    /// Turns a bone of a pose, in model space.
    fn turn(&self, local: &mut LocalPose, bone: BoneIndex, rotation: DQuat) {
        let to = self.transfer.to;
        let mut transform = local.get(usize::from(bone));
        transform.rotation = Frames::of(to, local).local(to.parent(bone), rotation, transform.scale);
        local.set(usize::from(bone), &transform);
    }
}

/// The move of the hips, in leg lengths, for which legs turn least.
fn best_move(effort: impl Fn(DVec3) -> f64) -> DVec3 {
    let effort = |by: DVec3| effort(by) + (MOVE * by).length_squared();
    let (mut best, mut step) = ((effort(DVec3::ZERO), DVec3::ZERO), 0.5);
    while step > 0.02 {
        let ways = DVec3::AXES.into_iter().flat_map(|axis| [axis, -axis]);
        let tries = ways.map(|way| (best.1 + way * step * MAX_MOVE).clamp(-MAX_MOVE, MAX_MOVE));
        let next = tries.map(|by| (effort(by), by)).min_by(|a, b| a.0.total_cmp(&b.0));
        match next.filter(|next| next.0 < best.0) {
            Some(next) => best = next,
            None => step /= 2.0,
        }
    }
    best.1
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

#[cfg(test)]
mod tests;
