//! A two-dimensional texture: an image with mipmaps, a table of floats, or a render target.
#![allow(unsafe_code)]

use glow::HasContext;

use crate::render::gl::context::{Context, Gl};
use crate::render::gl::error::GlError;
use keypose::assets::material::{Filter, Wrap};

/// A texture object.
pub struct Texture {
    gl: Gl,
    pub(super) handle: glow::Texture,
    size: [u32; 2],
    wrap: Option<([Wrap; 2], Filter)>,
}

/// The format of a texel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// sRGB-encoded colour with alpha; lookups return linear light.
    Srgb8Alpha8,
    /// Four numbers, 0..=1: normals, roughness.
    Rgba8,
    /// Four floats, fetched by index.
    Rgba32F,
    /// Depth. Lookups compare and return the fraction of the neighbourhood that is nearer.
    DepthCompare,
}

impl Format {
    /// GL's internal format, format and type.
    fn names(self) -> (u32, u32, u32) {
        match self {
            Format::Srgb8Alpha8 => (glow::SRGB8_ALPHA8, glow::RGBA, glow::UNSIGNED_BYTE),
            Format::Rgba8 => (glow::RGBA8, glow::RGBA, glow::UNSIGNED_BYTE),
            Format::Rgba32F => (glow::RGBA32F, glow::RGBA, glow::FLOAT),
            Format::DepthCompare => (glow::DEPTH_COMPONENT24, glow::DEPTH_COMPONENT, glow::UNSIGNED_INT),
        }
    }
}

impl Texture {
    /// Creates a texture without contents: one level, clamped edges.
    pub fn empty(context: &Context, format: Format, size: [u32; 2]) -> Result<Texture, GlError> {
        let texture = Texture::make(context, size)?;
        texture.allocate(format, None);
        let smooth = if format == Format::Rgba32F { glow::NEAREST } else { glow::LINEAR };
        texture.parameter(glow::TEXTURE_MIN_FILTER, smooth);
        texture.parameter(glow::TEXTURE_MAG_FILTER, smooth);
        for side in [glow::TEXTURE_WRAP_S, glow::TEXTURE_WRAP_T] {
            texture.parameter(side, glow::CLAMP_TO_EDGE);
        }
        if format == Format::DepthCompare {
            texture.parameter(glow::TEXTURE_COMPARE_MODE, glow::COMPARE_REF_TO_TEXTURE);
            texture.parameter(glow::TEXTURE_COMPARE_FUNC, glow::LEQUAL);
        }
        Ok(texture)
    }

    /// Creates an sRGB image with mipmaps; `pixels` are `4 * width * height` bytes, rows from the top, which is v = 0.
    pub fn image(context: &Context, size: [u32; 2], pixels: &[u8]) -> Result<Texture, GlError> {
        Texture::with_mipmaps(context, Format::Srgb8Alpha8, size, pixels)
    }

    /// Creates an image of linear numbers with mipmaps, from pixels as in [`Texture::image`].
    pub fn numbers(context: &Context, size: [u32; 2], pixels: &[u8]) -> Result<Texture, GlError> {
        Texture::with_mipmaps(context, Format::Rgba8, size, pixels)
    }

    fn with_mipmaps(context: &Context, format: Format, size: [u32; 2], pixels: &[u8]) -> Result<Texture, GlError> {
        assert_eq!(pixels.len(), 4 * size[0] as usize * size[1] as usize, "byte count of an image of {size:?}");
        let texture = Texture::make(context, size)?;
        texture.allocate(format, Some(pixels));
        // SAFETY: the texture is bound by `allocate` and complete.
        unsafe { texture.gl.generate_mipmap(glow::TEXTURE_2D) }
        Ok(texture)
    }

    fn make(context: &Context, size: [u32; 2]) -> Result<Texture, GlError> {
        let gl = context.gl.clone();
        // SAFETY: the context is current (see `Context`).
        let handle = unsafe { gl.create_texture() }.map_err(|reason| GlError::Object { what: "texture", reason })?;
        Ok(Texture { gl, handle, size, wrap: None })
    }

