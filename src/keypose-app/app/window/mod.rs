//! The contents of the window: Dear ImGui, the editor and the game, and when the next frame is due.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use winit::event::WindowEvent;
use winit::event_loop::EventLoopProxy;
use winit::keyboard::ModifiersState;

use keypose::assets::printable::printable;
use keypose_editor::editor::panels::ui::fonts::ExtraFonts;
use keypose_editor::editor::panels::ui::surface::Surface;
use keypose_editor::editor::panels::ui::sys;
use keypose_editor::editor::panels::ui::theme::Theme;
use keypose_editor::editor::panels::window::composition::Composition;
use keypose_editor::editor::panels::window::input_order::InputQueue;
use keypose_editor::editor::session::notice::NoticeKind;
use keypose_editor::editor::session::preferences::Prefer;
use keypose_editor::editor::session::shortcuts::TypedStroke;
use keypose_editor::editor::state::action::{FileAction, ProgramAction};
use keypose_editor::editor::view::scene;
use keypose_tools::chosen_clips::ChosenClip;

use crate::app::files::Opened;
use crate::app::files::watch::Watch;
use crate::app::follow::receiver::Receiver;
use crate::app::host::message::Message;
use crate::app::host::{EditorHost, PanelImages};
use crate::app::play::PlayMode;
use crate::app::play::controls::Controls;
use crate::app::play::gamepad::Gamepads;
use crate::app::play::recording::InputRecording;
use crate::app::preferences::{self, StateWriter};
use crate::app::previews::files::FilePreviews;
use crate::app::previews::pixels::PixelTextures;
use crate::app::window::desktop::{Playing, Start, StartMode};
use crate::app::window::fallback_fonts::FontSearch;
use crate::app::window::gl_window::GlWindow;
use crate::app::window::pace::Needs;
use crate::app::window::painter::{Canvas, Painter, WindowEasel};
use crate::app::window::ui_host::UiHost;
use keypose_editor::image_previews::ImagePreviews;
use keypose_editor::thumbnails::{Subject, Thumbnails};

pub(crate) mod clipboard;
mod context_loss;
pub(crate) mod desktop;
pub(crate) mod dialogs;
pub mod fallback_fonts;
pub(crate) mod frame_meter;
mod game;
pub(crate) mod gl_window;
mod input;
pub(crate) mod keys;
mod pace;
pub(crate) mod painter;
mod saved_state;
pub(crate) mod shader_files;
pub(crate) mod start_marker;
pub(crate) mod ui_host;

use context_loss::LossTest;
use saved_state::panel_names;

/// Frames drawn after an event, in which hover and layout settle.
const SETTLE_FRAMES: u32 = 3;
/// Frames drawn at the start: the layout settles, then its tabs are selected.
const FIRST_FRAMES: u32 = 8;

/// The contents of the window.
enum Mode {
    /// The editor has the window.
    Editor,
    /// The game, with the editor in the background.
    Game(Box<PlayMode>),
}

/// The game that the program was started with, and the files that it reloads.
struct StartedGame {
    files: Vec<PathBuf>,
    /// The content of the files after the last change.
    latest: Option<Box<Opened>>,
    /// `None` for the built-in demo.
    _watch: Option<Watch>,
    /// Receives the pose of an editor.
    receiver: Option<Receiver>,
    /// The game's input recording, until the game starts.
    recording: InputRecording,
    seed: u64,
    /// Clips for states of the player.
    clips: Vec<ChosenClip>,
}

/// Everything that belongs to the window. GL objects are dropped before their context.
pub struct AppWindow {
    state_writer: StateWriter,
    host: EditorHost,
    mode: Mode,
    /// Set while the file of a game that the program was started with is being read.
    play_wanted: Option<Playing>,
    /// The game that the program was started with, until it is left.
    watched: Option<StartedGame>,
    /// The user's controls of the game.
    controls: Controls,
    /// Opened with the first game.
    gamepads: Option<Gamepads>,
    proxy: EventLoopProxy<Message>,
    /// The viewport, and the view from beside.
    views: [Canvas; 2],
    screen: Canvas,
    thumbnails: [Thumbnails; 4],
    images: ImagePreviews,
    pixels: PixelTextures,
    painter: Painter,
    ui: UiHost,
    font_search: FontSearch,
    /// Fonts to add before the next frame.
    new_fonts: Option<ExtraFonts>,
    theme: Theme,
    window: GlWindow,
    loss_test: LossTest,
    file_previews: FilePreviews,
    /// Files that were dropped on the window since the last frame.
    dropped: Vec<PathBuf>,
    /// Whether the window's size must be saved.
    is_resized: bool,
    /// Whether another program closed the window.
    is_destroyed: bool,
    held: ModifiersState,
    /// Events since the last frame of the editor.
    input: InputQueue<WindowEvent>,
    composition: Composition,
    dirty_frames: u32,
    /// When a viewport that lacks triangles is drawn again.
    retries_at: Option<Instant>,
    last_event: Instant,
    last_frame: Instant,
    frame_length: Duration,
    shown_title: String,
}

