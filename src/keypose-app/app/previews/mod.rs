//! Thumbnails in panels: of files, of poses and keyframes, of textures.

pub mod files;
pub mod poses;
pub mod textures;
