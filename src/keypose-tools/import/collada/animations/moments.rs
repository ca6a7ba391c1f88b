//! The times at which curves are evaluated together.

use crate::anim::time::Time;
use crate::import::collada::curves::{Curve, Moment};

/// Samples per second between keys, where lines between them are not enough.
const RATE: f64 = 30.0;
/// Times that are no further apart are one, in seconds.
const ONE: f64 = 1e-5;

/// The part of all animations that a clip shows, in seconds; it begins at 0 in the clip.
#[derive(Clone, Copy, PartialEq)]
pub struct Range {
    pub start: f64,
    /// `None` for the last key.
    pub end: Option<f64>,
    /// Whether the clip begins at the start, too, if no key is before it.
    pub has_start: bool,
}

impl Range {
    /// All keys from 0 on.
    pub const ALL: Range = Range { start: 0.0, end: None, has_start: false };

    /// A time in the clip.
    #[allow(clippy::arithmetic_side_effects)] // Times saturate.
    pub fn time(self, secs: f64) -> Time {
        Time::from_secs(secs) - Time::from_secs(self.start)
    }
}

/// The moments of a range, in order: its ends, keys, and frames between the keys of curves that are `dense`. `None` if one is outside of the
/// supported times.
#[allow(clippy::arithmetic_side_effects, clippy::cast_possible_truncation)] // Checked ranges.
pub fn moments<'a>(
    curves: impl Iterator<Item = &'a Curve> + Clone,
    is_dense: bool,
    range: Range,
) -> Option<Vec<Moment>> {
    let keys = curves.clone().flat_map(|curve| curve.secs.iter().copied());
    let first = keys.clone().fold(f64::INFINITY, f64::min);
    let last = keys.fold(f64::NEG_INFINITY, f64::max);
    let start = if range.has_start { range.start } else { range.start.max(first) };
    let end = range.end.unwrap_or(last).max(start);
    if !start.is_finite() || start.abs().max(end) > Time::LONGEST.secs() {
        return None;
    }
    let still = |secs: f64| Moment { secs, is_jump: false };
    let mut all = vec![still(start), still(end)];
    for curve in curves {
        all.extend(curve.moments().filter(|moment| (start..=end).contains(&moment.secs)));
    }
    if is_dense {
        let frames = (first.max(start) * RATE).ceil() as i64..=(last.min(end) * RATE).floor() as i64;
        // A day at this rate has 2,592,000 frames.
        all.extend(frames.map(|frame| still(frame as f64 / RATE)));
    }
    all.sort_by(|a, b| a.secs.total_cmp(&b.secs));
    all.dedup_by(|next, kept| {
        let is_one = next.secs - kept.secs < ONE;
        if is_one && next.is_jump {
            *kept = *next;
        }
        is_one
    });
    Some(all)
}
