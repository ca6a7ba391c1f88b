//! sRGB (IEC 61966-2-1): conversions between encoded and linear components of colours.

use std::sync::LazyLock;

/// The linear components of all bytes.
static LINEAR: LazyLock<[f32; 256]> = LazyLock::new(|| std::array::from_fn(|byte| linear(byte as f32 / 255.0)));

/// The encoded bytes of linear components, in steps of about a fifth of a byte, or less.
static ENCODED: LazyLock<Vec<u8>> =
    LazyLock::new(|| (0..=STEPS).map(|step| byte(encoded(step as f32 / STEPS as f32))).collect());
const STEPS: u16 = 1 << 14;

/// The linear component of an encoded one, both 0..=1.
pub fn linear(encoded: f32) -> f32 {
    if encoded <= 0.040_45 { encoded / 12.92 } else { ((encoded + 0.055) / 1.055).powf(2.4) }
}

/// The linear component, 0..=1, of an encoded byte.
pub fn linear_of_byte(byte: u8) -> f32 {
    LINEAR[usize::from(byte)]
}

/// The encoded component of a linear one, both 0..=1.
pub fn encoded(linear: f32) -> f32 {
    if linear <= 0.003_130_8 { linear * 12.92 } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 }
}

/// The encoded byte of a linear component, 0..=1: as `byte(encoded(linear))`, but sooner and off by at most 1.
pub fn byte_of_linear(linear: f32) -> u8 {
    ENCODED[(linear.clamp(0.0, 1.0) * f32::from(STEPS)).round() as usize]
}

/// A component, 0..=1, as a byte. Others are clamped; NaN becomes 0.
pub fn byte(component: f32) -> u8 {
    (component.clamp(0.0, 1.0) * 255.0).round() as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_survive_the_way_there_and_back() {
        assert!((0..=255).all(|value| byte(encoded(linear_of_byte(value))) == value));
        assert!((0..=255).all(|value| byte_of_linear(linear_of_byte(value)) == value));
        assert!((linear_of_byte(0x80) - 0.2159).abs() < 1e-3);
        assert_eq!([-1.0, 2.0, f32::NAN].map(|outside| byte(encoded(outside))), [0, 255, 0]);
        assert_eq!([-1.0, 2.0, f32::NAN].map(byte_of_linear), [0, 255, 0]);
    }
}
