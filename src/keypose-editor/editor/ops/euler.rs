//! Rotations for display: Euler angles in degrees about x, y and z, and the angle about an axis. The quaternion remains
//! the source of truth.

use glam::{EulerRot, Quat, Vec3, Vec4};

use keypose::assets::euler_order::EulerOrder;

/// The angles in degrees about x, y and z, applied in an order. Of the equivalent triples, the one nearest to `before`,
/// so that a value does not jump by 180° or 360° while it is dragged.
pub fn degrees_near(rotation: Quat, order: EulerOrder, before: Vec3) -> Vec3 {
    let axes = order.axes();
    let angles = <[f32; 3]>::from(rotation.normalize().to_euler(glam_order(order))).map(f32::to_degrees);
    let first = on_axes(axes, angles);
    // The same rotation over the other side of the pole.
    let second = on_axes(axes, [angles[0] + 180.0, 180.0 - angles[1], angles[2] + 180.0]);
    let mut candidates = vec![first, second];
    // At the pole only the sum or difference of the other two has a meaning: keep the last one of before.
    if angles[1].abs() > POLE_DEGREES {
        let is_even = (axes[0] + 1) % 3 == axes[1];
        let sign = if is_even { -angles[1].signum() } else { angles[1].signum() };
        let (sum, last) = (angles[0] + sign * angles[2], before[axes[2]]);
        candidates.push(on_axes(axes, [sum - sign * last, angles[1], last]));
    }
    let near = candidates.into_iter().map(|degrees| nearest_turns(degrees, before));
    let distance = |degrees: &Vec3| degrees.distance_squared(before);
    near.min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(first)
}

/// Beyond this angle about the axis in the middle, the other two are the same axis.
const POLE_DEGREES: f32 = 89.99;

/// The angles in degrees about x, y and z, each within ±180 if possible. Half a turn is 180, also of a quaternion with a negative zero.
pub fn degrees(rotation: Quat, order: EulerOrder) -> Vec3 {
    degrees_near(rotation, order, Vec3::ZERO).map(|angle| if angle == -180.0 { 180.0 } else { angle })
}

/// The rotation by angles in degrees about x, y and z, applied in an order.
pub fn rotation(degrees: Vec3, order: EulerOrder) -> Quat {
    let [first, middle, last] = order.axes().map(|axis| degrees[axis].to_radians());
    Quat::from_euler(glam_order(order), first, middle, last).normalize()
}

/// Whether two rotations are the same within 0.05°.
pub fn is_same(a: Quat, b: Quat) -> bool {
    a.dot(b).abs() > 1.0 - 1e-7
}

/// The same rotation as a quaternion with a positive w. Half a turn keeps its sign, which rounding must not flip.
pub fn positive(rotation: Quat) -> Quat {
    if rotation.w < -1e-6 { -rotation } else { rotation }
}

/// The angle in degrees, from 0 to 180, and the axis of a rotation; about y if it is none.
pub fn axis_angle(rotation: Quat) -> Vec4 {
    let rotation = positive(rotation);
    let (axis, angle) = (rotation.xyz().normalize_or(Vec3::Y), 2.0 * rotation.xyz().length().atan2(rotation.w));
    Vec4::new(angle.to_degrees(), axis.x, axis.y, axis.z)
}

/// glam's name of an order about fixed axes.
fn glam_order(order: EulerOrder) -> EulerRot {
    match order {
        EulerOrder::Xyz => EulerRot::XYZEx,
        EulerOrder::Xzy => EulerRot::XZYEx,
        EulerOrder::Yxz => EulerRot::YXZEx,
        EulerOrder::Yzx => EulerRot::YZXEx,
        EulerOrder::Zxy => EulerRot::ZXYEx,
        EulerOrder::Zyx => EulerRot::ZYXEx,
    }
}

/// Angles about x, y and z, of angles about `axes`.
fn on_axes(axes: [usize; 3], angles: [f32; 3]) -> Vec3 {
    let mut degrees = Vec3::ZERO;
    axes.into_iter().zip(angles).for_each(|(axis, angle)| degrees[axis] = angle);
    degrees
}

/// Each angle with the number of full turns that brings it nearest to `before`.
fn nearest_turns(degrees: Vec3, before: Vec3) -> Vec3 {
    degrees - ((degrees - before) / 360.0).round() * 360.0
}

#[cfg(test)]
mod tests {
    use glam::Vec4Swizzles;

    use super::*;

    /// Angles at, near and beyond the poles.
    fn triples() -> impl Iterator<Item = Vec3> {
        let all = (-180..=180).step_by(30).flat_map(|x| (-180..=180).step_by(15).map(move |y| (x, y)));
        all.flat_map(|(x, y)| (-180..=180).step_by(45).map(move |z| Vec3::new(x as f32, y as f32, z as f32)))
    }

    #[test]
    fn the_first_letter_of_an_order_is_applied_first_about_fixed_axes() {
        for order in EulerOrder::ALL {
            let turn = |axis: usize, degrees: Vec3| Quat::from_axis_angle(Vec3::AXES[axis], degrees[axis].to_radians());
            for degrees in triples() {
                let [first, middle, last] = order.axes().map(|axis| turn(axis, degrees));
                let wanted = last * middle * first;
                assert!(rotation(degrees, order).dot(wanted).abs() > 0.99999, "{order:?} {degrees}");
            }
            let letters: String = order.axes().map(|axis| ['X', 'Y', 'Z'][axis]).iter().collect();
            assert_eq!(letters, order.name());
        }
    }

    #[test]
    fn degrees_and_back_are_the_same_rotation_in_every_order() {
        for order in EulerOrder::ALL {
            for degrees in triples() {
                let wanted = rotation(degrees, order);
                for before in [Vec3::ZERO, Vec3::new(100.0, 50.0, -300.0)] {
                    let back = rotation(degrees_near(wanted, order, before), order);
                    assert!(wanted.dot(back).abs() > 0.99999, "{order:?}: {degrees} near {before}");
                }
            }
        }
    }

    #[test]
    fn a_full_turn_is_displayed_without_a_jump() {
        for order in EulerOrder::ALL {
            for axis in 0..3 {
                let mut before = Vec3::ZERO;
                for step in 1..=720 {
                    let mut wanted = Vec3::ZERO;
                    wanted[axis] = step as f32;
                    let shown = degrees_near(rotation(wanted, order), order, before);
                    assert!(shown.distance(before) < 1.5, "{order:?} axis {axis} at {step}: {before} to {shown}");
                    before = shown;
                }
                assert!((before[axis] - 720.0).abs() < 0.1, "{order:?} axis {axis}: {before}");
            }
        }
    }

    #[test]
    fn a_rotation_has_an_angle_and_an_axis() {
        let axis = Vec3::new(1.0, -2.0, 3.0).normalize();
        for (degrees, shown, sign) in [(50.0, 50.0, 1.0), (180.0, 180.0, 1.0), (270.0, 90.0, -1.0), (-20.0, 20.0, -1.0)]
        {
            let read = axis_angle(Quat::from_axis_angle(axis, f32::to_radians(degrees)));
            let expected = (axis * sign).extend(shown);
            assert!((read.x - shown).abs() < 1e-3, "{degrees}: {read}");
            assert!(read.yzw().distance(expected.truncate()) < 1e-4, "{degrees}: {read}");
        }
        assert_eq!(axis_angle(Quat::IDENTITY), Vec4::new(0.0, 0.0, 1.0, 0.0));
    }
}
