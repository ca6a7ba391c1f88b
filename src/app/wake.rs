//! What other threads tell the event loop: a path that was picked, a save that ended.

use std::path::PathBuf;

/// A message to the event loop.
#[derive(Debug)]
#[allow(dead_code)]
pub enum Wake {
    /// The file dialog was closed; `None` where it was cancelled or there is no dialog on this machine.
    Picked(Option<PathBuf>),
}
