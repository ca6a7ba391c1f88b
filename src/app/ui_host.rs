//! Dear ImGui on the window: its context, the events it is told, its fonts at the screen's scale, and its drawing.

use std::rc::Rc;
use std::time::Duration;

use imgui::{ConfigFlags, Key, TextureId};
use imgui_glow_renderer::{Renderer, TextureMap};
use imgui_winit_support::{HiDpiMode, WinitPlatform};
use winit::event::{Event, Ime, WindowEvent};
use winit::window::Window;

use crate::app::clipboard::Clipboard;
use crate::editor::panels::ui::fonts::{Fonts, add_fonts};
use crate::editor::panels::ui::sys;
use crate::editor::panels::ui::theme::Theme;
use crate::editor::panels::window::input_order::Readiness;

/// Dear ImGui with what it needs of the window. Only one may be alive in a process.
pub struct UiHost {
    /// The context; frames are built by [`UiHost::frame`].
    pub context: imgui::Context,
    /// The fonts of the atlas.
    pub fonts: Fonts,
    platform: WinitPlatform,
    renderer: Renderer,
    textures: imgui::Textures<glow::Texture>,
    gl: Rc<glow::Context>,
    scale: f64,
}

#[allow(dead_code)]
impl UiHost {
    /// Makes the context, its fonts and its renderer. `size` is the user's, on top of the screen's scale.
    pub fn new(gl: &Rc<glow::Context>, window: &Window, theme: &Theme, size: f64) -> Result<UiHost, String> {
        let mut context = imgui::Context::create();
        context.set_ini_filename(None);
        context.set_clipboard_backend(Clipboard::default());
        context.io_mut().config_flags |= ConfigFlags::DOCKING_ENABLE;
        context.io_mut().config_windows_move_from_title_bar_only = true;
        context.io_mut().mouse_drag_threshold = 4.0;
        theme.apply(context.style_mut());
        let mut platform = WinitPlatform::new(&mut context);
        let scale = window.scale_factor() * size;
        attach(&mut platform, context.io_mut(), window, scale);
        window.set_ime_allowed(true);
        let fonts = add_fonts(&mut context, scale as f32);
        let mut textures = imgui::Textures::default();
        let renderer = new_renderer(gl, &mut context, &mut textures)?;
        Ok(UiHost { context, fonts, platform, renderer, textures, gl: gl.clone(), scale })
    }

    /// Tells Dear ImGui about an event of the window, and what its support crate leaves out: committed text of input
    /// methods and the mouse that leaves.
    pub fn handle(&mut self, window: &Window, event: WindowEvent) {
        let io = self.context.io_mut();
        match &event {
            WindowEvent::Ime(Ime::Commit(text)) => text.chars().for_each(|letter| io.add_input_character(letter)),
            WindowEvent::CursorLeft { .. } => io.add_mouse_pos_event([-f32::MAX; 2]),
            WindowEvent::Focused(false) => {
                for key in [Key::ModCtrl, Key::ModShift, Key::ModAlt, Key::ModSuper] {
                    io.add_key_event(key, false);
                }
            }
            _ => {}
        }
        let event: Event<()> = Event::WindowEvent { window_id: window.id(), event };
        self.platform.handle_event(io, window, &event);
    }

    /// Makes fonts and renderer anew where the scale of the screen, or the user's size on top of it, changed. True
    /// where it did.
    pub fn follow_scale(&mut self, window: &Window, size: f64) -> Result<bool, String> {
        let scale = window.scale_factor() * size;
        if scale == self.scale {
            return Ok(false);
        }
        self.scale = scale;
        attach(&mut self.platform, self.context.io_mut(), window, scale);
        self.fonts = add_fonts(&mut self.context, self.scale as f32);
        self.renderer.destroy(&self.gl);
        self.renderer = new_renderer(&self.gl, &mut self.context, &mut self.textures)?;
        Ok(true)
    }

