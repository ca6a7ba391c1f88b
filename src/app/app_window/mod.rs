//! The window's contents: Dear ImGui, the editor and the game, and when the next frame is due.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use winit::event::WindowEvent;
use winit::event_loop::EventLoopProxy;
use winit::keyboard::ModifiersState;

use crate::app::desktop::{Playing, Start, StartMode};
use crate::app::editor_host::{EditorHost, Pictures};
use crate::app::files::Opened;
use crate::app::follow::receiver::Receiver;
use crate::app::gl_window::GlWindow;
use crate::app::input_recording::InputRecording;
use crate::app::message::Message;
use crate::app::pace::Needs;
use crate::app::painter::{Canvas, Painter};
use crate::app::play_mode::PlayMode;
use crate::app::preferences::{self, StateWriter};
use crate::app::texture_previews::TexturePreviews;
use crate::app::thumbnails::{Subject, Thumbnails};
use crate::app::ui_host::UiHost;
use crate::app::watch::Watch;
use crate::editor::panels::ui::canvas::Kit;
use crate::editor::panels::ui::theme::Theme;
use crate::editor::panels::window::input_order::InputQueue;
use crate::editor::session::notice::NoticeKind;
use crate::editor::session::preferences::Prefer;
use crate::editor::session::shortcuts::Stroke;
use crate::editor::state::action::Action;

mod game;
mod input;
mod saved_state;

use saved_state::panel_names;

/// Frames that are drawn after an event: hover and layout settle within them.
const SETTLE_FRAMES: u32 = 3;
/// Frames that are drawn at the start: the layout settles, then its tabs are chosen.
const FIRST_FRAMES: u32 = 8;
/// What the window shows.
enum Mode {
    /// The editor.
    Editor,
    /// The game; the editor waits behind it, as it was.
    Game(Box<PlayMode>),
}

/// What the game follows that the program was started with.
struct Watched {
    files: Vec<PathBuf>,
    /// What they hold since they changed.
    latest: Option<Box<Opened>>,
    /// `None` for the demo that the program carries.
    _watch: Option<Watch>,
    /// The pose of an editor.
    receiver: Option<Receiver>,
    /// For the game, until it starts.
    tape: InputRecording,
    seed: u64,
}

/// Everything that lives with the window. GL objects are dropped before their context.
pub struct AppWindow {
    state_writer: StateWriter,
    host: EditorHost,
    mode: Mode,
    /// The program was started to play, and the file is still being read.
    play_wanted: Option<Playing>,
    /// The files of the game that the program was started with, followed until it is left.
    watched: Option<Watched>,
    proxy: EventLoopProxy<Message>,
    viewport: Canvas,
    screen: Canvas,
    thumbnails: [Thumbnails; 2],
    textures: TexturePreviews,
    painter: Painter,
    ui: UiHost,
    theme: Theme,
    window: GlWindow,
    /// Its size is to be kept.
    is_resized: bool,
    /// Another program took the window away.
    is_destroyed: bool,
    held: ModifiersState,
    /// What happened in the editing mode since the last frame.
    input: InputQueue<WindowEvent>,
    dirty_frames: u32,
    last_event: Instant,
    last_frame: Instant,
    frame_length: Duration,
    shown_title: String,
}

impl AppWindow {
    /// Sets everything up; the file that the program was started with is being read.
    pub fn new(window: GlWindow, start: &Start, proxy: EventLoopProxy<Message>) -> Result<AppWindow, String> {
        let preferences = &start.saved.preferences;
        let theme = Theme::of(preferences.shade);
        let make_ui = |size| UiHost::new(&window.gl, &window.window, &theme, size);
        // Where letters of the user's size can't be had, the first frame says so.
        let mut ui = make_ui(f64::from(preferences.scale_percent) / 100.0).or_else(|_| make_ui(1.0))?;
        if let Some(layout) = start.saved.layout.as_ref().filter(|layout| layout.panels == panel_names()) {
            ui.restore_layout(&layout.ini);
        }
        let monitor = window.window.current_monitor().and_then(|monitor| monitor.refresh_rate_millihertz());
        let millihertz = f64::from(monitor.unwrap_or(60_000).clamp(30_000, 360_000));
        let refresh = Duration::from_secs_f64(1000.0 / millihertz);
        let host = EditorHost::new(start, refresh, proxy.clone());
        let now = Instant::now();
        Ok(AppWindow {
            host,
            state_writer: StateWriter::new(preferences::file(), start.saved.clone()),
            mode: Mode::Editor,
            play_wanted: match &start.mode {
                StartMode::Play(playing) => Some(playing.clone()),
                StartMode::Edit => None,
            },
            watched: None,
            proxy,
            viewport: Canvas::default(),
            screen: Canvas::default(),
            thumbnails: [Subject::Keyframes, Subject::Poses].map(Thumbnails::of),
            textures: TexturePreviews::default(),
            painter: Painter::new(&window)?,
            ui,
            theme,
            window,
            is_resized: false,
            is_destroyed: false,
            held: ModifiersState::empty(),
            input: InputQueue::default(),
            dirty_frames: FIRST_FRAMES,
            last_event: now,
            last_frame: now,
            // A little shorter than a refresh, so that the swap is what waits where it can.
            frame_length: refresh.mul_f64(0.96),
            shown_title: String::new(),
        })
    }

