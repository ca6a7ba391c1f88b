//! The legs and arms of a skeleton, found by the names of their bones.

use crate::anim::ik::two_bone::TwoBone;
use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::assets::bone_match::{NamedBones, parts_of};

/// Maximum number of legs, and of arms.
pub const MAX_LEGS: usize = 16;

/// Feet by their names, each with the two joints above it: hip, knee, ankle. At most [`MAX_LEGS`].
pub fn leg_bones(named: NamedBones<'_>) -> Vec<TwoBone> {
    limbs(named, ["upper leg", "lower leg", "foot"])
}

/// Hands by their names, each with the two joints above it: shoulder, elbow, wrist. At most [`MAX_LEGS`].
pub fn arm_bones(named: NamedBones<'_>) -> Vec<TwoBone> {
    limbs(named, ["upper arm", "lower arm", "wrist"])
}

fn limbs(named: NamedBones<'_>, [upper, lower, end]: [&str; 3]) -> Vec<TwoBone> {
    let parts = parts_of(named);
    let is_part = |bone: BoneIndex, name: &str| {
        let part = parts[usize::from(bone)].as_deref();
        part.is_some_and(|part| part == format!("left {name}") || part == format!("right {name}"))
    };
    let above = |bone: BoneIndex, name: &str| named.skeleton.above(bone).find(|bone| is_part(*bone, name));
    let limb = |tip: BoneIndex| {
        let middle = above(tip, lower)?;
        Some(TwoBone { root: above(middle, upper)?, middle, tip })
    };
    let ends = named.skeleton.indices().filter(|bone| is_part(*bone, end)).take(MAX_LEGS);
    ends.filter_map(limb).collect()
}

/// The lowest bone above all legs: the pelvis. `None` without legs, or if there is no such bone.
pub fn pelvis_of(skeleton: &Skeleton, legs: &[TwoBone]) -> Option<BoneIndex> {
    let mut candidates = skeleton.above(legs.first()?.root);
    candidates.find(|&bone| legs.iter().all(|leg| skeleton.is_below(leg.root, bone)))
}
