//! A chain of bones for the iterative solvers, from a root to a tip, with joint limits.

use crate::anim::ik::limit::Limit;
use crate::anim::ik::rig::{is_posed, position};
use crate::anim::pose::LocalPose;
use crate::anim::skeleton::{BoneIndex, Skeleton};

/// Bones of which each is the parent of the next. All but the last rotate.
#[derive(Clone, Debug, PartialEq)]
pub struct Chain {
    bones: Vec<BoneIndex>,
    limits: Vec<Limit>,
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

impl Chain {
    /// The bones from `root` to `tip`; `None` unless the tip is a descendant of the root.
    pub fn between(skeleton: &Skeleton, root: BoneIndex, tip: BoneIndex) -> Option<Chain> {
        let upwards = std::iter::successors(Some(tip), |&bone| skeleton.parent(bone).filter(|_| bone != root));
        let mut bones: Vec<BoneIndex> = upwards.collect();
        bones.reverse();
        let is_chain = bones[0] == root && root != tip && usize::from(tip) < skeleton.len();
        let limits = vec![Limit::Free; bones.len()];
        is_chain.then_some(Chain { bones, limits })
    }

    /// The `joints` bones above a tip, and the tip; fewer if the skeleton ends.
    pub fn above(skeleton: &Skeleton, tip: BoneIndex, joints: usize) -> Option<Chain> {
        let root = std::iter::successors(Some(tip), |&bone| skeleton.parent(bone)).take(joints + 1).last()?;
        Chain::between(skeleton, root, tip)
    }

    /// Sets the limit of one joint. Does nothing if the bone is not in the chain.
    pub fn limit(mut self, bone: BoneIndex, limit: Limit) -> Chain {
        if let Some(at) = self.bones.iter().position(|&other| other == bone) {
            self.limits[at] = limit;
        }
        self
    }

    /// The bones from the root to the tip; at least two.
    pub fn bones(&self) -> &[BoneIndex] {
        &self.bones
    }

    /// The last bone.
    pub fn tip(&self) -> BoneIndex {
        self.bones[self.bones.len() - 1]
    }

    /// The positions of all bones in model space, and the chain's length. `None` if the chain can't be solved: bones
    /// outside the pose, a pose that is not finite, or a length of 0.
    pub(super) fn measure(&self, skeleton: &Skeleton, pose: &LocalPose) -> Option<(Vec<glam::Vec3>, f32)> {
        if !is_posed(skeleton, pose, &self.bones) {
            return None;
        }
        let points: Vec<_> = self.bones.iter().map(|&bone| position(skeleton, pose, bone)).collect();
        let length: f32 = points.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
        (length.is_finite() && length > crate::anim::ik::rig::TINY).then_some((points, length))
    }

    /// Applies the limit of the joint with an index in the chain.
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
