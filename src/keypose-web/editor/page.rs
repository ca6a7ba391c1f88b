//! The interface of the editor for the script of its page.

use std::sync::Once;

use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::WebGl2RenderingContext;

use keypose_editor::editor::panels::ui::fonts::{ExtraFonts, Fonts, add_fonts};
use keypose_editor::editor::panels::ui::surface::Surface;
use keypose_editor::editor::panels::ui::theme::Theme;
use keypose_editor::editor::panels::window::input_order::InputQueue;
use keypose_editor::editor::session::shortcuts::Modifiers;
use keypose_editor::editor::view::scene;
use keypose_editor::image_previews::ImagePreviews;
use keypose_editor::render::frame::Frame;
use keypose_editor::render::gl::target::Target;
use keypose_editor::render::gl::texture::Texture;
use keypose_editor::render::pass::panels::PanelPass;
use keypose_editor::render::shaders::Shaders;
use keypose_editor::thumbnails::{Easel, Subject, Thumbnails};

use crate::editor::host::{PageEditor, Request};
use crate::editor::input::{PageEvent, PageKey};
use crate::editor::memory::start_libraries;
use crate::page::Canvas;
use crate::page_sound::PageSound;

#[wasm_bindgen]
extern "C" {
    /// Writes to the browser's console.
    #[wasm_bindgen(js_namespace = console)]
    fn error(text: &str);
}

/// The start of the libraries.
static START: Once = Once::new();

/// The ids of the viewport's pictures.
const VIEWPORT: [imgui::TextureId; 2] = [imgui::TextureId::new(1), imgui::TextureId::new(2)];
/// Pictures after an event, in which hover and layout settle.
const SETTLE: u32 = 4;

/// An editor on a page. Places are in points, times in seconds; errors are one sentence.
#[wasm_bindgen]
pub struct EditorPage {
    canvas: Canvas,
    imgui: imgui::Context,
    fonts: Fonts,
    theme: Theme,
    panels: PanelPass,
    /// The viewport, and the view from beside.
    viewport: [Option<Target>; 2],
    thumbnails: [Thumbnails; 4],
    images: ImagePreviews,
    /// The id of the next picture.
    next_id: usize,
    editor: PageEditor,
    events: InputQueue<PageEvent>,
    /// The font of icons.
    icons: Vec<u8>,
    /// Pixels per point of the panels: of the page, by the size that the user prefers.
    scale: f32,
    unsettled: u32,
}

/// Draws thumbnails, one per picture of the page.
struct PageEasel<'p> {
    canvas: &'p mut Canvas,
    next_id: &'p mut usize,
    is_done: bool,
}

impl Easel for PageEasel<'_> {
    fn draw(&mut self, target: &mut Option<Target>, frame: &Frame, side: u32) -> Result<Option<Texture>, String> {
        self.is_done = true;
        self.canvas.thumbnail(target, frame, side).map(Some)
    }

    fn image(&mut self, size: [u32; 2], pixels: &[u8]) -> Result<Texture, String> {
        self.canvas.image(size, pixels)
    }

    fn show(&mut self, before: Option<imgui::TextureId>, _: &Texture) -> imgui::TextureId {
        before.unwrap_or_else(|| {
            *self.next_id += 1;
            imgui::TextureId::new(*self.next_id - 1)
        })
    }

    fn has_time(&self) -> bool {
        !self.is_done
    }
}

/// The clipboard of text fields.
struct Clipboard(std::rc::Rc<std::cell::RefCell<String>>);

impl imgui::ClipboardBackend for Clipboard {
    fn get(&mut self) -> Option<String> {
        Some(self.0.borrow().clone())
    }

    fn set(&mut self, value: &str) {
        self.0.replace(value.to_owned());
    }
}

/// Something that the page must do, for its script.
#[wasm_bindgen]
pub struct PageRequest(Request);

#[wasm_bindgen]
impl PageRequest {
    /// "pick", "download", "play", "store", "hear" or "prefer".
    pub fn kind(&self) -> String {
        let kind = match self.0 {
            Request::Pick { .. } => "pick",
            Request::Download { .. } => "download",
            Request::Play { .. } => "play",
            Request::Store { .. } => "store",
            Request::Hear { .. } => "hear",
            Request::Prefer { .. } => "prefer",
        };
        kind.to_owned()
    }

