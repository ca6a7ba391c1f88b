//! Pure functions on poses, clips, curves and times. They do not use the document.

pub mod amount;
pub mod bone_groups;
pub mod bone_tree;
pub mod choice;
pub mod curves;
pub mod delay_chain;
pub mod derived;
pub mod derived_lanes;
pub mod euler;
pub mod joint_limits;
pub mod keyframe_match;
pub mod layered;
pub mod limb;
pub mod machine_edit;
pub mod machine_places;
pub mod mesh_nodes;
pub mod mesh_tree;
pub mod mirror;
pub mod pose;
pub mod posed;
pub mod rigging;
pub mod root_motion;
pub mod sentence;
pub mod springs;
pub mod state_clips;
pub mod time_text;
