//! ANIM: a clip. Keyframes and keys are columns of plain numbers (`keys`); names and events are in the record.

use std::sync::Arc;

use glam::Vec4;
use serde::{Deserialize, Serialize};

use crate::anim::clip::{Clip, Event, LoopMode};
use crate::anim::key::Key;
use crate::anim::keyframes::Keyframes;
use crate::anim::time::{FrameRate, Time};
use crate::assets::bytes::Bytes;
use crate::wad::error::Fault;
use crate::wad::record::keys::{PackedKeyframes, modes_of};
use crate::wad::record::{Record, from_bytes, index, to_bytes};
use crate::wad::sections::{floats, join, split};

#[derive(Serialize, Deserialize)]
struct ClipRecordV1 {
    name: String,
    frames: u32,
    per_secs: u32,
    loop_mode: LoopModeRecordV1,
    events: Vec<EventRecordV1>,
}

#[derive(Serialize, Deserialize)]
enum LoopModeRecordV1 {
    Once,
    Loop,
    PingPong,
}

#[derive(Serialize, Deserialize)]
struct EventRecordV1 {
    flicks: i64,
    name: String,
}

impl Record for ClipRecordV1 {
    const MAX_BYTES: usize = 0x100_0000;
}

pub fn write(clip: &Clip) -> Result<Vec<u8>, String> {
    let record = ClipRecordV1 {
        name: clip.name.clone(),
        frames: clip.frame_rate.frames(),
        per_secs: clip.frame_rate.per_secs(),
        loop_mode: match clip.loop_mode {
            LoopMode::Once => LoopModeRecordV1::Once,
            LoopMode::Loop => LoopModeRecordV1::Loop,
            LoopMode::PingPong => LoopModeRecordV1::PingPong,
        },
        events: clip
            .events
            .iter()
            .map(|event| EventRecordV1 { flicks: event.time.0, name: event.name.clone() })
            .collect(),
    };
    let durations: Vec<i64> = clip.keyframes.iter().map(|keyframe| keyframe.duration.0).collect();
    let counts = clip.keyframes.iter().map(|keyframe| index(keyframe.keys.len(), "key"));
    let counts = counts.collect::<Result<Vec<u32>, _>>()?;
    let keys: Vec<&Key> = clip.keyframes.iter().flat_map(|keyframe| &keyframe.keys).collect();
    let column = |of: fn(&Key) -> Vec4| keys.iter().map(|key| of(key).to_array()).collect::<Vec<_>>();
    let has_tangents = keys.iter().any(|key| key.in_tangent != Vec4::ZERO || key.out_tangent != Vec4::ZERO);
    let tangents = |of| if has_tangents { column(of) } else { Vec::new() };
    let sections = [
        bytemuck::cast_slice(&durations).to_vec(),
        bytemuck::cast_slice(&counts).to_vec(),
        bytemuck::cast_slice(&keys.iter().map(|key| key.bone).collect::<Vec<u16>>()).to_vec(),
        keys.iter().flat_map(|key| modes_of(key)).collect(),
        floats(&column(|key| key.value), "keys")?,
        floats(&tangents(|key| key.in_tangent), "tangents")?,
        floats(&tangents(|key| key.out_tangent), "tangents")?,
    ];
    join(&to_bytes(&record)?, &sections)
}

/// Checks all of it; keyframes stay packed in bytes of their own, which `share` makes of the lump's.
pub fn read(bytes: &[u8], share: impl Fn(&[u8]) -> Bytes) -> Result<Clip, Fault> {
    let mut parts = split(bytes)?;
    let record: ClipRecordV1 = from_bytes(parts.record)?;
    let frame_rate = FrameRate::new(record.frames, record.per_secs)
        .ok_or_else(|| Fault::from(format!("{}/{} is no frame rate", record.frames, record.per_secs)))?;
    let keyframes = PackedKeyframes::check(&mut parts, || share(bytes))?;
    parts.end()?;
    let clip = Clip {
        name: record.name,
        frame_rate,
        loop_mode: match record.loop_mode {
            LoopModeRecordV1::Once => LoopMode::Once,
            LoopModeRecordV1::Loop => LoopMode::Loop,
            LoopModeRecordV1::PingPong => LoopMode::PingPong,
        },
        keyframes: Keyframes::packed(Arc::new(keyframes)),
        events: record.events.into_iter().map(|event| Event { time: Time(event.flicks), name: event.name }).collect(),
    };
    clip.check().map_err(|error| Fault::from(error.to_string()))?;
    Ok(clip)
}
