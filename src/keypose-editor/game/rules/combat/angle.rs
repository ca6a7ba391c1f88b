//! Directions of angles, from additions and multiplications only: the same bits on every machine.

use glam::Vec2;

/// The unit vector at an angle in degrees: 0 is +x, 90 is +y. Zero if the angle is not finite.
pub fn direction(degrees: f32) -> Vec2 {
    if !degrees.is_finite() {
        return Vec2::ZERO;
    }
    let degrees = f64::from(degrees);
    let quarter = (degrees / 90.0).round();
    let x = (degrees - quarter * 90.0) * std::f64::consts::PI / 180.0;
    let square = x * x;
    let (mut sin, mut cos) = (1.0, 1.0);
    for term in [14.0, 12.0, 10.0, 8.0, 6.0, 4.0, 2.0] {
        sin = 1.0 - sin * square / (term * (term + 1.0));
        cos = 1.0 - cos * square / (term * (term - 1.0));
    }
    let (sin, cos) = ((sin * x) as f32, cos as f32);
    match quarter.rem_euclid(4.0) as i32 {
        0 => Vec2::new(cos, sin),
        1 => Vec2::new(-sin, cos),
        2 => Vec2::new(-cos, -sin),
        _ => Vec2::new(sin, -cos),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_agree_with_sine_and_cosine() {
        for degrees in (-360..=360).map(|half| half as f32 * 0.5) {
            let exact = Vec2::from_angle(degrees.to_radians());
            assert!(direction(degrees).distance(exact) < 1e-6, "{degrees}");
        }
        assert_eq!(direction(f32::NAN), Vec2::ZERO);
    }
}
