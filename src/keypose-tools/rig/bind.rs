//! Writes weights into the meshes of a model: a rigid mesh becomes a skinned one, and a skin gets the joints that it lacks.

use std::sync::Arc;

use glam::{Mat4, Vec3};

use crate::anim::skeleton::BoneIndex;
use crate::anim::skin::Skin;
use crate::anim::skin::cpu::InfluenceSet;
use crate::assets::mesh::{Binding, Mesh};
use crate::assets::model::Model;
use crate::bind_pose::bind_pose;
use crate::rig::RigError;
use crate::rig::surface::Surface;
use crate::rig::weights::Weights;

/// The model with these weights in the meshes of a surface, which was made of it. Each vertex gets up to eight of them.
///
/// # Errors
/// If the weights are not those of the surface, or a bone doesn't exist.
pub fn bound(model: &Model, surface: &Surface, weights: &Weights) -> Result<Model, RigError> {
    if weights.len() != surface.positions.len() {
        return Err(RigError::Count { weights: weights.len(), vertices: surface.positions.len() });
    }
    for (vertex, own) in weights.iter().enumerate() {
        if let Some(&(bone, _)) = own.iter().find(|(bone, _)| usize::from(*bone) >= model.skeleton.len()) {
            return Err(RigError::NoBone { vertex, bone });
        }
    }
    let mut model = model.clone();
    let mut new_skin = None;
    for place in &surface.meshes {
        let own = weights.get(place.vertices.clone()).unwrap_or_default();
        let Some(mesh) = model.meshes.get(place.mesh).map(|slot| slot.mesh.clone()) else { continue };
        let (skin, mesh) = match mesh.binding {
            Binding::Skin(skin) if skin < model.skins.len() => (skin, Mesh::clone(&mesh)),
            Binding::Skin(_) | Binding::Bone(_) => {
                let skin = *new_skin.get_or_insert_with(|| {
                    model.skins.push(Arc::default());
                    model.skins.len() - 1
                });
                (skin, moved(&mesh, place.model_from_mesh))
            }
        };
        let from_mesh = if matches!(mesh.binding, Binding::Skin(_)) { place.model_from_mesh } else { Mat4::IDENTITY };
        add_joints(&mut model, skin, from_mesh, own);
        let influences = influences(&model.skins[skin], own);
        model.meshes[place.mesh].mesh = Arc::new(Mesh { influences, binding: Binding::Skin(skin), ..mesh });
    }
    Ok(model)
}

/// A rigid mesh with its vertices in another space.
pub fn moved(mesh: &Mesh, matrix: Mat4) -> Mesh {
    let normal_matrix = glam::Mat3::from_mat4(matrix).inverse().transpose();
    let normal = |normal: &Vec3| {
        let turned = (normal_matrix * *normal).normalize_or_zero();
        if turned == Vec3::ZERO || !turned.is_finite() { *normal } else { turned }
    };
    let mut mesh = mesh.clone();
    mesh.positions.iter_mut().for_each(|position| *position = matrix.transform_point3(*position));
    mesh.normals = mesh.normals.iter().map(normal).collect();
    for morph in &mut mesh.morphs {
        morph.positions.iter_mut().for_each(|offset| *offset = matrix.transform_vector3(*offset));
        morph.normals.iter_mut().for_each(|offset| *offset = normal_matrix * *offset);
    }
    if matrix.determinant() < 0.0 {
        mesh.indices.as_chunks_mut::<3>().0.iter_mut().for_each(|triangle| triangle.swap(1, 2));
    }
    mesh
}

/// Adds the joints that weights need to a skin.
fn add_joints(model: &mut Model, skin: usize, model_from_mesh: Mat4, weights: &[Vec<(BoneIndex, f32)>]) {
    let mut is_used = vec![false; model.skeleton.len()];
    weights.iter().flatten().for_each(|(bone, _)| is_used[usize::from(*bone)] = true);
    let known = &model.skins[skin].joints;
    let missing: Vec<BoneIndex> =
        model.skeleton.indices().filter(|bone| is_used[usize::from(*bone)] && !known.contains(bone)).collect();
    if missing.is_empty() {
        return;
    }
    let pose = bind_pose(model);
    let skin = Arc::make_mut(&mut model.skins[skin]);
    for bone in missing {
        let inverse = pose.get(bone).to_mat4().inverse() * model_from_mesh;
        skin.joints.push(bone);
        skin.inverse_binds.push(if inverse.is_finite() { inverse } else { Mat4::IDENTITY });
    }
}

/// The weights as joints of a skin, in one or two sets.
fn influences(skin: &Skin, weights: &[Vec<(BoneIndex, f32)>]) -> Vec<InfluenceSet> {
    let joint = |bone: BoneIndex| skin.joints.iter().position(|known| *known == bone).unwrap_or_default() as u16;
    let most = weights.iter().map(Vec::len).max().unwrap_or_default();
    let sets = most.div_ceil(4).clamp(1, 2);
    let set = |set: usize| {
        let slots = |own: &Vec<(BoneIndex, f32)>| std::array::from_fn(|slot| own.get(4 * set + slot).copied());
        let all = || weights.iter().map(slots);
        InfluenceSet {
            joints: all().map(|slots: [_; 4]| slots.map(|slot| slot.map_or(0, |(bone, _)| joint(bone)))).collect(),
            weights: all().map(|slots: [_; 4]| slots.map(|slot| slot.map_or(0.0, |(_, weight)| weight))).collect(),
        }
    };
    (0..sets).map(set).collect()
}
