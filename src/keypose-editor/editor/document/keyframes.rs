//! Edits of keyframes: insert, split, duplicate, delete, reorder, retime.

use std::collections::BTreeSet;

use crate::editor::document::edit::{EditError, Gap};
use crate::editor::document::keys;
use crate::editor::document::retiming::Places;
use keypose::anim::clip::{Clip, Keyframe, KeyframeKind, LoopMode};
use keypose::anim::key::Key;
use keypose::anim::time::Time;

/// The duration of the first keyframe of a clip, in frames.
pub const FIRST_DURATION_FRAMES: i64 = 6;

/// Fails if the clip has no such keyframe.
pub fn require(clip: &Clip, keyframe: usize) -> Result<(), EditError> {
    if keyframe < clip.keyframes.len() {
        Ok(())
    } else {
        Err(EditError::NoKeyframe { clip: clip.name.clone(), keyframe })
    }
}

/// See [`crate::editor::document::edit::KeyEdit::KeyAt`].
pub fn key_at(clip: &mut Clip, time: Time, keys: &[Key]) -> Result<(), EditError> {
    let keyframe = ensure_at(clip, time)?;
    keys::set(clip, keyframe, keys)
}

/// Returns the keyframe that starts at a time; creates it if there is none.
///
/// ```text
/// before      |0---------|1----|          length 16, times kept
/// inside 0    |0---|1----|2----|
/// at the end  |0---------|1----|2----|    the new last one takes over the last duration
/// ```
pub fn ensure_at(clip: &mut Clip, time: Time) -> Result<usize, EditError> {
    ensure_all(clip, &[time].into())?;
    clip.keyframe_at(time).ok_or(EditError::Time)
}

/// Like [`ensure_at`] for several times, one after the other.
pub fn ensure_all(clip: &mut Clip, times: &BTreeSet<Time>) -> Result<(), EditError> {
    let (Some(first), Some(last)) = (times.first(), times.last()) else { return Ok(()) };
    if *first < Time::ZERO || *last > Time::LONGEST {
        return Err(EditError::Time);
    }
    if clip.keyframes.is_empty() {
        // A lead-in if the first keyframe doesn't start at zero.
        if *first > Time::ZERO {
            clip.keyframes.push(Keyframe { duration: *first, ..Keyframe::default() });
        }
        let duration = clip.frame_rate.time_of(FIRST_DURATION_FRAMES);
        clip.keyframes.push(Keyframe { duration, ..Keyframe::default() });
    }
    for time in times.iter().copied() {
        let Some((at, start)) = clip.keyframes.containing(time) else { return Err(EditError::Time) };
        let (before, duration) = (time - start, clip.keyframes[at].duration);
        if before > Time::ZERO {
            clip.keyframes[at].duration = before;
            let rest = if before < duration { duration - before } else { duration };
            clip.keyframes.insert(at + 1, Keyframe { duration: rest, ..Keyframe::default() });
        }
    }
    Ok(())
}

/// See [`crate::editor::document::edit::KeyEdit::InsertAfter`].
pub fn insert_after(clip: &mut Clip, at: usize, new: &[Keyframe]) -> Result<Places, EditError> {
    let (count, is_empty) = (clip.keyframes.len(), clip.keyframes.is_empty() && at == 0);
    if !is_empty {
        require(clip, at)?;
    }
    let mut durations: Vec<Time> = new.iter().map(|keyframe| keyframe.duration).collect();
    if let (Some(closing), false) = (clip.keyframes.get_mut(at).filter(|it| it.duration == Time::ZERO), new.is_empty())
    {
        // The closing keyframe without duration is no longer the last one: the last new one takes over.
        closing.duration = std::mem::take(&mut durations[0]);
        durations.rotate_left(1);
    }
    let first = if is_empty { 0 } else { at + 1 };
    for ((place, keyframe), duration) in (first..).zip(new).zip(durations) {
        clip.keyframes.insert(place, Keyframe { duration, kind: keyframe.kind, ..Keyframe::default() });
        keys::set(clip, place, &keyframe.keys)?;
    }
    Ok((0..count).map(|old| Some(if old <= at { old } else { old + new.len() })).collect())
}

