//! The loops that sample baked clips, each written once for all processors with wide registers ([`crate::anim::simd`]).

pub mod curve_windows;
pub mod packed_samples;
pub mod quantized_samples;
pub mod sampled_poses;
