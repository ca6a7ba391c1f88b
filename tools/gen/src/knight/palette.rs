//! The knight's colours: one swatch each in a small texture.

use keypose::assets::material::{Filter, Material, Wrap};
use keypose::assets::texture::Texture;

use crate::geometry::finish::SWATCHES;

pub const STEEL: u8 = 0;
pub const STEEL_LIGHT: u8 = 1;
pub const STEEL_DARK: u8 = 2;
pub const MAIL: u8 = 3;
pub const RED: u8 = 4;
pub const RED_DARK: u8 = 5;
pub const GOLD: u8 = 6;
pub const LEATHER: u8 = 7;
pub const BLACK: u8 = 8;
pub const BLADE: u8 = 9;
pub const BLADE_DARK: u8 = 10;
pub const RED_LIGHT: u8 = 11;
pub const STRAW: u8 = 12;
pub const WOOD: u8 = 13;
pub const ROPE: u8 = 14;
pub const CLOTH: u8 = 15;

/// sRGB, in the order of the constants.
const COLORS: [[u8; 3]; SWATCHES] = [
    [176, 183, 197],
    [212, 217, 227],
    [112, 119, 136],
    [66, 70, 82],
    [190, 40, 52],
    [132, 24, 38],
    [226, 178, 74],
    [104, 66, 44],
    [14, 15, 19],
    [236, 240, 246],
    [176, 186, 202],
    [224, 72, 74],
    [222, 186, 110],
    [128, 88, 54],
    [188, 152, 96],
    [214, 198, 170],
];

/// One row of swatches, each four pixels wide and high so that filtering stays inside.
pub fn texture() -> Texture {
    let row: Vec<u8> = COLORS.iter().flat_map(|&[r, g, b]| [r, g, b, 255].repeat(4)).collect();
    Texture {
        name: "palette".into(),
        width: 4 * SWATCHES as u32,
        height: 4,
        data: row.repeat(4).into(),
        source_format: "generated".into(),
    }
}

/// The material that shows the palette.
pub fn material() -> Material {
    let name = "palette".into();
    Material { name, texture: Some(0), wrap: [Wrap::Clamp; 2], filter: Filter::Nearest, ..Material::default() }
}
