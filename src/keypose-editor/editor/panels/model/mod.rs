//! The panels of the model: clips, poses, bones and materials.

pub mod animation_table;
pub mod bone_groups;
pub mod bone_map;
pub mod bone_menu;
pub mod bones;
pub mod clip_check;
pub mod clip_menu;
pub mod clips;
pub mod findings;
pub mod frames;
pub mod materials;
pub mod mirror_table;
pub mod poses;
pub mod shading;
pub mod sounds;
pub mod texture;
