//! ANIM: a clip. Its keyframes and keys are sections of plain numbers (`keys`). See docs/wad-format.md, "ANIM".

use std::borrow::Cow;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::anim::clip::{Clip, Event, LoopMode};
use crate::anim::delay::Delay;
use crate::anim::keyframes::Keyframes;
use crate::anim::root_motion::RootMotion;
use crate::anim::shared_list::SharedList;
use crate::anim::time::{FrameRate, Time};
use crate::wad::error::Fault;
use crate::wad::record::keys::{PackedKeyframes, sections_of_keys, with_delays, write_keys};
use crate::wad::record::stored::{Invalid, Stored, record};
use crate::wad::record::{Input, to_bytes};
use crate::wad::sections::{Parts, join};

#[derive(Serialize, Deserialize)]
pub struct ClipRecordV1 {
    name: String,
    frames: u32,
    per_secs: u32,
    loop_mode: LoopModeRecordV1,
    events: Vec<EventRecordV1>,
    root_motion: RootMotionRecordV1,
}

record! { enum LoopModeRecordV1 of LoopMode { Once, Loop, PingPong } }

record! { enum RootMotionRecordV1 of RootMotion { None, Ground, Height, Turn } }

record! {
    struct EventRecordV1 of Event {
        /// In flicks.
        time: i64,
        name: String,
    }
}

/// A clip without its keyframes.
pub fn record_of(clip: &Clip) -> Result<ClipRecordV1, Invalid> {
    Ok(ClipRecordV1 {
        name: clip.name.clone(),
        frames: clip.frame_rate.frames(),
        per_secs: clip.frame_rate.per_secs(),
        loop_mode: clip.loop_mode.to_record()?,
        events: clip.events.to_record()?,
        root_motion: clip.root_motion.to_record()?,
    })
}

pub fn write(clip: &Clip) -> Result<Vec<u8>, String> {
    let record = record_of(clip).map_err(|error| error.to_string())?;
    let sections = match clip.keyframes.packed_bytes() {
        // Keys that were read and not changed are neither decoded nor encoded.
        Some(lump) => sections_of_keys(lump)?,
        None => {
            let keyframes = clip.keyframes.iter().map(|it| (it.duration, it.kind, &it.keys[..]));
            write_keys(keyframes)?.into_iter().map(Cow::Owned).collect()
        }
    };
    let sections = with_delays(sections, write_delays(clip).map(Cow::Owned));
    join(&to_bytes(&record)?, &sections)
}

/// Checks the whole lump. The keyframes stay packed in the bytes of the lump.
pub fn read(input: Input<'_>) -> Result<Arc<Clip>, Fault> {
    let (record, mut parts) = input.split::<ClipRecordV1>()?;
    let keyframes = PackedKeyframes::check(&mut parts, || (input.share)(input.bytes))?;
    let delays = read_delays(&mut parts)?;
    parts.end()?;
    let clip = Clip { keyframes: Keyframes::packed(Arc::new(keyframes)), delays, ..head_of(record)? };
    clip.check().map_err(|error| Fault::from(error.to_string()))?;
    Ok(Arc::new(clip))
}

/// The section of the delays, which a clip without delays lacks: bone and flicks of each.
pub fn write_delays(clip: &Clip) -> Option<Vec<u8>> {
    let rows: Vec<[i64; 2]> = clip.delays.iter().map(|delay| [i64::from(delay.bone), delay.by.0]).collect();
    (!rows.is_empty()).then(|| bytemuck::cast_slice(&rows).to_vec())
}

/// Reads that section, if it is there, and skips the one of handles, which were read with the keys. The clip is checked by the
/// caller.
pub fn read_delays(parts: &mut Parts<'_>) -> Result<SharedList<Delay>, Fault> {
    if parts.left() == 0 {
        return Ok(SharedList::default());
    }
    let delay = |row: [i64; 2]| {
        let bone = u16::try_from(row[0]).map_err(|_| Fault::from(format!("a delay of bone {}", row[0])))?;
        Ok(Delay { bone, by: Time(row[1]) })
    };
    let delays: Vec<Delay> =
        parts.values::<[i64; 2]>("delays")?.into_iter().map(delay).collect::<Result<_, Fault>>()?;
    if parts.left() > 0 {
        parts.section("handle lengths")?;
    }
    Ok(SharedList::from(delays))
}

/// A clip without its keyframes and delays.
pub fn head_of(record: ClipRecordV1) -> Result<Clip, Fault> {
    let frame_rate = FrameRate::new(record.frames, record.per_secs)
        .ok_or_else(|| Fault::from(format!("invalid frame rate {}/{}", record.frames, record.per_secs)))?;
    Ok(Clip {
        name: record.name,
        frame_rate,
        loop_mode: Stored::from_record(record.loop_mode)?,
        keyframes: Keyframes::default(),
        events: Stored::from_record(record.events)?,
        delays: SharedList::default(),
        root_motion: Stored::from_record(record.root_motion)?,
    })
}
