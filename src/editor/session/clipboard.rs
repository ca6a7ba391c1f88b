//! The clipboard: copied poses, keyframes and keys, by bone name, so that they fit other clips and other models.

use crate::anim::key::Key;
use crate::anim::time::Time;

/// Whether a paste is mirrored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Side {
    Same,
    Mirrored,
}

/// A key of a bone by name; its own bone index has no meaning.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct NamedKey {
    pub bone: String,
    pub key: Key,
}

/// The contents of the clipboard.
#[derive(Clone, Debug, PartialEq)]
pub enum Copied {
    /// Channel values.
    Pose(Vec<NamedKey>),
    /// Whole keyframes with their durations.
    Keyframes(Vec<(Time, Vec<NamedKey>)>),
    /// Keys with their times relative to the first one.
    Keys(Vec<(Time, NamedKey)>),
}
