//! The middle of a mesh along a line of sight: between the surface where it enters and the one where it leaves.

use glam::Vec3;

use crate::editor::ops::mesh_tree::posed::hit_triangle;
use crate::render::frame::camera::Ray;
use keypose::assets::model::{Model, Visibility};
use keypose::assets::skinned_mesh::mesh_positions;
use keypose_tools::bind_pose::bind_pose;

/// The triangles of the shown meshes in the bind pose.
pub fn bound_triangles(model: &Model) -> Vec<[Vec3; 3]> {
    let pose = bind_pose(model);
    let (mut scratch, mut positions, mut triangles) = (Vec::new(), Vec::new(), Vec::new());
    for slot in model.meshes.iter().filter(|slot| slot.visibility == Visibility::Shown) {
        mesh_positions(model, &slot.mesh, &pose, &mut scratch, &mut positions);
        let corner = |at: u32| positions.get(at as usize).copied().unwrap_or_default();
        triangles.extend(slot.mesh.indices.chunks_exact(3).map(|at| [corner(at[0]), corner(at[1]), corner(at[2])]));
    }
    triangles
}

/// The point in the middle of the first solid part that a ray passes: from the first hit to the one where it has left as many surfaces as
/// it entered. On open meshes, to the second hit.
pub fn middle(triangles: &[[Vec3; 3]], ray: &Ray) -> Option<Vec3> {
    let hit = |corners: &[Vec3; 3]| {
        let (distance, _) = hit_triangle(ray, *corners)?;
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
        Some((distance, normal.dot(ray.direction) < 0.0))
    };
    let mut hits: Vec<(f32, bool)> = triangles.iter().filter_map(hit).collect();
    hits.sort_by(|a, b| a.0.total_cmp(&b.0));
    let first = hits.first()?;
    let mut depth = 0;
    let left = hits.iter().find(|(_, enters)| {
        depth += if *enters { 1 } else { -1 };
        depth == 0
    });
    let last = left.or(hits.get(1)).unwrap_or(first);
    Some(ray.at((first.0 + last.0) / 2.0))
}
