//! Additive poses: the difference of a pose from a reference pose, added to another pose. A type of its own, so that it
//! can't be used as a pose.

use glam::Quat;

use crate::anim::blend::Mask;
use crate::anim::pose::LocalPose;
use crate::anim::transform::Transform;

/// The difference of a pose from its reference for each bone: translations are added, rotations are applied after the
/// base's own (in the bone's space), scales are multiplied. Values of scalars are added.
///
/// ```
/// use glam::{Quat, Vec3};
/// use keypose::anim::{additive::AdditivePose, pose::LocalPose, transform::Transform};
///
/// let rest = LocalPose::from_transforms([Transform::IDENTITY]);
/// let lean = LocalPose::from_transforms([Transform::from_rotation(Quat::from_rotation_x(0.2))]);
/// let mut pose = LocalPose::from_transforms([Transform::from_translation(Vec3::Y)]);
/// AdditivePose::between(&rest, &lean).add_to(&mut pose, 0.5);
/// assert!(pose.get(0).rotation.angle_between(Quat::from_rotation_x(0.1)) < 1e-3);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AdditivePose {
    difference: LocalPose,
}

impl AdditivePose {
    /// The difference from `reference` (the first pose of the clip, or the rest pose) to `pose`; as long as the shorter
    /// of both. An axis with a reference scale of 0 adds nothing.
    pub fn between(reference: &LocalPose, pose: &LocalPose) -> AdditivePose {
        let mut additive = AdditivePose::default();
        additive.set_between(reference, pose);
        additive
    }

    /// Sets the difference in place, for a clip that is played additively; allocates only if it grows.
    pub fn set_between(&mut self, reference: &LocalPose, pose: &LocalPose) {
        self.difference.copy_from(if pose.len() < reference.len() { pose } else { reference });
        self.difference.scalars_mut().clear();
        let scalars = pose.scalars().iter().zip(reference.scalars()).map(|(to, from)| to - from);
        self.difference.scalars_mut().extend(scalars);
        for bone in 0..self.difference.len() {
            let (from, to) = (reference.get(bone), pose.get(bone));
            let turned = (from.rotation.inverse() * to.rotation).normalize();
            let ratio = to.scale / from.scale;
            let difference = Transform {
                translation: to.translation - from.translation,
                rotation: if turned.is_finite() { turned } else { Quat::IDENTITY },
                scale: glam::Vec3::select(ratio.is_finite_mask(), ratio, glam::Vec3::ONE),
            };
            self.difference.set(bone, &difference);
        }
    }

    /// The number of bones.
    pub fn len(&self) -> usize {
        self.difference.len()
    }

    /// Returns true if there are no bones.
    pub fn is_empty(&self) -> bool {
        self.difference.len() == 0
    }

    /// Adds the difference to a pose in place, times `weight`: 0 adds nothing, 1 all, −1 the opposite. NaN counts as 0.
    /// Bones that one of the two lacks don't change.
    pub fn add_to(&self, pose: &mut LocalPose, weight: f32) {
        self.add_scalars(pose, |_| weight);
        self.add_by(pose, |_| weight);
    }

    /// As [`AdditivePose::add_to`], with the weight multiplied by the mask of each bone.
    pub fn add_masked(&self, pose: &mut LocalPose, weight: f32, mask: &Mask) {
        self.add_scalars(pose, |scalar| weight * mask.scalar(scalar));
        self.add_by(pose, |bone| weight * mask.get(bone));
    }

    fn add_scalars(&self, pose: &mut LocalPose, weight: impl Fn(usize) -> f32) {
        let differences = self.difference.scalars().iter().take(pose.scalars().len());
        for (at, difference) in differences.enumerate().filter(|(at, _)| weight(*at).is_finite()) {
            pose.add_to_scalar(at, *difference, weight(at));
        }
    }

    fn add_by(&self, pose: &mut LocalPose, weight: impl Fn(usize) -> f32) {
        for bone in 0..self.len().min(pose.len()) {
            let weight = weight(bone);
            if weight == 0.0 || !weight.is_finite() {
                continue;
            }
            let (base, add) = (pose.get(bone), self.difference.get(bone));
            let part = turn_by(add.rotation, weight);
            let sum = Transform {
                translation: base.translation + add.translation * weight,
                rotation: (base.rotation * part).normalize(),
                scale: base.scale * (glam::Vec3::ONE + (add.scale - 1.0) * weight),
            };
            pose.set(bone, &sum);
        }
    }
}

/// A rotation times a weight, on the shortest path; weights above 1 rotate further.
fn turn_by(rotation: Quat, weight: f32) -> Quat {
    let rotation = if rotation.w < 0.0 { -rotation } else { rotation };
    let angle = 2.0 * f32::atan2(rotation.xyz().length(), rotation.w);
    let Some(axis) = rotation.xyz().try_normalize() else { return Quat::IDENTITY };
    Quat::from_axis_angle(axis, angle * weight)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    fn pose(turn: f32) -> LocalPose {
        LocalPose::from_transforms((0..11).map(|bone| Transform {
            translation: Vec3::new(turn, bone as f32, 0.0),
            rotation: Quat::from_rotation_y(turn + bone as f32 * 0.1),
            scale: Vec3::new(1.0 + turn, 2.0, 1.0),
        }))
    }

    fn distance(a: &LocalPose, b: &LocalPose) -> f32 {
        assert_eq!(a.len(), b.len());
        a.iter().zip(b.iter()).fold(0.0, |most, (a, b)| most.max(a.distance(&b)))
    }

    #[test]
    fn the_difference_added_to_its_reference_is_the_pose() {
        let (from, to) = (pose(0.3), pose(1.1));
        let additive = AdditivePose::between(&from, &to);
        for (weight, expected) in [(0.0, 0.3), (1.0, 1.1), (0.5, 0.7), (f32::NAN, 0.3), (-1.0, -0.5), (2.0, 1.9)] {
            let mut sum = from.clone();
            additive.add_to(&mut sum, weight);
            assert!(distance(&sum, &pose(expected)) < 2e-6, "{weight}");
        }
    }

    #[test]
    fn masks_and_lengths_limit_it() {
        let additive = AdditivePose::between(&pose(0.0), &pose(1.0));
        let mut mask = Mask::uniform(11, 0.0);
        mask.set(4, 1.0);
        let mut sum = pose(0.0);
        additive.add_masked(&mut sum, 1.0, &mask);
        for bone in 0..11 {
            let expected = if bone == 4 { pose(1.0) } else { pose(0.0) };
            assert!(sum.get(bone).distance(&expected.get(bone)) < 1e-6, "{bone}");
        }
        let short = AdditivePose::between(&pose(0.0), &LocalPose::from_transforms([Transform::IDENTITY]));
        assert_eq!(short.len(), 1);
        short.add_to(&mut LocalPose::default(), 1.0);
    }

    #[test]
    fn a_reference_with_zero_scale_adds_no_infinite_scale() {
        let flat = LocalPose::from_transforms([Transform { scale: Vec3::new(0.0, 1.0, 0.0), ..Transform::IDENTITY }]);
        let full = LocalPose::from_transforms([Transform { scale: Vec3::new(3.0, 2.0, 0.0), ..Transform::IDENTITY }]);
        let mut sum = full.clone();
        AdditivePose::between(&flat, &full).add_to(&mut sum, 1.0);
        assert_eq!(sum.get(0).scale, Vec3::new(3.0, 4.0, 0.0));
    }
}
