//! Tools for models and clips of Keypose: import, export, retargeting, re-import, checks. No files, no GL.

pub mod apply_options;
pub mod bind_pose;
pub mod chosen_clips;
pub mod clip_check;
pub mod clip_library;
pub mod clip_text;
pub mod clip_transfer;
pub mod export;
pub mod import;
pub mod lengths;
pub mod likeness;
pub mod posed_mesh;
pub mod reimport;
pub mod retarget;
pub mod sharing;
pub mod sprites;
pub mod unplayed_clip;

use keypose::{anim, assets};
