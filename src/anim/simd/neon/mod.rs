//! What the loops are written in, for 64-bit Arm with NEON.

pub mod eight;
pub mod integer;
pub mod matrix;
