//! The posed skeleton as solvers need it: the transform of a bone in model space, and rotating it there. Walks up
//! the parents instead of computing the whole model pose, since a solver moves few bones many times.

use glam::{Mat3, Quat, Vec3};

use crate::anim::mat34::Mat3x4;
use crate::anim::pose::LocalPose;
use crate::anim::skeleton::{BoneIndex, Skeleton};

/// Lengths in model units below which a vector has no direction.
pub(super) const TINY: f32 = 1e-6;

/// Model from bone, exact under any scale.
pub(super) fn model_from_bone(skeleton: &Skeleton, pose: &LocalPose, bone: BoneIndex) -> Mat3x4 {
    let ancestors = std::iter::successors(Some(bone), |&bone| skeleton.parent(bone));
    ancestors.fold(Mat3x4::IDENTITY, |below, bone| {
        let index = usize::from(bone);
        let rest = || skeleton.get(bone).map(|bone| bone.rest).unwrap_or_default();
        let local = if index < pose.len() { pose.get(index) } else { rest() };
        local.to_mat34() * below
    })
}

/// The position of a bone's origin in model space.
pub(super) fn position(skeleton: &Skeleton, pose: &LocalPose, bone: BoneIndex) -> Vec3 {
    model_from_bone(skeleton, pose, bone).translation()
}

/// Model from the parent's space, in which the local transform is given.
pub(super) fn model_from_parent(skeleton: &Skeleton, pose: &LocalPose, bone: BoneIndex) -> Mat3x4 {
    skeleton.parent(bone).map_or(Mat3x4::IDENTITY, |parent| model_from_bone(skeleton, pose, parent))
}

/// Rotation and scale of an affine matrix.
pub(super) fn linear(matrix: &Mat3x4) -> Mat3 {
    let [x, y, z] = matrix.rows.map(|row| row.truncate());
    Mat3::from_cols(x, y, z).transpose()
}

/// Rotates a bone about its own origin by a rotation in model space. Exact if the scales above it are uniform,
/// mirroring included; otherwise the nearest rotation. Below a scale of 0 nothing rotates.
pub(super) fn turn(skeleton: &Skeleton, pose: &mut LocalPose, bone: BoneIndex, by: Quat) {
    turn_below(&model_from_parent(skeleton, pose, bone), pose, bone, by);
}

/// As [`turn`], of a bone whose parent's space is known.
pub(super) fn turn_below(model_from_parent: &Mat3x4, pose: &mut LocalPose, bone: BoneIndex, by: Quat) {
    let parent = linear(model_from_parent);
    if usize::from(bone) >= pose.len() || parent.determinant().abs() < f32::MIN_POSITIVE {
        return;
    }
    let Some(by) = rotation_of(&(parent.inverse() * Mat3::from_quat(by) * parent)) else { return };
    let mut transform = pose.get(usize::from(bone));
    transform.rotation = (by * transform.rotation).normalize();
    if transform.rotation.is_finite() {
        pose.set(usize::from(bone), &transform);
    }
}

/// The rotation of a matrix with little rounding and shear; `None` if its determinant is 0. For a mirroring matrix, the
/// rotation of its first two axes.
pub(super) fn rotation_of(matrix: &Mat3) -> Option<Quat> {
    let x = matrix.x_axis.try_normalize()?;
    let y = matrix.y_axis.reject_from_normalized(x).try_normalize()?;
    let rotation = Quat::from_mat3(&Mat3::from_cols(x, y, x.cross(y))).normalize();
    rotation.is_finite().then_some(rotation)
}

/// The smallest rotation from one direction to another; `None` if one of them has no length. For opposite directions,
/// about an axis perpendicular to them.
pub(super) fn arc(from: Vec3, to: Vec3) -> Option<Quat> {
    let (from, to) = (direction(from)?, direction(to)?);
    let axis = from.cross(to);
    let angle = f32::atan2(axis.length(), from.dot(to));
    // Precise for tiny angles, too, for which the arc cosine is not.
    let axis = axis.try_normalize().unwrap_or_else(|| from.any_orthonormal_vector());
    Some(Quat::from_axis_angle(axis, angle))
}

/// Normalizes a direction; `None` if its length is below [`TINY`] or not finite.
pub(super) fn direction(vector: Vec3) -> Option<Vec3> {
    let length = vector.length();
    (length.is_finite() && length > TINY).then(|| vector / length)
}

/// Returns true if every bone is in the pose and its ancestors have finite transforms.
pub(super) fn is_posed(skeleton: &Skeleton, pose: &LocalPose, bones: &[BoneIndex]) -> bool {
    let fine = |&bone: &BoneIndex| {
        let index = usize::from(bone);
        index < pose.len() && index < skeleton.len() && model_from_bone(skeleton, pose, bone).is_finite()
    };
    bones.iter().all(fine)
}
