//! The window's contents: Dear ImGui, the editor and the game, and when the next frame is due.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use winit::event::{ElementState, KeyEvent, WindowEvent};
use winit::event_loop::EventLoopProxy;
use winit::keyboard::ModifiersState;

use crate::app::desktop::{Playing, Start, StartMode};
use crate::app::files::{DEMO, Opened};
use crate::app::folders;
use crate::app::follow::receiver::{Followed, Receiver};
use crate::app::gl_window::GlWindow;
use crate::app::keys;
use crate::app::pace::Needs;
use crate::app::painter::{Canvas, Painter};
use crate::app::play_mode::{PlayMode, SEED, Wish};
use crate::app::preferences::{self, Keeper, Kept, Layout};
use crate::app::progress::Progress;
use crate::app::studio::Studio;
use crate::app::tape::Tape;
use crate::app::thumbnails::{Subject, Thumbnails};
use crate::app::ui_host::UiHost;
use crate::app::wake::{Reading, Wake};
use crate::app::watch::{Change, Known, Watch, watch};
use crate::assets::level::Level;
use crate::editor::action::Action;
use crate::editor::effect::NoticeKind;
use crate::editor::panels::kit::Kit;
use crate::editor::panels::layout::Panel;
use crate::editor::panels::theme::Theme;
use crate::editor::preferences::Prefer;
use crate::game::reload::{Next, level_after};

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
    tape: Tape,
    seed: u64,
}

/// Everything that lives with the window. GL objects are dropped before their context.
pub struct Shell {
    keeper: Keeper,
    studio: Studio,
    mode: Mode,
    /// The program was started to play, and the file is still being read.
    play_wanted: Option<Playing>,
    /// The files of the game that the program was started with, followed until it is left.
    watched: Option<Watched>,
    proxy: EventLoopProxy<Wake>,
    viewport: Canvas,
    screen: Canvas,
    thumbnails: [Thumbnails; 2],
    painter: Painter,
    ui: UiHost,
    theme: Theme,
    window: GlWindow,
    /// Its size is to be kept.
    is_resized: bool,
    held: ModifiersState,
    dirty_frames: u32,
    last_event: Instant,
    last_frame: Instant,
    frame_length: Duration,
    shown_title: String,
}

fn panel_names() -> Vec<String> {
    Panel::ALL.iter().map(|panel| panel.name().to_owned()).collect()
}

