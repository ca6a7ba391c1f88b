//! A hand on a rung: the hand's grip moves to the nearest point of the rung and aligns with it.

use glam::Vec3;

use crate::anim::ik::Outcome;
use crate::anim::ik::foot::face;
use crate::anim::ik::rig::{arc, direction, is_posed, linear, model_from_bone, rotation_of};
use crate::anim::ik::two_bone::{Goal, TwoBone, solve};
use crate::anim::pose::LocalPose;
use crate::anim::skeleton::Skeleton;

/// The place at which a hand holds things, in the hand's own space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grip {
    /// The middle of the grip.
    pub center: Vec3,
    /// The axis of the grip, in either direction; needn't have unit length. If its length is 0 the hand keeps its
    /// rotation.
    pub axis: Vec3,
}

/// A rung, rail or handle: a line between two points in model space. If both are equal it has no direction, and the
/// hand keeps its rotation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rung {
    /// One end.
    pub from: Vec3,
    /// The other end.
    pub to: Vec3,
}

impl Rung {
    /// The nearest point of the rung.
    pub fn nearest(&self, point: Vec3) -> Vec3 {
        let way = self.to - self.from;
        let part = (point - self.from).dot(way) / way.length_squared();
        self.from + way * if part.is_finite() { part.clamp(0.0, 1.0) } else { 0.0 }
    }
}

/// Moves a hand to a rung: rotates it so that its grip aligns with the rung, by the smaller angle, and bends the arm so
/// that the grip is at the nearest point of the rung. Out of reach the arm points to it, and the hand is rotated all
/// the same. Values that are not finite leave the pose unchanged.
pub fn hold(
    skeleton: &Skeleton,
    pose: &mut LocalPose,
    arm: TwoBone,
    grip: &Grip,
    rung: &Rung,
    pole: Option<Vec3>,
) -> Outcome {
    let is_finite = [grip.center, grip.axis, rung.from, rung.to].iter().all(|value| value.is_finite());
    if !is_finite || !is_posed(skeleton, pose, &[arm.tip]) {
        return Outcome::Unchanged;
    }
    let model_from_hand = model_from_bone(skeleton, pose, arm.tip);
    let along = model_from_hand.transform_vector(grip.axis);
    let line = rung.to - rung.from;
    let line = if along.dot(line) < 0.0 { -line } else { line };
    let by = direction(line).and_then(|line| arc(along, line)).unwrap_or_default();
    let wrist = model_from_hand.translation();
    let offset = by * (model_from_hand.transform_point(grip.center) - wrist);
    let target = rung.nearest(wrist + offset) - offset;
    let rotation = rotation_of(&linear(&model_from_hand));
    let outcome = solve(skeleton, pose, arm, &Goal { pole, ..Goal::at(target) });
    if let (Some(rotation), true) = (rotation, outcome != Outcome::Unchanged) {
        face(skeleton, pose, arm.tip, by * rotation);
    }
    outcome
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anim::ik::test_limb::{bent, is_sound, straight};

    const ARM: TwoBone = TwoBone { root: 1, middle: 2, tip: 3 };
    const GRIP: Grip = Grip { center: Vec3::new(0.1, -0.03, 0.0), axis: Vec3::Z };

    #[test]
    fn the_grip_is_on_the_rung() {
        let skeleton = straight(&[1.0, 1.0]);
        for rung in [
            Rung { from: Vec3::new(0.5, 1.0, -0.5), to: Vec3::new(0.9, 1.2, 0.5) },
            Rung { from: Vec3::new(0.5, 1.0, 0.5), to: Vec3::new(0.5, 1.0, -0.5) },
        ] {
            let mut pose = bent(&skeleton, 0.4);
            assert_eq!(hold(&skeleton, &mut pose, ARM, &GRIP, &rung, Some(Vec3::NEG_Y)), Outcome::Reached);
            let hand = model_from_bone(&skeleton, &pose, 3);
            let center = hand.transform_point(GRIP.center);
            assert!(rung.nearest(center).distance(center) < 1e-3, "{rung:?}");
            let along = hand.transform_vector(GRIP.axis).normalize();
            assert!(along.cross((rung.to - rung.from).normalize()).length() < 1e-3, "{rung:?}");
        }
    }

    #[test]
    fn points_far_rungs_and_bad_numbers_have_defined_results() {
        let skeleton = straight(&[1.0, 1.0]);
        let rung = |from, to| Rung { from, to };
        let mut pose = bent(&skeleton, 0.4);
        let point = rung(Vec3::new(1.0, 0.8, 0.0), Vec3::new(1.0, 0.8, 0.0));
        assert_eq!(hold(&skeleton, &mut pose, ARM, &GRIP, &point, None), Outcome::Reached);
        let far = rung(Vec3::Y * 9.0, Vec3::new(1.0, 9.0, 0.0));
        assert!(matches!(hold(&skeleton, &mut pose, ARM, &GRIP, &far, None), Outcome::Short { .. }));
        assert!(is_sound(&skeleton, &pose));
        let before = pose.clone();
        let no_axis = Grip { axis: Vec3::NAN, ..GRIP };
        assert_eq!(hold(&skeleton, &mut pose, ARM, &no_axis, &point, None), Outcome::Unchanged);
        assert_eq!(hold(&skeleton, &mut pose, ARM, &GRIP, &rung(Vec3::NAN, Vec3::X), None), Outcome::Unchanged);
        assert_eq!(pose, before);
    }
}
