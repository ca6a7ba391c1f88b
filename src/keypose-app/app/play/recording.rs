//! Records the buttons of a game to a file, or plays them from one.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use keypose_editor::game::input::Buttons;
use keypose_editor::game::replay::Replay;
use keypose_editor::game::world::World;

use crate::app::console;
use crate::app::files::read;
use crate::app::files::save::save_atomically;

/// A recording or a replay.
#[derive(Debug, Default)]
pub enum InputRecording {
    /// Neither: the keyboard controls the game.
    #[default]
    None,
    /// Every tick is recorded.
    Recording(Recorder),
    /// The buttons come from a recording, and the game is compared with it.
    Playing(Replay, usize),
}

/// A recording that is being written: at most a second of it is lost if the program is killed.
#[derive(Debug)]
pub struct Recorder {
    path: PathBuf,
    file: File,
    /// Ticks that were recorded.
    ticks: usize,
    /// Lines that aren't in the file yet.
    pending: String,
    /// Why the file could not be written; nothing is recorded any more.
    fault: Option<String>,
}

/// Ticks after which lines are written.
const TICKS_PER_WRITE: usize = 60;

/// The result of a replay.
#[derive(Debug, PartialEq, Eq)]
pub enum ReplayEnd {
    /// All ticks match the recording. Contains their count.
    Same(usize),
    /// The game differs from the recording from this tick on.
    Diverged(usize),
}

impl InputRecording {
    /// Starts to record a game. A file that can't be written is reported, and the game isn't recorded.
    pub fn record(path: PathBuf, archive_hash: u64, seed: u64) -> InputRecording {
        match Recorder::create(path, archive_hash, seed) {
            Ok(recorder) => InputRecording::Recording(recorder),
            Err(reason) => {
                console::warn(format_args!("keypose: {reason}; the game is not recorded"));
                InputRecording::None
            }
        }
    }

    /// Whether a replay starts the level again before its next tick.
    pub fn restarts(&self) -> bool {
        matches!(self, InputRecording::Playing(replay, at) if replay.restarts_at(*at))
    }

    /// The buttons of the next tick, if `held` are held on the keyboard.
    pub fn buttons(&self, held: Buttons) -> Buttons {
        match self {
            InputRecording::Playing(replay, at) => replay.buttons.get(*at).copied().unwrap_or(held),
            _ => held,
        }
    }

    /// Records or compares a tick that was played with these buttons.
    pub fn played(&mut self, held: Buttons, after: &World) -> Option<ReplayEnd> {
        match self {
            InputRecording::None => None,
            InputRecording::Recording(recorder) => {
                recorder.push(held, after.digest());
                None
            }
            InputRecording::Playing(replay, at) => {
                let tick = *at;
                *at += 1;
                let (count, is_same) = (replay.digests.len(), replay.digests.get(tick) == Some(&after.digest()));
                let end = if !is_same { ReplayEnd::Diverged(tick) } else { ReplayEnd::Same(count) };
                let is_over = !is_same || tick + 1 >= count;
                if is_over {
                    *self = InputRecording::None;
                }
                is_over.then_some(end)
            }
        }
    }

    /// Starts the level again: a recording continues, a replay begins from its start.
    pub fn restart(&mut self) {
        match self {
            InputRecording::Recording(recorder) => recorder.pending.push_str(&Replay::restart_line()),
            InputRecording::Playing(_, at) => *at = 0,
            InputRecording::None => {}
        }
    }

    /// Ends the recording or replay because the game's data changed. Returns a sentence about it.
    pub fn end(&mut self) -> Option<String> {
        let ended = std::mem::take(self);
        match &ended {
            InputRecording::Recording(recorder) => {
                Some(format!("the recording was stopped and written to {}", recorder.path.display()))
            }
            InputRecording::Playing(..) => Some("the replay was stopped".to_owned()),
            InputRecording::None => None,
        }
    }
}

impl Recorder {
    /// Saves a file with the header alone, which keeps older versions, and opens it to append ticks.
    fn create(path: PathBuf, archive_hash: u64, seed: u64) -> Result<Recorder, String> {
        may_replace(&path)?;
        let header = Replay::header(archive_hash, seed);
        save_atomically(&path, header.as_bytes()).map_err(|error| error.to_string())?;
        let file = OpenOptions::new().append(true).open(&path).map_err(|error| fault(&path, &error))?;
        Ok(Recorder { path, file, ticks: 0, pending: String::new(), fault: None })
    }

