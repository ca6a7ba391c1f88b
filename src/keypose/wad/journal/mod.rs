//! The journal: every undo step of an editing session, appended to a file beside the archive, so that a crash loses no
//! acknowledged edit. Reads and writes bytes; the app writes the file.
//!
//! See docs/wad-format.md, "Journal".

use xxhash_rust::xxh3::xxh3_64;

use crate::anim::key::Channel;
use crate::anim::skeleton::BoneIndex;
use crate::anim::time::Time;
use crate::wad::archive::{Archive, check_expanded};
use crate::wad::bytes::Cursor;
use crate::wad::directory::{self, HEADER_BYTES, Header, max_expanded};
use crate::wad::error::{Fault, WadError};
use crate::wad::pack::{Lump, pack_in_room};
use crate::wad::record::journal::{self as record_of, Command};

pub mod clip_change;
mod delta;
mod rebase;
mod replay;

pub use delta::{CLIP_CHANGE, delta};
pub use rebase::{rebase, rebase_from};
pub use replay::{MAX_STATE_BYTES, Replayed, Step, replay};

/// The first bytes of every journal.
pub const MAGIC: [u8; 8] = [0x89, b'K', b'J', b'N', b'L', 0x0d, 0x0a, 0x1a];
/// The offset of the first record.
pub const HEAD_BYTES: usize = 16;
/// The newest version. Version 1 has no `saved` and no `KEYS`.
pub const VERSION: u32 = 2;
const FRAME_BYTES: usize = 24;
/// The bytes of a journal up to the payload of its first record: what [`first_base`] needs.
pub const FIRST_BASE_BYTES: usize = HEAD_BYTES + FRAME_BYTES;
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
    /// The archive was, or is about to be, saved.
    Saved {
        /// Its new header hash.
        base: u64,
        /// The number of a state: how many steps lead to it.
        from: u32,
        /// Changes the saved archive to that state. Undo does not reach back further over that archive.
        lumps: Vec<Lump>,
    },
}

/// The complete records of a journal.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Read {
    /// Its version.
    pub version: u32,
    /// The header hash of the archive that it was started for; zero without one.
    pub base: u64,
    /// In order.
    pub events: Vec<Event>,
    /// The offset of the record of each event.
    pub offsets: Vec<usize>,
    /// The size of the complete records; the rest is a torn tail.
    pub whole_bytes: usize,
    /// Why the rest was not read; `None` if there is no rest.
    pub torn: Option<String>,
    /// Whether the rest is surely the beginning of one record that was never finished, so that nothing acknowledged is in it.
    pub is_unfinished: bool,
    /// The number of whole records in the rest.
    pub behind: usize,
    /// The sum of what their compressed lumps decompress to.
    pub expanded_bytes: usize,
}

impl Read {
    /// Whether acknowledged events may be in the rest.
    pub fn is_damaged(&self) -> bool {
        self.torn.is_some() && !self.is_unfinished
    }

    /// Whether the steps can be replayed over an archive with this header hash.
    pub fn is_of(&self, hash: u64) -> bool {
        let is_saved_as = |event: &Event| matches!(event, Event::Saved { base, .. } if *base == hash);
        !self.events.is_empty() && (self.base == hash || self.events.iter().any(is_saved_as))
    }

    /// Whether an archive with this header hash is what was noted last, or nothing was done. A save that was only noted, and then failed or was
    /// killed, is none.
    pub fn is_saved_as(&self, hash: Option<u64>) -> bool {
        for event in self.events.iter().rev() {
            match event {
                Event::Saved { base, .. } if hash == Some(*base) => return true,
                Event::Saved { .. } | Event::Place(_) => {}
                Event::Start { .. } | Event::Step { .. } | Event::Position { .. } => return false,
            }
        }
        true
    }
}

/// Whether a file begins as a journal of a version that this program reads.
pub fn is_known(bytes: &[u8]) -> bool {
    version_of(bytes).is_some()
}

/// Whether a file begins as a journal.
pub fn is_journal(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// The header hash of the archive that the first record of a journal names, be it damaged or of another version.
pub fn first_base(bytes: &[u8]) -> Option<u64> {
    let (_, _, _, base, _) = split_frame(bytes.get(HEAD_BYTES..)?)?;
    Some(base)
}

/// The bytes before the first record.
pub fn head() -> Vec<u8> {
    head_of(VERSION)
}

fn head_of(version: u32) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    out.extend(version.to_le_bytes());
    out.extend([0; 4]);
    out
}

