//! The journal: every undo step of an editing session, appended to a file as records, so that a crash loses no acknowledged edit.
//! Reads and writes bytes; the app writes the file.
//!
//! See docs/wad-format.md, "Journal".

use xxhash_rust::xxh3::xxh3_64;

use crate::anim::key::Channel;
use crate::anim::skeleton::BoneIndex;
use crate::anim::time::Time;
use crate::assets::project::Project;
use crate::wad::archive::{Archive, check_expanded};
use crate::wad::bytes::Cursor;
use crate::wad::directory::{Codec, max_expanded};
use crate::wad::encode::parts_of;
use crate::wad::error::{Fault, WadError};
use crate::wad::pack::{Lump, pack, pack_in_room};
use crate::wad::record::journal::{self as record_of, Command};

pub mod clip_change;
mod delta;
mod replay;

pub use delta::{CLIP_CHANGE, delta};
pub use replay::{MAX_STATE_BYTES, Replayed, Step, replay};

/// The first bytes of every journal.
pub const MAGIC: [u8; 8] = [0x89, b'K', b'J', b'N', b'L', 0x0d, 0x0a, 0x1a];
/// The offset of the first record.
pub const HEAD_BYTES: usize = 16;
/// The format's version.
pub const VERSION: u32 = 1;
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
    /// Changes the base to the oldest state that undo reaches. Only allowed first; without it, the base is that state.
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
    /// The document was, or is about to be, saved to an archive.
    Saved {
        /// The hash of its content: of its header, or of the headers of all layers.
        hash: u64,
    },
}

/// The complete records of a journal.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Read {
    /// The header hash of the base: the archive that the steps start from.
    pub base: u64,
    /// In order.
    pub events: Vec<Event>,
    /// The offset of the record of each event.
    pub offsets: Vec<usize>,
    /// The size of the complete records; the rest is a torn tail.
    pub whole_bytes: usize,
    /// Why the rest was not read; `None` if there is no rest.
    pub torn: Option<String>,
    /// Whether the rest can't be the start of one record that was being written: a disk fault.
    pub is_damaged: bool,
    /// The sum of what their compressed lumps decompress to.
    pub expanded_bytes: usize,
}

impl Read {
    /// The hashes of the archives to which the document was saved.
    pub fn saved(&self) -> impl Iterator<Item = u64> {
        let hash = |event: &Event| if let Event::Saved { hash } = event { Some(*hash) } else { None };
        self.events.iter().filter_map(hash)
    }

    /// Returns true if the last thing that was done is a save that wrote this hash, or if there are no steps.
    pub fn is_saved_as(&self, hash: Option<u64>) -> bool {
        for event in self.events.iter().rev() {
            match event {
                Event::Saved { hash: saved } if hash == Some(*saved) => return true,
                Event::Saved { .. } | Event::Place(_) => {}
                Event::Start { .. } | Event::Step { .. } | Event::Position { .. } => return false,
            }
        }
        true
    }

    /// The labels of the steps that are done.
    pub fn labels(&self) -> Vec<&str> {
        let (mut labels, mut count) = (Vec::new(), 0);
        for event in &self.events {
            match event {
                Event::Step { label, .. } => {
                    labels.truncate(count);
                    labels.push(label.as_str());
                    count = labels.len();
                }
                Event::Position { done, .. } => count = usize::try_from(*done).unwrap_or(usize::MAX).min(labels.len()),
                Event::Start { .. } | Event::Place(_) | Event::Saved { .. } => {}
            }
        }
        labels.truncate(count);
        labels
    }
}

/// An archive of a document as it was opened, for a journal to start from. Takes no time for baked clips, which it leaves out.
///
/// # Errors
/// If the document can't be stored.
pub fn base_of(project: &Project) -> Result<Vec<u8>, WadError> {
    let lumps = parts_of(project).iter().map(|(key, part)| part.to_lump(key)).collect::<Result<Vec<_>, _>>()?;
    pack(lumps.into_iter().map(|lump| Lump { codec: Codec::Store, ..lump }).collect(), None)
}

/// Whether a file begins as a journal.
pub fn is_journal(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// The bytes before the first record.
pub fn head() -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    out.extend(VERSION.to_le_bytes());
    out.extend([0; 4]);
    out
}

