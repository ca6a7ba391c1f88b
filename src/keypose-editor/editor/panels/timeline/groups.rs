//! Which keyframes the pose strip draws as one: adjacent keyframes too narrow to read form groups. Drawing is elsewhere.
//!
//! Groups depend on the clip and the zoom alone, so they don't change while scrolling or playing. Their limits are
//! multiples of a power of two of the clip's frame: zooming in divides a group, and never moves another one's limits.

use std::ops::Range;

use keypose::anim::clip::{Clip, KeyframeKind};
use keypose::anim::time::Time;

/// A block at least this wide is readable, in points.
pub const READABLE: f64 = 22.0;

/// Minimum distance of ticks and width of marks, in points.
pub const TICK: f32 = 3.0;

/// Minimum width of a full group, in points. A group ends before twice this width.
const GROUP: f64 = 56.0;

/// One block of the strip: a keyframe, or a group of narrow ones.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// The keyframes, at least one.
    pub keyframes: Range<usize>,
    pub start: Time,
    pub end: Time,
    /// The starts of a group's keyframes, of neighbours nearer than [`TICK`] the first alone.
    pub ticks: Vec<Time>,
    /// The starts of a group's extremes and breakdowns; of those nearer than [`TICK`] the last alone.
    pub marked: Vec<(Time, KeyframeKind)>,
}

impl Item {
    /// Whether it stands for more than one keyframe.
    pub fn is_group(&self) -> bool {
        self.keyframes.len() > 1
    }
}

/// The blocks of a clip at a zoom in points per second, in order; every keyframe is in exactly one of them. The keyframe
/// `alone` is never part of a group: one that is being retimed.
pub fn items(clip: &Clip, points_per_sec: f64, alone: Option<usize>) -> Vec<Item> {
    let (period, frame) = (period(clip, points_per_sec), clip.frame_rate.frame());
    let is_narrow = |item: &Item| (item.end - item.start).secs() * points_per_sec < READABLE;
    let mut start = Time::ZERO;
    let single = clip.keyframes.iter().enumerate().map(|(at, keyframe)| {
        let end = start + keyframe.duration;
        let item = Item { keyframes: at..at + 1, start, end, ticks: Vec::new(), marked: Vec::new() };
        start = item.end;
        // Imported times may be a little before their frame.
        let narrow = (is_narrow(&item) && alone != Some(at)).then(|| (item.start + frame / 2).0 / period.0);
        (item, narrow)
    });
    let grouped = joined(single, |(_, a), (_, b)| a == b);
    // What is left of a period at the ends of a row of narrow keyframes joins its neighbour.
    let whole = joined(grouped.into_iter(), |(before, _), (item, _)| is_narrow(before) || is_narrow(item));
    let ticked = |(item, _): Placed| {
        if !item.is_group() {
            return item;
        }
        Item { ticks: ticks(clip, &item, points_per_sec), marked: marked(clip, &item, points_per_sec), ..item }
    };
    whole.into_iter().map(ticked).collect()
}

/// The ticks of a group.
fn ticks(clip: &Clip, item: &Item, points_per_sec: f64) -> Vec<Time> {
    let place = |time: Time| (time.secs() * points_per_sec).round();
    let (mut start, mut last) = (item.start, place(item.start));
    let mut ticks = Vec::new();
    for keyframe in clip.keyframes.range(item.keyframes.clone()) {
        if place(start) >= last + f64::from(TICK) {
            last = place(start);
            ticks.push(start);
        }
        start += keyframe.duration;
    }
    ticks
}

/// The marked keyframes of a group.
fn marked(clip: &Clip, item: &Item, points_per_sec: f64) -> Vec<(Time, KeyframeKind)> {
    let mut start = item.start;
    let mut marked: Vec<(Time, KeyframeKind)> = Vec::new();
    for keyframe in clip.keyframes.range(item.keyframes.clone()) {
        if keyframe.kind != KeyframeKind::Plain {
            marked.pop_if(|(last, _)| (start - *last).secs() * points_per_sec < f64::from(TICK));
            marked.push((start, keyframe.kind));
        }
        start += keyframe.duration;
    }
    marked
}

/// The blocks that are between two times at least in part. All are in order.
pub fn between(items: &[Item], from: Time, to: Time) -> &[Item] {
    let first = items.partition_point(|item| item.end < from);
    let rest = &items[first..];
    &rest[..rest.partition_point(|item| item.start <= to)]
}

/// An item; with the period in which it starts if its keyframes are narrow.
type Placed = (Item, Option<i64>);

/// Items, with adjacent narrow ones joined where `join` says so.
fn joined(items: impl Iterator<Item = Placed>, join: impl Fn(&Placed, &Placed) -> bool) -> Vec<Placed> {
    let mut joined: Vec<Placed> = Vec::new();
    for item in items {
        match joined.last_mut() {
            Some(last) if last.1.is_some() && item.1.is_some() && join(last, &item) => {
                last.0.keyframes.end = item.0.keyframes.end;
                last.0.end = item.0.end;
            }
            _ => joined.push(item),
        }
    }
    joined
}

/// The time in which narrow keyframes are one group.
fn period(clip: &Clip, points_per_sec: f64) -> Time {
    let mut period = clip.frame_rate.frame();
    while period.secs() * points_per_sec < GROUP && period < Time::LONGEST {
        period = period * 2;
    }
    period
}

#[cfg(test)]
mod tests {
    use super::*;
    use keypose::anim::clip::Keyframe;
    use keypose::anim::time::FrameRate;

    fn clip(frames: &[i64]) -> Clip {
        let keyframe = |&frames| Keyframe { duration: FrameRate::FPS_30.time_of(frames), ..Keyframe::default() };
        Clip { keyframes: frames.iter().map(keyframe).collect(), ..Clip::new("clip") }
    }

    /// The keyframes of each item if a frame is that many points wide.
    fn ranges(clip: &Clip, points: f64) -> Vec<Range<usize>> {
        items(clip, points * 30.0, None).into_iter().map(|item| item.keyframes).collect()
    }

    #[test]
    fn narrow_keyframes_form_groups_between_readable_ones() {
        let clip = clip(&[1, 1, 1, 1, 20, 1, 20, 1, 1, 0]);
        assert_eq!(ranges(&clip, 10.0), [0..4, 4..5, 5..6, 6..7, 7..10]);
    }

    #[test]
    fn zooming_in_divides_groups_and_keeps_their_limits() {
        let clip = clip(&[1; 83]);
        let mut limits: Vec<usize> = Vec::new();
        for step in 0..60 {
            let ranges = ranges(&clip, 0.5 * 1.07_f64.powi(step));
            assert!(ranges.windows(2).all(|pair| pair[0].end == pair[1].start), "every keyframe is in one item");
            assert_eq!((ranges[0].start, ranges.last().unwrap().end), (0, 83));
            let mut now: Vec<usize> = ranges.iter().map(|range| range.start).collect();
            let kept = limits.iter().filter(|limit| now.contains(limit)).count();
            assert!(limits.len() - kept <= 1, "step {step}: {limits:?} became {now:?}");
            std::mem::swap(&mut limits, &mut now);
        }
        assert_eq!(limits.len(), 83);
    }

    #[test]
    fn a_retimed_keyframe_stays_alone() {
        let items = items(&clip(&[1; 8]), 10.0 * 30.0, Some(3));
        assert!(items.iter().any(|item| item.keyframes == (3..4)));
    }
}
