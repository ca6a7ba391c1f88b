//! OpenGL without a display, for `keypose render` and for image tests: EGL on a device, without a surface; on Windows a hidden
//! window. Elsewhere it returns an error. One of the few files with `unsafe`: glutin's calls with raw handles.
#![allow(unsafe_code)]

use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};

use keypose_editor::render::gl::context::Context;
pub use keypose_editor::render::gl::context::Interface;
use keypose_editor::render::gl::messages::listen;

/// The choice of the driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Driver {
    /// The first driver with OpenGL 3.3.
    Any,
    /// A software driver, which draws the same image on every machine.
    Software,
}

/// Whether the driver reports errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checks {
    /// No checks.
    Off,
    /// Errors are reported, which is slower.
    On,
}

/// A context without a window, current on this thread. Objects made from it keep it current.
pub struct Headless {
    /// The context for the renderer.
    pub context: Context,
    /// The GL functions for other code.
    pub gl: Rc<glow::Context>,
    messages: Arc<Mutex<Vec<String>>>,
}

impl Headless {
    /// Opens a context with OpenGL 3.3. The error is one sentence.
    pub fn open(driver: Driver, checks: Checks) -> Result<Headless, String> {
        Headless::open_as(Interface::Gl33, driver, checks)
    }

    /// Opens a context with an interface. The error is one sentence.
    pub fn open_as(interface: Interface, driver: Driver, checks: Checks) -> Result<Headless, String> {
        let (current, mut gl) = platform::open(interface, driver, checks)?;
        let messages = Arc::<Mutex<Vec<String>>>::default();
        if checks == Checks::On {
            let kept = messages.clone();
            let report = move |text: &str| kept.lock().unwrap_or_else(PoisonError::into_inner).push(text.to_owned());
            // SAFETY: the context is current.
            unsafe { listen(&mut gl, report) };
        }
        let gl = Rc::new(gl);
        let current = Rc::new(current);
        // SAFETY: `current` keeps the context current on this thread.
        let context = unsafe { Context::new(gl.clone(), current, interface) };
        let context = context.map_err(|error| error.to_string())?;
        Ok(Headless { context, gl, messages })
    }

    /// The errors since the last call; empty without checks.
    pub fn take_messages(&self) -> Vec<String> {
        let mut messages: Vec<String> =
            std::mem::take(&mut *self.messages.lock().unwrap_or_else(PoisonError::into_inner));
        messages.extend(self.context.take_errors().iter().map(|code| format!("GL error {code:#x}")));
        messages
    }
}

#[cfg(target_os = "linux")]
mod platform {
    //! EGL devices.

    use glutin::api::egl;
    use glutin::config::{Api, ConfigSurfaceTypes, ConfigTemplateBuilder};
    use glutin::context::{ContextApi, ContextAttributesBuilder, GlProfile, Version};
    use glutin::display::GlDisplay;
    use glutin::prelude::PossiblyCurrentGlContext;

    use super::{Checks, Driver, Interface};

    /// Keeps the context current while it exists.
    pub struct Current {
        context: Option<egl::context::PossiblyCurrentContext>,
        _display: egl::display::Display,
    }

    const HELP: &str = "rendering without a display needs EGL with OpenGL 3.3 (on Debian: libegl1 and libgl1-mesa-dri)";

    pub fn open(interface: Interface, driver: Driver, checks: Checks) -> Result<(Current, glow::Context), String> {
        let devices = egl::device::Device::query_devices();
        let devices = devices.map_err(|error| format!("{HELP}; EGL has no devices ({error})"))?;
        let is_software = |device: &egl::device::Device| device.extensions().contains("EGL_MESA_device_software");
        let mut reason = String::from("no device found");
        for device in devices.filter(|device| driver == Driver::Any || is_software(device)) {
            match open_device(&device, interface, checks) {
                Ok(opened) => return Ok(opened),
                Err(error) => reason = error,
            }
        }
        Err(format!("{HELP}; {reason}"))
    }

