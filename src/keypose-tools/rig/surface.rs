//! The triangles of several meshes together, in model space as they are bound: what bones are placed in and weights are computed for.
//! Morph targets are left out.

use std::collections::BTreeMap;
use std::ops::Range;

use glam::{Mat4, Vec3};

use crate::anim::mat34::Mat3x4;
use crate::anim::skeleton::BoneIndex;
use crate::assets::mesh::{Binding, Mesh};
use crate::assets::model::{Model, Visibility};
use crate::bind_pose::bind_pose;
use crate::rig::RigError;
use crate::symmetry::{Plane, bind_plane};

/// A mesh of the model in a surface.
#[derive(Clone, Debug, PartialEq)]
pub struct SurfaceMesh {
    /// The index of the mesh in the model.
    pub mesh: usize,
    /// The vertices of the surface that are those of the mesh, in their order.
    pub vertices: Range<usize>,
    /// Model space from the space of the mesh.
    pub model_from_mesh: Mat4,
}

/// Triangles with shared vertices.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surface {
    /// In model space.
    pub positions: Vec<Vec3>,
    /// Indices of vertices. Those of hidden meshes are left out: levels of detail and collision shapes have no volume.
    pub triangles: Vec<[u32; 3]>,
    /// Where the vertices of each mesh are. Empty for a surface that isn't made of a model.
    pub meshes: Vec<SurfaceMesh>,
    /// The first vertex at the same place, for each vertex. Vertices are split at seams of texture coordinates and normals, and must
    /// not come apart there.
    pub welded: Vec<u32>,
    /// The plane between the sides of the skeleton: x = 0 for a surface that isn't made of a model.
    pub plane: Plane,
    /// The connected part of each vertex, counted from 0 in the order of the vertices.
    pub parts: Vec<u32>,
}

impl Surface {
    /// A surface of triangles.
    ///
    /// # Errors
    /// If there is no triangle, a position is not finite, an index is wrong, or all vertices are at one place.
    pub fn new(positions: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Result<Surface, RigError> {
        if triangles.is_empty() {
            return Err(RigError::NoTriangles);
        }
        if let Some(vertex) = positions.iter().position(|position| !position.is_finite()) {
            return Err(RigError::NotFinite { vertex });
        }
        for (triangle, corners) in triangles.iter().enumerate() {
            if let Some(&index) = corners.iter().find(|index| **index as usize >= positions.len()) {
                return Err(RigError::NoVertex { triangle, index });
            }
        }
        let welded = welded(&positions);
        let parts = parts(&welded, &triangles);
        let surface = Surface { positions, triangles, meshes: Vec::new(), welded, parts, plane: Plane::default() };
        let (min, max) = surface.bounds();
        let size = (max - min).max_element();
        let is_sized = size > 1e-20 && size < 1e18 && size > 1e-4 * min.abs().max(max.abs()).max_element();
        if is_sized { Ok(surface) } else { Err(RigError::NoSize) }
    }

    /// The surface of the meshes of a model that [`is_bindable`] chooses.
    ///
    /// # Errors
    /// As [`Surface::new`].
    pub fn of(model: &Model) -> Result<Surface, RigError> {
        Surface::of_meshes(model, |mesh| is_bindable(model, mesh))
    }

    /// The surface of the meshes of a model that are chosen by their index.
    ///
    /// # Errors
    /// As [`Surface::new`].
    pub fn of_meshes(model: &Model, is_chosen: impl Fn(usize) -> bool) -> Result<Surface, RigError> {
        let pose = bind_pose(model);
        let (mut positions, mut triangles, mut meshes) = (Vec::new(), Vec::new(), Vec::new());
        for (at, slot) in model.meshes.iter().enumerate().filter(|(at, _)| is_chosen(*at)) {
            let first = positions.len();
            let model_from_mesh = match slot.mesh.binding {
                Binding::Bone(bone) => pose.bones.get(usize::from(bone)).map_or(Mat4::IDENTITY, Mat3x4::to_mat4),
                Binding::Skin(skin) => model_from_skin(model, skin),
            };
            let place = |position: &Vec3| model_from_mesh.transform_point3(*position);
            positions.extend(slot.mesh.positions.iter().map(place));
            if slot.visibility == Visibility::Shown {
                triangles.extend(corners(&slot.mesh).map(|corners| corners.map(|index| index + first as u32)));
            }
            meshes.push(SurfaceMesh { mesh: at, vertices: first..positions.len(), model_from_mesh });
        }
        let surface = Surface::new(positions, triangles)?;
        Ok(Surface { meshes, plane: bind_plane(model), ..surface })
    }

    /// The corners of the box around the vertices of triangles.
    pub fn bounds(&self) -> (Vec3, Vec3) {
        let used = self.triangles.iter().flatten().map(|index| self.positions[*index as usize]);
        used.fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(min, max), at| (min.min(at), max.max(at)))
    }

