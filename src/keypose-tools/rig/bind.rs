//! Writes weights into the meshes of a model: a rigid mesh becomes a skinned one, and a skin gets the joints that it lacks.

use std::sync::Arc;

use glam::{Mat4, Vec3};

use crate::assets::mesh::{Binding, Mesh};
use crate::assets::model::Model;
use crate::rig::RigError;
use crate::rig::surface::Surface;
use crate::rig::vertex::{Weighed, put_weights};
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
        let (skin, model_from_skin, mesh) = match mesh.binding {
            Binding::Skin(skin) if skin < model.skins.len() => (skin, place.model_from_mesh, Mesh::clone(&mesh)),
            Binding::Skin(_) | Binding::Bone(_) => {
                let skin = *new_skin.get_or_insert_with(|| {
                    model.skins.push(Arc::default());
                    model.skins.len() - 1
                });
                (skin, Mat4::IDENTITY, moved(&mesh, place.model_from_mesh))
            }
        };
        let binding = Binding::Skin(skin);
        model.meshes[place.mesh].mesh = Arc::new(Mesh { influences: Vec::new(), binding, ..mesh });
        let vertices: Vec<Weighed<'_>> = (0..).zip(own).map(|(vertex, weights)| (vertex, &weights[..])).collect();
        put_weights(&mut model, place.mesh, (skin, model_from_skin), &vertices);
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
