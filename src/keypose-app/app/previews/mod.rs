//! Thumbnails in panels: of files, of pixels.

pub mod files;
pub mod pixels;
