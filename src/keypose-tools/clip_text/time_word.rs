//! A time as one exact word: frames of the clip, ticks of the game, or flicks.

use crate::anim::time::{FrameRate, Time};

/// The unit that a time is written in if it is a whole number of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    Frames,
    Ticks,
}

/// A time as a word: in the unit, in the other one, or in flicks.
pub fn time_word(time: Time, rate: FrameRate, unit: Unit) -> String {
    let frame = rate.nearest_frame(time);
    let frames = (rate.time_of(frame) == time).then(|| format!("{frame}f"));
    let ticks = (time % Time::TICK == Time::ZERO).then(|| format!("{}t", time.0 / Time::TICK.0));
    let found = match unit {
        Unit::Frames => frames.or(ticks),
        Unit::Ticks => ticks.or(frames),
    };
    found.unwrap_or_else(|| format!("{}fl", time.0))
}

/// Reads such a word. A number alone counts frames.
///
/// # Errors
///
/// The word is no time.
pub fn read_time(word: &str, rate: FrameRate) -> Result<Time, String> {
    let count = |number: &str| -> Result<i64, String> {
        number.parse().map_err(|_| format!("{word} is not a time: write 6f for frames, 6t for ticks, 6fl for flicks"))
    };
    if let Some(flicks) = word.strip_suffix("fl") {
        return Ok(Time(count(flicks)?));
    }
    if let Some(ticks) = word.strip_suffix('t') {
        return Ok(Time::from_ticks(count(ticks)?));
    }
    Ok(rate.time_of(count(word.strip_suffix('f').unwrap_or(word))?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_time_comes_back() {
        for rate in [FrameRate::FPS_24, FrameRate::FPS_30, FrameRate::new(30_000, 1_001).unwrap()] {
            for flicks in [0, 1, -1, 29_400_000, 23_520_000, 11_760_000, 23_543_520, i64::MAX, i64::MIN, 7_056_000_000]
            {
                for unit in [Unit::Frames, Unit::Ticks] {
                    let word = time_word(Time(flicks), rate, unit);
                    assert_eq!(read_time(&word, rate), Ok(Time(flicks)), "{word}");
                }
            }
        }
    }

    #[test]
    fn units_are_those_of_the_strip_and_of_the_lanes() {
        let (rate, time) = (FrameRate::FPS_30, Time::from_ticks(6));
        assert_eq!(time_word(time, rate, Unit::Frames), "3f");
        assert_eq!(time_word(time, rate, Unit::Ticks), "6t");
        assert_eq!(time_word(Time::TICK, rate, Unit::Frames), "1t");
        assert_eq!(read_time("3", rate), Ok(time));
        for bad in ["", "f", "six", "1.5f", "6ms", "99999999999999999999t"] {
            assert!(read_time(bad, rate).is_err(), "{bad}");
        }
    }
}
