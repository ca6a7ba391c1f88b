//! The game in the window: converts keys to buttons and time to ticks, and draws the texts at the edges.

use std::sync::Arc;
use std::time::Duration;

use winit::event::{ElementState, KeyEvent};
use winit::keyboard::{KeyCode, PhysicalKey};

use crate::app::files::Opened;
use crate::app::follow::receiver::Followed;
use crate::app::input_recording::{InputRecording, ReplayEnd};
use crate::app::play_hud::{Messages, Plate, WHITE};
use crate::app::play_sounds::PlaySounds;
use crate::app::play_status;
use crate::app::sound::Speaker;
use crate::app::watch::Change;
use crate::assets::character::Character;
use crate::assets::clip_event::{self, Named};
use crate::assets::project::Project;
use crate::assets::sharing::changes;
use crate::assets::unplayed_clip::{UnplayedClip, showing};
use crate::editor::panels::ui::frame::UiFrame;
use crate::editor::session::command::Command;
use crate::game::input::Buttons;
use crate::game::play::{HELP, Play};
use crate::game::reload::{NewData, reloaded};
use crate::game::units::TICK_SECS;
use crate::game::volumes_view;
use crate::render::frame::Frame;
use crate::render::frame::camera::Camera;

/// Maximum ticks per frame: after a pause of the program the others are skipped.
const MAX_TICKS: u32 = 5;
/// Fractions of the window's width and height that are rendered: less if rendering is slow.
const RENDER_SCALES: [f32; 4] = [1.0, 0.75, 0.55, 0.4];
/// A frame that takes longer than this, in seconds, is slow.
const SLOW_SECS: f32 = 0.036;
/// After this many slow frames the resolution is reduced. A very slow frame counts more than once.
const MAX_SLOW_FRAMES: u32 = 6;
/// How long the keys are shown at the start, in ticks.
const HELP_TICKS: u64 = 60 * 9;
/// The fraction of the speed in slow motion.
const SLOW_MOTION: f32 = 0.2;
/// How long problems of the archive are shown, in ticks.
const FINDINGS_TICKS: u64 = 60 * 12;

/// What a key requests, other than the player's buttons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayRequest {
    /// Nothing.
    None,
    /// Return to the editor.
    Leave,
    /// Mute all sounds, or end it.
    Mute,
}

/// A game in the window.
pub struct PlayMode {
    play: Play,
    /// The held keys.
    held: Vec<KeyCode>,
    /// Buttons pressed since the last tick, even if they are released again.
    tapped: Buttons,
    /// Time that was not played yet, in seconds: less than a tick.
    pending_secs: f32,
    is_paused: bool,
    is_slow: bool,
    shows_volumes: bool,
    /// Whether F1 was pressed: shows or hides the keys. `None` until then.
    shows_help: Option<bool>,
    ticks_to_step: u32,
    slow_frames: u32,
    picture_scale: usize,
    characters: Vec<Arc<Character>>,
    sounds: PlaySounds,
    messages: Messages,
    /// Problems of the archive, one sentence each.
    findings: Vec<String>,
    /// The tick since which problems of the archive are shown.
    findings_since: u64,
    /// The input recording, if any.
    recording: InputRecording,
    seed: u64,
    /// The state of follow mode; `None` if it is off.
    followed: Option<Followed>,
    /// Whether the editor's pose is that of the player's model.
    is_posed: bool,
    /// The clip that the player shows while standing, because no state plays it.
    unplayed: Option<UnplayedClip>,
}

/// The default seed: the same buttons give the same game.
pub const SEED: u64 = 1;

impl PlayMode {
    /// Starts the project's first level. Characters of `before` provide baked clips that the project's models share.
    pub fn new(project: &Project, before: &[Arc<Character>], recording: InputRecording, seed: u64) -> PlayMode {
        let characters = Character::bake_all(&project.models, before);
        let play = Play::new(&characters, project.levels.first(), seed);
        let mut game = PlayMode {
            play,
            held: Vec::new(),
            tapped: Buttons::NONE,
            pending_secs: 0.0,
            is_paused: false,
            is_slow: false,
            shows_volumes: false,
            shows_help: None,
            ticks_to_step: 0,
            slow_frames: 0,
            picture_scale: 0,
            characters,
            sounds: PlaySounds::new(project.sounds.clone()),
            messages: Messages::default(),
            findings: Vec::new(),
            findings_since: 0,
            recording,
            seed,
            followed: None,
            is_posed: false,
            unplayed: None,
        };
        game.find_problems();
        game
    }

