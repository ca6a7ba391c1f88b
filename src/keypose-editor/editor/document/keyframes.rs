//! Edits of keyframes: insert, split, duplicate, delete, reorder, retime.

use std::collections::BTreeSet;

use crate::editor::document::edit::{EditError, Gap};
use crate::editor::document::keys;
use crate::editor::document::retiming::Places;
use keypose::anim::clip::{Clip, Keyframe, KeyframeKind, LoopMode};
use keypose::anim::key::{HandleKind, Key};
use keypose::anim::skeleton::BoneIndex;
use keypose::anim::time::Time;
use keypose::anim::track::Track;

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

/// Creates a keyframe at each of the times at which none starts, one after the other.
///
/// ```text
/// before      |0---------|1----|          length 16, times kept
/// inside 0    |0---|1----|2----|
/// at the end  |0---------|1----|2----|    the new last one takes over the last duration
/// ```
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
    let keys = clip.keyframes.iter().flat_map(|keyframe| keyframe.keys.iter());
    let bones: BTreeSet<BoneIndex> = keys.filter(|key| is_by_hand(key)).map(|key| key.bone).collect();
    let (tracks, before) = (Track::keyed(clip, |bone| bones.contains(&bone)), bounds(clip));
    for (keyframe, duration) in durations {
        require(clip, *keyframe)?;
        clip.keyframes[*keyframe].duration = *duration;
    }
    keep_shapes(clip, &tracks, &before);
    Ok((0..clip.keyframes.len()).map(Some).collect())
}

fn is_by_hand(key: &Key) -> bool {
    matches!(key.handles, HandleKind::Aligned | HandleKind::Free)
}

/// The starts of all keyframes, and the end of the clip.
fn bounds(clip: &Clip) -> Vec<Time> {
    clip.starts().chain([clip.length()]).collect()
}

/// Makes handles that are set by hand flatter or steeper, so that curves keep their shapes after a change of durations. Aligned ones stay in
/// line. `tracks` and `before` are from before the change.
fn keep_shapes(clip: &mut Clip, tracks: &[Track], before: &[Time]) {
    let (now, count) = (bounds(clip), clip.keyframes.len());
    for track in tracks {
        let place = |(time, _): &(Time, Key)| before[..count].partition_point(|start| start < time);
        let places: Vec<usize> = track.keys.iter().map(place).collect();
        let last = places.len() - 1;
        // By how much the way from a key to the next one is longer now; `None` without a next one.
        let stretch = |at: usize| {
            let [old, new] = [before, &now[..]].map(|bounds| match places.get(at + 1) {
                Some(next) => bounds[*next] - bounds[places[at]],
                None => bounds[count] - bounds[places[at]] + bounds[places[0]],
            });
            let has_next = at < last || track.seam.is_some();
            (has_next && old > Time::ZERO && new > Time::ZERO).then(|| new.fraction_of(old) as f32)
        };
        for (at, (_, key)) in track.keys.iter().enumerate().filter(|(_, (_, key))| is_by_hand(key)) {
            let sides = (stretch(at.checked_sub(1).unwrap_or(last)), stretch(at));
            let (Some(before), Some(after)) = (sides.0.or(sides.1), sides.1.or(sides.0)) else { continue };
            let mut tangents = [key.in_tangent / before, key.out_tangent / after];
            if key.handles == HandleKind::Aligned {
                tangents = [(tangents[0] + tangents[1]) * 0.5; 2];
            }
            let [in_tangent, out_tangent] = tangents;
            if [before, after] != [1.0; 2] && tangents.iter().all(|tangent| tangent.is_finite()) {
                clip.keyframes[places[at]].set(Key { in_tangent, out_tangent, ..*key });
            }
        }
    }
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

#[cfg(test)]
mod tests {
    use glam::{Vec3, Vec4};
    use keypose::anim::key::Ease;

    use super::*;

    #[test]
    fn curves_with_handles_by_hand_keep_their_shapes_when_durations_change() {
        let keyframe = |(x, before, after): (f32, f32, f32)| {
            let (ease, handles) = (Ease::Cubic, HandleKind::Free);
            let (in_tangent, out_tangent) = (Vec4::X * before, Vec4::X * after);
            let key = Key { ease, handles, in_tangent, out_tangent, ..Key::translation(0, Vec3::X * x) };
            Keyframe { duration: Time::SECOND, keys: [key].into(), ..Keyframe::default() }
        };
        for loop_mode in LoopMode::ALL {
            let keyframes = [(0.0, 1.0, 3.0), (1.0, 2.0, -4.0), (-1.0, 1.0, 2.0)].map(keyframe).into();
            let mut clip = Clip { loop_mode, keyframes, ..Clip::new("test") };
            let old = Track::all_of(&clip).remove(0);
            set_durations(&mut clip, &[(0, Time::SECOND * 3), (2, Time::SECOND * 2)]).unwrap();
            let new = Track::all_of(&clip).remove(0);
            for step in 0..60 {
                let time = Time::SECOND * step / 20;
                let there = match step {
                    0..20 => time * 3,
                    20..40 => time + Time::SECOND * 2,
                    _ => time * 2,
                };
                let off = (old.sample(time) - new.sample(there)).abs().max_element();
                assert!(off < 1e-4, "{loop_mode:?} at {time}: {off}");
            }
        }
    }
}
