//! A model: a character or a prop with its skeleton, meshes, materials, sockets and clips.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use glam::Vec2;
use thiserror::Error;

use crate::anim::bake::{BakeOptions, SampleFormat};
use crate::anim::clip::Clip;
use crate::anim::pose::ModelPose;
use crate::anim::scalar::{Scalar, ScalarIndex, ScalarKind, Sheet};
use crate::anim::shared_list::SharedList;
use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::anim::skin::Skin;
use crate::anim::skin::method::Method;
use crate::anim::transform::Transform;
use crate::assets::clip_notes::{ClipNotes, Derived};
use crate::assets::combat::Combat;
use crate::assets::draft::Draft;
use crate::assets::id::ClipId;
use crate::assets::import_options::ImportOptions;
use crate::assets::machine::{AnimationTable, Graph};
use crate::assets::material::Material;
use crate::assets::mesh::{Binding, Mesh};
use crate::assets::reference::{self, Reference};
use crate::assets::rig_notes::RigNotes;
use crate::assets::saved_pose::{self, SavedPose};
use crate::assets::sprite_recipe::SpriteRecipe;
use crate::assets::texture::Texture;

/// A clip of a model, with an id that stays the same when the clip is renamed or moved.
#[derive(Clone, Debug, PartialEq)]
pub struct ClipSlot {
    /// Unique within the project.
    pub id: ClipId,
    /// Clip with a name that is unique within the model.
    pub clip: Arc<Clip>,
}

/// Whether a mesh is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Visibility {
    /// Drawn, in the editor and in the game.
    #[default]
    Shown,
    /// Not drawn.
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
    /// The bone that it is attached to.
    pub bone: BoneIndex,
    /// Bone from socket.
    pub transform: Transform,
    /// The name of the attached model of the same archive; empty for none.
    pub attached: String,
}

/// The source of an imported model, so that `inspect` and re-import also work from an archive.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Source {
    /// The file name as it was given; empty if the model was not imported.
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
    /// The bones.
    pub skeleton: Arc<Skeleton>,
    /// Joints and inverse bind matrices; [`Binding::Skin`] is an index into it.
    pub skins: Vec<Arc<Skin>>,
    /// In the order of the source file.
    pub meshes: Vec<MeshSlot>,
    /// Skinning method.
    pub skinning: Method,
    /// How the samples of its baked clips are stored.
    pub samples: SampleFormat,
    /// [`Mesh::material`] is an index into it. Not empty if there are meshes.
    pub materials: Vec<Arc<Material>>,
    /// [`Material::texture`] is an index into it.
    pub textures: Vec<Arc<Texture>>,
    /// In display order.
    pub clips: Vec<ClipSlot>,
    /// Folder, tags and source of clips that have any.
    pub clip_notes: BTreeMap<ClipId, ClipNotes>,
    /// Hurt volumes, and the combat lanes of the clips.
    pub combat: Arc<Combat>,
    /// In display order.
    pub sockets: Vec<Socket>,
    /// The animation of each state of the game.
    pub machine: AnimationTable,
    /// Draft poses, sorted by clip and time, at most one for each time.
    pub drafts: Vec<Draft>,
    /// The pose library, in display order; unique names.
    pub poses: SharedList<Arc<SavedPose>>,
    /// Bone groups and mirror pairs.
    pub rig: RigNotes,
    /// Reference images, in display order.
    pub references: Vec<Arc<Reference>>,
    /// Origin of the model.
    pub source: Arc<Source>,
    /// The options of that import, which a re-import uses again.
    pub import_options: Arc<ImportOptions>,
    /// The settings of its sprite sheet.
    pub sprites: Arc<SpriteRecipe>,
}

/// A part of a model; numbers are indices into its lists.
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
    Combat,
    /// The model itself: its sockets.
    Whole,
}

impl ModelPart {
    fn error(self, reason: String) -> ModelError {
        ModelError { part: self, reason }
    }
}

/// Why a model is not valid.
#[derive(Clone, Debug, Error, PartialEq)]
#[error("{reason}")]
pub struct ModelError {
    /// The part that is invalid.
    pub part: ModelPart,
    /// The reason, with the name of the part.
    pub reason: String,
}

/// Maximum number of bones times clips, of all models of an archive together: a baked clip has a transform for each bone, whether
/// it is animated or not.
pub const MAX_BONE_CLIPS: usize = 4 << 20;

impl Model {
    /// Returns mutable volumes and lanes; states that share them are unchanged.
    pub fn combat_mut(&mut self) -> &mut Combat {
        Arc::make_mut(&mut self.combat)
    }

    /// How its clips are baked.
    pub fn bake_options(&self) -> BakeOptions {
        BakeOptions { format: self.samples, ..BakeOptions::default() }
    }

    /// The number of bones times that of clips.
    pub fn bone_clips(&self) -> usize {
        self.skeleton.len().saturating_mul(self.clips.len())
    }

    /// The number of vertices of the meshes that are shown.
    pub fn shown_vertices(&self) -> usize {
        let shown = self.meshes.iter().filter(|slot| slot.visibility == Visibility::Shown);
        shown.map(|slot| slot.mesh.positions.len()).sum()
    }

