//! The edits that move, scale, mirror or ripple the selected keys in time and set their values.

use glam::Vec4;

use crate::editor::document::edit::{Edit, KeyEdit, KeyMove, KeyRef, Original};
use crate::editor::document::keys::time_of;
use crate::editor::session::selection::Selection;
use keypose::anim::clip::Clip;
use keypose::anim::time::Time;
use keypose::assets::id::ClipId;

/// A change of the times of the selected keys.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum KeyTimes {
    /// Moves them by a time.
    Shift(Time),
    /// Scales their distance from a time.
    Scale {
        /// The time that stays.
        about: Time,
        /// More than 1 spreads them.
        factor: f64,
    },
    /// Reverses their order.
    Mirror,
    /// Changes the duration before the first of them, which moves everything after it: events, drafts and keys that
    /// are not selected, too. If it is the clip's first keyframe, its own duration changes.
    Ripple(Time),
}

/// Whether times are rounded to frames of the clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grid {
    Frames,
    Free,
}

/// A change of the selected keys.
#[derive(Clone, Debug, PartialEq)]
pub struct KeysChange {
    /// The change of their times.
    pub times: KeyTimes,
    /// Whether the keys or copies of them are changed.
    pub original: Original,
    /// `None` follows the Snap switch.
    pub grid: Option<Grid>,
    /// New values of some keys, addressed by their old times.
    pub values: Vec<(KeyRef, Vec4)>,
}

impl KeysChange {
    /// A change of times alone, which follows the Snap switch.
    pub fn new(times: KeyTimes) -> KeysChange {
        KeysChange { times, original: Original::Moves, grid: None, values: Vec::new() }
    }
}

/// The edits of a change, and the move of each key if keys change their times.
pub fn edits(
    clip: &Clip,
    id: ClipId,
    selection: &Selection,
    change: &KeysChange,
    grid: Grid,
) -> (Vec<Edit>, Vec<KeyMove>) {
    let mut edits = Vec::new();
    if !change.values.is_empty() {
        edits.push(KeyEdit::SetValues { clip: id, values: change.values.clone() }.into());
    }
    if let KeyTimes::Ripple(by) = change.times {
        edits.extend(ripple(clip, id, selection, by, grid));
        return (edits, Vec::new());
    }
    let moves = moves(clip, selection, change.times, grid);
    if !moves.is_empty() {
        edits.push(KeyEdit::MoveKeys { clip: id, moves: moves.clone(), original: change.original }.into());
    }
    (edits, moves)
}

fn ripple(clip: &Clip, id: ClipId, selection: &Selection, by: Time, grid: Grid) -> Option<Edit> {
    let first = selection.keys.first()?.keyframe;
    let keyframe = first.saturating_sub(1);
    let (start, duration) = (clip.start_of(keyframe), clip.keyframes.get(keyframe)?.duration);
    let end = start + duration + by;
    let end = if grid == Grid::Frames { clip.frame_rate.snap(end) } else { end };
    // The minimum is one frame, or the duration before if that is shorter.
    let min = clip.frame_rate.frame().min(duration.max(Time(1)));
    Some(KeyEdit::SetDuration { clip: id, keyframe, duration: (end - start).clamp(min, Time::LONGEST) }.into())
}

/// The moves of the selected keys. None ends before the start of the clip.
fn moves(clip: &Clip, selection: &Selection, times: KeyTimes, grid: Grid) -> Vec<KeyMove> {
    let starts: Vec<Time> = clip.starts().collect();
    let start_of = |key: &KeyRef| starts.get(key.keyframe).copied().unwrap_or_else(|| time_of(clip, *key));
    // Keys are sorted by keyframe.
    let first = selection.keys.first().map(start_of).unwrap_or_default();
    let last = selection.keys.last().map(start_of).unwrap_or_default();
    let snapped = |time: Time| if grid == Grid::Frames { clip.frame_rate.snap(time) } else { time };
    let moved = |time: Time| {
        let time = match times {
            // All keys move by the same time, which the first key's snapping and the clip's start decide.
            KeyTimes::Shift(by) => time + (snapped(first + by).max(Time::ZERO) - first),
            KeyTimes::Scale { about, factor } => snapped(about + Time(((time - about).0 as f64 * factor) as i64)),
            KeyTimes::Mirror => snapped(first + last - time),
            KeyTimes::Ripple(_) => time,
        };
        time.clamp(Time::ZERO, Time::LONGEST)
    };
    selection.keys.iter().map(|key| KeyMove { from: *key, to: moved(start_of(key)) }).collect()
}

/// The keys after the moves.
pub fn after(clip: &Clip, moves: &[KeyMove]) -> Vec<KeyRef> {
    let starts: Vec<Time> = clip.starts().collect();
    let place = |one: &KeyMove| Some(KeyRef { keyframe: starts.binary_search(&one.to).ok()?, ..one.from });
    moves.iter().filter_map(place).collect()
}
