//! How the times of events, drafts and ranges move with keyframes.

use std::collections::BTreeSet;

use crate::editor::ops::keyframe_match::FoundKeyframes;
use keypose::anim::clip::Clip;
use keypose::anim::time::Time;
use keypose::assets::combat::Range;

/// The new index of every keyframe, `None` if it was deleted; empty if no time moves.
pub type Places = Vec<Option<usize>>;

/// Maps times when keyframes move or change their durations: in proportion within the keyframe that contains them.
pub struct Retiming {
    before: Vec<Time>,
    length_before: Time,
    /// The new start and duration of each old keyframe.
    spans: Vec<Option<(Time, Time)>>,
    length: Time,
}

impl Retiming {
    /// From the old clip, the new indices and the new durations.
    pub fn new(before: &Clip, places: Places, durations: Vec<Time>) -> Retiming {
        let starts: Vec<Time> = durations
            .iter()
            .scan(Time::ZERO, |next, &duration| {
                let start = *next;
                *next += duration;
                Some(start)
            })
            .collect();
        let span = |place: Option<usize>| Some((*starts.get(place?)?, *durations.get(place?)?));
        Retiming {
            before: before.starts().collect(),
            length_before: before.length(),
            spans: places.into_iter().map(span).collect(),
            length: durations.into_iter().sum(),
        }
    }

    /// From the old and the new clip. New keyframes within the time that an old one had are parts of it.
    pub fn between(before: &Clip, now: &Clip, found: &FoundKeyframes) -> Retiming {
        let mut durations: Vec<Time> = now.keyframes.iter().map(|keyframe| keyframe.duration).collect();
        let kept: BTreeSet<usize> = found.values().copied().collect();
        for (old, &at) in found {
            for part in (at + 1..durations.len()).take_while(|part| !kept.contains(part)) {
                let whole = durations[at] + durations[part];
                if whole <= before.keyframes[*old].duration {
                    (durations[at], durations[part]) = (whole, Time::ZERO);
                }
            }
        }
        let places = (0..before.keyframes.len()).map(|old| found.get(&old).copied()).collect();
        Retiming::new(before, places, durations)
    }

    /// The new time. A time in a deleted keyframe moves to the start of the next one that is left; a time after the end keeps
    /// its distance from the end.
    pub fn map(&self, time: Time) -> Time {
        if self.spans.is_empty() {
            return time;
        }
        if time >= self.length_before && self.before.last() != Some(&time) {
            return (self.length + (time - self.length_before)).max(Time::ZERO);
        }
        let Some(at) = self.before.partition_point(|&start| start <= time).checked_sub(1) else { return time };
        self.map_within(at, time).unwrap_or_else(|| {
            let next = self.spans.get(at..).unwrap_or_default().iter().flatten().next();
            next.map_or(self.length, |(start, _)| *start)
        })
    }

    /// The new time of one from the start to the end of a keyframe; `None` if that was deleted.
    fn map_within(&self, at: usize, time: Time) -> Option<Time> {
        let (start, duration) = self.spans.get(at).copied().flatten()?;
        let (offset, length) = (time - self.before[at], self.end_of(at) - self.before[at]);
        if duration == length {
            return Some(start + offset);
        }
        let scaled = i128::from(offset.0) * i128::from(duration.0) / i128::from(length.0.max(1));
        Some(start + Time(scaled as i64))
    }

    fn end_of(&self, at: usize) -> Time {
        self.before.get(at + 1).copied().unwrap_or(self.length_before)
    }

    /// Whether only new keyframes are between two new times.
    fn is_new(&self, from: Time, to: Time) -> bool {
        let is_between = |(start, duration): &(Time, Time)| *duration > Time::ZERO && (from..to).contains(start);
        !self.spans.iter().flatten().any(is_between)
    }

    /// The new range: the longest part that is in one piece, if keyframes inside change their places. `None` if they were all deleted.
    pub fn map_range(&self, range: Range) -> Option<Range> {
        if self.spans.is_empty() || range.end <= range.start {
            return Some(Range { start: self.map(range.start), end: self.map(range.end) });
        }
        let first = self.before.partition_point(|&start| start <= range.start).saturating_sub(1);
        let keyframes = (first..self.before.len()).take_while(|&at| self.before[at] < range.end);
        let part = |at: usize| {
            let [start, end] = [range.start, range.end].map(|time| time.clamp(self.before[at], self.end_of(at)));
            Some(Range { start: self.map_within(at, start)?, end: self.map_within(at, end)? })
        };
        let behind = (range.end > self.length_before).then(|| {
            let moved = |time: Time| self.length + (time - self.length_before);
            Range { start: moved(range.start.max(self.length_before)), end: moved(range.end) }
        });
        let mut parts: Vec<Range> =
            keyframes.filter_map(part).chain(behind).filter(|part| part.end > part.start).collect();
        parts.sort_by_key(|part| part.start);
        parts.dedup_by(|next, before| {
            let follows = next.start <= before.end || self.is_new(before.end, next.start);
            if follows {
                before.end = before.end.max(next.end);
            }
            follows
        });
        parts.into_iter().rev().max_by_key(|part| part.end - part.start)
    }
}

/// Moves the events along and keeps them inside the clip.
pub fn move_events(clip: &mut Clip, retiming: &Retiming) {
    let length = clip.length();
    clip.events.iter_mut().for_each(|event| event.time = retiming.map(event.time).min(length).max(Time::ZERO));
    clip.events.sort_by_key(|event| event.time);
}
