//! The window around the panels: bars, docking, prompts, preferences, and the panels of the program itself.

pub mod areas;
pub mod browser;
pub mod composition;
mod deleted_bones;
pub mod dock;
pub mod docking;
pub mod export_options;
pub mod finder;
pub mod history;
mod import_options;
pub mod input_order;
pub mod key_focus;
pub mod keyboard;
pub mod layout;
pub mod log;
pub mod manual;
pub mod preferences;
pub mod prompts;
pub mod reimport_table;
pub mod status_bar;
pub mod top_bar;
mod transfer;
mod unsaved_work;
