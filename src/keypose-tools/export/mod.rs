//! Export: models as GLB, baked clips as JSON, and images as PNG and GIF, also combined to contact sheets.

pub mod baked_json;
pub mod bitmap;
pub mod contact_sheet;
pub mod gif;
pub mod gltf;
pub mod machine_json;
pub mod palette;
pub mod png;

use thiserror::Error;

/// Why a model or images could not be encoded.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)]
pub enum ExportError {
    #[error("no images to export")]
    Empty,
    #[error("image {index} is {width} × {height} pixels, but the first is {expected_width} × {expected_height}")]
    Size { index: usize, width: u32, height: u32, expected_width: u32, expected_height: u32 },
    #[error("{width} × {height} pixels is too large for {format}; the maximum is {max} × {max}")]
    TooLarge { width: u32, height: u32, format: &'static str, max: u32 },
    #[error("the file would have {bytes} bytes; the maximum of the format is 4 GiB")]
    FileTooLarge { bytes: usize },
    #[error(
        "{keys} keys of weights up to the clip {clip} would be {numbers} numbers, because glTF stores all weights of a mesh together; the maximum is {max}"
    )]
    Weights { clip: String, numbers: usize, keys: usize, max: usize },
    #[error("{format}: {reason}")]
    Encoder { format: &'static str, reason: String },
}
