//! A texture: pixels as they are shown, and how they are looked up.

use crate::assets::bytes::Bytes;

/// RGBA8 pixels, sRGB-encoded, straight alpha, rows from the top.
#[derive(Clone, Debug, PartialEq)]
pub struct Texture {
    /// Unique within its model.
    pub name: String,
    /// 1 to [`Texture::MAX_SIDE`].
    pub width: u32,
    /// 1 to [`Texture::MAX_SIDE`].
    pub height: u32,
    /// `4 * width * height` bytes; those of an archive lie in its buffer.
    pub pixels: Bytes,
    /// What the pixels were decoded from: "png", "jpeg", "generated", …
    pub source_format: String,
}

impl Texture {
    /// The largest side that is read.
    pub const MAX_SIDE: u32 = 8192;

    /// True where the size is in range and the pixels are as many as it says.
    pub fn is_valid(&self) -> bool {
        let side = 1..=Texture::MAX_SIDE;
        let bytes = 4 * self.width as usize * self.height as usize;
        side.contains(&self.width) && side.contains(&self.height) && self.pixels.len() == bytes
    }
}
