//! Floor 1: values that both modes use. A value of these types that passed its `check` is valid. No I/O, no GL.
//!
//! A [`project::Project`] is what an archive holds and what the editor's document is; its parts stand behind `Arc`, so
//! a clone shares them. A [`character::Character`] is a model with its clips baked: what plays.

pub mod bind_pose;
pub mod bytes;
pub mod character;
pub mod clip_check;
pub mod clip_names;
pub mod clip_notes;
pub mod default_machine;
pub mod draft;
pub mod fit;
pub mod gait;
pub mod id;
pub mod level;
pub mod machine;
pub mod material;
pub mod mesh;
pub mod model;
pub mod named_pose;
pub mod playable;
pub mod project;
pub mod recent;
pub mod reference;
pub mod rig_notes;
pub mod saved_pose;
pub mod sharing;
pub mod skinned_mesh;
pub mod texture;
