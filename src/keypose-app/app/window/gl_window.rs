//! The window with its OpenGL 3.3 core context and surface. One of the few files with `unsafe`: glutin's calls with raw
//! handles. Draws nothing except the background colour.
#![allow(unsafe_code)]

use std::cell::Cell;
use std::ffi::c_void;
use std::num::NonZeroU32;
use std::rc::Rc;
use std::time::Duration;

use glow::HasContext;
use glutin::config::{Config, ConfigTemplateBuilder, GetGlConfig, GlConfig};
use glutin::context::{
    ContextApi, ContextAttributesBuilder, GlProfile, NotCurrentContext, NotCurrentGlContext, PossiblyCurrentContext,
    Robustness, Version,
};
use glutin::display::{GetGlDisplay, GlDisplay};
use glutin::error::ErrorKind;
use glutin::surface::{GlSurface, Surface, SwapInterval, WindowSurface};
use glutin_winit::{ApiPreference, DisplayBuilder, GlWindow as _};
use winit::dpi::{LogicalSize, PhysicalSize};
use winit::event_loop::ActiveEventLoop;
use winit::raw_window_handle::HasWindowHandle;
use winit::window::{Icon, Window};

use keypose_editor::render::gl::context::{Context, Interface};
use keypose_editor::render::gl::messages::listen;

use crate::app::console;
use crate::app::window::start_marker::StartMark;

/// A window with its current context and surface.
pub struct GlWindow {
    /// The context for the renderer.
    pub context: Context,
    /// The functions of the context.
    pub gl: Rc<glow::Context>,
    current: Rc<Current>,
    /// Whether the driver reported that the context and all its objects are lost.
    is_lost: Cell<bool>,
    /// The window of the system.
    pub window: Rc<Window>,
    /// The last reported size in pixels. Querying it costs a round trip, and a closed window has none.
    size: PhysicalSize<u32>,
}

/// Keeps the context current. Dropped in this order.
struct Current {
    surface: Rc<Surface<WindowSurface>>,
    context: PossiblyCurrentContext,
    /// Why the context was reset, if the driver can report it.
    reset_status: Option<ResetStatus>,
    _window: Rc<Window>,
}

/// Advice for drivers that are too old or missing.
const NEEDS_GL: &str = if cfg!(windows) {
    "Keypose needs OpenGL 3.3; update the graphics driver"
} else {
    "Keypose needs OpenGL 3.3; update the graphics driver, or use `keypose render`, which needs no window"
};

/// The icon of the window; the systems that have another place for it ignore it.
fn icon() -> Option<Icon> {
    let image = image::load_from_memory(include_bytes!("../../icon/window.png")).ok()?.into_rgba8();
    let (width, height) = image.dimensions();
    Icon::from_rgba(image.into_raw(), width, height).ok()
}

impl GlWindow {
    /// The time between two refreshes of the monitor.
    pub fn refresh_interval(&self) -> Duration {
        let millihertz = self.window.current_monitor().and_then(|monitor| monitor.refresh_rate_millihertz());
        Duration::from_secs_f64(1000.0 / f64::from(millihertz.unwrap_or(60_000).clamp(30_000, 360_000)))
    }

    /// Opens a window of a size in points and makes its context current. The error is one sentence. Ends the program and `mark` if the
    /// display has no OpenGL.
    pub fn open(
        event_loop: &ActiveEventLoop,
        title: &str,
        size: [f64; 2],
        mark: Option<&StartMark>,
    ) -> Result<GlWindow, String> {
        let attributes = Window::default_attributes()
            .with_title(title)
            .with_window_icon(icon())
            .with_inner_size(fitting(event_loop, size))
            .with_min_inner_size(LogicalSize::new(800.0, 500.0));
        let template = ConfigTemplateBuilder::new().with_alpha_size(0).with_depth_size(0).with_stencil_size(0);
        let (window, config) = DisplayBuilder::new()
            .with_preference(ApiPreference::FallbackEgl)
            .with_window_attributes(Some(attributes))
            .build(event_loop, template, |configs| pick(configs, mark))
            .map_err(|error| format!("could not open a window with OpenGL ({error}); {NEEDS_GL}"))?;
        let window = window.ok_or_else(|| format!("could not open a window; {NEEDS_GL}"))?;
        let window = Rc::new(window);
        let (context, surface) = attach(&window, &config)
            .map_err(|error| format!("could not create an OpenGL 3.3 context ({error}); {NEEDS_GL}"))?;
        let (gl, context, current) = connect(&window, Rc::new(surface), context)?;
        Ok(GlWindow { context, gl, current, is_lost: Cell::new(false), size: window.inner_size(), window })
    }

