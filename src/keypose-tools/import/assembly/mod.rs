//! Shared by all readers: assembles models from nodes, vertices, influences, images and key times.

pub mod budget;
pub mod clip_names;
pub mod hierarchy;
pub mod jumps;
pub mod keyframes;
pub mod lods;
pub mod loops;
pub mod names;
pub mod opacity;
pub mod parts;
pub mod polygons;
pub mod text;
pub mod textures;
pub mod triangles;
pub mod vertices;
pub mod weights;
