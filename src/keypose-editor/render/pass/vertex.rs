//! The vertex format of meshes on the GPU, and the GPU copy of a mesh.

use std::mem::offset_of;
use std::ops::Range;

use bytemuck::{Pod, Zeroable};

use crate::render::frame::bounds::Aabb;
use crate::render::gl::buffer::{Buffer, Indices, Usage};
use crate::render::gl::context::Context;
use crate::render::gl::error::GlError;
use crate::render::gl::vertex_array::{Attribute, Components, Primitive, Step, VertexArray};
use crate::render::pass::morphs::Morphs;
use crate::render::pass::skinning::MORPH_UNIT;
use crate::render::vertex_format::{Numbers, Part, Place, VertexFormat};
use keypose::assets::mesh::Mesh;

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

/// The attribute of a part of a vertex.
fn attribute(place: &Place) -> Attribute {
    let location = match place.part {
        Part::Position => 0,
        Part::Normal => 1,
        Part::Uv => 2,
        Part::Color => 3,
        Part::Joints(set) => 4 + 2 * set as u32,
        Part::Weights(set) => 5 + 2 * set as u32,
    };
    let components = match place.numbers {
        Numbers::F32x2 => Components::Floats(2),
        Numbers::F32x3 => Components::Floats(3),
        Numbers::F32x4 => Components::Floats(4),
        Numbers::U8x4 => Components::ByteIntegers,
        Numbers::UnitU8x4 => Components::UnitBytes,
        Numbers::U16x4 => Components::Integers,
    };
    Attribute { location, components, offset: place.offset }
}

/// A mesh on the GPU. It may be copied in slices: first its vertices, then its triangles, which are drawn as far as they are there,
/// then its morph targets.
pub struct GpuMesh {
    buffer: Buffer,
    triangles: Indices,
    format: VertexFormat,
    /// The differences of its morph targets, if there is room for them.
    morphs: Option<Morphs>,
    array: VertexArray,
    context: Context,
    /// Count of vertices.
    pub vertices: usize,
    /// Count of indices.
    pub indices: usize,
    /// Sets of influences: 0 (rigid), 1 or 2.
    pub sets: usize,
    /// The box around its vertices as they were bound, as far as they are copied.
    pub bound: Aabb,
    /// The last frame of a cache that used it.
    pub frame: u64,
}

impl GpuMesh {
    /// Makes room for a mesh, whose vertices and triangles [`GpuMesh::advance`] copies. `entries` are those of the joints in the palette,
    /// if they are not in order.
    pub fn begin(context: &Context, mesh: &Mesh, entries: Option<&[u16]>) -> Result<GpuMesh, GlError> {
        let format = VertexFormat::of(mesh, last_entry(mesh, entries));
        let buffer = Buffer::reserved(context, Usage::Static, format.stride * mesh.positions.len())?;
        let triangles = Indices::reserved(context, Usage::Static, mesh.indices.len())?;
        let mut array = VertexArray::new(context)?;
        let attributes: Vec<Attribute> = format.places.iter().map(attribute).collect();
        array.feed_bytes(&buffer, format.stride, Step::Vertex, &attributes);
        feed_absent_joints(context, &mut array, mesh.influences.len())?;
        array.index(&triangles);
        Ok(GpuMesh {
            array,
            context: context.clone(),
            vertices: mesh.positions.len(),
            indices: mesh.indices.len(),
            sets: mesh.influences.len(),
            buffer,
            triangles,
            format,
            morphs: Morphs::of(context, mesh),
            bound: Aabb::EMPTY,
            frame: 0,
        })
    }

    /// Copies more of the mesh that it was begun with, at most `bytes` bytes but at least a vertex or a triangle. Returns how many
    /// bytes it copied, 0 if all are there.
    pub fn advance(&mut self, mesh: &Mesh, entries: Option<&[u16]>, bytes: usize) -> Result<usize, GlError> {
        let before = self.copied();
        let left = |copy: &GpuMesh| bytes.saturating_sub(copy.copied() - before);
        let first = self.buffer.byte_len() / self.format.stride;
        if first < self.vertices {
            let last = self.vertices.min(first.saturating_add((bytes / self.format.stride).max(1)));
            self.buffer.append(&self.format.pack(mesh, first..last, &|joint| entry_of(entries, joint)));
            self.bound.merge(&Aabb::of(mesh.positions[first..last].iter().copied()));
        }
        let first = self.triangles.len();
        if first < self.indices && self.buffer.byte_len() / self.format.stride == self.vertices {
            let least = if self.copied() == before { 3 } else { 0 };
            let count = (left(self) / size_of::<u32>() / 3 * 3).max(least);
            self.triangles.append(&mesh.indices[first..self.indices.min(first.saturating_add(count))]);
        }
        if self.triangles.len() == self.indices {
            let left = left(self);
            self.morphs.iter_mut().try_for_each(|morphs| morphs.advance(&self.context, mesh, left))?;
        }
        Ok(self.copied() - before)
    }

