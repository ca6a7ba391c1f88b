//! Bone maps: which bone of the active model follows each bone of another model, or of a file whose clips were added.

use std::sync::Arc;

use keypose::anim::skeleton::BoneIndex;
use keypose::assets::id::ClipId;
use keypose::assets::model::Model;
use keypose_tools::clip_library::Fit;

/// A file whose clips were added to a model.
#[derive(Clone, Debug)]
pub struct AddedLibrary {
    /// The name of the file.
    pub file: String,
    /// The bones, skins and clips of the file, without meshes.
    pub model: Arc<Model>,
    /// How its clips were fitted.
    pub fit: Fit,
    /// The clips of the document that were made of its clips, in the same order.
    pub clips: Vec<ClipId>,
}

impl AddedLibrary {
    /// Maximum number that are remembered.
    pub const MAX: usize = 16;
}

/// The bone that follows a bone of another file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MappedTo {
    /// The one that is found.
    Found,
    /// No bone.
    Nothing,
    /// This one.
    Bone(BoneIndex),
}
