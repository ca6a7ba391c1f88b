//! A chain of bones for the iterative solvers, from a root to a tip, with joint limits.

use glam::Vec3;

use crate::anim::choice::choice;
use crate::anim::ik::limit::Limit;
use crate::anim::ik::rig::{TINY, direction, is_posed, model_from_parent};
use crate::anim::ik::{Outcome, ccd, fabrik};
use crate::anim::mat34::Mat3x4;
use crate::anim::pose::LocalPose;
use crate::anim::skeleton::{BoneIndex, Skeleton};

/// Bones of which each is the parent of the next. All but the last rotate.
#[derive(Clone, Debug, PartialEq)]
pub struct Chain {
    bones: Vec<BoneIndex>,
    limits: Vec<Option<Limit>>,
    /// Whether a joint keeps its rotation.
    is_fixed: Vec<bool>,
}

choice! {
    /// An iterative solver of chains.
    pub enum Solver {
        /// Bends mostly near the tip: tails, tentacles, fingers.
        Ccd = "CCD",
        /// Bends evenly: spines, ropes, long limbs.
        Fabrik = "FABRIK",
    }
}

impl Solver {
    /// Moves the tip of a chain to a target.
    pub fn solve(
        self,
        skeleton: &Skeleton,
        pose: &mut LocalPose,
        chain: &Chain,
        target: Vec3,
        effort: &Effort,
    ) -> Outcome {
        match self {
            Solver::Ccd => ccd::solve(skeleton, pose, chain, target, effort),
            Solver::Fabrik => fabrik::solve(skeleton, pose, chain, target, effort),
        }
    }
}

/// When an iterative solver stops.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effort {
    /// Maximum number of iterations over the whole chain.
    pub iterations: u32,
    /// The distance to the target that is near enough, as a fraction of the chain's length. NaN and negative values
    /// count as 0.
    pub tolerance: f32,
}

impl Default for Effort {
    /// 32 iterations, to a thousandth.
    fn default() -> Effort {
        Effort { iterations: 32, tolerance: 1e-3 }
    }
}

/// A chain before it is solved.
pub(super) struct Measured {
    /// The positions of all bones in model space.
    pub points: Vec<Vec3>,
    /// The sum of the distances between neighbours, more than 0.
    pub length: f32,
    /// The target, moved to at most a million lengths from the root: sums of farther ones overflow.
    pub target: Vec3,
    /// The distance to the target that is near enough.
    pub tolerance: f32,
}

/// A direction across a straight chain that points at its target: no iteration would bend it. `None` for other chains.
pub(super) fn side_of_straight(points: &[Vec3], target: Vec3, length: f32) -> Option<Vec3> {
    let along = direction(points[points.len() - 1] - points[0]).or(direction(target - points[0]))?;
    let off = |point: &Vec3| (*point - points[0]).reject_from_normalized(along).length();
    let is_straight = points.iter().chain([&target]).all(|point| off(point) < length * 1e-4);
    is_straight.then(|| along.any_orthonormal_vector())
}

impl Chain {
    /// The bones from `root` to `tip`; `None` unless the tip is a descendant of the root.
    pub fn between(skeleton: &Skeleton, root: BoneIndex, tip: BoneIndex) -> Option<Chain> {
        let upwards = std::iter::successors(Some(tip), |&bone| skeleton.parent(bone).filter(|_| bone != root));
        let mut bones: Vec<BoneIndex> = upwards.collect();
        bones.reverse();
        let is_chain = bones[0] == root && root != tip && usize::from(tip) < skeleton.len();
        let (limits, is_fixed) = (vec![None; bones.len()], vec![false; bones.len()]);
        is_chain.then_some(Chain { bones, limits, is_fixed })
    }

    /// The `joints` bones above a tip, and the tip; fewer if the skeleton ends.
    pub fn above(skeleton: &Skeleton, tip: BoneIndex, joints: usize) -> Option<Chain> {
        let root = skeleton.above(tip).take(joints).last()?;
        Chain::between(skeleton, root, tip)
    }

    /// Sets the limit of one joint, or of the tip for [`Chain::hold_all`]. Does nothing if the bone is not in the chain, or
    /// the limit is invalid.
    pub fn limit(mut self, bone: BoneIndex, limit: Limit) -> Chain {
        if let Some(at) = self.at(bone).filter(|_| limit.check().is_ok()) {
            self.limits[at] = Some(limit);
        }
        self
    }

