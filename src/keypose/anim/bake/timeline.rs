//! The times of a clip's samples.

use crate::anim::time::Time;

/// Neighbours that are tried before all times are searched: as far as keyframes of different durations are off.
const MAX_STEPS: u32 = 4;

/// The times of a clip's samples, with constant-time lookup if they are evenly spaced.
#[derive(Clone, Debug, PartialEq)]
pub struct Timeline {
    /// Ascending, at least one. Where a value jumps, a time occurs twice: first the sample before the jump, then the
    /// one after it.
    pub times: Vec<Time>,
    /// Samples in 2⁶⁴ flicks, on average.
    per_flick: u64,
}

impl Timeline {
    /// Takes at least one time, ascending.
    pub fn new(times: Vec<Time>) -> Timeline {
        let per_flick = match times[..] {
            [first, .., last] if last > first => {
                let samples = (times.len() as u128 - 1) << 64;
                u64::try_from(samples.div_ceil((last - first).0 as u128)).unwrap_or(u64::MAX)
            }
            _ => 0,
        };
        Timeline { times, per_flick }
    }

    /// Size in memory.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.times[..])
    }

    /// The indices of the samples before and after a time, and the fraction of the way between them, in 0..1. Outside
    /// the times both are the same sample.
    #[inline(always)]
    pub fn pair(&self, time: Time) -> (usize, usize, f32) {
        let (before, fraction) = self.find(time);
        (before, (before + 1).min(self.times.len() - 1), fraction)
    }

    /// The last index whose time is at or before `time` (0 if there is none), and the fraction of the way to the next,
    /// in 0..1.
    ///
    /// Starts at the index that the time would have if the times were evenly spaced, as they usually are.
    #[inline(always)]
    pub fn find(&self, time: Time) -> (usize, f32) {
        let times = &self.times[..];
        let last = times.len() - 1;
        if last == 0 || time >= times[last] || time <= times[0] {
            return (if time >= times[last] { last } else { 0 }, 0.0);
        }
        let samples = u128::from((time - times[0]).0 as u64) * u128::from(self.per_flick);
        let guess = ((samples >> 64) as usize).min(last - 1);
        let (mut before, mut steps) = (guess, 0);
        while time < times[before] || times[before + 1] <= time {
            if steps == MAX_STEPS {
                before = self.search(time);
                break;
            }
            before = if time < times[before] { before - 1 } else { before + 1 };
            steps += 1;
        }
        let (elapsed, length) = ((time - times[before]).0, (times[before + 1] - times[before]).0);
        (before, elapsed as f32 / length as f32)
    }

    /// The last index whose time is at or before `time`, the last one excluded. Not inlined, to keep the common path
    /// short.
    #[inline(never)]
    fn search(&self, time: Time) -> usize {
        self.times.partition_point(|at| *at <= time).saturating_sub(1).min(self.times.len() - 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sample_before_any_time_is_found_however_times_are_spaced() {
        let even: Vec<i64> = (0..50).map(|at| at * 10).collect();
        let near: Vec<i64> = (0..50).map(|at| at * 10 + at * 7 % 9).collect();
        let far: Vec<i64> = (0..50).map(|at| at * at * at).collect();
        for times in [even, near, far, vec![0, 5, 5, 5, 9], vec![3]] {
            let times: Vec<Time> = times.into_iter().map(Time).collect();
            let timeline = Timeline::new(times.clone());
            for time in (-1..times[times.len() - 1].0 + 2).map(Time) {
                let before = times.iter().rposition(|at| *at <= time).unwrap_or(0);
                assert_eq!(timeline.find(time).0, before, "{time:?} in {times:?}");
            }
        }
    }
}
