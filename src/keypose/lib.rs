//! The runtime of Keypose: keyframe clips, poses and skinning for games, and the archive that stores them.
#![doc = ""]
#![doc = include_str!("README.md")]
#![warn(missing_docs)]

// From below: each module imports only from those above it in this list.
pub mod anim;
pub mod assets;
pub mod wad;