    /// Shows a clip that no state plays while the player stands, if it is a clip of the player's model.
    pub fn show_clip(&mut self, unplayed: UnplayedClip) {
        let player = self.play.world().cast.player.as_ref();
        let is_players = player.is_some_and(|player| player.playable.character.model.name == unplayed.model);
        self.unplayed = Some(unplayed).filter(|_| is_players);
        self.restart();
    }

    /// The characters of the game: those of the archive, the player's with the clip that it shows while standing.
    fn cast(&self) -> Vec<Arc<Character>> {
        let of = |character: &Arc<Character>| match &self.unplayed {
            Some(shown) if shown.model == character.model.name => Arc::new(showing(character, &shown.clip)),
            _ => character.clone(),
        };
        self.characters.iter().map(of).collect()
    }

    /// Problems of the archive, one sentence each.
    pub fn findings(&self) -> &[String] {
        &self.findings
    }

    fn find_problems(&mut self) {
        let models: Vec<_> = self.characters.iter().map(|character| character.model.clone()).collect();
        let project = Named { models: &models, sounds: self.sounds.all() };
        let missing = models.iter().flat_map(|model| clip_event::missing(model, &project));
        self.findings = self.play.findings.iter().cloned().chain(missing).collect();
    }

    /// All characters of the archive, baked. The next game reuses them.
    pub fn characters(&self) -> &[Arc<Character>] {
        &self.characters
    }

    /// Whether frames must be drawn continuously.
    pub fn is_moving(&self) -> bool {
        !self.is_paused
    }

    /// Handles a key press or release.
    pub fn key(&mut self, event: &KeyEvent) -> PlayRequest {
        let PhysicalKey::Code(code) = event.physical_key else { return PlayRequest::None };
        self.held.retain(|held| *held != code);
        if event.state == ElementState::Released {
            return PlayRequest::None;
        }
        self.held.push(code);
        if event.repeat && code != KeyCode::Period {
            return PlayRequest::None;
        }
        self.tapped = self.tapped | button(code);
        match code {
            KeyCode::F5 | KeyCode::Escape => return PlayRequest::Leave,
            KeyCode::Enter | KeyCode::KeyP => self.is_paused = !self.is_paused,
            KeyCode::Period => {
                self.is_paused = true;
                self.ticks_to_step += 1;
            }
            KeyCode::KeyR => self.restart(),
            KeyCode::KeyV => self.shows_volumes = !self.shows_volumes,
            KeyCode::KeyM => return PlayRequest::Mute,
            KeyCode::Comma => self.is_slow = !self.is_slow,
            KeyCode::F1 => self.shows_help = Some(!self.has_help()),
            _ => {}
        }
        PlayRequest::None
    }

    /// Whether the keys are shown: in the first seconds, or since F1.
    fn has_help(&self) -> bool {
        self.shows_help.unwrap_or(self.play.world().tick < HELP_TICKS)
    }

    fn restart(&mut self) {
        let level = self.play.world().stage.level.clone();
        self.play = Play::new(&self.cast(), Some(&level), self.seed);
        self.find_problems();
        self.findings_since = 0;
        self.recording.restart();
        self.hold_pose();
    }

    /// Updates the state of follow mode.
    pub fn follow(&mut self, followed: Followed) {
        self.followed = Some(followed);
        self.hold_pose();
    }

    fn hold_pose(&mut self) {
        let pose = match &self.followed {
            Some(Followed::Pose(pose)) => Some(pose.clone()),
            _ => None,
        };
        self.is_posed = self.play.hold_pose(pose.as_deref());
    }

