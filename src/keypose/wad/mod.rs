//! Layer 2: the archive format. Reads and writes bytes; opens no files and never panics.
//!
//! The container ([`archive`], [`pack`]) holds named lumps with checksums. [`record`] reads and writes the contents of each
//! kind of lump; the kinds are declared in [`part`]. [`encode()`] and [`decode()`] convert between archives and
//! [`crate::assets::project::Project`]. docs/wad-format.md describes every byte.

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
#[cfg(test)]
mod damage;
mod decode;
pub mod diff;
pub mod directory;
pub mod edit;
mod encode;
pub mod equality;
pub mod error;
pub mod expanded;
pub mod journal;
pub mod kind;
mod mismatch;
pub mod name;
mod numbers;
pub mod overlay;
pub mod pack;
mod part;
mod pixels;
pub mod reading;
mod rebuild;
mod record;
mod repair;
pub mod salvage;
mod sections;
pub mod verify;

pub use archive::is_archive;
pub use decode::{Decoded, decode, decode_archive, decode_project, decode_shared, texture_of};
pub use encode::{Encoder, encode, encode_authored, replaced_newer};
pub use error::WadError;
