//! Floor 3: assets to pictures. `frame` is plain data; the rest draws it with GL 3.3.

pub mod frame;
pub mod gl;
pub mod pass;
pub mod renderer;
pub mod shaders;
