//! Ids: which clip is meant, whatever its name or place. They come from a counter in the project and are never reused.

/// Which clip of a project is meant. Not saved: an archive names clips; ids are given when it is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClipId(pub u32);
