//! Rendering with OpenGL 3.3. `frame` describes what to draw as plain data; the rest draws it.

pub mod frame;
pub mod gl;
pub mod pass;
pub mod renderer;
pub mod shaders;
