//! The weights of single vertices, as numbers.

use std::sync::Arc;

use glam::Vec3;

use crate::anim::skeleton::BoneIndex;
use crate::anim::skin::Skin;
use crate::anim::skin::cpu::InfluenceSet;
use crate::assets::mesh::Binding;
use crate::assets::model::Model;
use crate::bind_pose::bind_pose;
use crate::rig::surface::model_from_skin;
use crate::rig::weights::{Options, limited};

/// Maximum number of bones that move a vertex.
pub const MAX_INFLUENCES: usize = 8;

/// A vertex of a mesh of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VertexRef {
    pub mesh: usize,
    pub vertex: usize,
}

/// The bones that move a vertex, the heaviest first; none if a bone moves the whole mesh.
pub fn weights_of(model: &Model, at: VertexRef) -> Vec<(BoneIndex, f32)> {
    let mut all: Vec<(BoneIndex, f32)> = Vec::with_capacity(4);
    each_weight(model, at, |bone, weight| match all.iter_mut().find(|(known, _)| *known == bone) {
        Some((_, sum)) => *sum += weight,
        None => all.push((bone, weight)),
    });
    all.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    all
}

/// Visits the weights of a vertex as they are stored. A bone may occur twice.
pub fn each_weight(model: &Model, at: VertexRef, mut visit: impl FnMut(BoneIndex, f32)) {
    let Some(mesh) = model.meshes.get(at.mesh).map(|slot| &slot.mesh) else { return };
    let Binding::Skin(skin) = mesh.binding else { return };
    let Some(skin) = model.skins.get(skin) else { return };
    for set in &mesh.influences {
        let (Some(joints), Some(weights)) = (set.joints.get(at.vertex), set.weights.get(at.vertex)) else { continue };
        for (joint, weight) in joints.iter().zip(weights).filter(|(_, weight)| **weight > 0.0) {
            skin.joints.get(usize::from(*joint)).into_iter().for_each(|bone| visit(*bone, *weight));
        }
    }
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
    let mesh = model.meshes.get(at.mesh).map(|slot| &slot.mesh).ok_or("there is no such mesh")?;
    let place = *mesh.positions.get(at.vertex).ok_or("there is no such vertex")?;
    let sum: f32 = weights.iter().map(|(_, weight)| weight).sum();
    if !(sum > 0.0 && sum.is_finite()) || weights.iter().any(|(_, weight)| *weight < 0.0) {
        return Err("weights can't be negative, and need a sum".into());
    }
    let options = Options { influences: MAX_INFLUENCES, min_weight: 0.0, ..Options::default() };
    let weights = limited(weights.to_vec(), &options);
    let same = (0_u32..).zip(&mesh.positions).filter(|(_, position)| **position == place);
    let vertices: Vec<_> = same.map(|(vertex, _)| (vertex, &weights[..])).collect();
    let mut changed = model.clone();
    write(&mut changed, at.mesh, &vertices)?;
    Ok(changed)
}

/// A vertex of a mesh, and its weights, the heaviest first.
pub type Weighed<'w> = (u32, &'w [(BoneIndex, f32)]);

/// Writes weights, up to eight for each vertex, into a skinned mesh. Its skin gets the joints that it lacks.
///
/// # Errors
/// If a bone doesn't exist, the mesh is rigid, or the skin has too many joints; then the mesh is unchanged.
pub fn write(model: &mut Model, mesh: usize, vertices: &[Weighed<'_>]) -> Result<(), String> {
    let slot = model.meshes.get(mesh).ok_or("there is no such mesh")?;
    let Binding::Skin(skin) = slot.mesh.binding else {
        return Err(format!("mesh {}: one bone moves all of it. Bind it first", slot.mesh.name));
    };
    let mut joints: Vec<Option<u16>> = vec![None; model.skeleton.len()];
    for (bone, _) in vertices.iter().flat_map(|(_, weights)| *weights) {
        let known = joints.get_mut(usize::from(*bone)).ok_or_else(|| format!("there is no bone {bone}"))?;
        if known.is_none() {
            *known = Some(joint_of(model, skin, *bone)?);
        }
    }
    let mesh = Arc::make_mut(&mut model.meshes[mesh].mesh);
    let (count, most) = (mesh.positions.len(), vertices.iter().map(|(_, weights)| weights.len()).max());
    while mesh.influences.len() * 4 < most.unwrap_or_default().clamp(1, MAX_INFLUENCES) {
        mesh.influences.push(InfluenceSet { joints: vec![[0; 4]; count], weights: vec![[0.0; 4]; count] });
    }
    for (vertex, weights) in vertices.iter().filter(|(vertex, _)| (*vertex as usize) < count) {
        for (set, influences) in mesh.influences.iter_mut().enumerate() {
            let slot = |slot: usize| weights.get(set * 4 + slot).copied();
            influences.joints[*vertex as usize] =
                [0, 1, 2, 3].map(|at| slot(at).and_then(|(bone, _)| joints[usize::from(bone)]).unwrap_or_default());
            influences.weights[*vertex as usize] = [0, 1, 2, 3].map(|at| slot(at).map_or(0.0, |(_, weight)| weight));
        }
    }
    Ok(())
}

/// The joint of a bone in a skin, which gets one if it has none.
fn joint_of(model: &mut Model, skin: usize, bone: BoneIndex) -> Result<u16, String> {
    let found = model.skins.get(skin).ok_or("there is no such skin")?.joints.iter().position(|joint| *joint == bone);
    let at = match found {
        Some(at) => at,
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
