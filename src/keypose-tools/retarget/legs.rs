//! Legs: the thigh, shin and foot of both skeletons, and the ground that they stand on.

use std::f64::consts::TAU;

use glam::{DQuat, DVec3};

use crate::anim::ik::two_bone::TwoBone;
use crate::anim::pose::ModelPose;
use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::assets::bone_match::NamedBones;
use crate::assets::leg_bones::leg_bones;
use crate::assets::retarget::rig::{Pairs, Rig};

/// A leg of both skeletons.
#[derive(Clone, Debug)]
pub struct Leg {
    /// Of the target.
    pub limb: TwoBone,
    /// Corresponding bones of the source.
    pub from: [BoneIndex; 3],
    /// The length of the source's leg at rest.
    pub from_length: f64,
    /// The length of the target's leg at rest.
    pub to_length: f64,
    /// Sideways offset of the target's foot, because the hips are wider.
    pub outward: DVec3,
}

/// The legs that both have: feet by their names, with the two joints above them.
pub fn legs(from: &Skeleton, to: NamedBones<'_>, pairs: &Pairs) -> Vec<Leg> {
    let source = |bone: BoneIndex| pairs.iter().find(|(_, other)| *other == bone).map(|(bone, _)| *bone);
    let leg = |limb: TwoBone| {
        let bones = [limb.root, limb.middle, limb.tip];
        let [Some(root), Some(middle), Some(tip)] = bones.map(source) else { return None };
        let from_bones = [root, middle, tip];
        let (from_length, to_length) = (length(from, from_bones), length(to.skeleton, bones));
        let is_leg = from_length > 1e-6 && to_length > 1e-6 && from_length.is_finite() && to_length.is_finite();
        is_leg.then_some(Leg { limb, from: from_bones, from_length, to_length, outward: DVec3::ZERO })
    };
    let mut legs: Vec<Leg> = leg_bones(to).into_iter().filter_map(leg).collect();
    if let [one, other] = legs.as_mut_slice() {
        spread(one, other, (from, to.skeleton));
    }
    legs
}

/// Moves two feet apart by as much as the hips of the target are wider, in proportion.
fn spread(one: &mut Leg, other: &mut Leg, (from, to): (&Skeleton, &Skeleton)) {
    let apart = |skeleton: &Skeleton, [a, b]: [BoneIndex; 2]| {
        let rest = skeleton.rest_model_pose();
        (rest.get(a).translation() - rest.get(b).translation()).as_dvec3()
    };
    let (before, after) = (apart(from, [one.from[0], other.from[0]]), apart(to, [one.limb.root, other.limb.root]));
    let scale = (one.to_length + other.to_length) / (one.from_length + other.from_length);
    let wider = (after.length() - before.length() * scale) / 2.0;
    let sideways = (after * DVec3::new(1.0, 0.0, 1.0)).normalize_or_zero();
    (one.outward, other.outward) = (sideways * wider, -sideways * wider);
}

fn length(skeleton: &Skeleton, [root, middle, tip]: [BoneIndex; 3]) -> f64 {
    let rest = skeleton.rest_model_pose();
    let [root, middle, tip] = [root, middle, tip].map(|bone| rest.get(bone).translation().as_dvec3());
    root.distance(middle) + middle.distance(tip)
}

impl Leg {
    /// Returns the leg's bones in the target.
    pub fn bones(&self) -> [BoneIndex; 3] {
        [self.limb.root, self.limb.middle, self.limb.tip]
    }

    /// Returns how far the hips must be lowered for the foot to reach a point; 0 if it does, or if lowering doesn't help.
    pub fn missing(&self, pose: &ModelPose, goal: DVec3, stretch: f64) -> f64 {
        let root = pose.get(self.limb.root).translation().as_dvec3();
        let (away, length) = (root - goal, self.to_length * stretch);
        let across = (away * DVec3::new(1.0, 0.0, 1.0)).length();
        if away.length() <= length || across >= length {
            0.0
        } else {
            (away.y - (length * length - across * across).sqrt()).max(0.0)
        }
    }
}

/// The heights of ankles above the ground while the feet stand on it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ground {
    /// Of the source, in the world of the target.
    pub from: f64,
    /// Of the target.
    pub to: f64,
}

impl Ground {
    /// A point of the source in the target: in proportion, standing feet on the ground.
    pub fn moved(&self, place: DVec3, scale: f64) -> DVec3 {
        DVec3::new(place.x * scale, self.to + (place.y - self.from) * scale, place.z * scale)
    }
}

/// For each pose, how far a foot is turned about the vertical axis, from `turned`: constant while it is on the ground, so that what
/// follows it doesn't slide, and from one step to the next while it is in the air.
pub fn headings(turned: &[f64], is_down: &[bool]) -> Vec<DQuat> {
    let mut angles: Vec<f64> = Vec::with_capacity(turned.len());
    for angle in turned {
        let before = angles.last().copied().unwrap_or(*angle);
        angles.push(angle - TAU * ((angle - before) / TAU).round());
    }
    let mut steps: Vec<(usize, usize, f64)> = Vec::new();
    for at in (0..angles.len()).filter(|at| is_down[*at]) {
        match steps.last_mut().filter(|(_, end, _)| *end == at) {
            Some((_, end, sum)) => (*end, *sum) = (at + 1, *sum + angles[at]),
            None => steps.push((at, at + 1, angles[at])),
        }
    }
    let mean = |(start, end, sum): &(usize, usize, f64)| sum / (end - start) as f64;
    let heading = |at: usize| {
        let next = steps.partition_point(|(_, end, _)| *end <= at);
        match (next.checked_sub(1).and_then(|before| steps.get(before)), steps.get(next)) {
            (_, Some(step)) if step.0 <= at => mean(step),
            (Some(before), Some(after)) => {
                let share = (at + 1 - before.1) as f64 / (after.0 + 1 - before.1) as f64;
                mean(before) + (mean(after) - mean(before)) * share
            }
            (Some(only), None) | (None, Some(only)) => mean(only),
            (None, None) => angles.iter().sum::<f64>() / angles.len() as f64,
        }
    };
    (0..angles.len()).map(|at| DQuat::from_rotation_y(heading(at))).collect()
}

/// Finds the ground: where feet rest, or the lowest point of the clip if the source's rest pose may be any pose.
pub fn ground(legs: &[Leg], poses: &[ModelPose], rig: &Rig) -> Ground {
    if legs.is_empty() {
        return Ground::default();
    }
    let lowest = |heights: &mut dyn Iterator<Item = f64>| heights.fold(f64::INFINITY, f64::min);
    let to = lowest(&mut legs.iter().map(|leg| rig.rest_height(1, leg.limb.tip)));
    let height = |pose: &ModelPose, leg: &Leg| (rig.above * pose.get(leg.from[2]).translation().as_dvec3()).y;
    let from = if rig.has_same_axes && !poses.is_empty() {
        lowest(&mut poses.iter().flat_map(|pose| legs.iter().map(move |leg| height(pose, leg))))
    } else {
        lowest(&mut legs.iter().map(|leg| rig.rest_height(0, leg.from[2])))
    };
    Ground { from, to }
}
