//! The interface for the script of the page: a viewer or a game on the graphics context of its canvas. The only file with `unsafe` here: the
//! renderer asks for a context that is current, which one of a page always is.
#![allow(unsafe_code)]

use std::rc::Rc;

use glam::Vec2;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::WebGl2RenderingContext;

use keypose::anim::clip::LoopMode;
use keypose::anim::time::Time;
#[cfg(feature = "editor")]
use keypose::assets::material::{Filter, Wrap};
use keypose::wad::Decoded;
use keypose_editor::game::input::Buttons;
use keypose_editor::render::frame::Frame;
use keypose_editor::render::frame::framed_model::CameraAngle;
use keypose_editor::render::gl::context::{Context, Interface};
use keypose_editor::render::gl::target::Target;
#[cfg(feature = "editor")]
use keypose_editor::render::gl::texture::Texture;
use keypose_editor::render::pass::present::PresentPass;
use keypose_editor::render::renderer::Renderer;
use keypose_editor::render::shaders::Shaders;

use crate::game::Game;
use crate::page_sound::PageSound;
use crate::viewer::{Shade, Viewer};

#[wasm_bindgen]
extern "C" {
    /// Milliseconds since the page was opened.
    #[wasm_bindgen(js_namespace = performance)]
    fn now() -> f64;
    /// Writes a warning to the browser's console.
    #[wasm_bindgen(js_namespace = console)]
    fn warn(text: &str);
}

/// Samples per pixel.
const SAMPLES: u32 = 4;
/// Maximum time to draw a picture, as in the window.
const MAX_PASS_SECS: f64 = 2.0;

/// The canvas of a page.
pub(crate) struct Canvas {
    pub context: Context,
    renderer: Renderer,
    present: PresentPass,
    target: Option<Target>,
    small: Option<Target>,
}

impl Canvas {
    pub fn new(gl: WebGl2RenderingContext) -> Result<Canvas, String> {
        let to_text = |error: keypose_editor::render::gl::error::GlError| error.to_string();
        let functions = Rc::new(glow::Context::from_webgl2_context(gl));
        // SAFETY: calls of a page's context go to it, whatever else there is.
        let context = unsafe { Context::new(functions, Rc::new(()), Interface::Es3) }.map_err(to_text)?;
        let shaders = Shaders::default();
        let mut renderer = Renderer::new(&context, &shaders).map_err(to_text)?;
        renderer.limit_time(Box::new(|| now() / 1000.0), MAX_PASS_SECS);
        let present = PresentPass::new(&context, &shaders).map_err(to_text)?;
        Ok(Canvas { context, renderer, present, target: None, small: None })
    }

    /// Draws a frame as large as the canvas.
    pub fn draw(&mut self, frame: &Frame, size: [u32; 2]) -> Result<(), String> {
        let size = size.map(|side| side.clamp(1, self.context.limits().texture_size));
        if self.target.as_ref().is_none_or(|target| target.size() != size) {
            self.target = None;
        }
        let target = draw_to(&self.context, &mut self.renderer, &mut self.target, (frame, size))?;
        self.present.draw(target);
        self.take_notices().iter().for_each(|notice| warn(notice));
        Ok(())
    }

    /// Returns the limits of the driver that a drawing met since the last call, one sentence each.
    pub fn take_notices(&mut self) -> Vec<String> {
        self.renderer.take_notices()
    }

