//! A buffer of vertices or indices on the GPU.
#![allow(unsafe_code)]

use std::cell::Cell;
use std::rc::Rc;

use glow::HasContext;

use crate::render::gl::context::{Context, Gl};
use crate::render::gl::error::GlError;

/// How often the contents of a buffer change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Usage {
    /// Written once.
    Static,
    /// Written about once per frame.
    Stream,
}

/// The contents of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Vertices, instances, or the output of transform feedback.
    Vertices,
    /// 32-bit indices.
    Indices,
}

/// A buffer object.
pub struct Buffer {
    gl: Gl,
    pub(super) handle: glow::Buffer,
    usage: u32,
    len: Length,
    /// Bytes that it has room for.
    room: usize,
}

/// The size of a buffer in bytes, or a number of elements, as vertex arrays see it.
pub(super) type Length = Rc<Cell<usize>>;

/// Triangles: indices that never change once they are copied, so that the largest one is known.
pub struct Indices {
    buffer: Buffer,
    count: Length,
    /// The number of vertices that they need.
    vertices: Length,
}

impl Indices {
    /// Copies indices.
    pub fn new(context: &Context, usage: Usage, indices: &[u32]) -> Result<Indices, GlError> {
        let mut copy = Indices::reserved(context, usage, indices.len())?;
        copy.append(indices);
        Ok(copy)
    }

    /// Makes room for `count` indices that [`Indices::append`] copies. Vertex arrays draw those that were copied.
    pub fn reserved(context: &Context, usage: Usage, count: usize) -> Result<Indices, GlError> {
        let mut buffer = Buffer::new(context, usage)?;
        buffer.declare_indices();
        buffer.make_room(count * size_of::<u32>())?;
        Ok(Indices { buffer, count: Length::default(), vertices: Length::default() })
    }

    /// Copies more indices, at most as many as there is room for.
    pub fn append(&mut self, indices: &[u32]) {
        self.buffer.append(indices);
        let vertices = indices.iter().max().map_or(0, |&last| last as usize + 1);
        self.vertices.set(self.vertices.get().max(vertices));
        self.count.set(self.count.get() + indices.len());
    }

    /// The number of indices.
    pub fn len(&self) -> usize {
        self.count.get()
    }

    /// Returns true if there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of indices, and of vertices that they need, from now on.
    pub(super) fn lengths(&self) -> [Length; 2] {
        [self.count.clone(), self.vertices.clone()]
    }

    pub(super) fn handle(&self) -> glow::Buffer {
        self.buffer.handle
    }
}

impl Buffer {
    /// Creates an empty buffer. The kind follows from how it is bound, see [`Buffer::set`].
    pub fn new(context: &Context, usage: Usage) -> Result<Buffer, GlError> {
        let gl = context.gl.clone();
        // SAFETY: the context is current (see `Context`).
        let handle = unsafe { gl.create_buffer() }.map_err(|reason| GlError::Object { what: "buffer", reason })?;
        let usage = if usage == Usage::Static { glow::STATIC_DRAW } else { glow::STREAM_DRAW };
        Ok(Buffer { gl, handle, usage, len: Length::default(), room: 0 })
    }

    /// Creates a buffer with room for `bytes` bytes that [`Buffer::append`] writes.
    pub fn reserved(context: &Context, usage: Usage, bytes: usize) -> Result<Buffer, GlError> {
        let mut buffer = Buffer::new(context, usage)?;
        buffer.make_room(bytes)?;
        Ok(buffer)
    }

    /// Replaces the contents by room for `bytes` bytes.
    fn make_room(&mut self, bytes: usize) -> Result<(), GlError> {
        let reason = || format!("{bytes} bytes are more than a buffer can have");
        let size = i32::try_from(bytes).map_err(|_| GlError::Object { what: "buffer", reason: reason() })?;
        let target = glow::COPY_WRITE_BUFFER;
        // SAFETY: the contents are undefined, and none of them counts until it is written.
        unsafe {
            self.gl.bind_buffer(target, Some(self.handle));
            self.gl.buffer_data_size(target, size, self.usage);
            self.gl.bind_buffer(target, None);
        }
        self.room = bytes;
        Ok(())
    }

    /// Says that a new buffer is for indices. The first binding decides that in WebGL; others don't ask.
    fn declare_indices(&self) {
        if self.gl.is_es() {
            // SAFETY: binds and unbinds, while no vertex array is bound that would keep it.
            unsafe {
                self.gl.bind_vertex_array(None);
                self.gl.bind_buffer(glow::ELEMENT_ARRAY_BUFFER, Some(self.handle));
                self.gl.bind_buffer(glow::ELEMENT_ARRAY_BUFFER, None);
            }
        }
    }

