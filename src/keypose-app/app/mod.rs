//! The application: window, GL context, files, clock, dialogs and command line. The only module that uses the system.

mod commands;
mod console;
pub mod files;
pub mod film;
pub mod follow;
mod host;
mod mcp;
pub mod play;
pub mod preferences;
mod previews;
mod scripted;
#[cfg(windows)]
mod win32;
pub mod window;
pub mod work;

pub use commands::run;
