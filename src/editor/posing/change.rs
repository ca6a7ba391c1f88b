//! A change of the document: plain edits, or a pose that auto-key turns into edits.

use crate::editor::document::edit::Edit;
use crate::editor::ops::posed::Posed;
use crate::editor::posing::key_times::KeysChange;
use crate::editor::posing::library::Applied;
use crate::editor::posing::mixing::Mix;

/// A change of the document: edits as they are, or a pose that auto-key turns into edits.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// Exactly these.
    Edits(Vec<Edit>),
    /// Keys where auto-key says so, else a draft (model.md, "Keying").
    Pose(Vec<Posed>),
    /// The pose in hand towards or away from its neighbours; goes on as `Pose` does.
    Mix(Mix, f32),
    /// A pose of the library over the pose in hand; goes on as `Pose` does.
    Saved(Applied),
    /// The times and values of the selected keys; the selection goes along.
    Keys(KeysChange),
}
