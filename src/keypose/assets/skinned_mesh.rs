//! Morphs and skins the meshes of a model on the CPU. The reference for what the renderer draws.

use std::borrow::Cow;

use glam::Vec3;

use crate::anim::mat34::Mat3x4;
use crate::anim::morph;
use crate::anim::pose::ModelPose;
use crate::anim::skin::cpu::{self, Influences, Skinned, Source};
use crate::anim::skin::dual::{self, DualPalette};
use crate::anim::skin::method::Method;
use crate::anim::skin::palette;
use crate::assets::mesh::{Binding, Mesh};
use crate::assets::model::Model;

/// Writes the positions of a mesh's vertices in a pose to `out`, in model space and file order. `scratch` holds the palette.
pub fn mesh_positions(model: &Model, mesh: &Mesh, pose: &ModelPose, scratch: &mut Vec<Mat3x4>, out: &mut Vec<Vec3>) {
    let mut skinned = Skinned { positions: std::mem::take(out), ..Skinned::default() };
    skin_with(model, mesh, &[], pose, scratch, &mut skinned);
    *out = skinned.positions;
}

/// As [`mesh_positions`], with normals: in model space, not normalized, and empty if the mesh has none. `out.tangents` stays
/// empty.
pub fn mesh_vertices(model: &Model, mesh: &Mesh, pose: &ModelPose, scratch: &mut Vec<Mat3x4>, out: &mut Skinned) {
    skin_with(model, mesh, &mesh.normals, pose, scratch, out);
}

/// Writes the vertices of a mesh with these normals, or without any.
fn skin_with(
    model: &Model,
    mesh: &Mesh,
    normals: &[Vec3],
    pose: &ModelPose,
    scratch: &mut Vec<Mat3x4>,
    out: &mut Skinned,
) {
    let (positions, normals) = morphed(mesh, pose, normals);
    match mesh.binding {
        Binding::Bone(bone) => {
            let model_from_bone = pose.get(bone);
            out.positions.clear();
            out.positions.extend(positions.iter().map(|&position| model_from_bone.transform_point(position)));
            out.normals.clear();
            out.normals.extend(normals.iter().map(|&normal| model_from_bone.transform_vector(normal)));
            out.tangents.clear();
        }
        Binding::Skin(skin) => {
            scratch.clear();
            if let Some(skin) = model.skins.get(skin) {
                palette::compute(skin, pose, scratch);
            }
            let source = Source { positions: &positions, normals: &normals, tangents: &[] };
            skin_by(model.skinning, mesh, scratch, &source, out);
        }
    }
}

/// Skins vertices by a method. In one pose, interpolated matrices are those of the pose.
fn skin_by(method: Method, mesh: &Mesh, palette: &[Mat3x4], source: &Source<'_>, out: &mut Skinned) {
    let influences = Influences::of(&mesh.influences);
    match method {
        Method::Linear | Method::Interpolated => cpu::vertices(&influences, palette, source, out),
        Method::Rigid => dual::vertices_rigid(&influences, palette, source, out),
        Method::Dual => {
            let mut prepared = DualPalette::default();
            prepared.compute(palette);
            dual::vertices(&influences, &prepared, source, out);
        }
    }
}

/// The positions and these normals of a mesh, moved by its morph targets. Those of a mesh without morph targets are borrowed.
pub(super) fn morphed<'m>(mesh: &'m Mesh, pose: &ModelPose, normals: &'m [Vec3]) -> (Cow<'m, [Vec3]>, Cow<'m, [Vec3]>) {
    let (mut positions, mut normals) = (Cow::Borrowed(&mesh.positions[..]), Cow::Borrowed(normals));
    if mesh.morphs.iter().any(|target| morph::weight(target, &pose.scalars) != 0.0) {
        morph::deform(&mesh.morphs, &pose.scalars, positions.to_mut(), normals.to_mut());
    }
    (positions, normals)
}
