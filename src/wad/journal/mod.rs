//! The journal: every undo step of an editing session, appended to a file beside the archive, so that a crash loses no
//! acknowledged edit. Reads and writes bytes; the app writes the file.
//!
//! See docs/wad-format.md, "Journal".

use xxhash_rust::xxh3::xxh3_64;

use crate::anim::key::Channel;
use crate::anim::skeleton::BoneIndex;
use crate::anim::time::Time;
use crate::wad::archive::Archive;
use crate::wad::bytes::Cursor;
use crate::wad::error::{Fault, WadError};
use crate::wad::pack::{Lump, pack};
use crate::wad::record::journal::{self as record_of, Command};

mod rebase;
mod replay;

pub use crate::wad::encode::delta;
pub use rebase::rebase;
pub use replay::{Replayed, Step, replay};

/// The first bytes of every journal.
pub const MAGIC: [u8; 8] = [0x89, b'K', b'J', b'N', b'L', 0x0d, 0x0a, 0x1a];
/// The offset of the first record.
pub const HEAD_BYTES: usize = 16;
const VERSION: u32 = 1;
const FRAME_BYTES: usize = 24;
/// The offset of the command in a payload, after its length.
const COMMAND_AT: usize = 4;

/// The active clip, the playhead and the selection, by indices into lists: ids differ from session to session.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Place {
    /// Index in the project's list.
    pub model: u32,
    /// Index in the model's list; `None` for the rest pose.
    pub clip: Option<u32>,
    /// The playhead.
    pub time: Time,
    /// Selected bones, the active one last.
    pub bones: Vec<BoneIndex>,
    /// Selected keyframes of the clip.
    pub keyframes: Vec<u32>,
    /// Selected keys of the clip.
    pub keys: Vec<KeyPlace>,
}

/// A key of the clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct KeyPlace {
    pub keyframe: u32,
    pub bone: BoneIndex,
    pub channel: Channel,
}

/// An event of the session.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// Changes the archive to the oldest state that undo reaches. Only allowed first; without it the archive is that state.
    Start {
        /// Lumps and tombstones.
        lumps: Vec<Lump>,
    },
    /// An undo step. Discards the steps that were undone.
    Step {
        /// Its label.
        label: String,
        /// Selection and playhead before it.
        before: Place,
        /// Selection and playhead after it.
        after: Place,
        /// The [`delta`] between the states before and after.
        lumps: Vec<Lump>,
    },
    /// Undo or redo.
    Position {
        /// The number of steps that are done now.
        done: u32,
        /// Selection and playhead now.
        place: Place,
    },
    /// A change of selection or playhead alone.
    Place(Place),
}

/// The complete records of a journal.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Read {
    /// The header hash of its archive; zero without one.
    pub base: u64,
    /// In order.
    pub events: Vec<Event>,
    /// The offset of the record of each event.
    pub offsets: Vec<usize>,
    /// The size of the complete records; the rest is a torn tail.
    pub whole_bytes: usize,
    /// Why the rest was not read; `None` if there is no rest.
    pub torn: Option<String>,
}

/// The bytes before the first record.
pub fn head() -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    out.extend(VERSION.to_le_bytes());
    out.extend([0; 4]);
    out
}

/// The bytes of one record.
pub fn record(event: &Event, sequence: u64, base: u64) -> Result<Vec<u8>, WadError> {
    let (command, lumps) = match event {
        Event::Start { lumps } => (Command::Start, lumps.as_slice()),
        Event::Step { label, before, after, lumps } => {
            (Command::Step { label: label.clone(), before: before.clone(), after: after.clone() }, lumps.as_slice())
        }
        Event::Position { done, place } => (Command::Position { done: *done, place: place.clone() }, &[][..]),
        Event::Place(place) => (Command::Place(place.clone()), &[][..]),
    };
    let error = |reason| WadError::Content { place: format!("journal, record {sequence}"), reason };
    let command = record_of::write(&command).map_err(error)?;
    let mut payload = u32::try_from(command.len()).unwrap_or(0).to_le_bytes().to_vec();
    payload.extend(command);
    if !lumps.is_empty() {
        payload.extend(pack(lumps.to_vec(), Some(0))?);
    }
    frame(&payload, sequence, base).ok_or_else(|| error("the record is too large".into()))
}

/// Adds the header of a record to its payload.
fn frame(payload: &[u8], sequence: u64, base: u64) -> Option<Vec<u8>> {
    let length = u32::try_from(payload.len()).ok()?;
    let mut out = Vec::with_capacity(payload.len().checked_add(FRAME_BYTES)?);
    out.extend(length.to_le_bytes());
    out.extend(checksum(sequence, base, payload).to_le_bytes());
    out.extend(sequence.to_le_bytes());
    out.extend(base.to_le_bytes());
    out.extend(payload);
    Some(out)
}

