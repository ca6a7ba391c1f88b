//! What a game's buttons come from and go to: recorded to a file, played from one, or neither.

use std::path::{Path, PathBuf};

use crate::app::files::read;
use crate::app::save::save_atomically;
use crate::game::input::Buttons;
use crate::game::replay::Replay;
use crate::game::world::World;

/// A file that is recorded or played.
#[derive(Debug, Default)]
pub enum InputRecording {
    /// The keyboard alone.
    #[default]
    None,
    /// Every tick is noted; written when the tape is dropped.
    Recording(PathBuf, Replay),
    /// The buttons come from the file, and what follows is held against it.
    Playing(Replay, usize),
}

/// What is to be said after a tick.
#[derive(Debug, PartialEq, Eq)]
pub enum Said {
    /// The replay is over, and every tick came out as it was recorded.
    Same(usize),
    /// From this tick on the game is another than the recorded one.
    Parted(usize),
}

impl InputRecording {
    /// Records a game from its start.
    pub fn record(path: PathBuf, archive_hash: u64, seed: u64) -> InputRecording {
        InputRecording::Recording(path, Replay { archive_hash, seed, ..Replay::default() })
    }

    /// The buttons of the next tick, when these are held on the keyboard.
    pub fn buttons(&self, held: Buttons) -> Buttons {
        match self {
            InputRecording::Playing(replay, at) => replay.buttons.get(*at).copied().unwrap_or(held),
            _ => held,
        }
    }

    /// A tick was played with these buttons.
    pub fn played(&mut self, held: Buttons, after: &World) -> Option<Said> {
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
                let said = if !is_same { Said::Parted(tick) } else { Said::Same(count) };
                let is_over = !is_same || tick + 1 >= count;
                if is_over {
                    *self = InputRecording::None;
                }
                is_over.then_some(said)
            }
        }
    }

    /// The game starts again: so does what is recorded.
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

    /// Ends it, because the game is no longer that of its archive; what was recorded so far is written. Says so.
    pub fn end(&mut self) -> Option<String> {
        let ended = std::mem::take(self);
        match &ended {
            InputRecording::Recording(path, _) => Some(format!("the recording ends here, in {}", path.display())),
            InputRecording::Playing(..) => Some("the replay ends here".to_owned()),
            InputRecording::None => None,
        }
    }
}

impl Drop for InputRecording {
    fn drop(&mut self) {
        if let InputRecording::Recording(path, replay) = self {
            let ticks = replay.buttons.len();
            match save_atomically(path, replay.to_text().as_bytes()) {
                Ok(()) => eprintln!("keypose: {}: {ticks} ticks recorded", path.display()),
                Err(error) => eprintln!("keypose: {error}"),
            }
        }
    }
}

/// Reads a recorded game. The error names the file and the line.
pub fn open(path: &Path) -> Result<Replay, String> {
    let because = |reason: String| format!("{}: {reason}", path.display());
    let text =
        String::from_utf8(read(path)?).map_err(|_| because("it is not text, so it is no recorded game".into()))?;
    Replay::parse(&text).map_err(because)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::play::Play;

    fn play(tape: &mut InputRecording, ticks: usize, keyboard: impl Fn(usize) -> Buttons) -> (Play, Vec<Said>) {
        let mut play = Play::new(&[], None, 1);
        let mut said = Vec::new();
        for tick in 0..ticks {
            let held = tape.buttons(keyboard(tick));
            play.tick(held);
            said.extend(tape.played(held, play.world()));
        }
        (play, said)
    }

    #[test]
    fn what_is_recorded_is_written_at_the_end_and_played_again_whatever_is_pressed() {
        let path = std::env::temp_dir().join(format!("keypose-tape-{}.replay", std::process::id()));
        let mut tape = InputRecording::record(path.clone(), 7, 1);
        let (recorded, said) = play(&mut tape, 200, |tick| if tick % 50 < 30 { Buttons::RIGHT } else { Buttons::JUMP });
        assert_eq!(said, []);
        assert!(tape.end().is_some_and(|text| text.contains("replay")));
        let replay = open(&path).unwrap();
        assert_eq!((replay.archive_hash, replay.seed, replay.buttons.len()), (7, 1, 200));
        let (again, said) = play(&mut InputRecording::Playing(replay.clone(), 0), 200, |_| Buttons::LEFT);
        assert_eq!((again.world().digest(), said), (recorded.world().digest(), vec![Said::Same(200)]));
        let mut other = replay;
        other.buttons[99] = Buttons(other.buttons[99].0 ^ Buttons::LEFT.0);
        let (_, said) = play(&mut InputRecording::Playing(other, 0), 200, |_| Buttons::NONE);
        assert_eq!(said, [Said::Parted(99)]);
        std::fs::remove_file(path).unwrap();
    }
}
