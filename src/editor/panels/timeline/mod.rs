//! The strip of keyframes across the bottom: transport, ruler, blocks, lanes, playhead.

pub mod blocks;
pub mod lanes;
pub mod ruler;
pub mod scale;
pub mod strip;
pub mod transport;