fn checksum(sequence: u64, base: u64, payload: &[u8]) -> u32 {
    let whole = xxh3_64(payload) ^ xxh3_64(&[sequence.to_le_bytes(), base.to_le_bytes()].concat());
    let [a, b, c, d, ..] = whole.to_le_bytes();
    u32::from_le_bytes([a, b, c, d])
}

/// Reads the complete records of a journal.
///
/// # Errors
/// If the file is no journal. A torn tail is no error.
pub fn read(bytes: &[u8]) -> Result<Read, WadError> {
    let mut out = Read { whole_bytes: HEAD_BYTES, ..Read::default() };
    for (at, payload) in Frames::open(bytes, &mut out)? {
        match read_payload(payload) {
            Ok(event) => {
                out.events.push(event);
                out.offsets.push(at);
            }
            Err(Fault { offset, reason }) => {
                let value = at.saturating_add(FRAME_BYTES).saturating_add(offset.unwrap_or(0));
                out.whole_bytes = at;
                out.torn = Some(format!("offset {value}: {reason}"));
                break;
            }
        }
    }
    Ok(out)
}

/// The payloads of a journal's complete records, with the offset of each record.
struct Frames;

impl Frames {
    fn open<'a>(bytes: &'a [u8], out: &mut Read) -> Result<Vec<(usize, &'a [u8])>, WadError> {
        let head_is_right = bytes.get(..HEAD_BYTES).is_some_and(|found| found == head());
        if !head_is_right {
            let reason = "not a journal of this version".to_owned();
            return Err(WadError::Container { place: "journal".into(), offset: 0, reason });
        }
        let mut cursor = Cursor::new(bytes);
        let mut frames = Vec::new();
        let start = cursor.take(HEAD_BYTES).map(|_| ());
        let mut whole = start.map_or(0, |()| cursor.offset());
        while whole < bytes.len() {
            match next_frame(&mut cursor, frames.len() as u64, &mut out.base) {
                Ok(payload) => frames.push((whole, payload)),
                Err(fault) => {
                    out.torn = Some(format!("offset {}: {}", fault.offset.unwrap_or(whole), fault.reason));
                    break;
                }
            }
            whole = cursor.offset();
        }
        out.whole_bytes = whole;
        Ok(frames)
    }
}

/// The payload of the next record. The first record decides the archive that all belong to.
fn next_frame<'a>(cursor: &mut Cursor<'a>, wanted: u64, base: &mut u64) -> Result<&'a [u8], Fault> {
    let at = cursor.offset();
    let length = cursor.u32()?;
    let sum = cursor.u32()?;
    let (sequence, of) = (cursor.u64()?, cursor.u64()?);
    let payload = cursor.take(usize::try_from(length).map_err(|_| Fault::new(at, "the record is too long"))?)?;
    if checksum(sequence, of, payload) != sum {
        return Err(Fault::new(at, "checksum mismatch"));
    }
    if sequence != wanted || (wanted > 0 && of != *base) {
        return Err(Fault::new(at, "not the successor of the record before it"));
    }
    *base = of;
    Ok(payload)
}

/// Offsets of faults are from the start of the payload.
fn read_payload(payload: &[u8]) -> Result<Event, Fault> {
    let (command, patch) = split_payload(payload)?;
    let patch_at = payload.len().saturating_sub(patch.len());
    let lumps = || match patch.is_empty() {
        true => Ok(Vec::new()),
        false => Archive::open(patch).and_then(|patch| patch.to_lumps()).map_err(|error| {
            let within = error.offset().and_then(|offset| usize::try_from(offset).ok()).unwrap_or(0);
            Fault::new(patch_at.saturating_add(within), error.to_string())
        }),
    };
    Ok(match record_of::read(command).map_err(|fault| fault.in_record_at(COMMAND_AT))? {
        Command::Start => Event::Start { lumps: lumps()? },
        Command::Step { label, before, after } => Event::Step { label, before, after, lumps: lumps()? },
        Command::Position { done, place } => Event::Position { done, place },
        Command::Place(place) => Event::Place(place),
    })
}

fn split_payload(payload: &[u8]) -> Result<(&[u8], &[u8]), Fault> {
    let mut cursor = Cursor::new(payload);
    let length = usize::try_from(cursor.u32()?).unwrap_or(usize::MAX);
    let command = cursor.take(length)?;
    Ok((command, payload.get(cursor.offset()..).unwrap_or_default()))
}
