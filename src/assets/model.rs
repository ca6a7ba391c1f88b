//! A model, a character or a prop: skeleton, skinned and rigid meshes with their materials, sockets, clips.

use std::collections::BTreeMap;
use std::sync::Arc;

use thiserror::Error;

use crate::anim::clip::Clip;
use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::anim::skin::Skin;
use crate::anim::transform::Transform;
use crate::assets::clip_notes::{ClipNotes, Derived};
use crate::assets::draft::Draft;
use crate::assets::id::ClipId;
use crate::assets::machine::{AnimationTable, Graph};
use crate::assets::material::Material;
use crate::assets::mesh::{Binding, Mesh};
use crate::assets::reference::{self, Reference};
use crate::assets::rig_notes::RigNotes;
use crate::assets::saved_pose::{self, SavedPose};
use crate::assets::texture::Texture;

/// A clip of a model under an id that stays when its name or place changes.
#[derive(Clone, Debug, PartialEq)]
pub struct ClipSlot {
    /// Unique within the project.
    pub id: ClipId,
    /// Clips have unique names within the model.
    pub clip: Arc<Clip>,
}

/// Whether a mesh is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Visibility {
    /// Drawn, in the editor and in the game.
    #[default]
    Shown,
    /// Kept, not drawn.
    Hidden,
}

/// A mesh of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshSlot {
    /// Behind `Arc`: an edit of the model shares it.
    pub mesh: Arc<Mesh>,
    /// Whether it is drawn.
    pub visibility: Visibility,
}

/// A named transform on a bone to which another model is attached.
#[derive(Clone, Debug, PartialEq)]
pub struct Socket {
    /// Unique within the model.
    pub name: String,
    /// What it hangs on.
    pub bone: BoneIndex,
    /// Bone from socket.
    pub transform: Transform,
    /// The name of the model of the same archive that hangs there; empty for none.
    pub attached: String,
}

/// Where the parts of an imported model come from, so that `inspect` and re-import work from the archive too.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Source {
    /// The file's name as it was given, empty for a model that was not imported.
    pub file: String,
    /// The node of each bone of the skeleton.
    pub bone_nodes: Vec<Option<u32>>,
    /// The node, mesh and primitive of each mesh of the model.
    pub meshes: Vec<Option<MeshSource>>,
}

/// The node, mesh and primitive that a mesh was made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub struct MeshSource {
    pub node: u32,
    pub mesh: u32,
    pub primitive: u32,
}

/// A character or a prop.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    /// Unique within its archive.
    pub name: String,
    /// The bones that everything hangs on.
    pub skeleton: Arc<Skeleton>,
    /// Joint lists and inverse binds; [`Binding::Skin`] points into it.
    pub skins: Vec<Arc<Skin>>,
    /// In the order of the source file.
    pub meshes: Vec<MeshSlot>,
    /// [`Mesh::material`] points into it; never empty where there are meshes.
    pub materials: Vec<Arc<Material>>,
    /// [`Material::texture`] points into it.
    pub textures: Vec<Arc<Texture>>,
    /// In the order in which they are shown.
    pub clips: Vec<ClipSlot>,
    /// What the list of clips knows of those of which there is something to say.
    pub clip_notes: BTreeMap<ClipId, ClipNotes>,
    /// In the order in which they are shown.
    pub sockets: Vec<Socket>,
    /// How the states of the game look.
    pub machine: AnimationTable,
    /// Poses in hand that are not keyed yet; sorted by clip and time, at most one each.
    pub drafts: Vec<Draft>,
    /// The pose library, in the order in which it is shown; unique names.
    pub poses: Vec<Arc<SavedPose>>,
    /// Groups of bones and mirror pairs.
    pub rig: RigNotes,
    /// Pictures to pose by, in the order in which they are shown.
    pub references: Vec<Arc<Reference>>,
    /// Where the parts come from.
    pub source: Arc<Source>,
}

/// Which part of a model; numbers are places in its lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum ModelPart {
    Skin(usize),
    Mesh(usize),
    Material(usize),
    Texture(usize),
    Clip(usize),
    Poses,
    Rig,
    References,
    Machine,
    /// What is said of the model itself: its sockets.
    Whole,
}

/// Which value of a part is wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ModelValue {
    /// The part as a whole.
    #[default]
    Unspecified,
    /// One of a list of numbers: the list's place among those of the part in the order of their fields (influences: joints,
    /// then weights, set by set), and the place in it.
    Number {
        /// Which list.
        list: usize,
        /// Which of its values.
        at: usize,
    },
    /// What belongs to this name: a socket.
    Named(String),
}

impl ModelPart {
    fn error(self, reason: String) -> ModelError {
        ModelError { part: self, value: ModelValue::Unspecified, reason }
    }
}

/// Why a model is not valid.
#[derive(Clone, Debug, Error, PartialEq)]
#[error("{reason}")]
pub struct ModelError {
    /// The part that is wrong, or that points at what is not there.
    pub part: ModelPart,
    /// What of it.
    pub value: ModelValue,
    /// With the part's name.
    pub reason: String,
}

impl Model {
    /// The clip of an id.
    pub fn clip(&self, id: ClipId) -> Option<&Arc<Clip>> {
        self.clips.iter().find(|slot| slot.id == id).map(|slot| &slot.clip)
    }

