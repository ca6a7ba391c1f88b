//! FABRIK: solves a chain of any length by reaching backwards from the target and forwards from the root in turn
//! (Aristidou and Lasenby 2011).
//!
//! The forward half rotates the joints of the pose and applies their limits at once, so lengths never change and limits
//! hold after every iteration. If limits stop it, an iteration of [`crate::anim::ik::ccd`] continues.

use glam::Vec3;

use crate::anim::ik::Outcome;
use crate::anim::ik::ccd;
use crate::anim::ik::chain::{Chain, Effort, Measured, side_of_straight};
use crate::anim::ik::rig::{arc, direction, model_from_parent, turn_below};
use crate::anim::pose::LocalPose;
use crate::anim::skeleton::Skeleton;

/// Moves the tip of a chain to a target. Out of reach, the chain is straight and points to it, as far as its limits
/// allow. A straight chain that points at the target bends to a side, always the same one.
pub fn solve(skeleton: &Skeleton, pose: &mut LocalPose, chain: &Chain, target: Vec3, effort: &Effort) -> Outcome {
    let Some(measured) = chain.measure(skeleton, pose, target, effort) else { return Outcome::Unchanged };
    let Measured { mut points, length, target, tolerance } = measured;
    let is_far = target.distance(points[0]) >= length;
    let mut before = f32::INFINITY;
    for _ in 0..effort.iterations {
        let left = points[points.len() - 1].distance(target);
        if left <= tolerance {
            break;
        }
        if before - left < tolerance * 0.1 {
            // Limits can balance both halves of an iteration before the target is reached; CCD continues from there.
            ccd::sweep(skeleton, pose, chain, target);
            points = chain.points(skeleton, pose);
        }
        before = left;
        let lengths: Vec<f32> = points.windows(2).map(|pair| pair[0].distance(pair[1])).collect();
        if !is_far && let Some(side) = side_of_straight(&points, target, length) {
            let inner = 1..points.len() - 1;
            points[inner].iter_mut().for_each(|point| *point += side * (length * 0.02));
        }
        backwards(&mut points, &lengths, target);
        forwards(skeleton, pose, chain, &mut points, is_far.then_some(target));
    }
    Outcome::of(points[points.len() - 1].distance(target), tolerance)
}

/// Moves the points so that the last one is the target and distances stay the same; the root moves, too.
fn backwards(points: &mut [Vec3], lengths: &[f32], target: Vec3) {
    let last = points.len() - 1;
    points[last] = target;
    for at in (0..last).rev() {
        let towards = direction(points[at] - points[at + 1]).unwrap_or_default();
        points[at] = points[at + 1] + towards * lengths[at];
    }
}

/// Rotates each joint in order so that the next one is in the direction of its point, and stores the new position. If
/// the target is out of reach, every joint points straight to it.
fn forwards(skeleton: &Skeleton, pose: &mut LocalPose, chain: &Chain, points: &mut [Vec3], far: Option<Vec3>) {
    let bones = chain.bones();
    let mut space = model_from_parent(skeleton, pose, bones[0]);
    points[0] = space.transform_point(pose.get(usize::from(bones[0])).translation);
    for at in 1..bones.len() {
        let (joint, next) = (bones[at - 1], pose.get(usize::from(bones[at])).translation);
        let now = (space * pose.get(usize::from(joint)).to_mat34()).transform_point(next);
        let wanted = far.unwrap_or(points[at]);
        let by = arc(now - points[at - 1], wanted - points[at - 1]).filter(|_| chain.rotates(at - 1));
        if let Some(by) = by {
            turn_below(&space, pose, joint, by);
        }
        chain.hold(at - 1, pose);
        space = space * pose.get(usize::from(joint)).to_mat34();
        points[at] = space.transform_point(next);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anim::ik::limit::Limit;
    use crate::anim::ik::rig::position;
    use crate::anim::ik::test_limb::{TARGETS, bent, is_sound, straight};
    use glam::Quat;

    #[test]
    fn the_tip_reaches_targets_and_the_rest_stays_valid() {
        let skeleton = straight(&[0.7, 0.6, 0.5, 0.4]);
        let chain = Chain::between(&skeleton, 1, 5).unwrap();
        for radians in [0.0, 0.3, -0.9] {
            for target in TARGETS {
                let mut pose = bent(&skeleton, radians);
                let outcome = solve(&skeleton, &mut pose, &chain, target, &Effort { iterations: 200, tolerance: 1e-3 });
                assert!(is_sound(&skeleton, &pose), "{radians} {target}");
                let tip = position(&skeleton, &pose, 5);
                match target.length() {
                    reach if !reach.is_finite() && !target.is_finite() => assert_eq!(outcome, Outcome::Unchanged),
                    reach if reach < 2.2 => assert_eq!(outcome, Outcome::Reached, "{radians} {target} {tip}"),
                    _ => {
                        let towards = target.normalize_or(Vec3::ONE.normalize());
                        assert!(tip.distance(towards * 2.2) < 1e-2, "{radians} {target} {tip}");
                    }
                }
            }
        }
    }

    #[test]
    fn limits_hold_for_any_target() {
        let skeleton = straight(&[1.0, 1.0, 1.0]);
        let hinge = Limit { zero: Quat::IDENTITY, axis: Vec3::Z, min: 0.0, max: 1.0, swing: None };
        let cone = Limit { swing: Some(0.4), axis: Vec3::X, max: 0.0, ..hinge };
        let chain = Chain::between(&skeleton, 1, 4).unwrap().limit(2, cone).limit(3, hinge);
        for target in TARGETS.into_iter().chain([Vec3::new(2.0, 1.5, 0.0), Vec3::new(0.0, -2.0, 1.0)]) {
            let mut pose = bent(&skeleton, 0.1);
            solve(&skeleton, &mut pose, &chain, target, &Effort::default());
            let (axis, angle) = pose.get(3).rotation.to_axis_angle();
            assert!(pose.get(2).rotation.to_axis_angle().1 < 0.4 + 1e-4, "{target}");
            assert!(angle * axis.z > -1e-4 && angle < 1.0 + 1e-4 && (angle < 1e-3 || axis.z > 0.999), "{target}");
        }
        let mut pose = bent(&skeleton, 0.1);
        let near = Vec3::new(2.6, 0.9, 0.2);
        let effort = Effort { iterations: 100, ..Effort::default() };
        assert_eq!(solve(&skeleton, &mut pose, &chain, near, &effort), Outcome::Reached);
    }

    #[test]
    fn bones_of_length_zero_are_skipped() {
        let skeleton = straight(&[1.0, 0.0, 1.0]);
        let chain = Chain::between(&skeleton, 1, 4).unwrap();
        let mut pose = bent(&skeleton, 0.2);
        assert_eq!(solve(&skeleton, &mut pose, &chain, Vec3::new(0.5, 1.0, 0.5), &Effort::default()), Outcome::Reached);
        let point = straight(&[0.0, 0.0]);
        let chain = Chain::between(&point, 1, 3).unwrap();
        let mut pose = point.rest_pose();
        assert_eq!(solve(&point, &mut pose, &chain, Vec3::X, &Effort::default()), Outcome::Unchanged);
    }
}
