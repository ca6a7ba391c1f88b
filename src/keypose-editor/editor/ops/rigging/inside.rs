//! The middle of a mesh along a line of sight: between the surface where it enters and the one where it leaves.

use glam::Vec3;

use crate::render::frame::camera::Ray;
use keypose::assets::model::{Model, Visibility};
use keypose::assets::skinned_mesh::mesh_positions;
use keypose_tools::bind_pose::bind_pose;
use keypose_tools::triangle_tree::TriangleTree;

/// The triangles of the shown meshes in the bind pose.
#[derive(Clone, Debug)]
pub struct Solid {
    triangles: Vec<[Vec3; 3]>,
    tree: TriangleTree,
}

impl Solid {
    /// The meshes of a model.
    pub fn of(model: &Model) -> Solid {
        let pose = bind_pose(model);
        let (mut scratch, mut positions, mut triangles) = (Vec::new(), Vec::new(), Vec::new());
        for slot in model.meshes.iter().filter(|slot| slot.visibility == Visibility::Shown) {
            mesh_positions(model, &slot.mesh, &pose, &mut scratch, &mut positions);
            let corner = |at: u32| positions.get(at as usize).copied().unwrap_or_default();
            triangles.extend(slot.mesh.indices.chunks_exact(3).map(|at| [corner(at[0]), corner(at[1]), corner(at[2])]));
        }
        Solid { tree: TriangleTree::new(triangles.len(), |at| triangles[at]), triangles }
    }

    /// The point in the middle of the first solid part that a ray passes: from the first hit to the one where it has left as many surfaces
    /// as it entered. On open meshes, to the second hit.
    pub fn middle(&self, ray: &Ray) -> Option<Vec3> {
        let mut hits = self.tree.hits([ray.origin, ray.direction], |at| self.triangles[at]);
        hits.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let first = hits.first()?;
        let mut depth = 0;
        let left = hits.iter().find(|(_, triangle)| {
            let [a, b, c] = self.triangles[*triangle];
            let enters = (b - a).cross(c - a).dot(ray.direction) < 0.0;
            depth += if enters { 1 } else { -1 };
            depth == 0
        });
        let last = left.or(hits.get(1)).unwrap_or(first);
        Some(ray.at((first.0 + last.0) / 2.0))
    }
}
