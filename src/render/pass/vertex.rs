//! The vertex format of meshes on the GPU, and the GPU copy of a mesh.

use std::mem::offset_of;

use bytemuck::{Pod, Zeroable};

use crate::anim::skin::cpu::InfluenceSet;
use crate::assets::mesh::Mesh;
use crate::render::gl::buffer::{Buffer, Indices, Usage};
use crate::render::gl::context::Context;
use crate::render::gl::error::GlError;
use crate::render::gl::texture::{Format, Texture};
use crate::render::gl::vertex_array::{Attribute, Components, Primitive, Step, VertexArray};
use crate::render::pass::skinning::MORPH_UNIT;

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

/// A vertex that was skinned on the CPU.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct PosedVertex {
    /// In model space.
    pub position: [f32; 3],
    /// In model space, not normalized.
    pub normal: [f32; 3],
}

const POSED_ATTRIBUTES: [Attribute; 2] = [
    Attribute { location: 0, components: Components::Floats(3), offset: offset_of!(PosedVertex, position) },
    Attribute { location: 1, components: Components::Floats(3), offset: offset_of!(PosedVertex, normal) },
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
    buffer: Buffer,
    influences: Vec<Buffer>,
    triangles: Indices,
    /// The differences of its morph targets, as `mesh.vert` reads them.
    morphs: Option<Texture>,
    array: VertexArray,
    /// Count of vertices.
    pub vertices: usize,
    /// Count of indices.
    pub indices: usize,
    /// Sets of influences: 0 (rigid), 1 or 2.
    pub sets: usize,
}

impl GpuMesh {
    /// Copies a mesh. `entries` are those of the joints in the palette, if they are not in order.
    pub fn of(context: &Context, mesh: &Mesh, entries: Option<&[u16]>) -> Result<GpuMesh, GlError> {
        let vertex = |at: usize| Vertex {
            position: mesh.positions[at].to_array(),
            normal: mesh.normals.get(at).copied().unwrap_or_default().to_array(),
            uv: mesh.uvs.get(at).copied().unwrap_or_default().to_array(),
            color: mesh.colors.get(at).copied().unwrap_or([255; 4]),
        };
        let vertices: Vec<Vertex> = (0..mesh.positions.len()).map(vertex).collect();
        let entry = |joint: u16| entries.and_then(|entries| entries.get(usize::from(joint))).copied().unwrap_or(joint);
        let copy = GpuMesh::new(context, Usage::Static, &vertices, (&mesh.influences, &entry), &mesh.indices)?;
        Ok(GpuMesh { morphs: morph_texture(context, mesh)?, ..copy })
    }

    /// Copies vertices, their influences (0 to 2 sets, one element per vertex, and the entry of each joint) and triangles.
    pub fn new(
        context: &Context,
        usage: Usage,
        vertices: &[Vertex],
        (sets, entry): (&[InfluenceSet], &dyn Fn(u16) -> u16),
        indices: &[u32],
    ) -> Result<GpuMesh, GlError> {
        let vertex_buffer = Buffer::with(context, usage, vertices)?;
        let index_buffer = Indices::new(context, usage, indices)?;
        let mut array = VertexArray::new(context)?;
        array.feed::<Vertex>(&vertex_buffer, Step::Vertex, &VERTEX_ATTRIBUTES);
        let mut influences = Vec::with_capacity(sets.len());
        for (set, location) in sets.iter().zip([4, 6]) {
            let pairs = set.joints.iter().zip(&set.weights);
            let pairs: Vec<_> =
                pairs.map(|(joints, &weights)| Influences { joints: joints.map(entry), weights }).collect();
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
            buffer: vertex_buffer,
            influences,
            triangles: index_buffer,
            morphs: None,
        })
    }

    /// Whether the GPU has its morph targets.
    pub fn has_morphs(&self) -> bool {
        self.morphs.is_some()
    }

    /// Binds the differences of its morph targets, if it has any.
    pub fn bind_morphs(&self) {
        if let Some(texture) = &self.morphs {
            texture.bind(MORPH_UNIT);
        }
    }

    /// Draws all triangles.
    pub fn draw(&self) {
        self.bind_morphs();
        self.array.draw_indexed(Primitive::Triangles);
    }

    /// Draws all triangles for each of `instances` instances, without morph targets.
    pub fn draw_instanced(&self, instances: usize) {
        self.array.draw_indexed_instanced(Primitive::Triangles, instances);
    }

    /// A vertex array with the positions and normals of `posed`, three floats each, instead of its own.
    pub fn array_over(&self, context: &Context, posed: &Buffer) -> Result<VertexArray, GlError> {
        let mut array = VertexArray::new(context)?;
        array.feed::<Vertex>(&self.buffer, Step::Vertex, &VERTEX_ATTRIBUTES[2..]);
        array.feed::<PosedVertex>(posed, Step::Vertex, &POSED_ATTRIBUTES);
        for (buffer, location) in self.influences.iter().zip([4, 6]) {
            array.feed::<Influences>(buffer, Step::Vertex, &influence_attributes(location));
        }
        array.index(&self.triangles);
        Ok(array)
    }

    /// The vertex array, for transform feedback over the vertices in file order.
    pub fn array(&self) -> &VertexArray {
        &self.array
    }
}

/// Texels per row of the differences, as in `mesh.vert`.
const ROW: usize = 1024;
/// Indices of texels are stored as floats, which are exact up to here.
const MAX_TEXELS: usize = 1 << 24;

/// `None` if the mesh has no morph targets, or more than the driver has room for: it is then drawn without.
fn morph_texture(context: &Context, mesh: &Mesh) -> Result<Option<Texture>, GlError> {
    let moved: usize = mesh.morphs.iter().map(|target| target.vertices.len()).sum();
    let count = mesh.positions.len() + 2 * moved;
    let rows = count.div_ceil(ROW);
    if moved == 0 || count > MAX_TEXELS || rows > context.limits().texture_size as usize {
        return Ok(None);
    }
    let mut texture = Texture::empty(context, Format::Rgba32F, [ROW as u32, rows as u32])?;
    let mut texels = morph_texels(mesh);
    texels.resize(rows * ROW, [0.0; 4]);
    texture.write_rows(&texels);
    Ok(Some(texture))
}

/// For each vertex the index of its first difference and their number; then the differences, sorted by vertex: position and
/// target, then normal.
fn morph_texels(mesh: &Mesh) -> Vec<[f32; 4]> {
    let vertices = mesh.positions.len();
    let mut counts = vec![0_usize; vertices];
    for &vertex in mesh.morphs.iter().flat_map(|target| &target.vertices) {
        counts[vertex as usize] += 1;
    }
    let mut next = vertices;
    let mut texels: Vec<[f32; 4]> = Vec::with_capacity(vertices);
    for count in counts {
        texels.push([next as f32, count as f32, 0.0, 0.0]);
        next += 2 * count;
    }
    let mut places: Vec<usize> = texels.iter().map(|[start, ..]| *start as usize).collect();
    texels.resize(next, [0.0; 4]);
    for (index, target) in mesh.morphs.iter().enumerate() {
        for (at, &vertex) in target.vertices.iter().enumerate() {
            let place = &mut places[vertex as usize];
            texels[*place] = target.positions[at].extend(index as f32).to_array();
            texels[*place + 1] = target.normals.get(at).copied().unwrap_or_default().extend(0.0).to_array();
            *place += 2;
        }
    }
    texels
}