impl Shell {
    /// Sets everything up; the file that the program was started with is being read.
    pub fn new(window: GlWindow, start: &Start, proxy: EventLoopProxy<Wake>) -> Result<Shell, String> {
        let preferences = &start.kept.preferences;
        let theme = Theme::of(preferences.shade);
        let host = |size| UiHost::new(&window.gl, &window.window, &theme, size);
        // Where letters of the user's size can't be had, the first frame says so.
        let mut ui = host(f64::from(preferences.scale_percent) / 100.0).or_else(|_| host(1.0))?;
        if let Some(layout) = start.kept.layout.as_ref().filter(|layout| layout.panels == panel_names()) {
            ui.restore_layout(&layout.ini);
        }
        let studio = Studio::new(start, proxy.clone());
        let monitor = window.window.current_monitor().and_then(|monitor| monitor.refresh_rate_millihertz());
        let millihertz = f64::from(monitor.unwrap_or(60_000).clamp(30_000, 360_000));
        let now = Instant::now();
        Ok(Shell {
            studio,
            keeper: Keeper::new(preferences::file(), start.kept.clone()),
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
            painter: Painter::new(&window)?,
            ui,
            theme,
            window,
            is_resized: false,
            held: ModifiersState::empty(),
            dirty_frames: FIRST_FRAMES,
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
            WindowEvent::Resized(size) => {
                self.window.resize(*size);
                self.is_resized = true;
            }
            WindowEvent::CloseRequested => {
                if self.watched.is_some() {
                    // Nothing was edited.
                    self.studio.close();
                    self.studio.is_done = true;
                    return;
                }
                // The editor may have to ask about changes that are not saved.
                self.leave_game();
                self.studio.update(Action::Quit);
            }
            WindowEvent::ModifiersChanged(modifiers) => self.held = modifiers.state(),
            WindowEvent::DroppedFile(path) => {
                self.leave_game();
                self.studio.update(Action::Open(Some(path.clone())));
            }
            WindowEvent::Focused(false) => {
                if let Mode::Game(game) = &mut self.mode {
                    game.release_all();
                }
            }
            WindowEvent::KeyboardInput { event, .. } if self.key(event) => return,
            _ => {}
        }
        self.ui.handle(&self.window.window, event);
    }

    /// A key went down or up. True where the game took it, so that Dear ImGui does not see it.
    fn key(&mut self, event: &KeyEvent) -> bool {
        match &mut self.mode {
            Mode::Editor => {
                let Some(stroke) = keys::stroke(event, self.held) else { return false };
                self.studio.strike(stroke);
                // Dear ImGui takes one key a frame: commands must not stand in the way of what is typed after them.
                !self.ui.has_caret() && !self.studio.expects_text()
            }
            Mode::Game(game) => {
                if game.key(event) == Wish::Leave {
                    self.leave_game();
                }
                // Keys that went down before the game began are still to go up.
                event.state == ElementState::Pressed
            }
        }
    }

    /// Back to the editor, as it was.
    fn leave_game(&mut self) {
        if matches!(self.mode, Mode::Game(_)) {
            self.mode = Mode::Editor;
            let watched = self.watched.take();
            let latest = watched.and_then(|Watched { files, latest, .. }| Some((files, latest?)));
            self.studio.begin_editing(latest);
            self.dirty_frames = FIRST_FRAMES;
        }
    }

    /// A message of another thread.
    pub fn wake(&mut self, wake: Wake) {
        self.stir();
        match wake {
            Wake::Read { files, opened, progress, .. } if self.play_wanted.is_some() && !progress.is_cancelled() => {
                self.start_played(files, progress, opened);
            }
            Wake::Followed => {
                let followed = self.watched.as_ref().and_then(|watched| watched.receiver.as_ref()?.take());
                if let (Mode::Game(game), Some(followed)) = (&mut self.mode, followed) {
                    game.follow(followed);
                }
            }
            Wake::Changed { change, next } => {
                if let (Mode::Game(game), Some(watched)) = (&mut self.mode, &mut self.watched) {
                    watched.latest = game.reload(change, next.as_ref()).or(watched.latest.take());
                }
            }
            wake => {
                let is_given_up = self.play_wanted.is_some() && matches!(wake, Wake::Read { .. });
                self.studio.wake(wake);
                if is_given_up {
                    self.play_wanted = None;
                    self.studio.begin_editing(None);
                }
            }
        }
    }

    /// The files that the program was started with to play them were read: plays them, and follows them from now on.
    fn start_played(&mut self, files: Vec<PathBuf>, progress: Progress, opened: Result<Box<Opened>, String>) {
        let playing = self.play_wanted.take().unwrap_or_default();
        let digest = opened.as_ref().ok().map(|opened| opened.digest);
        self.studio.wake(Wake::Read { files: files.clone(), reading: Reading::Open, progress, opened });
        match digest {
            Some(digest) if !self.studio.editor.document.models.is_empty() => {
                let (proxy, characters) = (self.proxy.clone(), self.studio.characters.clone());
                let mut level = level_after(&Level::default(), &self.studio.editor.document.levels);
                let is_on_disk = files.iter().all(|path| *path != Path::new(DEMO));
                let known = Known { files: files.clone(), digest, characters };
                let tell = move |change: Change| {
                    let opened = change.opened.as_ref().ok();
                    let next = opened.map(|opened| Next::new(&level, &opened.characters, &opened.project.levels));
                    if let Some(next) = &next {
                        level = next.stage.level.clone();
                    }
                    // The window may be closed by now.
                    let _ = proxy.send_event(Wake::Changed { change, next });
                };
                let watch = is_on_disk.then(|| watch(known, tell));
                let receiver = playing.follows.then(|| self.receiver()).flatten();
                let (tape, seed) = tape_of(playing, digest);
                self.watched = Some(Watched { files, latest: None, _watch: watch, receiver, tape, seed });
                self.studio.update(Action::PlayTest);
            }
            // The editor says why.
            _ => self.studio.begin_editing(None),
        }
    }

    fn receiver(&self) -> Option<Receiver> {
        let proxy = self.proxy.clone();
        let told = move || drop(proxy.send_event(Wake::Followed));
        Some(Receiver::start(folders::state()?, told))
    }

    /// Starts a game where the editor asked for one. What the archive lacks is told in the editor's log, too.
    fn follow_play_test(&mut self) {
        let Some(document) = self.studio.play_test.take() else { return };
        let (tape, seed) = match &mut self.watched {
            Some(watched) => (std::mem::take(&mut watched.tape), watched.seed),
            None => (Tape::None, SEED),
        };
        let mut game = PlayMode::new(document.project(), &self.studio.characters, tape, seed);
        if self.watched.as_ref().is_some_and(|watched| watched.receiver.is_some()) {
            game.follow(Followed::Nobody);
        }
        self.studio.characters = game.characters().to_vec();
        for finding in game.findings() {
            self.studio.update(Action::Notice(NoticeKind::Warning, finding.clone()));
        }
        self.mode = Mode::Game(Box::new(game));
        self.stir();
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

    /// True when the window is to close.
    pub fn is_done(&self) -> bool {
        self.studio.is_done
    }

    /// When the next frame is due; `None` while nothing changes.
    pub fn next_frame_at(&self) -> Option<Instant> {
        let is_moving = match &self.mode {
            Mode::Editor => self.studio.is_moving(),
            Mode::Game(game) => game.is_moving(),
        };
        let needs = Needs {
            last_frame: self.last_frame,
            last_event: self.last_event,
            frame_length: self.frame_length,
            is_moving: self.dirty_frames > 0 || is_moving || self.ui.has_queued_input(),
            is_busy: self.studio.is_busy(),
            has_caret: self.ui.has_caret(),
            may_show_tooltip: self.ui.may_show_tooltip(),
            goes_at: self.studio.news_go_at(),
        };
        needs.next_frame()
    }

    /// Draws a frame.
    pub fn draw(&mut self) -> Result<(), String> {
        let now = Instant::now();
        let elapsed = now - self.last_frame;
        self.last_frame = now;
        self.dirty_frames = self.dirty_frames.saturating_sub(1);
        let size = f64::from(self.studio.editor.session.preferences.scale_percent) / 100.0;
        let has_changed = match self.ui.follow_scale(&self.window.window, size) {
            Err(reason) if size != 1.0 => self.give_up_scale(&reason)?,
            followed => followed?,
        };
        if has_changed {
            self.studio.is_picture_stale = true;
            self.stir();
        }
        self.ui.prepare(&self.window.window, elapsed);
        self.studio.is_picture_stale |= self.painter.follow_shaders();
        match &self.mode {
            Mode::Editor => self.draw_editor(elapsed)?,
            Mode::Game(_) => self.draw_game(elapsed)?,
        }
        self.follow_studio();
        self.keep_preferences();
        self.follow_play_test();
        let ground = self.theme.ground;
        self.window.clear([ground[0], ground[1], ground[2]]);
        self.ui.draw()?;
        self.window.present()
    }

    /// Letters of the user's size can't be had: the usual ones are used instead, and that is said.
    fn give_up_scale(&mut self, reason: &str) -> Result<bool, String> {
        let percent = self.studio.editor.session.preferences.scale_percent;
        self.studio.update(Action::Prefer(Prefer::Scale(100)));
        let text = format!("Text and panels at {percent} % can't be had here ({reason}). They are at 100 % instead.");
        self.studio.update(Action::Notice(NoticeKind::Error, text));
        self.ui.follow_scale(&self.window.window, 1.0)
    }

    /// The panels first: the picture then shows what was done in them.
    fn draw_editor(&mut self, elapsed: Duration) -> Result<(), String> {
        let Shell { studio, ui, theme, window, viewport, thumbnails, painter, .. } = self;
        let picture = viewport.id();
        ui.frame(&window.window, |ui, fonts| studio.ui(&Kit::new(ui, fonts, theme), picture, thumbnails, elapsed));
        let [width, height] = studio.desk.viewport.size.map(|side| (side * ui.scale()).round() as u32);
        if width > 0 && height > 0 && std::mem::take(&mut studio.is_picture_stale) {
            painter.draw(viewport, &studio.picture(), [width, height], ui)?;
        }
        // What the user does comes first: thumbnails are drawn when frames follow each other for nothing else. The next
        // frame, which follows by itself, shows what was drawn and draws what was left.
        let is_calm = self.dirty_frames == 0 && studio.editor.gesture.is_none() && !studio.is_moving();
        if !is_calm {
            thumbnails.iter().for_each(Thumbnails::wait);
            return Ok(());
        }
        for of_subject in thumbnails {
            if of_subject.draw(painter, ui, &studio.editor)? {
                self.dirty_frames = 1;
            }
        }
        Ok(())
    }

    fn draw_game(&mut self, elapsed: Duration) -> Result<(), String> {
        let Shell { mode, ui, theme, window, screen, painter, .. } = self;
        let Mode::Game(game) = mode else { return Ok(()) };
        game.advance(elapsed);
        let size = window.window.inner_size();
        let (width, height) = (size.width.max(1), size.height.max(1));
        let mut frame = game.frame(width as f32 / height as f32);
        let drawn = game.picture_size([width, height]);
        frame.pixels_per_point = ui.scale() * drawn[1] as f32 / height as f32;
        painter.draw(screen, &frame, drawn, ui)?;
        let picture = screen.id();
        ui.frame(&window.window, |ui, fonts| {
            if let Some(picture) = picture {
                let list = ui.get_background_draw_list();
                list.add_image(picture, [0.0; 2], ui.io().display_size).uv_min([0.0, 1.0]).uv_max([1.0, 0.0]).build();
            }
            game.hud(&Kit::new(ui, fonts, theme));
        });
        Ok(())
    }

    /// Hands what the user prefers to the thread that writes it, where it changed.
    fn keep_preferences(&mut self) {
        let session = &self.studio.editor.session;
        let last = self.keeper.last();
        let is_same = last.preferences == session.preferences && last.bindings == session.bindings;
        if !is_same || std::mem::take(&mut self.is_resized) || self.ui.has_new_layout() {
            self.keep_all();
        }
        if let Some(trouble) = self.keeper.trouble() {
            self.studio.update(Action::Notice(NoticeKind::Warning, trouble));
        }
    }

    /// The window's size in points, as it is when it does not fill the screen, and whether it does.
    fn window_size(&self) -> (Option<[f64; 2]>, bool) {
        let window = &self.window.window;
        let size = window.inner_size().to_logical::<f64>(window.scale_factor());
        match window.is_maximized() {
            true => (self.keeper.last().window, true),
            false => (Some([size.width, size.height]), false),
        }
    }

    fn keep_all(&mut self) {
        let (window, is_maximized) = self.window_size();
        let layout = Layout { ini: self.ui.layout(), panels: panel_names() };
        let session = &self.studio.editor.session;
        let (preferences, bindings) = (session.preferences.clone(), session.bindings.clone());
        self.keeper.keep(Kept { preferences, bindings, window, is_maximized, layout: Some(layout) });
    }

    /// The theme and the window's title.
    fn follow_studio(&mut self) {
        let shade = self.studio.editor.session.preferences.shade;
        if shade != self.theme.shade {
            self.theme = Theme::of(shade);
            self.theme.apply(self.ui.context.style_mut());
            self.studio.is_picture_stale = true;
            self.stir();
        }
        let unsaved = if self.studio.editor.is_dirty() { "• " } else { "" };
        let playing = if matches!(self.mode, Mode::Game(_)) { ", playing" } else { "" };
        let read_only = if self.studio.editor.held.is_some() { " (read-only)" } else { "" };
        let title = format!("{unsaved}{}{read_only}{playing} – Keypose", self.studio.editor.title);
        if title != self.shown_title {
            self.window.window.set_title(&title);
            self.shown_title = title;
        }
    }
}

/// The buttons' source for a game on files of that digest, and what chance follows from.
fn tape_of(playing: Playing, digest: u64) -> (Tape, u64) {
    match (playing.replay, playing.record) {
        (Some(replay), _) => {
            let seed = replay.seed;
            (Tape::Playing(replay, 0), seed)
        }
        (None, Some(path)) => (Tape::record(path, digest, SEED), SEED),
        (None, None) => (Tape::None, SEED),
    }
}
