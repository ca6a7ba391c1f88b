//! The gameplay mode in the window: keys become buttons, passed time becomes ticks, and the lines at the edge of the
//! picture. What is played is the game's business; how it is drawn, the renderer's.

use std::sync::Arc;
use std::time::Duration;

use winit::event::{ElementState, KeyEvent};
use winit::keyboard::{KeyCode, PhysicalKey};

use crate::app::files::Opened;
use crate::app::follow::receiver::Followed;
use crate::app::input_recording::{InputRecording, Said};
use crate::app::play_hud::{News, lines};
use crate::app::watch::Change;
use crate::assets::character::Character;
use crate::assets::project::Project;
use crate::assets::sharing::changes;
use crate::editor::panels::ui::canvas::Kit;
use crate::game::input::Buttons;
use crate::game::play::{HELP, Play};
use crate::game::reload::{NewData, reloaded};
use crate::game::units::TICK_SECS;
use crate::render::frame::Frame;

/// After a pause of the program not more ticks than this are caught up with.
const MOST_TICKS: u32 = 5;
/// Of the window's width and height, what is drawn: less where drawing is slow, for a game must move.
const PICTURE_SCALES: [f32; 4] = [1.0, 0.75, 0.55, 0.4];
/// Frames that take longer than this, in seconds, are slow.
const SLOW_SECS: f32 = 0.036;
/// After this many slow frames, less is drawn; a very slow one counts for several.
const MOST_SLOW_FRAMES: u32 = 6;
/// How long what is missing is told, in ticks.
const TOLD_TICKS: u64 = 60 * 12;

/// What a key asked for beside the player's buttons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayRequest {
    /// Nothing.
    None,
    /// Back to the editor.
    Leave,
}

/// A game in the window.
pub struct PlayMode {
    play: Play,
    /// Keys that are down.
    held: Vec<KeyCode>,
    /// Buttons that went down since the last tick, even where they are up again.
    tapped: Buttons,
    /// Seconds that passed and were not played yet, less than a tick.
    pending_secs: f32,
    is_paused: bool,
    ticks_to_step: u32,
    slow_frames: u32,
    picture_scale: usize,
    characters: Vec<Arc<Character>>,
    news: News,
    /// The tick since which what is missing is told.
    told_since: u64,
    /// Where buttons come from and go to.
    tape: InputRecording,
    seed: u64,
    /// The editor whose pose is shown; `None` while none is looked for.
    followed: Option<Followed>,
    /// The editor's pose is that of the player's model.
    is_posed: bool,
}

/// The program starts games with this seed: the same buttons, the same game.
pub const SEED: u64 = 1;

impl PlayMode {
    /// Starts on the project's first level. `before` are characters that share baked clips with the project's models;
    /// chance follows from `seed`.
    pub fn new(project: &Project, before: &[Arc<Character>], tape: InputRecording, seed: u64) -> PlayMode {
        let characters = Character::bake_all(&project.models, before);
        let play = Play::new(&characters, project.levels.first(), seed);
        PlayMode {
            play,
            held: Vec::new(),
            tapped: Buttons::NONE,
            pending_secs: 0.0,
            is_paused: false,
            ticks_to_step: 0,
            slow_frames: 0,
            picture_scale: 0,
            characters,
            news: News::default(),
            told_since: 0,
            tape,
            seed,
            followed: None,
            is_posed: false,
        }
    }

    /// What the archive lacks, one sentence each.
    pub fn findings(&self) -> &[String] {
        &self.play.findings
    }

    /// Everyone in the archive, baked; the next game shares them.
    pub fn characters(&self) -> &[Arc<Character>] {
        &self.characters
    }

    /// True while pictures follow each other by themselves.
    pub fn is_moving(&self) -> bool {
        !self.is_paused
    }

