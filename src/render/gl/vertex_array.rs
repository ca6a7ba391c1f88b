//! A vertex array: which buffer feeds which attribute, and the draws from it.
#![allow(unsafe_code)]

use std::rc::Rc;

use glow::HasContext;

use crate::render::gl::buffer::Buffer;
use crate::render::gl::context::Context;
use crate::render::gl::error::GlError;

/// How a shader sees the components of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Components {
    /// So many floats, 1 to 4.
    Floats(i32),
    /// Four bytes, 0..=255 seen as 0..=1.
    UnitBytes,
    /// Four 16-bit integers, seen as integers (`uvec4`).
    Integers,
}

/// One attribute within the elements of a buffer.
#[derive(Clone, Copy, Debug)]
pub struct Attribute {
    /// Its location: its place in the program's list of attributes.
    pub location: u32,
    /// What it consists of.
    pub components: Components,
    /// Bytes from the start of an element, from `offset_of!`.
    pub offset: usize,
}

/// Whether an element belongs to one vertex or to a whole instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The next element at the next vertex.
    Vertex,
    /// The next element at the next instance.
    Instance,
}

/// What is made of the vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Primitive {
    /// Three vertices each.
    Triangles,
    /// Each vertex makes one with the two before.
    TriangleStrip,
    /// One vertex each.
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

/// A vertex array object. It keeps no buffer alive: whoever makes it keeps them beside it.
pub struct VertexArray {
    gl: Rc<glow::Context>,
    handle: glow::VertexArray,
}

impl VertexArray {
    /// Without attributes: enough for shaders that make vertices from their number.
    pub fn new(context: &Context) -> Result<VertexArray, GlError> {
        let gl = context.gl.clone();
        // SAFETY: the context is current (see `Context`).
        let handle = unsafe { gl.create_vertex_array() };
        let handle = handle.map_err(|reason| GlError::Object { what: "vertex array", reason })?;
        Ok(VertexArray { gl, handle })
    }

    /// Feeds attributes from a buffer whose elements are of type `T`.
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

    /// Takes 32-bit indices from a buffer.
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
        // SAFETY: an index buffer is bound by `index`; a count past it is caught by its maker, who owns both.
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

    /// Draws `count` vertices for each of so many instances.
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
