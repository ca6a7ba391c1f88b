//! The demo's level: a courtyard with a dummy to try the sword on, and from there to the right goblins, ladders, a tunnel and a
//! goal behind their chief. It is a text, `data/src/courtyard.txt`, which is edited by hand.

use keypose::assets::level::{Level, text};

/// The level.
///
/// # Errors
///
/// The file, the line and the reason.
pub fn demo() -> Result<Level, String> {
    let level = text::read(include_str!("../../../data/src/courtyard.txt"));
    level.map_err(|error| format!("data/src/courtyard.txt: {error}"))
}