    /// Draws a frame into a texture.
    #[cfg(feature = "editor")]
    pub fn draw_into<'a>(
        &mut self,
        target: &'a mut Option<Target>,
        frame: &Frame,
        size: [u32; 2],
    ) -> Result<&'a Target, String> {
        let size = size.map(|side| side.clamp(1, self.context.limits().texture_size));
        if target.as_ref().is_none_or(|target| target.size() != size) {
            *target = None;
        }
        draw_to(&self.context, &mut self.renderer, target, (frame, size))
    }

    /// Draws a small square frame into a texture of its own.
    #[cfg(feature = "editor")]
    pub fn thumbnail(&mut self, target: &mut Option<Target>, frame: &Frame, side: u32) -> Result<Texture, String> {
        self.draw_into(target, frame, [side; 2])?.copy(&self.context).map_err(|error| error.to_string())
    }

    /// Creates a texture for panels from an sRGB image of `4 * width * height` bytes.
    #[cfg(feature = "editor")]
    pub fn image(&self, size: [u32; 2], pixels: &[u8]) -> Result<Texture, String> {
        let mut texture = Texture::image(&self.context, size, pixels).map_err(|error| error.to_string())?;
        texture.set_sampling([Wrap::Clamp; 2], Filter::Linear);
        Ok(texture)
    }

    /// Draws a small square frame; returns its pixels.
    fn picture(&mut self, frame: &Frame, side: u32) -> Result<Vec<u8>, String> {
        let target = draw_to(&self.context, &mut self.renderer, &mut self.small, (frame, [side; 2]))?;
        Ok(target.read())
    }
}

fn draw_to<'a>(
    context: &Context,
    renderer: &mut Renderer,
    target: &'a mut Option<Target>,
    (frame, size): (&Frame, [u32; 2]),
) -> Result<&'a Target, String> {
    let target = match target {
        Some(target) => target,
        none => none.insert(Target::new(context, size, SAMPLES).map_err(|error| error.to_string())?),
    };
    renderer.render_whole(frame, target).map_err(|error| error.to_string())?;
    Ok(target)
}

fn decoded(archive: &[u8]) -> Result<Decoded, String> {
    keypose::wad::decode(archive).map_err(|error| format!("its archive can't be read: {error}"))
}

/// The side of the picture of a keyframe, in pixels.
const KEYFRAME_SIDE: u32 = 128;

/// A viewer on a page. Times are in seconds, movements in pixels; errors are one sentence.
#[wasm_bindgen]
pub struct ViewerPage {
    canvas: Canvas,
    viewer: Viewer,
}

#[wasm_bindgen]
impl ViewerPage {
    /// Opens an archive.
    #[wasm_bindgen(constructor)]
    pub fn new(gl: WebGl2RenderingContext, archive: &[u8]) -> Result<ViewerPage, String> {
        let viewer = Viewer::new(decoded(archive)?).ok_or("its archive has no model")?;
        Ok(ViewerPage { canvas: Canvas::new(gl)?, viewer })
    }

    /// The names of the models.
    pub fn models(&self) -> Vec<String> {
        self.viewer.models().iter().map(|model| model.name.clone()).collect()
    }

    /// The names of the model's clips.
    pub fn clips(&self) -> Vec<String> {
        self.viewer.model().clips.iter().map(|slot| slot.clip.name.clone()).collect()
    }

    pub fn choose_model(&mut self, at: usize) {
        self.viewer.choose_model(at);
    }

    pub fn choose_clip(&mut self, at: usize) {
        self.viewer.choose_clip(at);
    }

    /// The duration of the clip.
    pub fn length(&self) -> f64 {
        self.viewer.clip().map_or(0.0, |clip| clip.length().secs())
    }

    /// Whether the clip starts again at its end.
    pub fn is_looping(&self) -> bool {
        self.viewer.clip().is_some_and(|clip| clip.loop_mode != LoopMode::Once)
    }

    /// The starts of the clip's keyframes.
    pub fn starts(&self) -> Vec<f64> {
        self.viewer.clip().map(|clip| clip.starts().map(Time::secs).collect()).unwrap_or_default()
    }

    /// The time in the clip.
    pub fn time(&self) -> f64 {
        self.viewer.time().secs()
    }

    /// Shows a time since the start of the clip.
    pub fn seek(&mut self, secs: f64) {
        self.viewer.elapsed = Time::from_secs(secs);
    }

    /// Plays on. Returns false at the end of a clip that plays once.
    pub fn advance(&mut self, secs: f64) -> bool {
        self.viewer.elapsed = self.viewer.elapsed + Time::from_secs(secs);
        !self.viewer.has_ended()
    }