    /// The name of a file, the extensions to pick from, or the preferences.
    pub fn text(&self) -> String {
        match &self.0 {
            Request::Pick { accepts: text, .. }
            | Request::Download { name: text, .. }
            | Request::Store { name: text, .. }
            | Request::Prefer { text } => text.clone(),
            Request::Play { .. } | Request::Hear { .. } => String::new(),
        }
    }

    /// Whether several files may be picked.
    pub fn takes_many(&self) -> bool {
        matches!(self.0, Request::Pick { takes_many: true, .. })
    }

    /// The bytes of a file.
    pub fn bytes(self) -> Vec<u8> {
        match self.0 {
            Request::Download { bytes, .. } | Request::Store { bytes, .. } | Request::Play { bytes } => bytes,
            Request::Pick { .. } | Request::Prefer { .. } | Request::Hear { .. } => Vec::new(),
        }
    }

    /// The sound to play.
    pub fn sound(&self) -> Option<PageSound> {
        match &self.0 {
            Request::Hear { sound } => Some(PageSound::new(sound.clone(), 1.0)),
            _ => None,
        }
    }
}

#[wasm_bindgen]
impl EditorPage {
    /// Starts with an empty document. `demo` is the demo archive, `icons` the font of icons, `scale` is pixels per point.
    #[wasm_bindgen(constructor)]
    pub fn new(gl: WebGl2RenderingContext, demo: Vec<u8>, icons: Vec<u8>, scale: f32) -> Result<EditorPage, String> {
        // The console shows the fault that ends the program.
        std::panic::set_hook(Box::new(|fault| error(&fault.to_string())));
        START.call_once(start_libraries);
        let canvas = Canvas::new(gl)?;
        let mut imgui = imgui::Context::create();
        imgui.set_ini_filename(None);
        let io = imgui.io_mut();
        io.config_flags |= imgui::ConfigFlags::DOCKING_ENABLE;
        io.backend_flags |= imgui::BackendFlags::HAS_MOUSE_CURSORS;
        io.config_windows_move_from_title_bar_only = true;
        io.mouse_drag_threshold = 4.0;
        let editor = PageEditor::new(demo);
        imgui.set_clipboard_backend(Clipboard(editor.clipboard.clone()));
        let theme = Theme::of(editor.editor.session.workspace.preferences.shade);
        theme.apply(imgui.style_mut());
        let fonts = add_fonts(&mut imgui, scale, &icons, &ExtraFonts::default());
        let panels = PanelPass::new(&canvas.context, &Shaders::default(), &mut imgui);
        Ok(EditorPage {
            panels: panels.map_err(|error| error.to_string())?,
            canvas,
            imgui,
            fonts,
            theme,
            viewport: [None, None],
            thumbnails: Subject::ALL.map(Thumbnails::of),
            images: ImagePreviews::default(),
            next_id: VIEWPORT.len() + 1,
            editor,
            events: InputQueue::default(),
            icons,
            scale,
            unsettled: 8,
        })
    }

    fn push(&mut self, event: PageEvent) {
        self.unsettled = SETTLE;
        self.events.push(event.kind(), event);
    }

    pub fn moved(&mut self, x: f32, y: f32) {
        let size = self.size();
        self.push(PageEvent::Moved([x / size, y / size]));
    }

    /// The mouse left the canvas.
    pub fn left(&mut self) {
        self.push(PageEvent::Left);
    }

    pub fn button(&mut self, number: i16, is_down: bool) {
        self.push(PageEvent::Button(number, is_down));
    }

    pub fn wheel(&mut self, x: f32, y: f32) {
        self.push(PageEvent::Wheel([x, y]));
    }

