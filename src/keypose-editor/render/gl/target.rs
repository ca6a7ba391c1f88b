//! Render targets: multisampled images that resolve to a texture, shadow maps, and the window.
#![allow(unsafe_code)]

use glow::HasContext;

use crate::render::gl::context::{Context, Gl};
use crate::render::gl::error::GlError;
use crate::render::gl::texture::{Format, Texture};

/// A framebuffer object.
struct Framebuffer {
    gl: Gl,
    handle: glow::Framebuffer,
}

/// A renderbuffer object.
struct Renderbuffer {
    gl: Gl,
    handle: glow::Renderbuffer,
}

/// A target of fixed size: multisampled colour and depth, resolved to a texture.
pub struct Target {
    gl: Gl,
    samples: Framebuffer,
    _color: Renderbuffer,
    _depth: Renderbuffer,
    resolved: Framebuffer,
    texture: Texture,
}

/// A rectangle of a target, in pixels from its lower left corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Viewport {
    /// The lower left corner.
    pub at: [u32; 2],
    /// Width and height, both at least 1.
    pub size: [u32; 2],
}

impl Viewport {
    /// The whole target.
    pub fn whole(target: &Target) -> Viewport {
        Viewport { at: [0; 2], size: target.size() }
    }

    /// The left and the right half. The left half of an odd width is narrower; both have at least one pixel.
    pub fn halves(self) -> [Viewport; 2] {
        let ([x, y], [width, height]) = (self.at, self.size);
        let left = (width / 2).max(1);
        let right = (width - width / 2).max(1);
        [Viewport { at: [x, y], size: [left, height] }, Viewport { at: [x + width / 2, y], size: [right, height] }]
    }
}

/// A square depth map rendered from the light.
pub struct ShadowMap {
    framebuffer: Framebuffer,
    texture: Texture,
}

impl Target {
    /// Creates a target of `size` pixels, both sides at least 1, with up to `samples` samples per pixel.
    pub fn new(context: &Context, size: [u32; 2], samples: u32) -> Result<Target, GlError> {
        let gl = context.gl.clone();
        let samples_count = samples.min(context.limits().samples);
        let color = Renderbuffer::new(&gl, glow::SRGB8_ALPHA8, size, samples_count)?;
        let depth = Renderbuffer::new(&gl, glow::DEPTH24_STENCIL8, size, samples_count)?;
        let samples = Framebuffer::new(&gl)?;
        let resolved = Framebuffer::new(&gl)?;
        let texture = Texture::empty(context, Format::Srgb8Alpha8, size)?;
        // SAFETY: the attachments live as long as the framebuffers, in the same value.
        unsafe {
            samples.bind();
            let buffers = [(glow::COLOR_ATTACHMENT0, &color), (glow::DEPTH_STENCIL_ATTACHMENT, &depth)];
            for (place, buffer) in buffers {
                gl.framebuffer_renderbuffer(glow::FRAMEBUFFER, place, glow::RENDERBUFFER, Some(buffer.handle));
            }
            samples.check(size)?;
            resolved.bind();
            let handle = Some(texture.handle);
            gl.framebuffer_texture_2d(glow::FRAMEBUFFER, glow::COLOR_ATTACHMENT0, glow::TEXTURE_2D, handle, 0);
            resolved.check(size)?;
            gl.bind_framebuffer(glow::FRAMEBUFFER, None);
        }
        Ok(Target { gl, samples, _color: color, _depth: depth, resolved, texture })
    }

    /// Width and height in pixels.
    pub fn size(&self) -> [u32; 2] {
        self.texture.size()
    }

    /// The resolved texture, see [`Target::resolve`]. GL's rows start at the bottom.
    pub fn texture(&self) -> &Texture {
        &self.texture
    }

    /// Directs draws to a rectangle of this target. Linear colours are encoded when written.
    pub fn bind(&self, viewport: Viewport) {
        self.samples.bind();
        let ([x, y], [width, height]) = (viewport.at.map(|side| side as i32), viewport.size.map(|side| side as i32));
        // SAFETY: the framebuffer is complete.
        unsafe {
            self.gl.viewport(x, y, width, height);
            // OpenGL ES always encodes what is written to such a target.
            if !self.gl.is_es() {
                self.gl.enable(glow::FRAMEBUFFER_SRGB);
            }
        }
    }

