//! The events that playback passes between two times, each exactly once, forwards or backwards.

use crate::anim::clip::{Event, LoopMode};
use crate::anim::time::Time;

/// Calls `meet` for every event that playback passes as elapsed time goes from `from` to `to`, in that order, with the
/// elapsed time of the event. Elapsed time is as in [`crate::anim::playback::clip_time`]: it continues through loops
/// and can be negative.
///
/// - Forwards the interval is `[from, to)`, backwards `(to, from]`, so that consecutive steps pass each event once. An
///   event at time 0 is passed by the first step, not on arrival.
/// - A loop passes an event at its start once per loop, and likewise one at its end, which is the same time.
/// - Ping-pong passes an event both ways, but only once at a turning point.
/// - A clip that plays once passes the events at its end when playback goes past it. The events of a clip of length 0
///   are passed when playback leaves time 0.
/// - Of a step over more than [`MAX_LOOPS`] loops, only the events of the last ones are passed.
///
/// ```
/// use keypose::anim::{clip::{Event, LoopMode}, events::crossed, time::Time};
///
/// let events = [Event { time: Time::from_millis(900.0), name: "step".into() }];
/// let mut met = 0;
/// let (from, to) = (Time::from_millis(800.0), Time::from_millis(3000.0));
/// crossed(&events, Time::SECOND, LoopMode::Loop, from, to, |_, _| met += 1);
/// assert_eq!(met, 3);
/// ```
pub fn crossed<'a>(
    events: &'a [Event],
    length: Time,
    mode: LoopMode,
    from: Time,
    to: Time,
    mut meet: impl FnMut(&'a Event, Time),
) {
    let period = match mode {
        LoopMode::PingPong => length * 2,
        LoopMode::Once | LoopMode::Loop => length,
    };
    if events.is_empty() || from == to {
        return;
    }
    if mode == LoopMode::Once || period <= Time::ZERO {
        return visit_loop(events, length, LoopMode::Once, Time::ZERO, (from, to), &mut meet);
    }
    let round_of = |time: Time| time.0.div_euclid(period.0);
    let (first, last) = (round_of(from), round_of(to));
    let mut visit = |number: i64| visit_loop(events, length, mode, period * number, (from, to), &mut meet);
    if from < to {
        (first.max(last.saturating_sub(MAX_LOOPS))..=last).for_each(&mut visit);
    } else {
        (last..=first.min(last.saturating_add(MAX_LOOPS))).rev().for_each(&mut visit);
    }
}

/// The maximum number of loops per step whose events are passed: more than an hour of the shortest sensible loop.
pub const MAX_LOOPS: i64 = 100_000;

/// The events of one loop that starts at an elapsed time.
fn visit_loop<'a>(
    events: &'a [Event],
    length: Time,
    mode: LoopMode,
    start: Time,
    (from, to): (Time, Time),
    meet: &mut impl FnMut(&'a Event, Time),
) {
    let is_met = |at: Time| if from < to { from <= at && at < to } else { to < at && at <= from };
    let mut visit = |event: &'a Event, at: Time| {
        if is_met(start + at) {
            meet(event, start + at);
        }
    };
    // The end of a loop is the start of the next.
    let wrapped = |event: &Event| if mode == LoopMode::Loop && event.time >= length { Time::ZERO } else { event.time };
    let is_end = |event: &&Event| wrapped(event) != event.time;
    let is_inside = |event: &&Event| wrapped(event) == event.time;
    let turns_back = |event: &&Event| mode == LoopMode::PingPong && event.time > Time::ZERO && event.time < length;
    if from < to {
        events.iter().filter(is_end).for_each(|event| visit(event, Time::ZERO));
        events.iter().filter(is_inside).for_each(|event| visit(event, event.time));
        events.iter().rev().filter(turns_back).for_each(|event| visit(event, length * 2 - event.time));
    } else {
        events.iter().filter(turns_back).for_each(|event| visit(event, length * 2 - event.time));
        events.iter().rev().filter(is_inside).for_each(|event| visit(event, event.time));
        events.iter().rev().filter(is_end).for_each(|event| visit(event, Time::ZERO));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(times: &[i64]) -> Vec<Event> {
        times.iter().map(|&time| Event { time: Time(time), name: time.to_string() }).collect()
    }

    fn met(times: &[i64], mode: LoopMode, from: i64, to: i64) -> Vec<(i64, i64)> {
        let (events, mut met) = (events(times), Vec::new());
        crossed(&events, Time(10), mode, Time(from), Time(to), |event, at| met.push((event.time.0, at.0)));
        met
    }

    /// ```text
    /// elapsed     0     5     10    15    20    25    30
    /// once        0  3  ────  10
    /// loop        0  3        0  3        0  3        0
    /// ping-pong   0  3        10       17 0  3        10
    /// ```
    #[test]
    fn each_event_is_met_where_playback_passes_it() {
        type Case = (LoopMode, (i64, i64), &'static [(i64, i64)]);
        let cases: &[Case] = &[
            (LoopMode::Once, (0, 100), &[(0, 0), (3, 3), (10, 10)]),
            (LoopMode::Once, (0, 10), &[(0, 0), (3, 3)]),
            (LoopMode::Once, (10, 0), &[(10, 10), (3, 3)]),
            (LoopMode::Once, (4, 9), &[]),
            (LoopMode::Loop, (0, 13), &[(10, 0), (0, 0), (3, 3), (10, 10), (0, 10)]),
            (LoopMode::Loop, (4, -8), &[(3, 3), (0, 0), (10, 0), (3, -7)]),
            (LoopMode::PingPong, (0, 24), &[(0, 0), (3, 3), (10, 10), (3, 17), (0, 20), (3, 23)]),
            (LoopMode::PingPong, (18, 2), &[(3, 17), (10, 10), (3, 3)]),
            (LoopMode::Loop, (5, 5), &[]),
        ];
        for (mode, (from, to), expected) in cases {
            assert_eq!(met(&[0, 3, 10], *mode, *from, *to), *expected, "{mode:?} {from} to {to}");
        }
    }

    #[test]
    fn small_steps_meet_what_one_step_meets() {
        for mode in LoopMode::ALL {
            for (from, to) in [(-33, 47), (47, -33), (0, 20), (20, 0)] {
                let whole = met(&[0, 1, 4, 4, 9, 10], mode, from, to);
                let step = if from < to { 1 } else { -1 };
                for stride in [1, 3, 7] {
                    let (mut at, mut parts) = (from, Vec::new());
                    while at != to {
                        let next = at + step * stride.min((to - at).abs());
                        parts.extend(met(&[0, 1, 4, 4, 9, 10], mode, at, next));
                        at = next;
                    }
                    assert_eq!(parts, whole, "{mode:?} {from} to {to} by {stride}");
                }
            }
        }
    }

    #[test]
    fn no_length_and_endless_steps_have_an_end() {
        for mode in LoopMode::ALL {
            let (events, mut count) = (events(&[0]), 0);
            crossed(&events, Time::ZERO, mode, Time(0), Time(5), |_, _| count += 1);
            assert_eq!(count, 1, "{mode:?}");
            for (from, to) in [(i64::MIN, i64::MAX), (i64::MAX, i64::MIN)] {
                crossed(&events, Time(1), mode, Time(from), Time(to), |_, _| count += 1);
            }
            assert!(count <= 3 + 4 * MAX_LOOPS);
        }
    }
}