    /// An event of the window, except that it is to be drawn.
    pub fn handle(&mut self, event: WindowEvent) {
        self.stir();
        match &event {
            WindowEvent::Resized(size) => {
                self.window.resize(*size);
                self.is_resized = true;
            }
            WindowEvent::Destroyed => {
                self.is_destroyed = true;
                return;
            }
            WindowEvent::CloseRequested => {
                if self.watched.is_some() {
                    // Nothing was edited.
                    self.host.close();
                    self.host.is_done = true;
                    return;
                }
                // The editor may have to ask about changes that are not saved.
                self.leave_game();
                self.host.update(Action::Quit);
            }
            WindowEvent::ModifiersChanged(modifiers) => self.held = modifiers.state(),
            WindowEvent::DroppedFile(path) => {
                self.leave_game();
                self.host.drop_file(path.clone());
            }
            WindowEvent::Focused(false) => {
                if let Mode::Game(game) = &mut self.mode {
                    game.release_all();
                }
            }
            WindowEvent::KeyboardInput { event, .. } if self.game_key(event) => return,
            _ => {}
        }
        self.note(event);
    }

    /// A message of another thread.
    pub fn wake(&mut self, wake: Message) {
        self.stir();
        match wake {
            Message::Read { files, opened, progress, .. } if self.play_wanted.is_some() && !progress.is_cancelled() => {
                self.start_played(files, progress, opened);
            }
            Message::Followed => {
                let followed = self.watched.as_ref().and_then(|watched| watched.receiver.as_ref()?.take());
                if let (Mode::Game(game), Some(followed)) = (&mut self.mode, followed) {
                    game.follow(followed);
                }
            }
            Message::Changed { change, next } => {
                if let (Mode::Game(game), Some(watched)) = (&mut self.mode, &mut self.watched) {
                    watched.latest = game.reload(change, next.as_ref()).or(watched.latest.take());
                }
            }
            wake => {
                let is_given_up = self.play_wanted.is_some() && matches!(wake, Message::Read { .. });
                self.host.wake(wake);
                if is_given_up {
                    self.play_wanted = None;
                    self.host.begin_editing(None);
                }
            }
        }
    }

    fn stir(&mut self) {
        self.dirty_frames = self.dirty_frames.max(SETTLE_FRAMES);
        self.last_event = Instant::now();
    }

    /// Asks for a frame.
    pub fn request_redraw(&self) {
        self.window.window.request_redraw();
    }

    /// The window closes: what changed since the last frame is kept, too.
    pub fn close(&mut self) {
        self.keep_all();
    }

    /// True where there is no window any more, though nobody asked it to close: it must not be asked for anything. What was
    /// not saved is in the journal.
    pub fn is_destroyed(&self) -> bool {
        self.is_destroyed
    }

    /// True when the window is to close.
    pub fn is_done(&self) -> bool {
        self.host.is_done
    }

    /// When the next frame is due; `None` while nothing changes.
    pub fn next_frame_at(&self) -> Option<Instant> {
        let is_moving = match &self.mode {
            Mode::Editor => self.host.is_moving(),
            Mode::Game(game) => game.is_moving(),
        };
        let needs = Needs {
            last_frame: self.last_frame,
            last_event: self.last_event,
            frame_length: self.frame_length,
            is_moving: self.dirty_frames > 0 || is_moving || !self.input.is_empty() || self.ui.has_queued_input(),
            is_busy: self.host.is_busy(),
            has_caret: self.ui.has_caret(),
            may_show_tooltip: self.ui.may_show_tooltip(),
            goes_at: self.host.news_go_at(),
        };
        needs.next_frame()
    }

