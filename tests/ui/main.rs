//! The panels with real Dear ImGui, driven by mouse and keys. No window and no GL.

mod attacks;
mod auto_perspective;
mod bone_map;
mod browser;
mod clips;
mod composition;
mod display;
mod driver;
mod events;
mod fields;
#[path = "../support/large.rs"]
mod generated;
mod groups;
mod key_focus;
mod keyframes;
mod large;
mod levels;
mod machine;
mod manual;
mod materials;
mod models;
mod panels;
mod posing;
mod reduce;
mod reimport;
mod rig;
#[path = "../support/root.rs"]
mod root;
mod rotations;
mod seeing;
mod selecting;
mod session;
mod sizes;
mod sockets;
mod sounds;
mod sprites;
mod strip;
mod time;
mod unsaved_work;
mod values;
