//! The game: a side-scroller that plays an archive. Deterministic: no files, no clock, no imgui, no hash order. It
//! never uses the editor.
//!
//! [`step::step`] advances a [`world::World`] by one tick of 1/60 s; nothing else changes it.

pub mod actions;
pub mod actor;
pub mod animator;
pub mod camera;
pub mod cast;
pub mod clip_events;
pub mod collide;
pub mod combat;
pub mod crowding;
pub mod cues;
pub mod default_level;
pub mod depth;
pub mod dust;
pub mod effects;
pub mod fallen;
pub mod feet;
pub mod foe;
pub mod gaze;
pub mod hands;
pub mod headroom;
pub mod input;
pub mod ladder;
pub mod ledge;
pub mod lift;
pub mod locomotion;
mod long_body;
pub mod machine_inputs;
pub mod marks;
pub mod marks_view;
pub mod news;
pub mod play;
pub mod ramp;
pub mod random;
pub mod reload;
pub mod replay;
pub mod scene;
pub mod scenery;
pub mod stage;
mod stand_in;
pub mod step;
pub mod sway;
pub mod trail;
pub mod units;
pub mod volumes_view;
pub mod wall_room;
pub mod water;
pub mod world;
