//! Thumbnails in panels: of files, of textures, of pixels.

pub mod files;
pub mod pixels;
pub mod textures;
