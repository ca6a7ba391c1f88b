//! The goblin's colours: one swatch each in a small texture.

use keypose::assets::material::{Filter, Material, Wrap};
use keypose::assets::texture::Texture;

use crate::geometry::finish::SWATCHES;

pub const SKIN: u8 = 0;
pub const SKIN_LIGHT: u8 = 1;
pub const SKIN_DARK: u8 = 2;
pub const BONE: u8 = 3;
pub const EYE: u8 = 4;
pub const BLACK: u8 = 5;
pub const LEATHER: u8 = 6;
pub const RAG: u8 = 7;
pub const WOOD: u8 = 8;
pub const IRON: u8 = 9;
pub const MOUTH: u8 = 10;

/// sRGB, in the order of the constants.
const COLORS: [[u8; 3]; 11] = [
    [104, 142, 72],
    [142, 174, 92],
    [70, 100, 56],
    [232, 222, 196],
    [250, 206, 70],
    [18, 18, 20],
    [96, 64, 44],
    [120, 58, 96],
    [122, 86, 56],
    [92, 96, 108],
    [98, 34, 40],
];

/// One row of swatches, each four pixels wide and high.
pub fn texture() -> Texture {
    let colors = COLORS.iter().copied().chain(std::iter::repeat([255; 3])).take(SWATCHES);
    let row: Vec<u8> = colors.flat_map(|[r, g, b]| [r, g, b, 255].repeat(4)).collect();
    Texture {
        name: "goblin palette".into(),
        width: 4 * SWATCHES as u32,
        height: 4,
        data: row.repeat(4).into(),
        source_format: "generated".into(),
    }
}

/// The material that shows the palette.
pub fn material() -> Material {
    let name = "goblin palette".into();
    Material { name, texture: Some(0), wrap: [Wrap::Clamp; 2], filter: Filter::Nearest, ..Material::default() }
}