    /// Binds it and allocates its storage.
    fn allocate(&self, format: Format, pixels: Option<&[u8]>) {
        let bytes = 4 * self.size[0] as usize * self.size[1] as usize;
        assert!(pixels.is_none_or(|pixels| pixels.len() == bytes), "byte count of an image of {:?}", self.size);
        let (internal, format, kind) = format.names();
        let [width, height] = self.size.map(|side| side as i32);
        self.bind(0);
        // SAFETY: the slice, if any, has the byte count of format and size.
        unsafe {
            self.gl.pixel_store_i32(glow::UNPACK_ALIGNMENT, 4);
            self.gl.tex_image_2d(glow::TEXTURE_2D, 0, internal as i32, width, height, 0, format, kind, pixels);
        }
    }

    /// Writes rows of floats, starting at the first row. `values` has four floats per texel.
    pub fn write_rows(&mut self, values: &[[f32; 4]]) {
        self.write_rows_at(0, values);
    }

    /// The same, starting at another row.
    pub fn write_rows_at(&mut self, row: usize, values: &[[f32; 4]]) {
        let width = self.size[0] as usize;
        assert!(
            values.len().is_multiple_of(width) && row + values.len() / width <= self.size[1] as usize,
            "whole rows"
        );
        let bytes: &[u8] = bytemuck::cast_slice(values);
        let (width, rows) = (width as i32, (values.len() / width) as i32);
        self.bind(0);
        // SAFETY: the slice holds `rows` rows of 16-byte texels, and the texture is at least as high.
        unsafe {
            let pixels = glow::PixelUnpackData::Slice(bytes);
            self.gl.pixel_store_i32(glow::UNPACK_ALIGNMENT, 4);
            self.gl.tex_sub_image_2d(glow::TEXTURE_2D, 0, 0, row as i32, width, rows, glow::RGBA, glow::FLOAT, pixels);
        }
    }

    /// Sets wrap modes and filter, if they changed.
    pub fn set_sampling(&mut self, wrap: [Wrap; 2], filter: Filter) {
        if self.wrap == Some((wrap, filter)) {
            return;
        }
        self.wrap = Some((wrap, filter));
        self.bind(0);
        for (side, wrap) in [glow::TEXTURE_WRAP_S, glow::TEXTURE_WRAP_T].into_iter().zip(wrap) {
            let value = match wrap {
                Wrap::Repeat => glow::REPEAT,
                Wrap::Mirror => glow::MIRRORED_REPEAT,
                Wrap::Clamp => glow::CLAMP_TO_EDGE,
            };
            self.parameter(side, value);
        }
        let (min, mag) = match filter {
            Filter::Linear => (glow::LINEAR_MIPMAP_LINEAR, glow::LINEAR),
            Filter::Nearest => (glow::NEAREST_MIPMAP_LINEAR, glow::NEAREST),
        };
        self.parameter(glow::TEXTURE_MIN_FILTER, min);
        self.parameter(glow::TEXTURE_MAG_FILTER, mag);
    }

    fn parameter(&self, name: u32, value: u32) {
        // SAFETY: the texture is bound; an invalid value is a GL error.
        unsafe { self.gl.tex_parameter_i32(glow::TEXTURE_2D, name, value as i32) }
    }

    /// Binds it to a texture unit.
    pub fn bind(&self, unit: u32) {
        // SAFETY: the handle is valid while `self` lives.
        unsafe {
            self.gl.active_texture(glow::TEXTURE0 + unit);
            self.gl.bind_texture(glow::TEXTURE_2D, Some(self.handle));
        }
    }

    /// Width and height in texels.
    pub fn size(&self) -> [u32; 2] {
        self.size
    }

    /// The handle, for panels. It is valid while the texture lives.
    pub fn handle(&self) -> glow::Texture {
        self.handle
    }
}

impl Drop for Texture {
    fn drop(&mut self) {
        // SAFETY: the handle is ours, and the context is still current (see `Context`).
        unsafe { self.gl.delete_texture(self.handle) }
    }
}
