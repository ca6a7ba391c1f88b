//! Floor 2: the archive, names to bytes and bytes to assets. Bytes in, values out; opens no file, never panics.
//!
//! The container ([`archive`], [`pack`]) knows named lumps and checksums; [`record`] knows what stands in a lump of each
//! kind; [`encode()`] and [`decode()`] join them to [`crate::assets::project::Project`]. docs/wad-format.md is exact
//! enough for a second reader.

#![deny(
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used
)]
#![cfg_attr(
    test,
    allow(
        clippy::arithmetic_side_effects,
        clippy::cast_possible_truncation,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::unwrap_used
    )
)]

pub mod archive;
mod assemble;
mod bakes;
mod bytes;
mod decode;
pub mod diff;
mod diff_machine;
pub mod directory;
pub mod edit;
mod encode;
pub mod error;
pub mod journal;
pub mod kind;
mod mend;
pub mod name;
pub mod overlay;
pub mod pack;
mod parallel;
mod part;
pub mod reading;
mod record;
pub mod salvage;
mod sections;
mod unfit;

pub use archive::is_archive;
pub use decode::{Decoded, decode, decode_archive, decode_shared, texture_of};
pub use encode::encode;
pub use error::WadError;
