//! The loops, each written once for all processors with wide registers.

pub mod blend;
pub mod curve_windows;
pub mod dual;
pub mod model;
pub mod packed_samples;
pub mod quantized_samples;
pub mod rounding;
pub mod sampled_poses;
pub mod skin;
