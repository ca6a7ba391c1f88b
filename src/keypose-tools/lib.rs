//! Tools for models and clips of Keypose: import, export, retargeting, re-import, checks. No files, no GL.

#[cfg(feature = "files")]
pub mod apply_options;
pub mod bind_pose;
#[cfg(feature = "files")]
pub mod chosen_clips;
#[cfg(feature = "files")]
pub mod clip_check;
#[cfg(feature = "files")]
pub mod clip_library;
#[cfg(feature = "files")]
pub mod clip_text;
#[cfg(feature = "files")]
pub mod clip_transfer;
#[cfg(feature = "files")]
pub mod export;
#[cfg(feature = "files")]
pub mod import;
#[cfg(feature = "files")]
pub mod lengths;
#[cfg(feature = "files")]
pub mod likeness;
pub mod posed_mesh;
#[cfg(feature = "files")]
pub mod reimport;
#[cfg(feature = "files")]
pub mod retarget;
#[cfg(feature = "files")]
pub mod rig;
#[cfg(feature = "files")]
pub mod sharing;
#[cfg(feature = "files")]
pub mod sprites;
#[cfg(feature = "files")]
pub mod unplayed_clip;

use keypose::{anim, assets};
