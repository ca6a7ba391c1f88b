//! Painting of weights: what is painted on, and strokes of a brush. Where the brush is and what it is set to is the editor's.

mod stroke;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use glam::Vec3;

use crate::anim::pose::ModelPose;
use crate::anim::skeleton::BoneIndex;
use crate::assets::mesh::Binding;
use crate::assets::model::{MeshSlot, Model};
use crate::assets::skinned_mesh::mesh_positions;
use crate::rig::RigError;
use crate::rig::problems::sides;
use crate::rig::surface::{Neighbours, Surface, model_from_skin};
use crate::rig::vertex::VertexRef;
use crate::triangle_tree::TriangleTree;

pub use stroke::Stroke;

/// Effect of a brush on weights.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Action {
    /// Adds the strength to the weight of the bone.
    #[default]
    Add,
    /// Subtracts the strength from it.
    Subtract,
    /// Moves it towards a weight.
    Replace,
    /// Averages the weights of all bones with those of the vertices beside.
    Smooth,
    /// Makes it fall along a line from a weight to 0.
    Gradient,
}

/// Effect of a stroke, and the weights that it keeps.
#[derive(Clone, Debug, PartialEq)]
pub struct Brush {
    pub action: Action,
    /// The bone whose weights are painted.
    pub bone: BoneIndex,
    /// 0 to 1. A stroke that passes a vertex several times changes its weight by no more; [`Action::Smooth`] does.
    pub strength: f32,
    /// The weight of [`Action::Replace`], and that at the start of a gradient. 0 to 1.
    pub weight: f32,
    /// Maximum number of bones for each vertex, 1 to 8. Vertices that have more keep their number.
    pub influences: usize,
    /// Bones whose weights don't change.
    pub locked: Vec<BoneIndex>,
    /// The bone of the other side for each bone; the other side of the mesh follows then.
    pub partners: Option<Vec<BoneIndex>>,
}

/// The skinned meshes of a model, prepared for painting. Weights are no part of it: it serves as long as positions and triangles stay.
#[derive(Clone, Debug)]
pub struct Canvas {
    /// As they are bound.
    pub surface: Surface,
    neighbours: Neighbours,
    /// The vertex at the mirrored place.
    sides: Vec<Option<u32>>,
    /// The vertices sorted by place: those that are split at seams are beside each other.
    sorted: Vec<u32>,
    /// Where each vertex is in them.
    ranks: Vec<u32>,
    /// In the bind pose.
    pub bound: Arc<Shape>,
}

/// The surface in a pose.
#[derive(Clone, Debug)]
pub struct Shape {
    /// Places of the vertices of the surface in model space.
    pub positions: Vec<Vec3>,
    /// Unit normals, equal at seams; zero for vertices that no shown triangle has.
    pub normals: Vec<Vec3>,
    tree: TriangleTree,
}

/// A point of the surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    pub point: Vec3,
    pub normal: Vec3,
    /// The nearest vertex of the surface.
    pub vertex: u32,
}

impl Canvas {
    /// The skinned meshes of a model.
    ///
    /// # Errors
    /// As [`Surface::new`]; rigid meshes have no triangles here.
    pub fn of(model: &Model) -> Result<Canvas, RigError> {
        let surface = Surface::of_meshes(model, |mesh| matches!(model.meshes[mesh].mesh.binding, Binding::Skin(_)))?;
        let mut sorted: Vec<u32> = (0..surface.positions.len() as u32).collect();
        sorted.sort_by_key(|at| (surface.welded[*at as usize], *at));
        let mut ranks = vec![0; sorted.len()];
        (0..).zip(&sorted).for_each(|(rank, at)| ranks[*at as usize] = rank);
        let corners = |at: usize| surface.corners(surface.triangles[at]);
        let tree = TriangleTree::new(surface.triangles.len(), corners);
        let positions = surface.positions.clone();
        let bound = Arc::new(Shape { normals: surface.normals(&positions), positions, tree });
        let welded = |vertex: u32| surface.welded[vertex as usize];
        let sides = sides(&surface).into_iter().map(|other| other.map(welded)).collect();
        Ok(Canvas { neighbours: surface.neighbours(), sides, sorted, ranks, bound, surface })
    }

    /// Whether this is the canvas of a model: it has the same skinned meshes, whatever their weights.
    pub fn is_of(&self, made_of: &Model, model: &Model) -> bool {
        let is_same = |(one, other): (&MeshSlot, &MeshSlot)| {
            one.visibility == other.visibility
                && (Arc::ptr_eq(&one.mesh, &other.mesh)
                    || (one.mesh.binding == other.mesh.binding
                        && one.mesh.positions == other.mesh.positions
                        && one.mesh.indices == other.mesh.indices))
        };
        Arc::ptr_eq(&made_of.skeleton, &model.skeleton)
            && made_of.meshes.len() == model.meshes.len()
            && made_of.meshes.iter().zip(&model.meshes).all(is_same)
            && self.surface.meshes.iter().all(|place| {
                let binding = model.meshes[place.mesh].mesh.binding;
                let Binding::Skin(skin) = binding else { return false };
                place.model_from_mesh == model_from_skin(model, skin)
            })
    }

    /// The surface in a pose of the model.
    pub fn posed(&self, model: &Model, pose: &ModelPose) -> Shape {
        let mut positions = self.surface.positions.clone();
        let (mut matrices, mut posed) = (Vec::new(), Vec::new());
        for place in &self.surface.meshes {
            let Some(slot) = model.meshes.get(place.mesh) else { continue };
            mesh_positions(model, &slot.mesh, pose, &mut matrices, &mut posed);
            if posed.len() == place.vertices.len() {
                positions[place.vertices.clone()].copy_from_slice(&posed);
            }
        }
        let mut tree = self.bound.tree.clone();
        tree.fit(|at| self.surface.triangles[at].map(|vertex| positions[vertex as usize]));
        Shape { normals: self.surface.normals(&positions), positions, tree }
    }

    /// Where a ray, an origin and a direction, first meets the surface.
    pub fn hit(&self, shape: &Shape, ray: [Vec3; 2]) -> Option<Spot> {
        let corners = |at: usize| self.surface.triangles[at].map(|vertex| shape.positions[vertex as usize]);
        let (distance, triangle, weights) = shape.tree.first_hit(ray, corners)?;
        let [a, b, c] = corners(triangle);
        let normal = (b - a).cross(c - a).normalize_or_zero();
        let nearest =
            if weights[0] >= weights[1].max(weights[2]) { 0 } else { 1 + usize::from(weights[2] > weights[1]) };
        let vertex = self.surface.triangles[triangle][nearest];
        Some(Spot { point: ray[0] + ray[1] * distance, normal, vertex })
    }

    /// A vertex of the surface as one of a mesh.
    pub fn vertex(&self, vertex: u32) -> Option<VertexRef> {
        let place = &self.surface.meshes[self.place(vertex)?];
        Some(VertexRef { mesh: place.mesh, vertex: vertex as usize - place.vertices.start })
    }

    /// Which mesh of the surface has a vertex.
    fn place(&self, vertex: u32) -> Option<usize> {
        self.surface.meshes.iter().position(|place| place.vertices.contains(&(vertex as usize)))
    }

    /// All vertices at the place of a vertex that is the first there.
    fn at_place(&self, first: u32) -> &[u32] {
        let rest = &self.sorted[self.ranks[first as usize] as usize..];
        &rest[..rest.iter().take_while(|at| self.surface.welded[**at as usize] == first).count()]
    }
}
