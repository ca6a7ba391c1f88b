//! The panel across the bottom: transport, ruler, events, and the keyframes as a strip, as a dope sheet or as curves.

pub mod blocks;
pub mod curves;
pub mod duration_field;
pub mod events;
pub mod hand;
pub mod lanes;
pub mod panel;
pub mod press;
pub mod ruler;
pub mod scale;
pub mod sheet;
pub mod strip;
pub mod tools;
pub mod transport;
