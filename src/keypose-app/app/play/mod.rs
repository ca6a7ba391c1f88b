//! The game in the window: converts keys to buttons and time to ticks, and draws the texts at the edges.

pub mod controls;
mod front;
pub mod gamepad;
mod hud;
mod input;
mod levels;
mod menu;
mod presses;
pub mod recording;
mod reload;
pub mod results;
pub mod sound;
mod sounds;
mod status;
pub(crate) mod title;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use keypose::assets::character::Character;
use keypose::assets::clip_event;
use keypose::assets::level::Level;
use keypose::assets::project::Project;
use keypose_editor::editor::session::printed_keys::PrintedKeys;
use keypose_editor::game::input::Buttons;
use keypose_editor::game::play::Play;
use keypose_editor::game::world::World;
use keypose_editor::game::world::units::TICK_SECS;
use keypose_editor::render::frame::Frame;
use keypose_editor::render::frame::camera::Camera;
use keypose_tools::chosen_clips::{self, ChosenClip};
use keypose_tools::unplayed_clip::{UnplayedClip, showing};

use crate::app::follow::receiver::Followed;
use crate::app::play::controls::Controls;
use crate::app::play::hud::Messages;
use crate::app::play::input::PlayInput;
use crate::app::play::menu::draw::Finish;
use crate::app::play::menu::{Menu, Occasion};
use crate::app::play::recording::{InputRecording, ReplayEnd};
use crate::app::play::results::Results;
use crate::app::play::sound::Speaker;
use crate::app::play::sounds::PlaySounds;

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
/// Ticks from the goal until the result is shown.
const GOAL_TICKS: u64 = 105;

/// A request of the player to the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayRequest {
    /// Nothing.
    None,
    /// Return to the editor.
    Leave,
    /// Mute all sounds, or end it.
    Mute,
    /// End the program.
    Quit,
}

/// The layer in front of the game.
#[derive(Debug)]
enum Front {
    /// Nothing: one plays.
    Nothing,
    /// The title. The level moves behind it, but was not started.
    Title,
    /// A menu over the paused game.
    Menu(Menu),
}

/// How a game begins.
#[derive(Debug)]
pub struct Beginning {
    /// The input recording, if any.
    pub recording: InputRecording,
    /// The seed of the random numbers.
    pub seed: u64,
    /// The user's controls.
    pub controls: Controls,
    /// Clips for states of the player.
    pub clips: Vec<ChosenClip>,
    /// The file with the best results; `None` to keep none.
    pub results: Option<PathBuf>,
    /// Whether the program was started to play, not to edit: the game has a title, and can end the program.
    pub is_own_program: bool,
}

/// The state of the window that the texts over the game depend on.
#[derive(Clone, Copy)]
pub struct HudView<'a> {
    /// The camera of the frame.
    pub camera: &'a Camera,
    /// The letters on the user's keys.
    pub printed: &'a PrintedKeys,
    /// Whether sounds are silent.
    pub is_muted: bool,
}

/// A game in the window.
pub struct PlayMode {
    play: Play,
    /// The game before its first tick.
    start: Play,
    /// Whether the level was started; until then the title is its front.
    is_begun: bool,
    front: Front,
    /// The levels of the archive, in the order in which they are played.
    levels: Vec<Arc<Level>>,
    /// The index of the level that is played.
    level: usize,
    /// The results of the levels that were finished one after the other, from the first one on.
    journey: Vec<Results>,
    input: PlayInput,
    /// Time that was not played yet, in seconds: less than a tick.
    pending_secs: f32,
    /// Whether time stands still to be stepped tick by tick.
    is_stopped: bool,
    is_slow: bool,
    shows_volumes: bool,
    /// Whether the help was asked for or hidden. `None` until then.
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
    is_own_program: bool,
    /// The file with the best results, if they are kept.
    results: Option<PathBuf>,
    /// The best results of the level before this game.
    best: Option<Results>,
    /// Whether the result counts.
    counts: bool,
    /// The result, once the goal was reached.
    finish: Option<Finish>,
    /// The state of follow mode; `None` if it is off.
    followed: Option<Followed>,
    /// Whether the editor's pose is that of the player's model.
    is_posed: bool,
    /// The clip that the player shows while standing, because no state plays it.
    unplayed: Option<UnplayedClip>,
    clips: Vec<ChosenClip>,
}

