//! Two bones and the joint between them: an arm or a leg, solved in one step by the law of cosines. The tip keeps its
//! rotation relative to the lower bone.

use glam::{Mat3, Quat, Vec3};

use crate::anim::ik::Outcome;
use crate::anim::ik::rig::{arc, direction, is_posed, linear, model_from_bone, position, rotation_of, turn};
use crate::anim::pose::LocalPose;
use crate::anim::skeleton::{BoneIndex, Skeleton};

/// A limb. The middle is a descendant of the root, the tip of the middle; bones between them (twist bones) keep their
/// pose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TwoBone {
    /// The shoulder or hip: rotates.
    pub root: BoneIndex,
    /// The elbow or knee: rotates.
    pub middle: BoneIndex,
    /// The hand or foot: moves to the target.
    pub tip: BoneIndex,
}

/// The target of a limb.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Goal {
    /// In model space.
    pub target: Vec3,
    /// The pole: a point in model space towards which the joint bends. Without a pole, or if it gives no direction (on
    /// the line to the target, or not finite), the limb keeps bending to the same side.
    pub pole: Option<Vec3>,
    /// The share of the limb's length over which it eases into being straight, 0..=1: 0 reaches fully and snaps, 0.05
    /// hides the snap (Söderberg, "Soft IK", 2004). Clamped; NaN counts as 0.
    pub softness: f32,
}

impl Goal {
    /// A target without pole and softness.
    pub fn at(target: Vec3) -> Goal {
        Goal { target, pole: None, softness: 0.0 }
    }
}

impl TwoBone {
    /// The limb of a bone, its parent, and that bone's parent.
    pub fn ending_in(skeleton: &Skeleton, tip: BoneIndex) -> Option<TwoBone> {
        let middle = skeleton.parent(tip)?;
        Some(TwoBone { root: skeleton.parent(middle)?, middle, tip })
    }

    fn is_limb(&self, skeleton: &Skeleton) -> bool {
        let is_down = |above, below| above != below && skeleton.is_below(below, above);
        is_down(self.root, self.middle) && is_down(self.middle, self.tip)
    }
}

/// The squares of longer limbs overflow f32.
const MAX_LENGTH: f32 = 1e18;

/// Moves the tip to the target.
///
/// - A limb of more than 1e18 units doesn't change.
/// - Out of reach, the limb is straight and points to the target; nearer than it can fold, it folds and points to it.
/// - For a target at the root the limb keeps its direction.
/// - If one bone has length 0, the other one points to the target; if both have, the pose doesn't change.
/// - A straight limb bends towards the pole, else as in its rest pose, else to a side, always the same one.
pub fn solve(skeleton: &Skeleton, pose: &mut LocalPose, limb: TwoBone, goal: &Goal) -> Outcome {
    let bones = [limb.root, limb.middle, limb.tip];
    if !goal.target.is_finite() || !is_posed(skeleton, pose, &bones) || !limb.is_limb(skeleton) {
        return Outcome::Unchanged;
    }
    let [root, middle, tip] = bones.map(|bone| position(skeleton, pose, bone));
    let (upper, lower) = (middle.distance(root), tip.distance(middle));
    let length = upper + lower;
    if length > MAX_LENGTH {
        return Outcome::Unchanged;
    }
    let Some(now) = direction(tip - root).or(direction(middle - root)) else { return Outcome::Unchanged };
    // Far targets are moved nearer first: their squares would overflow f32.
    let away = goal.target - root;
    let target = root + away * (length * 1e6 / away.abs().max_element().max(f32::MIN_POSITIVE)).min(1.0);
    let towards = direction(target - root).unwrap_or(now);
    let reach = soft(target.distance(root), length, goal.softness).clamp((upper - lower).abs(), length);

    let across = bend_now(skeleton, pose, &limb, [root, middle, tip]);
    let wanted = bend_wanted([root, now, towards], goal.pole, across);
    let cos = if upper * reach > 0.0 {
        ((upper * upper + reach * reach - lower * lower) / (2.0 * upper * reach)).clamp(-1.0, 1.0)
    } else {
        0.0
    };
    let new_middle = root + (towards * cos + wanted * (1.0 - cos * cos).sqrt()) * upper;
    if let Some(by) = swing((middle - root, across), [new_middle - root, wanted], [now, towards]) {
        turn(skeleton, pose, limb.root, by);
    }
    let [middle, tip] = [limb.middle, limb.tip].map(|bone| position(skeleton, pose, bone));
    if let Some(by) = arc(tip - middle, root + towards * reach - middle) {
        turn(skeleton, pose, limb.middle, by);
    }
    Outcome::of(position(skeleton, pose, limb.tip).distance(target), length * 1e-4)
}

