//! The weights of single vertices, as numbers.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::Vec3;

use keypose::anim::skeleton::BoneIndex;
use keypose::anim::skin::Skin;
use keypose::anim::skin::cpu::InfluenceSet;
use keypose::assets::mesh::{Binding, Mesh};
use keypose::assets::model::Model;
use keypose_tools::bind_pose::bind_pose;
use keypose_tools::rig::surface::model_from_skin;

/// Maximum number of bones that move a vertex.
const MAX_INFLUENCES: usize = 8;

/// A vertex of a mesh of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VertexRef {
    pub mesh: usize,
    pub vertex: usize,
}

/// The bones that move a vertex, the heaviest first; none if a bone moves the whole mesh.
pub fn weights_of(model: &Model, at: VertexRef) -> Vec<(BoneIndex, f32)> {
    let Some(mesh) = model.meshes.get(at.mesh).map(|slot| &slot.mesh) else { return Vec::new() };
    let Binding::Skin(skin) = mesh.binding else { return Vec::new() };
    let Some(skin) = model.skins.get(skin) else { return Vec::new() };
    let mut sums = BTreeMap::<BoneIndex, f32>::new();
    for set in &mesh.influences {
        let (Some(joints), Some(weights)) = (set.joints.get(at.vertex), set.weights.get(at.vertex)) else { continue };
        for (joint, weight) in joints.iter().zip(weights).filter(|(_, weight)| **weight > 0.0) {
            if let Some(bone) = skin.joints.get(usize::from(*joint)) {
                *sums.entry(*bone).or_default() += weight;
            }
        }
    }
    let mut all: Vec<(BoneIndex, f32)> = sums.into_iter().collect();
    all.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    all
}

/// The place of a vertex in the bind pose.
pub fn place_of(model: &Model, at: VertexRef) -> Option<Vec3> {
    let mesh = &model.meshes.get(at.mesh)?.mesh;
    let position = *mesh.positions.get(at.vertex)?;
    Some(match mesh.binding {
        Binding::Skin(skin) => model_from_skin(model, skin).transform_point3(position),
        Binding::Bone(bone) => bind_pose(model).get(bone).transform_point(position),
    })
}

/// Weights with that of one bone set; the others share what is left in proportion.
pub fn with_weight(weights: &[(BoneIndex, f32)], bone: BoneIndex, weight: f32) -> Vec<(BoneIndex, f32)> {
    let weight = if weight.is_finite() { weight.clamp(0.0, 1.0) } else { 0.0 };
    let others: Vec<(BoneIndex, f32)> = weights.iter().copied().filter(|(other, _)| *other != bone).collect();
    let sum: f32 = others.iter().map(|(_, weight)| weight).sum();
    if sum <= 0.0 {
        // Without others the bone moves all.
        return vec![(bone, 1.0)];
    }
    let others = others.into_iter().map(|(other, of)| (other, of / sum * (1.0 - weight)));
    others.chain([(bone, weight)]).filter(|(_, weight)| *weight > 0.0).collect()
}

/// The model with other weights of a vertex, and of those at the same place: seams stay closed.
///
/// # Errors
/// If the vertex or a bone doesn't exist, the mesh is rigid, or the weights have no sum.
pub fn set_weights(model: &Model, at: VertexRef, weights: &[(BoneIndex, f32)]) -> Result<Model, String> {
    let slot = model.meshes.get(at.mesh).ok_or("there is no such mesh")?;
    let Binding::Skin(skin) = slot.mesh.binding else {
        return Err(format!("mesh {}: one bone moves all of it. Bind it first", slot.mesh.name));
    };
    let place = *slot.mesh.positions.get(at.vertex).ok_or("there is no such vertex")?;
    let sum: f32 = weights.iter().map(|(_, weight)| weight).sum();
    if !(sum > 0.0 && sum.is_finite()) || weights.iter().any(|(_, weight)| *weight < 0.0) {
        return Err("weights can't be negative, and need a sum".into());
    }
    let mut weights: Vec<(BoneIndex, f32)> = weights.iter().map(|(bone, weight)| (*bone, weight / sum)).collect();
    weights.sort_by(|a, b| b.1.total_cmp(&a.1));
    weights.truncate(MAX_INFLUENCES);
    let kept: f32 = weights.iter().map(|(_, weight)| weight).sum();
    let mut changed = model.clone();
    let slots: Result<Vec<(u16, f32)>, String> =
        weights.iter().map(|(bone, weight)| Ok((joint_of(&mut changed, skin, *bone)?, weight / kept))).collect();
    let slots = slots?;
    let mut mesh = Mesh::clone(&slot.mesh);
    let count = mesh.positions.len();
    while mesh.influences.len() * 4 < slots.len() {
        mesh.influences.push(InfluenceSet { joints: vec![[0; 4]; count], weights: vec![[0.0; 4]; count] });
    }
    for vertex in (0..count).filter(|vertex| mesh.positions[*vertex] == place) {
        for (set, influences) in mesh.influences.iter_mut().enumerate() {
            for slot in 0..4 {
                let (joint, weight) = slots.get(set * 4 + slot).copied().unwrap_or_default();
                (influences.joints[vertex][slot], influences.weights[vertex][slot]) = (joint, weight);
            }
        }
    }
    changed.meshes[at.mesh].mesh = Arc::new(mesh);
    Ok(changed)
}

/// The joint of a bone in a skin, which gets one if it has none.
fn joint_of(model: &mut Model, skin: usize, bone: BoneIndex) -> Result<u16, String> {
    let found = model.skins.get(skin).ok_or("there is no such skin")?.joints.iter().position(|joint| *joint == bone);
    let at = match found {
        Some(at) => at,
        None if usize::from(bone) >= model.skeleton.len() => return Err(format!("there is no bone {bone}")),
        None => {
            let inverse = bind_pose(model).get(bone).to_mat4().inverse() * model_from_skin(model, skin);
            let Skin { joints, inverse_binds, .. } = Arc::make_mut(&mut model.skins[skin]);
            joints.push(bone);
            inverse_binds.push(inverse);
            joints.len() - 1
        }
    };
    u16::try_from(at).map_err(|_| "the skin has too many joints".to_owned())
}
