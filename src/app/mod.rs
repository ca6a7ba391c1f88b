//! The application: window, GL context, files, clock, dialogs and command line. The only module that uses the system.

pub mod buffer;
mod clipboard;
mod commands;
mod desktop;
mod dialogs;
pub mod fallback_fonts;
mod file_previews;
pub mod file_views;
pub mod files;
mod film;
pub mod folder_listing;
pub mod folders;
mod frame_meter;
pub mod journal;
pub mod layers;

mod app_window;
mod editor_host;
pub mod follow;
mod gl_window;
pub mod headless;
pub mod input_recording;
mod keys;
mod message;
pub mod own_files;
mod pace;
mod painter;
mod play_hud;
mod play_mode;
pub mod preferences;
pub mod progress;
pub mod recorder;
pub mod save;
mod scripted;
mod shader_files;
mod texture_previews;
mod thumbnails;
mod ui_host;
pub mod watch;
mod workers;

pub use commands::run;
