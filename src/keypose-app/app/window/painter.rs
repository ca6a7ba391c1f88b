//! Draws frames and images into textures that Dear ImGui shows.

use std::time::{Duration, Instant};

use imgui::TextureId;

use keypose::assets::material::{Filter, Wrap};
use keypose_editor::render::frame::Frame;
use keypose_editor::render::gl::context::Context;
use keypose_editor::render::gl::error::GlError;
use keypose_editor::render::gl::target::Target;
use keypose_editor::render::gl::texture::Texture;
use keypose_editor::render::renderer::Renderer;
use keypose_editor::render::shaders::Shaders;
use keypose_editor::thumbnails::Easel;

use crate::app::console;
use crate::app::window::gl_window::GlWindow;
use crate::app::window::shader_files::ShaderFiles;
use crate::app::window::ui_host::UiHost;

/// Samples per pixel.
const SAMPLES: u32 = 4;
/// Bytes of meshes that a frame copies to the GPU: a frame of a large new model takes some 10 ms longer.
const SLICE: usize = 8 << 20;
/// Maximum time for drawing thumbnails of poses in a frame.
const THUMBNAILS_TIME: Duration = Duration::from_millis(4);
/// The seconds that a pass over the models may take: what takes longer isn't drawn whole.
const MAX_PASS_SECS: f64 = 2.0;

/// The renderer on the window's context.
pub struct Painter {
    /// `None` between the loss of a context and the next one.
    renderer: Option<Renderer>,
    context: Context,
    files: ShaderFiles,
}

/// A texture that frames are drawn into repeatedly, of any size.
#[derive(Default)]
pub struct Canvas {
    target: Option<Target>,
    id: Option<TextureId>,
}

impl Painter {
    /// Loads the shaders.
    pub fn new(window: &GlWindow) -> Result<Painter, String> {
        let context = window.context.clone();
        let mut renderer = Renderer::new(&context, &Shaders::default()).map_err(|error| error.to_string())?;
        renderer.copy_in_slices(SLICE);
        let start = Instant::now();
        renderer.limit_time(Box::new(move || start.elapsed().as_secs_f64()), MAX_PASS_SECS);
        Ok(Painter { renderer: Some(renderer), context, files: ShaderFiles::of_environment() })
    }

    /// Drops all objects of a lost context. Nothing is drawn until [`Painter::new`] makes another painter.
    pub fn release(&mut self) {
        self.renderer = None;
    }

    /// Returns the limits of the driver that a drawing met since the last call, one sentence each.
    pub fn take_notices(&mut self) -> Vec<String> {
        self.renderer.as_mut().map(Renderer::take_notices).unwrap_or_default()
    }

    /// Loads the shaders again if their files changed. Returns true if images may look different. If a shader does not
    /// compile, the old ones stay; the error has its file and line, and is also printed to stderr.
    pub fn reload_changed_shaders(&mut self) -> Result<bool, String> {
        let (Some(shaders), Some(renderer)) = (self.files.changed(), &mut self.renderer) else { return Ok(false) };
        renderer.reload(&shaders).map(|()| true).map_err(|error| {
            console::warn(format_args!("keypose: {error}"));
            error.to_string()
        })
    }

    /// The fraction of the last frame's new meshes that is copied to the GPU; `None` if all are.
    pub fn upload_progress(&self) -> Option<f32> {
        let unfinished = self.renderer.as_ref().and_then(Renderer::unfinished)?;
        Some(unfinished.copied as f32 / unfinished.bytes as f32)
    }

    /// Whether the last frame lacks triangles that the next one may show.
    pub fn is_recovering(&self) -> bool {
        self.renderer.as_ref().is_some_and(Renderer::is_recovering)
    }

    /// When a scene of which only a part is drawn is to be drawn whole again: the machine may have been busy.
    pub fn retry_at(&self) -> Option<Instant> {
        let secs = self.renderer.as_ref()?.retry_secs()?;
        Some(Instant::now() + Duration::from_secs_f64(secs.max(0.0)))
    }

