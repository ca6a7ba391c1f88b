//! The passes of a frame, one file each: a program, its uniforms, and how it draws its part of a frame.

pub mod background;
pub mod cache;
pub mod crowd;
pub mod depth_material;
pub mod draws;
pub mod ground;
pub mod images;
pub mod material;
pub mod mesh;
pub mod morphs;
pub mod overlay;
pub mod pace;
pub mod palette;
#[cfg(feature = "editor")]
pub mod panels;
pub mod present;
pub mod scene_uniforms;
pub mod shadow;
pub mod skinning;
pub mod solids;
pub mod variant;
pub mod vertex;