/// The bytes of a journal with these events.
pub fn whole(events: &[Event], base: u64) -> Result<Vec<u8>, WadError> {
    whole_and_expanded(events, base).map(|(bytes, _)| bytes)
}

/// As [`whole`]. Returns as well what the compressed lumps decompress to.
pub fn whole_and_expanded(events: &[Event], base: u64) -> Result<(Vec<u8>, usize), WadError> {
    let (mut out, mut sum) = (head(), 0_usize);
    for (sequence, event) in (0..).zip(events) {
        let (record, expanded) = record_in_room(event, (sequence, base), room(out.len(), sum))?;
        out.extend(record);
        sum = sum.saturating_add(expanded);
    }
    Ok((out, sum))
}

/// To how many bytes the compressed lumps of a further record may decompress, besides a multiple of its size, in a journal of that
/// size whose lumps decompress to `expanded` bytes.
pub fn room(bytes: usize, expanded: usize) -> usize {
    max_expanded(bytes).saturating_sub(expanded)
}

/// The bytes of one record, of a journal with few others.
pub fn record(event: &Event, sequence: u64, base: u64) -> Result<Vec<u8>, WadError> {
    record_in_room(event, (sequence, base), usize::MAX).map(|(bytes, _)| bytes)
}

/// The bytes of the record with a sequence number and base in a journal with that [`room`], and what its lumps decompress to.
pub fn record_in_room(event: &Event, of: (u64, u64), room: usize) -> Result<(Vec<u8>, usize), WadError> {
    let error = |reason| WadError::Content { place: format!("journal, record {}", of.0), reason };
    let (payload, expanded) = payload(event, room).map_err(error)?;
    let framed = frame(&payload, of.0, of.1).ok_or_else(|| error("the record is too large".into()))?;
    Ok((framed, expanded))
}

/// The payload of a record, and what its lumps decompress to. The rest of it depends on the journal.
fn payload(event: &Event, room: usize) -> Result<(Vec<u8>, usize), String> {
    let (command, lumps) = match event {
        Event::Start { lumps } => (Command::Start, lumps.as_slice()),
        Event::Step { label, before, after, lumps } => {
            (Command::Step { label: label.clone(), before: before.clone(), after: after.clone() }, lumps.as_slice())
        }
        Event::Position { done, place } => (Command::Position { done: *done, place: place.clone() }, &[][..]),
        Event::Place(place) => (Command::Place(place.clone()), &[][..]),
        Event::Saved { hash } => (Command::Saved { hash: *hash }, &[][..]),
    };
    let command = record_of::write(&command)?;
    let mut payload = u32::try_from(command.len()).unwrap_or(0).to_le_bytes().to_vec();
    payload.extend(command);
    let mut expanded = 0;
    if !lumps.is_empty() {
        let mut lumps = lumps.to_vec();
        lumps.sort_by(|a, b| (a.kind, &a.name).cmp(&(b.kind, &b.name)));
        let (patch, sum) = pack_in_room(&lumps, Some(0), room).map_err(|error| error.to_string())?;
        payload.extend(patch);
        expanded = sum;
    }
    Ok((payload, expanded))
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
    read_by(bytes, &read_payload)
}

/// As [`read`], without the lumps of the events: what happened, in little memory and time.
///
/// # Errors
/// As [`read`].
pub fn outline(bytes: &[u8]) -> Result<Read, WadError> {
    read_by(bytes, &|payload, _, _| Ok(event_of(command_in(payload)?.0, Vec::new())))
}

/// Reads a payload. Its end in the file, and what the lumps of those before decompress to, limit what its lumps may.
type ReadPayload<'a> = &'a dyn Fn(&[u8], usize, &mut usize) -> Result<Event, Fault>;

fn read_by(bytes: &[u8], read_payload: ReadPayload<'_>) -> Result<Read, WadError> {
    let mut out = Read { whole_bytes: HEAD_BYTES, ..Read::default() };
    let frames = frames(bytes, &mut out)?;
    for (at, payload) in frames {
        let end = at.saturating_add(FRAME_BYTES).saturating_add(payload.len());
        match read_payload(payload, end, &mut out.expanded_bytes) {
            Ok(event) => {
                out.events.push(event);
                out.offsets.push(at);
            }
            Err(Fault { offset, reason }) => {
                let value = at.saturating_add(FRAME_BYTES).saturating_add(offset.unwrap_or(0));
                out.whole_bytes = at;
                (out.torn, out.is_damaged) = (Some(format!("offset {value}: {reason}")), true);
                break;
            }
        }
    }
    Ok(out)
}

