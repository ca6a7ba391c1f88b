//! The operations of the loops for x86-64 with AVX2 and FMA.

pub mod eight;
pub mod integer;
pub mod matrix;
