//! The timeline: transport, ruler, events, and the keys as a pose strip, a dope sheet or curves.

pub mod blocks;
pub mod curves;
pub mod duration_field;
mod event_kinds;
pub mod events;
mod film;
pub mod filter_bar;
mod frame_data;
pub mod group_block;
pub mod groups;
pub mod key_drag;
mod lane_menu;
pub mod lanes;
pub mod panel;
pub mod press;
mod range_lanes;
mod ruler;
pub mod scale;
pub mod sheet;
mod splitter;
pub mod strip;
pub mod transport;