impl AppWindow {
    /// Creates the contents and starts to read the files of the command line.
    pub fn new(window: GlWindow, start: &Start, proxy: EventLoopProxy<Message>) -> Result<AppWindow, String> {
        let preferences = &start.saved.preferences;
        let theme = Theme::of(preferences.shade);
        let make_ui = |size| UiHost::new(&window.gl, &window.window, &theme, size);
        // If the fonts are not available in this size, the first frame reports it.
        let mut ui = make_ui(f64::from(preferences.scale_percent) / 100.0).or_else(|_| make_ui(1.0))?;
        let restored = start.saved.layout.as_ref().filter(|layout| layout.panels == panel_names());
        if let Some(layout) = restored {
            ui.restore_layout(&layout.ini);
        }
        let refresh = window.refresh_interval();
        let mut host = EditorHost::new(start, refresh, proxy.clone());
        let untouched = restored.and_then(|layout| layout.untouched);
        host.dock.follow_from(untouched.map(|size| size.map(|side| side as f32)));
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
            controls: start.saved.controls.clone(),
            gamepads: None,
            proxy,
            views: Default::default(),
            screen: Canvas::default(),
            thumbnails: Subject::ALL.map(Thumbnails::of),
            images: ImagePreviews::default(),
            pixels: PixelTextures::default(),
            file_previews: FilePreviews::default(),
            dropped: Vec::new(),
            painter: Painter::new(&window)?,
            ui,
            font_search: FontSearch::default(),
            new_fonts: None,
            theme,
            window,
            loss_test: LossTest::after(start.loses_context_after),
            is_resized: false,
            is_destroyed: false,
            held: ModifiersState::empty(),
            input: InputQueue::default(),
            composition: Composition::default(),
            dirty_frames: FIRST_FRAMES,
            retries_at: None,
            last_event: now,
            last_frame: now,
            // A little less than a refresh, so that the swap waits, if it can.
            frame_length: refresh.mul_f64(0.96),
            shown_title: String::new(),
        })
    }

    /// Handles an event of the window, except redraws.
    pub fn handle(&mut self, event: WindowEvent) {
        self.redraw_soon();
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
                    self.quit_game();
                    return;
                }
                // The editor may have to ask about unsaved changes.
                self.leave_game();
                self.host.update(FileAction::Quit);
            }
            WindowEvent::ModifiersChanged(modifiers) => self.held = modifiers.state(),
            // Several files come as one event each; the next frame takes them together.
            WindowEvent::DroppedFile(path) => self.dropped.push(path.clone()),
            // Another program may have written the model meanwhile.
            WindowEvent::Focused(true) => self.host.check_source(),
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

    /// Handles a message of another thread.
    pub fn handle_message(&mut self, message: Message) {
        self.redraw_soon();
        match message {
            Message::Fonts(extra) => {
                self.new_fonts = Some(extra);
                self.font_search.finish();
            }
            Message::Read { files, opened, progress, measures }
                if self.play_wanted.is_some() && !progress.is_cancelled() =>
            {
                self.start_played(files, progress, (opened, measures));
            }
            Message::Preview(read) => self.file_previews.read(*read),
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
            message => {
                let is_given_up = self.play_wanted.is_some() && matches!(message, Message::Read { .. });
                self.host.handle_message(message);
                if is_given_up {
                    self.play_wanted = None;
                    self.host.begin_editing(None);
                }
            }
        }
    }

    fn redraw_soon(&mut self) {
        self.dirty_frames = self.dirty_frames.max(SETTLE_FRAMES);
        self.last_event = Instant::now();
    }

    /// Requests a frame.
    pub fn request_redraw(&self) {
        self.window.window.request_redraw();
    }

    /// Saves what changed since the last frame, before the window closes.
    pub fn close(&mut self) {
        self.save_state();
        self.host.left.extend(self.host.shown_file());
        self.store_left_files();
    }

    /// Whether another program destroyed the window, which then must not be used. Unsaved changes are in the journal.
    pub fn is_destroyed(&self) -> bool {
        self.is_destroyed
    }

    /// Whether the window must close.
    pub fn is_done(&self) -> bool {
        self.host.is_done
    }

    /// When the next frame is due; `None` while nothing changes.
    pub fn next_frame_at(&self) -> Option<Instant> {
        let is_moving = match &self.mode {
            Mode::Editor => self.host.is_moving(),
            // A gamepad makes no events of the window.
            Mode::Game(game) => game.is_moving() || self.gamepads.as_ref().is_some_and(Gamepads::is_connected),
        };
        let needs = Needs {
            last_frame: self.last_frame,
            last_event: self.last_event,
            frame_length: self.frame_length,
            is_moving: self.dirty_frames > 0 || is_moving || !self.input.is_empty() || self.ui.has_queued_input(),
            is_busy: self.host.is_busy(),
            has_caret: self.ui.has_caret(),
            may_show_tooltip: self.ui.may_show_tooltip(),
            text_changes_at: self.host.text_changes_at(),
            retries_at: self.retries_at,
        };
        needs.next_frame()
    }

    /// Draws a frame. If the context was lost, everything in it is made again.
    pub fn draw(&mut self) -> Result<(), String> {
        let begun = Instant::now();
        let drawn = self.draw_frame();
        self.ui.allow_for_slow_frames(begun.elapsed());
        let is_simulated = self.loss_test.is_due();
        if is_simulated || self.window.is_lost() {
            return self.renew_context();
        }
        drawn
    }

    fn draw_frame(&mut self) -> Result<(), String> {
        let now = Instant::now();
        let elapsed = now - self.last_frame;
        self.last_frame = now;
        self.dirty_frames = self.dirty_frames.saturating_sub(1);
        let size = f64::from(self.host.editor.session.workspace.preferences.scale_percent) / 100.0;
        let has_changed = match self.ui.follow_scale(&self.window.window, size) {
            Err(reason) if size != 1.0 => self.give_up_scale(&reason)?,
            followed => followed?,
        };
        if let Some(extra) = self.new_fonts.take() {
            self.ui.add_extra_fonts(extra)?;
            self.redraw_soon();
        }
        if self.retries_at.take_if(|at| *at <= now).is_some() {
            self.host.is_viewport_stale = true;
        }
        if has_changed {
            self.host.is_viewport_stale = true;
            self.redraw_soon();
        }
        self.take_dropped();
        self.store_left_files();
        self.restore_layout_of_file();
        let strokes = self.take_input();
        self.ui.prepare(&self.window.window, elapsed);
        self.reload_changed_shaders();
        match &self.mode {
            Mode::Editor if self.play_wanted.is_some() || self.watched.is_some() => self.draw_waiting(),
            Mode::Editor => self.draw_editor(&strokes, elapsed)?,
            Mode::Game(_) => self.draw_game(elapsed)?,
        }
        self.show_notices_of_renderer();
        let ground = self.theme.ground;
        self.update_theme_and_title();
        self.save_changed_state();
        self.start_requested_game();
        self.window.clear([ground[0], ground[1], ground[2]]);
        self.ui.draw()?;
        self.window.present()
    }

    /// Passes what was dropped on the window to the editor. The game ends.
    fn take_dropped(&mut self) {
        if !self.dropped.is_empty() {
            self.leave_game();
            self.host.update(FileAction::Drop(std::mem::take(&mut self.dropped)));
        }
    }

    /// Falls back to the default size if fonts of the user's size are not available, and reports it.
    fn give_up_scale(&mut self, reason: &str) -> Result<bool, String> {
        let percent = self.host.editor.session.workspace.preferences.scale_percent;
        self.host.update(Prefer::Scale(100));
        let text = format!("A user interface scale of {percent} % is not available ({reason}). It is 100 % now.");
        self.host.update(ProgramAction::Notice(NoticeKind::Error, text));
        self.ui.follow_scale(&self.window.window, 1.0)
    }

    /// Draws the editor: first the panels, then the viewport, which shows their changes.
    fn draw_editor(&mut self, strokes: &[TypedStroke], elapsed: Duration) -> Result<(), String> {
        let AppWindow { host, ui, theme, window, views, thumbnails, images, pixels, painter, input, .. } = self;
        let (font_search, proxy, files) = (&mut self.font_search, &self.proxy, &mut self.file_previews);
        let (viewport, picture, atlas) = (views.each_ref().map(Canvas::id), pixels.picture(), pixels.atlas());
        let shown = PanelImages { viewport, pixels: picture, atlas, thumbnails, images, files };
        let composition = &self.composition;
        let (mut typed, caret) = ui.frame(&window.window, |ui, fonts| {
            let frame = Surface::new(ui, fonts, theme);
            host.ui(&frame, &shown, strokes, elapsed);
            composition.draw(&frame);
            (sys::typed_text(ui), sys::caret(ui))
        });
        ui.follow_caret(&window.window, caret);
        typed.extend(composition.text().chars());
        font_search.look(&host.editor, &typed, proxy);
        files.advance(proxy);
        if pixels.draw_sheet(host, painter, ui)? {
            self.dirty_frames = self.dirty_frames.max(1);
        }
        // Panels and viewport change to another theme in the same frame, which may take long.
        let is_old_theme = host.editor.session.workspace.preferences.shade != theme.shade;
        let is_shown = host.dock.viewport.size.iter().all(|side| *side >= 1.0) && !is_old_theme;
        let is_stale = is_shown && std::mem::take(&mut host.is_viewport_stale);
        if is_stale && host.shows_pixels() {
            pixels.draw_pose(host, painter, ui);
            self.dirty_frames = self.dirty_frames.max(1);
        } else if is_stale && !host.shows_sprites() {
            draw_views(views, host, painter, ui)?;
            host.upload = painter.upload_progress();
            self.retries_at = painter.retry_at();
            if host.upload.is_some() || painter.is_recovering() {
                host.is_viewport_stale = true;
                self.dirty_frames = self.dirty_frames.max(2);
            }
        }
        if images.draw(&mut WindowEasel::new(painter, ui))? {
            self.dirty_frames = self.dirty_frames.max(1);
        }
        if input.is_empty() && files.draw(painter, ui)? {
            self.dirty_frames = self.dirty_frames.max(1);
        }
        // User input has priority: thumbnails are drawn only in frames without input. The frame that follows such a
        // frame shows them and draws the remaining ones.
        let gesture = host.editor.gesture.as_ref();
        // The poses of a reduction are looked at before it is applied.
        let is_at_rest = gesture.is_none_or(|gesture| gesture.poses().is_some_and(|poses| poses.progress().is_none()));
        let is_idle = self.dirty_frames == 0 && is_at_rest && !host.is_moving() && input.is_empty();
        if !is_idle {
            thumbnails.iter_mut().for_each(|of_subject| of_subject.wait(&host.editor));
            return Ok(());
        }
        let mut easel = WindowEasel::new(painter, ui);
        for of_subject in thumbnails {
            if of_subject.draw(&mut easel, &host.editor)? {
                self.dirty_frames = 1;
            }
        }
        Ok(())
    }

    /// Updates theme and window title.
    fn update_theme_and_title(&mut self) {
        let shade = self.host.editor.session.workspace.preferences.shade;
        if shade != self.theme.shade {
            self.theme = Theme::of(shade);
            self.theme.apply(self.ui.context.style_mut());
            self.host.is_viewport_stale = true;
            self.redraw_soon();
        }
        let unsaved = if self.host.editor.is_dirty() { "• " } else { "" };
        let playing = if matches!(self.mode, Mode::Game(_)) { ", playing" } else { "" };
        let read_only = if self.host.editor.locked.is_some() { " (read-only)" } else { "" };
        let title = format!("{unsaved}{}{read_only}{playing} – Keypose", self.host.editor.title);
        if title != self.shown_title {
            self.window.window.set_title(&printable(&title));
            self.shown_title = title;
        }
    }
}

/// Draws the viewport and, where there is one, the view from beside.
fn draw_views(
    [viewport, beside]: &mut [Canvas; 2],
    host: &EditorHost,
    painter: &mut Painter,
    ui: &mut UiHost,
) -> Result<(), String> {
    let pixels = |size: [f32; 2], ui: &UiHost| size.map(|side| (side * ui.scale()).round() as u32);
    let frame = host.viewport_frame();
    painter.draw(viewport, &frame, pixels(host.dock.viewport.size, ui), ui)?;
    let Some(size) = host.dock.viewport.beside else { return Ok(()) };
    painter.draw(beside, &scene::from_beside(&host.editor.session, frame), pixels(size, ui), ui)
}
