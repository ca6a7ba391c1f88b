//! A mesh: vertex streams in the order of the source file, triangles, influences and binding.

use std::collections::HashMap;

use glam::{Vec2, Vec3};
use thiserror::Error;

use crate::anim::morph::MorphTarget;
use crate::anim::skeleton::BoneIndex;
use crate::anim::skin::cpu::InfluenceSet;

/// The skin or bone that moves a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binding {
    /// Skinned: an index into the model's skins. Joints of influences are indices into the joints of that skin.
    Skin(usize),
    /// Rigid: attached to a bone, with vertices in the space of the bone.
    Bone(BoneIndex),
}

/// A mesh with one material. Vertices are in the order of the source file.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    /// Unique within its model.
    pub name: String,
    /// In model space in the bind pose (skinned), or in the space of the bone (rigid).
    pub positions: Vec<Vec3>,
    /// Unit length; one for each position, or none: its triangles are flat.
    pub normals: Vec<Vec3>,
    /// Texture coordinates, (0, 0) at the top left; one for each position, or none.
    pub uvs: Vec<Vec2>,
    /// sRGB colour and alpha that multiply those of the material; one for each position, or none.
    pub colors: Vec<[u8; 4]>,
    /// Three indices of vertices for each triangle.
    pub indices: Vec<u32>,
    /// None (rigid), one (up to 4 influences) or two (up to 8).
    pub influences: Vec<InfluenceSet>,
    /// Shapes towards which its vertices move before they are skinned.
    pub morphs: Vec<MorphTarget>,
    /// An index into the model's materials.
    pub material: usize,
    /// Bone or skin that moves the mesh.
    pub binding: Binding,
}