    /// Draws a frame, as far as its meshes are copied. Sizes are in pixels.
    pub fn draw(&mut self, canvas: &mut Canvas, frame: &Frame, size: [u32; 2], ui: &mut UiHost) -> Result<(), String> {
        self.fit(canvas, size, ui)?;
        let (Some(target), Some(renderer)) = (&canvas.target, &mut self.renderer) else { return Ok(()) };
        renderer.render(frame, target).map_err(|error| format!("could not draw the frame: {error}"))
    }

    /// Draws a square frame into a new texture. `target` is a buffer that is kept for the next call. Returns `None` while meshes of
    /// the frame are not whole, or not all of it was drawn: each call copies a slice of them, or draws more.
    pub fn draw_small(
        &mut self,
        target: &mut Option<Target>,
        frame: &Frame,
        side: u32,
    ) -> Result<Option<Texture>, String> {
        let to_text = |error: GlError| format!("could not draw a thumbnail: {error}");
        if let Some(renderer) = &mut self.renderer
            && !renderer.prepare(frame).map_err(to_text)?
        {
            return Ok(None);
        }
        let target = match target {
            Some(target) => target,
            none => none.insert(Target::new(&self.context, [side; 2], SAMPLES).map_err(to_text)?),
        };
        if let Some(renderer) = &mut self.renderer {
            renderer.render(frame, target).map_err(to_text)?;
            if renderer.is_recovering() {
                return Ok(None);
            }
        }
        target.copy(&self.context).map(Some).map_err(to_text)
    }

    /// Creates a texture from an sRGB image; `pixels` are `4 * width * height` bytes, rows from the top.
    pub fn image(&self, size: [u32; 2], pixels: &[u8]) -> Result<Texture, String> {
        let texture = Texture::image(&self.context, size, pixels);
        let mut texture = texture.map_err(|error| format!("could not show a thumbnail: {error}"))?;
        texture.set_sampling([Wrap::Clamp; 2], Filter::Linear);
        Ok(texture)
    }

    /// The context of the window.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// As [`Painter::image`], for an image whose pixels are seen.
    pub fn pixels(&self, size: [u32; 2], pixels: &[u8]) -> Result<Texture, String> {
        let mut texture = self.image(size, pixels)?;
        texture.set_sampling([Wrap::Clamp; 2], Filter::Nearest);
        Ok(texture)
    }

    /// Resizes a canvas. Its content is lost if the size changes.
    pub fn fit(&self, canvas: &mut Canvas, size: [u32; 2], ui: &mut UiHost) -> Result<(), String> {
        let size = size.map(|side| side.clamp(1, self.context.limits().texture_size));
        if canvas.target.as_ref().is_some_and(|target| target.size() == size) {
            return Ok(());
        }
        // The old target is dropped first, because memory may not suffice for two large ones.
        canvas.target = None;
        let target = Target::new(&self.context, size, SAMPLES).map_err(|error| error.to_string())?;
        canvas.id = Some(ui.show_texture(canvas.id, target.texture().handle()));
        canvas.target = Some(target);
        Ok(())
    }
}

impl Canvas {
    /// The id under which Dear ImGui shows it; `None` before the first frame.
    pub fn id(&self) -> Option<TextureId> {
        self.id
    }
}

/// Draws thumbnails of poses in a frame of the window.
pub struct WindowEasel<'w> {
    painter: &'w mut Painter,
    ui: &'w mut UiHost,
    start: Instant,
}

impl<'w> WindowEasel<'w> {
    /// Starts the time of a frame.
    pub fn new(painter: &'w mut Painter, ui: &'w mut UiHost) -> WindowEasel<'w> {
        WindowEasel { painter, ui, start: Instant::now() }
    }
}

impl Easel for WindowEasel<'_> {
    fn draw(&mut self, target: &mut Option<Target>, frame: &Frame, side: u32) -> Result<Option<Texture>, String> {
        self.painter.draw_small(target, frame, side)
    }

    fn image(&mut self, size: [u32; 2], pixels: &[u8]) -> Result<Texture, String> {
        self.painter.image(size, pixels)
    }

    fn show(&mut self, before: Option<TextureId>, texture: &Texture) -> TextureId {
        self.ui.show_texture(before, texture.handle())
    }

    fn has_time(&self) -> bool {
        self.start.elapsed() <= THUMBNAILS_TIME
    }
}