    /// Whether the context was lost with all its objects, as after a reset of the graphics card. [`GlWindow::renew`] makes another.
    pub fn is_lost(&self) -> bool {
        // SAFETY: the function belongs to the current context and has no arguments.
        let is_reset = self.current.reset_status.is_some_and(|status| unsafe { status() } != glow::NO_ERROR);
        self.is_lost.get() || is_reset
    }

    /// Makes a new context for the window. No object of the old one may be used afterwards, or exist.
    pub fn renew(&mut self) -> Result<(), String> {
        let failed = |error: String| format!("could not create an OpenGL context again ({error}); {NEEDS_GL}");
        let surface = self.current.surface.clone();
        let config = self.current.context.config();
        let context = create(&self.window, &config).map_err(failed)?;
        let context = context.make_current(&*surface).map_err(|error| failed(error.to_string()))?;
        (self.gl, self.context, self.current) = connect(&self.window, surface, context)?;
        self.is_lost.set(false);
        Ok(())
    }

    /// Size in pixels.
    pub fn size(&self) -> PhysicalSize<u32> {
        self.size
    }

    /// Resizes the surface with the window.
    pub fn resize(&mut self, size: PhysicalSize<u32>) {
        self.size = size;
        if let (Some(width), Some(height)) = (NonZeroU32::new(size.width), NonZeroU32::new(size.height)) {
            self.current.surface.resize(&self.current.context, width, height);
        }
    }

    /// Makes the window the target and fills it with an sRGB-encoded colour.
    pub fn clear(&self, color: [f32; 3]) {
        let size = self.size;
        // SAFETY: the context is current; only GL state changes.
        unsafe {
            self.gl.bind_framebuffer(glow::FRAMEBUFFER, None);
            self.gl.disable(glow::SCISSOR_TEST);
            self.gl.disable(glow::FRAMEBUFFER_SRGB);
            self.gl.viewport(0, 0, size.width as i32, size.height as i32);
            self.gl.clear_color(color[0], color[1], color[2], 1.0);
            self.gl.clear(glow::COLOR_BUFFER_BIT);
        }
    }

    /// Shows the drawn frame, unless the context is lost.
    pub fn present(&self) -> Result<(), String> {
        self.window.pre_present_notify();
        match self.current.surface.swap_buffers(&self.current.context) {
            Err(error) if error.error_kind() == ErrorKind::ContextLost => {
                self.is_lost.set(true);
                Ok(())
            }
            shown => shown.map_err(|error| format!("could not show the frame: {error}")),
        }
    }
}

/// The size, limited to the screen without its bars.
fn fitting(event_loop: &ActiveEventLoop, size: [f64; 2]) -> LogicalSize<f64> {
    let monitor = event_loop.primary_monitor().or_else(|| event_loop.available_monitors().next());
    let screen = monitor.map(|monitor| monitor.size().to_logical::<f64>(monitor.scale_factor()));
    let screen = screen.unwrap_or(LogicalSize::new(1280.0, 720.0));
    LogicalSize::new(size[0].min(screen.width).max(800.0), size[1].min(screen.height - 64.0).max(500.0))
}

/// The first configuration without multisampling. Frames are resolved before they are copied to the window.
fn pick(configs: Box<dyn Iterator<Item = Config> + '_>, mark: Option<&StartMark>) -> Config {
    let mut configs: Vec<Config> = configs.collect();
    configs.sort_by_key(GlConfig::num_samples);
    configs.into_iter().next().unwrap_or_else(|| {
        // glutin's picker must return a configuration and can't fail, so the program exits.
        console::warn(format_args!("keypose: this display does not support OpenGL; {NEEDS_GL}"));
        if let Some(mark) = mark {
            mark.end();
        }
        std::process::exit(1)
    })
}