    /// Draws a frame.
    pub fn draw(&mut self) -> Result<(), String> {
        let now = Instant::now();
        let elapsed = now - self.last_frame;
        self.last_frame = now;
        self.dirty_frames = self.dirty_frames.saturating_sub(1);
        let size = f64::from(self.host.editor.session.workspace.preferences.scale_percent) / 100.0;
        let has_changed = match self.ui.follow_scale(&self.window.window, size) {
            Err(reason) if size != 1.0 => self.give_up_scale(&reason)?,
            followed => followed?,
        };
        if has_changed {
            self.host.is_picture_stale = true;
            self.stir();
        }
        let strokes = self.take_input();
        self.ui.prepare(&self.window.window, elapsed);
        self.host.is_picture_stale |= self.painter.follow_shaders();
        match &self.mode {
            Mode::Editor => self.draw_editor(&strokes, elapsed)?,
            Mode::Game(_) => self.draw_game(elapsed)?,
        }
        self.update_theme_and_title();
        self.keep_preferences();
        self.follow_play_test();
        let ground = self.theme.ground;
        self.window.clear([ground[0], ground[1], ground[2]]);
        self.ui.draw()?;
        self.window.present()
    }

    /// Letters of the user's size can't be had: the usual ones are used instead, and that is said.
    fn give_up_scale(&mut self, reason: &str) -> Result<bool, String> {
        let percent = self.host.editor.session.workspace.preferences.scale_percent;
        self.host.update(Action::Prefer(Prefer::Scale(100)));
        let text = format!("Text and panels at {percent} % can't be had here ({reason}). They are at 100 % instead.");
        self.host.update(Action::Notice(NoticeKind::Error, text));
        self.ui.follow_scale(&self.window.window, 1.0)
    }

    /// The panels first: the picture then shows what was done in them.
    fn draw_editor(&mut self, strokes: &[Stroke], elapsed: Duration) -> Result<(), String> {
        let AppWindow { host, ui, theme, window, viewport, thumbnails, textures, painter, input, .. } = self;
        let pictures = Pictures { viewport: viewport.id(), thumbnails, textures };
        ui.frame(&window.window, |ui, fonts| host.ui(&Kit::new(ui, fonts, theme), &pictures, strokes, elapsed));
        let [width, height] = host.desk.viewport.size.map(|side| (side * ui.scale()).round() as u32);
        if width > 0 && height > 0 && std::mem::take(&mut host.is_picture_stale) {
            painter.draw(viewport, &host.picture(), [width, height], ui)?;
        }
        if textures.draw(painter, ui, host.editor.model().map(|model| &**model))? {
            self.dirty_frames = self.dirty_frames.max(1);
        }
        // What the user does comes first: thumbnails are drawn when frames follow each other for nothing else. The next
        // frame, which follows by itself, shows what was drawn and draws what was left.
        let is_calm = self.dirty_frames == 0 && host.editor.gesture.is_none() && !host.is_moving() && input.is_empty();
        if !is_calm {
            thumbnails.iter().for_each(Thumbnails::wait);
            return Ok(());
        }
        for of_subject in thumbnails {
            if of_subject.draw(painter, ui, &host.editor)? {
                self.dirty_frames = 1;
            }
        }
        Ok(())
    }

    /// The theme and the window's title.
    fn update_theme_and_title(&mut self) {
        let shade = self.host.editor.session.workspace.preferences.shade;
        if shade != self.theme.shade {
            self.theme = Theme::of(shade);
            self.theme.apply(self.ui.context.style_mut());
            self.host.is_picture_stale = true;
            self.stir();
        }
        let unsaved = if self.host.editor.is_dirty() { "• " } else { "" };
        let playing = if matches!(self.mode, Mode::Game(_)) { ", playing" } else { "" };
        let read_only = if self.host.editor.held.is_some() { " (read-only)" } else { "" };
        let title = format!("{unsaved}{}{read_only}{playing} – Keypose", self.host.editor.title);
        if title != self.shown_title {
            self.window.window.set_title(&title);
            self.shown_title = title;
        }
    }
}