    /// Whether it has a mesh with weights.
    pub fn is_skinned(&self) -> bool {
        self.meshes.iter().any(|slot| matches!(slot.mesh.binding, Binding::Skin(_)))
    }

    /// The clip of an id.
    pub fn clip(&self, id: ClipId) -> Option<&Arc<Clip>> {
        self.clips.iter().find(|slot| slot.id == id).map(|slot| &slot.clip)
    }

    /// The index of a clip in the list.
    pub fn clip_index(&self, id: ClipId) -> Option<usize> {
        self.clips.iter().position(|slot| slot.id == id)
    }

    /// The names of the bones to which a clip is limited as a layer; empty for all.
    pub fn mask(&self, id: ClipId) -> &[String] {
        self.clip_notes.get(&id).map_or(&[], |notes| &notes.mask)
    }

    /// The clip that another one is derived from, and how.
    pub fn derived(&self, id: ClipId) -> Option<Derived> {
        self.clip_notes.get(&id)?.derived
    }

    /// Edits the notes of a clip.
    pub fn note(&mut self, id: ClipId, change: impl FnOnce(&mut ClipNotes)) {
        let mut notes = self.clip_notes.remove(&id).unwrap_or_default();
        change(&mut notes);
        if !notes.is_empty() {
            self.clip_notes.insert(id, notes);
        }
    }

    /// The textures of base colours whose images were not found.
    pub fn missing_textures(&self) -> impl Iterator<Item = &Texture> {
        let is_used = |at: usize| self.materials.iter().any(|material| material.texture == Some(at));
        let all = self.textures.iter().enumerate().filter(move |(at, texture)| texture.is_missing() && is_used(*at));
        all.map(|(_, texture)| &**texture)
    }

    /// Whether a mesh is drawn in a pose: it is shown, and so says the [visibility](ScalarKind::Visibility) of its name, if there
    /// is one.
    pub fn is_visible(&self, slot: &MeshSlot, pose: &ModelPose) -> bool {
        let named = |scalar: &Scalar| scalar.kind == ScalarKind::Visibility && scalar.name == slot.mesh.name;
        let is_on = |at: usize| pose.scalars.get(at).is_none_or(|value| *value > 0.5);
        slot.visibility == Visibility::Shown && self.skeleton.scalars().iter().position(named).is_none_or(is_on)
    }

    /// The scalar with the frame that a material shows, and its sheet of frames; `None` if its texture is not divided into frames.
    pub fn frame_of(&self, material: &Material) -> Option<(ScalarIndex, Sheet)> {
        let sheet = |(index, scalar): (ScalarIndex, &Scalar)| match scalar.kind {
            ScalarKind::Frame(sheet) if scalar.material() == Some(&material.name) => Some((index, sheet)),
            _ => None,
        };
        (0..).zip(self.skeleton.scalars()).find_map(sheet)
    }

