//! The edits that move, scale, mirror or ripple the selected keys in time and set their values.

use std::collections::BTreeMap;

use glam::Vec4;

use crate::editor::document::edit::{Edit, Handles, KeyEdit, KeyMove, KeyRef, Original};
use crate::editor::document::keys::time_of;
use crate::editor::session::selection::Selection;
use keypose::anim::clip::Clip;
use keypose::anim::key::{Channel, Ease, HandleKind, Key};
use keypose::anim::skeleton::BoneIndex;
use keypose::anim::time::Time;
use keypose::assets::id::ClipId;

/// Handles don't follow a smaller factor.
const MIN_FACTOR: f64 = 1e-6;

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
        if change.original == Original::Moves {
            edits.extend(shapes(clip, id, selection, change.times));
        }
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
    let durations = vec![(keyframe, (end - start).clamp(min, Time::LONGEST))];
    Some(KeyEdit::SetDurations { clip: id, durations }.into())
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

/// The edits that keep the shape of curves whose keys are spread or mirrored in time: handles by hand get steeper or flatter, and those of
/// mirrored keys change sides, as do eases.
fn shapes(clip: &Clip, id: ClipId, selection: &Selection, times: KeyTimes) -> Vec<Edit> {
    let factor = match times {
        KeyTimes::Scale { factor, .. } if factor.abs() > MIN_FACTOR => factor as f32,
        KeyTimes::Mirror => -1.0,
        _ => return Vec::new(),
    };
    let handles = |at: &KeyRef| {
        let key = key_of(clip, at).filter(|key| matches!(key.handles, HandleKind::Aligned | HandleKind::Free))?;
        let mut handles = Handles::of(key);
        handles.tangents = handles.tangents.map(|tangent| tangent / factor);
        if factor < 0.0 {
            handles.tangents.reverse();
            handles.lengths.reverse();
        }
        Some((*at, handles))
    };
    let all: Vec<(KeyRef, Handles)> = selection.keys.iter().filter_map(handles).collect();
    let mut edits: Vec<Edit> = Vec::new();
    if !all.is_empty() {
        edits.push(KeyEdit::SetHandles { clip: id, handles: all }.into());
    }
    if factor < 0.0 {
        edits.extend(
            reversed_eases(clip, selection)
                .into_iter()
                .map(|(ease, keys)| KeyEdit::SetEase { clip: id, keys, ease }.into()),
        );
    }
    edits
}

fn key_of<'c>(clip: &'c Clip, at: &KeyRef) -> Option<&'c Key> {
    clip.keyframes.get(at.keyframe)?.key(at.bone, at.channel)
}

/// The keys that get another ease when the selected ones are mirrored: each has that of the key before it, which leads to it then.
fn reversed_eases(clip: &Clip, selection: &Selection) -> Vec<(Ease, Vec<KeyRef>)> {
    let mut channels = BTreeMap::<(BoneIndex, Channel), Vec<(KeyRef, Ease)>>::new();
    for at in &selection.keys {
        let ease = key_of(clip, at).map(|key| (*at, key.ease));
        channels.entry((at.bone, at.channel)).or_default().extend(ease);
    }
    let mut eases: Vec<(Ease, Vec<KeyRef>)> = Vec::new();
    for keys in channels.values() {
        for (before, (at, ease)) in keys.iter().cycle().skip(keys.len().saturating_sub(1)).zip(keys) {
            if before.1 == *ease {
                continue;
            }
            match eases.iter_mut().find(|(ease, _)| *ease == before.1) {
                Some((_, same)) => same.push(*at),
                None => eases.push((before.1, vec![*at])),
            }
        }
    }
    eases
}

/// The keys after the moves.
pub fn after(clip: &Clip, moves: &[KeyMove]) -> Vec<KeyRef> {
    let starts: Vec<Time> = clip.starts().collect();
    let place = |one: &KeyMove| Some(KeyRef { keyframe: starts.binary_search(&one.to).ok()?, ..one.from });
    moves.iter().filter_map(place).collect()
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::editor::document::Document;
    use keypose::anim::clip::Keyframe;
    use keypose::anim::skeleton::{Bone, Skeleton};
    use keypose::anim::time::FrameRate;
    use keypose::anim::track::Track;
    use keypose::anim::transform::Transform;
    use keypose::assets::model::{ClipSlot, Model};
    use keypose::assets::project::Project;

    #[test]
    fn curves_keep_their_shape_when_all_keys_are_spread_or_mirrored() {
        let key = |x: f32, ease, slopes: [f32; 2]| Key {
            ease,
            handles: HandleKind::Free,
            in_tangent: Vec4::X * slopes[0],
            out_tangent: Vec4::X * slopes[1],
            out_length: 0.7,
            ..Key::translation(0, Vec3::X * x)
        };
        let keys =
            [key(0.0, Ease::Linear, [0.0, 3.0]), key(1.0, Ease::Cubic, [2.0, -4.0]), key(-1.0, Ease::Step, [1.0, 0.0])];
        let frames = |count: i64| FrameRate::FPS_30.time_of(count);
        let keyframe = |(key, count): (Key, i64)| Keyframe {
            duration: frames(count),
            keys: vec![key].into(),
            ..Keyframe::default()
        };
        let clip = Clip { keyframes: keys.into_iter().zip([10, 20, 0]).map(keyframe).collect(), ..Clip::new("test") };
        let keys = (0..3).map(|keyframe| KeyRef { keyframe, bone: 0, channel: Channel::Translation }).collect();
        let selection = Selection { keys, ..Selection::default() };
        let bone = Bone { name: "root".into(), parent: None, rest: Transform::IDENTITY };
        let slot = ClipSlot { id: ClipId(1), clip: clip.clone().into() };
        let skeleton = Skeleton::new(vec![bone]).unwrap().into();
        let mut project = Project::default();
        project.add_model(Model { skeleton, clips: vec![slot], ..Model::default() });
        let document = Document::new(project);
        let id = document.models[0].clips[0].id;
        let twice = KeyTimes::Scale { about: Time::ZERO, factor: 2.0 };
        for (times, place) in [(twice, 2.0), (KeyTimes::Mirror, -1.0)] {
            let (edits, _) = edits(&clip, id, &selection, &KeysChange::new(times), Grid::Free);
            let document = document.with(&edits).unwrap();
            let changed = &document.models[0].clips[0].clip;
            let track = |clip: &Clip| Track::all_of(clip).remove(0);
            for step in 1..60 {
                let time = frames(30) * step / 60;
                let there = if place > 0.0 { time * 2 } else { frames(30) - time };
                let off = (track(&clip).sample(time) - track(changed).sample(there)).abs().max_element();
                assert!(off < 1e-4, "{times:?} at {time}: {off}");
            }
        }
    }
}