/// Whether bytes are the beginning of a journal of any version that is known, and hold no record.
pub fn is_torn_head(bytes: &[u8]) -> bool {
    (1..=VERSION).any(|version| head_of(version).starts_with(bytes))
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

/// The version of a journal; `None` if it is none, or of a version that is not known.
fn version_of(bytes: &[u8]) -> Option<u32> {
    let found = bytes.get(..HEAD_BYTES)?;
    (1..=VERSION).find(|version| found == head_of(*version))
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
        Event::Saved { base, from, lumps } => (Command::Saved { base: *base, from: *from }, lumps.as_slice()),
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
    let frames = Frames::open(bytes, &mut out)?;
    let count = frames.len();
    for (number, (at, payload)) in frames.into_iter().enumerate() {
        let end = at.saturating_add(FRAME_BYTES).saturating_add(payload.len());
        match read_payload(payload, end, &mut out.expanded_bytes) {
            Ok(event) => {
                out.events.push(event);
                out.offsets.push(at);
            }
            Err(Fault { offset, reason }) => {
                let value = at.saturating_add(FRAME_BYTES).saturating_add(offset.unwrap_or(0));
                out.whole_bytes = at;
                out.torn = Some(format!("offset {value}: {reason}"));
                out.is_unfinished = false;
                out.behind = out.behind.saturating_add(count.saturating_sub(number)).saturating_sub(1);
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
        out.version = version_of(bytes).ok_or_else(|| {
            let reason = "not a journal of this version".to_owned();
            WadError::Container { place: "journal".into(), offset: 0, reason }
        })?;
        let mut cursor = Cursor::new(bytes);
        let mut frames = Vec::new();
        let start = cursor.take(HEAD_BYTES).map(|_| ());
        let mut whole = start.map_or(0, |()| cursor.offset());
        while whole < bytes.len() {
            match next_frame(&mut cursor, frames.len() as u64, &mut out.base) {
                Ok(payload) => frames.push((whole, payload)),
                Err(fault) => {
                    out.torn = Some(format!("offset {}: {}", fault.offset.unwrap_or(whole), fault.reason));
                    let rest = bytes.get(whole..).unwrap_or_default();
                    let known = Some(out.base).filter(|_| !frames.is_empty());
                    out.behind = whole_frames(rest, known);
                    out.is_unfinished = out.behind == 0 && is_unfinished(rest, frames.len() as u64, out.base);
                    break;
                }
            }
            whole = cursor.offset();
        }
        out.whole_bytes = whole;
        Ok(frames)
    }
}

/// A record's length, checksum, sequence number and base, and what follows.
fn split_frame(bytes: &[u8]) -> Option<(usize, u32, u64, u64, &[u8])> {
    let mut cursor = Cursor::new(bytes);
    let (length, sum) = (cursor.u32().ok()?, cursor.u32().ok()?);
    let (sequence, base) = (cursor.u64().ok()?, cursor.u64().ok()?);
    Some((usize::try_from(length).ok()?, sum, sequence, base, bytes.get(FRAME_BYTES..)?))
}

/// Whether bytes are the beginning of the record with this number, broken off, and not a whole one with a damaged length, perhaps
/// with others behind it. In doubt they are not.
fn is_unfinished(rest: &[u8], number: u64, base: u64) -> bool {
    let Some((length, sum, sequence, of, payload)) = split_frame(rest) else { return true };
    let is_next = sequence == number && (number == 0 || of == base);
    is_next && payload.len() < length && checksum(sequence, of, payload) != sum && is_broken_off(payload, length)
}

/// Whether this is the beginning of a payload of that length by what it says itself: its command or its lumps end behind what is there,
/// and the lumps end where the payload does.
fn is_broken_off(start: &[u8], length: usize) -> bool {
    let Ok(command_bytes) = Cursor::new(start).u32() else { return true };
    let patch_at = usize::try_from(command_bytes).unwrap_or(usize::MAX).saturating_add(COMMAND_AT);
    let (Some(command), Some(patch)) = (start.get(COMMAND_AT..patch_at), start.get(patch_at..)) else {
        return patch_at <= length;
    };
    let has_lumps = |command| matches!(command, Command::Start | Command::Step { .. } | Command::Saved { .. });
    if patch.is_empty() || !record_of::read(command).is_ok_and(has_lumps) {
        // The record may end here.
        return false;
    }
    match patch.get(..HEADER_BYTES) {
        Some(header) => {
            let header = Header::read(header).ok().filter(|_| patch.starts_with(&directory::MAGIC));
            let end = header.and_then(|header| usize::try_from(header.file_bytes).ok()?.checked_add(patch_at));
            end == Some(length)
        }
        None => patch.iter().zip(&directory::MAGIC).all(|(found, wanted)| found == wanted),
    }
}

/// The number of whole records somewhere in damaged bytes, of an archive if that is known. Each byte is hashed at most a few
/// times.
fn whole_frames(rest: &[u8], known: Option<u64>) -> usize {
    let (mut at, mut found, mut unread) = (1_usize, 0_usize, rest.len().saturating_mul(8));
    while let Some((length, sum, sequence, base, payload)) = rest.get(at..).and_then(split_frame) {
        at = at.saturating_add(1);
        let is_likely = sequence < MAX_SEQUENCE
            && known.is_none_or(|known| base == known)
            && (LENGTH_BYTES..=unread).contains(&length);
        let Some(payload) = payload.get(..length).filter(|_| is_likely) else { continue };
        unread = unread.saturating_sub(length);
        if checksum(sequence, base, payload) == sum {
            found = found.saturating_add(1);
            at = at.saturating_add(FRAME_BYTES).saturating_sub(1).saturating_add(length);
        }
    }
    found
}

/// A payload begins with the length of its command.
const LENGTH_BYTES: usize = 4;

/// More records than a session makes.
const MAX_SEQUENCE: u64 = 1 << 32;

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
    let has_lumps = matches!(command, Command::Start | Command::Step { .. } | Command::Saved { .. });
    let lumps = if has_lumps { lumps()? } else { Vec::new() };
    Ok(event_of(command, lumps))
}

fn event_of(command: Command, lumps: Vec<Lump>) -> Event {
    match command {
        Command::Start => Event::Start { lumps },
        Command::Step { label, before, after } => Event::Step { label, before, after, lumps },
        Command::Position { done, place } => Event::Position { done, place },
        Command::Place(place) => Event::Place(place),
        Command::Saved { base, from } => Event::Saved { base, from, lumps },
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