    /// A key went down or up.
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
            _ => {}
        }
        PlayRequest::None
    }

    fn restart(&mut self) {
        let level = self.play.world().stage.level.clone();
        self.play = Play::new(&self.characters, Some(&level), self.seed);
        self.told_since = 0;
        self.tape.restart();
        self.hold_pose();
    }

    /// What is followed now: its pose is shown by the player.
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

    /// What there is to say about whom the player follows.
    fn following(&self) -> Option<String> {
        Some(match self.followed.as_ref()? {
            Followed::NoEditor => {
                "Looking for an editor that shows its pose (Game menu, Show this pose in a running game)".to_owned()
            }
            Followed::Error(reason) => format!("Following is not possible: {reason}"),
            Followed::Waiting => "Following the editor".to_owned(),
            Followed::Pose(pose) if !self.is_posed => {
                format!("The editor shows {}, which is not the player here", pose.model)
            }
            Followed::Pose(pose) if pose.clip.is_empty() => "Following the editor: rest pose".to_owned(),
            Followed::Pose(pose) => {
                format!("Following the editor: {} at {:.2} s", pose.clip, pose.time.secs())
            }
        })
    }

    /// The files changed: the game goes on with what they hold now, or with what it has where that can't be read. `next` was made from it. To be
    /// called between ticks. Returns what the game plays now; `None` where nothing changed.
    pub fn reload(&mut self, change: Change, next: Option<&NewData>) -> Option<Box<Opened>> {
        let age = change.written.and_then(|written| written.elapsed().ok());
        let (opened, next) = match (change.opened, next) {
            (Ok(opened), Some(next)) => (opened, next),
            (Ok(_), None) => return None,
            (Err(reason), _) => {
                self.news.warn(format!("{reason}. The game goes on with what it had"));
                return None;
            }
        };
        let mut what = changes(&opened.characters, &self.characters);
        let before = self.play.world().stage.clone();
        self.play = reloaded(&self.play, next);
        self.characters.clone_from(&opened.characters);
        self.told_since = self.play.world().tick;
        if !Arc::ptr_eq(&before, &self.play.world().stage) {
            what.push("the level".into());
        }
        let ended = self.tape.end().map(|ended| format!("; {ended}")).unwrap_or_default();
        self.news.tell(sentence(&what, age) + &ended);
        self.hold_pose();
        Some(opened)
    }

    /// The window lost the keyboard: no key is down any more.
    pub fn release_all(&mut self) {
        self.held.clear();
        self.tapped = Buttons::NONE;
    }

    /// Plays the ticks of the time that passed, at most five.
    pub fn advance(&mut self, elapsed: Duration) {
        let mut ticks = std::mem::take(&mut self.ticks_to_step);
        if !self.is_paused {
            self.watch_pace(elapsed);
            let most = TICK_SECS * MOST_TICKS as f32;
            self.pending_secs = (self.pending_secs + elapsed.as_secs_f32()).min(most + TICK_SECS * 0.5);
            let due = (self.pending_secs / TICK_SECS).floor();
            self.pending_secs -= due * TICK_SECS;
            ticks += due as u32;
        }
        for _ in 0..ticks {
            let held = self.held.iter().fold(self.tapped, |all, &code| all | button(code));
            self.tapped = Buttons::NONE;
            let held = self.tape.buttons(held);
            self.play.tick(held);
            match self.tape.played(held, self.play.world()) {
                Some(Said::Same(ticks)) => self.news.tell(format!("The replay is over: {ticks} ticks, each as recorded")),
                Some(Said::Parted(tick)) => self.news.warn(format!(
                    "The replay ends: from tick {tick} on the game is not the recorded one. It was recorded with another \
                     archive or another version"
                )),
                None => {}
            }
        }
    }

    /// Draws less where frames are slow, and never more again: a picture that changes its grain is worse.
    fn watch_pace(&mut self, elapsed: Duration) {
        let secs = elapsed.as_secs_f32();
        // A single long one is a window that was hidden, or a level that was loaded: it alone is not enough.
        let counts = ((secs / SLOW_SECS) as u32).min(MOST_SLOW_FRAMES / 2);
        self.slow_frames =
            if secs > SLOW_SECS { self.slow_frames + counts } else { self.slow_frames.saturating_sub(1) };
        if self.slow_frames > MOST_SLOW_FRAMES {
            self.slow_frames = 0;
            self.picture_scale = (self.picture_scale + 1).min(PICTURE_SCALES.len() - 1);
        }
    }

    /// The pixels to draw for a window of that many: all, or fewer where drawing is slow.
    pub fn render_size(&self, window: [u32; 2]) -> [u32; 2] {
        window.map(|side| ((side as f32 * PICTURE_SCALES[self.picture_scale]).round() as u32).max(1))
    }

    /// The picture, for a target of that width over height.
    pub fn frame(&self, aspect: f32) -> Frame {
        let alpha = if self.is_paused { 1.0 } else { self.pending_secs / TICK_SECS };
        self.play.frame(alpha, aspect)
    }

    /// The keys at the lower edge, what is missing at the upper one, and figures while it is paused.
    pub fn hud(&self, kit: &Kit<'_>) {
        let [width, height] = kit.io().display_size;
        let keys = HELP.iter().map(|(keys, action)| format!("{keys}  {action}")).collect::<Vec<_>>().join("     ");
        lines(kit, "##keys", [width * 0.5, height - 14.0], [0.5, 1.0], &[&keys]);
        self.news.ui(kit);
        if let Some(following) = self.following() {
            lines(kit, "##following", [width * 0.5, height - 52.0], [0.5, 1.0], &[following]);
        }
        if self.is_paused {
            lines(kit, "##paused", [width * 0.5, 14.0], [0.5, 0.0], &["Paused".to_owned(), self.play.status()]);
        } else if self.play.world().tick < self.told_since + TOLD_TICKS && !self.findings().is_empty() {
            let told = &self.findings()[..self.findings().len().min(6)];
            lines(kit, "##missing", [14.0, 14.0], [0.0, 0.0], told);
        }
    }
}

/// "Reloaded (knight: walk, knight: run, the level and 3 more), 0.14 s after it was saved".
fn sentence(what: &[String], age: Option<Duration>) -> String {
    const MOST: usize = 3;
    let named = what[..what.len().min(MOST)].join(", ");
    let what = match what.len().saturating_sub(MOST) {
        _ if what.is_empty() => "what is played stays the same".to_owned(),
        0 => named,
        more => format!("{named} and {more} more"),
    };
    // A file can be put in its place with an old time.
    match age.filter(|age| *age < Duration::from_secs(10)) {
        Some(age) => format!("Reloaded ({what}), {:.2} s after it was saved", age.as_secs_f32()),
        None => format!("Reloaded ({what})"),
    }
}

/// The button of a key, by its place on the keyboard; none for the others.
fn button(code: KeyCode) -> Buttons {
    match code {
        KeyCode::ArrowLeft | KeyCode::KeyA => Buttons::LEFT,
        KeyCode::ArrowRight | KeyCode::KeyD => Buttons::RIGHT,
        KeyCode::ArrowUp | KeyCode::KeyW => Buttons::UP,
        KeyCode::ArrowDown | KeyCode::KeyS => Buttons::DOWN,
        KeyCode::Space | KeyCode::KeyZ | KeyCode::KeyK => Buttons::JUMP,
        KeyCode::KeyX | KeyCode::KeyJ | KeyCode::ControlLeft => Buttons::ATTACK,
        KeyCode::ShiftLeft | KeyCode::ShiftRight => Buttons::RUN,
        _ => Buttons::NONE,
    }
}
