//! The limits of a joint: the rotations that a bone may have in its parent. A bone without one rotates freely.

use std::f32::consts::{PI, TAU};

use glam::{Quat, Vec3};

/// The limit of a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limit {
    /// The local rotation from which angles are measured; a unit quaternion.
    pub zero: Quat,
    /// The axis of a hinge, or the axis of a cone about which the bone twists: usually from the joint to the next one. In
    /// the bone's own space, of unit length.
    pub axis: Vec3,
    /// The minimum angle about the axis in radians, right-handed, -π..=π.
    pub min: f32,
    /// The maximum angle about the axis, `min..=π`.
    pub max: f32,
    /// The maximum angle between the axis and its direction at zero, 0..=π: the half angle of a cone. `None` for a hinge,
    /// whose axis keeps its direction.
    pub swing: Option<f32>,
}

/// A rotation as a limit sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Angles {
    /// The angle about the axis in radians, -π..=π.
    pub about: f32,
    /// The rotation of the axis itself.
    pub swing: Quat,
}

impl Limit {
    /// The nearest allowed local rotation; `rotation` is a unit quaternion.
    pub fn clamp(&self, rotation: Quat) -> Quat {
        let Angles { about, swing } = self.angles(rotation);
        let about = nearest(about, self.min, self.max);
        let allowed = swing_angle(swing).min(self.swing.unwrap_or(0.0));
        let swing = match swing.xyz().try_normalize() {
            Some(across) if allowed > 0.0 => Quat::from_axis_angle(across, allowed),
            _ => Quat::IDENTITY,
        };
        (self.zero * swing * Quat::from_axis_angle(self.axis, about)).normalize()
    }

    /// The limit, widened just enough for a rotation: a joint that is outside may stay. A hinge turns into its plane.
    pub fn including(&self, rotation: Quat) -> Limit {
        let Angles { about, swing } = self.angles(rotation);
        let (min, max) = (self.min.min(about), self.max.max(about));
        match self.swing {
            Some(allowed) => Limit { min, max, swing: Some(allowed.max(swing_angle(swing)).min(PI)), ..*self },
            None => Limit { zero: (self.zero * swing).normalize(), min, max, ..*self },
        }
    }

    /// The angle in radians by which a rotation is outside; 0 inside.
    pub fn excess(&self, rotation: Quat) -> f32 {
        let Angles { about, swing } = self.angles(rotation);
        let over = (swing_angle(swing) - self.swing.unwrap_or(0.0)).max(0.0);
        over.max(distance(about, nearest(about, self.min, self.max)))
    }

    /// The parts of a rotation: about the axis, after the swing of the axis.
    pub fn angles(&self, rotation: Quat) -> Angles {
        let turned = self.zero.inverse() * rotation;
        let turned = if turned.w < 0.0 { -turned } else { turned };
        let along = turned.xyz().dot(self.axis);
        // Half a turn across the axis has no angle about it.
        let about = if along.hypot(turned.w) > 1e-6 { 2.0 * along.atan2(turned.w) } else { 0.0 };
        let swing = (turned * Quat::from_axis_angle(self.axis, -about)).normalize();
        Angles { about, swing: if swing.w < 0.0 { -swing } else { swing } }
    }

    /// Checks that rotation and axis have unit length, and that angles are in range and in order.
    pub fn check(&self) -> Result<(), &'static str> {
        let is_unit = |length: f32| (length - 1.0).abs() < 1e-3;
        if !is_unit(self.zero.length()) || !is_unit(self.axis.length()) {
            return Err("its rotation or its axis doesn't have unit length");
        }
        let is_ordered = -PI <= self.min && self.min <= self.max && self.max <= PI;
        if !is_ordered || !self.swing.is_none_or(|swing| (0.0..=PI).contains(&swing)) {
            return Err("its angles are out of order or beyond 180°");
        }
        Ok(())
    }
}

/// The angle of a rotation with a positive w, precise for small ones, too.
fn swing_angle(swing: Quat) -> f32 {
    2.0 * swing.xyz().length().atan2(swing.w)
}

/// The angle in a range that is nearest to another one, around the circle.
fn nearest(angle: f32, min: f32, max: f32) -> f32 {
    if (min..=max).contains(&angle) {
        angle
    } else if distance(angle, max) <= distance(angle, min) {
        max
    } else {
        min
    }
}

/// The distance of two angles around the circle.
fn distance(a: f32, b: f32) -> f32 {
    let between = (a - b).abs() % TAU;
    between.min(TAU - between)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotations_are_clamped_to_the_nearest_allowed_one() {
        let zero = Quat::from_rotation_x(0.7);
        let hinge = Limit { zero, axis: Vec3::Z, min: -0.1, max: 1.0, swing: None };
        let cone = Limit { swing: Some(0.5), axis: Vec3::Y, min: -0.2, max: 0.3, zero };
        let (x, y, z) = (Quat::from_rotation_x, Quat::from_rotation_y, Quat::from_rotation_z);
        // The limit, a rotation from zero, the allowed one, and by how much it is outside.
        let cases = [
            (hinge, z(0.4), z(0.4), 0.0),
            (hinge, z(1.4), z(1.0), 0.4),
            (hinge, z(-1.4), z(-0.1), 1.3),
            (hinge, z(-3.0), z(1.0), TAU - 4.0),
            (hinge, y(1.0), z(0.0), 1.0),
            (cone, x(0.4) * y(0.2), x(0.4) * y(0.2), 0.0),
            (cone, x(2.0) * y(0.2), x(0.5) * y(0.2), 1.5),
            (cone, -(z(-2.0)), z(-0.5), 1.5),
            (cone, x(0.4) * y(1.0), x(0.4) * y(0.3), 0.7),
            (cone, x(3.0), x(0.5), 2.5),
        ];
        for (limit, turned, expected, excess) in cases {
            let got = limit.clamp(zero * turned);
            assert!(got.dot(zero * expected).abs() > 1.0 - 1e-6, "{limit:?} {turned}: {got}");
            assert!((limit.excess(zero * turned) - excess).abs() < 1e-3, "{limit:?} {turned}");
            assert!(limit.excess(got) < 1e-5, "{limit:?} {turned}");
        }
    }

    #[test]
    fn limits_without_axis_or_order_are_refused() {
        let limit = Limit { zero: Quat::IDENTITY, axis: Vec3::X, min: 0.0, max: 1.0, swing: Some(1.0) };
        assert_eq!(limit.check(), Ok(()));
        let bad = [
            Limit { axis: Vec3::ZERO, ..limit },
            Limit { zero: Quat::from_xyzw(0.0, 0.0, 0.0, 2.0), ..limit },
            Limit { min: 2.0, ..limit },
            Limit { max: 4.0, ..limit },
            Limit { max: f32::NAN, ..limit },
            Limit { swing: Some(-1.0), ..limit },
            Limit { swing: Some(f32::NAN), ..limit },
        ];
        assert!(bad.iter().all(|limit| limit.check().is_err()));
    }
}
