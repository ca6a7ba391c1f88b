//! The selected keys moved, scaled or mirrored in time: the moves that this is.

use crate::anim::clip::Clip;
use crate::anim::time::Time;
use crate::editor::document::edit::{KeyMove, KeyRef};
use crate::editor::document::keys::time_of;
use crate::editor::selection::Selection;

/// What happens to the times of the selected keys.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum KeyTimes {
    /// Earlier or later.
    Shift(Time),
    /// Nearer to a time or further from it.
    Scale {
        /// What stays where it is.
        about: Time,
        /// More than one spreads.
        factor: f64,
    },
    /// The first becomes the last.
    Mirror,
}

/// Whether times are rounded to the clip's frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Grid {
    Frames,
    Free,
}

/// The moves of the selected keys. None of them goes before the start of the clip.
pub fn moves(clip: &Clip, selection: &Selection, times: KeyTimes, grid: Grid) -> Vec<KeyMove> {
    let starts: Vec<Time> = clip.starts().collect();
    let start_of = |key: &KeyRef| starts.get(key.keyframe).copied().unwrap_or_else(|| time_of(clip, *key));
    let first = selection.keys.iter().map(start_of).min().unwrap_or_default();
    let last = selection.keys.iter().map(start_of).max().unwrap_or_default();
    let moved = |time: Time| {
        let time = match times {
            // All by the same: the first one decides how far back they go.
            KeyTimes::Shift(by) => time + by.max(-first),
            KeyTimes::Scale { about, factor } => about + Time(((time - about).0 as f64 * factor) as i64),
            KeyTimes::Mirror => first + last - time,
        };
        let time = if grid == Grid::Frames { clip.frame_rate.snap(time) } else { time };
        time.clamp(Time::ZERO, Time::LONGEST)
    };
    selection.keys.iter().map(|key| KeyMove { from: *key, to: moved(start_of(key)) }).collect()
}

/// The keys where they are after the moves, to be selected.
pub fn after(clip: &Clip, moves: &[KeyMove]) -> Vec<KeyRef> {
    let starts: std::collections::BTreeMap<Time, usize> = clip.starts().zip(0..).collect();
    let place = |one: &KeyMove| Some(KeyRef { keyframe: *starts.get(&one.to)?, ..one.from });
    moves.iter().filter_map(place).collect()
}
