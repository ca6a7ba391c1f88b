//! The limits of a joint's rotation.

use glam::{Quat, Vec3};

/// The range of a joint, relative to the rest rotation of its bone.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Limit {
    /// Any rotation.
    #[default]
    Free,
    /// At most this angle from rest in radians, about any axis.
    Within(f32),
    /// About one axis only, such as an elbow or a knee.
    Hinge {
        /// In the bone's own space at rest; needn't have unit length. If its length is 0 the joint can't rotate.
        axis: Vec3,
        /// Minimum angle in radians, right-handed about the axis.
        min: f32,
        /// Maximum angle in radians, at least `min`.
        max: f32,
    },
}

impl Limit {
    /// The allowed local rotation nearest to `rotation`; both are unit quaternions. Limits that are not finite count as
    /// 0.
    pub fn clamp(self, rest: Quat, rotation: Quat) -> Quat {
        let finite = |radians: f32| if radians.is_finite() { radians } else { 0.0 };
        let turned = rest.inverse() * rotation;
        let turned = if turned.w < 0.0 { -turned } else { turned };
        let allowed = match self {
            Limit::Free => return rotation,
            Limit::Within(max) => {
                let (axis, angle) = turned.to_axis_angle();
                let max = finite(max).max(0.0);
                if angle <= max {
                    return rotation;
                }
                Quat::from_axis_angle(axis, max)
            }
            Limit::Hinge { axis, min, max } => {
                let Some(axis) = axis.try_normalize() else { return rest };
                let angle = 2.0 * f32::atan2(turned.xyz().dot(axis), turned.w);
                let (min, max) = (finite(min), finite(max));
                Quat::from_axis_angle(axis, angle.max(min).min(max.max(min)))
            }
        };
        (rest * allowed).normalize()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotations_are_clamped_to_the_nearest_allowed_one() {
        let rest = Quat::from_rotation_x(0.7);
        let about_z = |angle: f32| rest * Quat::from_rotation_z(angle);
        let hinge = |axis| Limit::Hinge { axis, min: -0.1, max: 1.0 };
        let nan = Limit::Hinge { axis: Vec3::Z, min: f32::NAN, max: f32::NAN };
        let cases = [
            (Limit::Free, about_z(3.0), about_z(3.0)),
            (Limit::Within(0.5), about_z(0.4), about_z(0.4)),
            (Limit::Within(0.5), about_z(2.0), about_z(0.5)),
            (Limit::Within(0.5), -about_z(-2.0), about_z(-0.5)),
            (Limit::Within(f32::NAN), about_z(2.0), rest),
            (hinge(Vec3::Z * 2.0), about_z(0.4), about_z(0.4)),
            (hinge(Vec3::Z), about_z(1.4), about_z(1.0)),
            (hinge(Vec3::Z), about_z(-1.4), about_z(-0.1)),
            (hinge(Vec3::Z), rest * Quat::from_rotation_y(1.0), rest),
            (hinge(Vec3::ZERO), about_z(1.0), rest),
            (nan, about_z(1.0), rest),
        ];
        for (limit, rotation, expected) in cases {
            let got = limit.clamp(rest, rotation);
            assert!(got.dot(expected).abs() > 1.0 - 1e-6, "{limit:?} {rotation}: {got}, not {expected}");
        }
    }
}
