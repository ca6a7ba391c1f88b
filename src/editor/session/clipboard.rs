//! The clipboard: copied poses, keyframes and keys, by bone name, so that they fit other clips and other models.

use crate::anim::key::Key;
use crate::anim::time::Time;

/// Whether a paste is as copied or its mirror image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Side {
    Same,
    Mirrored,
}

/// A key of a bone of this name; its own bone index means nothing.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct NamedKey {
    pub bone: String,
    pub key: Key,
}

/// What was copied.
#[derive(Clone, Debug, PartialEq)]
pub enum Copied {
    /// Values of channels.
    Pose(Vec<NamedKey>),
    /// Whole columns with their durations.
    Keyframes(Vec<(Time, Vec<NamedKey>)>),
    /// Keys with their times after the first of them.
    Keys(Vec<(Time, NamedKey)>),
}
