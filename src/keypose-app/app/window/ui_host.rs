//! Dear ImGui in the window: its context, events, fonts at the screen's scale, and drawing.

use std::rc::Rc;
use std::time::Duration;

use imgui::{ConfigFlags, Key, TextureId};
use imgui_glow_renderer::{Renderer, TextureMap};
use imgui_winit_support::{HiDpiMode, WinitPlatform};
use winit::dpi::{PhysicalPosition, PhysicalSize};
use winit::event::{Event, WindowEvent};
use winit::window::Window;

use keypose_editor::editor::panels::ui::double_click;
use keypose_editor::editor::panels::ui::fonts::{ExtraFonts, Fonts, ICON_FONT, add_fonts};
use keypose_editor::editor::panels::ui::sys;
use keypose_editor::editor::panels::ui::theme::Theme;

use crate::app::window::clipboard::Clipboard;

/// Dear ImGui and its connection to the window. A process can only have one at a time.
pub struct UiHost {
    /// The context. [`UiHost::frame`] builds frames.
    pub context: imgui::Context,
    /// The fonts of the atlas.
    pub fonts: Fonts,
    extra_fonts: ExtraFonts,
    platform: WinitPlatform,
    renderer: Renderer,
    textures: imgui::Textures<glow::Texture>,
    gl: Rc<glow::Context>,
    scale: f64,
    /// The caret for which the input method is switched on.
    caret: Option<Caret>,
    /// The last movement of the mouse; `None` if it left the window.
    pointer: Option<WindowEvent>,
}

/// Where Dear ImGui places a mouse that is outside the window.
const NOWHERE: [f32; 2] = [-f32::MAX; 2];

/// The upper end of a caret in points, and its height.
type Caret = ([f32; 2], f32);

