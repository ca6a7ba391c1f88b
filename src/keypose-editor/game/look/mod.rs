//! Sounds, particles and signs that show what happened. Cosmetic: nothing here affects the simulation.

pub mod cues;
pub mod effects;
pub mod marks_view;
pub mod scenery;
pub mod trail;
pub mod volumes_view;
pub mod water;
