//! Floor 2: foreign bytes to assets, with a report of what was changed or left behind. No GL, no files: what a file
//! refers to is read by a function that the caller hands in.
//!
//! Nothing here panics on any bytes, and what is allocated is bounded by a small multiple of the input.

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        clippy::cast_sign_loss,
        clippy::arithmetic_side_effects
    )
)]

pub mod error;
pub mod gltf;
pub mod pixels;
pub mod report;
