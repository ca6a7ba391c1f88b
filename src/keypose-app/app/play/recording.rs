//! Records the buttons of a game to a file, or plays them from one.

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
    /// Every tick is recorded. The file is written when this is dropped.
    Recording(PathBuf, Replay),
    /// The buttons come from a recording, and the game is compared with it.
    Playing(Replay, usize),
}

/// The result of a replay.
#[derive(Debug, PartialEq, Eq)]
pub enum ReplayEnd {
    /// All ticks match the recording. Contains their count.
    Same(usize),
    /// The game differs from the recording from this tick on.
    Diverged(usize),
}

impl InputRecording {
    /// Starts to record a game.
    pub fn record(path: PathBuf, archive_hash: u64, seed: u64) -> InputRecording {
        InputRecording::Recording(path, Replay { archive_hash, seed, ..Replay::default() })
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
            InputRecording::Recording(_, replay) => {
                replay.push(held, after);
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

    /// Restarts with the game.
    pub fn restart(&mut self) {
        match self {
            InputRecording::Recording(_, replay) => {
                replay.buttons.clear();
                replay.digests.clear();
            }
            InputRecording::Playing(_, at) => *at = 0,
            InputRecording::None => {}
        }
    }

    /// Ends the recording or replay because the game's data changed, and writes the file. Returns a sentence about it.
    pub fn end(&mut self) -> Option<String> {
        let ended = std::mem::take(self);
        match &ended {
            InputRecording::Recording(path, _) => {
                Some(format!("the recording was stopped and written to {}", path.display()))
            }
            InputRecording::Playing(..) => Some("the replay was stopped".to_owned()),
            InputRecording::None => None,
        }
    }
}

impl Drop for InputRecording {
    fn drop(&mut self) {
        if let InputRecording::Recording(path, replay) = self {
            let ticks = replay.buttons.len();
            let saved = may_replace(path)
                .and_then(|()| save_atomically(path, replay.to_text().as_bytes()).map_err(|error| error.to_string()));
            match saved {
                Ok(()) => console::warn(format_args!("keypose: {}: {ticks} ticks recorded", path.display())),
                Err(error) => console::warn(format_args!("keypose: {error}")),
            }
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
    fn a_recording_is_written_at_the_end_and_replayed_whatever_keys_are_held() {
        let path = std::env::temp_dir().join(format!("keypose-recording-{}.replay", std::process::id()));
        let mut recording = InputRecording::record(path.clone(), 7, 1);
        let (recorded, ends) =
            play(&mut recording, 200, |tick| if tick % 50 < 30 { Buttons::RIGHT } else { Buttons::JUMP });
        assert_eq!(ends, []);
        assert!(recording.end().is_some_and(|text| text.contains("replay")));
        let replay = open(&path).unwrap();
        assert_eq!((replay.archive_hash, replay.seed, replay.buttons.len()), (7, 1, 200));
        let (again, ends) = play(&mut InputRecording::Playing(replay.clone(), 0), 200, |_| Buttons::LEFT);
        assert_eq!((again.world().digest(), ends), (recorded.world().digest(), vec![ReplayEnd::Same(200)]));
        let mut other = replay;
        other.buttons[99] = Buttons(other.buttons[99].0 ^ Buttons::LEFT.0);
        let (_, ends) = play(&mut InputRecording::Playing(other, 0), 200, |_| Buttons::NONE);
        assert_eq!(ends, [ReplayEnd::Diverged(99)]);
        std::fs::remove_file(path).unwrap();
    }
}
