//! An OpenGL context without a window or a display: EGL on a device, surfaceless. On Linux only; elsewhere the error
//! says so. One of the few files with `unsafe`: glutin's calls that take raw handles.
#![allow(unsafe_code)]

use std::rc::Rc;

/// A context that is current on this thread as long as this value lives.
pub struct Headless {
    /// The functions of the context. Everything made with it must be dropped before this value.
    pub gl: Rc<glow::Context>,
    #[cfg(target_os = "linux")]
    _context: glutin::api::egl::context::PossiblyCurrentContext,
}

/// What to say where there is no driver.
#[cfg(target_os = "linux")]
const NEEDS: &str = "rendering without a window needs EGL with OpenGL 3.3 (Debian: libegl1 libgl1-mesa-dri)";

#[cfg(target_os = "linux")]
impl Headless {
    /// A context of OpenGL 3.3 core on the first device that has one, a software device before others where
    /// `LIBGL_ALWAYS_SOFTWARE` is set. The error is one sentence.
    pub fn new() -> Result<Headless, String> {
        use glutin::api::egl::device::Device;

        // glutin panics inside where libEGL is not there at all: its own loader reports that as an error.
        let devices = Device::query_devices().map_err(|error| format!("{NEEDS}: {error}"))?;
        let mut devices: Vec<Device> = devices.collect();
        let software = |device: &Device| device.extensions().contains("EGL_MESA_device_software");
        if std::env::var_os("LIBGL_ALWAYS_SOFTWARE").is_some() {
            devices.sort_by_key(|device| !software(device));
        }
        let mut reason = "there is no EGL device".to_owned();
        for device in &devices {
            match Headless::on(device) {
                Ok(headless) => return Ok(headless),
                Err(error) => reason = error,
            }
        }
        Err(format!("{NEEDS}: {reason}"))
    }

    fn on(device: &glutin::api::egl::device::Device) -> Result<Headless, String> {
        use glow::HasContext;
        use glutin::api::egl::display::Display;
        use glutin::config::{ConfigSurfaceTypes, ConfigTemplateBuilder};
        use glutin::context::{ContextApi, ContextAttributesBuilder, GlProfile, Version};
        use glutin::display::GlDisplay;

        let failed = |error: glutin::error::Error| error.to_string();
        // SAFETY: the device comes from EGL itself, and no native display is handed over.
        let display = unsafe { Display::with_device(device, None) }.map_err(failed)?;
        let template = ConfigTemplateBuilder::new().with_surface_type(ConfigSurfaceTypes::empty()).build();
        // SAFETY: the template names no native window.
        let config = unsafe { display.find_configs(template) }.map_err(failed)?.next();
        let config = config.ok_or("the device has no configuration without a surface")?;
        let attributes = ContextAttributesBuilder::new()
            .with_context_api(ContextApi::OpenGl(Some(Version::new(3, 3))))
            .with_profile(GlProfile::Core)
            .with_debug(cfg!(debug_assertions))
            .build(None);
        // SAFETY: the attributes name no native window and no shared context.
        let context = unsafe { display.create_context(&config, &attributes) }.map_err(failed)?;
        let context = context.make_current_surfaceless().map_err(failed)?;
        // SAFETY: the context is current on this thread, and the loader is that of its display.
        let gl = unsafe { glow::Context::from_loader_function_cstr(|name| display.get_proc_address(name)) };
        let version = gl.version();
        if (version.major, version.minor) < (3, 3) {
            return Err(format!("the driver has OpenGL {}.{}", version.major, version.minor));
        }
        Ok(Headless { gl: Rc::new(gl), _context: context })
    }
}

#[cfg(not(target_os = "linux"))]
impl Headless {
    /// Not on this platform yet.
    pub fn new() -> Result<Headless, String> {
        Err("rendering without a window works on Linux only so far; open the editor instead".into())
    }
}