/// The default seed: the same buttons give the same game.
pub const SEED: u64 = 1;

impl PlayMode {
    /// Opens the project's first level. Characters of `before` provide baked clips that the project's models share.
    pub fn new(project: &Project, before: &[Arc<Character>], beginning: Beginning) -> PlayMode {
        let Beginning { recording, seed, controls, clips, results, is_own_program } = beginning;
        let characters = Character::bake_all(&project.models, before);
        let level = project.levels.first();
        let player = level.map_or("", |level| &level.player);
        let play = Play::new(&chosen_clips::apply(&characters, player, &clips), level, seed);
        let is_replay = matches!(recording, InputRecording::Playing(..));
        let has_title = is_own_program && !is_replay;
        let mut game = PlayMode {
            is_begun: !has_title,
            best: results.as_ref().and_then(|file| results::load(file, &play.world().stage.level)),
            results,
            start: play.clone(),
            play,
            front: if has_title { Front::Title } else { Front::Nothing },
            levels: project.levels.clone(),
            level: 0,
            journey: Vec::new(),
            input: PlayInput::new(controls),
            pending_secs: 0.0,
            is_stopped: false,
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
            counts: !is_replay,
            finish: None,
            recording,
            seed,
            is_own_program,
            followed: None,
            is_posed: false,
            unplayed: None,
            clips,
        };
        game.find_problems();
        game
    }

    /// The controls; the menu changes them.
    pub fn controls(&self) -> &Controls {
        &self.input.controls
    }

    /// Shows a clip that no state plays while the player stands, if it is a clip of the player's model.
    pub fn show_clip(&mut self, unplayed: UnplayedClip) {
        let player = self.play.world().cast.player.as_ref();
        let is_players = player.is_some_and(|player| player.playable.character.model.name == unplayed.model);
        self.unplayed = is_players.then_some(unplayed);
        self.restart();
    }

    /// The world after the last tick.
    pub fn world(&self) -> &World {
        self.play.world()
    }

    /// The characters of a level: those of the archive, the player's with the clip that it shows while standing.
    fn cast(&self, level: &Level) -> Vec<Arc<Character>> {
        let of = |character: &Arc<Character>| match &self.unplayed {
            Some(shown) if shown.model == character.model.name => Arc::new(showing(character, &shown.clip)),
            _ => character.clone(),
        };
        let all: Vec<_> = self.characters.iter().map(of).collect();
        chosen_clips::apply(&all, &level.player, &self.clips)
    }

    /// Problems of the archive, one sentence each.
    pub fn findings(&self) -> &[String] {
        &self.findings
    }

    pub(super) fn find_problems(&mut self) {
        let models: Vec<_> = self.characters.iter().map(|character| character.model.clone()).collect();
        let missing = models.iter().flat_map(|model| clip_event::missing(model, &models, self.sounds.all()));
        self.findings = self.play.findings.iter().cloned().chain(missing).collect();
    }

    /// All characters of the archive, baked. The next game reuses them.
    pub fn characters(&self) -> &[Arc<Character>] {
        &self.characters
    }

    /// Whether frames must be drawn continuously.
    pub fn is_moving(&self) -> bool {
        !self.is_paused()
    }

    /// Whether time stands still.
    pub(super) fn is_paused(&self) -> bool {
        self.is_stopped || matches!(&self.front, Front::Menu(menu) if menu.occasion == Occasion::Pause)
    }

    /// Whether the keys are shown: with the title and in the first seconds, or since they were asked for.
    pub(super) fn has_help(&self) -> bool {
        self.shows_help.unwrap_or(self.play.world().tick < HELP_TICKS)
    }

    /// Starts the level behind the title.
    pub(super) fn begin(&mut self) {
        self.play = self.start.clone();
        (self.front, self.is_begun, self.pending_secs) = (Front::Nothing, true, 0.0);
        self.hold_pose();
    }

    pub(super) fn restart(&mut self) {
        let level = self.play.world().stage.level.clone();
        self.recording.restart();
        self.open(&level);
    }

