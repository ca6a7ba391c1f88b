//! The window's contents: Dear ImGui, the editor and the game, and when the next frame is due.

use std::time::{Duration, Instant};

use winit::event::WindowEvent;
use winit::event_loop::EventLoopProxy;

use crate::app::desktop::Start;
use crate::app::gl_window::GlWindow;
use crate::app::ui_host::UiHost;
use crate::app::wake::Wake;
use crate::editor::panels::kit::Kit;
use crate::editor::panels::layout::{self, Panel};
use crate::editor::panels::theme::Theme;

/// Frames that are drawn after an event: hover and layout settle within them.
const SETTLE_FRAMES: u32 = 3;

/// Everything that lives with the window. GL objects are dropped before their context.
pub struct Shell {
    ui: UiHost,
    theme: Theme,
    window: GlWindow,
    dirty_frames: u32,
    last_frame: Instant,
    is_done: bool,
    start: Start,
}

impl Shell {
    /// Sets everything up and opens the file that the program was started with.
    pub fn new(window: GlWindow, start: &Start, proxy: EventLoopProxy<Wake>) -> Result<Shell, String> {
        let theme = Theme::dark();
        let ui = UiHost::new(&window.gl, &window.window, &theme)?;
        let now = Instant::now();
        let (start, _proxy) = (start.clone(), proxy);
        Ok(Shell { ui, theme, window, dirty_frames: SETTLE_FRAMES, last_frame: now, is_done: false, start })
    }

    /// An event of the window, except that it is to be drawn.
    pub fn handle(&mut self, event: WindowEvent) {
        self.dirty_frames = SETTLE_FRAMES;
        match &event {
            WindowEvent::Resized(size) => self.window.resize(*size),
            WindowEvent::CloseRequested => self.is_done = true,
            _ => {}
        }
        self.ui.handle(&self.window.window, event);
    }

    /// A message of another thread.
    pub fn wake(&mut self, wake: Wake) {
        if let Wake::Picked(Some(path)) = wake {
            self.start.file = Some(path);
        }
        self.dirty_frames = SETTLE_FRAMES;
    }

    /// Asks for a frame.
    pub fn request_redraw(&self) {
        self.window.window.request_redraw();
    }

    /// True when the window is to close.
    pub fn is_done(&self) -> bool {
        self.is_done
    }

    /// When the next frame is due; `None` while nothing changes.
    pub fn next_frame_at(&self) -> Option<Instant> {
        let is_due = self.dirty_frames > 0 || self.ui.has_queued_input();
        is_due.then(|| self.last_frame + Duration::from_millis(12))
    }

    /// Draws a frame.
    pub fn draw(&mut self) -> Result<(), String> {
        let now = Instant::now();
        self.dirty_frames = self.dirty_frames.saturating_sub(1);
        self.ui.follow_scale()?;
        self.ui.prepare(&self.window.window, now - self.last_frame);
        self.last_frame = now;
        let (theme, start) = (&self.theme, &self.start);
        self.ui.frame(&self.window.window, |ui, fonts| {
            let kit = Kit { ui, fonts, theme };
            layout::host(&kit, false, || kit.text(format!("{:?} {:?}", start.file, start.mode)), || kit.text("status"));
            for panel in Panel::ALL {
                layout::panel(&kit, panel, [8.0, 6.0], || {
                    layout::title(&kit, panel.name(), "12");
                });
            }
        });
        let ground = self.theme.ground;
        self.window.clear([ground[0], ground[1], ground[2]]);
        self.ui.draw()?;
        self.window.present()
    }
}
