//! Clips of our own export: the same keyframes as before, if the file still has the keys that its notes describe.

use std::collections::BTreeMap;

use glam::Vec4;
use gltf::json::animation::{Animation, Property};
use gltf::json::validation::Checked;
use serde_json::Value;

use crate::anim::clip::{Clip, Keyframe};
use crate::anim::key::{Channel, Key};
use crate::anim::scalar::ScalarIndex;
use crate::anim::skeleton::BoneIndex;
use crate::anim::tangent::resolve_tangents;
use crate::anim::time::Time;
use crate::import::assembly::hierarchy::Bones;
use crate::import::assembly::keyframes::Column;
use crate::import::gltf::morphs::Weights;
use crate::import::gltf::own::{self, ChannelNotes, ClipNotes};

/// The rounding of a time to seconds as `f32`, of which a time is divided by this.
const ROUNDING: i64 = 1 << 21;
/// The rounding of the shortest times, in flicks.
const MIN_ROUNDING: i64 = 2;

/// The channel that a property of a node is.
pub fn channel_of(path: Checked<Property>) -> Option<Channel> {
    match path {
        Checked::Valid(Property::Translation) => Some(Channel::Translation),
        Checked::Valid(Property::Rotation) => Some(Channel::Rotation),
        Checked::Valid(Property::Scale) => Some(Channel::Scale),
        Checked::Valid(Property::MorphTargetWeights) | Checked::Invalid => None,
    }
}

/// The clip that was exported; `None` if its keys are not where the notes say.
pub fn assemble(name: &str, json: &Animation, columns: &[Column], targets: (&Bones, &Weights)) -> Option<Clip> {
    let notes = ClipNotes::of(&json.extras)?;
    let channels = channel_notes(json, targets);
    let starts = starts(&notes.durations);
    let keyframe = |duration: &Time| Keyframe { duration: *duration, ..Keyframe::default() };
    let mut clip = Clip {
        loop_mode: notes.loop_mode,
        frame_rate: notes.frame_rate,
        keyframes: notes.durations.iter().map(keyframe).collect(),
        events: notes.events.into(),
        ..Clip::new(name)
    };
    for column in columns {
        let keys = match channels.get(&(column.bone, column.channel)) {
            Some(notes) => own_keys(&column.keys, notes)?,
            None => column.keys.clone(),
        };
        for (time, key) in keys {
            clip.keyframes.get_mut(nearest(&starts, time)?)?.keys.push(key);
        }
    }
    for (keyframe, key) in values(json, targets.1) {
        clip.keyframes.get_mut(keyframe)?.keys.push(key);
    }
    clip.keyframes.iter_mut().for_each(|keyframe| keyframe.keys.sort_by_key(Key::address));
    clip.check().ok()?;
    if notes.is_resolved {
        resolve_tangents(&mut clip);
    }
    Some(clip)
}

/// The keys of scalars that are no weights of a mesh, with their keyframes.
fn values(json: &Animation, weights: &Weights) -> Vec<(usize, Key)> {
    let notes = own::notes(&json.extras).and_then(|notes| notes.get("values")?.as_array().cloned());
    let mut keys = Vec::new();
    for value in notes.unwrap_or_default() {
        let scalar = value.get("scalar").and_then(Value::as_u64).and_then(|scalar| ScalarIndex::try_from(scalar).ok());
        let Some(scalar) = scalar.filter(|scalar| usize::from(*scalar) < weights.scalars.len()) else { continue };
        let of_scalar = value.get("keys").and_then(Value::as_array).into_iter().flatten();
        keys.extend(of_scalar.filter_map(|key| value_key(key, weights.bone(scalar), scalar)));
    }
    keys
}

fn value_key(json: &Value, bone: BoneIndex, scalar: ScalarIndex) -> Option<(usize, Key)> {
    let number = |name: &str| json.get(name)?.as_f64().map(own::float);
    let letter = |name: &str| json.get(name)?.as_str()?.chars().next();
    let keyframe = usize::try_from(json.get("keyframe")?.as_u64()?).ok()?;
    let key = Key {
        ease: own::ease(letter("ease")?)?,
        tangents: own::tangent(letter("tangents")?)?,
        in_tangent: Vec4::new(number("in")?, 0.0, 0.0, 0.0),
        out_tangent: Vec4::new(number("out")?, 0.0, 0.0, 0.0),
        ..Key::scalar(bone, scalar, number("value")?)
    };
    Some((keyframe, key))
}

/// The notes of all channels. The first of several channels with the same target counts, as for their keys.
fn channel_notes(
    json: &Animation,
    (bones, weights): (&Bones, &Weights),
) -> BTreeMap<(BoneIndex, Channel), ChannelNotes> {
    let mut notes = BTreeMap::new();
    for channel in &json.channels {
        let node = channel.target.node.value();
        if channel.target.path == Checked::Valid(Property::MorphTargetWeights) {
            let scalars = weights.of_node(node).unwrap_or_default();
            for (&scalar, of) in scalars.iter().zip(ChannelNotes::of_weights(&channel.extras)) {
                notes.entry((weights.bone(scalar), Channel::Scalar(scalar))).or_insert(of);
            }
            continue;
        }
        let target = bones.of(node).zip(channel_of(channel.target.path));
        if let Some(target) = target {
            notes.entry(target).or_insert_with(|| ChannelNotes::of(&channel.extras));
        }
    }
    notes
}

/// The keys that the clip had. `None` if the notes are about other keys.
fn own_keys(keys: &[(Time, Key)], notes: &ChannelNotes) -> Option<Vec<(Time, Key)>> {
    let is_added = |at: usize| u64::try_from(at).is_ok_and(|at| notes.added.binary_search(&at).is_ok());
    let kept = keys.iter().enumerate().filter(|(at, _)| !is_added(*at)).map(|(_, key)| *key);
    let mut kept: Vec<(Time, Key)> = kept.collect();
    let is_whole = |count: Option<usize>| count.is_none_or(|count| count == kept.len());
    if !is_whole(notes.eases.as_ref().map(Vec::len)) || !is_whole(notes.tangents.as_ref().map(Vec::len)) {
        return None;
    }
    for ((_, key), ease) in kept.iter_mut().zip(notes.eases.iter().flatten()) {
        key.ease = *ease;
    }
    for ((_, key), kind) in kept.iter_mut().zip(notes.tangents.iter().flatten()) {
        key.tangents = *kind;
    }
    Some(kept)
}

#[allow(clippy::arithmetic_side_effects)] // Times saturate.
fn starts(durations: &[Time]) -> Vec<Time> {
    let mut next = Time::ZERO;
    let start = |duration: &Time| {
        let start = next;
        next += *duration;
        start
    };
    durations.iter().map(start).collect()
}

/// The keyframe that starts at a time that was rounded.
#[allow(clippy::arithmetic_side_effects)] // Times saturate.
fn nearest(starts: &[Time], time: Time) -> Option<usize> {
    let after = starts.partition_point(|start| *start < time);
    let apart = |at: &usize| starts.get(*at).map(|start| Time((*start - time).0.saturating_abs()));
    let near = [after.saturating_sub(1), after].into_iter().filter_map(|at| Some((apart(&at)?, at))).min()?;
    let tolerance = Time((time / ROUNDING).0.max(MIN_ROUNDING));
    (near.0 <= tolerance).then_some(near.1)
}
