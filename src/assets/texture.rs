//! A texture: decoded pixels.

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
    /// `4 * width * height` bytes; those of an archive are a view of its buffer.
    pub pixels: Bytes,
    /// The format that the pixels were decoded from: "png", "jpeg", "generated", …
    pub source_format: String,
}

impl Texture {
    /// The maximum width and height.
    pub const MAX_SIDE: u32 = 8192;

    /// Whether the size is in range and matches the number of pixels.
    pub fn is_valid(&self) -> bool {
        let side = 1..=Texture::MAX_SIDE;
        let bytes = 4 * self.width as usize * self.height as usize;
        side.contains(&self.width) && side.contains(&self.height) && self.pixels.len() == bytes
    }
}
