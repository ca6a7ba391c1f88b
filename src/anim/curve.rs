//! The mathematics of one segment between two values: slerp, cubic Hermite, automatic tangents. No keys, no clips.

use glam::{Quat, Vec4};

/// Spherical linear interpolation on the shortest path, exact to rounding for every angle (Shoemake 1985; the angle
/// by Kahan's formula, 2·atan2(|a−b|, |a+b|), which keeps its digits for small and for nearly opposite rotations).
///
/// Unit quaternions in, a unit quaternion out. glam's own `slerp` approximates the arc cosine to 7e-5.
pub fn slerp(from: Quat, to: Quat, fraction: f32) -> Quat {
    let to = if from.dot(to) < 0.0 { -to } else { to };
    let angle = 2.0 * f32::atan2((from - to).length(), (from + to).length());
    if angle < 1e-4 {
        return from.lerp(to, fraction);
    }
    let weight = |part: f32| (part * angle).sin() / angle.sin();
    (from * weight(1.0 - fraction) + to * weight(fraction)).normalize()
}

/// Cubic Hermite (glTF 2.0, appendix C): `fraction` in 0..=1, tangents in units per second, `secs` the segment's
/// length.
pub fn hermite(from: Vec4, out_tangent: Vec4, to: Vec4, in_tangent: Vec4, secs: f32, fraction: f32) -> Vec4 {
    let (t, t2) = (fraction, fraction * fraction);
    let t3 = t2 * t;
    from * (2.0 * t3 - 3.0 * t2 + 1.0)
        + out_tangent * (secs * (t3 - 2.0 * t2 + t))
        + to * (3.0 * t2 - 2.0 * t3)
        + in_tangent * (secs * (t3 - t2))
}

/// The tangent, in units per second, of a key between two neighbours, component by component: the slope between
/// the neighbours, but flat at a local extreme and clamped so that the curve stays between the key and each neighbour
/// (Fritsch and Carlson 1980). A neighbour is (its value, the distance to it in seconds > 0).
pub fn auto_tangent(before: (Vec4, f32), value: Vec4, after: (Vec4, f32)) -> Vec4 {
    let slope_in = (value - before.0) / before.1;
    let slope_out = (after.0 - value) / after.1;
    let wanted = (after.0 - before.0) / (before.1 + after.1);
    let component = |axis: usize| {
        let (into, out) = (slope_in[axis], slope_out[axis]);
        if into * out <= 0.0 {
            return 0.0;
        }
        let limit = 3.0 * into.abs().min(out.abs());
        wanted[axis].clamp(-limit, limit)
    };
    let tangent = Vec4::from_array([0, 1, 2, 3].map(component));
    if tangent.is_finite() { tangent } else { Vec4::ZERO }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{DQuat, Vec3};

    #[test]
    fn slerp_agrees_with_f64() {
        for degrees in [0.001_f64, 0.1, 1.0, 30.0, 90.0, 150.0, 179.0, 200.0, 300.0] {
            let to = DQuat::from_axis_angle(glam::DVec3::new(1.0, 2.0, 3.0).normalize(), degrees.to_radians());
            for fraction in [0.0, 0.1, 0.5, 0.77, 1.0] {
                let shortest = if degrees > 180.0 { degrees - 360.0 } else { degrees };
                let angle = shortest.to_radians() * fraction;
                let exact = DQuat::from_axis_angle(glam::DVec3::new(1.0, 2.0, 3.0).normalize(), angle).as_quat();
                let got = slerp(Quat::IDENTITY, to.as_quat(), fraction as f32);
                assert!((got - exact).length().min((got + exact).length()) < 5e-7, "{degrees} {fraction}");
            }
        }
    }

    #[test]
    fn hermite_passes_through_its_ends_with_its_tangents() {
        let point = |x: f32| Vec3::new(x, 2.0 * x, -x).extend(0.0);
        let (from, out, to, into) = (point(1.0), point(3.0), point(-2.0), point(5.0));
        let at = |fraction| hermite(from, out, to, into, 2.0, fraction);
        assert_eq!(at(0.0), from);
        assert_eq!(at(1.0), to);
        let step = 1e-3;
        assert!(((at(step) - at(0.0)) / (2.0 * step) - out).abs().max_element() < 0.05);
        assert!(((at(1.0) - at(1.0 - step)) / (2.0 * step) - into).abs().max_element() < 0.05);
    }

    #[test]
    fn automatic_tangents_do_not_overshoot() {
        let value = |x: f32| Vec4::splat(x);
        assert_eq!(auto_tangent((value(0.0), 1.0), value(5.0), (value(0.0), 1.0)), Vec4::ZERO);
        assert_eq!(auto_tangent((value(0.0), 1.0), value(1.0), (value(2.0), 1.0)), Vec4::ONE);
        let clamped = auto_tangent((value(0.0), 1.0), value(0.1), (value(10.0), 1.0));
        assert!((clamped.x - 0.3).abs() < 1e-6);
        assert_eq!(auto_tangent((value(0.0), 0.0), value(1.0), (value(2.0), 0.0)), Vec4::ZERO);
    }
}