/// See [`crate::editor::document::edit::KeyEdit::DuplicateKeyframe`].
pub fn duplicate(clip: &mut Clip, at: usize) -> Result<Places, EditError> {
    require(clip, at)?;
    let mut copy = clip.keyframes[at].clone();
    if copy.duration == Time::ZERO {
        copy.duration = mean_duration(clip);
    }
    insert_after(clip, at, &[copy])
}

/// Divides keyframes into those at the start of a clip, and the others as they are counted without them: the first ones leave no gap that
/// another could take, so all that follows moves.
pub fn first_and_others(keyframes: &[usize]) -> [Vec<usize>; 2] {
    let first: Vec<usize> = (0..).take_while(|at| keyframes.contains(at)).collect();
    let others = keyframes.iter().filter_map(|at| at.checked_sub(first.len())).collect();
    [first, others]
}

/// See [`crate::editor::document::edit::KeyEdit::DeleteKeyframes`].
pub fn delete(clip: &mut Clip, keyframes: &[usize], gap: Gap) -> Result<Places, EditError> {
    keyframes.iter().try_for_each(|&keyframe| require(clip, keyframe))?;
    let is_kept = |keyframe: &usize| !keyframes.contains(keyframe);
    let count = clip.keyframes.len();
    let mut places = vec![None; count];
    let mut kept: Vec<Keyframe> = Vec::with_capacity(count);
    for (old, keyframe) in std::mem::take(&mut clip.keyframes).into_iter().enumerate() {
        if is_kept(&old) {
            places[old] = Some(kept.len());
            kept.push(keyframe);
        } else if let (Gap::Kept, Some(before)) = (gap, kept.last_mut()) {
            before.duration += keyframe.duration;
        }
    }
    clip.keyframes = kept.into();
    // The previous keyframe takes the time of a deleted one, so nothing moves unless the first one was deleted.
    Ok(if gap == Gap::Kept && is_kept(&0) { Vec::new() } else { places })
}

/// See [`crate::editor::document::edit::KeyEdit::MoveKeyframe`].
pub fn reorder(clip: &mut Clip, from: usize, to: usize) -> Result<Places, EditError> {
    require(clip, from)?;
    require(clip, to)?;
    let mean = mean_duration(clip);
    let mut order: Vec<usize> = (0..clip.keyframes.len()).collect();
    let moved = order.remove(from);
    order.insert(to, moved);
    clip.keyframes = order.iter().map(|&old| clip.keyframes[old].clone()).collect();
    let last = clip.keyframes.len() - 1;
    for keyframe in clip.keyframes.iter_mut().take(last) {
        if keyframe.duration == Time::ZERO {
            keyframe.duration = mean;
        }
    }
    let mut places = vec![None; order.len()];
    order.iter().enumerate().for_each(|(new, &old)| places[old] = Some(new));
    Ok(places)
}

/// See [`crate::editor::document::edit::KeyEdit::SetDurations`].
pub fn set_durations(clip: &mut Clip, durations: &[(usize, Time)]) -> Result<Places, EditError> {
    for (keyframe, duration) in durations {
        require(clip, *keyframe)?;
        clip.keyframes[*keyframe].duration = *duration;
    }
    Ok((0..clip.keyframes.len()).map(Some).collect())
}

/// See [`crate::editor::document::edit::KeyEdit::SetKind`].
pub fn set_kind(clip: &mut Clip, times: &[Time], kind: KeyframeKind) -> Result<(), EditError> {
    times.iter().try_for_each(|time| {
        let at = clip.keyframe_at(*time).ok_or(EditError::Time)?;
        clip.keyframes[at].kind = kind;
        Ok(())
    })
}

/// The mean of the nonzero durations, on the clip's grid, at least one frame.
pub fn mean_duration(clip: &Clip) -> Time {
    let count = clip.keyframes.iter().filter(|keyframe| keyframe.duration > Time::ZERO).count() as i64;
    if count == 0 {
        return clip.frame_rate.time_of(FIRST_DURATION_FRAMES);
    }
    let frames = clip.frame_rate.nearest_frame(clip.length() / count).max(1);
    clip.frame_rate.time_of(frames)
}

/// Gives the last keyframe of a looping clip a duration, which the return to the first pose needs.
pub fn open_seam(clip: &mut Clip, seam_differs: bool) {
    let mean = mean_duration(clip);
    if let Some(last) = clip.keyframes.last_mut()
        && clip.loop_mode == LoopMode::Loop
        && last.duration == Time::ZERO
        && seam_differs
    {
        last.duration = mean;
    }
}
