//! Feet on uneven ground: the pelvis is lowered until the lowest foot reaches, each leg bends to its contact, each foot
//! aligns with the slope. The caller queries the level for the ground.

use glam::{Quat, Vec3};

use crate::anim::ik::Outcome;
use crate::anim::ik::rig::{arc, direction, is_posed, linear, model_from_bone, model_from_parent, rotation_of, turn};
use crate::anim::ik::two_bone::{Goal, TwoBone, solve};
use crate::anim::pose::LocalPose;
use crate::anim::skeleton::{BoneIndex, Skeleton};

/// One leg and the ground below its foot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Foot {
    /// Hip, knee, ankle.
    pub leg: TwoBone,
    /// The ground below the foot; `None` if there is none (a ledge): the leg doesn't change.
    pub ground: Option<Ground>,
}

/// A point of the ground in model space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    /// The height of the ground above the plane on which the clip was made, along `up`; negative below. The foot is raised by it.
    pub height: f32,
    /// The normal of the ground; needn't have unit length. If its length is 0 the foot keeps its rotation.
    pub normal: Vec3,
}

/// Limits of the correction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Footing {
    /// In model space; needn't have unit length.
    pub up: Vec3,
    /// Maximum distance by which the pelvis is lowered, in model units.
    pub max_drop: f32,
    /// Maximum slope to which a foot aligns, in radians.
    pub max_tilt: f32,
}

/// Places the feet on the ground. Returns how far the pelvis moved along `up` (at most 0), and the outcome of the foot
/// that is farthest from its contact. All legs must be descendants of the pelvis.
///
/// The pose doesn't change if a ground or `up` is not finite, bones are not in the pose, or a leg is not a descendant
/// of the pelvis.
pub fn place(
    skeleton: &Skeleton,
    pose: &mut LocalPose,
    pelvis: BoneIndex,
    feet: &[Foot],
    footing: &Footing,
) -> (f32, Outcome) {
    let heights = feet.iter().filter_map(|foot| Some(foot.ground?.height));
    place_lowered(skeleton, pose, pelvis, -heights.fold(0.0, f32::min), feet, footing)
}

/// As [`place`], with the distance by which the pelvis is lowered, in model units: for a game that lets it follow the
/// feet in time. It is clamped to 0..=`max_drop`; if it is not finite, the pose doesn't change.
pub fn place_lowered(
    skeleton: &Skeleton,
    pose: &mut LocalPose,
    pelvis: BoneIndex,
    drop: f32,
    feet: &[Foot],
    footing: &Footing,
) -> (f32, Outcome) {
    let bones: Vec<BoneIndex> = feet.iter().flat_map(|foot| [foot.leg.root, foot.leg.middle, foot.leg.tip]).collect();
    let is_fine = |foot: &Foot| {
        let ground = foot.ground.is_none_or(|ground| ground.height.is_finite() && ground.normal.is_finite());
        ground && foot.leg.root != pelvis && skeleton.is_below(foot.leg.root, pelvis)
    };
    let is_posed = is_posed(skeleton, pose, &[pelvis]) && is_posed(skeleton, pose, &bones);
    let (Some(up), true) = (direction(footing.up), is_posed && drop.is_finite() && feet.iter().all(is_fine)) else {
        return (0.0, Outcome::Unchanged);
    };
    let standing = feet.iter().filter_map(|foot| Some((foot.leg, foot.ground?)));
    let ankles: Vec<_> = standing
        .map(|(leg, ground)| {
            let model_from_ankle = model_from_bone(skeleton, pose, leg.tip);
            (leg, ground, model_from_ankle.translation() + up * ground.height, rotation_of(&linear(&model_from_ankle)))
        })
        .collect();
    let drop = -drop.clamp(0.0, footing.max_drop.max(0.0));
    shift(skeleton, pose, pelvis, up * drop);
    let mut farthest = Outcome::Reached;
    for (leg, ground, ankle, rotation) in ankles {
        let outcome = solve(skeleton, pose, leg, &Goal::at(ankle));
        farthest = farther(farthest, outcome);
        let tilt = direction(ground.normal).and_then(|normal| arc(up, normal)).unwrap_or_default();
        let (axis, angle) = tilt.to_axis_angle();
        let most = if footing.max_tilt.is_nan() { 0.0 } else { footing.max_tilt.max(0.0) };
        if let Some(rotation) = rotation {
            face(skeleton, pose, leg.tip, Quat::from_axis_angle(axis, angle.min(most)) * rotation);
        }
    }
    (drop, farthest)
}

/// Sets the rotation of a bone in model space.
pub(super) fn face(skeleton: &Skeleton, pose: &mut LocalPose, bone: BoneIndex, rotation: Quat) {
    if let Some(now) = rotation_of(&linear(&model_from_bone(skeleton, pose, bone))) {
        turn(skeleton, pose, bone, rotation * now.inverse());
    }
}

/// Moves a bone by a vector in model space; below a scale of 0 it doesn't move.
fn shift(skeleton: &Skeleton, pose: &mut LocalPose, bone: BoneIndex, way: Vec3) {
    let parent = linear(&model_from_parent(skeleton, pose, bone));
    let local = parent.inverse() * way;
    if local.is_finite() {
        let mut transform = pose.get(usize::from(bone));
        transform.translation += local;
        pose.set(usize::from(bone), &transform);
    }
}