    pub fn set_ghosts(&mut self, shown: bool) {
        self.viewer.has_ghosts = shown;
    }

    pub fn set_volumes(&mut self, shown: bool) {
        self.viewer.has_volumes = shown;
    }

    pub fn turn(&mut self, x: f32, y: f32) {
        self.viewer.orbit.turn(Vec2::new(x, y));
    }

    /// Moves what is shown, in a canvas of this height.
    pub fn pan(&mut self, x: f32, y: f32, height: f32) {
        self.viewer.orbit.pan(Vec2::new(x, y), height);
    }

    /// Zooms in for positive notches of a wheel.
    pub fn zoom(&mut self, notches: f32) {
        self.viewer.orbit.zoom(notches);
    }

    /// Looks from the side, the front, or between them, and shows the whole clip.
    pub fn look_from(&mut self, angle: &str) {
        self.viewer.look_from(match angle {
            "side" => CameraAngle::Side,
            "front" => CameraAngle::Front,
            _ => CameraAngle::ThreeQuarter,
        });
    }

    /// Draws the picture on screen.
    pub fn draw(&mut self, width: u32, height: u32, is_light: bool) -> Result<(), String> {
        let shade = if is_light { Shade::Light } else { Shade::Dark };
        let frame = self.viewer.frame(width.max(1) as f32 / height.max(1) as f32, shade);
        self.canvas.draw(&frame, [width, height])
    }

    /// The picture of a keyframe: RGBA bytes of 128 × 128 pixels.
    pub fn keyframe(&mut self, at: usize) -> Result<Vec<u8>, String> {
        match self.viewer.keyframe(at) {
            Some(frame) => self.canvas.picture(&frame, KEYFRAME_SIDE),
            None => Ok(Vec::new()),
        }
    }
}

/// A game on a page.
#[wasm_bindgen]
pub struct GamePage {
    canvas: Canvas,
    game: Game,
}

#[wasm_bindgen]
impl GamePage {
    /// Opens an archive.
    #[wasm_bindgen(constructor)]
    pub fn new(gl: WebGl2RenderingContext, archive: &[u8]) -> Result<GamePage, String> {
        let game = Game::new(decoded(archive)?);
        Ok(GamePage { canvas: Canvas::new(gl)?, game })
    }

    /// Plays on with these buttons held: left 1, right 2, up 4, down 8, jump 16, attack 32, run 64, roll 128.
    pub fn advance(&mut self, secs: f32, buttons: u16) {
        self.game.advance(secs, Buttons(buttons & Buttons::ALL.0));
    }

    pub fn restart(&mut self) {
        self.game.restart();
    }

    /// Starts the next level.
    pub fn start_next(&mut self) {
        self.game.start_next();
    }

    pub fn level_name(&self) -> String {
        self.game.level_name().to_owned()
    }

    /// The player's health, 0 to 1; nothing in a level without foes.
    pub fn health(&self) -> Option<f32> {
        self.game.health()
    }

    /// Time, coins and guards in a line.
    pub fn status(&self) -> String {
        self.game.status()
    }

    pub fn is_finished(&self) -> bool {
        self.game.is_finished()
    }

    /// The sounds that were heard since the last call.
    pub fn heard(&mut self) -> Vec<PageSound> {
        self.game.take_heard().into_iter().map(|(sound, gain)| PageSound::new(sound, gain)).collect()
    }

    /// The music that plays now.
    pub fn music(&self) -> Option<PageSound> {
        self.game.music().map(|sound| PageSound::new(sound.clone(), 1.0))
    }

    /// Problems of the archive, one sentence each.
    pub fn findings(&self) -> Vec<String> {
        self.game.findings().to_vec()
    }

    /// Draws the picture on screen.
    pub fn draw(&mut self, width: u32, height: u32) -> Result<(), String> {
        let frame = self.game.frame(width.max(1) as f32 / height.max(1) as f32);
        self.canvas.draw(&frame, [width, height])
    }
}