    /// A line about the state of follow mode.
    fn following(&self) -> Option<String> {
        Some(match self.followed.as_ref()? {
            Followed::NoEditor => {
                format!("Waiting for an editor in follow mode (Game menu, {})", Command::ToggleFollow.label())
            }
            Followed::Error(reason) => format!("Can't follow the editor: {reason}"),
            Followed::Waiting => "Following the editor".to_owned(),
            Followed::Pose(pose) if !self.is_posed => {
                format!("The editor shows {}, which is not the player of this game", pose.model)
            }
            Followed::Pose(pose) if pose.clip.is_empty() => "Following the editor: rest pose".to_owned(),
            Followed::Pose(pose) => {
                format!("Following the editor: {} at {:.2} s", pose.clip, pose.time.secs())
            }
        })
    }

    /// A line about the clip that no state plays.
    fn showing(&self) -> Option<String> {
        let clip = &self.unplayed.as_ref()?.clip;
        Some(format!("Showing \"{clip}\" while standing: no state plays it. Move to play the game"))
    }

    /// Reloads changed files between two ticks. If they can't be read, the game keeps its data. `next` was prepared
    /// from the change. Returns what the game plays now, or `None` if nothing changed.
    pub fn reload(&mut self, change: Change, next: Option<&NewData>) -> Option<Box<Opened>> {
        let age = change.written.and_then(|written| written.elapsed().ok());
        let (opened, next) = match (change.opened, next) {
            (Ok(opened), Some(next)) => (opened, next),
            (Ok(_), None) => return None,
            (Err(reason), _) => {
                self.messages.show_error(format!("{reason}. The game keeps its previous data"));
                return None;
            }
        };
        let mut what = changes(&opened.characters, &self.characters);
        let before = self.play.world().stage.clone();
        self.play = reloaded(&self.play, next);
        self.characters.clone_from(&opened.characters);
        self.sounds.replace(&opened.project.sounds);
        self.find_problems();
        self.findings_since = self.play.world().tick;
        if !Arc::ptr_eq(&before, &self.play.world().stage) {
            what.push("the level".into());
        }
        let ended = self.recording.end().map(|ended| format!("; {ended}")).unwrap_or_default();
        self.messages.show(sentence(&what, age) + &ended);
        self.hold_pose();
        Some(opened)
    }

    /// Shows a message for a moment.
    pub fn show(&mut self, text: &str) {
        self.messages.show_quietly(text.to_owned());
    }

    /// Releases all keys, because the window lost the focus.
    pub fn release_all(&mut self) {
        self.held.clear();
        self.tapped = Buttons::NONE;
    }

    /// Plays the ticks of the elapsed time, at most five, and their sounds.
    pub fn advance(&mut self, elapsed: Duration, speaker: &mut Speaker) {
        self.sounds.play_music(speaker);
        speaker.pause(self.is_paused);
        let mut ticks = std::mem::take(&mut self.ticks_to_step);
        if !self.is_paused {
            self.watch_pace(elapsed);
            let most = TICK_SECS * MAX_TICKS as f32;
            let speed = if self.is_slow { SLOW_MOTION } else { 1.0 };
            self.pending_secs = (self.pending_secs + elapsed.as_secs_f32() * speed).min(most + TICK_SECS * 0.5);
            let due = (self.pending_secs / TICK_SECS).floor();
            self.pending_secs -= due * TICK_SECS;
            ticks += due as u32;
        }
        for _ in 0..ticks {
            let held = self.held.iter().fold(self.tapped, |all, &code| all | button(code));
            self.tapped = Buttons::NONE;
            let held = self.recording.buttons(held);
            self.play.tick(held);
            self.sounds.play_tick(self.play.world(), speaker);
            match self.recording.played(held, self.play.world()) {
                Some(ReplayEnd::Same(ticks)) => self.messages.show(format!("The replay ended: all {ticks} ticks match the recording")),
                Some(ReplayEnd::Diverged(tick)) => self.messages.show_error(format!(
                    "The replay ends: from tick {tick} on the game is not the recorded one. It was recorded with another \
                     archive or another version"
                )),
                None => {}
            }
        }
    }

    /// Reduces the resolution if frames are slow. It is never increased again, because visible changes of resolution
    /// disturb more.
    fn watch_pace(&mut self, elapsed: Duration) {
        let secs = elapsed.as_secs_f32();
        // One long frame may be a hidden window or a loaded level, and does not suffice.
        let counts = ((secs / SLOW_SECS) as u32).min(MAX_SLOW_FRAMES / 2);
        self.slow_frames =
            if secs > SLOW_SECS { self.slow_frames + counts } else { self.slow_frames.saturating_sub(1) };
        if self.slow_frames > MAX_SLOW_FRAMES {
            self.slow_frames = 0;
            self.picture_scale = (self.picture_scale + 1).min(RENDER_SCALES.len() - 1);
        }
    }

