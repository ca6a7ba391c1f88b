//! What the loops are written in, for x86-64 with AVX2 and FMA.

pub mod eight;
pub mod integer;
pub mod matrix;
