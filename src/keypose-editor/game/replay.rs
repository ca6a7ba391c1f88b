//! A recorded game: the archive's hash, the seed, the buttons and a digest of every tick.

use crate::game::input::Buttons;
use crate::game::step::step;
use crate::game::world::World;

/// A recorded game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Replay {
    /// The hash of the archive, computed by the application.
    pub archive_hash: u64,
    /// The seed of the random numbers.
    pub seed: u64,
    /// The buttons held in every tick.
    pub buttons: Vec<Buttons>,
    /// [`World::digest`] after every tick; as long as `buttons`.
    pub digests: Vec<u64>,
    /// The ticks before which the level was started again, ascending.
    pub restarts: Vec<usize>,
}

/// The first line of a recorded game.
const TITLE: &str = "keypose replay 1";
/// The hexadecimal digits of a digest.
const DIGITS: usize = 16;
/// The line of a new start of the level.
const RESTART: &str = "again";

impl Replay {
    /// Plays the buttons from the start and records the digests.
    pub fn record(mut world: World, archive_hash: u64, seed: u64, buttons: &[Buttons]) -> Replay {
        let digests = buttons.iter().map(|&held| {
            step(&mut world, held);
            world.digest()
        });
        Replay { archive_hash, seed, digests: digests.collect(), buttons: buttons.to_vec(), restarts: Vec::new() }
    }

    /// The first lines of a recording.
    pub fn header(archive_hash: u64, seed: u64) -> String {
        format!("{TITLE}\narchive {archive_hash:016x}\nseed {seed}\n")
    }

    /// The line of a tick: its buttons and the digest after it, in hexadecimal.
    pub fn line(held: Buttons, digest: u64) -> String {
        format!("{:02x} {digest:016x}\n", held.0)
    }

    /// The line of a new start of the level.
    pub fn restart_line() -> String {
        format!("{RESTART}\n")
    }

    /// Formats it as text: a header, then one line per tick and new start.
    pub fn to_text(&self) -> String {
        let mut text = Replay::header(self.archive_hash, self.seed);
        let mut restarts = self.restarts.iter().peekable();
        for (tick, (buttons, digest)) in self.buttons.iter().zip(&self.digests).enumerate() {
            while restarts.next_if(|restart| **restart == tick).is_some() {
                text.push_str(&Replay::restart_line());
            }
            text.push_str(&Replay::line(*buttons, *digest));
        }
        restarts.for_each(|_| text.push_str(&Replay::restart_line()));
        text
    }

    /// Parses [`Replay::to_text`]. Errors contain the line. The beginning of a last line is left out: a full disk may end a recording anywhere.
    pub fn parse(text: &str) -> Result<Replay, String> {
        let mut lines = (1..).zip(text.lines());
        let mut head = |word: &str| lines.next().and_then(|(_, line)| line.strip_prefix(word));
        head(TITLE).filter(|rest| rest.is_empty()).ok_or("line 1: not a recorded game of this version of Keypose")?;
        let archive = head("archive ").and_then(|hash| u64::from_str_radix(hash, 16).ok());
        let seed = head("seed ").and_then(|seed| seed.parse().ok());
        let mut replay = Replay {
            archive_hash: archive.ok_or("line 2: expected \"archive\" and a hash")?,
            seed: seed.ok_or("line 3: expected \"seed\" and a number")?,
            ..Replay::default()
        };
        let known = Buttons::ALL | Buttons::RETURN;
        let whole_lines = text.matches('\n').count();
        for (number, line) in lines {
            if line == RESTART {
                replay.restarts.push(replay.buttons.len());
                continue;
            }
            let tick = line.split_once(' ').and_then(|(buttons, digest)| {
                let buttons = u16::from_str_radix(buttons, 16).ok().filter(|bits| bits & !known.0 == 0)?;
                let digest = Some(digest).filter(|digest| digest.len() == DIGITS)?;
                Some((Buttons(buttons), u64::from_str_radix(digest, 16).ok()?))
            });
            if tick.is_none() && number > whole_lines {
                break;
            }
            let (buttons, digest) = tick.ok_or_else(|| format!("line {number}: expected buttons and a digest"))?;
            replay.buttons.push(buttons);
            replay.digests.push(digest);
        }
        Ok(replay)
    }

    /// Whether the level was started again before a tick.
    pub fn restarts_at(&self, tick: usize) -> bool {
        self.restarts.binary_search(&tick).is_ok()
    }

    /// Replays it from a new world. Returns the first tick that differs, counted from 0, or `None` if all are equal.
    pub fn divergence(&self, start: World) -> Option<usize> {
        let mut world = start.clone();
        self.buttons.iter().zip(&self.digests).enumerate().find_map(|(tick, (&held, &recorded))| {
            if self.restarts_at(tick) {
                world = start.clone();
            }
            step(&mut world, held);
            (world.digest() != recorded).then_some(tick)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trips_and_errors_name_their_line() {
        let replay = Replay {
            archive_hash: u64::MAX,
            seed: 12,
            buttons: vec![Buttons::NONE, Buttons::RIGHT | Buttons::JUMP, Buttons::ALL],
            digests: vec![0, 1, u64::MAX],
            restarts: vec![0, 2, 2, 3],
        };
        let text = replay.to_text();
        assert_eq!(Replay::parse(&text), Ok(replay));
        let cases = [
            ("keypose replay 1", "keypose replay 2", "version"),
            ("keypose replay 1", "keypose replay 12", "version"),
            ("archive f", "archive x", "line 2"),
            ("seed 12", "seed", "line 3"),
            ("12 ", "212 ", "line 6"),
            ("ff ", "200 ", "line 9"),
            ("ff ", "ff", "line 9"),
        ];
        for (from, to, word) in cases {
            assert!(text.contains(from), "{from}");
            let reason = Replay::parse(&text.replacen(from, to, 1)).unwrap_err();
            assert!(reason.contains(word), "{from} to {to}: {reason}");
        }
        let header = Replay::header(u64::MAX, 12).len();
        for length in header..text.len() {
            let whole = text[header..length].lines().filter(|line| line.len() == "00 ".len() + DIGITS);
            assert_eq!(Replay::parse(&text[..length]).unwrap().buttons.len(), whole.count(), "{length}");
        }
    }
}