/// Eases the distance into the limb's length: the last `softness` of it is approached and never reached.
fn soft(distance: f32, length: f32, softness: f32) -> f32 {
    let ease = length * if softness.is_nan() { 0.0 } else { softness.clamp(0.0, 1.0) };
    let hard = length - ease;
    if ease <= 0.0 || distance <= hard { distance } else { length - ease * (-(distance - hard) / ease).exp() }
}

/// The direction of the joint, perpendicular to the line from root to tip; from the rest pose if the limb is straight,
/// none if that is straight, too.
fn bend_now(skeleton: &Skeleton, pose: &LocalPose, limb: &TwoBone, points: [Vec3; 3]) -> Option<Vec3> {
    let bend = |[root, middle, tip]: [Vec3; 3]| {
        let along = direction(tip - root).or(direction(middle - root))?;
        let off = (middle - root).reject_from_normalized(along);
        // Half a thousandth of the length is far above rounding errors and far below what is visible.
        (off.length() > 5e-4 * (middle.distance(root) + tip.distance(middle))).then(|| off.normalize())
    };
    bend(points).or_else(|| {
        let rest = skeleton.rest_pose();
        let bones = [limb.root, limb.middle, limb.tip];
        let across = bend(bones.map(|bone| position(skeleton, &rest, bone)))?;
        let frame = |pose: &LocalPose| rotation_of(&linear(&model_from_bone(skeleton, pose, limb.root)));
        let turned = frame(pose)? * frame(&rest)?.inverse() * across;
        direction(turned.reject_from_normalized(direction(points[2] - points[0])?))
    })
}

/// The direction, perpendicular to `towards`, in which the joint should be.
fn bend_wanted([root, now, towards]: [Vec3; 3], pole: Option<Vec3>, across: Option<Vec3>) -> Vec3 {
    let pole = pole.filter(|pole| pole.is_finite());
    let by_pole = pole.and_then(|pole| direction((pole - root).reject_from_normalized(towards)));
    let carried = || direction((arc(now, towards)? * across?).reject_from_normalized(towards));
    by_pole.or_else(carried).unwrap_or_else(|| towards.any_orthonormal_vector())
}

