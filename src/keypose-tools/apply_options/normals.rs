//! Normals: flat ones, or means of the triangles around a point. A vertex whose triangles get different normals becomes several.

use std::collections::HashMap;
use std::sync::Arc;

use glam::Vec3;

use crate::assets::import_options::Normals;
use crate::assets::mesh::Mesh;
use crate::assets::model::Model;

/// Triangles around a point beyond which angles don't count: comparing each with each would take too long.
const MAX_COMPARED: usize = 256;

/// Sets the normals of all meshes.
pub fn set(model: &mut Model, normals: Normals) {
    for slot in &mut model.meshes {
        match normals {
            Normals::Keep => {}
            // A mesh without normals is drawn with those of its triangles.
            Normals::Flat => replace(Arc::make_mut(&mut slot.mesh), Vec::new()),
            Normals::Smooth(degrees) => smooth(Arc::make_mut(&mut slot.mesh), degrees),
        }
    }
}

/// Replaces the normals of a mesh. Those of its morph targets are differences from the normals before: they are removed.
fn replace(mesh: &mut Mesh, normals: Vec<Vec3>) {
    mesh.normals = normals;
    mesh.morphs.iter_mut().for_each(|target| target.normals.clear());
}

/// A corner of a triangle: its normal, and how much of the surface around its point it is.
#[derive(Clone, Copy)]
struct Corner {
    /// The unit normal of the triangle; zero if it has none.
    normal: Vec3,
    /// The angle of the triangle at this corner, in radians (Thürmer and Wüthrich, 1998).
    angle: f32,
}

fn smooth(mesh: &mut Mesh, degrees: f32) {
    let corners = corners(mesh);
    let mut around: HashMap<[u32; 3], Vec<usize>> = HashMap::new();
    for (corner, index) in mesh.indices.iter().enumerate() {
        let position = mesh.positions[*index as usize] + Vec3::ZERO;
        around.entry(position.to_array().map(f32::to_bits)).or_default().push(corner);
    }
    let mut normals = vec![Vec3::Y.to_array(); corners.len()];
    for point in around.values() {
        let is_full = degrees >= 180.0 || point.len() > MAX_COMPARED;
        let min_cosine = if is_full { -2.0 } else { degrees.to_radians().cos() - 1e-5 };
        for &corner in point {
            normals[corner] = mean(&corners, point, (corner, min_cosine)).to_array();
            if is_full {
                let same = normals[corner];
                point.iter().for_each(|corner| normals[*corner] = same);
                break;
            }
        }
    }
    let values = mesh.split_corners(&normals);
    // Vertices that no triangle uses keep the normal that they had.
    let known = |vertex: usize| mesh.normals.get(vertex).copied().unwrap_or(Vec3::Y);
    let normal = |(vertex, value): (usize, &Option<[f32; 3]>)| value.map_or_else(|| known(vertex), Vec3::from_array);
    let normals = values.iter().enumerate().map(normal).collect();
    replace(mesh, normals);
}

fn corners(mesh: &Mesh) -> Vec<Corner> {
    let mut corners = Vec::with_capacity(mesh.indices.len());
    for triangle in mesh.indices.chunks_exact(3) {
        let points: [Vec3; 3] = std::array::from_fn(|at| mesh.positions[triangle[at] as usize]);
        let normal = (points[1] - points[0]).cross(points[2] - points[0]).normalize_or_zero();
        for at in 0..3 {
            let [here, next, before] = [0, 1, 2].map(|step| points[(at + step) % 3]);
            let angle = (next - here).angle_between(before - here);
            corners.push(Corner { normal, angle: if angle.is_finite() { angle } else { 0.0 } });
        }
    }
    corners
}

/// The mean normal of the triangles around a point that are like that of a corner. Equal sets give equal bits.
fn mean(corners: &[Corner], point: &[usize], (of, min_cosine): (usize, f32)) -> Vec3 {
    let own = corners[of].normal;
    let alike = point.iter().map(|corner| corners[*corner]).filter(|other| other.normal.dot(own) >= min_cosine);
    let sum: Vec3 = alike.map(|other| other.normal * other.angle).sum();
    sum.try_normalize().or(own.try_normalize()).unwrap_or(Vec3::Y)
}