    /// The place of a clip in the list.
    pub fn clip_index(&self, id: ClipId) -> Option<usize> {
        self.clips.iter().position(|slot| slot.id == id)
    }

    /// Which clip another one follows, and how.
    pub fn derived(&self, id: ClipId) -> Option<Derived> {
        self.clip_notes.get(&id)?.derived
    }

    /// Changes the notes of a clip.
    pub fn note(&mut self, id: ClipId, change: impl FnOnce(&mut ClipNotes)) {
        let mut notes = self.clip_notes.remove(&id).unwrap_or_default();
        change(&mut notes);
        if !notes.is_empty() {
            self.clip_notes.insert(id, notes);
        }
    }

    /// The first clip of that exact name.
    pub fn clip_named(&self, name: &str) -> Option<&ClipSlot> {
        self.clips.iter().find(|slot| slot.clip.name == name)
    }

    /// Checks that every part is valid and points at parts that exist; the error names the place and the reason.
    pub fn check(&self) -> Result<(), ModelError> {
        for (index, slot) in self.clips.iter().enumerate() {
            let place = |reason| format!("clip {}: {reason}", slot.clip.name);
            slot.clip.check().map_err(|reason| ModelPart::Clip(index).error(place(reason)))?;
        }
        self.check_except_clips()
    }

    /// As [`Model::check`], without a look into the clips: for whoever checked each of them already. They point at nothing.
    pub fn check_except_clips(&self) -> Result<(), ModelError> {
        for (index, skin) in self.skins.iter().enumerate() {
            let place = |reason| format!("skin {index} ({}): {reason}", skin.name);
            let about = |(value, reason)| ModelError { value, ..ModelPart::Skin(index).error(place(reason)) };
            self.check_skin(skin).map_err(about)?;
        }
        for (index, MeshSlot { mesh, .. }) in self.meshes.iter().enumerate() {
            let place = |reason| format!("mesh {}: {reason}", mesh.name);
            let about = |(value, reason)| ModelError { value, ..ModelPart::Mesh(index).error(place(reason)) };
            self.check_mesh(mesh).map_err(about)?;
        }
        for (index, material) in self.materials.iter().enumerate() {
            if material.texture.is_some_and(|texture| texture >= self.textures.len()) {
                let reason = format!("material {}: it names a texture that is not there", material.name);
                return Err(ModelPart::Material(index).error(reason));
            }
        }
        if let Some(index) = self.textures.iter().position(|texture| !texture.is_valid()) {
            let reason = format!("texture {}: its size does not fit its pixels", self.textures[index].name);
            return Err(ModelPart::Texture(index).error(reason));
        }
        saved_pose::check(self.poses.iter().map(|pose| &**pose)).map_err(|reason| ModelPart::Poses.error(reason))?;
        self.rig.check().map_err(|reason| ModelPart::Rig.error(reason))?;
        reference::check(&self.references).map_err(|reason| ModelPart::References.error(reason))?;
        let graph = self.machine.graph.as_ref();
        graph.map_or(Ok(()), Graph::check).map_err(|reason| ModelPart::Machine.error(reason))?;
        let is_wrong =
            |socket: &&Socket| usize::from(socket.bone) >= self.skeleton.len() || !socket.transform.is_finite();
        match self.sockets.iter().find(is_wrong) {
            Some(socket) => {
                let reason = format!("socket {}: its bone is not there, or it is not finite", socket.name);
                let value = ModelValue::Named(socket.name.clone());
                Err(ModelError { value, ..ModelPart::Whole.error(reason) })
            }
            None => Ok(()),
        }
    }

    fn check_skin(&self, skin: &Skin) -> Result<(), (ModelValue, String)> {
        let bones = self.skeleton.len();
        let number = |list, at, reason| Err((ModelValue::Number { list, at }, reason));
        let (joints, binds) = (skin.joints.len(), skin.inverse_binds.len());
        if joints != binds {
            return number(1, joints.min(binds), format!("{joints} joints, {binds} binds"));
        }
        if let Some(at) = skin.joints.iter().position(|&joint| usize::from(joint) >= bones) {
            return number(0, at, format!("bone {}, but there are {bones}", skin.joints[at]));
        }
        match skin.inverse_binds.iter().position(|matrix| !matrix.is_finite()) {
            Some(at) => number(1, at, "an inverse bind is not finite".into()),
            None => Ok(()),
        }
    }

    fn check_mesh(&self, mesh: &Mesh) -> Result<(), (ModelValue, String)> {
        let whole = |reason| (ModelValue::Unspecified, reason);
        if mesh.material >= self.materials.len() {
            return Err(whole(format!("material {}, but there are {}", mesh.material, self.materials.len())));
        }
        let joints = match mesh.binding {
            Binding::Bone(bone) if usize::from(bone) >= self.skeleton.len() => {
                return Err(whole(format!("it hangs on bone {bone}, but there are {}", self.skeleton.len())));
            }
            Binding::Bone(_) => None,
            Binding::Skin(skin) => {
                let skin = self.skins.get(skin).ok_or_else(|| whole(format!("skin {skin} is not there")))?;
                Some(skin.joints.len())
            }
        };
        mesh.check(joints).map_err(|error| (error.value(), error.to_string()))
    }
}
