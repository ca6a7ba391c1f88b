//! Tangents of meshes with a normal map, by MikkTSpace: the tangents for which such maps are made (glTF 2.0, section 3.7.2.1).
//!
//! A vertex whose triangles have different tangents, as at a mirrored seam of the texture, becomes several: copies follow the
//! vertices of the mesh.

use bevy_mikktspace::{Geometry, TangentSpace, generate_tangents};
use glam::{Mat2, Vec2, Vec3};

use crate::assets::material::{Material, UvTransform};
use crate::assets::mesh::Mesh;

/// A mesh with tangents.
pub struct WithTangents {
    /// The mesh, with copies of vertices behind its own.
    pub mesh: Mesh,
    /// The tangent of each vertex, and the sign of the bitangent.
    pub tangents: Vec<[f32; 4]>,
}

/// Computes tangents. `None` if the material needs none, or the mesh has no normals or texture coordinates.
pub fn of(mesh: &Mesh, material: &Material) -> Option<WithTangents> {
    let is_needed = material.normal_texture.is_some() && !mesh.normals.is_empty() && !mesh.uvs.is_empty();
    let corners = is_needed.then(|| corners(mesh, &material.uv_transform)).flatten()?;
    let mut mesh = mesh.clone();
    let values = mesh.split_corners(&corners);
    // Vertices of no triangle have any tangent.
    let any =
        |vertex: usize| unit(mesh.normals[vertex]).unwrap_or(Vec3::Y).any_orthonormal_vector().extend(1.0).to_array();
    let tangent = |(vertex, value): (usize, &Option<[f32; 4]>)| value.unwrap_or_else(|| any(vertex));
    let tangents = values.iter().enumerate().map(tangent).collect();
    Some(WithTangents { mesh, tangents })
}

struct Corners<'m> {
    mesh: &'m Mesh,
    uvs: Vec<Vec2>,
    tangents: Vec<[f32; 4]>,
}

impl Corners<'_> {
    fn vertex(&self, face: usize, corner: usize) -> usize {
        self.mesh.indices[face * 3 + corner] as usize
    }
}

impl Geometry for Corners<'_> {
    fn num_faces(&self) -> usize {
        self.mesh.indices.len() / 3
    }

    fn num_vertices_of_face(&self, _face: usize) -> usize {
        3
    }

    fn position(&self, face: usize, corner: usize) -> [f32; 3] {
        self.mesh.positions[self.vertex(face, corner)].to_array()
    }

    fn normal(&self, face: usize, corner: usize) -> [f32; 3] {
        self.mesh.normals[self.vertex(face, corner)].to_array()
    }

    fn tex_coord(&self, face: usize, corner: usize) -> [f32; 2] {
        self.uvs[self.vertex(face, corner)].to_array()
    }

    fn set_tangent(&mut self, space: Option<TangentSpace>, face: usize, corner: usize) {
        let normal = self.mesh.normals[self.vertex(face, corner)];
        // Texture coordinates go down in glTF, MikkTSpace's go up.
        let sign = match space {
            Some(space) if space.is_orientation_preserving() => -1.0,
            Some(_) | None => 1.0,
        };
        let along = space.map_or(Vec3::ZERO, |space| Vec3::from_array(space.tangent()));
        let tangent = unit(along).unwrap_or_else(|| unit(normal).unwrap_or(Vec3::Y).any_orthonormal_vector());
        self.tangents[face * 3 + corner] = tangent.extend(sign).to_array();
    }
}

fn unit(vector: Vec3) -> Option<Vec3> {
    vector.as_dvec3().try_normalize().map(|unit| unit.as_vec3())
}

/// The tangent of each corner of a triangle.
fn corners(mesh: &Mesh, transform: &UvTransform) -> Option<Vec<[f32; 4]>> {
    let turn = Mat2::from_angle(-transform.rotation);
    let uv = |uv: &Vec2| transform.offset + turn * (transform.scale * *uv);
    let uvs = mesh.uvs.iter().map(uv).collect();
    let mut corners = Corners { mesh, uvs, tangents: vec![[1.0, 0.0, 0.0, 1.0]; mesh.indices.len()] };
    generate_tangents(&mut corners).ok()?;
    Some(corners.tangents)
}
