//! A vertex array: assigns buffers to attributes, and draws.
#![allow(unsafe_code)]

use std::ops::Range;

use glow::HasContext;

use crate::render::gl::buffer::{Buffer, Indices, Length, Usage};
use crate::render::gl::context::{Context, Gl};
use crate::render::gl::error::GlError;

/// The type of an attribute's components in the shader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Components {
    /// 1 to 4 floats.
    Floats(i32),
    /// Four bytes, converted from 0..=255 to 0..=1.
    UnitBytes,
    /// Four 16-bit integers, kept as integers (`uvec4`).
    Integers,
    /// Four bytes, kept as integers (`uvec4`).
    ByteIntegers,
}

impl Components {
    /// Bytes in a buffer.
    fn bytes(self) -> usize {
        match self {
            Components::Floats(count) => 4 * count.max(0) as usize,
            Components::UnitBytes | Components::ByteIntegers => 4,
            Components::Integers => 8,
        }
    }
}

/// The type that a component has in the shader.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kept {
    Floats,
    Integers,
    Normalized,
}

impl Components {
    /// The number of components, and GL's name of their type.
    fn names(self) -> (i32, u32, Kept) {
        match self {
            Components::Floats(count) => (count, glow::FLOAT, Kept::Floats),
            Components::UnitBytes => (4, glow::UNSIGNED_BYTE, Kept::Normalized),
            Components::Integers => (4, glow::UNSIGNED_SHORT, Kept::Integers),
            Components::ByteIntegers => (4, glow::UNSIGNED_BYTE, Kept::Integers),
        }
    }
}

/// An attribute within the elements of a buffer.
#[derive(Clone, Copy, Debug)]
pub struct Attribute {
    /// Index in the program's list of attributes.
    pub location: u32,
    pub components: Components,
    /// Offset from the start of an element in bytes, from `offset_of!`.
    pub offset: usize,
}

/// Whether each vertex or each instance has its own element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Each vertex.
    Vertex,
    /// Each instance.
    Instance,
}

/// The shapes that are drawn from the vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Primitive {
    /// A triangle for each three vertices.
    Triangles,
    /// A triangle for each vertex and the two before it.
    TriangleStrip,
    /// A point for each vertex.
    Points,
}

impl Primitive {
    pub(super) fn name(self) -> u32 {
        match self {
            Primitive::Triangles => glow::TRIANGLES,
            Primitive::TriangleStrip => glow::TRIANGLE_STRIP,
            Primitive::Points => glow::POINTS,
        }
    }
}

/// Indices that can be drawn: the driver's offsets are signed.
const MAX_INDICES: usize = i32::MAX as usize / size_of::<u32>();

/// A vertex array object. It knows how many elements its buffers have, and never draws more. The driver keeps buffers that are
/// deleted before it.
pub struct VertexArray {
    gl: Gl,
    handle: glow::VertexArray,
    feeds: Vec<Feed>,
    /// Buffers of what nothing feeds.
    zeros: Vec<Buffer>,
    /// The number of indices, and of vertices that they need.
    indices: [Length; 2],
}

/// A buffer that attributes are read from.
struct Feed {
    length: Length,
    /// Bytes of an element.
    stride: usize,
    step: Step,
}

impl VertexArray {
    /// Creates one without attributes, for shaders that compute vertices from their index.
    pub fn new(context: &Context) -> Result<VertexArray, GlError> {
        let gl = context.gl.clone();
        // SAFETY: the context is current (see `Context`).
        let handle = unsafe { gl.create_vertex_array() };
        let handle = handle.map_err(|reason| GlError::Object { what: "vertex array", reason })?;
        Ok(VertexArray { gl, handle, feeds: Vec::new(), zeros: Vec::new(), indices: Default::default() })
    }

    /// Reads attributes from a buffer with elements of type `T`.
    ///
    /// # Panics
    /// If an attribute is not within an element.
    pub fn feed<T: bytemuck::NoUninit>(&mut self, buffer: &Buffer, step: Step, attributes: &[Attribute]) {
        self.feed_bytes(buffer, size_of::<T>(), step, attributes);
    }

    /// Reads attributes from a buffer with elements of `stride` bytes.
    ///
    /// # Panics
    /// If an attribute is not within an element.
    pub fn feed_bytes(&mut self, buffer: &Buffer, stride: usize, step: Step, attributes: &[Attribute]) {
        let is_within = |attribute: &Attribute| attribute.offset + attribute.components.bytes() <= stride;
        assert!(attributes.iter().all(is_within), "attributes are within an element");
        self.feeds.push(Feed { length: buffer.length(), stride, step });
        let (gl, stride) = (&self.gl, stride as i32);
        // SAFETY: attributes are within elements, and no more elements are drawn than the buffer has.
        unsafe {
            gl.bind_vertex_array(Some(self.handle));
            gl.bind_buffer(glow::ARRAY_BUFFER, Some(buffer.handle));
            for &Attribute { location, components, offset } in attributes {
                let offset = offset as i32;
                gl.enable_vertex_attrib_array(location);
                gl.vertex_attrib_divisor(location, u32::from(step == Step::Instance));
                match components.names() {
                    (count, kind, Kept::Integers) => {
                        gl.vertex_attrib_pointer_i32(location, count, kind, stride, offset);
                    }
                    (count, kind, kept) => {
                        let is_normalized = kept == Kept::Normalized;
                        gl.vertex_attrib_pointer_f32(location, count, kind, is_normalized, stride, offset);
                    }
                }
            }
            gl.bind_vertex_array(None);
            gl.bind_buffer(glow::ARRAY_BUFFER, None);
        }
    }

