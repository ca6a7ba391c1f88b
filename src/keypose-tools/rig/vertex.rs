//! The weights of single vertices, as numbers.

use std::sync::Arc;

use glam::{Mat4, Vec3};

use crate::anim::skeleton::BoneIndex;
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
    let mut bones = vertices.iter().flat_map(|(_, weights)| *weights).map(|(bone, _)| *bone);
    if let Some(bone) = bones.find(|bone| usize::from(*bone) >= model.skeleton.len()) {
        return Err(format!("there is no bone {bone}"));
    }
    let joints = model.skins.get(skin).ok_or("there is no such skin")?.joints.len();
    if joints + model.skeleton.len() > usize::from(u16::MAX) {
        return Err("the skin has too many joints".into());
    }
    let model_from_skin = model_from_skin(model, skin);
    put_weights(model, mesh, (skin, model_from_skin), vertices);
    Ok(())
}

/// Writes weights of bones that exist, up to eight for each vertex, into a mesh of a skin, which gets the joints that it lacks.
pub(super) fn put_weights(
    model: &mut Model,
    mesh: usize,
    (skin, model_from_skin): (usize, Mat4),
    vertices: &[Weighed<'_>],
) {
    add_joints(model, (skin, model_from_skin), vertices);
    let mut joints = vec![0; model.skeleton.len()];
    // Of several joints of a bone, the first counts.
    for (joint, bone) in model.skins[skin].joints.iter().enumerate().rev() {
        joints[usize::from(*bone)] = joint as u16;
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
                [0, 1, 2, 3].map(|at| slot(at).map_or(0, |(bone, _)| joints[usize::from(bone)]));
            influences.weights[*vertex as usize] = [0, 1, 2, 3].map(|at| slot(at).map_or(0.0, |(_, weight)| weight));
        }
    }
}

/// Adds the joints that weights need to a skin, in the order of the bones.
fn add_joints(model: &mut Model, (skin, model_from_skin): (usize, Mat4), vertices: &[Weighed<'_>]) {
    let mut is_used = vec![false; model.skeleton.len()];
    vertices.iter().flat_map(|(_, weights)| *weights).for_each(|(bone, _)| is_used[usize::from(*bone)] = true);
    let known = &model.skins[skin].joints;
    let missing: Vec<BoneIndex> =
        model.skeleton.indices().filter(|bone| is_used[usize::from(*bone)] && !known.contains(bone)).collect();
    if missing.is_empty() {
        return;
    }
    let pose = bind_pose(model);
    let skin = Arc::make_mut(&mut model.skins[skin]);
    for bone in missing {
        let inverse = pose.get(bone).to_mat4().inverse() * model_from_skin;
        skin.joints.push(bone);
        skin.inverse_binds.push(if inverse.is_finite() { inverse } else { Mat4::IDENTITY });
    }
}
