//! Edits of keys: set, remove, move in time, ease and tangents.

use std::collections::{BTreeMap, BTreeSet};

use glam::Vec4;

use crate::anim::clip::{Clip, Keyframe, LoopMode};
use crate::anim::key::{Channel, Ease, Key, TangentKind};
use crate::anim::skeleton::BoneIndex;
use crate::anim::tangent;
use crate::anim::time::Time;
use crate::editor::document::edit::{EditError, KeyMove, KeyRef, Original};
use crate::editor::document::keyframes::{ensure_at, require};

/// Puts keys into a keyframe, over those that are there.
pub fn set(clip: &mut Clip, keyframe: usize, keys: &[Key]) -> Result<(), EditError> {
    require(clip, keyframe)?;
    for key in keys {
        clip.keyframes[keyframe].set(checked(key)?);
    }
    Ok(())
}

/// Exactly these keys, no others.
pub fn replace(clip: &mut Clip, keyframe: usize, keys: &[Key]) -> Result<(), EditError> {
    require(clip, keyframe)?;
    clip.keyframes[keyframe].keys.clear();
    set(clip, keyframe, keys)
}

/// Takes keys out.
pub fn remove(clip: &mut Clip, keys: &[KeyRef]) -> Result<(), EditError> {
    for key in keys {
        get_mut(clip, *key)?;
        clip.keyframes[key.keyframe].remove(key.bone, key.channel);
    }
    Ok(())
}

/// See [`crate::editor::document::edit::Edit::MoveKeys`].
pub fn move_in_time(clip: &mut Clip, moves: &[KeyMove], original: Original) -> Result<(), EditError> {
    let mut taken = Vec::with_capacity(moves.len());
    for KeyMove { from, to } in moves {
        taken.push((*to, *get_mut(clip, *from)?));
    }
    if original == Original::Moves {
        let gone: BTreeSet<KeyRef> = moves.iter().map(|one| one.from).collect();
        for (keyframe, column) in clip.keyframes.iter_mut().enumerate() {
            let at = |key: &Key| KeyRef { keyframe, bone: key.bone, channel: key.channel };
            column.keys.retain(|key| !gone.contains(&at(key)));
        }
    }
    let mut places = BTreeMap::new();
    for time in taken.iter().map(|(time, _)| *time) {
        places.insert(time, 0);
    }
    for time in places.keys() {
        ensure_at(clip, *time)?;
    }
    for (start, keyframe) in clip.starts().zip(0..).collect::<Vec<_>>() {
        places.entry(start).and_modify(|place| *place = keyframe);
    }
    for (time, key) in taken {
        clip.keyframes[places[&time]].set(key);
    }
    Ok(())
}

/// The course from these keys to the next of their channels.
pub fn set_ease(clip: &mut Clip, keys: &[KeyRef], ease: Ease) -> Result<(), EditError> {
    keys.iter().try_for_each(|key| {
        get_mut(clip, *key)?.ease = ease;
        Ok(())
    })
}

/// Who decides the tangents of these keys.
pub fn set_kind(clip: &mut Clip, keys: &[KeyRef], kind: TangentKind) -> Result<(), EditError> {
    keys.iter().try_for_each(|key| {
        let key = get_mut(clip, *key)?;
        key.tangents = kind;
        if kind == TangentKind::Free {
            let mean = (key.in_tangent + key.out_tangent) / 2.0;
            (key.in_tangent, key.out_tangent) = (mean, mean);
        }
        Ok(())
    })
}

/// Tangents by hand.
pub fn set_tangents(clip: &mut Clip, key: KeyRef, in_tangent: Vec4, out_tangent: Vec4) -> Result<(), EditError> {
    if !(in_tangent.is_finite() && out_tangent.is_finite()) {
        return Err(EditError::Value { bone: key.bone, channel: key.channel });
    }
    let is_broken = in_tangent != out_tangent;
    let key = get_mut(clip, key)?;
    (key.in_tangent, key.out_tangent) = (in_tangent, out_tangent);
    key.tangents = if is_broken { TangentKind::Broken } else { TangentKind::Free };
    Ok(())
}

/// The key itself, rotations brought to unit length; an error where it is not finite or a rotation without direction.
pub fn checked(key: &Key) -> Result<Key, EditError> {
    let mut key = *key;
    if key.channel == Channel::Rotation {
        key.value = key.value.normalize_or_zero();
    }
    match key.is_valid() {
        true => Ok(key),
        false => Err(EditError::Value { bone: key.bone, channel: key.channel }),
    }
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

/// Sets the tangents of one channel's keys, as [`crate::anim::tangent::resolve_tangents`] does for all.
pub fn resolve_channel(clip: &mut Clip, bone: BoneIndex, channel: Channel) {
    let seam = (clip.loop_mode == LoopMode::Loop).then(|| clip.length());
    let place = |column: usize, keyframe: &Keyframe| {
        let at = keyframe.keys.binary_search_by_key(&(bone, channel), Key::address).ok()?;
        Some((column, at))
    };
    let columns = clip.keyframes.iter().enumerate();
    let places: Vec<_> = columns.filter_map(|(column, keyframe)| place(column, keyframe)).collect();
    let starts: Vec<Time> = clip.starts().collect();
    let key = |&(column, at): &(usize, usize)| (starts[column], clip.keyframes[column].keys[at]);
    let mut keys: Vec<(Time, Key)> = places.iter().map(key).collect();
    tangent::resolve(&mut keys, seam);
    for ((column, at), (_, key)) in places.into_iter().zip(keys) {
        clip.keyframes[column].keys[at] = key;
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
