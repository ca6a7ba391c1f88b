//! Pictures for the window: frames drawn by the renderer into textures that Dear ImGui shows.

use imgui::TextureId;

use crate::app::gl_window::GlWindow;
use crate::app::shader_files::ShaderFiles;
use crate::app::ui_host::UiHost;
use crate::assets::material::{Filter, Wrap};
use crate::render::frame::Frame;
use crate::render::gl::context::Context;
use crate::render::gl::error::GlError;
use crate::render::gl::target::Target;
use crate::render::gl::texture::Texture;
use crate::render::renderer::Renderer;
use crate::render::shaders::Shaders;

/// Samples a pixel.
const SAMPLES: u32 = 4;

/// The renderer on the window's context.
pub struct Painter {
    renderer: Renderer,
    context: Context,
    files: ShaderFiles,
}

/// A picture that is drawn again and again, of whatever size is asked for.
#[derive(Default)]
pub struct Canvas {
    target: Option<Target>,
    id: Option<TextureId>,
}

impl Painter {
    /// Loads the shaders.
    pub fn new(window: &GlWindow) -> Result<Painter, String> {
        let context = Context::new(window.gl.clone()).map_err(|error| error.to_string())?;
        let renderer = Renderer::new(&context, &Shaders::default()).map_err(|error| error.to_string())?;
        Ok(Painter { renderer, context, files: ShaderFiles::of_environment() })
    }

    /// Loads the shaders again where their files changed; true where pictures may look different now. A shader that
    /// does not compile is told on stderr, and the old ones stay.
    pub fn follow_shaders(&mut self) -> bool {
        let Some(shaders) = self.files.changed() else { return false };
        let loaded = self.renderer.reload(&shaders);
        loaded.map_err(|error| eprintln!("keypose: {error}")).is_ok()
    }

    /// Draws a frame; sizes are pixels.
    pub fn draw(&mut self, canvas: &mut Canvas, frame: &Frame, size: [u32; 2], ui: &mut UiHost) -> Result<(), String> {
        self.fit(canvas, size, ui)?;
        let Some(target) = &canvas.target else { return Ok(()) };
        self.renderer.render(frame, target).map_err(|error| format!("the picture could not be drawn: {error}"))
    }

    /// Draws a square frame of this side into a texture of its own; `target` is the buffer for it, kept for the next.
    pub fn draw_small(&mut self, target: &mut Option<Target>, frame: &Frame, side: u32) -> Result<Texture, String> {
        let said = |error: GlError| format!("a small picture could not be drawn: {error}");
        let target = match target {
            Some(target) => target,
            none => none.insert(Target::new(&self.context, [side; 2], SAMPLES).map_err(said)?),
        };
        self.renderer.render(frame, target).map_err(said)?;
        target.copy(&self.context).map_err(said)
    }

    /// An sRGB image as a texture of its own; `pixels` are `4 * width * height` bytes, rows from the top.
    pub fn image(&self, size: [u32; 2], pixels: &[u8]) -> Result<Texture, String> {
        let texture = Texture::image(&self.context, size, pixels);
        let mut texture = texture.map_err(|error| format!("a small picture could not be shown: {error}"))?;
        texture.set_sampling([Wrap::Clamp; 2], Filter::Linear);
        Ok(texture)
    }

    /// Gives a canvas its size; what it showed is lost where that changes.
    pub fn fit(&self, canvas: &mut Canvas, size: [u32; 2], ui: &mut UiHost) -> Result<(), String> {
        let size = size.map(|side| side.clamp(1, self.context.limits().texture_size));
        if canvas.target.as_ref().is_some_and(|target| target.size() == size) {
            return Ok(());
        }
        // The old target goes first: two large ones may not fit beside each other.
        canvas.target = None;
        let target = Target::new(&self.context, size, SAMPLES).map_err(|error| error.to_string())?;
        canvas.id = Some(ui.show_texture(canvas.id, target.texture().handle()));
        canvas.target = Some(target);
        Ok(())
    }
}

impl Canvas {
    /// Under which Dear ImGui shows it; none before the first picture.
    pub fn id(&self) -> Option<TextureId> {
        self.id
    }
}
