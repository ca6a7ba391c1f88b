//! A mesh: vertex streams in the order of the source file, triangles, influences, and what it hangs on.

use glam::{Vec2, Vec3};
use thiserror::Error;

use crate::anim::skeleton::BoneIndex;
use crate::anim::skin::cpu::InfluenceSet;

/// What moves a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binding {
    /// Skinned: an index into the model's skins; the influences' joints point into that skin's joint list.
    Skin(usize),
    /// Rigid: it hangs on a bone, its vertices are in that bone's space.
    Bone(BoneIndex),
}

/// One drawable piece with one material. Vertex order is that of the source file.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    /// Unique within its model.
    pub name: String,
    /// In model space at bind time (skinned), or in the bone's space (rigid).
    pub positions: Vec<Vec3>,
    /// Unit length; as many as positions.
    pub normals: Vec<Vec3>,
    /// Texture coordinates, (0, 0) the top left; as many as positions, or none.
    pub uvs: Vec<Vec2>,
    /// sRGB-encoded colour and alpha that multiply the material's; as many as positions, or none.
    pub colors: Vec<[u8; 4]>,
    /// Triangles; three indices below the number of positions each.
    pub indices: Vec<u32>,
    /// None (rigid), one (up to 4 influences) or two (up to 8).
    pub influences: Vec<InfluenceSet>,
    /// An index into the model's materials.
    pub material: usize,
    /// What moves it.
    pub binding: Binding,
}

/// Why a mesh is not valid.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)]
pub enum MeshError {
    #[error("{count} {stream} for {vertices} vertices")]
    Count { stream: &'static str, count: usize, vertices: usize },
    #[error("vertex {vertex}: its {stream} is not finite")]
    NotFinite { stream: &'static str, vertex: usize },
    #[error("{count} indices are not whole triangles")]
    Triangles { count: usize },
    #[error("index {at} is {index}, but there are {vertices} vertices")]
    Index { at: usize, index: u32, vertices: usize },
    #[error("vertex {vertex}: joint {joint}, but its skin has {joints} joints")]
    Joint { vertex: usize, joint: u16, joints: usize },
    #[error("vertex {vertex}: its weights sum to {sum}, not to 1")]
    Weights { vertex: usize, sum: f32 },
    #[error("{sets} sets of influences; a rigid mesh has none, a skinned one has one or two")]
    Sets { sets: usize },
}

impl Mesh {
    /// Checks streams, indices and influences; `joints` is the length of the skin's joint list, `None` where rigid.
    pub fn check(&self, joints: Option<usize>) -> Result<(), MeshError> {
        let vertices = self.positions.len();
        self.check_streams(vertices)?;
        if !self.indices.len().is_multiple_of(3) {
            return Err(MeshError::Triangles { count: self.indices.len() });
        }
        if let Some(at) = self.indices.iter().position(|&index| index as usize >= vertices) {
            return Err(MeshError::Index { at, index: self.indices[at], vertices });
        }
        let sets = self.influences.len();
        match joints {
            None if sets == 0 => Ok(()),
            Some(joints) if sets == 1 || sets == 2 => self.check_influences(joints),
            _ => Err(MeshError::Sets { sets }),
        }
    }

    fn check_streams(&self, vertices: usize) -> Result<(), MeshError> {
        let optional = |count: usize| if count == 0 { vertices } else { count };
        let streams = [
            ("normals", self.normals.len()),
            ("texture coordinates", optional(self.uvs.len())),
            ("colours", optional(self.colors.len())),
        ];
        for (stream, count) in streams {
            if count != vertices {
                return Err(MeshError::Count { stream, count, vertices });
            }
        }
        for set in &self.influences {
            for (stream, count) in [("joints", set.joints.len()), ("weights", set.weights.len())] {
                if count != vertices {
                    return Err(MeshError::Count { stream, count, vertices });
                }
            }
        }
        let broken = [
            ("position", self.positions.iter().position(|value| !value.is_finite())),
            ("normal", self.normals.iter().position(|value| !value.is_finite())),
            ("texture coordinate", self.uvs.iter().position(|value| !value.is_finite())),
        ];
        for (stream, vertex) in broken {
            if let Some(vertex) = vertex {
                return Err(MeshError::NotFinite { stream, vertex });
            }
        }
        Ok(())
    }

    fn check_influences(&self, joints: usize) -> Result<(), MeshError> {
        for vertex in 0..self.positions.len() {
            let mut sum = 0.0;
            for set in &self.influences {
                for (joint, weight) in set.joints[vertex].into_iter().zip(set.weights[vertex]) {
                    if usize::from(joint) >= joints {
                        return Err(MeshError::Joint { vertex, joint, joints });
                    }
                    if weight.is_nan() || weight < 0.0 {
                        return Err(MeshError::Weights { vertex, sum: weight });
                    }
                    sum += weight;
                }
            }
            if (sum - 1.0).is_nan() || (sum - 1.0).abs() > 1e-3 {
                return Err(MeshError::Weights { vertex, sum });
            }
        }
        Ok(())
    }
}