    /// Whether the whole copy of a mesh can become that of another one, which differs by its weights alone.
    pub fn can_become(&self, before: &Mesh, mesh: &Mesh, entries: Option<&[u16]>) -> bool {
        let is_alike = before.name == mesh.name
            && before.binding == mesh.binding
            && before.influences.len() == mesh.influences.len()
            && before.positions.len() == mesh.positions.len();
        is_alike
            && self.copied() == self.bytes()
            && self.format == VertexFormat::of(mesh, last_entry(mesh, entries))
            && before.positions == mesh.positions
            && before.indices == mesh.indices
            && before.normals == mesh.normals
            && (before.uvs == mesh.uvs && before.colors == mesh.colors && before.morphs == mesh.morphs)
    }

    /// Copies the changed weights of a mesh, see [`GpuMesh::can_become`].
    pub fn reweigh(&mut self, before: &Mesh, mesh: &Mesh, entries: Option<&[u16]>) {
        let is_changed = |vertex: &usize| {
            let mut sets = before.influences.iter().zip(&mesh.influences);
            sets.any(|(a, b)| a.joints[*vertex] != b.joints[*vertex] || a.weights[*vertex] != b.weights[*vertex])
        };
        let Some(first) = (0..self.vertices).find(is_changed) else { return };
        let last = (first..self.vertices).rfind(is_changed).unwrap_or(first);
        let bytes = self.format.pack(mesh, first..last + 1, &|joint| entry_of(entries, joint));
        self.buffer.replace(first * self.format.stride, &bytes);
    }

    /// The bytes that are copied.
    pub fn copied(&self) -> usize {
        let morphs = self.morphs.as_ref().map_or(0, Morphs::copied);
        self.buffer.byte_len() + self.triangles.len() * size_of::<u32>() + morphs
    }

    /// The bytes that it has when it is whole.
    pub fn bytes(&self) -> usize {
        let morphs = self.morphs.as_ref().map_or(0, Morphs::bytes);
        self.vertices * self.format.stride + self.indices * size_of::<u32>() + morphs
    }

    /// Copies vertices without influences, and triangles.
    pub fn new(context: &Context, usage: Usage, vertices: &[Vertex], indices: &[u32]) -> Result<GpuMesh, GlError> {
        let buffer = Buffer::with(context, usage, vertices)?;
        let triangles = Indices::new(context, usage, indices)?;
        let mut array = VertexArray::new(context)?;
        array.feed::<Vertex>(&buffer, Step::Vertex, &VERTEX_ATTRIBUTES);
        feed_absent_joints(context, &mut array, 0)?;
        array.index(&triangles);
        let whole = |part, numbers, offset| Place { part, numbers, offset };
        let color = whole(Part::Color, Numbers::UnitU8x4, offset_of!(Vertex, color));
        Ok(GpuMesh {
            array,
            context: context.clone(),
            vertices: vertices.len(),
            indices: indices.len(),
            sets: 0,
            buffer,
            triangles,
            format: VertexFormat { places: vec![color], stride: size_of::<Vertex>() },
            morphs: None,
            bound: Aabb::of(vertices.iter().map(|vertex| vertex.position.into())),
            frame: 0,
        })
    }

    /// Bytes of a vertex.
    pub fn stride(&self) -> usize {
        self.format.stride
    }

    /// Binds the differences of its morph targets, if it has any. Vertices without colours are white.
    pub fn prepare(&self) {
        if let Some(texture) = self.morphs.as_ref().and_then(Morphs::texture) {
            texture.bind(MORPH_UNIT);
        }
        if !self.format.has(Part::Color) {
            self.context.set_attribute(3, [1.0; 4]);
        }
        for location in [1, 2].into_iter().zip([Part::Normal, Part::Uv]).filter(|(_, part)| !self.format.has(*part)) {
            self.context.set_attribute(location.0, [0.0; 4]);
        }
    }

    /// Whether the GPU has its morph targets.
    pub fn has_morphs(&self) -> bool {
        self.morphs.as_ref().is_some_and(|morphs| morphs.texture().is_some())
    }

    /// Draws all triangles.
    pub fn draw(&self) {
        self.prepare();
        self.array.draw_indexed(Primitive::Triangles, 0..self.indices);
    }

    /// Draws some of its triangles for each of `instances` instances, without morph targets.
    pub fn draw_instanced(&self, triangles: Range<usize>, instances: usize) {
        self.prepare();
        self.array.draw_indexed_instanced(Primitive::Triangles, 3 * triangles.start..3 * triangles.end, instances);
    }

    /// The number of its triangles.
    pub fn triangles(&self) -> usize {
        self.array.index_count() / 3
    }

    /// The vertex array, its vertices in file order.
    pub fn array(&self) -> &VertexArray {
        &self.array
    }
}

/// Zeros for the joints that vertices with these sets of influences lack.
fn feed_absent_joints(context: &Context, array: &mut VertexArray, sets: usize) -> Result<(), GlError> {
    (sets..2).try_for_each(|set| array.feed_zero_integers(context, 4 + 2 * set as u32))
}

/// The largest entry of a joint of the mesh.
fn last_entry(mesh: &Mesh, entries: Option<&[u16]>) -> u16 {
    let joints = mesh.influences.iter().flat_map(|set| set.joints.iter().flatten());
    joints.map(|&joint| entry_of(entries, joint)).max().unwrap_or_default()
}

/// The entry of a joint in the palette.
fn entry_of(entries: Option<&[u16]>, joint: u16) -> u16 {
    entries.and_then(|entries| entries.get(usize::from(joint))).copied().unwrap_or(joint)
}
