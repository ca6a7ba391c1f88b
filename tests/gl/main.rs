//! The renderer on a driver: pictures of simple scenes, and the skinning shader against the CPU. Without a driver they
//! say so and pass, under CI=true they fail. Whatever the driver finds wrong fails them.

mod command;
mod display;
mod game;
mod ghosts;
mod looks;
mod pictures;
mod scene;
mod skinning;

use keypose::app::headless::{Checks, Driver, Headless};

/// Runs a test on a software driver, then fails it where the driver had something to say.
pub fn on_driver(test: impl FnOnce(&Headless)) {
    match Headless::open(Driver::Software, Checks::On) {
        Ok(headless) => {
            test(&headless);
            let messages = headless.take_messages();
            assert!(messages.is_empty(), "the driver says: {messages:#?}");
        }
        Err(reason) if std::env::var("CI").is_ok_and(|value| value == "true") => panic!("{reason}"),
        Err(reason) => eprintln!("skipped: {reason}"),
    }
}
