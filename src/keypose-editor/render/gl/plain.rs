//! What OpenGL 2.1 and ES 2.0 have instead of vertex arrays and multisampled targets: attributes that are set for each draw, and a
//! target with one sample per pixel.
#![allow(unsafe_code)]

use glow::HasContext;

use crate::render::gl::buffer::{Buffer, Usage};
use crate::render::gl::context::{Context, Gl};
use crate::render::gl::error::GlError;
use crate::render::gl::texture::Texture;
use crate::render::gl::vertex_array::{Attribute, Components};

/// Triangles: three vertices each, with attributes of floats and bytes.
pub struct PlainArray {
    gl: Gl,
    buffer: Buffer,
    stride: usize,
    attributes: &'static [Attribute],
}

impl PlainArray {
    /// Copies vertices.
    ///
    /// # Panics
    /// If an attribute is not within a vertex, or of integers.
    pub fn new<T: bytemuck::NoUninit>(
        context: &Context,
        vertices: &[T],
        attributes: &'static [Attribute],
    ) -> Result<PlainArray, GlError> {
        let is_plain = |attribute: &Attribute| {
            let size = match attribute.components {
                Components::Floats(count) => 4 * count.max(0) as usize,
                Components::UnitBytes => 4,
                _ => return false,
            };
            attribute.offset + size <= size_of::<T>()
        };
        assert!(attributes.iter().all(is_plain), "attributes are of floats or bytes, within a vertex");
        let buffer = Buffer::with(context, Usage::Static, vertices)?;
        Ok(PlainArray { gl: context.gl.clone(), buffer, stride: size_of::<T>(), attributes })
    }

    /// Draws all triangles.
    pub fn draw(&self) {
        let (gl, stride) = (&self.gl, self.stride as i32);
        let count = (self.buffer.len() / self.stride.max(1)) as i32;
        // SAFETY: attributes are within vertices, and no more vertices are drawn than the buffer has.
        unsafe {
            gl.bind_buffer(glow::ARRAY_BUFFER, Some(self.buffer.handle));
            for &Attribute { location, components, offset } in self.attributes {
                let (count, kind, is_unit) = match components {
                    Components::Floats(count) => (count, glow::FLOAT, false),
                    _ => (4, glow::UNSIGNED_BYTE, true),
                };
                gl.enable_vertex_attrib_array(location);
                gl.vertex_attrib_pointer_f32(location, count, kind, is_unit, stride, offset as i32);
            }
            gl.draw_arrays(glow::TRIANGLES, 0, count);
            self.attributes.iter().for_each(|attribute| gl.disable_vertex_attrib_array(attribute.location));
            gl.bind_buffer(glow::ARRAY_BUFFER, None);
        }
    }
}

/// A target with one sample per pixel. Colours are written as they are.
pub struct PlainTarget {
    gl: Gl,
    framebuffer: glow::Framebuffer,
    depth: glow::Renderbuffer,
    texture: Texture,
}

impl PlainTarget {
    /// Creates a target of `size` pixels, both sides at least 1.
    pub fn new(context: &Context, size: [u32; 2]) -> Result<PlainTarget, GlError> {
        let gl = context.gl.clone();
        let object = |what, reason| GlError::Object { what, reason };
        let texture = Texture::plain(context, size, None)?;
        let [width, height] = size.map(|side| side as i32);
        // SAFETY: the context is current (see `Context`); the attachments live in the same value.
        unsafe {
            let framebuffer = gl.create_framebuffer().map_err(|reason| object("framebuffer", reason))?;
            let depth = gl.create_renderbuffer().map_err(|reason| object("renderbuffer", reason))?;
            gl.bind_renderbuffer(glow::RENDERBUFFER, Some(depth));
            gl.renderbuffer_storage(glow::RENDERBUFFER, glow::DEPTH_COMPONENT16, width, height);
            gl.bind_renderbuffer(glow::RENDERBUFFER, None);
            let (place, kind) = (glow::FRAMEBUFFER, glow::RENDERBUFFER);
            gl.bind_framebuffer(place, Some(framebuffer));
            let color = Some(texture.handle());
            gl.framebuffer_texture_2d(place, glow::COLOR_ATTACHMENT0, glow::TEXTURE_2D, color, 0);
            gl.framebuffer_renderbuffer(place, glow::DEPTH_ATTACHMENT, kind, Some(depth));
            let status = gl.check_framebuffer_status(place);
            gl.bind_framebuffer(place, None);
            let target = PlainTarget { gl, framebuffer, depth, texture };
            match status {
                glow::FRAMEBUFFER_COMPLETE => Ok(target),
                status => Err(GlError::Target { width: size[0], height: size[1], status }),
            }
        }
    }

    /// Width and height in pixels.
    pub fn size(&self) -> [u32; 2] {
        self.texture.size()
    }

    /// Directs draws to this target.
    pub fn bind(&self) {
        let [width, height] = self.size().map(|side| side as i32);
        // SAFETY: the framebuffer is complete.
        unsafe {
            self.gl.bind_framebuffer(glow::FRAMEBUFFER, Some(self.framebuffer));
            self.gl.viewport(0, 0, width, height);
        }
    }

    /// Reads the image: RGBA bytes, rows from the top. Waits for the GPU.
    pub fn read(&self) -> Vec<u8> {
        let [width, height] = self.size();
        let row = 4 * width as usize;
        let mut bytes = vec![0; row * height as usize];
        self.bind();
        // SAFETY: the slice has the size of the image; rows of RGBA bytes need no padding.
        unsafe {
            let pixels = glow::PixelPackData::Slice(&mut bytes);
            self.gl.pixel_store_i32(glow::PACK_ALIGNMENT, 4);
            self.gl.read_pixels(0, 0, width as i32, height as i32, glow::RGBA, glow::UNSIGNED_BYTE, pixels);
            self.gl.bind_framebuffer(glow::FRAMEBUFFER, None);
        }
        bytes.chunks_exact(row).rev().flatten().copied().collect()
    }
}

impl Drop for PlainTarget {
    fn drop(&mut self) {
        // SAFETY: the handles are ours, and the context is still current (see `Context`).
        unsafe {
            self.gl.delete_framebuffer(self.framebuffer);
            self.gl.delete_renderbuffer(self.depth);
        }
    }
}
