//! Look-at and aim: rotates bones so that an axis of the last one points to a target. Either the head only, or spine,
//! neck and head together, each by a share.

use glam::{Quat, Vec3};

use crate::anim::ik::Outcome;
use crate::anim::ik::rig::{arc, direction, is_posed, model_from_bone, turn};
use crate::anim::pose::LocalPose;
use crate::anim::skeleton::{BoneIndex, Skeleton};

/// The target and axis of a look-at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aim {
    /// A point in model space.
    pub target: Vec3,
    /// The direction of the gaze or weapon in the last bone's own space; needn't have unit length.
    pub axis: Vec3,
    /// Maximum angle of the whole rotation in radians. A target beyond it is approached as far as possible. NaN and
    /// negative values count as 0.
    pub max_angle: f32,
}

impl Aim {
    /// An aim without limit.
    pub fn at(target: Vec3, axis: Vec3) -> Aim {
        Aim { target, axis, max_angle: std::f32::consts::PI }
    }
}

/// Rotates bones so that the axis of the last one points to the target. `bones` are (bone, share) from the root on,
/// each a descendant of the one before. The share, in 0..=1, is the part of the remaining angle that a bone takes; that
/// of the last one should be 1.
///
/// [`Outcome::Short`] has the distance by which the line of sight misses the target. The pose doesn't change if the
/// target is at the bone's own origin, the axis has length 0, there are no bones, or a bone is below a scale of 0. For
/// a target straight behind, the bones rotate to a side, always the same one.
pub fn solve(skeleton: &Skeleton, pose: &mut LocalPose, bones: &[(BoneIndex, f32)], aim: &Aim) -> Outcome {
    let indices: Vec<BoneIndex> = bones.iter().map(|(bone, _)| *bone).collect();
    let is_chain = indices.windows(2).all(|pair| pair[0] != pair[1] && skeleton.is_below(pair[1], pair[0]));
    let Some(&last) = indices.last() else { return Outcome::Unchanged };
    if !is_chain || !aim.target.is_finite() || !is_posed(skeleton, pose, &indices) {
        return Outcome::Unchanged;
    }
    let sight = |pose: &LocalPose| {
        let model_from_last = model_from_bone(skeleton, pose, last);
        let gaze = direction(model_from_last.transform_vector(aim.axis))?;
        Some((gaze, aim.target - model_from_last.translation()))
    };
    let Some((_, way)) = sight(pose).filter(|(_, way)| direction(*way).is_some()) else { return Outcome::Unchanged };
    let mut left = if aim.max_angle.is_nan() { 0.0 } else { aim.max_angle.max(0.0) };
    for &(bone, share) in bones {
        let Some((by, angle)) = sight(pose).and_then(|(gaze, way)| Some(arc(gaze, way)?.to_axis_angle())) else {
            break;
        };
        let share = if share.is_nan() { 0.0 } else { share.clamp(0.0, 1.0) };
        let part = (angle * share).min(left);
        left -= part;
        turn(skeleton, pose, bone, Quat::from_axis_angle(by, part));
    }
    let off = sight(pose).map_or(0.0, |(gaze, way)| way.reject_from_normalized(gaze).length().max(-way.dot(gaze)));
    Outcome::of(off, way.length() * 1e-3)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anim::ik::test_limb::{TARGETS, bent, is_sound, straight};

    #[test]
    fn the_gaze_reaches_the_target_and_bad_targets_change_nothing() {
        let skeleton = straight(&[0.5, 0.4, 0.2]);
        for bones in [&[(4, 1.0)][..], &[(1, 0.2), (3, 0.5), (4, 1.0)]] {
            for target in TARGETS {
                let mut pose = bent(&skeleton, 0.2);
                let before = pose.clone();
                let outcome = solve(&skeleton, &mut pose, bones, &Aim::at(target, Vec3::new(0.0, 3.0, 0.0)));
                assert!(is_sound(&skeleton, &pose));
                if target.is_finite() && target.length() < 1e20 {
                    assert_eq!(outcome, Outcome::Reached, "{bones:?} {target}");
                } else if !target.is_finite() {
                    assert_eq!((outcome, &pose), (Outcome::Unchanged, &before));
                }
            }
        }
    }

    #[test]
    fn the_limit_holds() {
        let skeleton = straight(&[1.0]);
        for (max_angle, expected) in
            [(0.5, 0.5), (0.0, 0.0), (f32::NAN, 0.0), (-1.0, 0.0), (9.0, std::f32::consts::FRAC_PI_2)]
        {
            let mut pose = skeleton.rest_pose();
            let aim = Aim { max_angle, ..Aim::at(Vec3::new(1.0, 4.0, 0.0), Vec3::X) };
            solve(&skeleton, &mut pose, &[(2, 1.0)], &aim);
            assert!((pose.get(2).rotation.to_axis_angle().1 - expected).abs() < 1e-4, "{max_angle}");
        }
    }

    #[test]
    fn a_target_behind_or_on_the_bone_or_without_axis_has_a_defined_result() {
        let skeleton = straight(&[1.0]);
        let cases = [
            (Vec3::new(-3.0, 0.0, 0.0), Vec3::X, true),
            (Vec3::X, Vec3::X, false),
            (Vec3::Y, Vec3::ZERO, false),
            (Vec3::Y, Vec3::NAN, false),
        ];
        for (target, axis, reached) in cases {
            let mut pose = skeleton.rest_pose();
            let outcome = solve(&skeleton, &mut pose, &[(2, 1.0)], &Aim::at(target, axis));
            assert_eq!(outcome == Outcome::Reached, reached, "{target} {axis}");
            assert!(is_sound(&skeleton, &pose));
        }
        let mut pose = skeleton.rest_pose();
        for bones in [&[][..], &[(2, 1.0), (1, 1.0)], &[(99, 1.0)]] {
            assert_eq!(solve(&skeleton, &mut pose, bones, &Aim::at(Vec3::Y, Vec3::X)), Outcome::Unchanged);
        }
    }
}