/// `glGetGraphicsResetStatus`: 0 while the context is well.
type ResetStatus = unsafe extern "system" fn() -> u32;

/// The functions of a context that is current, and what keeps it so.
fn connect(
    window: &Rc<Window>,
    surface: Rc<Surface<WindowSurface>>,
    context: PossiblyCurrentContext,
) -> Result<(Rc<glow::Context>, Context, Rc<Current>), String> {
    let display = context.display();
    // SAFETY: the context is current on this thread, and the loader is that of its display.
    let mut gl = unsafe { glow::Context::from_loader_function_cstr(|name| display.get_proc_address(name)) };
    let version = gl.version();
    if (version.major, version.minor) < (3, 3) {
        return Err(format!("this driver supports only OpenGL {}.{}; {NEEDS_GL}", version.major, version.minor));
    }
    if is_checked() {
        // SAFETY: the context is current.
        unsafe { listen(&mut gl, |text| console::warn(format_args!("keypose: OpenGL: {text}"))) };
    }
    let is_robust =
        ["GL_KHR_robustness", "GL_ARB_robustness"].iter().any(|name| gl.supported_extensions().contains(*name));
    let names = [c"glGetGraphicsResetStatus", c"glGetGraphicsResetStatusARB"];
    let found = names.map(|name| display.get_proc_address(name)).into_iter().find(|address| !address.is_null());
    // SAFETY: a function of this name has this signature; `None` stands for null.
    let status = |address| unsafe { std::mem::transmute::<*const c_void, Option<ResetStatus>>(address) };
    let reset_status = if is_robust { found.and_then(status) } else { None };
    // Without vertical synchronisation the event loop limits the frame rate, so an error is harmless.
    let _ = surface.set_swap_interval(&context, SwapInterval::Wait(NonZeroU32::MIN));
    let current = Rc::new(Current { surface, context, reset_status, _window: window.clone() });
    let gl = Rc::new(gl);
    // SAFETY: the context was made current on this thread, no other one is made current, and `current` keeps it.
    let context = unsafe { Context::new(gl.clone(), current.clone(), Interface::Gl33) };
    let context = context.map_err(|error| error.to_string())?;
    Ok((gl, context, current))
}

/// Whether the driver checks all calls and its messages are printed, which is slower.
fn is_checked() -> bool {
    std::env::var_os("KEYPOSE_GL_CHECKS").is_some_and(|value| !value.is_empty() && value != "0")
}

fn attach(window: &Window, config: &Config) -> Result<(PossiblyCurrentContext, Surface<WindowSurface>), String> {
    let surface = window.build_surface_attributes(Default::default()).map_err(|error| error.to_string())?;
    let context = create(window, config)?;
    // SAFETY: the handle belongs to `window`, which outlives the surface in `Current`.
    let surface = unsafe { config.display().create_window_surface(config, &surface) };
    let surface = surface.map_err(|error| error.to_string())?;
    let context = context.make_current(&surface).map_err(|error| error.to_string())?;
    Ok((context, surface))
}

/// Creates a context that reports when it is lost, if the driver can.
fn create(window: &Window, config: &Config) -> Result<NotCurrentContext, String> {
    let handle = window.window_handle().map_err(|error| error.to_string())?.as_raw();
    let attributes = |robustness| {
        ContextAttributesBuilder::new()
            .with_context_api(ContextApi::OpenGl(Some(Version::new(3, 3))))
            .with_profile(GlProfile::Core)
            .with_robustness(robustness)
            .with_debug(is_checked())
            .build(Some(handle))
    };
    // SAFETY: the handle belongs to `window`, which outlives the context in `Current`.
    let create = |robustness| unsafe { config.display().create_context(config, &attributes(robustness)) };
    create(Robustness::RobustLoseContextOnReset)
        .or_else(|_| create(Robustness::NotRobust))
        .map_err(|error| error.to_string())
}
