//! A posed mesh for rays: its triangles, and boxes around many of its vertices without reading them.

use glam::Vec3;

use crate::editor::ops::mesh_tree::{Hit, Reach};
use crate::render::frame::bounds::Aabb;
use crate::render::frame::camera::Ray;
use keypose::anim::mat34::Mat3x4;
use keypose::anim::pose::ModelPose;
use keypose::anim::skin::method::Method;
use keypose::assets::mesh::Mesh;
use keypose::assets::model::Model;
use keypose_tools::posed_mesh::PosedMesh;
use keypose_tools::triangle_tree;

/// The sum of a vertex's weights is 1 to this.
const WEIGHTS: f32 = 1e-3;
/// Where more joints stretch and are blended as dual quaternions, a node has no box.
const MAX_STRETCHED: usize = 16;

/// A mesh in a pose that rays hit.
pub struct Target<'m> {
    posed: PosedMesh<'m>,
    /// How far its morph targets move a vertex at most.
    morphed: f32,
}

impl<'m> Target<'m> {
    /// A mesh of the model. Reads no vertices, unless morph targets move some.
    pub fn new(model: &Model, mesh: &'m Mesh, pose: &ModelPose) -> Target<'m> {
        let posed = PosedMesh::new(model, mesh, pose);
        let farthest = |positions: &[Vec3]| positions.iter().map(|moved| moved.length_squared()).fold(0.0, f32::max);
        let moved = posed.weights.iter().zip(&mesh.morphs).filter(|(weight, _)| **weight != 0.0);
        let morphed = moved.map(|(weight, target)| weight.abs() * farthest(&target.positions).sqrt()).sum();
        Target { posed, morphed }
    }

    /// Where a ray meets a triangle.
    pub(super) fn hit(&self, triangle: usize, ray: &Ray) -> Option<Hit> {
        let corners: [usize; 3] = std::array::from_fn(|corner| self.posed.mesh.indices[triangle * 3 + corner] as usize);
        let (distance, weights) = hit_triangle(ray, corners.map(|vertex| self.posed.position(vertex)))?;
        Some(Hit { distance, corners, weights })
    }

    /// A box around posed vertices whose boxes, as they were bound, are these; `None` if they may be anywhere.
    ///
    /// A vertex that is blended of matrices is between the places to which its joints move it. One that is blended of dual quaternions
    /// moves on arcs between these places, after it was stretched by all of its joints. An arc of a half turn or less is nearer to its
    /// chord than half of the chord's length; the box grows by its whole diagonal, because more than two joints may be blended.
    pub(super) fn bounds(&self, reach: &[Reach], is_morphed: bool) -> Option<Aabb> {
        let morphed = if is_morphed { self.morphed } else { 0.0 };
        let (mut bounds, palette) = (Aabb::EMPTY, &self.posed.palette);
        let matrix = |joint: u16| palette.matrices().get(usize::from(joint)).copied().unwrap_or_default();
        let is_arc = self.posed.method == Method::Dual && reach.len() > 1;
        if is_arc && !palette.dual().stretch.is_empty() {
            if reach.len() > MAX_STRETCHED {
                return None;
            }
            for moved in reach {
                reach.iter().for_each(|by| {
                    let matrix = palette.dual().stretched_by(moved.joint.into(), by.joint.into());
                    add(&mut bounds, moved, &matrix, morphed);
                });
            }
        } else {
            reach.iter().for_each(|reach| add(&mut bounds, reach, &matrix(reach.joint), morphed));
        }
        let size = bounds.min.abs().max(bounds.max.abs()).max_element();
        let arc = if is_arc { 2.0 * bounds.radius() } else { 0.0 };
        Some(grown(bounds, size * WEIGHTS + arc))
    }
}

/// Adds a box that moves with its joint, after it grew by `morphed`.
fn add(bounds: &mut Aabb, reach: &Reach, matrix: &Mat3x4, morphed: f32) {
    let center = matrix.transform_point((reach.bounds.min + reach.bounds.max) * 0.5);
    let half = (reach.bounds.max - reach.bounds.min) * 0.5 + Vec3::splat(morphed);
    let half = Vec3::from_array(matrix.rows.map(|row| row.truncate().abs().dot(half)));
    bounds.add(center - half);
    bounds.add(center + half);
}

fn grown(bounds: Aabb, by: f32) -> Aabb {
    Aabb { min: bounds.min - by, max: bounds.max + by }
}

/// The distance along the ray and the barycentric weights of the corners. Hits both sides.
pub fn hit_triangle(ray: &Ray, corners: [Vec3; 3]) -> Option<(f32, [f32; 3])> {
    triangle_tree::hit_triangle([ray.origin, ray.direction], corners)
}
