//! The context: the functions of a driver with OpenGL 3.3, and its limits.
#![allow(unsafe_code)]

use std::any::Any;
use std::ops::Deref;
use std::rc::Rc;

use glow::HasContext;

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
    _current: Rc<dyn Any>,
}

impl Deref for Gl {
    type Target = glow::Context;

    fn deref(&self) -> &glow::Context {
        &self.functions
    }
}

/// Limits of the driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum width and height of a texture.
    pub texture_size: u32,
    /// Maximum samples per pixel of a multisampled target.
    pub samples: u32,
}

impl Context {
    /// Checks the version and reads the limits.
    ///
    /// # Safety
    /// The context of `functions` is current on this thread until `current` is dropped.
    pub unsafe fn new(functions: Rc<glow::Context>, current: Rc<dyn Any>) -> Result<Context, GlError> {
        let gl = Gl { functions, _current: current };
        let version = gl.version();
        if (version.major, version.minor) < (3, 3) {
            return Err(GlError::TooOld { major: version.major, minor: version.minor });
        }
        // SAFETY: reading parameters that every 3.3 context has.
        let read = |name| unsafe { gl.get_parameter_i32(name) }.max(1) as u32;
        let limits = Limits { texture_size: read(glow::MAX_TEXTURE_SIZE), samples: read(glow::MAX_SAMPLES) };
        Ok(Context { gl, limits })
    }

    /// Limits of the driver.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// The same context with a lower maximum size of textures, to see what programs do on a smaller driver.
    pub fn limited_to(mut self, texture_size: u32) -> Context {
        self.limits.texture_size = self.limits.texture_size.min(texture_size.max(1));
        self
    }

    /// Waits until the GPU has done everything.
    pub fn finish(&self) {
        // SAFETY: has no arguments.
        unsafe { self.gl.finish() }
    }

    /// Vendor, renderer and version, as the driver reports them.
    pub fn describe(&self) -> String {
        let names = [glow::VENDOR, glow::RENDERER, glow::VERSION];
        // SAFETY: these strings exist in every context.
        names.map(|name| unsafe { self.gl.get_parameter_string(name) }).join(", ")
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