    /// A key; `held` has the bits Ctrl 1, Shift 2, Alt 4, and `flags` pressed 1, repeated 2, on the number pad 4.
    pub fn key(&mut self, code: String, key: String, held: u8, flags: u8) {
        let held = Modifiers { ctrl: held & 1 != 0, shift: held & 2 != 0, alt: held & 4 != 0 };
        let [is_down, is_repeat, is_on_pad] = [1, 2, 4].map(|bit| flags & bit != 0);
        self.push(PageEvent::Key(PageKey { code, key, is_on_pad, is_down, is_repeat, held }));
    }

    pub fn typed(&mut self, text: String) {
        self.push(PageEvent::Typed(text));
    }

    /// The page lost the keyboard.
    pub fn blurred(&mut self) {
        self.push(PageEvent::Blurred);
    }

    /// The page is hidden: it has no pictures, by which unsaved work is stored.
    pub fn hidden(&mut self) {
        self.editor.store_at_once();
    }

    /// Keeps a file that the user gave, for what names it.
    pub fn keep_file(&mut self, name: &str, bytes: Vec<u8>) {
        self.editor.keep_file(name, bytes);
    }

    /// Keeps the archive that was saved last at an earlier visit.
    pub fn remember(&mut self, name: &str, bytes: Vec<u8>) {
        self.editor.remember(name, bytes);
    }

    pub fn picked(&mut self, names: Vec<String>) {
        self.unsettled = SETTLE;
        self.editor.picked(names.into_iter().map(Into::into).collect());
    }

    pub fn dropped(&mut self, names: Vec<String>) {
        self.unsettled = SETTLE;
        self.editor.dropped(names.into_iter().map(Into::into).collect());
    }

    /// Takes over the preferences of an earlier visit.
    pub fn prefer(&mut self, text: &str) {
        self.editor.prefer(text);
    }

    /// Opens what an earlier visit did not save.
    pub fn recover(&mut self, name: &str, bytes: Vec<u8>) {
        self.unsettled = SETTLE;
        self.editor.recover(name, bytes);
    }

    /// Shows a warning of the page.
    pub fn warn(&mut self, text: String) {
        self.unsettled = SETTLE;
        self.editor.warn(text);
    }

    /// Text that is on the clipboard.
    pub fn set_clipboard(&mut self, text: String) {
        self.editor.clipboard.replace(text);
    }

    /// Text that the editor copied.
    pub fn clipboard(&self) -> String {
        self.editor.clipboard.borrow().clone()
    }

    pub fn title(&self) -> String {
        let unsaved = if self.editor.has_unsaved_work() { "• " } else { "" };
        format!("{unsaved}{} – Keypose", self.editor.editor.title)
    }

    pub fn is_dirty(&self) -> bool {
        self.editor.has_unsaved_work()
    }

    pub fn is_unstored(&self) -> bool {
        self.editor.has_unstored_work()
    }

    pub fn requests(&mut self) -> Vec<PageRequest> {
        self.editor.take_requests().into_iter().map(PageRequest).collect()
    }

    /// Whether the next picture differs from the last one without an event.
    pub fn is_moving(&self) -> bool {
        self.unsettled > 0 || !self.events.is_empty() || self.editor.is_moving() || self.imgui.io().want_text_input
    }

    /// The name of the mouse cursor in CSS.
    pub fn cursor(&self) -> String {
        let name = match self.imgui.mouse_cursor() {
            Some(imgui::MouseCursor::TextInput) => "text",
            Some(imgui::MouseCursor::ResizeAll) => "move",
            Some(imgui::MouseCursor::ResizeNS) => "ns-resize",
            Some(imgui::MouseCursor::ResizeEW) => "ew-resize",
            Some(imgui::MouseCursor::ResizeNESW) => "nesw-resize",
            Some(imgui::MouseCursor::ResizeNWSE) => "nwse-resize",
            Some(imgui::MouseCursor::Hand) => "pointer",
            Some(imgui::MouseCursor::NotAllowed) => "not-allowed",
            Some(imgui::MouseCursor::Arrow) | None => "default",
        };
        name.to_owned()
    }