    /// The material of a mesh as a pose shows it: the texture transform moves to the frame of its sheet.
    pub fn shown_material(&self, mesh: &Mesh, pose: &ModelPose) -> Option<Cow<'_, Material>> {
        let material = self.materials.get(mesh.material)?;
        let offset = self.frame_of(material).map(|(scalar, sheet)| sheet.offset(pose.scalar(scalar)));
        Some(match offset.filter(|offset| *offset != Vec2::ZERO) {
            None => Cow::Borrowed(material),
            Some(offset) => {
                let mut moved = Material::clone(material);
                moved.uv_transform.offset += offset;
                Cow::Owned(moved)
            }
        })
    }

    /// The bone that carries a mesh; of a skinned one, the bone that its node became.
    pub fn bone_of(&self, mesh: usize) -> BoneIndex {
        let node = self.source.meshes.get(mesh).copied().flatten().map(|it| it.node);
        let of_node = || self.source.bone_nodes.iter().position(|other| other.is_some() && *other == node);
        match self.meshes.get(mesh).map(|slot| slot.mesh.binding) {
            Some(Binding::Bone(bone)) => bone,
            Some(Binding::Skin(_)) | None => of_node().map_or(0, |bone| bone as BoneIndex),
        }
    }

    /// The value of a property in a pose, such as `glow`; `None` if the model has none of this name. Of several the first counts.
    pub fn property(&self, pose: &ModelPose, name: &str) -> Option<f32> {
        let named = |scalar: &Scalar| scalar.kind == ScalarKind::Property && scalar.name == name;
        pose.scalars.get(self.skeleton.scalars().iter().position(named)?).copied()
    }

    /// The first clip of that exact name.
    pub fn clip_named(&self, name: &str) -> Option<&ClipSlot> {
        self.clips.iter().find(|slot| slot.clip.name == name)
    }

    /// Checks that every part is valid and that every index refers to an existing part.
    pub fn check(&self) -> Result<(), ModelError> {
        for (index, slot) in self.clips.iter().enumerate() {
            let place = |reason| format!("clip {}: {reason}", slot.clip.name);
            slot.clip.check().map_err(|reason| ModelPart::Clip(index).error(place(reason)))?;
        }
        self.check_except_clips()
    }

    /// As [`Model::check`], but assumes that the clips are valid. They refer to no other part.
    pub fn check_except_clips(&self) -> Result<(), ModelError> {
        if self.bone_clips() > MAX_BONE_CLIPS {
            let (clips, bones) = (self.clips.len(), self.skeleton.len());
            return Err(ModelPart::Whole.error(format!("{clips} clips of {bones} bones are too many")));
        }
        for (index, skin) in self.skins.iter().enumerate() {
            let place = |reason| format!("skin {index} ({}): {reason}", skin.name);
            self.check_skin(skin).map_err(|reason| ModelPart::Skin(index).error(place(reason)))?;
        }
        for (index, MeshSlot { mesh, .. }) in self.meshes.iter().enumerate() {
            let place = |reason| format!("mesh {}: {reason}", mesh.name);
            self.check_mesh(mesh).map_err(|reason| ModelPart::Mesh(index).error(place(reason)))?;
        }
        for (index, material) in self.materials.iter().enumerate() {
            if material.textures().any(|texture| texture >= self.textures.len()) {
                let reason = format!("material {}: one of its textures does not exist", material.name);
                return Err(ModelPart::Material(index).error(reason));
            }
        }
        if let Some(index) = self.textures.iter().position(|texture| !texture.is_valid()) {
            let reason = format!("texture {}: the size does not match the number of pixels", self.textures[index].name);
            return Err(ModelPart::Texture(index).error(reason));
        }
        saved_pose::check(&self.poses).map_err(|reason| ModelPart::Poses.error(reason))?;
        self.rig.check().map_err(|reason| ModelPart::Rig.error(reason))?;
        reference::check(&self.references).map_err(|reason| ModelPart::References.error(reason))?;
        let graph = self.machine.graph.as_ref();
        graph.map_or(Ok(()), Graph::check).map_err(|reason| ModelPart::Machine.error(reason))?;
        self.combat.check().map_err(|reason| ModelPart::Combat.error(reason))?;
        let is_turned = |socket: &Socket| (socket.transform.rotation.length_squared() - 1.0).abs() < 1e-3;
        let is_wrong = |socket: &&Socket| {
            usize::from(socket.bone) >= self.skeleton.len() || !socket.transform.is_finite() || !is_turned(socket)
        };
        match self.sockets.iter().find(is_wrong) {
            Some(socket) => {
                let reason = format!(
                    "socket {}: its bone does not exist, its transform is not finite, or its rotation is not a unit quaternion",
                    socket.name
                );
                Err(ModelPart::Whole.error(reason))
            }
            None => Ok(()),
        }
    }

    fn check_skin(&self, skin: &Skin) -> Result<(), String> {
        let bones = self.skeleton.len();
        let (joints, binds) = (skin.joints.len(), skin.inverse_binds.len());
        if joints != binds {
            return Err(format!("{joints} joints and {binds} inverse bind matrices"));
        }
        if let Some(bone) = skin.joints.iter().find(|&&joint| usize::from(joint) >= bones) {
            return Err(format!("bone {bone} does not exist; the skeleton has {bones} bones"));
        }
        if skin.inverse_binds.iter().any(|matrix| !matrix.is_finite()) {
            return Err("an inverse bind matrix is not finite".into());
        }
        Ok(())
    }

    fn check_mesh(&self, mesh: &Mesh) -> Result<(), String> {
        if mesh.material >= self.materials.len() {
            return Err(format!("material {} does not exist; the model has {}", mesh.material, self.materials.len()));
        }
        let joints = match mesh.binding {
            Binding::Bone(bone) if usize::from(bone) >= self.skeleton.len() => {
                return Err(format!("bone {bone} does not exist; the skeleton has {}", self.skeleton.len()));
            }
            Binding::Bone(_) => None,
            Binding::Skin(skin) => {
                let skin = self.skins.get(skin).ok_or_else(|| format!("skin {skin} does not exist"))?;
                Some(skin.joints.len())
            }
        };
        let checked = mesh.check(joints).and_then(|()| mesh.check_morphs(self.skeleton.scalars().len()));
        checked.map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anim::skeleton::Bone;
    use crate::anim::transform::Transform;

    #[test]
    fn clips_times_bones_are_limited() {
        let bone = |at: usize| Bone { name: at.to_string(), parent: (at > 0).then_some(0), rest: Transform::IDENTITY };
        let skeleton = Arc::new(Skeleton::new((0..4096).map(bone).collect()).unwrap());
        let slot = ClipSlot { id: ClipId(0), clip: Arc::new(Clip::new("a")) };
        let model = Model { skeleton, clips: vec![slot.clone(); 1024], ..Model::default() };
        assert_eq!(model.check(), Ok(()));
        let larger = Model { clips: vec![slot; 1025], ..model };
        assert_eq!(larger.check().unwrap_err().to_string(), "1025 clips of 4096 bones are too many");
    }
}
