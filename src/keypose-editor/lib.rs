//! The editor and the gameplay mode as a library: the renderer, the editor, the game. No files, no window, no clock.

#[cfg(feature = "editor")]
pub mod editor;
pub mod game;
pub mod render;
