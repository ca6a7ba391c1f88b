//! A re-import that the user is asked to confirm.

use std::path::PathBuf;
use std::sync::Arc;

use keypose::assets::model::Model;
use keypose_tools::reimport::{Row, SameClips};

/// A changed model that was read, and its differences from the active model.
#[derive(Clone, Debug, PartialEq)]
pub struct PendingReimport {
    /// The file of the changed model.
    pub file: PathBuf,
    /// The changed model.
    pub changed: Arc<Model>,
    /// Which clips stay.
    pub same_clips: SameClips,
    /// The rows of changes.
    pub table: Vec<Row>,
}
