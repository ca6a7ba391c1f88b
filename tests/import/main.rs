//! Files from outside: glTF import compared with golden poses, malformed files, and random mutations of every format.

#[path = "../support/allocator.rs"]
mod allocator;
#[path = "../support/editor_kit/mod.rs"]
mod editor_kit;
mod fuzz;
#[path = "../support/glb.rs"]
mod glb;
mod goldens;
mod malformed;
#[path = "../support/models.rs"]
mod models;
#[path = "../support/needs.rs"]
mod needs;
mod parts;
mod variants;
