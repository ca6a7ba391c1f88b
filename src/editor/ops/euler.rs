//! Rotations for display: Euler angles in degrees about x, y and z. The quaternion remains the source of truth.

use glam::{EulerRot, Quat, Vec3};

/// The angles in degrees about the fixed axes x, then y, then z. Of the equivalent triples, the one nearest to `before`,
/// so that a value does not jump by 180° or 360° while it is dragged.
pub fn degrees_near(rotation: Quat, before: Vec3) -> Vec3 {
    let (z, y, x) = rotation.normalize().to_euler(EulerRot::ZYX);
    let first = Vec3::new(x, y, z).map(f32::to_degrees);
    // The same rotation over the other side of the pole.
    let second = Vec3::new(first.x + 180.0, 180.0 - first.y, first.z + 180.0);
    let mut candidates = vec![first, second];
    // At the pole only the sum of x and z has a meaning: keep the z of before.
    if first.y.abs() > POLE_DEGREES {
        let sign = -first.y.signum();
        let sum = first.x + sign * first.z;
        candidates.push(Vec3::new(sum - sign * before.z, first.y, before.z));
    }
    let near = candidates.into_iter().map(|degrees| nearest_turns(degrees, before));
    let distance = |degrees: &Vec3| degrees.distance_squared(before);
    near.min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(first)
}

/// Beyond this angle about y, x and z are the same axis.
const POLE_DEGREES: f32 = 89.99;

/// The angles in degrees about x, y and z, each within ±180 if possible.
pub fn degrees(rotation: Quat) -> Vec3 {
    degrees_near(rotation, Vec3::ZERO)
}

/// The rotation by angles in degrees about x, then y, then z.
pub fn rotation(degrees: Vec3) -> Quat {
    let [x, y, z] = degrees.map(f32::to_radians).to_array();
    Quat::from_euler(EulerRot::ZYX, z, y, x).normalize()
}

/// Each angle with the number of full turns that brings it nearest to `before`.
fn nearest_turns(degrees: Vec3, before: Vec3) -> Vec3 {
    degrees - ((degrees - before) / 360.0).round() * 360.0
}

/// The last displayed angles of one bone. Typed angles stay as typed while the rotation is the same.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Readout {
    shown: Vec3,
}

impl Readout {
    /// A readout that begins near some angles.
    pub fn near(degrees: Vec3) -> Readout {
        Readout { shown: degrees }
    }

    /// The angles to display for a rotation.
    pub fn show(&mut self, rotation: Quat) -> Vec3 {
        let is_same = self::rotation(self.shown).dot(rotation).abs() > 1.0 - 1e-7;
        if !is_same {
            self.shown = degrees_near(rotation, self.shown);
        }
        self.shown
    }

    /// The rotation of typed or dragged angles.
    pub fn put(&mut self, degrees: Vec3) -> Quat {
        self.shown = degrees;
        rotation(degrees)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn degrees_and_back_are_the_same_rotation() {
        for x in (-180..=180).step_by(30) {
            for y in (-90..=90).step_by(15) {
                for z in (-180..=180).step_by(45) {
                    let wanted = rotation(Vec3::new(x as f32, y as f32, z as f32));
                    for before in [Vec3::ZERO, Vec3::new(100.0, 50.0, -300.0)] {
                        let back = rotation(degrees_near(wanted, before));
                        assert!(wanted.dot(back).abs() > 0.99999, "{x} {y} {z} near {before}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_full_turn_is_displayed_without_a_jump() {
        for axis in 0..3 {
            let (mut readout, mut before) = (Readout::default(), Vec3::ZERO);
            for step in 1..=720 {
                let mut wanted = Vec3::ZERO;
                wanted[axis] = step as f32;
                let shown = readout.show(rotation(wanted));
                assert!(shown.distance(before) < 1.5, "axis {axis} at {step}: {before} to {shown}");
                before = shown;
            }
            assert!((before[axis] - 720.0).abs() < 0.1, "axis {axis}: {before}");
        }
    }

    #[test]
    fn typed_angles_stay() {
        let mut readout = Readout::default();
        for typed in [Vec3::new(10.0, 90.0, 20.0), Vec3::new(-35.0, 200.0, 4.0), Vec3::new(0.0, -90.0, 45.0)] {
            let rotation = readout.put(typed);
            assert_eq!(readout.show(rotation), typed);
        }
    }
}
