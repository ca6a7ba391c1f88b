//! sOND: a sound. See docs/wad-format.md, "sOND".

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::assets::sound::{Sound, SoundRepeat};
use crate::wad::error::Fault;
use crate::wad::record::stored::{Invalid, Stored, record};
use crate::wad::record::{Input, to_bytes};
use crate::wad::sections::join;

#[derive(Serialize, Deserialize)]
struct SoundRecordV1 {
    name: String,
    rate: u32,
    channels: u8,
    volume: f32,
    repeat: SoundRepeatRecordV1,
}

record! { enum SoundRepeatRecordV1 of SoundRepeat { Once, Loop } }

pub fn write(sound: &Sound) -> Result<Vec<u8>, String> {
    let Sound { name, rate, channels, volume, repeat, samples } = sound;
    let invalid = |error: Invalid| error.to_string();
    let (volume, repeat) = (volume.to_record().map_err(invalid)?, repeat.to_record().map_err(invalid)?);
    let record = SoundRecordV1 { name: name.clone(), rate: *rate, channels: *channels, volume, repeat };
    join(&to_bytes(&record)?, &[samples])
}

pub fn read(input: Input<'_>) -> Result<Arc<Sound>, Fault> {
    let (record, mut parts) = input.split()?;
    let SoundRecordV1 { name, rate, channels, volume, repeat } = record;
    let section = parts.section("samples")?;
    parts.end()?;
    let (volume, repeat) = (Stored::from_record(volume)?, Stored::from_record(repeat)?);
    let sound = Sound { name, rate, channels, volume, repeat, samples: (input.share)(section.bytes) };
    sound.check().map_err(|reason| Fault::new(section.offset, reason))?;
    Ok(Arc::new(sound))
}
