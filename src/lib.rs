//! Keypose: a keyframe pose editor, animation authoring tool and game runtime.
//!
//! The crate is a house of floors; a module may import only from floors below its own (ARCHITECTURE.md has the
//! table, `tests/code/layers.rs` enforces it). Without default features it is the game runtime: [`anim`], [`assets`], [`wad`].

// Floor 0: what a pose is and how it moves.
#[warn(missing_docs)]
pub mod anim;
// Floor 1: values that both modes use, already valid.
#[warn(missing_docs)]
pub mod assets;
// Floor 2: bytes to assets and back.
#[cfg(feature = "app")]
pub mod export;
#[cfg(feature = "app")]
pub mod import;
#[warn(missing_docs)]
pub mod wad;
// Floor 3: assets to pictures.
#[cfg(feature = "app")]
pub mod render;
// Floor 4: the two modes. Neither names the other.
#[cfg(feature = "app")]
pub mod editor;
#[cfg(feature = "app")]
pub mod game;
// Floor 5: window, files, clock, command line.
#[cfg(feature = "app")]
pub mod app;
