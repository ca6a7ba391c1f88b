//! The selected keys moved, scaled, mirrored or pushed along in time, their values with them: the edits that this is.

use glam::Vec4;

use crate::anim::clip::Clip;
use crate::anim::time::Time;
use crate::assets::id::ClipId;
use crate::editor::document::edit::{Edit, KeyMove, KeyRef, Original};
use crate::editor::document::keys::time_of;
use crate::editor::session::selection::Selection;

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
    /// The time before the first of them gets longer or shorter, and all that follows goes along: events, drafts and
    /// keys that are not selected too. Where the first is the clip's first, its own duration changes.
    Ripple(Time),
}

/// Whether times are rounded to the clip's frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Grid {
    Frames,
    Free,
}

/// What happens to the selected keys.
#[derive(Clone, Debug, PartialEq)]
pub struct KeysChange {
    /// To their times.
    pub times: KeyTimes,
    /// Whether copies go and the originals stay.
    pub original: Original,
    /// `None` is as the switch says.
    pub grid: Option<Grid>,
    /// New values of some keys, before their times change.
    pub values: Vec<(KeyRef, Vec4)>,
}

impl KeysChange {
    /// Only the times of the keys themselves, snapped as the switch says.
    pub fn new(times: KeyTimes) -> KeysChange {
        KeysChange { times, original: Original::Moves, grid: None, values: Vec::new() }
    }
}

/// The edits that a change of the selected keys is, and where each key goes where that changes.
pub fn edits(
    clip: &Clip,
    id: ClipId,
    selection: &Selection,
    change: &KeysChange,
    grid: Grid,
) -> (Vec<Edit>, Vec<KeyMove>) {
    let mut edits = Vec::new();
    if !change.values.is_empty() {
        edits.push(Edit::SetValues { clip: id, values: change.values.clone() });
    }
    if let KeyTimes::Ripple(by) = change.times {
        edits.extend(ripple(clip, id, selection, by, grid));
        return (edits, Vec::new());
    }
    let moves = moves(clip, selection, change.times, grid);
    if !moves.is_empty() {
        edits.push(Edit::MoveKeys { clip: id, moves: moves.clone(), original: change.original });
    }
    (edits, moves)
}

fn ripple(clip: &Clip, id: ClipId, selection: &Selection, by: Time, grid: Grid) -> Option<Edit> {
    let first = selection.keys.first()?.keyframe;
    let keyframe = first.saturating_sub(1);
    let (start, duration) = (clip.start_of(keyframe), clip.keyframes.get(keyframe)?.duration);
    let end = start + duration + by;
    let end = if grid == Grid::Frames { clip.frame_rate.snap(end) } else { end };
    // A keyframe keeps a frame, or what it had where that is less.
    let least = clip.frame_rate.frame().min(duration.max(Time(1)));
    Some(Edit::SetDuration { clip: id, keyframe, duration: (end - start).clamp(least, Time::LONGEST) })
}

/// The moves of the selected keys. None of them goes before the start of the clip.
fn moves(clip: &Clip, selection: &Selection, times: KeyTimes, grid: Grid) -> Vec<KeyMove> {
    let starts: Vec<Time> = clip.starts().collect();
    let start_of = |key: &KeyRef| starts.get(key.keyframe).copied().unwrap_or_else(|| time_of(clip, *key));
    // Keys are in the order of their keyframes.
    let first = selection.keys.first().map(start_of).unwrap_or_default();
    let last = selection.keys.last().map(start_of).unwrap_or_default();
    let snapped = |time: Time| if grid == Grid::Frames { clip.frame_rate.snap(time) } else { time };
    let moved = |time: Time| {
        let time = match times {
            // All by the same, so they keep their distances: the first one decides where the frames are and how far
            // back they go.
            KeyTimes::Shift(by) => time + (snapped(first + by).max(Time::ZERO) - first),
            KeyTimes::Scale { about, factor } => snapped(about + Time(((time - about).0 as f64 * factor) as i64)),
            KeyTimes::Mirror => snapped(first + last - time),
            KeyTimes::Ripple(_) => time,
        };
        time.clamp(Time::ZERO, Time::LONGEST)
    };
    selection.keys.iter().map(|key| KeyMove { from: *key, to: moved(start_of(key)) }).collect()
}

/// The keys where they are after the moves, to be selected.
pub fn after(clip: &Clip, moves: &[KeyMove]) -> Vec<KeyRef> {
    let starts: Vec<Time> = clip.starts().collect();
    let place = |one: &KeyMove| Some(KeyRef { keyframe: starts.binary_search(&one.to).ok()?, ..one.from });
    moves.iter().filter_map(place).collect()
}
