//! Limbs for the tests of the solvers.

use glam::{Quat, Vec3};

use crate::anim::pose::LocalPose;
use crate::anim::skeleton::{Bone, BoneIndex, Skeleton};
use crate::anim::transform::Transform;

/// Targets that are near, far, at the root, behind it, and not finite.
pub(super) const TARGETS: [Vec3; 8] = [
    Vec3::new(1.0, 1.0, 0.5),
    Vec3::new(9.0, -3.0, 2.0),
    Vec3::ZERO,
    Vec3::new(-1.5, 0.0, 0.0),
    Vec3::new(1.0, 0.0, 0.0),
    Vec3::new(f32::NAN, 0.0, 0.0),
    Vec3::new(f32::INFINITY, 1.0, 0.0),
    Vec3::splat(1e30),
];

/// A chain of bones along x with these lengths below a base; the first is at the origin.
pub(super) fn straight(lengths: &[f32]) -> Skeleton {
    let mut bones = vec![Bone { name: "base".into(), parent: None, rest: Transform::IDENTITY }];
    let offsets = std::iter::once(0.0).chain(lengths.iter().copied());
    for (index, length) in offsets.enumerate() {
        let rest = Transform::from_translation(Vec3::X * length);
        bones.push(Bone { name: format!("bone {index}"), parent: Some(index as BoneIndex), rest });
    }
    Skeleton::new(bones).unwrap()
}

/// The rest pose with every bone of the limb rotated a little about z, so that it bends to one side.
pub(super) fn bent(skeleton: &Skeleton, radians: f32) -> LocalPose {
    let mut pose = skeleton.rest_pose();
    for bone in 1..pose.len() {
        let transform = Transform { rotation: Quat::from_rotation_z(radians), ..pose.get(bone) };
        pose.set(bone, &transform);
    }
    pose
}

/// Returns true if all transforms are finite, all rotations unit quaternions, and lengths and scales unchanged.
pub(super) fn is_sound(skeleton: &Skeleton, pose: &LocalPose) -> bool {
    pose.iter().zip(skeleton.bones()).all(|(transform, bone)| {
        let is_unit = (transform.rotation.length() - 1.0).abs() < 1e-5;
        let kept = transform.translation == bone.rest.translation && transform.scale == bone.rest.scale;
        transform.is_finite() && is_unit && kept
    })
}