    /// Draws a picture of this size in pixels. `now_ms` is the time in milliseconds since 1970, `ratio` is pixels per point of the page.
    pub fn draw(&mut self, secs: f64, now_ms: f64, ratio: f32, width: u32, height: u32) -> Result<(), String> {
        self.unsettled = self.unsettled.saturating_sub(1);
        self.follow_theme();
        self.follow_scale(ratio * self.size())?;
        let taken = self.events.take(self.editor.dock.readiness(&self.imgui, &self.editor.editor.session));
        let io = self.imgui.io_mut();
        io.delta_time = (secs as f32).max(1e-4);
        io.display_size = [width, height].map(|side| side as f32 / self.scale);
        io.display_framebuffer_scale = [self.scale; 2];
        taken.events.into_iter().for_each(|event| event.pass(io));
        let ui = self.imgui.new_frame();
        let surface = Surface::new(ui, &self.fonts, &self.theme);
        let pictures = [0, 1].map(|at: usize| self.viewport[at].is_some().then_some(VIEWPORT[at]));
        self.editor.ui(&surface, (pictures, &self.thumbnails, &self.images, &taken.strokes), (secs, now_ms as u64));
        let pixels = |size: [f32; 2]| size.map(|side| (side * self.scale).round() as u32);
        let [viewport, beside] = &mut self.viewport;
        let size = pixels(self.editor.dock.viewport.size);
        let mut frame = self.editor.viewport_frame();
        if self.editor.show_films() {
            self.unsettled = self.unsettled.max(1);
            frame = self.editor.viewport_frame();
        }
        if size.iter().all(|side| *side > 0) {
            self.canvas.draw_into(viewport, &frame, size)?;
        }
        if let Some(size) = self.editor.dock.viewport.beside.map(pixels) {
            self.canvas.draw_into(beside, &scene::from_beside(&self.editor.editor.session, frame), size)?;
        }
        self.draw_thumbnails()?;
        self.canvas.take_notices().into_iter().for_each(|notice| self.editor.warn(notice));
        let (targets, thumbnails, images) = (&self.viewport, &self.thumbnails, &self.images);
        let ground = self.theme.ground;
        let find = |id| {
            targets
                .iter()
                .zip(VIEWPORT)
                .find(|(_, of)| *of == id)
                .and_then(|(target, _)| Some(target.as_ref()?.texture()))
                .or_else(|| thumbnails.iter().find_map(|of_subject| of_subject.texture(id)))
                .or_else(|| images.texture(id))
        };
        let data = self.imgui.render();
        let drawn = self.panels.draw(data, ([width, height], [ground[0], ground[1], ground[2]]), &find);
        drawn.map_err(|error| error.to_string())
    }

    /// Draws pictures that panels showed: thumbnails only if neither the user nor playback needs the time.
    fn draw_thumbnails(&mut self) -> Result<(), String> {
        let editor = &self.editor.editor;
        let is_idle = self.events.is_empty() && !editor.session.is_lively() && editor.gesture.is_none();
        let mut easel = PageEasel { canvas: &mut self.canvas, next_id: &mut self.next_id, is_done: false };
        if self.images.draw(&mut easel)? {
            self.unsettled = self.unsettled.max(1);
        }
        for of_subject in &mut self.thumbnails {
            match is_idle {
                true if of_subject.draw(&mut easel, editor)? => self.unsettled = self.unsettled.max(1),
                true => {}
                false => of_subject.wait(editor),
            }
        }
        Ok(())
    }

    /// The size of the panels that the user prefers, as a factor.
    fn size(&self) -> f32 {
        f32::from(self.editor.editor.session.workspace.preferences.scale_percent) / 100.0
    }

    fn follow_scale(&mut self, scale: f32) -> Result<(), String> {
        if scale != self.scale {
            self.fonts = add_fonts(&mut self.imgui, scale, &self.icons, &ExtraFonts::default());
            let panels = PanelPass::new(&self.canvas.context, &Shaders::default(), &mut self.imgui);
            self.panels = panels.map_err(|error| error.to_string())?;
            (self.scale, self.unsettled) = (scale, SETTLE);
        }
        Ok(())
    }

    fn follow_theme(&mut self) {
        let shade = self.editor.editor.session.workspace.preferences.shade;
        if shade != self.theme.shade {
            self.theme = Theme::of(shade);
            self.theme.apply(self.imgui.style_mut());
        }
    }
}
