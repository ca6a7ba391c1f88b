//! The game in the window: starting, drawing and leaving it.

use std::path::PathBuf;
use std::time::Duration;

use keypose::assets::level::Level;
use keypose_editor::editor::panels::ui::surface::Surface;
use keypose_editor::editor::session::level::LevelAction;
use keypose_editor::editor::session::notice::NoticeKind;
use keypose_editor::editor::session::preferences::Prefer;
use keypose_editor::editor::state::action::{FileAction, ProgramAction};
use keypose_editor::editor::view::measures::Measures;
use keypose_editor::game::reload::{NewData, level_after};
use keypose_tools::chosen_clips;

use crate::app::files::folders;
use crate::app::files::progress::Progress;
use crate::app::files::watch::{Change, WatchedFiles, watch};
use crate::app::files::{Opened, is_built_in};
use crate::app::follow::receiver::{Followed, Receiver};
use crate::app::host::message::Message;
use crate::app::play::gamepad::Gamepads;
use crate::app::play::recording::InputRecording;
use crate::app::play::{Beginning, HudView, PlayMode, PlayRequest, SEED, results, title};
use crate::app::window::desktop::Playing;
use crate::app::window::{AppWindow, FIRST_FRAMES, Mode, StartedGame};

impl AppWindow {
    /// Returns to the editor.
    pub(super) fn leave_game(&mut self) {
        if let Mode::Game(game) = &self.mode {
            let stage = game.world().stage.clone();
            self.mode = Mode::Editor;
            self.host.speaker.stop();
            let watched = self.watched.take();
            let latest = watched.and_then(|StartedGame { files, latest, .. }| Some((files, latest?)));
            self.host.begin_editing(latest);
            self.dirty_frames = FIRST_FRAMES;
            let mut levels = self.host.editor.document.levels.iter();
            let level = levels.position(|level| level.name == stage.level.name);
            if let Some((level, thing)) = level.zip(stage.findings.first) {
                let text = stage.findings.texts[0].clone();
                self.host.update(LevelAction::Blame { level, thing, text });
            }
        }
    }

    /// Mutes all sounds, or ends it. The preferences keep it.
    pub(super) fn mute_or_not(&mut self) {
        let is_muted = !self.host.editor.session.workspace.preferences.is_muted;
        self.host.update(Prefer::Muted(is_muted));
        if let Mode::Game(game) = &mut self.mode {
            game.show(if is_muted { "Sound is off" } else { "Sound is on" });
        }
    }

    /// Plays the files that the program was started with, and reloads them when they change.
    pub(super) fn start_played(
        &mut self,
        files: Vec<PathBuf>,
        progress: Progress,
        (opened, measures): (Result<Box<Opened>, String>, Vec<Measures>),
    ) {
        let playing = self.play_wanted.take().unwrap_or_default();
        let digest = opened.as_ref().ok().map(|opened| opened.digest);
        self.host.handle_message(Message::Read { files: files.clone(), progress, opened, measures });
        match digest {
            Some(digest) if !self.host.editor.document.models.is_empty() => {
                let (proxy, characters) = (self.proxy.clone(), self.host.characters.clone());
                let mut level = level_after(&Level::default(), &self.host.editor.document.levels);
                let is_on_disk = !files.iter().any(|path| is_built_in(path));
                let model_files = self.host.model_files();
                let known = WatchedFiles { files: files.clone(), digest, model_files, characters };
                let clips = playing.clips.clone();
                let chosen = clips.clone();
                let notify = move |change: Change| {
                    let opened = change.opened.as_ref().ok();
                    let next = opened.map(|opened| {
                        let characters = chosen_clips::apply(&opened.characters, &level.player, &chosen);
                        NewData::new(&level, &characters, &opened.project.levels)
                    });
                    if let Some(next) = &next {
                        level = next.stage.level.clone();
                    }
                    // The window may be closed already.
                    let _ = proxy.send_event(Message::Changed { change, next });
                };
                let watch = is_on_disk.then(|| watch(known, notify));
                let receiver = playing.follows.then(|| self.receiver()).flatten();
                let (recording, seed) = recording_of(playing, digest);
                self.watched =
                    Some(StartedGame { files, latest: None, _watch: watch, receiver, recording, seed, clips });
                self.host.update(FileAction::PlayTest);
            }
            // The editor reports the reason.
            _ => self.host.begin_editing(None),
        }
    }

    fn receiver(&self) -> Option<Receiver> {
        let proxy = self.proxy.clone();
        let notify = move || drop(proxy.send_event(Message::Followed));
        Some(Receiver::start(folders::state()?, notify))
    }

