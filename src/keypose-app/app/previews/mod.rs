//! Thumbnails in panels: of files, of poses and keyframes, of textures.

pub mod files;
pub mod pixels;
pub mod poses;
pub mod textures;
