//! The editor without a window: its core, gestures, commands and scripts.

mod balance;
mod bone_map;
mod clip_check;
mod clipboard;
mod commands;
mod contacts;
mod core;
mod drops;
#[path = "../support/editor_kit/mod.rs"]
mod editor_kit;
mod films;
#[path = "../support/films.rs"]
mod films_kit;
#[path = "../support/folder.rs"]
mod folder;
mod gestures;
mod ik;
mod joint_limits;
mod journeys;
mod layers;
mod levels;
mod manual;
mod materials;
#[path = "../support/models.rs"]
mod models;
mod motion_path;
mod newer;
mod playing;
#[path = "../program/process.rs"]
mod process;
mod retargeted;
mod rigging;
#[path = "../support/root.rs"]
mod root;
mod script_cost;
mod script_manual;
mod springs;
mod walks;
mod whole_body;
