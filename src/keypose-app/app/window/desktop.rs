//! The event loop of the window. Draws nothing while nothing changes.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use winit::application::ApplicationHandler;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop, EventLoopProxy};
use winit::window::WindowId;

use keypose_editor::editor::session::preferences::ModelFiles;
use keypose_editor::game::replay::Replay;
use keypose_tools::chosen_clips::ChosenClip;

use crate::app::files;
use crate::app::host::message::Message;
use crate::app::preferences::{self, SavedState};
use crate::app::window::AppWindow;
use crate::app::window::gl_window::GlWindow;
use crate::app::window::start_marker::{self, StartMark};

/// The mode in which the window opens.
#[derive(Clone, Debug, PartialEq)]
pub enum StartMode {
    /// The editor.
    Edit,
    /// The game, with the editor in the background.
    Play(Playing),
}

/// How the program plays the game that it was started with.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Playing {
    /// Whether the player shows the pose of an editor in follow mode.
    pub follows: bool,
    /// The file in which the input is recorded.
    pub record: Option<PathBuf>,
    /// A recorded game whose input replaces the keyboard until it ends.
    pub replay: Option<Replay>,
    /// Clips for states of the player.
    pub clips: Vec<ChosenClip>,
}

/// The document that the window opens, and the mode.
#[derive(Debug)]
pub struct Start {
    /// The saved state of the last session.
    pub saved: SavedState,
    /// Problems with that state, one sentence each.
    pub notes: Vec<String>,
    /// An archive or a model, then patches. If empty, the start screen is shown.
    pub files: Vec<PathBuf>,
    /// Editor, game or replay.
    pub mode: StartMode,
    /// The files that an imported model may refer to, if the preferences don't allow more.
    pub model_files: ModelFiles,
    /// Loses the GL context after this many frames, for tests.
    pub loses_context_after: Option<u32>,
    /// Stays on the disk if the program crashes before its first frames.
    pub mark: Option<StartMark>,
}

impl Start {
    /// Makes paths absolute, and loads the saved state of the last session, unless the program crashed when it started with it.
    pub fn new(paths: Vec<PathBuf>, mode: StartMode, model_files: ModelFiles) -> Start {
        let (mut loaded, mut mark) = (preferences::Loaded::default(), None);
        if let Some(path) = preferences::file() {
            let beginning = start_marker::begin(&path);
            mark = beginning.mark;
            loaded =
                if beginning.has_crashed { preferences::load_after_crash(&path) } else { preferences::load(&path) };
        }
        let (saved, notes) = loaded;
        // Recent files are opened from other folders, too.
        let absolute = |file: PathBuf| {
            let is_file = !files::is_built_in(&file);
            std::path::absolute(&file).ok().filter(|_| is_file).unwrap_or(file)
        };
        let files = paths.into_iter().map(absolute).collect();
        Start { saved, notes, files, mode, model_files, loses_context_after: None, mark }
    }
}

/// Opens the window and runs until it is closed. The error is one sentence.
pub fn run(start: Start) -> Result<ExitCode, String> {
    #[cfg(windows)]
    crate::app::win32::leave_own_console();
    // Winit would panic about errors that the display reports late. They concern a window that another program
    // destroyed, which `Destroyed` reports.
    #[cfg(target_os = "linux")]
    winit::platform::x11::register_xlib_error_hook(Box::new(|_, _| true));
    let event_loop = EventLoop::<Message>::with_user_event().build().map_err(|error| {
        let text = error.to_string();
        // The first part is the location in the source of the window library.
        let reason = text.rsplit_once(": ").map_or(text.as_str(), |(_, reason)| reason).trim_end_matches(['.', ')']);
        format!("could not open a window ({reason}); start it on a display, or use `keypose render`, which needs none")
    })?;
    let mut desktop = Desktop { start, proxy: event_loop.create_proxy(), window: None, frames: 0, failure: None };
    event_loop.run_app(&mut desktop).map_err(|error| format!("the window failed: {error}"))?;
    match desktop.failure.take() {
        Some(failure) => Err(failure),
        None => Ok(ExitCode::SUCCESS),
    }
}

/// The number of frames after which the program has started; they are drawn without waiting for events. The layout of the
/// panels is used from the first on.
const STARTED: u32 = 3;

/// The application before and after its window opens.
struct Desktop {
    start: Start,
    proxy: EventLoopProxy<Message>,
    window: Option<AppWindow>,
    /// The number of frames that were drawn, up to [`STARTED`].
    frames: u32,
    failure: Option<String>,
}

impl Desktop {
    fn fail(&mut self, event_loop: &ActiveEventLoop, failure: String) {
        self.failure = Some(failure);
        event_loop.exit();
    }

    fn open(&self, event_loop: &ActiveEventLoop) -> Result<AppWindow, String> {
        let size = self.start.saved.window.unwrap_or([1600.0, 960.0]);
        let window = GlWindow::open(event_loop, "Keypose", size, self.start.mark.as_ref())?;
        window.window.set_maximized(self.start.saved.is_maximized);
        AppWindow::new(window, &self.start, self.proxy.clone())
    }
}

impl ApplicationHandler<Message> for Desktop {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.window.is_none() {
            match self.open(event_loop) {
                Ok(window) => self.window = Some(window),
                Err(failure) => self.fail(event_loop, failure),
            }
        }
    }

    fn user_event(&mut self, _: &ActiveEventLoop, message: Message) {
        if let Some(window) = &mut self.window {
            window.handle_message(message);
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(window) = &mut self.window else { return };
        if window.is_destroyed() {
            return;
        }
        if matches!(event, WindowEvent::RedrawRequested) {
            if let Err(failure) = window.draw() {
                return self.fail(event_loop, failure);
            }
            self.frames = (self.frames + 1).min(STARTED);
            if self.frames == STARTED {
                self.start.mark = None;
            }
        } else {
            window.handle(event);
        }
        if window.is_destroyed() {
            let failure = "another program closed the window; unsaved changes are recovered when the file is opened";
            self.fail(event_loop, failure.into());
        } else if window.is_done() {
            event_loop.exit();
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        let Some(window) = self.window.as_mut().filter(|window| !window.is_destroyed()) else { return };
        event_loop.set_control_flow(match window.next_frame_at() {
            _ if self.frames < STARTED => {
                window.request_redraw();
                ControlFlow::Wait
            }
            Some(at) if at <= Instant::now() + Duration::from_micros(500) => {
                window.request_redraw();
                ControlFlow::Wait
            }
            frame => frame.map_or(ControlFlow::Wait, ControlFlow::WaitUntil),
        });
    }

    fn exiting(&mut self, _: &ActiveEventLoop) {
        if let Some(window) = &mut self.window {
            window.close();
        }
        // GL objects must be dropped while their context is current.
        self.window = None;
    }
}
