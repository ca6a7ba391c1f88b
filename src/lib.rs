//! Keypose: a keyframe pose editor, an animation authoring tool, and the runtime that plays its work in a game.
//!
//! The crate has two feature sets:
//!
//! - **`default-features = false`** is the game runtime: [`anim`] (poses, clips, sampling, blending, inverse kinematics, skinning),
//!   [`assets`] (models, materials, levels) and [`wad`] (the archive). It opens no window and no file, and needs no C compiler.
//! - **`app`**, on by default, adds the import of glTF, FBX and COLLADA, the renderer, the editor, the gameplay mode and the program `keypose`.
//!   **`map`** reads archives through a memory map.
//!
//! # Example
//!
//! Reads an archive, samples a clip and skins a mesh. Buffers are the caller's and can be reused, so that nothing is allocated
//! per frame.
//!
//! ```
//! use keypose::anim::playback::clip_time;
//! use keypose::anim::pose::{LocalPose, ModelPose};
//! use keypose::anim::time::Time;
//! use keypose::assets::skinned_mesh::mesh_positions;
//!
//! let archive = keypose::wad::decode(&std::fs::read("data/demo.wad")?)?;
//! let knight = &archive.characters[0];
//! let walk = knight.clip_named("walk").ok_or("no walk")?;
//!
//! let (mut local, mut pose) = (LocalPose::default(), ModelPose::default());
//! let (mut palette, mut vertices) = (Vec::new(), Vec::new());
//! let elapsed = Time::from_secs(12.5);
//! walk.sample(clip_time(elapsed, walk.length, walk.loop_mode), &mut local);
//! pose.compute(&knight.model.skeleton, &local);
//! mesh_positions(&knight.model, &knight.model.meshes[0].mesh, &pose, &mut palette, &mut vertices);
//!
//! let lowest = vertices.iter().map(|vertex| vertex.y).fold(f32::INFINITY, f32::min);
//! assert!(lowest.abs() < 0.01, "a foot is on the ground");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The folder `examples` has one file for each topic: blending, additive layers, masks, inverse kinematics, root motion, events,
//! state machines and more.
//!
//! # Modules
//!
//! The modules are layers: each imports only from those below it. ARCHITECTURE.md has the table and `tests/code` enforces it.

// Layer 0: poses and how they move.
#[warn(missing_docs)]
pub mod anim;
// Layer 1: the values that editor and game share.
#[warn(missing_docs)]
pub mod assets;
// Layer 2: bytes to assets and back.
#[cfg(feature = "app")]
pub mod export;
#[cfg(feature = "app")]
pub mod import;
#[warn(missing_docs)]
pub mod wad;
// Layer 3: assets to images.
#[cfg(feature = "app")]
pub mod render;
// Layer 4: the two modes, independent of each other.
#[cfg(feature = "app")]
pub mod editor;
#[cfg(feature = "app")]
pub mod game;
// Layer 5: window, files, clock, command line.
#[cfg(feature = "app")]
pub mod app;
