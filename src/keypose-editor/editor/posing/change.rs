//! A change of the document, as a gesture previews it and a step applies it.

use crate::editor::document::edit::Edit;
use crate::editor::ops::posed::Posed;
use crate::editor::posing::key_times::KeysChange;
use crate::editor::posing::library::AppliedPose;
use crate::editor::posing::mixing::Mix;

/// A change of the document: edits, or a pose or keys from which the edits are computed.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// These edits.
    Edits(Vec<Edit>),
    /// Channels that become keys or a draft, as auto-key is set.
    Pose(Vec<Posed>),
    /// A mix of the current pose with its neighbouring keyframes by an amount; keyed as `Pose` is.
    Mix(Mix, f32),
    /// A saved pose applied to the current pose; keyed as `Pose` is.
    Saved(AppliedPose),
    /// New times and values of the selected keys. The selection follows the keys.
    Keys(KeysChange),
}
