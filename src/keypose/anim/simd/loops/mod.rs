//! The loops, each written once for all processors with wide registers.

pub mod blend;
pub mod dual;
pub mod model;
pub mod rounding;
pub mod skin;
