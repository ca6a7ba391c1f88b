//! Frames and ticks at which whole clips are sampled: of a very long clip each n-th, so that the work ends.

use crate::anim::time::{FrameRate, Time};

/// The maximum count: 18 minutes at 60 frames per second.
const MAX_COUNT: i64 = 1 << 16;

/// The frames from the nearest to one time to the nearest to another.
pub fn frames(rate: FrameRate, [from, to]: [Time; 2]) -> impl Iterator<Item = Time> {
    numbers(rate.nearest_frame(from), rate.nearest_frame(to)).map(move |frame| rate.time_of(frame))
}

/// Times a step apart, both included.
pub fn steps(step: Time, [from, to]: [Time; 2]) -> impl Iterator<Item = Time> {
    numbers(0, (to - from).0.div_euclid(step.0)).map(move |at| from + step * at)
}

/// A step, or the multiple of it that a duration has few enough of.
pub fn step(wanted: Time, duration: Time) -> Time {
    wanted * every(duration.0.div_euclid(wanted.0))
}

/// Values at times, in the middle of each two, and in the middle of two of those where `is_straight` denies that the value there lies on the
/// line between both, down to an eighth of what was between times. An S lies on its line in the middle, so that this alone says nothing.
pub fn with_middles<V>(
    times: impl IntoIterator<Item = Time>,
    value: impl Fn(Time) -> V,
    is_straight: impl Fn(&V, [&V; 2]) -> bool,
) -> Vec<(Time, V)> {
    let mut all: Vec<(Time, V)> = times.into_iter().map(|time| (time, value(time))).collect();
    for round in 0..3 {
        let ends: Vec<(Time, V)> = std::mem::take(&mut all);
        let mut ends = ends.into_iter().peekable();
        while let Some((time, start)) = ends.next() {
            let middle = ends.peek().and_then(|(next, end)| {
                let time = time + Time((*next - time).0 / 2);
                let middle = value(time);
                (round == 0 || !is_straight(&middle, [&start, end])).then_some((time, middle))
            });
            all.push((time, start));
            all.extend(middle);
        }
    }
    all
}

fn numbers(first: i64, last: i64) -> impl Iterator<Item = i64> {
    (first..=last).step_by(usize::try_from(every(last - first)).unwrap_or(1))
}

fn every(count: i64) -> i64 {
    1 + count.max(0) / MAX_COUNT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clip_is_sampled_at_each_frame_and_a_very_long_one_at_some() {
        let rate = FrameRate::FPS_30;
        let all: Vec<Time> = frames(rate, [rate.time_of(2), rate.time_of(5)]).collect();
        assert_eq!(all, [2, 3, 4, 5].map(|at| rate.time_of(at)));
        let ticks: Vec<Time> = steps(Time::TICK, [Time(7), Time(7) + Time::TICK * 2]).collect();
        assert_eq!(ticks, [0, 1, 2].map(|at| Time(7) + Time::TICK * at));
        assert_eq!(frames(rate, [Time::ZERO, Time(-1_000_000_000)]).count(), 0);
        let day = [Time::ZERO, Time::SECOND * 86_400];
        let some: Vec<Time> = frames(rate, day).collect();
        assert!(some.len() <= MAX_COUNT as usize + 1 && some.len() > MAX_COUNT as usize / 2, "{}", some.len());
        assert_eq!(rate.time_of(rate.nearest_frame(some[77])), some[77]);
    }

    #[test]
    fn values_that_bend_are_sampled_between_their_times() {
        let bent = |time: Time| (time.0.max(100) - 100) as f32;
        let is_straight = |middle: &f32, [a, b]: [&f32; 2]| (a + b) / 2.0 == *middle;
        let times: Vec<i64> =
            with_middles([0, 64, 128, 192].map(Time), bent, is_straight).iter().map(|(time, _)| time.0).collect();
        assert_eq!(times, [0, 32, 64, 96, 104, 112, 128, 160, 192]);
    }
}
