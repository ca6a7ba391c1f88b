//! Converts elapsed time to the time of a clip: loop, ping-pong, clamp.

use crate::anim::clip::LoopMode;
use crate::anim::time::Time;

/// The clip time after playing for `elapsed`, in `0..=length`. Elapsed time can be negative (reverse playback).
///
/// ```text
/// once       0 ─ 1 ─ 2 ─ L ─ L ─ L
/// loop       0 ─ 1 ─ 2 ─ 0 ─ 1 ─ 2        (L is 0)
/// ping-pong  0 ─ 1 ─ 2 ─ L ─ 2 ─ 1 ─ 0
/// ```
pub fn clip_time(elapsed: Time, length: Time, mode: LoopMode) -> Time {
    match mode {
        LoopMode::Once => elapsed.clamp(Time::ZERO, length.max(Time::ZERO)),
        LoopMode::Loop => elapsed % length,
        LoopMode::PingPong => {
            let there_and_back = elapsed % (length * 2);
            there_and_back.min(length * 2 - there_and_back)
        }
    }
}

/// The time of another clip at the same phase, such as where to start a run from a walk so that the feet stay in step.
/// A cross-fade keeps clips in step by computing the second clip's time from the first one's on every tick. Both clips
/// should begin with the same foot; `time` is in `0..=length`.
///
/// ```
/// use keypose::anim::{playback::same_phase, time::Time};
///
/// assert_eq!(same_phase(Time::from_millis(250.0), Time::SECOND, Time::from_millis(600.0)), Time::from_millis(150.0));
/// ```
pub fn same_phase(time: Time, length: Time, other_length: Time) -> Time {
    if length <= Time::ZERO {
        return Time::ZERO;
    }
    let flicks = i128::from(time.0) * i128::from(other_length.0) / i128::from(length.0);
    Time(flicks.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phase_is_a_fraction_of_the_loop() {
        for (time, length, other, expected) in
            [(0, 10, 6, 0), (5, 10, 6, 3), (10, 10, 6, 6), (5, 0, 6, 0), (5, 10, 0, 0)]
        {
            assert_eq!(same_phase(Time(time), Time(length), Time(other)), Time(expected));
        }
        assert_eq!(same_phase(Time(i64::MAX), Time(1), Time(i64::MAX)), Time(i64::MAX));
    }

    #[test]
    fn every_mode_stays_inside() {
        let cases = [
            (LoopMode::Once, [(-5, 0), (0, 0), (7, 7), (10, 10), (25, 10)]),
            (LoopMode::Loop, [(-1, 9), (0, 0), (7, 7), (10, 0), (25, 5)]),
            (LoopMode::PingPong, [(-1, 1), (0, 0), (10, 10), (13, 7), (25, 5)]),
        ];
        for (mode, times) in cases {
            for (elapsed, expected) in times {
                assert_eq!(clip_time(Time(elapsed), Time(10), mode), Time(expected), "{mode:?} {elapsed}");
            }
            assert_eq!(clip_time(Time(5), Time::ZERO, mode), Time::ZERO);
        }
    }
}
