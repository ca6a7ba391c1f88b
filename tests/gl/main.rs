//! The renderer on a software driver: images of simple scenes, and the skinning shader compared with the CPU. Every message
//! of the driver fails a test; so does a missing driver (see `needs`).

mod command;
mod crowd;
mod debug_views;
mod display;
#[path = "../support/folder.rs"]
mod folder;
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

use std::cell::RefCell;
use std::ops::Deref;

use keypose_app::app::film::headless::{Checks, Driver, Headless, Interface};
use keypose_editor::render::frame::Frame;
use keypose_editor::render::gl::target::Target;
use keypose_editor::render::renderer::Renderer;

/// A context of the software driver, and a renderer for the pictures that don't need one of their own.
pub struct Stage {
    renderer: RefCell<Option<Renderer>>,
    headless: Headless,
}

impl Stage {
    /// Draws a frame by the renderer that drew the ones before.
    pub fn render(&self, frame: &Frame, target: &Target) {
        let mut renderer = self.renderer.borrow_mut();
        renderer.get_or_insert_with(|| scene::renderer(self)).render(frame, target).unwrap();
    }
}

impl Deref for Stage {
    type Target = Headless;

    fn deref(&self) -> &Headless {
        &self.headless
    }
}

/// Runs a test on a software driver. Fails it if the driver reports anything.
pub fn on_driver(test: impl FnOnce(&Stage)) {
    on(Interface::Gl33, test);
}

/// Runs a test with an interface of the software driver. Fails it if the driver reports anything.
pub fn on(interface: Interface, test: impl FnOnce(&Stage)) {
    match Headless::open_as(interface, Driver::Software, Checks::On) {
        Ok(headless) => {
            let stage = Stage { renderer: RefCell::default(), headless };
            test(&stage);
            let messages = stage.take_messages();
            assert!(messages.is_empty(), "{interface:?}: the driver reports: {messages:#?}");
        }
        Err(reason) => needs::missing("gl", &reason),
    }
}
