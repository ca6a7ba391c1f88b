//! The whole program: its commands, files, journal, window and game mode, most of them in a process of their own.

mod bad_disk;
mod buffer;
mod check_action;
mod clips;
mod context_loss;
mod costs;
#[path = "../support/editor_kit/mod.rs"]
mod editor_kit;
mod export;
mod faults;
#[path = "../support/folder.rs"]
mod folder;
mod follow;
mod foreign;
mod game;
#[path = "../support/glb.rs"]
mod glb;
mod help;
mod import;
mod import_process;
mod inspect;
mod installing;
mod kill;
mod layers;
mod levels;
mod links;
mod mcp;
#[path = "../support/models.rs"]
mod models;
#[path = "../support/needs.rs"]
mod needs;
mod open_file;
mod preferences;
mod process;
mod recorder;
mod replay;
mod rig;
#[path = "../support/root.rs"]
mod root;
#[path = "../support/sample.rs"]
#[allow(dead_code)]
mod sample;
mod save;
mod script;
mod unsaved_work;
mod verify;
mod wad;
mod watch;
mod window;