    fn open_device(
        device: &egl::device::Device,
        interface: Interface,
        checks: Checks,
    ) -> Result<(Current, glow::Context), String> {
        let (api, context_api, profile) = match interface {
            Interface::Gl33 => (Api::OPENGL, ContextApi::OpenGl(Some(Version::new(3, 3))), GlProfile::Core),
            Interface::Es3 => (Api::GLES3, ContextApi::Gles(Some(Version::new(3, 0))), GlProfile::Core),
        };
        let surfaces = ConfigSurfaceTypes::empty();
        let template = ConfigTemplateBuilder::new().with_api(api).with_surface_type(surfaces).build();
        let attributes = ContextAttributesBuilder::new().with_context_api(context_api);
        let attributes = attributes.with_profile(profile).with_debug(checks == Checks::On).build(None);
        let to_text = |error: glutin::error::Error| error.to_string();
        // SAFETY: the device comes from EGL and needs no window; the context is kept together with its display.
        unsafe {
            let display = egl::display::Display::with_device(device, None).map_err(to_text)?;
            let config = display.find_configs(template).map_err(to_text)?.next();
            let config = config.ok_or("the device has no configuration for OpenGL")?;
            let context = display.create_context(&config, &attributes).map_err(to_text)?;
            let context = context.make_current_surfaceless().map_err(to_text)?;
            let gl = glow::Context::from_loader_function_cstr(|name| display.get_proc_address(name));
            Ok((Current { context: Some(context), _display: display }, gl))
        }
    }

    impl Drop for Current {
        fn drop(&mut self) {
            // A context that is current would only be marked for deletion.
            if let Some(context) = self.context.take().filter(|context| context.is_current()) {
                let _ = glutin::prelude::PossiblyCurrentGlContext::make_not_current(context);
            }
        }
    }
}

#[cfg(windows)]
mod platform {
    //! A hidden window. The driver is the system's: there is no choice.

    use glutin::api::wgl;
    use glutin::config::ConfigTemplateBuilder;
    use glutin::context::{ContextApi, ContextAttributesBuilder, GlProfile, NotCurrentGlContext, Version};
    use glutin::display::GlDisplay;
    use glutin::surface::{SurfaceAttributesBuilder, WindowSurface};
    use raw_window_handle::{RawDisplayHandle, WindowsDisplayHandle};

    use super::{Checks, Driver, Interface};
    use crate::app::win32::HiddenWindow;

    /// Keeps the context current while it exists. Dropped in this order.
    pub struct Current {
        _context: wgl::context::PossiblyCurrentContext,
        _surface: wgl::surface::Surface<WindowSurface>,
        _window: HiddenWindow,
    }

    pub fn open(interface: Interface, _driver: Driver, checks: Checks) -> Result<(Current, glow::Context), String> {
        open_hidden(interface, checks).map_err(|error| {
            format!("drawing needs OpenGL 3.3; update the graphics driver (the system reports: {error})")
        })
    }

    fn open_hidden(interface: Interface, checks: Checks) -> Result<(Current, glow::Context), String> {
        let window = HiddenWindow::new().map_err(|error| error.to_string())?;
        let handle = window.handle().ok_or("the window has no handle")?;
        let (context_api, profile) = match interface {
            Interface::Gl33 => (ContextApi::OpenGl(Some(Version::new(3, 3))), GlProfile::Core),
            Interface::Es3 => (ContextApi::Gles(Some(Version::new(3, 0))), GlProfile::Core),
        };
        let template = ConfigTemplateBuilder::new().compatible_with_native_window(handle);
        let template = template.with_alpha_size(0).with_depth_size(0).with_stencil_size(0).build();
        let attributes = ContextAttributesBuilder::new().with_context_api(context_api).with_profile(profile);
        let attributes = attributes.with_debug(checks == Checks::On).build(Some(handle));
        let one = std::num::NonZeroU32::MIN;
        let surface = SurfaceAttributesBuilder::<WindowSurface>::new().build(handle, one, one);
        let to_text = |error: glutin::error::Error| error.to_string();
        // SAFETY: the handle is that of a window of this thread, which outlives surface and context.
        unsafe {
            let display = RawDisplayHandle::Windows(WindowsDisplayHandle::new());
            let display = wgl::display::Display::new(display, Some(handle)).map_err(to_text)?;
            let config = display.find_configs(template).map_err(to_text)?.next();
            let config = config.ok_or("there is no configuration for OpenGL")?;
            let surface = display.create_window_surface(&config, &surface).map_err(to_text)?;
            let context = display.create_context(&config, &attributes).map_err(to_text)?;
            let context = context.make_current(&surface).map_err(to_text)?;
            let gl = glow::Context::from_loader_function_cstr(|name| display.get_proc_address(name));
            Ok((Current { _context: context, _surface: surface, _window: window }, gl))
        }
    }
}

#[cfg(not(any(target_os = "linux", windows)))]
mod platform {
    //! Systems without EGL devices.

    use super::{Checks, Driver, Interface};

    /// Never created.
    pub struct Current;

    pub fn open(_interface: Interface, _driver: Driver, _checks: Checks) -> Result<(Current, glow::Context), String> {
        Err("rendering without a display is supported on Linux and Windows only".into())
    }
}