impl UiHost {
    /// Creates the context, its fonts and its renderer. `size` is the user's scale, multiplied by the screen's.
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
        let extra_fonts = ExtraFonts::default();
        let fonts = add_fonts(&mut context, scale as f32, ICON_FONT, &extra_fonts);
        let mut textures = imgui::Textures::default();
        let renderer = new_renderer(gl, &mut context, &mut textures)?;
        Ok(UiHost {
            context,
            fonts,
            extra_fonts,
            platform,
            renderer,
            textures,
            gl: gl.clone(),
            scale,
            caret: None,
            pointer: None,
        })
    }

    /// Passes an event of the window to Dear ImGui, including those that its support crate ignores, such as the mouse
    /// leaving the window. Text of input methods is for [`UiHost::type_text`].
    pub fn handle(&mut self, window: &Window, event: WindowEvent) {
        let io = self.context.io_mut();
        match &event {
            WindowEvent::CursorMoved { .. } => self.pointer = Some(event.clone()),
            WindowEvent::CursorLeft { .. } => {
                self.pointer = None;
                io.add_mouse_pos_event(NOWHERE);
            }
            WindowEvent::Focused(false) => {
                for key in [Key::ModCtrl, Key::ModShift, Key::ModAlt, Key::ModSuper] {
                    io.add_key_event(key, false);
                }
            }
            _ => {}
        }
        self.pass(window, event);
    }

    fn pass(&mut self, window: &Window, event: WindowEvent) {
        let event: Event<()> = Event::WindowEvent { window_id: window.id(), event };
        self.platform.handle_event(self.context.io_mut(), window, &event);
    }

    /// Gives Dear ImGui the place of the mouse again: when the window loses the focus, it forgets that together with the keys,
    /// and the window gets no event until the mouse moves. Keys wait for this as for all queued input.
    fn restore_pointer(&mut self, window: &Window) {
        if self.context.io().mouse_pos == NOWHERE
            && let Some(event) = self.pointer.clone()
        {
            self.pass(window, event);
        }
    }

    /// Types text into the field that has the keyboard.
    pub fn type_text(&mut self, text: &str) {
        let io = self.context.io_mut();
        text.chars().for_each(|letter| io.add_input_character(letter));
    }

    /// Switches the system's input method on while a text field has the keyboard, so that it doesn't compose with the keys
    /// of commands, and shows it where it writes.
    pub fn follow_caret(&mut self, window: &Window, caret: Option<Caret>) {
        if self.caret.is_some() != caret.is_some() {
            window.set_ime_allowed(caret.is_some());
        }
        if let Some(([x, y], height)) = caret
            && self.caret != caret
        {
            // The lower end: some systems place their window there without regard to the size.
            let place = [x, y + height].map(|side| f64::from(side) * self.scale);
            window.set_ime_cursor_area(PhysicalPosition::new(place[0], place[1]), PhysicalSize::new(1, 1));
        }
        self.caret = caret;
    }

    /// Recreates fonts and renderer if the scale of the screen or the user's scale changed. Returns true if it did.
    pub fn follow_scale(&mut self, window: &Window, size: f64) -> Result<bool, String> {
        let scale = window.scale_factor() * size;
        if scale == self.scale {
            return Ok(false);
        }
        self.scale = scale;
        attach(&mut self.platform, self.context.io_mut(), window, scale);
        self.rebuild_fonts()?;
        Ok(true)
    }

    /// Adds fonts for more characters. Call it between two frames. If there is no room for them, the characters are shown
    /// as boxes.
    pub fn add_extra_fonts(&mut self, extra: ExtraFonts) -> Result<(), String> {
        self.extra_fonts = extra;
        self.rebuild_fonts().or_else(|_| {
            self.extra_fonts = ExtraFonts::default();
            self.rebuild_fonts()
        })
    }

    /// Drops all objects of a lost context. Nothing is drawn until [`UiHost::renew`].
    pub fn release(&mut self) {
        self.renderer.destroy(&self.gl);
        self.textures = imgui::Textures::default();
    }

    /// Makes all objects again in a new context. Ids of textures are new, too.
    pub fn renew(&mut self, gl: &Rc<glow::Context>) -> Result<(), String> {
        self.gl = gl.clone();
        self.rebuild_fonts()
    }

    fn rebuild_fonts(&mut self) -> Result<(), String> {
        self.fonts = add_fonts(&mut self.context, self.scale as f32, ICON_FONT, &self.extra_fonts);
        self.renderer.destroy(&self.gl);
        self.renderer = new_renderer(&self.gl, &mut self.context, &mut self.textures)?;
        // The atlas keeps copies of the font files, which only building needs.
        self.context.fonts().clear_input_data();
        Ok(())
    }

    /// The layout of the panels in Dear ImGui's format.
    pub fn layout(&mut self) -> String {
        let mut ini = String::new();
        self.context.save_ini_settings(&mut ini);
        self.context.io_mut().want_save_ini_settings = false;
        ini
    }

    /// Restores a layout of [`UiHost::layout`]. Call it before the first frame.
    pub fn restore_layout(&mut self, ini: &str) {
        self.context.load_ini_settings(ini);
    }

    /// Whether the layout changed since [`UiHost::layout`] was called.
    pub fn has_new_layout(&self) -> bool {
        self.context.io().want_save_ini_settings
    }

    /// Pixels per point.
    pub fn scale(&self) -> f32 {
        self.scale as f32
    }

    /// Prepares a frame: passes the elapsed time and moves the mouse cursor if requested.
    pub fn prepare(&mut self, window: &Window, elapsed: Duration) {
        self.context.io_mut().update_delta_time(elapsed.max(Duration::from_micros(100)));
        // On Wayland the cursor can't be moved, which is harmless.
        let _ = self.platform.prepare_frame(self.context.io_mut(), window);
    }

    /// Gives a double click more time while frames are slow. `drawing` is the time that the last one took.
    pub fn allow_for_slow_frames(&mut self, drawing: Duration) {
        self.context.io_mut().mouse_double_click_time = double_click::allowed_secs(drawing.as_secs_f32());
    }

    /// Builds a frame. [`UiHost::draw`] shows it.
    pub fn frame<R>(&mut self, window: &Window, build: impl FnOnce(&imgui::Ui, &Fonts) -> R) -> R {
        let UiHost { context, platform, fonts, .. } = self;
        let ui = context.new_frame();
        let built = build(ui, fonts);
        platform.prepare_render(ui, window);
        self.restore_pointer(window);
        built
    }

    /// Draws the frame over the window's contents.
    pub fn draw(&mut self) -> Result<(), String> {
        let data = self.context.render();
        if data.draw_lists_count() == 0 {
            // The list is a null pointer then, from which the renderer would make a slice.
            return Ok(());
        }
        self.renderer
            .render(&self.gl, &self.textures, data)
            .map_err(|error| format!("could not draw the panels: {error}"))
    }

    /// Whether Dear ImGui has queued input for the next frames.
    pub fn has_queued_input(&self) -> bool {
        sys::has_queued_input(&self.context)
    }

    /// Whether a text field has the focus, so that its caret blinks.
    pub fn has_caret(&self) -> bool {
        self.context.io().want_text_input
    }

    /// Whether the mouse is over an item that may have a tooltip.
    pub fn may_show_tooltip(&self) -> bool {
        self.context.io().want_capture_mouse
    }

    /// Assigns a texture to an id for panels. `before` is its previous id, which is kept.
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

/// Sets the window's size and scale. The support crate divides by a locked scale twice.
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
    Renderer::new(gl, context, textures, true).map_err(|error| format!("could not set up the panels: {error}"))
}
