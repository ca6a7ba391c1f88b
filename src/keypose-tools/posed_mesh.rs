//! A mesh in a pose, vertex by vertex: for callers that read a few vertices of a large mesh. [`crate::assets::skinned_mesh`] has
//! all of them.

use glam::Vec3;

use crate::anim::mat34::Mat3x4;
use crate::anim::morph;
use crate::anim::pose::ModelPose;
use crate::anim::skin::cpu::Influences;
use crate::anim::skin::method::{self, Method, Prepared};
use crate::anim::skin::palette;
use crate::assets::mesh::{Binding, Mesh};
use crate::assets::model::Model;

/// Returns the joint matrices of a mesh in a pose, or the matrix of its bone; none if its skin doesn't exist.
fn matrices_of(model: &Model, mesh: &Mesh, pose: &ModelPose) -> Vec<Mat3x4> {
    match mesh.binding {
        Binding::Bone(bone) => vec![pose.get(bone)],
        Binding::Skin(skin) => {
            let mut matrices = Vec::new();
            if let Some(skin) = model.skins.get(skin) {
                palette::compute(skin, pose, &mut matrices);
            }
            matrices
        }
    }
}

/// A mesh in a pose of its model.
pub struct PosedMesh<'m> {
    /// The mesh.
    pub mesh: &'m Mesh,
    /// Skinning method. A rigid mesh has one joint, its bone.
    pub method: Method,
    /// The matrices of its joints.
    pub palette: Prepared,
    /// The weights of its morph targets; none if all are 0.
    pub weights: Vec<f32>,
}

impl<'m> PosedMesh<'m> {
    /// A mesh of the model. Reads no vertices.
    pub fn new(model: &Model, mesh: &'m Mesh, pose: &ModelPose) -> PosedMesh<'m> {
        let method = match mesh.binding {
            Binding::Bone(_) => Method::Rigid,
            Binding::Skin(_) => model.skinning,
        };
        let matrices = matrices_of(model, mesh, pose);
        let mut weights: Vec<f32> = mesh.morphs.iter().map(|target| morph::weight(target, &pose.scalars)).collect();
        if weights.iter().all(|weight| *weight == 0.0) {
            weights.clear();
        }
        PosedMesh { mesh, method, palette: Prepared::new(method, matrices), weights }
    }

    /// A vertex in model space.
    pub fn position(&self, vertex: usize) -> Vec3 {
        let position = self.mesh.positions[vertex] + self.moved(vertex)[0];
        self.matrix(vertex).transform_point(position)
    }

    /// The normal of a vertex in model space, not normalized; zero if the mesh has none.
    pub fn normal(&self, vertex: usize) -> Vec3 {
        let normal = self.mesh.normals.get(vertex).copied().unwrap_or_default() + self.moved(vertex)[1];
        method::normal(&self.matrix(vertex), normal)
    }

    /// Returns the sum of morph offsets of a vertex: position and normal.
    fn moved(&self, vertex: usize) -> [Vec3; 2] {
        let mut sum = [Vec3::ZERO; 2];
        for (weight, target) in self.weights.iter().zip(&self.mesh.morphs).filter(|(weight, _)| **weight != 0.0) {
            let difference = target.difference(vertex as u32);
            sum.iter_mut().zip(difference).for_each(|(sum, difference)| *sum += difference * *weight);
        }
        sum
    }

    fn matrix(&self, vertex: usize) -> Mat3x4 {
        match self.mesh.binding {
            Binding::Bone(_) => self.palette.first(),
            // The number of influences only matters to the loops over all vertices.
            Binding::Skin(_) => self.palette.matrix(&Influences { sets: &self.mesh.influences, per_vertex: 8 }, vertex),
        }
    }
}
