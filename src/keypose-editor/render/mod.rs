//! Rendering with OpenGL 3.3 or ES 3.0. `frame` describes what to draw as plain data; the rest draws it.

pub mod frame;
pub mod gl;
pub mod hull;
pub mod pass;
pub mod renderer;
pub mod report;
pub mod shaders;
pub mod vertex_format;