    /// Starts a game if the editor requested one. The archive's problems are also added to the editor's log.
    pub(super) fn start_requested_game(&mut self) {
        let Some((document, unplayed)) = self.host.play_test.take() else { return };
        let (recording, seed, clips) = match &mut self.watched {
            Some(watched) => (std::mem::take(&mut watched.recording), watched.seed, watched.clips.clone()),
            None => (InputRecording::None, SEED, Vec::new()),
        };
        let (controls, is_own_program) = (self.controls.clone(), self.watched.is_some());
        let results = results::file();
        let beginning = Beginning { recording, seed, controls, clips, results, is_own_program };
        let mut game = PlayMode::new(document.project(), &self.host.characters, beginning);
        if self.watched.as_ref().is_some_and(|watched| watched.receiver.is_some()) {
            game.follow(Followed::NoEditor);
        }
        self.host.characters = game.characters().to_vec();
        // A game from the command line plays the file, not what the editor has open.
        if let Some(unplayed) = unplayed
            && self.watched.is_none()
        {
            game.show_clip(unplayed);
        }
        for finding in game.findings() {
            self.host.update(ProgramAction::Notice(NoticeKind::Warning, finding.clone()));
        }
        self.host.speaker.stop();
        self.gamepads.get_or_insert_with(Gamepads::open);
        self.mode = Mode::Game(Box::new(game));
        self.redraw_soon();
    }

    /// Does what the player requests.
    pub(super) fn perform(&mut self, request: PlayRequest) {
        match request {
            PlayRequest::None => {}
            PlayRequest::Leave => self.leave_game(),
            PlayRequest::Mute => self.mute_or_not(),
            PlayRequest::Quit => self.quit_game(),
        }
    }

    /// Ends a program that was started to play: nothing was edited.
    pub(super) fn quit_game(&mut self) {
        self.host.close();
        self.host.is_done = true;
    }

    /// Passes what happened to gamepads to the game.
    pub(super) fn take_pads(&mut self) {
        for event in self.gamepads.as_mut().map(Gamepads::poll).unwrap_or_default() {
            let style = self.gamepads.as_ref().map(Gamepads::style).unwrap_or_default();
            let requests = if let Mode::Game(game) = &mut self.mode { game.pad(event, style) } else { Vec::new() };
            requests.into_iter().for_each(|request| self.perform(request));
        }
    }

    /// Draws the ground of the title while the file of a game is read: a player needs no editor.
    pub(super) fn draw_waiting(&mut self) {
        let AppWindow { ui, theme, window, .. } = self;
        ui.frame(&window.window, |ui, fonts| title::draw_waiting(&Surface::new(ui, fonts, theme)));
    }

    pub(super) fn draw_game(&mut self, elapsed: Duration) -> Result<(), String> {
        self.take_pads();
        let AppWindow { mode, host, ui, theme, window, screen, painter, .. } = self;
        let Mode::Game(game) = mode else { return Ok(()) };
        host.speaker.mute(host.editor.session.workspace.preferences.is_muted);
        game.advance(elapsed, &mut host.speaker);
        let size = window.size();
        let (width, height) = (size.width.max(1), size.height.max(1));
        let mut frame = game.frame(width as f32 / height as f32);
        let drawn = game.render_size([width, height]);
        frame.pixels_per_point = ui.scale() * drawn[1] as f32 / height as f32;
        painter.draw(screen, &frame, drawn, ui)?;
        if painter.upload_progress().is_some() {
            self.dirty_frames = self.dirty_frames.max(2);
        }
        let camera = frame.camera;
        let picture = screen.id();
        let preferences = &host.editor.session.workspace.preferences;
        let view = HudView { camera: &camera, printed: &preferences.printed_keys, is_muted: preferences.is_muted };
        let request = ui.frame(&window.window, |ui, fonts| {
            if let Some(picture) = picture {
                let list = ui.get_background_draw_list();
                list.add_image(picture, [0.0; 2], ui.io().display_size).uv_min([0.0, 1.0]).uv_max([1.0, 0.0]).build();
            }
            game.hud(&Surface::new(ui, fonts, theme), &view)
        });
        self.controls.clone_from(game.controls());
        self.perform(request);
        Ok(())
    }
}

/// The input recording of a game whose files have this digest, and its seed.
fn recording_of(playing: Playing, digest: u64) -> (InputRecording, u64) {
    match (playing.replay, playing.record) {
        (Some(replay), _) => {
            let seed = replay.seed;
            (InputRecording::Playing(replay, 0), seed)
        }
        (None, Some(path)) => (InputRecording::record(path, digest, SEED), SEED),
        (None, None) => (InputRecording::None, SEED),
    }
}
