//! Numbers of the reader (f64) as ours (f32).

use glam::{DMat4, DQuat, DVec3, DVec4, Mat4, Quat, Vec2, Vec3};

use crate::anim::transform::Transform;

pub fn vec2(from: ufbx::Vec2) -> Vec2 {
    glam::DVec2::new(from.x, from.y).as_vec2()
}

pub fn vec3(from: ufbx::Vec3) -> Vec3 {
    DVec3::new(from.x, from.y, from.z).as_vec3()
}

/// The unit quaternion; the identity if it has no length.
pub fn quat(from: ufbx::Quat) -> Quat {
    let four = DVec4::new(from.x, from.y, from.z, from.w);
    match four.try_normalize() {
        Some(unit) => DQuat::from_vec4(unit).as_quat(),
        None => Quat::IDENTITY,
    }
}

pub fn transform(from: &ufbx::Transform) -> Transform {
    Transform { translation: vec3(from.translation), rotation: quat(from.rotation), scale: vec3(from.scale) }
}

pub fn matrix(from: &ufbx::Matrix) -> Mat4 {
    let matrix = DMat4::from_cols(
        DVec4::new(from.m00, from.m10, from.m20, 0.0),
        DVec4::new(from.m01, from.m11, from.m21, 0.0),
        DVec4::new(from.m02, from.m12, from.m22, 0.0),
        DVec4::new(from.m03, from.m13, from.m23, 1.0),
    );
    matrix.as_mat4()
}
