//! Edits of the skeleton in its bind pose: bones are added, split, mirrored, renamed, reparented, moved and deleted, and meshes, clips,
//! sockets, volumes, poses and notes follow. Every edit returns a changed copy of the model.
//!
//! A joint that moves takes its rest transform and its keys along, by the same offset relative to its parent. New bones have the axes of
//! their parents. Bones have no tails: a bone ends at its child.

use glam::Vec3;

use keypose::anim::skeleton::{BoneIndex, Skeleton};
use keypose::assets::model::Model;

mod add;
mod bind;
mod delete;
mod heads;
mod inside;
mod keys;
mod loose;
mod placing;
mod reparent;
mod work;

pub use add::next_name;
pub use bind::{Parts, Scope, with_weights};
pub use delete::clips_of;
pub use heads::bind_heads;
pub use inside::Solid;
pub use keys::move_added_layers;
pub use placing::Placing;
pub use reparent::{bones_with_other_places, clips_with_other_places};
pub use work::{Made, RigWork, Task};

/// An edit of the skeleton of a model. Points are in the space of the model, in its bind pose.
#[derive(Clone, Debug, PartialEq)]
pub enum BoneEdit {
    /// Adds bones; a later one can be the child of an earlier one. A taken name is an error.
    Add(Vec<NewBone>),
    /// Divides a bone, up to its child, into parts of equal length. At least 2, at most [`MAX_PARTS`].
    Split { bone: BoneIndex, child: BoneIndex, parts: usize },
    /// Makes the other side like this one: moves the mirror bones of these, and adds those that are missing.
    Mirror(Vec<BoneIndex>),
    /// Gives a bone another name, which must be free.
    Rename { bone: BoneIndex, name: String },
    /// Gives bones another parent, or none. They stay in place, and so does their motion at every keyframe.
    Reparent { bones: Vec<BoneIndex>, parent: Option<BoneIndex> },
    /// Moves joints. Their children stay in place, and so do meshes, sockets and volumes.
    Move(Vec<(BoneIndex, Vec3)>),
    /// Deletes bones with their keys. Their children, weights, meshes, sockets and volumes belong to their parents then.
    Delete(Vec<BoneIndex>),
}

impl BoneEdit {
    /// The name of its undo step.
    pub fn label(&self) -> &'static str {
        match self {
            BoneEdit::Add(_) => "Add bone",
            BoneEdit::Split { .. } => "Split bone",
            BoneEdit::Mirror(_) => "Mirror bones",
            BoneEdit::Rename { .. } => "Rename bone",
            BoneEdit::Reparent { .. } => "Set parent of bones",
            BoneEdit::Move(_) => "Move joints",
            BoneEdit::Delete(_) => "Delete bones",
        }
    }
}

/// A bone to add.
#[derive(Clone, Debug, PartialEq)]
pub struct NewBone {
    pub name: String,
    /// The name of its parent; `None` for a root.
    pub parent: Option<String>,
    /// The position of its joint.
    pub head: Vec3,
}

/// Maximum number of parts into which a bone is divided.
pub const MAX_PARTS: usize = 64;

/// The model after an edit.
///
/// # Errors
/// If a bone doesn't exist, a name is taken, or the result would not be a valid model.
pub fn edited(model: &Model, edit: &BoneEdit) -> Result<Model, String> {
    match edit {
        BoneEdit::Add(bones) => add::add(model, bones),
        BoneEdit::Split { bone, child, parts } => add::split(model, *bone, *child, *parts),
        BoneEdit::Mirror(bones) => add::mirror(model, bones),
        BoneEdit::Rename { bone, name } => add::rename(model, *bone, name),
        BoneEdit::Reparent { bones, parent } => reparent::reparent(model, bones, *parent),
        BoneEdit::Move(heads) => heads::move_joints(model, heads),
        BoneEdit::Delete(bones) => delete::delete(model, bones),
    }
}

/// The bone with this index, or the reason why there is none.
fn name_of(skeleton: &Skeleton, bone: BoneIndex) -> Result<&str, String> {
    skeleton.get(bone).map(|bone| bone.name.as_str()).ok_or_else(|| format!("there is no bone {bone}"))
}

#[cfg(test)]
mod tests;
