//! The rig mode: the bones of the active model in its bind pose.

use crate::editor::ops::bone_sides::on_both_sides;
use crate::editor::ops::rigging::{BoneEdit, Made, Placing, RigWork};
use crate::editor::session::paint::{PaintAction, PaintDesk};
use glam::Vec3;
use keypose::anim::skeleton::BoneIndex;
use keypose::assets::model::Model;
use keypose_tools::rig::RigError;
use keypose_tools::rig::vertex::VertexRef;
use keypose_tools::rig::weights::Options;

/// The choices of the rig mode.
#[derive(Clone, Debug)]
pub struct RigDesk {
    /// Whether the other side follows edits of bones and weights.
    pub is_mirrored: bool,
    /// How automatic weights are computed.
    pub weights: Options,
    /// Whether parts that don't bend, such as armour, are bound to one bone each.
    pub has_rigid_parts: bool,
    /// The vertex whose weights the panel shows.
    pub vertex: Option<VertexRef>,
    /// The vertices of a problem, to find them.
    pub marked: Vec<VertexRef>,
    pub paint: PaintDesk,
    /// The template whose markers are being placed.
    pub placing: Option<Box<Placing>>,
}

impl Default for RigDesk {
    fn default() -> RigDesk {
        RigDesk {
            is_mirrored: true,
            weights: Options::default(),
            has_rigid_parts: true,
            vertex: None,
            marked: Vec::new(),
            paint: PaintDesk::default(),
            placing: None,
        }
    }
}

impl RigDesk {
    /// An edit of bones, with the same on the other side if sides are mirrored.
    pub fn edits(&self, model: &Model, edit: BoneEdit) -> Vec<BoneEdit> {
        if self.is_mirrored { on_both_sides(model, edit) } else { vec![edit] }
    }
}

/// Bones to delete, while the user is asked, because clips lose keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingDelete {
    pub bones: Vec<BoneIndex>,
    /// The names of a few bones, or the count of many.
    pub named: String,
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
    /// As automatic, for the selected bones; the others share the rest as before.
    Bones,
    /// As automatic, for one mesh.
    Mesh(usize),
}

/// An action of the rig mode. Those about bones act on the selected ones.
#[derive(Clone, Debug)]
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
    /// Sets how automatic weights are computed, and whether parts that don't bend are rigid.
    Set(Options, bool),
    /// Places the markers of a template, by its name, where the meshes propose them.
    Place(&'static str),
    /// Moves a marker, and that of the other side if sides are mirrored.
    MoveMarker {
        name: String,
        to: Vec3,
    },
    /// Closes the template.
    CancelTemplate,
    /// Gives the model the skeleton of the template, and automatic weights.
    MakeRig,
    /// Shows the weights of a vertex.
    PickVertex(VertexRef),
    /// Shows vertices with a problem, and the weights of the first one.
    ShowVertices {
        /// The bone that they follow wrongly.
        bone: Option<BoneIndex>,
        vertices: Vec<VertexRef>,
    },
    Paint(PaintAction),
    /// Computes weights.
    Bind(Binding),
    /// Takes the weights of a model in the same place, by its name: for one mesh, or all.
    Transfer {
        from: String,
        mesh: Option<usize>,
    },
    /// Takes what the app computed.
    Done(Box<RigWork>, Result<Made, RigError>),
    /// Makes one undo step of an edit.
    Edit(BoneEdit),
}
