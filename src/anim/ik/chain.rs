//! A chain of bones for the iterative solvers: from a root down to a tip, with the limits of its joints.

use crate::anim::ik::limit::Limit;
use crate::anim::ik::rig::{is_posed, position};
use crate::anim::pose::LocalPose;
use crate::anim::skeleton::{BoneIndex, Skeleton};

/// Bones of which each is the parent of the next. All but the last are turned.
#[derive(Clone, Debug, PartialEq)]
pub struct Chain {
    bones: Vec<BoneIndex>,
    limits: Vec<Limit>,
}

/// When an iterative solver stops.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effort {
    /// The most rounds over the whole chain.
    pub rounds: u32,
    /// A distance in parts of the chain's length that is near enough. NaN and negative values count as 0.
    pub tolerance: f32,
}

impl Default for Effort {
    /// 32 rounds, to a thousandth.
    fn default() -> Effort {
        Effort { rounds: 32, tolerance: 1e-3 }
    }
}

impl Chain {
    /// From `root` down to `tip`; `None` unless the tip hangs below the root.
    pub fn between(skeleton: &Skeleton, root: BoneIndex, tip: BoneIndex) -> Option<Chain> {
        let upwards = std::iter::successors(Some(tip), |&bone| skeleton.parent(bone).filter(|_| bone != root));
        let mut bones: Vec<BoneIndex> = upwards.collect();
        bones.reverse();
        let is_chain = bones[0] == root && root != tip && usize::from(tip) < skeleton.len();
        let limits = vec![Limit::Free; bones.len()];
        is_chain.then_some(Chain { bones, limits })
    }

    /// The `joints` bones above a tip and the tip itself; fewer where the skeleton ends.
    pub fn above(skeleton: &Skeleton, tip: BoneIndex, joints: usize) -> Option<Chain> {
        let root = std::iter::successors(Some(tip), |&bone| skeleton.parent(bone)).take(joints + 1).last()?;
        Chain::between(skeleton, root, tip)
    }

    /// Sets the range of one joint. A bone outside the chain is ignored.
    pub fn limit(mut self, bone: BoneIndex, limit: Limit) -> Chain {
        if let Some(at) = self.bones.iter().position(|&other| other == bone) {
            self.limits[at] = limit;
        }
        self
    }

    /// From the root to the tip; at least two.
    pub fn bones(&self) -> &[BoneIndex] {
        &self.bones
    }

    /// The last bone.
    pub fn tip(&self) -> BoneIndex {
        self.bones[self.bones.len() - 1]
    }

    /// Where every bone is in the model, and the chain's length; `None` where it can't be solved: bones outside the
    /// pose, a pose that is not finite, a chain without length.
    pub(super) fn measure(&self, skeleton: &Skeleton, pose: &LocalPose) -> Option<(Vec<glam::Vec3>, f32)> {
        if !is_posed(skeleton, pose, &self.bones) {
            return None;
        }
        let points: Vec<_> = self.bones.iter().map(|&bone| position(skeleton, pose, bone)).collect();
        let length: f32 = points.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
        (length.is_finite() && length > crate::anim::ik::rig::TINY).then_some((points, length))
    }

    /// Brings the rotation of the joint at a place of the chain into its range.
    pub(super) fn hold(&self, at: usize, skeleton: &Skeleton, pose: &mut LocalPose) {
        let bone = self.bones[at];
        let Some(rest) = skeleton.get(bone).map(|bone| bone.rest.rotation) else { return };
        let mut transform = pose.get(usize::from(bone));
        if self.limits[at] != Limit::Free {
            transform.rotation = self.limits[at].clamp(rest, transform.rotation);
            pose.set(usize::from(bone), &transform);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anim::ik::test_limb::straight;

    #[test]
    fn a_chain_runs_down_to_its_tip() {
        let skeleton = straight(&[1.0, 1.0, 1.0]);
        assert_eq!(Chain::between(&skeleton, 1, 4).unwrap().bones(), [1, 2, 3, 4]);
        assert_eq!(Chain::above(&skeleton, 4, 2).unwrap().bones(), [2, 3, 4]);
        assert_eq!(Chain::above(&skeleton, 2, 99).unwrap().bones(), [0, 1, 2]);
        for (root, tip) in [(4, 1), (2, 2), (1, 99), (99, 1)] {
            assert_eq!(Chain::between(&skeleton, root, tip), None, "{root} {tip}");
        }
    }
}