    /// Creates a buffer with contents.
    pub fn with<T: bytemuck::NoUninit>(context: &Context, usage: Usage, values: &[T]) -> Result<Buffer, GlError> {
        let mut buffer = Buffer::new(context, usage)?;
        buffer.set(values);
        Ok(buffer)
    }

    /// Replaces the contents. Draws in progress keep the old ones.
    pub fn set<T: bytemuck::NoUninit>(&mut self, values: &[T]) {
        let bytes: &[u8] = bytemuck::cast_slice(values);
        let target = glow::COPY_WRITE_BUFFER;
        // SAFETY: the slice outlives the call, which copies it.
        unsafe {
            self.gl.bind_buffer(target, Some(self.handle));
            self.gl.buffer_data_u8_slice(target, bytes, self.usage);
            self.gl.bind_buffer(target, None);
        }
        self.len.set(bytes.len());
        self.room = bytes.len();
    }

    /// Writes behind the contents.
    ///
    /// # Panics
    /// If there is no room, see [`Buffer::reserved`].
    pub fn append<T: bytemuck::NoUninit>(&mut self, values: &[T]) {
        let bytes: &[u8] = bytemuck::cast_slice(values);
        let (start, target) = (self.byte_len(), glow::COPY_WRITE_BUFFER);
        assert!(start + bytes.len() <= self.room, "{} bytes behind {start} of {}", bytes.len(), self.room);
        // SAFETY: the part is within the buffer, and the slice outlives the call, which copies it. `reserved` has limited the size.
        unsafe {
            self.gl.bind_buffer(target, Some(self.handle));
            self.gl.buffer_sub_data_u8_slice(target, start as i32, bytes);
            self.gl.bind_buffer(target, None);
        }
        self.len.set(start + bytes.len());
    }

    /// Replaces a part of the contents.
    ///
    /// # Panics
    /// If the part is not within the contents.
    pub fn replace<T: bytemuck::NoUninit>(&mut self, start: usize, values: &[T]) {
        let bytes: &[u8] = bytemuck::cast_slice(values);
        let target = glow::COPY_WRITE_BUFFER;
        assert!(start + bytes.len() <= self.byte_len(), "{} bytes at {start} of {}", bytes.len(), self.byte_len());
        // SAFETY: the part is within the buffer, and the slice outlives the call, which copies it. `reserved` has limited the size.
        unsafe {
            self.gl.bind_buffer(target, Some(self.handle));
            self.gl.buffer_sub_data_u8_slice(target, start as i32, bytes);
            self.gl.bind_buffer(target, None);
        }
    }

    /// Size of the contents in bytes.
    pub fn byte_len(&self) -> usize {
        self.len.get()
    }

    /// The size, also after later changes.
    pub(super) fn length(&self) -> Length {
        self.len.clone()
    }

    /// Resizes it to `bytes` zero bytes.
    pub(super) fn reserve(&mut self, bytes: usize) {
        self.set(&vec![0_u8; bytes]);
    }

    /// Binds a part of it, in bytes, to a slot of uniform blocks. The part must be within the contents, and start at a multiple
    /// of 256.
    pub fn bind_block(&self, slot: u32, start: usize, bytes: usize) {
        assert!(start.is_multiple_of(256) && start + bytes <= self.byte_len(), "a part of the contents");
        let (target, handle) = (glow::UNIFORM_BUFFER, Some(self.handle));
        // SAFETY: the part is within the buffer.
        unsafe { self.gl.bind_buffer_range(target, slot, handle, start as i32, bytes as i32) }
    }

    /// Reads the contents back. Waits for the GPU.
    pub(super) fn read(&self) -> Vec<u8> {
        let mut bytes = vec![0; self.byte_len()];
        let length = bytes.len();
        // SAFETY: the destination is as long as the buffer, and mapped memory is copied before it is unmapped.
        unsafe {
            self.gl.bind_buffer(glow::COPY_READ_BUFFER, Some(self.handle));
            if self.gl.is_es() && length > 0 {
                let target = glow::COPY_READ_BUFFER;
                let mapped = self.gl.map_buffer_range(target, 0, length as i32, glow::MAP_READ_BIT);
                if !mapped.is_null() {
                    bytes.copy_from_slice(std::slice::from_raw_parts(mapped, length));
                    self.gl.unmap_buffer(glow::COPY_READ_BUFFER);
                }
            } else {
                self.gl.get_buffer_sub_data(glow::COPY_READ_BUFFER, 0, &mut bytes);
            }
            self.gl.bind_buffer(glow::COPY_READ_BUFFER, None);
        }
        bytes
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: the handle is ours, and the context is still current (see `Context`).
        unsafe { self.gl.delete_buffer(self.handle) }
    }
}
