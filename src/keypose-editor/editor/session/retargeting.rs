//! The preview of a clip of another model on the active one. Both are shown side by side until the clip is added.

use std::sync::Arc;

use crate::editor::session::camera::OrbitCamera;
use keypose::anim::clip::Clip;
use keypose::anim::time::Time;
use keypose::assets::id::ClipId;
use keypose::assets::model::Model;

/// A running preview.
#[derive(Clone, Debug)]
pub struct Retargeting {
    /// The clip of another model.
    pub source: ClipId,
    /// The clip, retargeted to the active model.
    pub clip: Arc<Clip>,
    /// The time of both that is shown.
    pub time: Time,
    /// The model of the source, and the active one, that the clip was made for.
    pub models: [Arc<Model>; 2],
    /// The view before the preview.
    pub camera: OrbitCamera,
}

/// A change of the preview.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RetargetAction {
    /// Shows the first clip of another model that has bones of the active one, or ends the preview.
    Toggle,
    /// Shows this clip.
    Show(ClipId),
    /// Adds the clip that is shown.
    Add,
    /// Adds all clips of the model that it belongs to.
    AddAll,
    /// Replaces the clips that came from a file, by its index among the added ones, as the bone map is now.
    ConvertAgain(usize),
}

/// Why nothing can be retargeted.
pub const NEEDS_ANOTHER: &str = "Add a model with clips first: retargeted clips follow those of another model.";