    /// Clears the depth of a rectangle of the bound target.
    pub fn clear_depth(&self, viewport: Viewport) {
        let ([x, y], [width, height]) = (viewport.at.map(|side| side as i32), viewport.size.map(|side| side as i32));
        // SAFETY: clears what is bound, within the viewport.
        unsafe {
            self.gl.enable(glow::SCISSOR_TEST);
            self.gl.scissor(x, y, width, height);
            self.gl.depth_mask(true);
            clear_depth(&self.gl);
            self.gl.clear(glow::DEPTH_BUFFER_BIT);
            self.gl.disable(glow::SCISSOR_TEST);
        }
    }

    /// Directs draws to the window.
    pub fn unbind(&self) {
        // SAFETY: the window's framebuffer always exists.
        unsafe { self.gl.bind_framebuffer(glow::FRAMEBUFFER, None) }
    }

    /// Directs draws to the window, which has the size of this target.
    pub fn bind_window(&self) {
        self.unbind();
        let [width, height] = self.size().map(|side| side as i32);
        // SAFETY: sets state that every context has.
        unsafe { self.gl.viewport(0, 0, width, height) }
    }

    /// Averages the samples into the texture.
    pub fn resolve(&self) {
        let [width, height] = self.size().map(|side| side as i32);
        // SAFETY: both framebuffers are complete, of one size and format.
        unsafe {
            self.gl.disable(glow::SCISSOR_TEST);
            self.gl.bind_framebuffer(glow::READ_FRAMEBUFFER, Some(self.samples.handle));
            self.gl.bind_framebuffer(glow::DRAW_FRAMEBUFFER, Some(self.resolved.handle));
            let (bits, filter) = (glow::COLOR_BUFFER_BIT, glow::NEAREST);
            // OpenGL ES always averages light; 3.3 only if it encodes.
            if !self.gl.is_es() {
                self.gl.enable(glow::FRAMEBUFFER_SRGB);
            }
            self.gl.blit_framebuffer(0, 0, width, height, 0, 0, width, height, bits, filter);
            if !self.gl.is_es() {
                self.gl.disable(glow::FRAMEBUFFER_SRGB);
            }
            self.gl.bind_framebuffer(glow::FRAMEBUFFER, None);
        }
    }

    /// Copies the resolved image to a new texture.
    pub fn copy(&self, context: &Context) -> Result<Texture, GlError> {
        let texture = Texture::empty(context, Format::Srgb8Alpha8, self.size())?;
        let [width, height] = self.size().map(|side| side as i32);
        self.resolved.bind();
        texture.bind(0);
        // SAFETY: the texture is as large as what is read.
        unsafe {
            self.gl.copy_tex_sub_image_2d(glow::TEXTURE_2D, 0, 0, 0, 0, 0, width, height);
            self.gl.bind_texture(glow::TEXTURE_2D, None);
            self.gl.bind_framebuffer(glow::FRAMEBUFFER, None);
        }
        Ok(texture)
    }

    /// Reads the resolved image: RGBA bytes, sRGB-encoded, rows from the top. Waits for the GPU.
    pub fn read(&self) -> Vec<u8> {
        let [width, height] = self.size();
        let row = 4 * width as usize;
        let mut bytes = vec![0; row * height as usize];
        self.resolved.bind();
        // SAFETY: the slice has the size of the image; rows of RGBA bytes need no padding.
        unsafe {
            let pixels = glow::PixelPackData::Slice(&mut bytes);
            self.gl.pixel_store_i32(glow::PACK_ALIGNMENT, 4);
            self.gl.read_pixels(0, 0, width as i32, height as i32, glow::RGBA, glow::UNSIGNED_BYTE, pixels);
            self.gl.bind_framebuffer(glow::FRAMEBUFFER, None);
        }
        let mut rows = Vec::with_capacity(bytes.len());
        bytes.chunks_exact(row).rev().for_each(|row| rows.extend_from_slice(row));
        rows
    }
}

