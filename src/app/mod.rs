//! The application: window, GL context, files, clock, dialogs and command line. The only module that uses the system.

pub mod buffer;
mod clipboard;
mod commands;
mod console;
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
mod model_folder;
pub mod own_files;
mod pace;
mod painter;
pub mod panel_layout;
mod play_hud;
mod play_mode;
pub mod preferences;
pub mod progress;
pub mod recorder;
pub mod regular_files;
pub mod save;
mod scripted;
mod shader_files;
mod start_marker;
mod texture_previews;
mod thumbnails;
mod ui_host;
pub mod watch;
mod workers;

pub use commands::run;
