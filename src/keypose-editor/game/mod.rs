//! The game: a side-scroller that plays an archive. Deterministic: no files, no clock, no imgui, no hash order. It
//! never uses the editor.
//!
//! [`step::step`] advances a [`world::World`] by one tick of 1/60 s; nothing else changes it.

pub mod input;
pub mod look;
pub mod play;
pub mod pose;
pub mod reload;
pub mod replay;
pub mod rules;
pub mod scene;
pub mod step;
pub mod world;
