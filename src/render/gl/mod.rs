//! OpenGL 3.3 core, one file per object: a handle, the context that it belongs to, and its end. The only place with
//! `unsafe` GL calls; what is above it cannot misuse a handle. Everything here belongs to one thread.

pub mod buffer;
pub mod context;
pub mod error;
pub mod feedback;
pub mod program;
pub mod state;
pub mod target;
pub mod texture;
pub mod vertex_array;
