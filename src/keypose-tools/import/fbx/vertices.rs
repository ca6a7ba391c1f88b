//! Vertices: reads the corners of faces, which are triangulated.

use glam::{Vec2, Vec3};
use ufbx::{Mesh, MeshPart};

use crate::import::assembly::vertices::{Corner, Streams, Vertices, byte};
use crate::import::error::Fault;
use crate::import::fbx::convert;
use crate::import::report::Findings;

/// Reads a part of a mesh.
pub fn read(mesh: &Mesh, part: &MeshPart, findings: &mut Findings<'_>) -> Result<Vertices, Fault> {
    let streams = Streams { has_uvs: mesh.vertex_uv.exists, has_colors: mesh.vertex_color.exists };
    let mut vertices = Vertices::new(streams);
    let mut corners = vec![0; mesh.max_face_triangles.saturating_mul(3)];
    for &face in part.face_indices.iter() {
        let Some(&face) = mesh.faces.get(face as usize).filter(|face| face.num_indices >= 3) else { continue };
        let count = (ufbx::triangulate_face(&mut corners, mesh, face) as usize).saturating_mul(3);
        let (triangles, _) = corners.get(..count).unwrap_or_default().as_chunks::<3>();
        for triangle in triangles {
            let [a, b, c] = triangle.map(|index| corner(mesh, index as usize));
            let [Some(a), Some(b), Some(c)] = [a, b, c] else {
                return Err(findings.fault("a corner of a face has no position"));
            };
            if !vertices.add(&[a, b, c]) {
                return Err(findings.fault("too many vertices"));
            }
        }
    }
    match vertices.positions.iter().position(|position| !position.is_finite()) {
        Some(vertex) => Err(findings.fault(format!("vertex {vertex} is not finite"))),
        None => Ok(vertices),
    }
}

/// FBX counts v from the bottom. Its vertex colours are sRGB already.
#[allow(clippy::arithmetic_side_effects)] // Floating point only.
fn corner(mesh: &Mesh, corner: usize) -> Option<Corner> {
    let point = *mesh.vertex_indices.get(corner)?;
    let position = convert::vec3(*mesh.vertices.get(point as usize)?);
    let normal = mesh.vertex_normal.indices.get(corner).and_then(|at| mesh.vertex_normal.values.get(*at as usize));
    let normal = normal.map_or(Vec3::Y, |normal| convert::vec3(*normal));
    let uv = mesh.vertex_uv.indices.get(corner).and_then(|at| mesh.vertex_uv.values.get(*at as usize));
    let uv = uv.map_or(Vec2::ZERO, |uv| convert::vec2(*uv));
    let color = mesh.vertex_color.indices.get(corner).and_then(|at| mesh.vertex_color.values.get(*at as usize));
    let color = color.map_or([255; 4], |color| [color.x, color.y, color.z, color.w].map(byte));
    Some(Corner { point, position, normal, uv: Vec2::new(uv.x, 1.0 - uv.y), color })
}
