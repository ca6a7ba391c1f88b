//! The editor and the gameplay mode as a library: the renderer, the editor, the game, and the pictures of poses in panels. No files, no window, no clock.

#[cfg(feature = "editor")]
pub mod editor;
pub mod game;
#[cfg(feature = "editor")]
pub mod image_previews;
pub mod render;
#[cfg(feature = "editor")]
pub mod thumbnails;
