//! Objects of OpenGL 3.3 or ES 3.0, one file per kind. Each owns a handle and its context, and deletes the handle when
//! dropped. This is the only module with `unsafe` GL calls; code above it can't misuse a handle. Objects belong to one
//! thread.

pub mod buffer;
pub mod context;
pub mod error;
pub mod feedback;
pub mod messages;
pub mod program;
pub mod shader_log;
pub mod state;
pub mod target;
pub mod texture;
pub mod vertex_array;
