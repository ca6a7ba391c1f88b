//! Clips of our own export: what glTF can't say of them is in their notes.

use glam::Vec4;
use gltf::json::animation::Animation;
use serde_json::Value;

use crate::anim::bezier::{LENGTHS, THIRD};
use crate::anim::clip::Clip;
use crate::anim::key::{Channel, Ease, HandleKind, Key};
use crate::anim::scalar::ScalarIndex;
use crate::anim::skeleton::BoneIndex;
use crate::anim::time::Time;
use crate::import::assembly::keyframes::{Column, before_rounding};
use crate::import::gltf::json::{float, whole};
use crate::import::gltf::morphs::Weights;
use crate::import::gltf::own::{self, ClipNotes};

/// The keys of scalars that are no weights of a mesh.
pub fn values(json: &Animation, weights: &Weights) -> Vec<Column> {
    let notes = own::notes(&json.extras).and_then(|notes| notes.get("values")?.as_array().cloned());
    let column = |value: Value| {
        let scalar: ScalarIndex = whole(value.get("scalar")?)?;
        let bone = (usize::from(scalar) < weights.scalars.len()).then(|| weights.bone(scalar))?;
        let mut keys: Vec<_> =
            value.get("keys")?.as_array()?.iter().filter_map(|key| key_of(key, bone, scalar)).collect();
        keys.sort_by_key(|(time, _)| *time);
        keys.dedup_by_key(|(time, _)| *time);
        (!keys.is_empty()).then_some(Column { bone, channel: Channel::Scalar(scalar), keys })
    };
    notes.into_iter().flatten().filter_map(column).collect()
}

fn key_of(json: &Value, bone: BoneIndex, scalar: ScalarIndex) -> Option<(Time, Key)> {
    let number = |name: &str| json.get(name).and_then(float);
    // Rounded as the key times of transforms are, so that both are in the same keyframe.
    let time = Time::from_secs(f64::from(number("time")?));
    let key = Key {
        ease: Ease::named(json.get("ease")?.as_str()?)?,
        handles: HandleKind::named(json.get("handles")?.as_str()?)?,
        in_tangent: Vec4::new(number("in")?, 0.0, 0.0, 0.0),
        out_tangent: Vec4::new(number("out")?, 0.0, 0.0, 0.0),
        ..Key::scalar(bone, scalar, number("value")?)
    };
    let length = |name: &str| number(name).filter(|length| LENGTHS.contains(length)).unwrap_or(THIRD);
    let key = Key { in_length: length("inLength"), out_length: length("outLength"), ..key };
    (Time::ZERO..=Time::LONGEST).contains(&time).then_some((time, key))
}

/// Adds loop mode, frame rate, events and kinds of keyframes to a clip. Notes with invalid values are ignored.
pub fn add_notes(clip: Clip, json: &Animation) -> Clip {
    let Some(notes) = ClipNotes::of(&json.extras) else { return clip };
    let ClipNotes { loop_mode, frame_rate, mut events, kinds, root_motion } = notes;
    // Key times of 32 bits can end the clip a little before its last event.
    events.iter_mut().for_each(|event| event.time = event.time.min(clip.length()));
    let mut noted = Clip { loop_mode, frame_rate, events: events.into(), root_motion, ..clip.clone() };
    for (time, kind) in kinds {
        if let Some(keyframe) =
            noted.keyframe_at(before_rounding(time, frame_rate)).and_then(|at| noted.keyframes.get_mut(at))
        {
            keyframe.kind = kind;
        }
    }
    if noted.check().is_ok() { noted } else { clip }
}
