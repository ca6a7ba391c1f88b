//! Clip ids, which stay the same when a clip is renamed or moved. A counter in the project assigns them; none is reused.

/// Identifies a clip of a project. Not saved: an archive identifies clips by name and assigns ids when it is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClipId(pub u32);
