//! Arithmetic that gives the same bits on every platform: +, −, ×, ÷ and √ in f64 only. The standard library's sines
//! differ in the last bit from system to system, and what is generated here must not.

use glam::{DQuat, DVec3, Quat, Vec3};

/// Half a turn.
const PI: f64 = std::f64::consts::PI;

/// The sine and cosine of an angle in degrees, by their series after folding into ±45°.
pub fn sin_cos(degrees: f64) -> (f64, f64) {
    let quarter = (degrees / 90.0).round();
    let x = (degrees - quarter * 90.0) * PI / 180.0;
    let x2 = x * x;
    let (mut sin, mut cos) = (1.0, 1.0);
    for k in (1..=9).rev() {
        let k = f64::from(k) * 2.0;
        sin = 1.0 - sin * x2 / (k * (k + 1.0));
        cos = 1.0 - cos * x2 / (k * (k - 1.0));
    }
    let sin = sin * x;
    match quarter.rem_euclid(4.0) as i32 {
        0 => (sin, cos),
        1 => (cos, -sin),
        2 => (-sin, -cos),
        _ => (-cos, sin),
    }
}

/// The rotation by an angle in degrees about an axis of unit length.
pub fn turn(axis: DVec3, degrees: f64) -> DQuat {
    let (sin, cos) = sin_cos(degrees / 2.0);
    DQuat::from_xyzw(axis.x * sin, axis.y * sin, axis.z * sin, cos)
}

/// Degrees about z first, then y, then x: for a limb, first out to the side, then its twist, then forwards or back.
pub fn euler([x, y, z]: [f64; 3]) -> DQuat {
    turn(DVec3::X, x) * turn(DVec3::Y, y) * turn(DVec3::Z, z)
}

/// 0 below `from`, 1 above `to`, smooth between.
pub fn smoothstep(from: f64, to: f64, x: f64) -> f64 {
    let t = ((x - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// `a` at 0, `b` at 1.
pub fn mix(a: f64, b: f64, t: f64) -> f64 {
    a + (b - a) * t
}

/// The nearest multiple of a hundredth of a millimetre, without a negative zero.
pub fn quantised(x: f64) -> f32 {
    ((x * 1e5).round() / 1e5) as f32 + 0.0
}

/// Each component [`quantised`].
pub fn quantised_vec(v: DVec3) -> Vec3 {
    Vec3::new(quantised(v.x), quantised(v.y), quantised(v.z))
}

/// A unit quaternion of f32s.
pub fn quantised_quat(q: DQuat) -> Quat {
    let q = q.normalize();
    let round = |x: f64| ((x * 1e7).round() / 1e7) as f32 + 0.0;
    Quat::from_xyzw(round(q.x), round(q.y), round(q.z), round(q.w))
}

/// Mirrors a rotation in the plane x = 0.
pub fn mirrored(q: DQuat) -> DQuat {
    DQuat::from_xyzw(q.x, -q.y, -q.z, q.w)
}

/// The rotation whose y axis points along `along` and whose x axis lies as near to `side` as it can.
pub fn basis(along: DVec3, side: DVec3) -> DQuat {
    let y = along.normalize();
    let z = side.cross(y).normalize();
    DQuat::from_mat3(&glam::DMat3::from_cols(y.cross(z), y, z))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sines_and_cosines_agree_with_the_standard_library() {
        for degrees in (-800..800).map(|tenth| f64::from(tenth) * 0.7) {
            let (sin, cos) = sin_cos(degrees);
            let exact = degrees.to_radians().sin_cos();
            assert!((sin - exact.0).abs() < 1e-14 && (cos - exact.1).abs() < 1e-14, "{degrees}");
        }
    }

    #[test]
    fn a_basis_points_along_its_bone() {
        let along = DVec3::new(0.5, -0.8, 0.1).normalize();
        let basis = basis(along, DVec3::X);
        assert!((basis * DVec3::Y - along).length() < 1e-12);
        assert!((basis * DVec3::X).x > 0.8);
    }
}
