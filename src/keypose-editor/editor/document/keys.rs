//! Edits of keys: set, remove, move in time, ease and tangents.

use std::collections::{BTreeMap, BTreeSet};

use glam::Vec4;

use crate::editor::document::edit::{EditError, Handles, KeyMove, KeyRef, Original};
use crate::editor::document::keyframes::{self, ensure_all, require};
use keypose::anim::clip::{Clip, KeyframeKind};
use keypose::anim::key::{Channel, Ease, HandleKind, Key};
use keypose::anim::time::Time;

/// Adds keys to a keyframe, replacing keys of the same channels.
pub fn set(clip: &mut Clip, keyframe: usize, keys: &[Key]) -> Result<(), EditError> {
    require(clip, keyframe)?;
    for key in keys {
        clip.keyframes[keyframe].set(checked(key)?);
    }
    Ok(())
}

/// Replaces all keys of a keyframe.
pub fn replace(clip: &mut Clip, keyframe: usize, keys: &[Key]) -> Result<(), EditError> {
    require(clip, keyframe)?;
    clip.keyframes[keyframe].keys.clear();
    set(clip, keyframe, keys)
}

/// Sets the values of existing keys. Of the two quaternions of a rotation, it takes the one that fits the tangents.
pub fn set_values(clip: &mut Clip, values: &[(KeyRef, Vec4)]) -> Result<(), EditError> {
    values.iter().try_for_each(|(at, value)| {
        let key = get_mut(clip, *at)?;
        let value = Key::new(at.bone, at.channel, *value).towards(key).value;
        *key = checked(&Key { value, ..*key })?;
        Ok(())
    })
}

/// Sets keys at their times; creates keyframes where none start.
pub fn set_at(clip: &mut Clip, keys: &[(Time, Key)]) -> Result<(), EditError> {
    let times: BTreeSet<Time> = keys.iter().map(|(time, _)| *time).collect();
    ensure_all(clip, &times)?;
    let places: BTreeMap<Time, usize> =
        times.iter().filter_map(|time| Some((*time, clip.keyframe_at(*time)?))).collect();
    for (time, key) in keys {
        let keyframe = places.get(time).ok_or(EditError::Time)?;
        clip.keyframes[*keyframe].set(checked(key)?);
    }
    Ok(())
}

/// Removes keys.
pub fn remove(clip: &mut Clip, keys: &[KeyRef]) -> Result<(), EditError> {
    for key in keys {
        get_mut(clip, *key)?;
        clip.keyframes[key.keyframe].remove(key.bone, key.channel);
    }
    Ok(())
}

/// See [`crate::editor::document::edit::KeyEdit::MoveKeys`].
pub fn move_in_time(clip: &mut Clip, moves: &[KeyMove], original: Original) -> Result<(), EditError> {
    let mut taken = Vec::with_capacity(moves.len());
    for KeyMove { from, to } in moves {
        taken.push((*to, *get_mut(clip, *from)?));
    }
    let kinds = moved_kinds(clip, moves);
    if original == Original::Moves {
        for (from, ..) in &kinds {
            clip.keyframes[*from].kind = KeyframeKind::Plain;
        }
        let gone: BTreeSet<KeyRef> = moves.iter().map(|one| one.from).collect();
        let keyframes: BTreeSet<usize> = gone.iter().map(|key| key.keyframe).collect();
        for keyframe in keyframes {
            let at = |key: &Key| KeyRef { keyframe, bone: key.bone, channel: key.channel };
            clip.keyframes[keyframe].keys.retain(|key| !gone.contains(&at(key)));
        }
    }
    set_at(clip, &taken)?;
    kinds.iter().try_for_each(|(_, to, kind)| keyframes::set_kind(clip, &[*to], *kind))
}

/// The keyframes that are not plain and whose keys all move to one time, with that time and their kind.
fn moved_kinds(clip: &Clip, moves: &[KeyMove]) -> Vec<(usize, Time, KeyframeKind)> {
    let mut of: BTreeMap<usize, Vec<Time>> = BTreeMap::new();
    moves.iter().for_each(|one| of.entry(one.from.keyframe).or_default().push(one.to));
    let moved = of.into_iter().filter_map(|(at, times)| {
        let (keyframe, to) = (&clip.keyframes[at], times[0]);
        let is_whole = times.len() == keyframe.keys.len() && times.iter().all(|time| *time == to);
        (is_whole && keyframe.kind != KeyframeKind::Plain).then_some((at, to, keyframe.kind))
    });
    moved.collect()
}

/// Sets how these keys blend to the next key of their channels.
pub fn set_ease(clip: &mut Clip, keys: &[KeyRef], ease: Ease) -> Result<(), EditError> {
    keys.iter().try_for_each(|key| {
        get_mut(clip, *key)?.ease = ease;
        Ok(())
    })
}

/// Sets the kind of handles of these keys.
pub fn set_kind(clip: &mut Clip, keys: &[KeyRef], kind: HandleKind) -> Result<(), EditError> {
    keys.iter().try_for_each(|key| {
        let key = get_mut(clip, *key)?;
        key.handles = kind;
        if kind == HandleKind::Aligned {
            let mean = (key.in_tangent + key.out_tangent) / 2.0;
            (key.in_tangent, key.out_tangent) = (mean, mean);
        }
        Ok(())
    })
}

/// Sets the handles of keys by hand.
pub fn set_handles(clip: &mut Clip, all: &[(KeyRef, Handles)]) -> Result<(), EditError> {
    all.iter().try_for_each(|(at, Handles { tangents, lengths })| {
        let key = get_mut(clip, *at)?;
        let ([in_tangent, out_tangent], [in_length, out_length]) = (*tangents, *lengths);
        let is_aligned = in_tangent == out_tangent && key.handles != HandleKind::Free;
        let handles = if is_aligned { HandleKind::Aligned } else { HandleKind::Free };
        *key = checked(&Key { in_tangent, out_tangent, in_length, out_length, handles, ..*key })?;
        Ok(())
    })
}

/// The key with a normalised rotation; an error if it isn't finite or the rotation is zero.
pub fn checked(key: &Key) -> Result<Key, EditError> {
    let mut key = *key;
    if key.channel == Channel::Rotation {
        key.value = key.value.normalize_or_zero();
    }
    if key.is_valid() { Ok(key) } else { Err(EditError::Value { bone: key.bone, channel: key.channel }) }
}

fn get_mut(clip: &mut Clip, at: KeyRef) -> Result<&mut Key, EditError> {
    let KeyRef { keyframe, bone, channel } = at;
    let missing = EditError::NoKey { clip: clip.name.clone(), keyframe, bone, channel };
    let keys = &mut clip.keyframes.get_mut(keyframe).ok_or(missing.clone())?.keys;
    match keys.binary_search_by_key(&(bone, channel), Key::address) {
        Ok(at) => Ok(&mut keys[at]),
        Err(_) => Err(missing),
    }
}

/// Every key of a keyframe.
pub fn of_keyframe(clip: &Clip, keyframe: usize) -> Vec<KeyRef> {
    let keys = clip.keyframes.get(keyframe).map_or(&[][..], |keyframe| &keyframe.keys);
    keys.iter().map(|key| KeyRef { keyframe, bone: key.bone, channel: key.channel }).collect()
}

/// The time of a key.
pub fn time_of(clip: &Clip, key: KeyRef) -> Time {
    clip.start_of(key.keyframe)
}
