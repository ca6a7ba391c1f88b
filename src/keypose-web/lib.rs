//! The player for web pages: a viewer of clips, and the game. `viewer` decides what a page shows, on every target; `page` gives it a
//! canvas and is called by the page's script. `editor` is the same for the whole editor. Nothing here knows the page's text or layout; they are in `html`.

#[cfg(feature = "editor")]
pub mod editor;
pub mod game;
pub mod orbit;
#[cfg(target_arch = "wasm32")]
mod page;
#[cfg(target_arch = "wasm32")]
mod page_sound;
pub mod viewer;
