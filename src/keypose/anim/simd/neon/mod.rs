//! The operations of the loops for 64-bit Arm with NEON.

pub mod eight;
pub mod integer;
pub mod matrix;
