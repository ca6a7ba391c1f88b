//! The editor and the gameplay mode as a library: the renderer, the editor, the game. No files, no window, no clock.

pub mod editor;
pub mod game;
pub mod render;

use keypose::{anim, wad};
use keypose_tools::import;

/// The values of the runtime and the tools for them.
mod assets {
    pub use keypose::assets::*;
    pub use keypose_tools::{
        bind_pose, clip_check, clip_library, lengths, lod, posed_mesh, reimport, retarget, unplayed_clip,
    };
}