    /// Reads zeros for an attribute of integers that no buffer feeds. WebGL wants its type to be that of the shader; other drivers don't
    /// ask.
    pub fn feed_zero_integers(&mut self, context: &Context, location: u32) -> Result<(), GlError> {
        if !self.gl.is_es() {
            return Ok(());
        }
        let zeros = Buffer::with(context, Usage::Static, &[0_u16; 4])?;
        // SAFETY: the buffer lives as long as the vertex array, and all instances that there can be read its only element.
        unsafe {
            self.gl.bind_vertex_array(Some(self.handle));
            self.gl.bind_buffer(glow::ARRAY_BUFFER, Some(zeros.handle));
            self.gl.enable_vertex_attrib_array(location);
            self.gl.vertex_attrib_divisor(location, i32::MAX as u32);
            self.gl.vertex_attrib_pointer_i32(location, 4, glow::UNSIGNED_SHORT, 0, 0);
            self.gl.bind_vertex_array(None);
            self.gl.bind_buffer(glow::ARRAY_BUFFER, None);
        }
        self.zeros.push(zeros);
        Ok(())
    }

    /// Uses 32-bit indices.
    pub fn index(&mut self, indices: &Indices) {
        self.indices = indices.lengths();
        // SAFETY: the binding belongs to this vertex array.
        unsafe {
            self.gl.bind_vertex_array(Some(self.handle));
            self.gl.bind_buffer(glow::ELEMENT_ARRAY_BUFFER, Some(indices.handle()));
            self.gl.bind_vertex_array(None);
        }
    }

    /// The number of indices that were copied, and of vertices that they need.
    fn lengths(&self) -> [usize; 2] {
        self.indices.each_ref().map(|length| length.get())
    }

    /// The number of elements that all buffers of a step have.
    fn elements(&self, step: Step) -> usize {
        let feeds = self.feeds.iter().filter(|feed| feed.step == step);
        feeds.map(|feed| feed.length.get() / feed.stride.max(1)).min().unwrap_or(usize::MAX)
    }

    /// The number of indices.
    pub fn index_count(&self) -> usize {
        self.lengths()[0]
    }

    /// Draws a range of the indices; nothing if a buffer of vertices is shorter than they all need.
    pub fn draw_indexed(&self, primitive: Primitive, range: Range<usize>) {
        let [count, vertices] = self.lengths();
        let last = range.end.min(count).min(MAX_INDICES);
        let (first, count) = (range.start, last.saturating_sub(range.start));
        if count == 0 || vertices > self.elements(Step::Vertex) || self.elements(Step::Instance) == 0 {
            return;
        }
        // SAFETY: the indices are bound by `index`, and every buffer has the elements that they need.
        unsafe {
            self.gl.bind_vertex_array(Some(self.handle));
            let offset = (first * size_of::<u32>()) as i32;
            self.gl.draw_elements(primitive.name(), count as i32, glow::UNSIGNED_INT, offset);
            self.gl.bind_vertex_array(None);
        }
    }

    /// Draws a range of the indices for each of `instances` instances, as [`VertexArray::draw_indexed`] does.
    pub fn draw_indexed_instanced(&self, primitive: Primitive, range: Range<usize>, instances: usize) {
        let ([count, vertices], instances) = (self.lengths(), instances.min(self.elements(Step::Instance)));
        let (first, count) = (range.start, range.end.min(count).min(MAX_INDICES).saturating_sub(range.start));
        if count == 0 || instances == 0 || vertices > self.elements(Step::Vertex) {
            return;
        }
        // SAFETY: the indices are bound by `index`, and every buffer has the elements that they need.
        unsafe {
            self.gl.bind_vertex_array(Some(self.handle));
            let (kind, offset) = (glow::UNSIGNED_INT, (first * size_of::<u32>()) as i32);
            self.gl.draw_elements_instanced(primitive.name(), count as i32, kind, offset, instances as i32);
            self.gl.bind_vertex_array(None);
        }
    }

    /// Draws `count` vertices, at most as many as the buffers have.
    pub fn draw(&self, primitive: Primitive, count: usize) {
        let count = if self.elements(Step::Instance) == 0 { 0 } else { count.min(self.elements(Step::Vertex)) };
        // SAFETY: every buffer has the elements.
        unsafe {
            self.gl.bind_vertex_array(Some(self.handle));
            self.gl.draw_arrays(primitive.name(), 0, count as i32);
            self.gl.bind_vertex_array(None);
        }
    }

    /// Draws `count` vertices for each of `instances` instances, at most as many as the buffers have.
    pub fn draw_instanced(&self, primitive: Primitive, count: usize, instances: usize) {
        let (count, instances) = (count.min(self.elements(Step::Vertex)), instances.min(self.elements(Step::Instance)));
        // SAFETY: every buffer has the elements.
        unsafe {
            self.gl.bind_vertex_array(Some(self.handle));
            self.gl.draw_arrays_instanced(primitive.name(), 0, count as i32, instances as i32);
            self.gl.bind_vertex_array(None);
        }
    }
}

impl Context {
    /// The value of an attribute for vertex arrays that feed none.
    pub fn set_attribute(&self, location: u32, [x, y, z, w]: [f32; 4]) {
        // SAFETY: the location is below 16, and every driver has as many.
        unsafe { self.gl.vertex_attrib_4_f32(location.min(15), x, y, z, w) }
    }
}

impl Drop for VertexArray {
    fn drop(&mut self) {
        // SAFETY: the handle is ours, and the context is still current (see `Context`).
        unsafe { self.gl.delete_vertex_array(self.handle) }
    }
}
