//! Export: encodes images as PNG and GIF, and combines them to contact sheets.

pub mod bitmap;
pub mod gif;
pub mod palette;
pub mod png;

use thiserror::Error;

/// Why images could not be encoded.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)]
pub enum ExportError {
    #[error("no images to export")]
    Empty,
    #[error("image {index} is {width} × {height} pixels, but the first is {expected_width} × {expected_height}")]
    Size { index: usize, width: u32, height: u32, expected_width: u32, expected_height: u32 },
    #[error("{width} × {height} pixels is too large for {format}; the maximum is {max} × {max}")]
    TooLarge { width: u32, height: u32, format: &'static str, max: u32 },
    #[error("{format}: {reason}")]
    Encoder { format: &'static str, reason: String },
}
