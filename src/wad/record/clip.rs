//! ANIM: a clip. Its keyframes and keys are sections of plain numbers (`keys`). See docs/wad-format.md, "ANIM".

use std::sync::Arc;

use glam::Vec4;
use serde::{Deserialize, Serialize};

use crate::anim::clip::{Clip, Event, LoopMode};
use crate::anim::key::Key;
use crate::anim::keyframes::Keyframes;
use crate::anim::time::FrameRate;
use crate::wad::error::Fault;
use crate::wad::record::keys::{PackedKeyframes, modes_of};
use crate::wad::record::stored::{Invalid, Stored, record};
use crate::wad::record::{Input, Record, to_bytes};
use crate::wad::sections::{floats, join};

#[derive(Serialize, Deserialize)]
struct ClipRecordV1 {
    name: String,
    frames: u32,
    per_secs: u32,
    loop_mode: LoopModeRecordV1,
    events: Vec<EventRecordV1>,
}

record! { enum LoopModeRecordV1 of LoopMode { Once, Loop, PingPong } }

record! {
    struct EventRecordV1 of Event {
        /// In flicks.
        time: i64,
        name: String,
    }
}

impl Record for ClipRecordV1 {
    const MAX_BYTES: usize = 0x100_0000;
}

fn record_of(clip: &Clip) -> Result<ClipRecordV1, Invalid> {
    Ok(ClipRecordV1 {
        name: clip.name.clone(),
        frames: clip.frame_rate.frames(),
        per_secs: clip.frame_rate.per_secs(),
        loop_mode: clip.loop_mode.to_record()?,
        events: clip.events.to_record()?,
    })
}

pub fn write(clip: &Clip) -> Result<Vec<u8>, String> {
    let record = record_of(clip).map_err(|error| error.to_string())?;
    let durations: Vec<i64> = clip.keyframes.iter().map(|keyframe| keyframe.duration.0).collect();
    let counts = clip.keyframes.iter().map(|keyframe| keyframe.keys.len().to_record());
    let counts = counts.collect::<Result<Vec<u32>, Invalid>>().map_err(|error| error.to_string())?;
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

/// Checks the whole lump. The keyframes stay packed in the bytes of the lump.
pub fn read(input: Input<'_>) -> Result<Clip, Fault> {
    let (record, mut parts) = input.split::<ClipRecordV1>()?;
    let frame_rate = FrameRate::new(record.frames, record.per_secs)
        .ok_or_else(|| Fault::from(format!("invalid frame rate {}/{}", record.frames, record.per_secs)))?;
    let keyframes = PackedKeyframes::check(&mut parts, || (input.share)(input.bytes))?;
    parts.end()?;
    let clip = Clip {
        name: record.name,
        frame_rate,
        loop_mode: Stored::from_record(record.loop_mode)?,
        keyframes: Keyframes::packed(Arc::new(keyframes)),
        events: Stored::from_record(record.events)?,
    };
    clip.check().map_err(|error| Fault::from(error.to_string()))?;
    Ok(clip)
}