    /// Starts a level.
    pub(super) fn open(&mut self, level: &Arc<Level>) {
        self.play = Play::new(&self.cast(level), Some(level), self.seed);
        self.start = self.play.clone();
        self.find_problems();
        self.findings_since = 0;
        self.best = self.results.as_ref().and_then(|file| results::load(file, level));
        (self.finish, self.is_stopped, self.is_slow, self.is_begun) = (None, false, false, true);
        self.counts = !matches!(self.recording, InputRecording::Playing(..));
        self.hold_pose();
    }

    /// Shows a message for a moment.
    pub fn show(&mut self, text: &str) {
        self.messages.show_quietly(text.to_owned());
    }

    /// Releases all keys, because the window lost the focus.
    pub fn release_all(&mut self) {
        self.input.release_all();
    }

    /// Plays the ticks of the elapsed time, at most five, and their sounds.
    pub fn advance(&mut self, elapsed: Duration, speaker: &mut Speaker) {
        self.sounds.play_music(self.play.world(), speaker);
        speaker.pause(self.is_paused());
        let mut ticks = std::mem::take(&mut self.ticks_to_step);
        if !self.is_paused() {
            self.watch_pace(elapsed);
            let most = TICK_SECS * MAX_TICKS as f32;
            let speed = if self.is_slow { SLOW_MOTION } else { 1.0 };
            self.pending_secs = (self.pending_secs + elapsed.as_secs_f32() * speed).min(most + TICK_SECS * 0.5);
            let due = (self.pending_secs / TICK_SECS).floor();
            self.pending_secs -= due * TICK_SECS;
            ticks += due as u32;
        }
        for _ in 0..ticks {
            match self.front {
                Front::Title => self.play.tick_unnoticed(),
                Front::Nothing | Front::Menu(_) => self.tick(speaker),
            }
        }
    }

    fn tick(&mut self, speaker: &mut Speaker) {
        let held = self.input.next_tick();
        let held = if matches!(self.front, Front::Menu(_)) { Buttons::NONE } else { held };
        if self.recording.restarts() {
            let level = self.play.world().stage.level.clone();
            self.open(&level);
        }
        let held = self.recording.buttons(held);
        self.play.tick(held);
        self.sounds.play_tick(self.play.world(), speaker);
        match self.recording.played(held, self.play.world()) {
            Some(ReplayEnd::Same(ticks)) => {
                self.messages.show(format!("The replay ended: all {ticks} ticks match the recording"))
            }
            Some(ReplayEnd::Diverged(tick)) => self.messages.show_error(format!(
                "The replay ends: from tick {tick} on the game is not the recorded one. It was recorded with another \
                 archive or another version"
            )),
            None => {}
        }
        self.notice_goal();
    }

    /// Keeps the result when the goal is reached, and shows it a moment later.
    fn notice_goal(&mut self) {
        let (tick, Some(ticks)) = (self.play.world().tick, self.play.world().progress.finished) else { return };
        if self.finish.is_none() {
            self.finish = Some(self.finished(ticks));
        }
        if tick >= ticks + GOAL_TICKS && matches!(self.front, Front::Nothing) {
            self.front = Front::Menu(Menu::new(Occasion::Goal));
        }
    }

    /// Returns the result of a level that was finished after this count of ticks, and saves it if it counts.
    fn finished(&mut self, ticks: u64) -> Finish {
        let world = self.play.world();
        let coins = world.progress.collected() as u64;
        let result = Results { ticks, hits: u64::from(world.hits_taken), coins };
        let before = match &self.results {
            Some(file) if self.counts => results::add(file, &world.stage.level, result),
            _ => self.best,
        };
        Finish {
            result,
            coins: world.stage.coins.len() as u64,
            lost: (world.deaths, world.falls),
            before,
            counts: self.counts,
            to_beat: levels::ticks_to_beat(&world.stage),
            total: self.add_to_journey(result),
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
        let alpha = if self.is_paused() { 1.0 } else { self.pending_secs / TICK_SECS };
        if self.shows_volumes { self.play.frame_with_volumes(alpha, aspect) } else { self.play.frame(alpha, aspect) }
    }
}
