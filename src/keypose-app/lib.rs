//! The program `keypose`: window, files, threads, clock and command line around the editor and the game.

pub mod app;

use keypose::{anim, wad};
use keypose_editor::{editor, game, render};
use keypose_tools::{apply_options, export, import};

/// The values of the runtime and the tools for them.
mod assets {
    pub use keypose::assets::*;
    pub use keypose_tools::{
        bind_pose, chosen_clips, clip_check, clip_library, clip_text, lengths, reimport, sharing, unplayed_clip,
    };
}