    /// Makes a joint keep its rotation, such as a twist bone. Does nothing if the bone is not in the chain.
    pub fn fix(mut self, bone: BoneIndex) -> Chain {
        if let Some(at) = self.at(bone) {
            self.is_fixed[at] = true;
        }
        self
    }

    fn at(&self, bone: BoneIndex) -> Option<usize> {
        self.bones.iter().position(|&other| other == bone)
    }

    /// Whether a bone has a limit.
    pub fn has_limits(&self) -> bool {
        self.limits.iter().any(Option::is_some)
    }

    /// Applies the limits of all bones, the tip included.
    pub fn hold_all(&self, pose: &mut LocalPose) {
        (0..self.bones.len()).for_each(|at| self.hold(at, pose));
    }

    /// The bones from the root to the tip; at least two.
    pub fn bones(&self) -> &[BoneIndex] {
        &self.bones
    }

    /// The last bone.
    pub fn tip(&self) -> BoneIndex {
        self.bones[self.bones.len() - 1]
    }

    /// Applies the limits and measures the chain. `None`, with the pose unchanged, if it can't be solved: bones outside the pose, a pose or target that is not finite, or a
    /// length of 0.
    pub(super) fn measure(
        &self,
        skeleton: &Skeleton,
        pose: &mut LocalPose,
        target: Vec3,
        effort: &Effort,
    ) -> Option<Measured> {
        if !is_posed(skeleton, pose, &self.bones) || !target.is_finite() {
            return None;
        }
        let lengths = self.points(skeleton, pose);
        let length: f32 = lengths.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
        if !length.is_finite() || length <= TINY {
            return None;
        }
        self.hold_all(pose);
        let points = self.points(skeleton, pose);
        let away = target - points[0];
        let target = points[0] + away * (length * 1e6 / away.abs().max_element().max(f32::MIN_POSITIVE)).min(1.0);
        Some(Measured { points, length, target, tolerance: length * effort.tolerance.max(1e-6) })
    }

    /// Model from the parent's space of each bone.
    pub(super) fn spaces(&self, skeleton: &Skeleton, pose: &LocalPose) -> Vec<Mat3x4> {
        let mut space = model_from_parent(skeleton, pose, self.bones[0]);
        let next = |&bone: &BoneIndex| {
            let of_bone = space;
            space = space * pose.get(usize::from(bone)).to_mat34();
            of_bone
        };
        self.bones.iter().map(next).collect()
    }

    /// The positions of all bones in model space.
    pub(super) fn points(&self, skeleton: &Skeleton, pose: &LocalPose) -> Vec<Vec3> {
        let spaces = self.spaces(skeleton, pose);
        let place =
            |(&bone, space): (&BoneIndex, &Mat3x4)| space.transform_point(pose.get(usize::from(bone)).translation);
        self.bones.iter().zip(&spaces).map(place).collect()
    }

    /// Whether the joint with an index in the chain rotates.
    pub(super) fn rotates(&self, at: usize) -> bool {
        !self.is_fixed[at]
    }

    /// Applies the limit of the bone with an index in the chain.
    pub(super) fn hold(&self, at: usize, pose: &mut LocalPose) {
        let index = usize::from(self.bones[at]);
        if let Some(limit) = self.limits[at].filter(|_| index < pose.len()) {
            let mut transform = pose.get(index);
            transform.rotation = limit.clamp(transform.rotation);
            if transform.rotation.is_finite() {
                pose.set(index, &transform);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anim::ik::test_limb::straight;

    #[test]
    fn a_chain_goes_from_root_to_tip() {
        let skeleton = straight(&[1.0, 1.0, 1.0]);
        assert_eq!(Chain::between(&skeleton, 1, 4).unwrap().bones(), [1, 2, 3, 4]);
        assert_eq!(Chain::above(&skeleton, 4, 2).unwrap().bones(), [2, 3, 4]);
        assert_eq!(Chain::above(&skeleton, 2, 99).unwrap().bones(), [0, 1, 2]);
        for (root, tip) in [(4, 1), (2, 2), (1, 99), (99, 1)] {
            assert_eq!(Chain::between(&skeleton, root, tip), None, "{root} {tip}");
        }
    }
}
