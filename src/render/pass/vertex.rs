//! The vertex format of meshes on the GPU, and the GPU copy of a mesh.

use std::mem::offset_of;

use bytemuck::{Pod, Zeroable};

use crate::anim::skin::cpu::InfluenceSet;
use crate::assets::mesh::Mesh;
use crate::render::gl::buffer::{Buffer, Indices, Usage};
use crate::render::gl::context::Context;
use crate::render::gl::error::GlError;
use crate::render::gl::vertex_array::{Attribute, Components, Primitive, Step, VertexArray};

/// The attributes of `mesh.vert`. An attribute's index is its location.
pub const ATTRIBUTES: [&str; 8] =
    ["a_position", "a_normal", "a_uv", "a_color", "a_joints_0", "a_weights_0", "a_joints_1", "a_weights_1"];

/// A vertex without influences.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct Vertex {
    /// As in [`Mesh`].
    pub position: [f32; 3],
    /// As in [`Mesh`]; zero for a mesh without.
    pub normal: [f32; 3],
    /// Texture coordinates; (0, 0) is the top left.
    pub uv: [f32; 2],
    /// sRGB-encoded colour.
    pub color: [u8; 4],
}

const VERTEX_ATTRIBUTES: [Attribute; 4] = [
    Attribute { location: 0, components: Components::Floats(3), offset: offset_of!(Vertex, position) },
    Attribute { location: 1, components: Components::Floats(3), offset: offset_of!(Vertex, normal) },
    Attribute { location: 2, components: Components::Floats(2), offset: offset_of!(Vertex, uv) },
    Attribute { location: 3, components: Components::UnitBytes, offset: offset_of!(Vertex, color) },
];

/// Four influences of a vertex.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
struct Influences {
    joints: [u16; 4],
    weights: [f32; 4],
}

fn influence_attributes(location: u32) -> [Attribute; 2] {
    let offset = offset_of!(Influences, weights);
    [
        Attribute { location, components: Components::Integers, offset: offset_of!(Influences, joints) },
        Attribute { location: location + 1, components: Components::Floats(4), offset },
    ]
}

/// A mesh on the GPU.
pub struct GpuMesh {
    _vertices: Buffer,
    _influences: Vec<Buffer>,
    _indices: Indices,
    array: VertexArray,
    /// Count of vertices.
    pub vertices: usize,
    /// Count of indices.
    pub indices: usize,
    /// Sets of influences: 0 (rigid), 1 or 2.
    pub sets: usize,
}

impl GpuMesh {
    /// Copies a mesh.
    pub fn of(context: &Context, mesh: &Mesh) -> Result<GpuMesh, GlError> {
        let vertex = |at: usize| Vertex {
            position: mesh.positions[at].to_array(),
            normal: mesh.normals.get(at).copied().unwrap_or_default().to_array(),
            uv: mesh.uvs.get(at).copied().unwrap_or_default().to_array(),
            color: mesh.colors.get(at).copied().unwrap_or([255; 4]),
        };
        let vertices: Vec<Vertex> = (0..mesh.positions.len()).map(vertex).collect();
        GpuMesh::new(context, Usage::Static, &vertices, &mesh.influences, &mesh.indices)
    }

    /// Copies vertices, their influences (0 to 2 sets, one element per vertex) and triangles.
    pub fn new(
        context: &Context,
        usage: Usage,
        vertices: &[Vertex],
        sets: &[InfluenceSet],
        indices: &[u32],
    ) -> Result<GpuMesh, GlError> {
        let vertex_buffer = Buffer::with(context, usage, vertices)?;
        let index_buffer = Indices::new(context, usage, indices)?;
        let mut array = VertexArray::new(context)?;
        array.feed::<Vertex>(&vertex_buffer, Step::Vertex, &VERTEX_ATTRIBUTES);
        let mut influences = Vec::with_capacity(sets.len());
        for (set, location) in sets.iter().zip([4, 6]) {
            let pairs = set.joints.iter().zip(&set.weights);
            let pairs: Vec<_> = pairs.map(|(&joints, &weights)| Influences { joints, weights }).collect();
            let buffer = Buffer::with(context, usage, &pairs)?;
            array.feed::<Influences>(&buffer, Step::Vertex, &influence_attributes(location));
            influences.push(buffer);
        }
        array.index(&index_buffer);
        Ok(GpuMesh {
            array,
            vertices: vertices.len(),
            indices: indices.len(),
            sets: influences.len(),
            _vertices: vertex_buffer,
            _influences: influences,
            _indices: index_buffer,
        })
    }

    /// Draws all triangles.
    pub fn draw(&self) {
        self.array.draw_indexed(Primitive::Triangles);
    }

    /// The vertex array, for transform feedback over the vertices in file order.
    pub fn array(&self) -> &VertexArray {
        &self.array
    }
}
