//! A colour as designers write it: sRGB-encoded with straight alpha.

use keypose::anim::skeleton::BoneIndex;
use keypose::assets::srgb::{byte, encoded, linear};

/// sRGB-encoded red, green and blue, and straight alpha, each 0..=1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(missing_docs)]
pub struct Color {
    pub r: f32,
    pub g: f32,
    pub b: f32,
    pub a: f32,
}

impl Color {
    /// Fully transparent.
    pub const CLEAR: Color = Color { r: 0.0, g: 0.0, b: 0.0, a: 0.0 };
    /// Opaque white.
    pub const WHITE: Color = Color::hex(0xffffff);
    /// Opaque black.
    pub const BLACK: Color = Color::hex(0);

    /// The colours of the x, y and z axis.
    pub const AXES: [Color; 3] = [Color::hex(0xef5b5b), Color::hex(0x6cc070), Color::hex(0x5a8dee)];

    /// An opaque colour from `0xrrggbb`.
    pub const fn hex(rgb: u32) -> Color {
        let [_, r, g, b] = rgb.to_be_bytes();
        Color { r: r as f32 / 255.0, g: g as f32 / 255.0, b: b as f32 / 255.0, a: 1.0 }
    }

    /// Parses six hexadecimal digits with an optional "#" before them.
    pub fn parse(text: &str) -> Option<Color> {
        let digits = text.trim().trim_start_matches('#');
        let is_hex = digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        u32::from_str_radix(digits, 16).ok().filter(|_| is_hex).map(Color::hex)
    }

    /// Formats it as "#rrggbb", without alpha.
    pub fn to_hex(self) -> String {
        let [r, g, b, _] = self.to_bytes();
        format!("#{r:02x}{g:02x}{b:02x}")
    }

    /// Replaces the alpha.
    pub const fn with_alpha(self, a: f32) -> Color {
        Color { a, ..self }
    }

    /// Interpolates the encoded components: `self` at 0, `other` at 1.
    pub fn mix(self, other: Color, fraction: f32) -> Color {
        let [a, b] = [self.to_array(), other.to_array()];
        Color::from_array(std::array::from_fn(|at| a[at] + (b[at] - a[at]) * fraction))
    }

    /// Red, green, blue, alpha.
    pub const fn to_array(self) -> [f32; 4] {
        [self.r, self.g, self.b, self.a]
    }

    /// Red, green, blue, alpha.
    pub const fn from_array([r, g, b, a]: [f32; 4]) -> Color {
        Color { r, g, b, a }
    }

    /// Four bytes; values outside of 0..=1 are clamped.
    pub fn to_bytes(self) -> [u8; 4] {
        self.to_array().map(byte)
    }

    /// Converts to linear light; alpha is unchanged.
    pub fn to_linear(self) -> [f32; 4] {
        [linear(self.r), linear(self.g), linear(self.b), self.a]
    }

    /// Converts from linear light; alpha is unchanged.
    pub fn of_linear([r, g, b, a]: [f32; 4]) -> Color {
        Color { r: encoded(r), g: encoded(g), b: encoded(b), a }
    }

    /// The colour in which [`crate::render::frame::Surface::Weights`] shows a weight, 0..=1, on a surface that faces
    /// the eye. `mesh.frag` has the same table.
    pub fn of_weight(weight: f32) -> Color {
        const STOPS: [[f32; 3]; 5] =
            [[0.01, 0.03, 0.25], [0.0, 0.3, 0.5], [0.05, 0.5, 0.1], [0.85, 0.6, 0.02], [0.85, 0.04, 0.01]];
        let at = weight.clamp(0.0, 1.0) * 4.0;
        let from = (at as usize).min(3);
        let part = |axis: usize| STOPS[from][axis] + (STOPS[from + 1][axis] - STOPS[from][axis]) * (at - from as f32);
        Color::of_linear([part(0), part(1), part(2), 1.0])
    }

    /// The colour in which [`crate::render::frame::Surface::Overdraw`] shows a number of surfaces behind each other: 0 for one, 1 for
    /// twelve.
    pub fn of_overdraw(part: f32) -> Color {
        let layers = 1.0 + 11.0 * part.clamp(0.0, 1.0);
        let [r, g, b] = OVERDRAW.map(|step| (step * layers).min(1.0));
        Color::of_linear([r, g, b, 1.0])
    }

    /// A distinct colour for each bone: hues are a golden angle apart.
    pub fn of_bone(bone: BoneIndex) -> Color {
        let hue = (f32::from(bone) * 0.618_034).fract() * 6.0;
        let part = |shift: f32| {
            let near = ((hue + shift) % 6.0 - 3.0).abs() - 1.0;
            0.30 + 0.60 * near.clamp(0.0, 1.0)
        };
        Color { r: part(0.0), g: part(4.0), b: part(2.0), a: 1.0 }
    }
}

/// The linear light that each surface adds. `mesh.frag` has the same numbers.
const OVERDRAW: [f32; 3] = [0.17, 0.065, 0.02];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hex_and_bytes_agree() {
        assert_eq!(Color::hex(0x4f9dff).to_bytes(), [0x4f, 0x9d, 0xff, 0xff]);
        assert_eq!(Color::WHITE.to_linear(), [1.0; 4]);
        assert!((Color::hex(0x808080).to_linear()[0] - 0.2159).abs() < 1e-3);
        let [r, g, b, _] = Color::hex(0x4f0aff).to_linear();
        assert_eq!(Color::of_linear([r, g, b, 1.0]).to_bytes(), [0x4f, 0x0a, 0xff, 0xff]);
    }

    #[test]
    fn neighbouring_bones_differ() {
        let distance = |a: Color, b: Color| (a.r - b.r).abs() + (a.g - b.g).abs() + (a.b - b.b).abs();
        for bone in 0..200 {
            assert!(distance(Color::of_bone(bone), Color::of_bone(bone + 1)) > 0.3, "{bone}");
        }
    }
}
