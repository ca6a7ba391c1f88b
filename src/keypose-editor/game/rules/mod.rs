//! The rules: how characters move, collide and fight, and what they reach. Whole numbers, the same on every machine.

pub mod actions;
pub mod actor;
pub mod collide;
pub mod combat;
pub mod crowding;
pub mod foe;
pub mod ladder;
pub mod lift;
pub mod locomotion;
pub mod long_body;
pub mod marks;
pub mod ramp;
