//! The data that the editor and the game share. A value whose `check` returns `Ok` is valid. No I/O, no GL.
//!
//! A [`project::Project`] is the content of an archive and the document of the editor. Its parts are behind `Arc`, so a
//! clone shares them. A [`character::Character`] is a model with baked clips, ready to play.

pub mod bone_match;
pub mod bytes;
pub mod character;
pub mod clip_event;
pub mod clip_names;
pub mod clip_notes;
pub mod combat;
pub mod default_machine;
pub mod draft;
pub mod euler_order;
pub mod fit;
pub mod gait;
pub mod guarded;
pub mod id;
pub mod image_file;
pub mod import_options;
pub mod leg_bones;
pub mod level;
pub mod line_text;
pub mod machine;
pub mod material;
pub mod matrix_clips;
pub mod mesh;
pub mod mesh_reach;
pub mod model;
pub mod named_pose;
pub mod playable;
pub mod printable;
pub mod project;
pub mod recent;
pub mod reference;
pub mod rig_notes;
pub mod root_way;
pub mod saved_pose;
pub mod skinned_mesh;
pub mod sound;
pub mod spring_notes;
pub mod sprite_recipe;
pub mod srgb;
pub mod texture;
mod unique;

/// Refuses a number outside of a range.
fn in_range(what: &str, value: f32, low: f32, high: f32) -> Result<(), String> {
    let is_inside = (low..=high).contains(&value);
    if is_inside { Ok(()) } else { Err(format!("the {what} {value} is not in {low} to {high}")) }
}