    /// The size at which to render for a window of this size in pixels.
    pub fn render_size(&self, window: [u32; 2]) -> [u32; 2] {
        window.map(|side| ((side as f32 * RENDER_SCALES[self.picture_scale]).round() as u32).max(1))
    }

    /// The frame to draw, at an aspect ratio (width over height).
    pub fn frame(&self, aspect: f32) -> Frame {
        let alpha = if self.is_paused { 1.0 } else { self.pending_secs / TICK_SECS };
        let mut frame = self.play.frame(alpha, aspect);
        if self.shows_volumes {
            volumes_view::draw(self.play.world(), &mut frame);
        }
        frame
    }

    /// Draws health and numbers, at first the keys at the lower edge, problems at the upper one, and values while paused. The
    /// camera is that of the frame.
    pub fn hud(&self, frame: &UiFrame<'_>, camera: &Camera) {
        let [width, height] = frame.io().display_size;
        let plate = |place, pivot| Plate { place, pivot, color: WHITE };
        play_status::draw(frame, self.play.world(), camera);
        if self.has_help() || self.is_paused {
            let half = HELP.len().div_ceil(2);
            let line = |keys: &[(&str, &str)]| {
                keys.iter().map(|(keys, action)| format!("{keys} {action}")).collect::<Vec<_>>().join("     ")
            };
            let lines = [line(&HELP[..half]), line(&HELP[half..])];
            plate([width * 0.5, height - 14.0], [0.5, 1.0]).draw(frame, "##keys", &lines);
        }
        self.messages.ui(frame);
        if let Some(line) = self.following().or_else(|| self.showing()) {
            plate([width * 0.5, height - 52.0], [0.5, 1.0]).draw(frame, "##following", &[line]);
        }
        if self.is_paused {
            plate([width * 0.5, 14.0], [0.5, 0.0]).draw(frame, "##paused", &["Paused".to_owned(), self.play.status()]);
        } else if self.play.world().tick < self.findings_since + FINDINGS_TICKS && !self.findings.is_empty() {
            let shown = &self.findings[..self.findings.len().min(6)];
            plate([14.0, 56.0], [0.0, 0.0]).draw(frame, "##missing", shown);
        }
    }
}

/// "Reloaded (knight: walk, knight: run, the level and 3 more), 0.14 s after saving".
fn sentence(what: &[String], age: Option<Duration>) -> String {
    const MAX: usize = 3;
    let named = what[..what.len().min(MAX)].join(", ");
    let what = match what.len().saturating_sub(MAX) {
        _ if what.is_empty() => "no visible changes".to_owned(),
        0 => named,
        more => format!("{named} and {more} more"),
    };
    // A file with an old time stamp may have been moved here.
    match age.filter(|age| *age < Duration::from_secs(10)) {
        Some(age) => format!("Reloaded ({what}), {:.2} s after saving", age.as_secs_f32()),
        None => format!("Reloaded ({what})"),
    }
}

/// The button of a key, by its position on the keyboard, or none.
fn button(code: KeyCode) -> Buttons {
    match code {
        KeyCode::ArrowLeft | KeyCode::KeyA => Buttons::LEFT,
        KeyCode::ArrowRight | KeyCode::KeyD => Buttons::RIGHT,
        KeyCode::ArrowUp | KeyCode::KeyW => Buttons::UP,
        KeyCode::ArrowDown | KeyCode::KeyS => Buttons::DOWN,
        KeyCode::Space | KeyCode::KeyZ | KeyCode::KeyK => Buttons::JUMP,
        KeyCode::KeyX | KeyCode::KeyJ | KeyCode::ControlLeft => Buttons::ATTACK,
        KeyCode::KeyL | KeyCode::KeyC => Buttons::ROLL,
        KeyCode::ShiftLeft | KeyCode::ShiftRight => Buttons::RUN,
        _ => Buttons::NONE,
    }
}
