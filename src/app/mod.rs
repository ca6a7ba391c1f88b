//! Floor 5: the only place that touches the world: window, GL context, files, clock, dialogs, command line.

pub mod buffer;
mod clipboard;
mod commands;
mod desktop;
mod dialogs;
pub mod files;
mod film;
pub mod folders;
mod frame_meter;
pub mod journal;
pub mod layers;

pub mod follow;
mod gl_window;
pub mod headless;
mod keys;
mod pace;
mod painter;
mod play_hud;
mod play_mode;
pub mod preferences;
mod progress;
pub mod recorder;
pub mod save;
mod scripted;
mod shader_files;
mod shell;
mod studio;
pub mod tape;
mod texture_pictures;
mod thumbnails;
mod ui_host;
mod wake;
pub mod watch;
mod workers;

pub use commands::run;
