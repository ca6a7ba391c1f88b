//! Floor 2: pictures to foreign bytes: PNG, GIF, contact sheets.

pub mod gif;
pub mod palette;
pub mod picture;
pub mod png;

use thiserror::Error;

/// Why a picture could not be written.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)]
pub enum ExportError {
    #[error("there is no picture to write")]
    Empty,
    #[error("picture {index} is {width} x {height}, the first is {expected_width} x {expected_height}")]
    Size { index: usize, width: u32, height: u32, expected_width: u32, expected_height: u32 },
    #[error("a picture of {width} x {height} is too large for {format}, {most} is the longest side")]
    TooLarge { width: u32, height: u32, format: &'static str, most: u32 },
    #[error("{format}: {reason}")]
    Encoder { format: &'static str, reason: String },
}
