//! From the time that has passed to a time of the clip: wrapping, ping-pong, clamping.

use crate::anim::clip::LoopMode;
use crate::anim::time::Time;

/// The clip time after `elapsed` of play, in `0..=length`; elapsed time may be negative (reverse play).
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

#[cfg(test)]
mod tests {
    use super::*;

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
