//! Edits of drafts. Drafts are sorted by clip and time; there is at most one for each, and none is empty.

use crate::editor::document::edit::EditError;
use crate::editor::document::keys::checked;
use keypose::anim::bezier::THIRD;
use keypose::anim::clip::KeyframeKind;
use keypose::anim::key::{Channel, Key};
use keypose::anim::skeleton::BoneIndex;
use keypose::anim::time::Time;
use keypose::assets::draft::Draft;
use keypose::assets::id::ClipId;
use keypose::assets::model::Model;

/// Adds keys to the draft at a time, replacing keys of the same channels.
pub fn set(model: &mut Model, clip: Option<ClipId>, time: Time, keys: &[Key]) -> Result<(), EditError> {
    if time < Time::ZERO || time > Time::LONGEST {
        return Err(EditError::Time);
    }
    if clip.is_some_and(|clip| model.clip(clip).is_none()) {
        return Err(EditError::NoClip);
    }
    let mut draft = match place_of(model, clip, time) {
        Ok(at) => model.drafts.remove(at),
        Err(_) => Draft { clip, time, kind: KeyframeKind::Plain, keys: Vec::new() },
    };
    for key in keys {
        // Of a draft only the values count: the keys that it becomes get their handles from the clip.
        put(&mut draft, Key { in_length: THIRD, out_length: THIRD, ..checked(key)? });
    }
    add(model, draft);
    Ok(())
}

/// Sets the kind of the keyframe that a draft becomes, if there is one.
pub fn mark(model: &mut Model, clip: Option<ClipId>, time: Time, kind: KeyframeKind) {
    if let Ok(at) = place_of(model, clip, time) {
        model.drafts[at].kind = kind;
    }
}

/// Removes channels from a draft.
pub fn drop_keys(model: &mut Model, clip: Option<ClipId>, time: Time, channels: &[(BoneIndex, Channel)]) {
    if let Ok(at) = place_of(model, clip, time) {
        model.drafts[at].keys.retain(|key| !channels.contains(&key.address()));
        if model.drafts[at].keys.is_empty() {
            model.drafts.remove(at);
        }
    }
}

/// Moves a clip's drafts to their new times. If two meet they are merged; the later one wins.
pub fn retime(model: &mut Model, clip: ClipId, map: impl Fn(Time) -> Time) {
    let (moved, kept) = std::mem::take(&mut model.drafts).into_iter().partition(|draft| draft.clip == Some(clip));
    model.drafts = kept;
    let moved: Vec<Draft> = moved;
    for mut draft in moved {
        draft.time = map(draft.time).clamp(Time::ZERO, Time::LONGEST);
        match place_of(model, draft.clip, draft.time) {
            Ok(at) => draft.keys.into_iter().for_each(|key| put(&mut model.drafts[at], key)),
            Err(_) => add(model, draft),
        }
    }
}

/// Adds a draft at its sorted place unless it is empty.
pub fn add(model: &mut Model, draft: Draft) {
    if draft.keys.is_empty() {
        return;
    }
    match place_of(model, draft.clip, draft.time) {
        Ok(at) => model.drafts[at] = draft,
        Err(at) => model.drafts.insert(at, draft),
    }
}

/// Checks order, uniqueness and values.
pub fn check(model: &Model) -> Result<(), String> {
    if !model.drafts.is_sorted_by(|a, b| (a.clip, a.time) < (b.clip, b.time)) {
        return Err("drafts are out of order".into());
    }
    for draft in &model.drafts {
        let is_sorted = draft.keys.is_sorted_by(|a, b| a.address() < b.address());
        if draft.keys.is_empty() || !is_sorted || draft.keys.iter().any(|key| !key.is_valid()) {
            return Err(format!("the draft at {} is empty, unsorted or not finite", draft.time));
        }
        if draft.clip.is_some_and(|clip| model.clip(clip).is_none()) {
            return Err(format!("the draft at {} belongs to a clip that doesn't exist", draft.time));
        }
    }
    Ok(())
}

fn place_of(model: &Model, clip: Option<ClipId>, time: Time) -> Result<usize, usize> {
    model.drafts.binary_search_by_key(&(clip, time), |draft| (draft.clip, draft.time))
}

fn put(draft: &mut Draft, key: Key) {
    match draft.keys.binary_search_by_key(&key.address(), Key::address) {
        Ok(at) => draft.keys[at] = key,
        Err(at) => draft.keys.insert(at, key),
    }
}
