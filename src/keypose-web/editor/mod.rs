//! The editor on a page: `host` does what the program does around it, `input` translates the page's events, `page` gives it a canvas.

pub mod host;
pub mod input;
#[cfg(target_arch = "wasm32")]
mod memory;
#[cfg(target_arch = "wasm32")]
mod page;