/// The payloads of a journal's complete records, with the offset of each record.
fn frames<'a>(bytes: &'a [u8], out: &mut Read) -> Result<Vec<(usize, &'a [u8])>, WadError> {
    if !bytes.starts_with(&head()) {
        let reason = "not a journal of this version".to_owned();
        return Err(WadError::Container { place: "journal".into(), offset: 0, reason });
    }
    let (mut cursor, mut frames) = (Cursor::new(bytes), Vec::new());
    let mut whole = cursor.take(HEAD_BYTES).map_or(0, <[u8]>::len);
    while whole < bytes.len() {
        match next_frame(&mut cursor, frames.len() as u64, &mut out.base) {
            Ok(payload) => frames.push((whole, payload)),
            Err(fault) => {
                out.torn = Some(format!("offset {}: {}", fault.offset.unwrap_or(whole), fault.reason));
                out.is_damaged = !is_unfinished(bytes.get(whole..).unwrap_or_default());
                break;
            }
        }
        whole = cursor.offset();
    }
    out.whole_bytes = whole;
    Ok(frames)
}

/// Whether bytes can be the start of one record that was being written when the program or the machine stopped: they end before the
/// record does, or are zeros.
fn is_unfinished(rest: &[u8]) -> bool {
    let mut cursor = Cursor::new(rest);
    let length = cursor.u32().ok().and_then(|length| usize::try_from(length).ok()).unwrap_or(usize::MAX);
    rest.len() < FRAME_BYTES.saturating_add(length) || rest.iter().all(|byte| *byte == 0)
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

/// Reads the record that ends at `end` in the journal, and adds what its lumps decompress to to the sum of those before it.
/// Offsets of faults are from the start of the payload.
fn read_payload(payload: &[u8], end: usize, expanded: &mut usize) -> Result<Event, Fault> {
    let (command, patch) = command_in(payload)?;
    let patch_at = payload.len().saturating_sub(patch.len());
    let fault = |error: WadError| {
        let within = error.offset().and_then(|offset| usize::try_from(offset).ok()).unwrap_or(0);
        Fault::new(patch_at.saturating_add(within), error.to_string())
    };
    let mut lumps = || {
        if patch.is_empty() {
            return Ok(Vec::new());
        }
        let patch = Archive::open(patch).map_err(fault)?;
        let sum = expanded.saturating_add(patch.expanded_bytes());
        check_expanded(sum, end).map_err(|Fault { reason, .. }| Fault::new(patch_at, reason))?;
        *expanded = sum;
        patch.to_lumps().map_err(fault)
    };
    let has_lumps = matches!(command, Command::Start | Command::Step { .. });
    let lumps = if has_lumps { lumps()? } else { Vec::new() };
    Ok(event_of(command, lumps))
}

fn event_of(command: Command, lumps: Vec<Lump>) -> Event {
    match command {
        Command::Start => Event::Start { lumps },
        Command::Step { label, before, after } => Event::Step { label, before, after, lumps },
        Command::Position { done, place } => Event::Position { done, place },
        Command::Place(place) => Event::Place(place),
        Command::Saved { hash } => Event::Saved { hash },
    }
}

/// The command of a payload, and the archive with its lumps.
fn command_in(payload: &[u8]) -> Result<(Command, &[u8]), Fault> {
    let (command, patch) = split_payload(payload)?;
    Ok((record_of::read(command).map_err(|fault| fault.in_record_at(COMMAND_AT))?, patch))
}

fn split_payload(payload: &[u8]) -> Result<(&[u8], &[u8]), Fault> {
    let mut cursor = Cursor::new(payload);
    let length = usize::try_from(cursor.u32()?).unwrap_or(usize::MAX);
    let command = cursor.take(length)?;
    Ok((command, payload.get(cursor.offset()..).unwrap_or_default()))
}
