//! The window's contents: Dear ImGui, the editor and the game, and when the next frame is due.

use std::time::{Duration, Instant};

use winit::event::WindowEvent;
use winit::event_loop::EventLoopProxy;
use winit::keyboard::ModifiersState;

use crate::app::desktop::Start;
use crate::app::gl_window::GlWindow;
use crate::app::keys;
use crate::app::studio::Studio;
use crate::app::ui_host::UiHost;
use crate::app::wake::Wake;
use crate::editor::action::Action;
use crate::editor::panels::kit::Kit;
use crate::editor::panels::theme::Theme;

/// Frames that are drawn after an event: hover and layout settle within them.
const SETTLE_FRAMES: u32 = 3;
/// How long after an event tooltips may still appear.
const TOOLTIP_DELAY: Duration = Duration::from_millis(700);
/// The time between two frames of a blinking caret.
const CARET: Duration = Duration::from_millis(200);

/// Everything that lives with the window. GL objects are dropped before their context.
pub struct Shell {
    studio: Studio,
    ui: UiHost,
    theme: Theme,
    window: GlWindow,
    held: ModifiersState,
    dirty_frames: u32,
    last_event: Instant,
    last_frame: Instant,
    frame_length: Duration,
    shown_title: String,
}

impl Shell {
    /// Sets everything up; the file that the program was started with is being read.
    pub fn new(window: GlWindow, start: &Start, proxy: EventLoopProxy<Wake>) -> Result<Shell, String> {
        let theme = Theme::dark();
        let ui = UiHost::new(&window.gl, &window.window, &theme)?;
        let studio = Studio::new(start.file.as_deref(), proxy);
        let monitor = window.window.current_monitor().and_then(|monitor| monitor.refresh_rate_millihertz());
        let millihertz = f64::from(monitor.unwrap_or(60_000).clamp(30_000, 360_000));
        let now = Instant::now();
        Ok(Shell {
            studio,
            ui,
            theme,
            window,
            held: ModifiersState::empty(),
            dirty_frames: SETTLE_FRAMES,
            last_event: now,
            last_frame: now,
            // A little shorter than a refresh, so that the swap is what waits where it can.
            frame_length: Duration::from_secs_f64(0.96 * 1000.0 / millihertz),
            shown_title: String::new(),
        })
    }

    /// An event of the window, except that it is to be drawn.
    pub fn handle(&mut self, event: WindowEvent) {
        self.stir();
        match &event {
            WindowEvent::Resized(size) => self.window.resize(*size),
            WindowEvent::CloseRequested => self.studio.update(Action::Quit),
            WindowEvent::ModifiersChanged(modifiers) => self.held = modifiers.state(),
            WindowEvent::DroppedFile(path) => self.studio.update(Action::Open(Some(path.clone()))),
            WindowEvent::KeyboardInput { event, .. } => {
                if let Some(stroke) = keys::stroke(event, self.held) {
                    self.studio.strike(stroke);
                }
            }
            _ => {}
        }
        self.ui.handle(&self.window.window, event);
    }

    /// A message of another thread.
    pub fn wake(&mut self, wake: Wake) {
        self.stir();
        self.studio.wake(wake);
    }

    fn stir(&mut self) {
        self.dirty_frames = SETTLE_FRAMES;
        self.last_event = Instant::now();
    }

    /// Asks for a frame.
    pub fn request_redraw(&self) {
        self.window.window.request_redraw();
    }

    /// True when the window is to close.
    pub fn is_done(&self) -> bool {
        self.studio.is_done
    }

    /// When the next frame is due; `None` while nothing changes.
    pub fn next_frame_at(&self) -> Option<Instant> {
        let is_due = self.dirty_frames > 0 || self.studio.is_moving() || self.ui.has_queued_input();
        if is_due {
            return Some(self.last_frame + self.frame_length);
        }
        if self.ui.has_caret() {
            return Some(self.last_frame + CARET);
        }
        let tooltip = self.last_event + TOOLTIP_DELAY;
        (self.ui.may_show_tooltip() && self.last_frame < tooltip).then_some(tooltip)
    }

    /// Draws a frame.
    pub fn draw(&mut self) -> Result<(), String> {
        let now = Instant::now();
        let elapsed = now - self.last_frame;
        self.last_frame = now;
        self.dirty_frames = self.dirty_frames.saturating_sub(1);
        self.ui.follow_scale()?;
        self.ui.prepare(&self.window.window, elapsed);
        let Shell { studio, ui, theme, window, .. } = self;
        ui.frame(&window.window, |ui, fonts| studio.ui(&Kit { ui, fonts, theme }, None, elapsed));
        self.follow_studio();
        let ground = self.theme.ground;
        self.window.clear([ground[0], ground[1], ground[2]]);
        self.ui.draw()?;
        self.window.present()
    }

    /// The theme and the window's title.
    fn follow_studio(&mut self) {
        if let Some(shade) = self.studio.desk.wanted_shade.take() {
            self.theme = Theme::of(shade);
            self.theme.apply(self.ui.context.style_mut());
            self.stir();
        }
        let unsaved = if self.studio.editor.is_dirty() { "• " } else { "" };
        let title = format!("{unsaved}{} – Keypose", self.studio.editor.title);
        if title != self.shown_title {
            self.window.window.set_title(&title);
            self.shown_title = title;
        }
    }
}
