//! The vertex format of meshes on the GPU, and the GPU copy of a mesh.

use std::mem::offset_of;

use bytemuck::{Pod, Zeroable};

use crate::assets::mesh::Mesh;
use crate::assets::vertex_format::{Detail, Numbers, Part, Place, VertexFormat};
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
        Numbers::F16x2 => Components::Halves,
        Numbers::Octahedral => Components::SignedShorts,
        Numbers::U8x4 => Components::ByteIntegers,
        Numbers::UnitU8x4 => Components::UnitBytes,
        Numbers::U16x4 => Components::Integers,
        Numbers::UnitU16x4 => Components::UnitShorts,
    };
    Attribute { location, components, offset: place.offset }
}

/// A mesh on the GPU.
pub struct GpuMesh {
    buffer: Buffer,
    triangles: Indices,
    format: VertexFormat,
    /// The differences of its morph targets, as `mesh.vert` reads them.
    morphs: Option<Texture>,
    array: VertexArray,
    context: Context,
    /// Count of vertices.
    pub vertices: usize,
    /// Count of indices.
    pub indices: usize,
    /// Sets of influences: 0 (rigid), 1 or 2.
    pub sets: usize,
}

impl GpuMesh {
    /// Copies a mesh. `entries` are those of the joints in the palette, if they are not in order.
    pub fn of(context: &Context, mesh: &Mesh, entries: Option<&[u16]>, detail: Detail) -> Result<GpuMesh, GlError> {
        let entry = |joint: u16| entries.and_then(|entries| entries.get(usize::from(joint))).copied().unwrap_or(joint);
        let joints = mesh.influences.iter().flat_map(|set| set.joints.iter().flatten());
        let format = VertexFormat::of(mesh, detail, joints.map(|&joint| entry(joint)).max().unwrap_or_default());
        let buffer = Buffer::with(context, Usage::Static, &format.pack(mesh, &entry))?;
        let triangles = Indices::new(context, Usage::Static, &mesh.indices)?;
        let mut array = VertexArray::new(context)?;
        let attributes: Vec<Attribute> = format.places.iter().map(attribute).collect();
        array.feed_bytes(&buffer, format.stride, Step::Vertex, &attributes);
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
            morphs: morph_texture(context, mesh)?,
        })
    }

    /// Copies vertices without influences, and triangles.
    pub fn new(context: &Context, usage: Usage, vertices: &[Vertex], indices: &[u32]) -> Result<GpuMesh, GlError> {
        let buffer = Buffer::with(context, usage, vertices)?;
        let triangles = Indices::new(context, usage, indices)?;
        let mut array = VertexArray::new(context)?;
        array.feed::<Vertex>(&buffer, Step::Vertex, &VERTEX_ATTRIBUTES);
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
        })
    }

    /// Bytes of a vertex.
    pub fn stride(&self) -> usize {
        self.format.stride
    }

    /// Whether normals are on an octahedron.
    pub fn has_octahedral_normals(&self) -> bool {
        self.format.has_octahedral_normals()
    }

    /// Binds the differences of its morph targets, if it has any. Vertices without colours are white.
    pub fn prepare(&self) {
        if let Some(texture) = &self.morphs {
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
        self.morphs.is_some()
    }

    /// Draws all triangles.
    pub fn draw(&self) {
        self.prepare();
        self.array.draw_indexed(Primitive::Triangles);
    }

    /// Draws all triangles for each of `instances` instances, without morph targets.
    pub fn draw_instanced(&self, instances: usize) {
        self.prepare();
        self.array.draw_indexed_instanced(Primitive::Triangles, instances);
    }

    /// A vertex array with the positions and normals of `posed`, three floats each, instead of its own.
    pub fn array_over(&self, context: &Context, posed: &Buffer) -> Result<VertexArray, GlError> {
        let mut array = VertexArray::new(context)?;
        let kept = self.format.places.iter().filter(|place| !matches!(place.part, Part::Position | Part::Normal));
        let kept: Vec<Attribute> = kept.map(attribute).collect();
        array.feed_bytes(&self.buffer, self.format.stride, Step::Vertex, &kept);
        array.feed::<PosedVertex>(posed, Step::Vertex, &POSED_ATTRIBUTES);
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