fn farther(a: Outcome, b: Outcome) -> Outcome {
    match (a, b) {
        (Outcome::Short { distance: a }, Outcome::Short { distance: b }) => Outcome::Short { distance: a.max(b) },
        (Outcome::Reached, other) | (other, Outcome::Reached) => other,
        (Outcome::Unchanged, other) | (other, Outcome::Unchanged) => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anim::ik::rig::position;
    use crate::anim::skeleton::Bone;
    use crate::anim::transform::Transform;

    /// A pelvis at height 2 with two legs, slightly bent forwards.
    fn walker() -> (Skeleton, [TwoBone; 2]) {
        let bone = |name: &str, parent, translation| Bone {
            name: name.into(),
            parent,
            rest: Transform::from_translation(translation),
        };
        let (thigh, shin) = (Vec3::new(0.0, -1.0, 0.1), Vec3::new(0.0, -1.0, -0.1));
        let skeleton = Skeleton::new(vec![
            bone("pelvis", None, Vec3::Y * 2.0),
            bone("hip.l", Some(0), Vec3::X * 0.2),
            bone("hip.r", Some(0), Vec3::X * -0.2),
            bone("knee.l", Some(1), thigh),
            bone("knee.r", Some(2), thigh),
            bone("foot.l", Some(3), shin),
            bone("foot.r", Some(4), shin),
        ]);
        let leg = |root| TwoBone { root, middle: root + 2, tip: root + 4 };
        (skeleton.unwrap(), [leg(1), leg(2)])
    }

    const FOOTING: Footing = Footing { up: Vec3::Y, max_drop: 0.6, max_tilt: 0.5 };

    #[test]
    fn both_feet_reach_their_steps_and_align_with_the_slope() {
        let (skeleton, [left, right]) = walker();
        let slope = Vec3::new(0.0, 1.0, -0.3);
        for (heights, drop) in [([0.0, 0.0], 0.0), ([0.3, 0.0], 0.0), ([-0.4, 0.1], -0.4), ([-0.2, -0.5], -0.5)] {
            let mut pose = skeleton.rest_pose();
            let ground = |height| Some(Ground { height, normal: slope });
            let feet =
                [Foot { leg: left, ground: ground(heights[0]) }, Foot { leg: right, ground: ground(heights[1]) }];
            let (moved, outcome) = place(&skeleton, &mut pose, 0, &feet, &FOOTING);
            assert_eq!((moved, outcome), (drop, Outcome::Reached), "{heights:?}");
            for (leg, height) in [(left, heights[0]), (right, heights[1])] {
                assert!((position(&skeleton, &pose, leg.tip).y - height).abs() < 1e-3);
                let sole = model_from_bone(&skeleton, &pose, leg.tip).transform_vector(Vec3::Y);
                assert!(sole.angle_between(slope) < 1e-3);
            }
        }
    }

    #[test]
    fn ledges_pits_and_cliffs_have_defined_results() {
        let (skeleton, [left, right]) = walker();
        let mut pose = skeleton.rest_pose();
        let ledge = [Foot { leg: left, ground: None }, Foot { leg: right, ground: None }];
        assert_eq!(place(&skeleton, &mut pose, 0, &ledge, &FOOTING), (0.0, Outcome::Reached));
        assert_eq!(pose, skeleton.rest_pose());
        let pit = [Foot { leg: left, ground: Some(Ground { height: -5.0, normal: Vec3::X }) }];
        let (moved, outcome) = place(&skeleton, &mut pose, 0, &pit, &FOOTING);
        assert!(moved == -0.6 && matches!(outcome, Outcome::Short { distance } if distance > 4.0));
        let sole = model_from_bone(&skeleton, &pose, left.tip).transform_vector(Vec3::Y);
        assert!((sole.angle_between(Vec3::Y) - 0.5).abs() < 1e-3);
    }

    #[test]
    fn what_is_not_finite_changes_nothing() {
        let (skeleton, [left, _]) = walker();
        let feet = |height, normal| [Foot { leg: left, ground: Some(Ground { height, normal }) }];
        let cases = [
            (feet(f32::NAN, Vec3::Y), FOOTING),
            (feet(0.1, Vec3::NAN), FOOTING),
            (feet(0.1, Vec3::Y), Footing { up: Vec3::ZERO, ..FOOTING }),
            (feet(0.1, Vec3::Y), Footing { up: Vec3::NAN, ..FOOTING }),
        ];
        for (feet, footing) in cases {
            let mut pose = skeleton.rest_pose();
            assert_eq!(place(&skeleton, &mut pose, 0, &feet, &footing), (0.0, Outcome::Unchanged));
            assert_eq!(pose, skeleton.rest_pose());
        }
        let mut pose = skeleton.rest_pose();
        let lowered = place_lowered(&skeleton, &mut pose, 0, f32::NAN, &feet(0.1, Vec3::Y), &FOOTING);
        assert_eq!((lowered, pose), ((0.0, Outcome::Unchanged), skeleton.rest_pose()));
    }

    #[test]
    fn a_pelvis_is_lowered_as_far_as_the_caller_says() {
        let (skeleton, [left, right]) = walker();
        let ground = |height| Some(Ground { height, normal: Vec3::Y });
        let feet = [Foot { leg: left, ground: ground(0.2) }, Foot { leg: right, ground: ground(-0.1) }];
        for (drop, moved) in [(0.0, 0.0), (0.25, -0.25), (-1.0, 0.0), (7.0, -0.6)] {
            let mut pose = skeleton.rest_pose();
            assert_eq!(place_lowered(&skeleton, &mut pose, 0, drop, &feet, &FOOTING).0, moved);
            assert!((position(&skeleton, &pose, 0).y - 2.0 - moved).abs() < 1e-6);
            assert!((position(&skeleton, &pose, left.tip).y - 0.2).abs() < 1e-3);
        }
    }
}