impl ShadowMap {
    /// Creates a map with `size` texels on each side.
    pub fn new(context: &Context, size: u32) -> Result<ShadowMap, GlError> {
        let (framebuffer, size) = (Framebuffer::new(&context.gl)?, [size; 2]);
        let texture = Texture::empty(context, Format::DepthCompare, size)?;
        framebuffer.bind();
        // SAFETY: the texture lives beside the framebuffer.
        unsafe {
            let handle = Some(texture.handle);
            let gl = &context.gl;
            gl.framebuffer_texture_2d(glow::FRAMEBUFFER, glow::DEPTH_ATTACHMENT, glow::TEXTURE_2D, handle, 0);
            gl.draw_buffers(&[glow::NONE]);
            gl.read_buffer(glow::NONE);
            framebuffer.check(size)?;
            gl.bind_framebuffer(glow::FRAMEBUFFER, None);
        }
        Ok(ShadowMap { framebuffer, texture })
    }

    /// Directs draws to this map.
    pub fn bind(&self) {
        self.framebuffer.bind();
        let side = self.texture.size()[0] as i32;
        // SAFETY: the framebuffer is complete.
        unsafe { self.framebuffer.gl.viewport(0, 0, side, side) }
    }

    /// The depths, for lookups with comparison.
    pub fn texture(&self) -> &Texture {
        &self.texture
    }
}

impl Context {
    /// Clears the bound target's colour (linear, premultiplied) and depth.
    pub fn clear(&self, color: [f32; 4]) {
        let [r, g, b, a] = color;
        // SAFETY: clears what is bound.
        unsafe {
            self.gl.disable(glow::SCISSOR_TEST);
            self.gl.color_mask(true, true, true, true);
            self.gl.depth_mask(true);
            self.gl.clear_color(r, g, b, a);
            clear_depth(&self.gl);
            self.gl.clear(glow::COLOR_BUFFER_BIT | glow::DEPTH_BUFFER_BIT);
        }
    }
}

/// Sets the depth that clearing writes: the farthest.
///
/// # Safety
/// The context is current.
unsafe fn clear_depth(gl: &Gl) {
    // SAFETY: guaranteed by the caller; each interface has one of these.
    unsafe { if gl.is_es() { gl.clear_depth_f32(1.0) } else { gl.clear_depth_f64(1.0) } }
}

impl Framebuffer {
    fn new(gl: &Gl) -> Result<Framebuffer, GlError> {
        // SAFETY: the context is current (see `Context`).
        let handle = unsafe { gl.create_framebuffer() };
        let handle = handle.map_err(|reason| GlError::Object { what: "framebuffer", reason })?;
        Ok(Framebuffer { gl: gl.clone(), handle })
    }

    fn bind(&self) {
        // SAFETY: the handle is valid while `self` lives.
        unsafe { self.gl.bind_framebuffer(glow::FRAMEBUFFER, Some(self.handle)) }
    }

    /// Checks the bound framebuffer.
    fn check(&self, [width, height]: [u32; 2]) -> Result<(), GlError> {
        // SAFETY: reads the status of what is bound.
        match unsafe { self.gl.check_framebuffer_status(glow::FRAMEBUFFER) } {
            glow::FRAMEBUFFER_COMPLETE => Ok(()),
            status => Err(GlError::Target { width, height, status }),
        }
    }
}

impl Renderbuffer {
    fn new(gl: &Gl, format: u32, size: [u32; 2], samples: u32) -> Result<Renderbuffer, GlError> {
        let [width, height] = size.map(|side| side as i32);
        // SAFETY: the context is current; too large a size is a GL error and an incomplete framebuffer.
        unsafe {
            let handle = gl.create_renderbuffer();
            let handle = handle.map_err(|reason| GlError::Object { what: "renderbuffer", reason })?;
            gl.bind_renderbuffer(glow::RENDERBUFFER, Some(handle));
            gl.renderbuffer_storage_multisample(glow::RENDERBUFFER, samples as i32, format, width, height);
            gl.bind_renderbuffer(glow::RENDERBUFFER, None);
            Ok(Renderbuffer { gl: gl.clone(), handle })
        }
    }
}

impl Drop for Framebuffer {
    fn drop(&mut self) {
        // SAFETY: the handle is ours, and the context is still current (see `Context`).
        unsafe { self.gl.delete_framebuffer(self.handle) }
    }
}

impl Drop for Renderbuffer {
    fn drop(&mut self) {
        // SAFETY: as above.
        unsafe { self.gl.delete_renderbuffer(self.handle) }
    }
}
