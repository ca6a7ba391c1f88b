//! What a record of the journal says, beside the lumps that it carries.

use serde::{Deserialize, Serialize};

use crate::anim::key::Channel;
use crate::anim::time::Time;
use crate::wad::error::Fault;
use crate::wad::journal::{KeyPlace, Place};
use crate::wad::record::{Record, from_bytes, to_bytes};

#[derive(Serialize, Deserialize)]
enum JournalRecordV1 {
    Start,
    Step { label: String, before: PlaceRecordV1, after: PlaceRecordV1 },
    Position { done: u32, place: PlaceRecordV1 },
    Place(PlaceRecordV1),
}

#[derive(Serialize, Deserialize)]
struct PlaceRecordV1 {
    model: u32,
    clip: Option<u32>,
    flicks: i64,
    bones: Vec<u16>,
    keyframes: Vec<u32>,
    /// Keyframe, bone, channel.
    keys: Vec<(u32, u16, u8)>,
}

impl Record for JournalRecordV1 {
    const MAX_BYTES: usize = 0x100_0000;
}

/// What a record says.
pub enum Word {
    Start,
    Step { label: String, before: Place, after: Place },
    Position { done: u32, place: Place },
    Place(Place),
}

pub fn write(word: &Word) -> Result<Vec<u8>, String> {
    to_bytes(&match word {
        Word::Start => JournalRecordV1::Start,
        Word::Step { label, before, after } => {
            JournalRecordV1::Step { label: label.clone(), before: write_place(before), after: write_place(after) }
        }
        Word::Position { done, place } => JournalRecordV1::Position { done: *done, place: write_place(place) },
        Word::Place(place) => JournalRecordV1::Place(write_place(place)),
    })
}

pub fn read(bytes: &[u8]) -> Result<Word, Fault> {
    Ok(match from_bytes(bytes)? {
        JournalRecordV1::Start => Word::Start,
        JournalRecordV1::Step { label, before, after } => {
            Word::Step { label, before: read_place(before)?, after: read_place(after)? }
        }
        JournalRecordV1::Position { done, place } => Word::Position { done, place: read_place(place)? },
        JournalRecordV1::Place(place) => Word::Place(read_place(place)?),
    })
}

fn write_place(place: &Place) -> PlaceRecordV1 {
    let channel = |channel| match channel {
        Channel::Translation => 0,
        Channel::Rotation => 1,
        Channel::Scale => 2,
    };
    PlaceRecordV1 {
        model: place.model,
        clip: place.clip,
        flicks: place.time.0,
        bones: place.bones.clone(),
        keyframes: place.keyframes.clone(),
        keys: place.keys.iter().map(|key| (key.keyframe, key.bone, channel(key.channel))).collect(),
    }
}

fn read_place(record: PlaceRecordV1) -> Result<Place, Fault> {
    let key = |(keyframe, bone, channel)| {
        let channel = Channel::ALL.get(usize::from(channel)).copied();
        let channel = channel.ok_or_else(|| Fault::from("a key's channel is not known".to_owned()))?;
        Ok(KeyPlace { keyframe, bone, channel })
    };
    Ok(Place {
        model: record.model,
        clip: record.clip,
        time: Time(record.flicks),
        bones: record.bones,
        keyframes: record.keyframes,
        keys: record.keys.into_iter().map(key).collect::<Result<_, Fault>>()?,
    })
}
