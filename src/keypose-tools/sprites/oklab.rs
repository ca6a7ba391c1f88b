//! OKLab, a space in which distances are those that people see (Björn Ottosson, "A perceptual color space for image processing", 2020).

use std::sync::LazyLock;

use glam::{Mat3, Vec3};

use crate::assets::srgb::{byte, encoded, linear_of_byte};

/// LMS from linear RGB, by columns.
const LMS: Mat3 = Mat3::from_cols(
    Vec3::new(0.412_221_47, 0.211_903_5, 0.088_302_46),
    Vec3::new(0.536_332_54, 0.680_699_5, 0.281_718_84),
    Vec3::new(0.051_445_993, 0.107_396_96, 0.629_978_7),
);
/// Lightness, a and b from the cube roots of LMS.
const LAB: Mat3 = Mat3::from_cols(
    Vec3::new(0.210_454_26, 1.977_998_5, 0.025_904_037),
    Vec3::new(0.793_617_8, -2.428_592_2, 0.782_771_77),
    Vec3::new(-0.004_072_047, 0.450_593_7, -0.808_675_77),
);

/// The inverses of both.
static INVERSE: LazyLock<[Mat3; 2]> = LazyLock::new(|| [LMS.inverse(), LAB.inverse()]);

/// Lightness (0 to 1), a and b of an sRGB-encoded colour.
pub fn of_bytes(color: [u8; 3]) -> Vec3 {
    of_linear(Vec3::from(color.map(linear_of_byte)))
}

/// Lightness, a and b of a linear colour.
pub fn of_linear(color: Vec3) -> Vec3 {
    let lms = LMS * color;
    LAB * Vec3::new(lms.x.cbrt(), lms.y.cbrt(), lms.z.cbrt())
}

/// The nearest sRGB-encoded colour. Channels that are out of range are clamped.
pub fn to_bytes(lab: Vec3) -> [u8; 3] {
    let [linear_of_lms, roots_of_lab] = *INVERSE;
    let roots = roots_of_lab * lab;
    let color = linear_of_lms * (roots * roots * roots);
    color.to_array().map(|channel| byte(encoded(channel)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_survive_the_way_there_and_back() {
        for color in [[0, 0, 0], [255, 255, 255], [255, 0, 0], [12, 200, 90], [1, 2, 3]] {
            assert_eq!(to_bytes(of_bytes(color)), color);
        }
        assert!((of_bytes([255; 3]) - Vec3::X).length() < 1e-3);
        assert!(of_bytes([255, 0, 0]).distance(Vec3::new(0.628, 0.225, 0.126)) < 2e-3);
    }
}