/// Why a mesh is invalid.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)]
pub enum MeshError {
    #[error("{count} {stream} for {vertices} vertices")]
    Count { stream: &'static str, count: usize, vertices: usize },
    #[error("vertex {vertex}: the {stream} is not finite")]
    NotFinite { stream: &'static str, vertex: usize },
    #[error("{count} indices are not a multiple of 3")]
    Triangles { count: usize },
    #[error("index {at} is {index}, but the mesh has {vertices} vertices")]
    Index { at: usize, index: u32, vertices: usize },
    #[error("vertex {vertex}: joint {joint} does not exist; the skin has {joints} joints")]
    Joint { vertex: usize, joint: u16, joints: usize },
    #[error("vertex {vertex}: the weights sum to {sum}, not to 1")]
    Weights { vertex: usize, sum: f32 },
    #[error("{sets} sets of influences; a rigid mesh has none, a skinned mesh one or two")]
    Sets { sets: usize },
    #[error("morph target {target}: {reason}")]
    Morph { target: usize, reason: &'static str },
}

impl Mesh {
    /// The joint of its skin that moves its first vertex most; 0 of a rigid mesh.
    pub fn leading_joint(&self) -> usize {
        let joint = self.influences.first().and_then(|set| {
            let influences = set.joints.first()?.iter().zip(set.weights.first()?);
            influences.max_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(joint, _)| usize::from(*joint))
        });
        joint.unwrap_or_default()
    }

    /// A mesh without vertices, with the first material.
    pub fn empty(name: &str, binding: Binding) -> Mesh {
        Mesh {
            name: name.to_owned(),
            positions: Vec::new(),
            normals: Vec::new(),
            uvs: Vec::new(),
            colors: Vec::new(),
            indices: Vec::new(),
            influences: Vec::new(),
            morphs: Vec::new(),
            material: 0,
            binding,
        }
    }

    /// Checks the morph targets, for a skeleton with this number of scalars.
    pub fn check_morphs(&self, scalars: usize) -> Result<(), MeshError> {
        let vertices = self.positions.len();
        let check = |(target, morph): (usize, &MorphTarget)| {
            morph.check(vertices, scalars).map_err(|reason| MeshError::Morph { target, reason })
        };
        self.morphs.iter().enumerate().try_for_each(check)
    }

    /// Gives each corner of a triangle its value, in the order of the indices. The first value of a vertex stays with it; corners with
    /// others get copies of the vertex at the end. Returns the value of each vertex, `None` if no triangle uses it.
    pub fn split_corners<const N: usize>(&mut self, corners: &[[f32; N]]) -> Vec<Option<[f32; N]>> {
        let count = self.positions.len();
        let mut values: Vec<Option<[f32; N]>> = vec![None; count];
        let mut copies: HashMap<(u32, [u32; N]), u32> = HashMap::new();
        let mut copied = Vec::new();
        for (index, corner) in self.indices.iter_mut().zip(corners) {
            if *values[*index as usize].get_or_insert(*corner) == *corner {
                continue;
            }
            let next = (count + copied.len()) as u32;
            let copy = *copies.entry((*index, corner.map(f32::to_bits))).or_insert(next);
            if copy == next {
                copied.push(*index);
                values.push(Some(*corner));
            }
            *index = copy;
        }
        self.copy_vertices(&copied);
        values
    }

    /// Appends copies of vertices, which have to exist.
    fn copy_vertices(&mut self, copied: &[u32]) {
        fn extend<T: Copy>(stream: &mut Vec<T>, copied: &[u32]) {
            if !stream.is_empty() {
                let copies: Vec<T> = copied.iter().map(|vertex| stream[*vertex as usize]).collect();
                stream.extend(copies);
            }
        }
        // All streams by name: a new one does not compile until it is handled here.
        let Mesh { name: _, positions, normals, uvs, colors, indices: _, influences, morphs, material: _, binding: _ } =
            self;
        let count = positions.len();
        morphs.iter_mut().for_each(|morph| morph.copy_vertices(copied, count));
        extend(positions, copied);
        extend(normals, copied);
        extend(uvs, copied);
        extend(colors, copied);
        for InfluenceSet { joints, weights } in influences {
            extend(joints, copied);
            extend(weights, copied);
        }
    }

    /// Checks streams, indices and influences. `joints` is the number of joints of the skin; `None` for a rigid mesh.
    pub fn check(&self, joints: Option<usize>) -> Result<(), MeshError> {
        let vertices = self.positions.len();
        self.check_streams(vertices)?;
        if !self.indices.len().is_multiple_of(3) {
            return Err(MeshError::Triangles { count: self.indices.len() });
        }
        if let Some(at) = first_wrong(&self.indices, |&index| (index as usize) < vertices) {
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
            ("normals", optional(self.normals.len())),
            ("texture coordinates", optional(self.uvs.len())),
            ("colours", optional(self.colors.len())),
        ];
        let sets = self.influences.iter();
        let sets = sets.flat_map(|set| [("joints", set.joints.len()), ("weights", set.weights.len())]);
        if let Some((stream, count)) = streams.into_iter().chain(sets).find(|(_, count)| *count != vertices) {
            return Err(MeshError::Count { stream, count, vertices });
        }
        let broken = [
            ("position", first_wrong(&self.positions, |value| value.is_finite())),
            ("normal", first_wrong(&self.normals, |value| value.is_finite())),
            ("texture coordinate", first_wrong(&self.uvs, |value| value.is_finite())),
        ];
        for (stream, vertex) in broken {
            if let Some(vertex) = vertex {
                return Err(MeshError::NotFinite { stream, vertex });
            }
        }
        Ok(())
    }

    /// Expects that all streams have the same length.
    fn check_influences(&self, joints: usize) -> Result<(), MeshError> {
        for set in &self.influences {
            if let Some(vertex) =
                first_wrong(&set.joints, |slots| slots.iter().all(|&joint| usize::from(joint) < joints))
            {
                let joint = set.joints[vertex].into_iter().find(|&joint| usize::from(joint) >= joints);
                return Err(MeshError::Joint { vertex, joint: joint.unwrap_or_default(), joints });
            }
            if let Some(vertex) = first_wrong(&set.weights, |slots| slots.iter().all(|&weight| weight >= 0.0)) {
                let sum = set.weights[vertex].into_iter().find(|weight| weight.is_nan() || *weight < 0.0);
                return Err(MeshError::Weights { vertex, sum: sum.unwrap_or_default() });
            }
        }
        let add = |sum: f32, slots: &[f32; 4]| slots.iter().fold(sum, |sum, weight| sum + weight);
        let sum = |vertex: usize| self.influences.iter().fold(0.0, |sum, set| add(sum, &set.weights[vertex]));
        let is_one = |sum: f32| (sum - 1.0).abs() <= 1e-3;
        let wrong = match &self.influences[..] {
            [one] => first_wrong(&one.weights, |slots| is_one(add(0.0, slots))),
            _ => (0..self.positions.len()).find(|&vertex| !is_one(sum(vertex))),
        };
        match wrong {
            Some(vertex) => Err(MeshError::Weights { vertex, sum: sum(vertex) }),
            None => Ok(()),
        }
    }
}

/// The index of the first invalid value. Checking all values without an early exit is several times faster, and usually all
/// are valid.
fn first_wrong<T>(values: &[T], is_right: impl Fn(&T) -> bool) -> Option<usize> {
    if values.iter().fold(true, |good, value| good & is_right(value)) {
        None
    } else {
        values.iter().position(|value| !is_right(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_with_other_values_get_copies_of_their_vertex() {
        let positions = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
        let mut mesh =
            Mesh { positions, indices: vec![0, 1, 2, 0, 2, 1, 2, 1, 0], ..Mesh::empty("m", Binding::Bone(0)) };
        let values = mesh.split_corners(&[[1.0], [2.0], [3.0], [1.0], [4.0], [2.0], [4.0], [5.0], [1.0]]);
        assert_eq!(values, [Some([1.0]), Some([2.0]), Some([3.0]), None, Some([4.0]), Some([5.0])]);
        assert_eq!(mesh.indices, [0, 1, 2, 0, 4, 1, 4, 5, 0]);
        assert_eq!(mesh.positions[4..], [Vec3::Y, Vec3::X]);
    }
}
