//! Sprite sheets: pixels from samples of a posed model, palettes, the atlas, and the files that 2D engines and pixel editors read. No
//! rendering and no files.
//!
//! A frame is drawn in steps: [`cells`] makes one pixel of several samples, [`look`] lights and outlines it, [`palette`] reduces the
//! colours of all frames, [`cleanup`] removes single pixels, [`sheet`] trims frames and stores equal ones once, and [`atlas`] places them.

pub mod apng;
pub mod aseprite;
mod aseprite_read;
pub mod atlas;
pub mod cells;
pub mod cleanup;
pub mod gif;
pub mod godot;
pub mod ink;
pub mod json;
pub mod look;
pub mod made;
pub mod marks;
pub mod oklab;
pub mod palette;
pub mod palette_file;
pub mod retouch;
pub mod sheet;
pub mod slices;
pub mod times;
