//! Import: converts foreign files to assets and reports what was changed or ignored. No GL and no file access: a
//! function of the caller reads the files that a glTF file refers to.
//!
//! No input makes this module panic, and it allocates at most a small multiple of the input's size.

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
