//! Measures frames per second and dropped frames during playback.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// The time over which frames are counted.
const WINDOW: Duration = Duration::from_secs(1);

/// A counter of frames in the last second.
#[derive(Debug, Default)]
pub struct FrameMeter {
    /// When each frame was drawn, and how many were dropped before it.
    frames: VecDeque<(Instant, u32)>,
}

impl FrameMeter {
    /// Counts a frame. The previous one was drawn `elapsed` ago, and one is due every `due`.
    pub fn draw(&mut self, now: Instant, elapsed: Duration, due: Duration) {
        let due = due.max(Duration::from_millis(1));
        let passed = (elapsed.as_secs_f64() / due.as_secs_f64()).round() as u32;
        let dropped = if self.frames.is_empty() { 0 } else { passed.saturating_sub(1) };
        self.frames.push_back((now, dropped));
        while self.frames.front().is_some_and(|(drawn, _)| now - *drawn >= WINDOW) {
            self.frames.pop_front();
        }
    }

    /// Resets the meter when playback stops.
    pub fn clear(&mut self) {
        self.frames.clear();
    }

    /// Frames drawn in the last second; `None` without playback.
    pub fn frames_per_sec(&self) -> Option<u32> {
        (!self.frames.is_empty()).then_some(self.frames.len() as u32)
    }

    /// Frames dropped in the last second.
    pub fn dropped(&self) -> u32 {
        self.frames.iter().map(|(_, dropped)| dropped).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A meter of frames with these distances in milliseconds, where one is due every 20 ms.
    fn metered(apart: &[u64]) -> FrameMeter {
        let (mut meter, mut now) = (FrameMeter::default(), Instant::now());
        for &millis in apart {
            let elapsed = Duration::from_millis(millis);
            now += elapsed;
            meter.draw(now, elapsed, Duration::from_millis(20));
        }
        meter
    }

    #[test]
    fn late_frames_count_as_dropped_and_small_delays_do_not() {
        for (apart, drawn, dropped) in [
            (&[20, 20, 20][..], 3, 0),
            (&[20, 25, 15, 27], 4, 0),
            (&[20, 40, 20], 3, 1),
            (&[20, 200, 61], 3, 11),
            // The time before the first frame of playback does not count.
            (&[900, 20], 2, 0),
        ] {
            let meter = metered(apart);
            assert_eq!((meter.frames_per_sec(), meter.dropped()), (Some(drawn), dropped), "{apart:?}");
        }
    }

    #[test]
    fn only_the_last_second_counts() {
        let meter = metered(&[20, 500, 20, 20, 980]);
        assert_eq!((meter.frames_per_sec(), meter.dropped()), (Some(2), 48));
        assert_eq!(FrameMeter::default().frames_per_sec(), None);
    }
}
