//! The loops, each written once for all processors with wide registers.

pub mod blend;
pub mod compact;
pub mod dual;
pub mod model;
pub mod sample;
pub mod short;
pub mod skin;
