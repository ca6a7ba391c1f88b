//! Spherical interpolation with additions, multiplications, one division and one square root only, so that every
//! machine computes the same bits: sines differ between C libraries.

use glam::Vec4;

/// The number of terms of the series; for half an angle of at most 45° the rest is below 1e-8.
const TERMS: usize = 8;
/// From this cosine on the angle is not halved and [`FEW`] terms suffice: the rest is below 1e-9.
const NEAR: f32 = 0.9;
/// See [`NEAR`].
const FEW: usize = 6;

/// Spherical linear interpolation on the shortest path. Takes and returns unit quaternions x, y, z, w; exact to 3e-7.
///
/// Halves a large angle first, then sums the series of sin(t·φ) / sin φ in cos φ − 1 (Eberly: "A Fast and Accurate
/// Algorithm for Computing SLERP", 2011).
pub fn slerp_portable(from: Vec4, to: Vec4, fraction: f32) -> Vec4 {
    let cosine = dot(from, to);
    let (to, cosine) = if cosine < 0.0 { (-to, -cosine) } else { (to, cosine) };
    if cosine > NEAR {
        let bend = cosine.min(1.0) - 1.0;
        return from * weight::<FEW>(1.0 - fraction, bend) + to * weight::<FEW>(fraction, bend);
    }
    let middle = from + to;
    let middle = middle / dot(middle, middle).sqrt();
    let (from, to, fraction) =
        if fraction < 0.5 { (from, middle, fraction * 2.0) } else { (middle, to, fraction * 2.0 - 1.0) };
    let bend = dot(from, to).min(1.0) - 1.0;
    let mixed = from * weight::<TERMS>(1.0 - fraction, bend) + to * weight::<TERMS>(fraction, bend);
    mixed / dot(mixed, mixed).sqrt()
}

/// Normalizes a rotation; if it has no direction, normalizes and returns `instead`.
pub fn unit_or(value: Vec4, instead: Vec4) -> Vec4 {
    let unit = |value: Vec4| Some(value / dot(value, value).sqrt()).filter(|unit| unit.is_finite());
    unit(value).or_else(|| unit(instead)).unwrap_or(Vec4::W)
}

/// The dot product with the same order of operations on every machine; glam's depends on the processor.
fn dot(a: Vec4, b: Vec4) -> f32 {
    (a.x * b.x + a.y * b.y) + (a.z * b.z + a.w * b.w)
}

/// sin(t·φ) / sin φ for `bend` = cos φ − 1.
fn weight<const N: usize>(t: f32, bend: f32) -> f32 {
    let (square, mut term, mut sum) = (t * t, 1.0, 1.0);
    for (up, down) in &SERIES[..N] {
        term *= (up * square - down) * bend;
        sum += term;
    }
    sum * t
}

/// 1 / (i (2i + 1)) and i / (2i + 1) for i from 1.
const SERIES: [(f32, f32); TERMS] = {
    let mut series = [(0.0, 0.0); TERMS];
    let mut at = 0;
    while at < TERMS {
        let i = (at + 1) as f32;
        series[at] = (1.0 / (i * (2.0 * i + 1.0)), i / (2.0 * i + 1.0));
        at += 1;
    }
    series
};

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{DQuat, DVec3};

    #[test]
    fn slerp_agrees_with_f64() {
        for degrees in
            [0.0_f64, 1e-4, 0.1, 1.0, 30.0, 90.0, 150.0, 50.0, 52.0, 179.0, 180.0, 181.0, 200.0, 300.0, 359.0]
        {
            let axis = DVec3::new(1.0, 2.0, 3.0).normalize();
            let to = DQuat::from_axis_angle(axis, degrees.to_radians()).as_quat();
            for step in 0..=40 {
                let fraction = step as f32 / 40.0;
                let shortest = if degrees > 180.0 { degrees - 360.0 } else { degrees };
                let exact = DQuat::from_axis_angle(axis, shortest.to_radians() * f64::from(fraction)).as_quat();
                let got = slerp_portable(Vec4::W, to.into(), fraction);
                let exact = Vec4::from(exact);
                let apart = (got - exact).length().min((got + exact).length());
                assert!(apart < 3e-7 || degrees == 180.0 && got.is_finite(), "{degrees} {fraction}: {apart}");
            }
        }
    }
}