    fn push(&mut self, held: Buttons, digest: u64) {
        self.pending.push_str(&Replay::line(held, digest));
        self.ticks += 1;
        if self.ticks.is_multiple_of(TICKS_PER_WRITE) {
            self.write();
        }
    }

    fn write(&mut self) {
        let lines = std::mem::take(&mut self.pending);
        if self.fault.is_none() {
            self.fault = self.file.write_all(lines.as_bytes()).err().map(|error| fault(&self.path, &error));
        }
    }
}

fn fault(path: &Path, error: &io::Error) -> String {
    format!("{}: the recording is incomplete: {error}", path.display())
}

impl Drop for Recorder {
    fn drop(&mut self) {
        self.write();
        if self.fault.is_none() {
            self.fault = self.file.sync_all().err().map(|error| fault(&self.path, &error));
        }
        match &self.fault {
            None => console::warn(format_args!("keypose: {}: {} ticks recorded", self.path.display(), self.ticks)),
            Some(reason) => console::warn(format_args!("keypose: {reason}")),
        }
    }
}

/// Fails if there is a file that is not a recording: a typing error must not cost an archive.
pub fn may_replace(path: &Path) -> Result<(), String> {
    match path.symlink_metadata() {
        Ok(about) if about.len() == 0 && about.is_file() => return Ok(()),
        Ok(_) => {}
        // If it can't be written either, saving says why.
        Err(_) => return Ok(()),
    }
    let refused = |_| format!("{}: an existing file that is not a recording is not replaced", path.display());
    open(path).map(drop).map_err(refused)
}

/// Reads a recorded game. Errors contain the file and the line.
pub fn open(path: &Path) -> Result<Replay, String> {
    let because = |reason: String| format!("{}: {reason}", path.display());
    let text = String::from_utf8(read(path)?).map_err(|_| because("not a text file".into()))?;
    Replay::parse(&text).map_err(because)
}

#[cfg(test)]
mod tests {
    use super::*;
    use keypose_editor::game::play::Play;

    fn play(
        recording: &mut InputRecording,
        ticks: usize,
        keyboard: impl Fn(usize) -> Buttons,
    ) -> (Play, Vec<ReplayEnd>) {
        let mut play = Play::new(&[], None, 1);
        let mut ends = Vec::new();
        for tick in 0..ticks {
            let held = recording.buttons(keyboard(tick));
            play.tick(held);
            ends.extend(recording.played(held, play.world()));
        }
        (play, ends)
    }

    #[test]
    fn a_recording_grows_each_second_and_is_replayed_whatever_keys_are_held() {
        let path = std::env::temp_dir().join(format!("keypose-recording-{}.replay", std::process::id()));
        let mut recording = InputRecording::record(path.clone(), 7, 1);
        let buttons = |tick| if tick % 50 < 30 { Buttons::RIGHT } else { Buttons::JUMP };
        play(&mut recording, 130, buttons);
        let killed = open(&path).unwrap();
        assert_eq!((killed.archive_hash, killed.seed, killed.buttons.len()), (7, 1, 120));
        recording.restart();
        let (recorded, ends) = play(&mut recording, 200, buttons);
        assert_eq!(ends, []);
        assert!(recording.end().is_some_and(|text| text.contains("replay")));
        let replay = open(&path).unwrap();
        assert_eq!((replay.buttons.len(), &replay.restarts[..]), (330, &[130][..]));
        assert_eq!(replay.divergence(Play::new(&[], None, 1).world().clone()), None);
        let mut playing = InputRecording::Playing(replay.clone(), 0);
        let (_, ends) = play(&mut playing, 130, |_| Buttons::LEFT);
        assert!(ends.is_empty() && playing.restarts());
        let (again, ends) = play(&mut playing, 200, |_| Buttons::LEFT);
        assert_eq!((again.world().digest(), ends), (recorded.world().digest(), vec![ReplayEnd::Same(330)]));
        let mut other = replay;
        other.buttons[99] = Buttons(other.buttons[99].0 ^ Buttons::LEFT.0);
        let (_, ends) = play(&mut InputRecording::Playing(other, 0), 130, |_| Buttons::NONE);
        assert_eq!(ends, [ReplayEnd::Diverged(99)]);
        std::fs::remove_file(path).unwrap();
    }
}
