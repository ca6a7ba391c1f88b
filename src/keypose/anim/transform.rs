//! The transform of a bone relative to its parent: translation, rotation, scale, applied as `T * R * S`.

use glam::{DMat3, DQuat, DVec3, Mat4, Quat, Vec3};

use crate::anim::mat34::Mat3x4;

/// Translation in the parent's units, rotation as a unit quaternion, scale per axis of the bone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform {
    /// In the parent's space and units.
    pub translation: Vec3,
    /// Unit quaternion.
    pub rotation: Quat,
    /// Per axis of the bone itself; negative mirrors, 0 flattens.
    pub scale: Vec3,
}

impl Transform {
    /// No translation, no rotation, scale 1.
    pub const IDENTITY: Transform = Transform { translation: Vec3::ZERO, rotation: Quat::IDENTITY, scale: Vec3::ONE };

    /// A translation only.
    pub fn from_translation(translation: Vec3) -> Transform {
        Transform { translation, ..Transform::IDENTITY }
    }

    /// A rotation only. The quaternion is not normalized.
    pub fn from_rotation(rotation: Quat) -> Transform {
        Transform { rotation, ..Transform::IDENTITY }
    }

    /// The closest translation, rotation and scale of an affine matrix; shear is lost. Computed in f64.
    ///
    /// A matrix with determinant 0 (a scale of 0) gives the lengths of its columns as scale, and turns the axes that are left as they lie.
    pub fn from_mat4(matrix: Mat4) -> Transform {
        let (scale, rotation, translation) = matrix.as_dmat4().to_scale_rotation_translation();
        if rotation.is_finite() && rotation.length_squared() > 0.5 {
            let rotation = rotation.normalize().as_quat();
            return Transform { translation: translation.as_vec3(), rotation, scale: scale.as_vec3() };
        }
        let axes = [0, 1, 2].map(|axis| matrix.as_dmat4().col(axis).truncate());
        let scale = DVec3::from_array(axes.map(DVec3::length)).as_vec3();
        Transform { translation: matrix.w_axis.truncate(), rotation: flat_rotation(axes), scale }
    }

    /// Parent from local, as a 4 × 4 matrix.
    pub fn to_mat4(&self) -> Mat4 {
        Mat4::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }

    /// Parent from local, as three rows.
    pub fn to_mat34(&self) -> Mat3x4 {
        Mat3x4::from_mat4(&self.to_mat4())
    }

    /// The axis of a rotation in a space that is scaled so: a mirror turns it around.
    pub fn mirrored_axis(&self, axis: Vec3) -> Vec3 {
        let signs = self.scale.signum();
        axis * signs * signs.element_product()
    }

    /// Returns true if every component is finite.
    pub fn is_finite(&self) -> bool {
        self.translation.is_finite() && self.rotation.is_finite() && self.scale.is_finite()
    }

    /// The maximum difference of any component. Rotations are compared up to sign.
    pub fn distance(&self, other: &Transform) -> f32 {
        let same = (self.rotation - other.rotation).to_array();
        let flipped = (self.rotation + other.rotation).to_array();
        let largest = |values: [f32; 4]| values.iter().fold(0.0_f32, |most, value| most.max(value.abs()));
        let translation = (self.translation - other.translation).abs().max_element();
        let scale = (self.scale - other.scale).abs().max_element();
        translation.max(scale).max(largest(same).min(largest(flipped)))
    }
}

/// The rotation of a matrix some of whose columns are 0.
fn flat_rotation(axes: [DVec3; 3]) -> Quat {
    let [x, y, z] = axes.map(DVec3::normalize_or_zero);
    let of_axes = |x: DVec3, y: DVec3, z: DVec3| DQuat::from_mat3(&DMat3::from_cols(x, y, z));
    let rotation = match [x, y, z].map(|axis| axis != DVec3::ZERO) {
        [true, true, false] => of_axes(x, y, x.cross(y)),
        [true, false, true] => of_axes(x, z.cross(x), z),
        [false, true, true] => of_axes(y.cross(z), y, z),
        [true, false, false] => DQuat::from_rotation_arc(DVec3::X, x),
        [false, true, false] => DQuat::from_rotation_arc(DVec3::Y, y),
        [false, false, true] => DQuat::from_rotation_arc(DVec3::Z, z),
        [true, true, true] | [false, false, false] => DQuat::IDENTITY,
    };
    let is_rotation = rotation.is_finite() && rotation.length_squared() > 0.5;
    if is_rotation { rotation.normalize().as_quat() } else { Quat::IDENTITY }
}

impl Default for Transform {
    fn default() -> Transform {
        Transform::IDENTITY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_and_back() {
        let transform = Transform {
            translation: Vec3::new(1.0, -2.0, 3.0),
            rotation: Quat::from_xyzw(0.1, 0.5, -0.3, 0.8).normalize(),
            scale: Vec3::new(0.5, 2.0, 3.0),
        };
        assert!(Transform::from_mat4(transform.to_mat4()).distance(&transform) < 1e-6);
    }

    #[test]
    fn a_flat_matrix_has_a_finite_transform() {
        let flat = Transform::from_mat4(Mat4::from_scale(Vec3::new(1.0, 0.0, 2.0)));
        assert!(flat.is_finite());
        assert!(Transform::from_mat4(Mat4::ZERO).is_finite());
    }
}
