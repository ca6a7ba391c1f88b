//! Vertices: FBX stores position, normal, texture coordinates and colour for each corner of a face; equal corners become one
//! vertex.

use std::collections::HashMap;

use glam::{Vec2, Vec3};
use ufbx::{Mesh, MeshPart};

use crate::import::assembly::triangles::unit_normal;
use crate::import::error::Fault;
use crate::import::fbx::convert;
use crate::import::report::Findings;

/// The vertices and triangles of a part of a mesh that has one material.
#[derive(Default)]
pub struct Vertices {
    pub positions: Vec<Vec3>,
    pub normals: Vec<Vec3>,
    pub uvs: Vec<Vec2>,
    pub colors: Vec<[u8; 4]>,
    pub indices: Vec<u32>,
    /// The control point of each vertex.
    pub control_points: Vec<u32>,
}

/// The control point of a corner, and the bits of its other values.
type Corner = (u32, [u32; 3], [u32; 2], [u8; 4]);

/// Reads a part of a mesh. Faces are triangulated.
pub fn read(mesh: &Mesh, part: &MeshPart, findings: &mut Findings<'_>) -> Result<Vertices, Fault> {
    let (mut vertices, mut known) = (Vertices::default(), HashMap::<Corner, u32>::new());
    let mut corners = vec![0; mesh.max_face_triangles.saturating_mul(3)];
    for &face in part.face_indices.iter() {
        let Some(&face) = mesh.faces.get(face as usize).filter(|face| face.num_indices >= 3) else { continue };
        let count = (ufbx::triangulate_face(&mut corners, mesh, face) as usize).saturating_mul(3);
        for &corner in corners.iter().take(count) {
            let found = vertices.corner(mesh, corner as usize);
            let (key, point) = found.ok_or_else(|| findings.fault("a corner of a face has no position"))?;
            let next = u32::try_from(vertices.positions.len()).map_err(|_| findings.fault("too many vertices"))?;
            let index = *known.entry(key).or_insert(next);
            if index == next {
                vertices.push(mesh, key, point);
            }
            vertices.indices.push(index);
        }
    }
    match vertices.positions.iter().position(|position| !position.is_finite()) {
        Some(vertex) => Err(findings.fault(format!("vertex {vertex} is not finite"))),
        None => Ok(vertices),
    }
}

impl Vertices {
    fn corner(&self, mesh: &Mesh, corner: usize) -> Option<(Corner, Vec3)> {
        let point = *mesh.vertex_indices.get(corner)?;
        let position = convert::vec3(*mesh.vertices.get(point as usize)?);
        let normal = mesh.vertex_normal.indices.get(corner).and_then(|at| mesh.vertex_normal.values.get(*at as usize));
        let normal = unit_normal(normal.map_or(Vec3::Y, |normal| convert::vec3(*normal)));
        let uv = mesh.vertex_uv.indices.get(corner).and_then(|at| mesh.vertex_uv.values.get(*at as usize));
        let uv = uv.map_or(Vec2::ZERO, |uv| from_top(convert::vec2(*uv)));
        let color = mesh.vertex_color.indices.get(corner).and_then(|at| mesh.vertex_color.values.get(*at as usize));
        let color = color.map_or([255; 4], |color| [color.x, color.y, color.z, color.w].map(byte));
        Some(((point, normal.to_array().map(f32::to_bits), uv.to_array().map(f32::to_bits), color), position))
    }

    fn push(&mut self, mesh: &Mesh, (point, normal, uv, color): Corner, position: Vec3) {
        self.positions.push(position);
        self.control_points.push(point);
        self.normals.push(Vec3::from_array(normal.map(f32::from_bits)));
        if mesh.vertex_uv.exists {
            self.uvs.push(Vec2::from_array(uv.map(f32::from_bits)));
        }
        if mesh.vertex_color.exists {
            self.colors.push(color);
        }
    }
}

/// FBX counts v from the bottom. A coordinate that is not finite becomes 0.
#[allow(clippy::arithmetic_side_effects)] // Floating point only.
fn from_top(uv: Vec2) -> Vec2 {
    let uv = Vec2::new(uv.x, 1.0 - uv.y);
    if uv.is_finite() { uv } else { Vec2::ZERO }
}

/// Vertex colours of FBX files are sRGB already.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::arithmetic_side_effects)] // Clamped; NaN becomes 0.
fn byte(fraction: f64) -> u8 {
    (fraction.clamp(0.0, 1.0) * 255.0).round() as u8
}