    /// The number of connected parts.
    pub fn part_count(&self) -> usize {
        self.parts.iter().max().map_or(0, |part| *part as usize + 1)
    }

    /// The corners of a triangle.
    pub fn corners(&self, triangle: [u32; 3]) -> [Vec3; 3] {
        triangle.map(|index| self.positions[index as usize])
    }

    /// The mean direction of the triangles at each place, by area, with the vertices at other positions: unit length, equal at seams; zero
    /// for vertices that no triangle has.
    pub fn normals(&self, positions: &[Vec3]) -> Vec<Vec3> {
        let mut sums = vec![Vec3::ZERO; positions.len()];
        for triangle in &self.triangles {
            let [a, b, c] = triangle.map(|at| positions[at as usize]);
            let normal = (b - a).cross(c - a);
            triangle.iter().for_each(|at| sums[self.welded[*at as usize] as usize] += normal);
        }
        self.welded.iter().map(|first| sums[*first as usize].normalize_or_zero()).collect()
    }

    /// The neighbours of each vertex along edges, by welded vertices. Vertices that are not the first at their place have none.
    pub fn neighbours(&self) -> Neighbours {
        let edges = || {
            let welded = |triangle: &[u32; 3]| triangle.map(|index| self.welded[index as usize]);
            let pairs = |[a, b, c]: [u32; 3]| [(a, b), (b, c), (c, a), (b, a), (c, b), (a, c)];
            self.triangles.iter().map(welded).flat_map(pairs).filter(|(a, b)| a != b)
        };
        let mut starts = vec![0_u32; self.positions.len() + 1];
        edges().for_each(|(from, _)| starts[from as usize + 1] += 1);
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let (mut next, mut all) = (starts.clone(), vec![0; starts.last().map_or(0, |end| *end as usize)]);
        for (from, to) in edges() {
            all[next[from as usize] as usize] = to;
            next[from as usize] += 1;
        }
        Neighbours { starts, all }
    }
}

/// The vertices beside each vertex; one that two triangles share occurs twice.
#[derive(Clone, Debug)]
pub struct Neighbours {
    starts: Vec<u32>,
    all: Vec<u32>,
}

impl Neighbours {
    /// Returns the neighbours of a vertex.
    pub fn of(&self, vertex: usize) -> &[u32] {
        &self.all[self.starts[vertex] as usize..self.starts[vertex + 1] as usize]
    }
}

/// Whether a mesh gets weights: a skinned one, or any mesh of a model without skinned ones. In a model with a skin, a rigid mesh is
/// held, such as a sword.
pub fn is_bindable(model: &Model, mesh: usize) -> bool {
    let own = model.meshes.get(mesh).is_some_and(|slot| matches!(slot.mesh.binding, Binding::Skin(_)));
    own || !model.is_skinned()
}

/// The space of a skin, placed as [`bind_pose`] places its bones.
pub fn model_from_skin(model: &Model, skin: usize) -> Mat4 {
    let Some(skin) = model.skins.get(skin) else { return Mat4::IDENTITY };
    let top = skin.joints.iter().zip(&skin.inverse_binds).min_by_key(|(joint, _)| **joint);
    let place = |(joint, bind): (&BoneIndex, &Mat4)| model.skeleton.rest_model_pose().get(*joint).to_mat4() * *bind;
    top.map(place).filter(Mat4::is_finite).unwrap_or(Mat4::IDENTITY)
}

fn corners(mesh: &Mesh) -> impl Iterator<Item = [u32; 3]> {
    mesh.indices.as_chunks().0.iter().copied()
}

/// The first vertex at the same place for each vertex.
fn welded(positions: &[Vec3]) -> Vec<u32> {
    let mut first = BTreeMap::new();
    // Adding 0 makes one zero of both.
    let key = |position: &Vec3| position.to_array().map(|part| (part + 0.0).to_bits());
    (0..).zip(positions).map(|(at, position)| *first.entry(key(position)).or_insert(at)).collect()
}

/// The connected part of each vertex.
fn parts(welded: &[u32], triangles: &[[u32; 3]]) -> Vec<u32> {
    let mut above: Vec<u32> = welded.to_vec();
    fn top(above: &mut [u32], mut at: u32) -> u32 {
        while above[at as usize] != at {
            above[at as usize] = above[above[at as usize] as usize];
            at = above[at as usize];
        }
        at
    }
    for [a, b, c] in triangles {
        for other in [b, c] {
            let (one, other) = (top(&mut above, *a), top(&mut above, *other));
            above[one.max(other) as usize] = one.min(other);
        }
    }
    let mut numbers = BTreeMap::new();
    let mut part = |at: u32| {
        let top = top(&mut above, at);
        let next = numbers.len() as u32;
        *numbers.entry(top).or_insert(next)
    };
    (0..welded.len() as u32).map(&mut part).collect()
}
