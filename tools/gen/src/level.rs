//! The demo's levels, in the order in which they are played: the courtyard teaches, the lake combines, the keep tests. They are texts
//! in `data/src`, which are edited by hand or by Keypose (`keypose level`).

use keypose::assets::level::{Level, text};

/// Each text, with its name.
const TEXTS: [(&str, &str); 3] = [
    ("courtyard", include_str!("../../../data/src/courtyard.txt")),
    ("lake", include_str!("../../../data/src/lake.txt")),
    ("keep", include_str!("../../../data/src/keep.txt")),
];

/// The levels.
///
/// # Errors
///
/// The file, the line and the reason.
pub fn all() -> Result<Vec<Level>, String> {
    let read =
        |(name, content): (&str, &str)| text::read(content).map_err(|error| format!("data/src/{name}.txt: {error}"));
    TEXTS.into_iter().map(read).collect()
}