/// The rotation of the root that moves the upper bone and the bend direction to their targets: first both together, so
/// that the joint's own axis stays perpendicular to the bend, then the little that the upper bone lacks. If there is no
/// bend direction, the smallest rotation.
fn swing((upper, across): (Vec3, Option<Vec3>), to: [Vec3; 2], [now, towards]: [Vec3; 2]) -> Option<Quat> {
    let Some(across) = across else { return arc(upper, to[0]) };
    let frame = |along: Vec3, side: Vec3| {
        let normal = direction(along.cross(side))?;
        Some(Mat3::from_cols(along, normal.cross(along), normal))
    };
    let by = rotation_of(&(frame(towards, to[1])? * frame(now, across)?.transpose()))?;
    let rest = arc(by * upper, to[0]).unwrap_or(Quat::IDENTITY);
    Some(rest * by)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anim::ik::test_limb::{TARGETS, bent, is_sound, straight};

    const LIMB: TwoBone = TwoBone { root: 1, middle: 2, tip: 3 };

    #[test]
    fn a_limb_whose_squares_overflow_stays() {
        for bones in [[1e19, 1e19], [3e38, 1.0], [1e38, 1e38]] {
            let skeleton = straight(&bones);
            let before = bent(&skeleton, 0.4);
            let mut pose = before.clone();
            assert_eq!(solve(&skeleton, &mut pose, LIMB, &Goal::at(Vec3::ONE)), Outcome::Unchanged);
            assert!(pose == before);
        }
    }

    #[test]
    fn the_tip_reaches_targets_and_points_to_those_out_of_reach() {
        let skeleton = straight(&[1.0, 0.8]);
        for radians in [0.0, 0.4, -1.2] {
            for target in TARGETS.into_iter().chain([Vec3::new(0.0, 1.8, 0.0), Vec3::new(0.1, 0.0, 0.0)]) {
                let mut pose = bent(&skeleton, radians);
                let before = pose.clone();
                let outcome = solve(&skeleton, &mut pose, LIMB, &Goal::at(target));
                assert!(is_sound(&skeleton, &pose), "{radians} {target}");
                if !target.is_finite() {
                    assert_eq!((outcome, &pose), (Outcome::Unchanged, &before));
                    continue;
                }
                let tip = position(&skeleton, &pose, 3);
                let nearest = target.length().clamp(0.2, 1.8);
                assert!((tip.length() - nearest).abs() < 1e-3, "{radians} {target}: {tip}");
                if target != Vec3::ZERO {
                    assert!(tip.angle_between(target.normalize_or(Vec3::ONE)) < 1e-3, "{radians} {target}: {tip}");
                }
                assert_eq!(outcome == Outcome::Reached, (target.length() - nearest).abs() < 1e-4, "{target}");
            }
        }
    }

    #[test]
    fn the_joint_bends_towards_the_pole_and_else_keeps_its_side() {
        let skeleton = straight(&[1.0, 1.0]);
        let target = Vec3::new(1.2, 0.0, 0.0);
        for pole in [Vec3::Y, Vec3::NEG_Y, Vec3::Z, Vec3::new(5.0, -1.0, -1.0)] {
            for radians in [0.0, 0.5, -0.5] {
                let mut pose = bent(&skeleton, radians);
                let outcome = solve(&skeleton, &mut pose, LIMB, &Goal { pole: Some(pole), ..Goal::at(target) });
                assert_eq!(outcome, Outcome::Reached);
                let side = position(&skeleton, &pose, 2).reject_from(Vec3::X);
                assert!(side.angle_between(pole.reject_from(Vec3::X)) < 1e-3, "{pole} {radians}: {side}");
            }
        }
        // Bent by a positive angle about z the joint is below the line; without pole, with a useless pole, with a NaN
        // pole.
        for pole in [None, Some(Vec3::X * 3.0), Some(Vec3::NAN)] {
            let mut pose = bent(&skeleton, 0.5);
            solve(&skeleton, &mut pose, LIMB, &Goal { pole, ..Goal::at(target) });
            assert!(position(&skeleton, &pose, 2).y < -0.5);
        }
    }

    #[test]
    fn the_joint_keeps_its_own_axis_across_the_bend() {
        let skeleton = straight(&[1.0, 1.0]);
        let mut pose = bent(&skeleton, 0.5);
        let goal = Goal { pole: Some(Vec3::Z * 3.0), ..Goal::at(Vec3::new(0.0, 1.2, 0.0)) };
        assert_eq!(solve(&skeleton, &mut pose, LIMB, &goal), Outcome::Reached);
        let (axis, _) = pose.get(2).rotation.to_axis_angle();
        assert!(axis.cross(Vec3::Z).length() < 1e-3, "a hinge about z rotated about {axis}");
    }

    #[test]
    fn a_limb_without_length_has_a_defined_result() {
        for (lengths, expected) in [([0.0, 1.0], 1.0), ([1.0, 0.0], 1.0), ([0.0, 0.0], 0.0)] {
            let skeleton = straight(&lengths);
            for target in TARGETS {
                let mut pose = skeleton.rest_pose();
                let outcome = solve(&skeleton, &mut pose, LIMB, &Goal::at(target));
                assert!(is_sound(&skeleton, &pose));
                assert!((position(&skeleton, &pose, 3).length() - expected).abs() < 1e-5);
                assert_eq!(outcome == Outcome::Unchanged, expected == 0.0 || !target.is_finite());
            }
        }
    }

    #[test]
    fn a_soft_limb_approaches_its_length_and_never_snaps() {
        let skeleton = straight(&[1.0, 1.0]);
        let mut before = 0.0;
        for step in 0..60 {
            let mut pose = bent(&skeleton, 0.5);
            let target = Vec3::X * (1.5 + step as f32 * 0.02);
            solve(&skeleton, &mut pose, LIMB, &Goal { softness: 0.1, ..Goal::at(target) });
            let reach = position(&skeleton, &pose, 3).length();
            assert!(reach > before - 1e-5 && reach < 2.0 + 1e-4 && reach - before < 0.021 || step == 0);
            before = reach;
        }
        assert!(before > 1.99);
    }

    #[test]
    fn scales_and_mirroring_of_parents_dont_matter() {
        for scale in [Vec3::splat(2.0), Vec3::splat(0.01), Vec3::splat(-1.0), Vec3::new(-3.0, 3.0, 3.0)] {
            let skeleton = straight(&[1.0, 1.0]);
            let mut pose = bent(&skeleton, 0.5);
            let base = crate::anim::transform::Transform { scale, ..pose.get(0) };
            pose.set(0, &base);
            let size = scale.abs().max_element();
            let outcome = solve(&skeleton, &mut pose, LIMB, &Goal::at(Vec3::new(0.5, 1.1, 0.3) * size));
            assert_eq!(outcome, Outcome::Reached, "{scale}");
        }
    }

    #[test]
    fn bones_that_form_no_limb_dont_change() {
        let skeleton = straight(&[1.0, 1.0]);
        for bones in [[3, 2, 1], [1, 1, 2], [1, 2, 99], [2, 1, 3]] {
            let mut pose = bent(&skeleton, 0.3);
            let before = pose.clone();
            let limb = TwoBone { root: bones[0], middle: bones[1], tip: bones[2] };
            assert_eq!(solve(&skeleton, &mut pose, limb, &Goal::at(Vec3::Y)), Outcome::Unchanged);
            assert_eq!(pose, before);
        }
        let mut empty = LocalPose::default();
        assert_eq!(solve(&skeleton, &mut empty, LIMB, &Goal::at(Vec3::Y)), Outcome::Unchanged);
    }
}
