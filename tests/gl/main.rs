//! The renderer on a software driver: images of simple scenes, and the skinning shader compared with the CPU. Every message
//! of the driver fails a test; so does a missing driver (see `needs`).

mod command;
mod crowd;
mod debug_views;
mod display;
mod game;
mod ghosts;
mod interfaces;
#[path = "../support/large.rs"]
mod large;
mod looks;
mod materials;
#[path = "../support/models.rs"]
mod models;
#[path = "../support/needs.rs"]
mod needs;
mod objects;
mod palettes;
mod pictures;
mod robustness;
#[path = "../support/root.rs"]
mod root;
mod scene;
mod skinning;
mod slices;
mod sprite_quality;
mod sprites;

use keypose_app::app::film::headless::{Checks, Driver, Headless};

/// Runs a test on a software driver. Fails it if the driver reports anything.
pub fn on_driver(test: impl FnOnce(&Headless)) {
    match Headless::open(Driver::Software, Checks::On) {
        Ok(headless) => {
            test(&headless);
            let messages = headless.take_messages();
            assert!(messages.is_empty(), "the driver reports: {messages:#?}");
        }
        Err(reason) => needs::missing("gl", &reason.to_string()),
    }
}
