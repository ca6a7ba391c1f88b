//! The window with its OpenGL 3.3 core context and surface. One of the few files with `unsafe`: glutin's calls with raw
//! handles. Draws nothing except the background colour.
#![allow(unsafe_code)]

use std::num::NonZeroU32;
use std::rc::Rc;
use std::time::Duration;

use glow::HasContext;
use glutin::config::{Config, ConfigTemplateBuilder, GlConfig};
use glutin::context::{
    ContextApi, ContextAttributesBuilder, GlProfile, NotCurrentGlContext, PossiblyCurrentContext, Version,
};
use glutin::display::{GetGlDisplay, GlDisplay};
use glutin::surface::{GlSurface, Surface, SwapInterval, WindowSurface};
use glutin_winit::{ApiPreference, DisplayBuilder, GlWindow as _};
use winit::dpi::{LogicalSize, PhysicalSize};
use winit::event_loop::ActiveEventLoop;
use winit::raw_window_handle::HasWindowHandle;
use winit::window::Window;

use crate::app::console;
use crate::render::gl::context::Context;

/// A window with its current context and surface.
pub struct GlWindow {
    /// The context for the renderer.
    pub context: Context,
    /// The functions of the context.
    pub gl: Rc<glow::Context>,
    current: Rc<Current>,
    /// The window.
    pub window: Rc<Window>,
    /// The last reported size in pixels. Querying it costs a round trip, and a closed window has none.
    size: PhysicalSize<u32>,
}

/// Keeps the context current. Dropped in this order.
struct Current {
    surface: Surface<WindowSurface>,
    context: PossiblyCurrentContext,
    _window: Rc<Window>,
}

/// What to do if the driver is too old or missing.
const NEEDS_GL: &str = "Keypose needs OpenGL 3.3; update the graphics driver, or use `keypose render`, which needs no \
                        window";

impl GlWindow {
    /// The time between two refreshes of the monitor.
    pub fn refresh_interval(&self) -> Duration {
        let millihertz = self.window.current_monitor().and_then(|monitor| monitor.refresh_rate_millihertz());
        Duration::from_secs_f64(1000.0 / f64::from(millihertz.unwrap_or(60_000).clamp(30_000, 360_000)))
    }

    /// Opens a window of a size in points and makes its context current. The error is one sentence.
    pub fn open(event_loop: &ActiveEventLoop, title: &str, size: [f64; 2]) -> Result<GlWindow, String> {
        let attributes = Window::default_attributes()
            .with_title(title)
            .with_inner_size(fitting(event_loop, size))
            .with_min_inner_size(LogicalSize::new(800.0, 500.0));
        let template = ConfigTemplateBuilder::new().with_alpha_size(0).with_depth_size(0).with_stencil_size(0);
        let (window, config) = DisplayBuilder::new()
            .with_preference(ApiPreference::FallbackEgl)
            .with_window_attributes(Some(attributes))
            .build(event_loop, template, pick)
            .map_err(|error| format!("could not open a window with OpenGL ({error}); {NEEDS_GL}"))?;
        let window = window.ok_or_else(|| format!("could not open a window; {NEEDS_GL}"))?;
        let (context, surface) = attach(&window, &config)
            .map_err(|error| format!("could not create an OpenGL 3.3 context ({error}); {NEEDS_GL}"))?;
        let display = config.display();
        // SAFETY: the context is current on this thread, and the loader is that of its display.
        let gl = Rc::new(unsafe { glow::Context::from_loader_function_cstr(|name| display.get_proc_address(name)) });
        let version = gl.version();
        if (version.major, version.minor) < (3, 3) {
            return Err(format!("this driver supports only OpenGL {}.{}; {NEEDS_GL}", version.major, version.minor));
        }
        // Without vertical synchronisation the event loop limits the frame rate, so an error is harmless.
        let _ = surface.set_swap_interval(&context, SwapInterval::Wait(NonZeroU32::MIN));
        let (size, window) = (window.inner_size(), Rc::new(window));
        let current = Rc::new(Current { surface, context, _window: window.clone() });
        // SAFETY: the context was made current on this thread, no other one is made current, and `current` keeps it.
        let context = unsafe { Context::new(gl.clone(), current.clone()) }.map_err(|error| error.to_string())?;
        Ok(GlWindow { context, gl, current, window, size })
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

    /// Shows the drawn frame.
    pub fn present(&self) -> Result<(), String> {
        self.window.pre_present_notify();
        self.current
            .surface
            .swap_buffers(&self.current.context)
            .map_err(|error| format!("could not show the frame: {error}"))
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
fn pick(configs: Box<dyn Iterator<Item = Config> + '_>) -> Config {
    let mut configs: Vec<Config> = configs.collect();
    configs.sort_by_key(GlConfig::num_samples);
    configs.into_iter().next().unwrap_or_else(|| {
        // glutin's picker must return a configuration and can't fail, so the program exits.
        console::warn(format_args!("keypose: this display does not support OpenGL; {NEEDS_GL}"));
        std::process::exit(1)
    })
}

fn attach(window: &Window, config: &Config) -> Result<(PossiblyCurrentContext, Surface<WindowSurface>), String> {
    let handle = window.window_handle().map_err(|error| error.to_string())?.as_raw();
    let display = config.display();
    let attributes = ContextAttributesBuilder::new()
        .with_context_api(ContextApi::OpenGl(Some(Version::new(3, 3))))
        .with_profile(GlProfile::Core)
        .build(Some(handle));
    let surface = window.build_surface_attributes(Default::default()).map_err(|error| error.to_string())?;
    // SAFETY: the handle belongs to `window`, which outlives context and surface in `Current`.
    let (context, surface) = unsafe {
        let context = display.create_context(config, &attributes).map_err(|error| error.to_string())?;
        (context, display.create_window_surface(config, &surface).map_err(|error| error.to_string())?)
    };
    let context = context.make_current(&surface).map_err(|error| error.to_string())?;
    Ok((context, surface))
}
