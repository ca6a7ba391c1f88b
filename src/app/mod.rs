//! Floor 5: the only place that touches the world: window, GL context, files, clock, dialogs, command line.

mod clipboard;
mod commands;
mod desktop;
pub mod files;
mod gl_window;
pub mod save;
mod shell;
mod ui_host;
mod wake;

pub use commands::run;
