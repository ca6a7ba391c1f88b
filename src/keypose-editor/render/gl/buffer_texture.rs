//! A buffer texture: a long row of vectors of four floats that shaders fetch by index. Only OpenGL 3.3 has them.
#![allow(unsafe_code)]

use glow::HasContext;

use crate::render::gl::buffer::{Buffer, Usage};
use crate::render::gl::context::{Context, Gl};
use crate::render::gl::error::GlError;

/// A texture object and its buffer.
pub struct BufferTexture {
    gl: Gl,
    handle: glow::Texture,
    buffer: Buffer,
}

impl BufferTexture {
    /// Creates an empty one. The error says so if the driver has none.
    pub fn new(context: &Context) -> Result<BufferTexture, GlError> {
        let gl = context.gl.clone();
        let none = || GlError::Object { what: "buffer texture", reason: "the driver has none".into() };
        let tex_buffer = gl.tex_buffer.ok_or_else(none)?;
        let mut buffer = Buffer::new(context, Usage::Stream)?;
        buffer.set(&[[0.0_f32; 4]]);
        // SAFETY: the context is current (see `Context`); texture and buffer live in the same value.
        unsafe {
            let handle = gl.create_texture().map_err(|reason| GlError::Object { what: "texture", reason })?;
            gl.active_texture(glow::TEXTURE0);
            gl.bind_texture(glow::TEXTURE_BUFFER, Some(handle));
            tex_buffer(glow::TEXTURE_BUFFER, glow::RGBA32F, buffer.handle.0.get());
            gl.bind_texture(glow::TEXTURE_BUFFER, None);
            Ok(BufferTexture { gl, handle, buffer })
        }
    }

    /// Replaces the contents; at most [`crate::render::gl::context::Limits::buffer_vectors`], and at least one.
    pub fn set(&mut self, rows: &[[f32; 4]]) {
        self.buffer.set(rows);
    }

    /// Binds it to a texture unit.
    pub fn bind(&self, unit: u32) {
        // SAFETY: the handle is valid while `self` lives.
        unsafe {
            self.gl.active_texture(glow::TEXTURE0 + unit);
            self.gl.bind_texture(glow::TEXTURE_BUFFER, Some(self.handle));
        }
    }
}

impl Drop for BufferTexture {
    fn drop(&mut self) {
        // SAFETY: the handle is ours, and the context is still current (see `Context`).
        unsafe { self.gl.delete_texture(self.handle) }
    }
}