    /// Where the panels stand, as Dear ImGui tells it.
    pub fn layout(&mut self) -> String {
        let mut ini = String::new();
        self.context.save_ini_settings(&mut ini);
        self.context.io_mut().want_save_ini_settings = false;
        ini
    }

    /// Puts the panels where [`UiHost::layout`] said; before the first frame.
    pub fn restore_layout(&mut self, ini: &str) {
        self.context.load_ini_settings(ini);
    }

    /// True where panels were moved since [`UiHost::layout`] was asked.
    pub fn has_new_layout(&self) -> bool {
        self.context.io().want_save_ini_settings
    }

    /// Pixels a point.
    pub fn scale(&self) -> f32 {
        self.scale as f32
    }

    /// Before a frame: how long the last one took, and where the mouse is to be.
    pub fn prepare(&mut self, window: &Window, elapsed: Duration) {
        self.context.io_mut().update_delta_time(elapsed.max(Duration::from_micros(100)));
        // A mouse that cannot be moved (Wayland) is no reason to stop.
        let _ = self.platform.prepare_frame(self.context.io_mut(), window);
    }

    /// Builds a frame, to be shown by [`UiHost::draw`].
    pub fn frame<R>(&mut self, window: &Window, build: impl FnOnce(&imgui::Ui, &Fonts) -> R) -> R {
        let UiHost { context, platform, fonts, .. } = self;
        let ui = context.new_frame();
        let built = build(ui, fonts);
        platform.prepare_render(ui, window);
        built
    }

    /// Draws the frame over what the window shows.
    pub fn draw(&mut self) -> Result<(), String> {
        let data = self.context.render();
        if data.draw_lists_count() == 0 {
            // Its list is then a null pointer, of which the renderer would make a slice.
            return Ok(());
        }
        self.renderer.render(&self.gl, &self.textures, data).map_err(|error| format!("the panels: {error}"))
    }

    /// How the panels stand between two frames; `expects_text`: keys are about to be text.
    pub fn readiness(&self, expects_text: bool) -> Readiness {
        Readiness {
            is_busy: self.has_queued_input(),
            is_typing: sys::is_typing(&self.context),
            expects_text: expects_text || sys::is_focus_moving(&self.context),
        }
    }

    /// True while Dear ImGui has input that it spreads over the next frames.
    pub fn has_queued_input(&self) -> bool {
        sys::has_queued_input(&self.context)
    }

    /// True while a text field has the keyboard: its caret blinks.
    pub fn has_caret(&self) -> bool {
        self.context.io().want_text_input
    }

    /// True while the mouse is over something of Dear ImGui, which may have a tooltip.
    pub fn may_show_tooltip(&self) -> bool {
        self.context.io().want_capture_mouse
    }

    /// The id under which a texture is drawn in panels; `before` is the id that it had, and stays.
    pub fn show_texture(&mut self, before: Option<TextureId>, texture: glow::Texture) -> TextureId {
        match before {
            Some(id) => {
                self.textures.replace(id, texture);
                id
            }
            None => self.textures.insert(texture),
        }
    }
}

impl Drop for UiHost {
    fn drop(&mut self) {
        self.renderer.destroy(&self.gl);
    }
}

/// Tells Dear ImGui the window's size at a scale. The support crate divides by a locked scale twice.
fn attach(platform: &mut WinitPlatform, io: &mut imgui::Io, window: &Window, scale: f64) {
    platform.attach_window(io, window, HiDpiMode::Locked(scale));
    let size = window.inner_size().to_logical::<f32>(scale);
    io.display_size = [size.width, size.height];
}

fn new_renderer(
    gl: &glow::Context,
    context: &mut imgui::Context,
    textures: &mut impl TextureMap,
) -> Result<Renderer, String> {
    Renderer::new(gl, context, textures, true).map_err(|error| format!("the panels could not be set up: {error}"))
}
