//! A vertex array: assigns buffers to attributes, and draws.
#![allow(unsafe_code)]

use std::rc::Rc;

use glow::HasContext;

use crate::render::gl::buffer::Buffer;
use crate::render::gl::context::Context;
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
}

/// An attribute within the elements of a buffer.
#[derive(Clone, Copy, Debug)]
pub struct Attribute {
    /// Its location: the index in the program's list of attributes.
    pub location: u32,
    /// Its components.
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

/// What is drawn from the vertices.
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

/// A vertex array object. It doesn't keep buffers alive; its owner owns them as well.
pub struct VertexArray {
    gl: Rc<glow::Context>,
    handle: glow::VertexArray,
}

impl VertexArray {
    /// Creates one without attributes, for shaders that compute vertices from their index.
    pub fn new(context: &Context) -> Result<VertexArray, GlError> {
        let gl = context.gl.clone();
        // SAFETY: the context is current (see `Context`).
        let handle = unsafe { gl.create_vertex_array() };
        let handle = handle.map_err(|reason| GlError::Object { what: "vertex array", reason })?;
        Ok(VertexArray { gl, handle })
    }

    /// Reads attributes from a buffer with elements of type `T`.
    pub fn feed<T: bytemuck::NoUninit>(&mut self, buffer: &Buffer, step: Step, attributes: &[Attribute]) {
        let (gl, stride) = (&self.gl, size_of::<T>() as i32);
        // SAFETY: GL checks reads past a buffer's end against its size on robust drivers; here element counts come
        // from the same slices as the buffers (see `mesh` and `stream` in the passes).
        unsafe {
            gl.bind_vertex_array(Some(self.handle));
            gl.bind_buffer(glow::ARRAY_BUFFER, Some(buffer.handle));
            for &Attribute { location, components, offset } in attributes {
                let offset = offset as i32;
                gl.enable_vertex_attrib_array(location);
                gl.vertex_attrib_divisor(location, u32::from(step == Step::Instance));
                match components {
                    Components::Floats(count) => {
                        gl.vertex_attrib_pointer_f32(location, count, glow::FLOAT, false, stride, offset);
                    }
                    Components::UnitBytes => {
                        gl.vertex_attrib_pointer_f32(location, 4, glow::UNSIGNED_BYTE, true, stride, offset);
                    }
                    Components::Integers => {
                        gl.vertex_attrib_pointer_i32(location, 4, glow::UNSIGNED_SHORT, stride, offset);
                    }
                }
            }
            gl.bind_vertex_array(None);
            gl.bind_buffer(glow::ARRAY_BUFFER, None);
        }
    }

    /// Uses the 32-bit indices of a buffer.
    pub fn index(&mut self, buffer: &Buffer) {
        // SAFETY: the binding belongs to this vertex array.
        unsafe {
            self.gl.bind_vertex_array(Some(self.handle));
            self.gl.bind_buffer(glow::ELEMENT_ARRAY_BUFFER, Some(buffer.handle));
            self.gl.bind_vertex_array(None);
        }
    }

    /// Draws `count` indices.
    pub fn draw_indexed(&self, primitive: Primitive, count: usize) {
        // SAFETY: an index buffer is bound by `index`; the owner of both keeps the count in range.
        unsafe {
            self.gl.bind_vertex_array(Some(self.handle));
            self.gl.draw_elements(primitive.name(), count as i32, glow::UNSIGNED_INT, 0);
            self.gl.bind_vertex_array(None);
        }
    }

    /// Draws `count` vertices.
    pub fn draw(&self, primitive: Primitive, count: usize) {
        // SAFETY: as above.
        unsafe {
            self.gl.bind_vertex_array(Some(self.handle));
            self.gl.draw_arrays(primitive.name(), 0, count as i32);
            self.gl.bind_vertex_array(None);
        }
    }

    /// Draws `count` vertices for each of `instances` instances.
    pub fn draw_instanced(&self, primitive: Primitive, count: usize, instances: usize) {
        // SAFETY: as above.
        unsafe {
            self.gl.bind_vertex_array(Some(self.handle));
            self.gl.draw_arrays_instanced(primitive.name(), 0, count as i32, instances as i32);
            self.gl.bind_vertex_array(None);
        }
    }
}

impl Drop for VertexArray {
    fn drop(&mut self) {
        // SAFETY: the handle is ours, and the context is still current (see `Context`).
        unsafe { self.gl.delete_vertex_array(self.handle) }
    }
}
