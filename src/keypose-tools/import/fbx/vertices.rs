//! Vertices: reads the corners of faces, which are triangulated, in the space of their node.

use glam::{Vec2, Vec3};
use ufbx::{Matrix, Mesh, MeshPart, Node, VertexVec2};

use crate::import::assembly::vertices::{Corner, Streams, Vertices, byte};
use crate::import::error::Fault;
use crate::import::fbx::convert;
use crate::import::report::Findings;

/// From the geometry of a node to the node itself: its geometric translation, rotation and scaling, which its children don't have.
pub struct Geometry {
    to_node: Matrix,
    normals: Matrix,
    /// By how much normals are longer in the node.
    stretch: f64,
    /// Whether there is one.
    has_any: bool,
    is_mirrored: bool,
}

impl Geometry {
    pub fn of(node: &Node) -> Geometry {
        let to_node = node.geometry_to_node;
        let normals = ufbx::matrix_for_normals(&to_node);
        let is_mirrored = ufbx::matrix_determinant(&to_node) < 0.0;
        let stretch = ufbx::matrix_determinant(&normals).abs().cbrt();
        let stretch = if stretch > 0.0 { stretch } else { 1.0 };
        Geometry { to_node, normals, stretch, has_any: node.has_geometry_transform, is_mirrored }
    }

    fn position(&self, of: ufbx::Vec3) -> Vec3 {
        convert::vec3(if self.has_any { ufbx::transform_position(&self.to_node, of) } else { of })
    }

    fn normal(&self, of: ufbx::Vec3) -> Vec3 {
        if self.has_any { self.normal_offset(of).normalize_or_zero() } else { convert::vec3(of) }
    }

    /// A difference between positions of a blend shape.
    pub fn offset(&self, of: ufbx::Vec3) -> Vec3 {
        convert::vec3(if self.has_any { ufbx::transform_direction(&self.to_node, of) } else { of })
    }

    /// A difference between normals of a blend shape.
    #[allow(clippy::arithmetic_side_effects)] // Floating point only.
    pub fn normal_offset(&self, of: ufbx::Vec3) -> Vec3 {
        let turned = |of| convert::vec3(ufbx::transform_direction(&self.normals, of)).as_dvec3() / self.stretch;
        if self.has_any { turned(of).as_vec3() } else { convert::vec3(of) }
    }
}

/// Reads a part of a mesh. `uv_set` is the name of its set of texture coordinates, or else they are the first ones.
pub fn read(
    (mesh, part): (&Mesh, &MeshPart),
    geometry: &Geometry,
    uv_set: &str,
    findings: &mut Findings<'_>,
) -> Result<Vertices, Fault> {
    let uvs = mesh.uv_sets.iter().find(|set| &*set.name == uv_set).map_or(&mesh.vertex_uv, |set| &set.vertex_uv);
    let streams = Streams { has_uvs: uvs.exists, has_colors: mesh.vertex_color.exists };
    let mut vertices = Vertices::new(streams);
    let mut corners = vec![0; mesh.max_face_triangles.saturating_mul(3)];
    for &face in part.face_indices.iter() {
        let Some(&face) = mesh.faces.get(face as usize).filter(|face| face.num_indices >= 3) else { continue };
        let count = (ufbx::triangulate_face(&mut corners, mesh, face) as usize).saturating_mul(3);
        let (triangles, _) = corners.get(..count).unwrap_or_default().as_chunks::<3>();
        for triangle in triangles {
            let [a, b, c] = triangle.map(|index| corner(mesh, geometry, uvs, index as usize));
            let [Some(a), Some(b), Some(c)] = [a, b, c] else {
                return Err(findings.fault("a corner of a face has no position"));
            };
            let [b, c] = if geometry.is_mirrored { [c, b] } else { [b, c] };
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
fn corner(mesh: &Mesh, geometry: &Geometry, uvs: &VertexVec2, corner: usize) -> Option<Corner> {
    let point = *mesh.vertex_indices.get(corner)?;
    let position = geometry.position(*mesh.vertices.get(point as usize)?);
    let normal = mesh.vertex_normal.indices.get(corner).and_then(|at| mesh.vertex_normal.values.get(*at as usize));
    let normal = normal.map_or(Vec3::Y, |normal| geometry.normal(*normal));
    let uv = uvs.indices.get(corner).and_then(|at| uvs.values.get(*at as usize));
    let uv = uv.map_or(Vec2::ZERO, |uv| convert::vec2(*uv));
    let color = mesh.vertex_color.indices.get(corner).and_then(|at| mesh.vertex_color.values.get(*at as usize));
    let color = color.map_or([255; 4], |color| [color.x, color.y, color.z, color.w].map(byte));
    Some(Corner { point, position, normal, uv: Vec2::new(uv.x, 1.0 - uv.y), color })
}
