//! ANIM: a clip. Keyframes and keys are columns of plain numbers; names and events are in the record.

use std::borrow::Cow;
use std::ops::Range;

use glam::Vec4;
use serde::{Deserialize, Serialize};

use crate::anim::clip::{Clip, Event, Keyframe, LoopMode};
use crate::anim::key::{Channel, Ease, Key, TangentKind};
use crate::anim::time::{FrameRate, Time};
use crate::wad::error::Fault;
use crate::wad::record::{Record, from_bytes, index, to_bytes, to_index};
use crate::wad::sections::{Parts, floats, join, split};

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
    const MOST_BYTES: usize = 0x100_0000;
}

/// Channel, ease, tangent kind, 0: what a key has beside its numbers.
pub type KeyModes = [u8; 4];

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

pub fn read(bytes: &[u8]) -> Result<Clip, Fault> {
    let mut parts = split(bytes)?;
    let record: ClipRecordV1 = from_bytes(parts.record)?;
    let frame_rate = FrameRate::new(record.frames, record.per_secs)
        .ok_or_else(|| Fault::from(format!("{}/{} is no frame rate", record.frames, record.per_secs)))?;
    let clip = Clip {
        name: record.name,
        frame_rate,
        loop_mode: match record.loop_mode {
            LoopModeRecordV1::Once => LoopMode::Once,
            LoopModeRecordV1::Loop => LoopMode::Loop,
            LoopModeRecordV1::PingPong => LoopMode::PingPong,
        },
        keyframes: read_keyframes(&mut parts)?,
        events: record.events.into_iter().map(|event| Event { time: Time(event.flicks), name: event.name }).collect(),
    };
    parts.end()?;
    clip.check().map_err(|error| Fault::from(error.to_string()))?;
    Ok(clip)
}

fn read_keyframes(parts: &mut Parts<'_>) -> Result<Vec<Keyframe>, Fault> {
    let durations = parts.slice::<i64>("durations")?;
    let counts = parts.slice::<u32>("key counts")?;
    let keys = KeyColumns::read(parts)?;
    if durations.len() != counts.len() {
        return Err(Fault::from(format!("{} durations, {} key counts", durations.len(), counts.len())));
    }
    let mut keyframes = Vec::with_capacity(durations.len());
    let mut start = 0_usize;
    for (duration, count) in durations.iter().zip(counts.iter()) {
        let end = start.saturating_add(to_index(*count));
        let keys = keys.of(start..end)?;
        keyframes.push(Keyframe { duration: Time(*duration), keys });
        start = end;
    }
    match keys.bones.len().saturating_sub(start) {
        0 => Ok(keyframes),
        left => Err(Fault::from(format!("{left} keys too many"))),
    }
}

/// What keys are made of, where it lies.
struct KeyColumns<'a> {
    bones: Cow<'a, [u16]>,
    modes: Cow<'a, [KeyModes]>,
    values: Cow<'a, [[f32; 4]]>,
    /// In and out; both empty where all are zero.
    tangents: [Cow<'a, [[f32; 4]]>; 2],
}

impl<'a> KeyColumns<'a> {
    fn read(parts: &mut Parts<'a>) -> Result<KeyColumns<'a>, Fault> {
        let (bones, modes, values) = (parts.slice("bones")?, parts.slice("modes")?, parts.slice("values")?);
        let tangents = [parts.slice("in-tangents")?, parts.slice("out-tangents")?];
        let keys = KeyColumns { bones, modes, values, tangents };
        let count = keys.bones.len();
        let [ins, outs] = keys.tangents.each_ref().map(|tangents| tangents.len());
        let tangents = if ins == 0 && outs == 0 { count } else { ins.min(outs) };
        for (what, length) in [("modes", keys.modes.len()), ("values", keys.values.len()), ("tangents", tangents)] {
            if length != count {
                return Err(Fault::from(format!("{count} keys, {length} {what}")));
            }
        }
        Ok(keys)
    }

    /// The keys of one keyframe.
    fn of(&self, range: Range<usize>) -> Result<Vec<Key>, Fault> {
        let left = self.bones.len().saturating_sub(range.start);
        let none = || Fault::from(format!("{left} keys left, {} needed", range.len()));
        let bones = self.bones.get(range.clone()).ok_or_else(none)?;
        let modes = self.modes.get(range.clone()).ok_or_else(none)?;
        let values = self.values.get(range.clone()).ok_or_else(none)?;
        let [ins, outs] = self.tangents.each_ref().map(|tangents| tangents.get(range.clone()).unwrap_or_default());
        let mut keys = Vec::with_capacity(bones.len());
        for (at, ((bone, modes), value)) in bones.iter().zip(modes).zip(values).enumerate() {
            let tangent = |tangents: &[[f32; 4]]| tangents.get(at).copied().unwrap_or_default();
            keys.push(key_of(*bone, *modes, [*value, tangent(ins), tangent(outs)])?);
        }
        Ok(keys)
    }
}

/// The modes of a key, as they are stored.
pub fn modes_of(key: &Key) -> KeyModes {
    let channel = match key.channel {
        Channel::Translation => 0,
        Channel::Rotation => 1,
        Channel::Scale => 2,
    };
    let ease = match key.ease {
        Ease::Step => 0,
        Ease::Linear => 1,
        Ease::Cubic => 2,
    };
    let tangents = match key.tangents {
        TangentKind::Auto => 0,
        TangentKind::Flat => 1,
        TangentKind::Linear => 2,
        TangentKind::Free => 3,
        TangentKind::Broken => 4,
    };
    [channel, ease, tangents, 0]
}

/// A key from its stored parts: value, in-tangent, out-tangent.
pub fn key_of(bone: u16, modes: KeyModes, numbers: [[f32; 4]; 3]) -> Result<Key, Fault> {
    let [channel, ease, tangents, zero] = modes;
    let unknown = |what: &str, value: u8| Err(Fault::from(format!("{what} {value} of a key is not known")));
    let channel = match channel {
        0 => Channel::Translation,
        1 => Channel::Rotation,
        2 => Channel::Scale,
        other => return unknown("channel", other),
    };
    let ease = match ease {
        0 => Ease::Step,
        1 => Ease::Linear,
        2 => Ease::Cubic,
        other => return unknown("ease", other),
    };
    let tangents = match (tangents, zero) {
        (0, 0) => TangentKind::Auto,
        (1, 0) => TangentKind::Flat,
        (2, 0) => TangentKind::Linear,
        (3, 0) => TangentKind::Free,
        (4, 0) => TangentKind::Broken,
        (other, _) => return unknown("tangent kind", other),
    };
    let [value, in_tangent, out_tangent] = numbers.map(Vec4::from_array);
    Ok(Key { bone, channel, value, ease, in_tangent, out_tangent, tangents })
}
