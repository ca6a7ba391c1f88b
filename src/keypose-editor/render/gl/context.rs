//! The context: the functions of a driver, its interface, and its limits.
#![allow(unsafe_code)]

use std::any::Any;
use std::ops::Deref;
use std::rc::Rc;

use glow::HasContext;
use keypose::choice;

use crate::render::gl::error::GlError;

/// A context that is current on this thread. It and every object made from it keep it current while they exist.
#[derive(Clone)]
pub struct Context {
    pub(super) gl: Gl,
    limits: Limits,
}

/// The functions of a driver, with what keeps their context current. Every object has one, so the order in which objects and the
/// context are dropped is free.
#[derive(Clone)]
pub(super) struct Gl {
    functions: Rc<glow::Context>,
    pub(super) interface: Interface,
    _current: Rc<dyn Any>,
}

impl Gl {
    /// Whether some functions have the names of OpenGL ES.
    pub(super) fn is_es(&self) -> bool {
        self.interface == Interface::Es3
    }
}

impl Deref for Gl {
    type Target = glow::Context;

    fn deref(&self) -> &glow::Context {
        &self.functions
    }
}

choice! {
    /// The interface of a driver. A driver may offer more than is asked for; only what the interface has is used.
    pub enum Interface {
        /// OpenGL 3.3 core.
        Gl33 = "gl33",
        /// OpenGL ES 3.0.
        Es3 = "es3",
    }
}

impl Interface {
    /// The name in messages.
    pub fn title(self) -> &'static str {
        match self {
            Interface::Gl33 => "OpenGL 3.3",
            Interface::Es3 => "OpenGL ES 3.0",
        }
    }

    /// The interface of a version; `None` if it is older than all.
    fn of(version: &glow::Version) -> Option<Interface> {
        match (version.is_embedded, version.major, version.minor) {
            (false, major, minor) if (major, minor) >= (3, 3) => Some(Interface::Gl33),
            (true, 3.., _) => Some(Interface::Es3),
            _ => None,
        }
    }
}

/// Limits of the driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum width and height of a texture.
    pub texture_size: u32,
    /// Maximum samples per pixel of a multisampled target; 1 if there are none.
    pub samples: u32,
    /// Vectors of four numbers that the uniforms of a vertex shader have room for.
    pub uniform_vectors: u32,
    /// Bytes of a uniform block.
    pub block_bytes: u32,
    /// Textures that a vertex shader can read.
    pub vertex_textures: u32,
}

impl Limits {
    fn read(gl: &Gl) -> Limits {
        // SAFETY: reads parameters that every context of the interfaces has.
        let read = |name| unsafe { gl.get_parameter_i32(name) }.max(0) as u32;
        Limits {
            texture_size: read(glow::MAX_TEXTURE_SIZE).max(1),
            samples: read(glow::MAX_SAMPLES).max(1),
            uniform_vectors: read(glow::MAX_VERTEX_UNIFORM_COMPONENTS) / 4,
            block_bytes: read(glow::MAX_UNIFORM_BLOCK_SIZE),
            vertex_textures: read(glow::MAX_VERTEX_TEXTURE_IMAGE_UNITS),
        }
    }
}

impl Context {
    /// Checks that the context has an interface and reads its limits.
    ///
    /// # Safety
    /// The context of `functions` is current on this thread until `current` is dropped.
    pub unsafe fn new(
        functions: Rc<glow::Context>,
        current: Rc<dyn Any>,
        interface: Interface,
    ) -> Result<Context, GlError> {
        let version = functions.version();
        if Interface::of(version) != Some(interface) {
            return Err(GlError::TooOld { major: version.major, minor: version.minor, needed: interface.title() });
        }
        let gl = Gl { functions, interface, _current: current };
        let limits = Limits::read(&gl);
        Ok(Context { gl, limits })
    }

    /// The interface of the driver.
    pub fn interface(&self) -> Interface {
        self.gl.interface
    }

    /// Limits of the driver.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Lowers the maximum size of textures, to see what programs do on a smaller driver.
    pub fn limited_to(mut self, texture_size: u32) -> Context {
        self.limits.texture_size = self.limits.texture_size.min(texture_size.max(1));
        self
    }

    /// Waits until the GPU has done everything.
    pub fn finish(&self) {
        // SAFETY: has no arguments.
        unsafe { self.gl.finish() }
        // Browsers only flush then, and wait for pixels that are read.
        #[cfg(target_family = "wasm")]
        // SAFETY: the page's canvas has a pixel, and its four bytes have room.
        unsafe {
            let pixel = glow::PixelPackData::Slice(&mut [0; 4]);
            self.gl.bind_framebuffer(glow::READ_FRAMEBUFFER, None);
            self.gl.read_pixels(0, 0, 1, 1, glow::RGBA, glow::UNSIGNED_BYTE, pixel);
        }
    }

    /// Vendor, renderer and version, as the driver reports them.
    pub fn describe(&self) -> String {
        let names = [glow::VENDOR, glow::RENDERER, glow::VERSION];
        // SAFETY: these strings exist in every context.
        names.map(|name| unsafe { self.gl.get_parameter_string(name) }).join(", ")
    }

    /// The version of the shading language, as the driver reports it.
    pub fn shading_language(&self) -> String {
        // SAFETY: as above.
        unsafe { self.gl.get_parameter_string(glow::SHADING_LANGUAGE_VERSION) }
    }

    /// The codes of the errors that the driver recorded since the last call.
    pub fn take_errors(&self) -> Vec<u32> {
        // SAFETY: reads and resets the error flags. A lost context repeats its error, hence the limit.
        let next = || match unsafe { self.gl.get_error() } {
            glow::NO_ERROR => None,
            code => Some(code),
        };
        std::iter::from_fn(next).take(16).collect()
    }
}
