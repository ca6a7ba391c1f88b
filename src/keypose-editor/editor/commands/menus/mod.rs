//! The rows of the command table, a file per menu.

pub mod clip;
pub mod edit;
pub mod file;
pub mod game;
pub mod help;
pub mod keys;
pub mod level;
pub mod pose;
pub mod rig;
pub mod view;
