//! Meshes. Those of a bone share its node, as primitives of one mesh; so do neighbours with a common skin that were one mesh
//! before. A mesh that is hidden has a node of its own that is in no scene.

use serde_json::{Map, Value, json};

use crate::anim::scalar::ScalarIndex;
use crate::anim::skeleton::BoneIndex;
use crate::assets::mesh::{Binding, Mesh};
use crate::assets::model::{MeshSlot, MeshSource, Model, Visibility};
use crate::export::gltf::attributes::{add_tangents, attributes, indices};
use crate::export::gltf::tangents::{self, WithTangents};
use crate::export::gltf::{File, extras, morphs};

/// A mesh of the file.
pub struct WrittenMesh {
    /// Index in the file.
    pub index: usize,
    /// The name of its first primitive.
    pub name: String,
    pub binding: Binding,
    pub visibility: Visibility,
    /// The scalars that are its weights.
    pub weights: Vec<ScalarIndex>,
}

/// Meshes of the model that are primitives of one mesh of the file.
struct Group<'a> {
    binding: Binding,
    visibility: Visibility,
    source: Option<(u32, u32)>,
    /// Weights of all primitives: those of one mesh are the same.
    weights: Vec<ScalarIndex>,
    meshes: Vec<&'a Mesh>,
}

/// Writes all meshes that have triangles. `skins` has the index in the file of each skin.
pub fn write(model: &Model, skins: &[Option<usize>], file: &mut File) -> Vec<WrittenMesh> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for (at, MeshSlot { mesh, visibility }) in model.meshes.iter().enumerate() {
        let has_skin = !matches!(mesh.binding, Binding::Skin(skin) if skins.get(skin).copied().flatten().is_none());
        if mesh.positions.is_empty() || mesh.indices.is_empty() || !has_skin {
            file.findings.push(format!("mesh {}: it has no triangles, so it is left out", mesh.name));
            continue;
        }
        let source = model.source.meshes.get(at).copied().flatten();
        let source = source.map(|MeshSource { node, mesh, .. }| (node, mesh));
        let weights = morphs::weights_of(mesh);
        let takes = |group: &&mut Group<'_>| group.takes(mesh.binding, *visibility, source) && group.weights == weights;
        let group = groups.iter_mut().find(takes);
        match group {
            Some(group) => group.meshes.push(mesh),
            None => {
                let (binding, visibility, meshes) = (mesh.binding, *visibility, vec![mesh.as_ref()]);
                groups.push(Group { binding, visibility, source, weights, meshes });
            }
        }
    }
    groups.iter().map(|group| group.write(model, file)).collect()
}

impl Group<'_> {
    fn takes(&self, binding: Binding, visibility: Visibility, source: Option<(u32, u32)>) -> bool {
        let is_one = match binding {
            Binding::Bone(_) => true,
            Binding::Skin(_) => source.is_some() && source == self.source,
        };
        is_one && binding == self.binding && visibility == self.visibility
    }

    fn write(&self, model: &Model, file: &mut File) -> WrittenMesh {
        let primitives: Vec<Value> = self.meshes.iter().map(|mesh| primitive(model, mesh, file)).collect();
        let names: Vec<&str> = self.meshes.iter().map(|mesh| mesh.name.as_str()).collect();
        let name = names.first().copied().unwrap_or_default().to_owned();
        let mut json = json!({ "name": name, "primitives": primitives, "extras": extras(json!({ "names": names })) });
        if !self.weights.is_empty() {
            let scalars = || self.weights.iter().filter_map(|&scalar| model.skeleton.scalar(scalar));
            json["weights"] = scalars().map(|scalar| Value::from(f64::from(scalar.default))).collect();
            json["extras"]["targetNames"] = scalars().map(|scalar| Value::from(scalar.name.as_str())).collect();
        }
        file.meshes.push(json);
        let Group { binding, visibility, .. } = *self;
        WrittenMesh { index: file.meshes.len() - 1, name, binding, visibility, weights: self.weights.clone() }
    }
}

fn primitive(model: &Model, mesh: &Mesh, file: &mut File) -> Value {
    let has_texture = model.materials.get(mesh.material).is_some_and(|material| material.textures().next().is_some());
    let with_tangents = model.materials.get(mesh.material).and_then(|material| tangents::of(mesh, material));
    let mesh = with_tangents.as_ref().map_or(mesh, |with| &with.mesh);
    let mut attributes: Map<String, Value> = attributes(mesh, has_texture, &mut file.binary);
    if let Some(WithTangents { tangents, .. }) = &with_tangents {
        attributes.insert("TANGENT".to_owned(), add_tangents(tangents, &mut file.binary).into());
    }
    let mut json =
        json!({ "attributes": attributes, "indices": indices(mesh, &mut file.binary), "material": mesh.material });
    if !mesh.morphs.is_empty() {
        json["targets"] = morphs::targets(mesh, &mut file.binary).into();
    }
    json
}

impl WrittenMesh {
    /// The bone whose node carries the mesh.
    pub fn bone_node(&self) -> Option<BoneIndex> {
        match self.binding {
            Binding::Bone(bone) if self.visibility == Visibility::Shown => Some(bone),
            Binding::Bone(_) | Binding::Skin(_) => None,
        }
    }
}
