//! The command of a journal record. See docs/wad-format.md, "Journal".

use crate::wad::error::Fault;
use crate::wad::journal::{KeyPlace, Place};
use crate::wad::record::stored::{Stored, record};
use crate::wad::record::{from_bytes, to_bytes};

/// A journal record without its lumps.
pub enum Command {
    Start { first: u32, saved: Vec<u64> },
    Step { label: String, before: Place, after: Place },
    Position { done: u32, place: Place },
    Place(Place),
    Saved { hash: u64 },
}

record! {
    enum CommandRecordV1 of Command {
        Start { first: u32, saved: Vec<u64> },
        Step { label: String, before: PlaceRecordV1, after: PlaceRecordV1 },
        Position { done: u32, place: PlaceRecordV1 },
        Place(place: PlaceRecordV1),
        Saved { hash: u64 },
    }
}

record! {
    struct PlaceRecordV1 of Place {
        model: u32,
        clip: Option<u32>,
        /// In flicks.
        time: i64,
        bones: Vec<u16>,
        keyframes: Vec<u32>,
        keys: Vec<KeyPlaceRecordV1>,
    }
}

record! { struct KeyPlaceRecordV1 of KeyPlace { keyframe: u32, bone: u16, channel: u8 } }

pub fn write(command: &Command) -> Result<Vec<u8>, String> {
    to_bytes(&command.to_record().map_err(|error| error.to_string())?)
}

pub fn read(bytes: &[u8]) -> Result<Command, Fault> {
    Ok(Command::from_record(from_bytes(bytes)?)?)
}
