//! The rig mode: the bones of the active model in its bind pose.

use crate::editor::ops::rigging::BoneEdit;
use keypose::anim::skeleton::BoneIndex;
use keypose_tools::rig::weights::Options;

/// The choices of the rig mode.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigDesk {
    /// Whether the other side follows what is moved or extruded.
    pub is_mirrored: bool,
    /// How automatic weights are computed.
    pub weights: Options,
    /// Whether parts that don't bend, such as armour, are bound to one bone each.
    pub has_rigid_parts: bool,
}

impl Default for RigDesk {
    fn default() -> RigDesk {
        RigDesk { is_mirrored: true, weights: Options::default(), has_rigid_parts: true }
    }
}

/// Bones to delete, while the user is asked, because clips lose keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingDelete {
    pub bones: Vec<BoneIndex>,
    /// The clips, each with the number of keys that it loses.
    pub clips: Vec<(String, usize)>,
}

/// How the vertices of meshes get their weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binding {
    /// By distances through the volume of the mesh, blended between bones.
    Automatic,
    /// One bone for each connected part.
    Rigid,
}

/// An action of the rig mode. Those about bones act on the selected ones.
#[derive(Clone, Debug, PartialEq)]
pub enum RigAction {
    /// Opens or leaves the mode.
    Toggle,
    ToggleMirror,
    /// Adds a root that follows the mouse.
    Add,
    /// Adds a child of the active bone that follows the mouse.
    Extrude,
    /// Moves joints with the mouse.
    Move,
    /// Moves joints to the middle of the mesh, along the line of sight.
    Center,
    /// Divides the active bone in two, up to its child, or to the other selected bone.
    Split,
    /// Makes the other side like this one.
    Mirror,
    /// Opens the field for the name of the active bone.
    RequestRename,
    /// The active bone becomes the parent of the others.
    Parent,
    /// Bones become roots.
    Unparent,
    /// Deletes bones; asks first if clips lose keys.
    Delete,
    /// The answer to that.
    AnswerDelete {
        is_confirmed: bool,
    },
    /// Sets the choices of the mode.
    Set(RigDesk),
    /// Computes the weights of all meshes.
    Bind(Binding),
    /// Makes one undo step of an edit.
    Edit(BoneEdit),
}
