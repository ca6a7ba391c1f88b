//! Cyclic coordinate descent (CCD): each joint from the tip to the root rotates so that the tip points to the target,
//! repeatedly (Wang and Chen 1991). Bends mostly near the tip: tails, tentacles, fingers.

use glam::{Quat, Vec3};

use crate::anim::ik::Outcome;
use crate::anim::ik::chain::{Chain, Effort, Measured, side_of_straight};
use crate::anim::ik::rig::{arc, position, turn, turn_below};
use crate::anim::pose::LocalPose;
use crate::anim::skeleton::Skeleton;

/// Moves the tip of a chain to a target, within the limits of its joints. Out of reach it comes as near as the
/// iterations allow. A straight chain that points at the target bends to a side, always the same one.
pub fn solve(skeleton: &Skeleton, pose: &mut LocalPose, chain: &Chain, target: Vec3, effort: &Effort) -> Outcome {
    let Some(measured) = chain.measure(skeleton, pose, target, effort) else { return Outcome::Unchanged };
    let Measured { points, length, target, tolerance } = measured;
    let left = |pose: &LocalPose| position(skeleton, pose, chain.tip()).distance(target);
    if left(pose) > tolerance
        && target.distance(points[0]) < length
        && let Some(side) = side_of_straight(&points, target, length)
    {
        rotate_all(skeleton, pose, chain, Quat::from_axis_angle(side, 0.1));
    }
    for _ in 0..effort.iterations {
        if left(pose) <= tolerance {
            break;
        }
        sweep(skeleton, pose, chain, target);
    }
    Outcome::of(left(pose), tolerance)
}

/// One iteration: every joint from the tip to the root rotates the tip towards the target.
pub(super) fn sweep(skeleton: &Skeleton, pose: &mut LocalPose, chain: &Chain, target: Vec3) {
    let spaces = chain.spaces(skeleton, pose);
    // The tip in the space of the bone below the joint: the joints above it don't change it.
    let (mut tip, mut below) = (Vec3::ZERO, usize::from(chain.tip()));
    for (at, &bone) in chain.bones().iter().enumerate().rev().skip(1) {
        tip = pose.get(below).to_mat34().transform_point(tip);
        below = usize::from(bone);
        let model_from_bone = spaces[at] * pose.get(below).to_mat34();
        let joint = model_from_bone.translation();
        let by = arc(model_from_bone.transform_point(tip) - joint, target - joint).filter(|_| chain.rotates(at));
        if let Some(by) = by {
            turn_below(&spaces[at], pose, bone, by);
            chain.hold(at, pose);
        }
    }
}

fn rotate_all(skeleton: &Skeleton, pose: &mut LocalPose, chain: &Chain, by: Quat) {
    for (at, &bone) in chain.bones().iter().enumerate().rev().skip(1).filter(|(at, _)| chain.rotates(*at)) {
        turn(skeleton, pose, bone, by);
        chain.hold(at, pose);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anim::ik::limit::Limit;
    use crate::anim::ik::test_limb::{TARGETS, bent, is_sound, straight};

    #[test]
    fn the_tip_reaches_targets_and_the_rest_stays_valid() {
        let skeleton = straight(&[0.7, 0.6, 0.5, 0.4]);
        let chain = Chain::between(&skeleton, 1, 5).unwrap();
        for radians in [0.0, 0.3, -0.9] {
            for target in TARGETS {
                let mut pose = bent(&skeleton, radians);
                let outcome = solve(&skeleton, &mut pose, &chain, target, &Effort { iterations: 200, tolerance: 1e-3 });
                assert!(is_sound(&skeleton, &pose), "{radians} {target}");
                if !target.is_finite() {
                    assert_eq!(outcome, Outcome::Unchanged);
                } else if target.length() < 2.2 {
                    assert_eq!(outcome, Outcome::Reached, "{radians} {target}");
                } else {
                    let tip = position(&skeleton, &pose, 5);
                    let towards = target.normalize_or(Vec3::ONE.normalize());
                    assert!(tip.distance(towards * 2.2) < 0.05, "{radians} {target}: {tip}");
                }
            }
        }
    }

    #[test]
    fn limits_hold_for_any_target() {
        let skeleton = straight(&[1.0, 1.0, 1.0]);
        let chain = Chain::between(&skeleton, 1, 4).unwrap();
        let limit = Limit { zero: Quat::IDENTITY, axis: Vec3::X, min: 0.0, max: 0.0, swing: Some(0.3) };
        let chain = [1, 2, 3].into_iter().fold(chain, |chain, bone| chain.limit(bone, limit));
        for target in TARGETS {
            let mut pose = bent(&skeleton, 0.1);
            solve(&skeleton, &mut pose, &chain, target, &Effort::default());
            for bone in 1..4 {
                assert!(pose.get(bone).rotation.to_axis_angle().1 < 0.3 + 1e-4, "{target}");
            }
        }
    }
}
