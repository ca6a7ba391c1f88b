//! The journal: every undo step of an editing session, appended to a file as records, so that a crash loses no acknowledged edit.
//! Reads and writes bytes; the app writes the file.
//!
//! See docs/wad-format.md, "Journal".

use xxhash_rust::xxh3::xxh3_64;

use crate::anim::key::Channel;
use crate::anim::skeleton::BoneIndex;
use crate::anim::time::Time;
use crate::assets::project::Project;
use crate::wad::archive::Archive;
use crate::wad::bytes::Cursor;
use crate::wad::directory::Codec;
use crate::wad::encode::parts_of;
use crate::wad::error::{Fault, WadError};
use crate::wad::expanded::EXPANSION;
use crate::wad::pack::{Lump, pack, pack_part};
use crate::wad::record::journal::{self as record_of, Command};

pub mod clip_change;
mod delta;
mod replay;

pub use delta::{CLIP_CHANGE, delta};
pub use replay::{MAX_STATE_BYTES, Replayed, Step, last_valid_state, replay};

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
        /// The number of steps that lead to the state. Later records count from the first of them.
        first: u32,
        /// The hashes of the saves before.
        saved: Vec<u64>,
        /// Lumps and tombstones.
        lumps: Vec<Lump>,
    },
    /// An undo step. Discards the steps that were undone.
    Step {
        /// Label of the step in menus.
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
    /// The sequence number of the first record.
    pub first_sequence: u64,
    /// The offset of the record of each event.
    pub offsets: Vec<usize>,
    /// The size of the complete records; the rest is a torn tail.
    pub whole_bytes: usize,
    /// Why the rest was not read; `None` if there is no rest.
    pub torn: Option<String>,
    /// Whether the rest can't be the start of one record that was being written: a disk fault.
    pub is_damaged: bool,
}

impl Read {
    /// The hashes of the archives to which the document was saved.
    pub fn saved(&self) -> impl Iterator<Item = u64> {
        self.events
            .iter()
            .flat_map(|event| match event {
                Event::Start { saved, .. } => saved.as_slice(),
                Event::Saved { hash } => std::slice::from_ref(hash),
                Event::Step { .. } | Event::Position { .. } | Event::Place(_) => &[],
            })
            .copied()
    }

    /// The number of steps, done or undone, between the state that was saved with this hash and the current one: 0 if everything is saved.
    /// The base is saved as the hash of its archive, and also without a hash. `None` if the saved state is not known, or can't be reached.
    pub fn steps_since_save(&self, hash: Option<u64>) -> Option<usize> {
        let (saved, done) = self.saved_and_done(hash);
        saved.map(|saved| usize::try_from(saved.abs_diff(done)).unwrap_or(usize::MAX))
    }

    /// The number of steps that lead to the state that was saved last. `None` if it is not known, or can't be reached.
    pub fn saved_at(&self) -> Option<u32> {
        self.saved_and_done(self.saved().last()).0
    }

    /// The numbers of steps that lead to the state that was saved with a hash, and to the current one.
    fn saved_and_done(&self, hash: Option<u64>) -> (Option<u32>, u32) {
        let is_base = |base: u64| hash.is_none_or(|hash| hash == base);
        let mut saved = is_base(self.base).then_some(0);
        let (mut done, mut was_saved) = (0, false);
        for event in &self.events {
            match event {
                Event::Start { first, saved: hashes, lumps } => {
                    done = *first;
                    let is_base = is_base(self.base) || hashes.first().is_some_and(|first| is_base(*first));
                    saved = (is_base && lumps.is_empty()).then_some(done);
                }
                Event::Step { .. } => {
                    // What was undone is discarded.
                    saved = saved.filter(|saved| *saved <= done);
                    done = done.saturating_add(1);
                }
                // Right after a save: there were later steps, which were not saved.
                Event::Position { done: same, .. } if was_saved && *same == done => saved = None,
                Event::Position { done: now, .. } => done = *now,
                Event::Saved { hash: written } if hash == Some(*written) => saved = Some(done),
                Event::Saved { .. } | Event::Place(_) => {}
            }
            was_saved = matches!(event, Event::Saved { hash: written } if hash == Some(*written));
        }
        (saved, done)
    }

    /// The number of steps that are not saved in the archive with this hash: all that are done if it has no state of this journal.
    pub fn unsaved_steps(&self, hash: Option<u64>) -> usize {
        self.steps_since_save(hash).unwrap_or_else(|| self.labels().len())
    }

    /// Whether everything is saved with this hash, or there are no steps.
    pub fn is_saved_as(&self, hash: Option<u64>) -> bool {
        !self.is_damaged && (self.is_empty() || self.steps_since_save(hash) == Some(0))
    }

    /// Why not even the first step can be read, if records are damaged.
    pub fn lost(&self) -> Option<&str> {
        self.torn.as_deref().filter(|_| self.is_damaged && self.is_empty())
    }

    /// Whether nothing changes the base.
    pub fn is_empty(&self) -> bool {
        self.events.iter().all(|event| match event {
            Event::Start { lumps, .. } => lumps.is_empty(),
            Event::Step { .. } => false,
            Event::Position { .. } | Event::Place(_) | Event::Saved { .. } => true,
        })
    }

    /// The labels of the steps that are done.
    pub fn labels(&self) -> Vec<&str> {
        let (mut labels, mut count, mut first) = (Vec::new(), 0, 0);
        for event in &self.events {
            match event {
                Event::Start { first: steps, .. } => first = *steps,
                Event::Step { label, .. } => {
                    labels.truncate(count);
                    labels.push(label.as_str());
                    count = labels.len();
                }
                Event::Position { done, .. } => {
                    let done = usize::try_from(done.saturating_sub(first)).unwrap_or(usize::MAX);
                    count = done.min(labels.len());
                }
                Event::Place(_) | Event::Saved { .. } => {}
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

/// The bytes of the record with a sequence number, in a journal over the archive of a header hash.
pub fn record(event: &Event, sequence: u64, base: u64) -> Result<Vec<u8>, WadError> {
    let error = |reason| WadError::Content { place: format!("journal, record {sequence}"), reason };
    let payload = payload(event).map_err(error)?;
    frame(&payload, sequence, base).ok_or_else(|| error("the record is too large".into()))
}

fn payload(event: &Event) -> Result<Vec<u8>, String> {
    let (command, lumps) = match event {
        Event::Start { first, saved, lumps } => {
            (Command::Start { first: *first, saved: saved.clone() }, lumps.as_slice())
        }
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
    if !lumps.is_empty() {
        let mut lumps = lumps.to_vec();
        lumps.sort_by(|a, b| (a.kind, &a.name).cmp(&(b.kind, &b.name)));
        payload.extend(pack_part(&lumps, Some(0)).map_err(|error| error.to_string())?);
    }
    Ok(payload)
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
    read_by(bytes, &|payload| Ok(event_of(command_in(payload)?.0, Vec::new())))
}

fn read_by(bytes: &[u8], read_payload: &dyn Fn(&[u8]) -> Result<Event, Fault>) -> Result<Read, WadError> {
    let mut out = Read { whole_bytes: HEAD_BYTES, ..Read::default() };
    let frames = frames(bytes, &mut out)?;
    for (at, payload) in frames {
        let is_first = |event: &Event| out.first_sequence == 0 || matches!(event, Event::Start { .. });
        let read = match read_payload(payload) {
            Ok(event) if out.events.is_empty() && !is_first(&event) => {
                Err(Fault::new(0, "the records before it are missing"))
            }
            read => read,
        };
        match read {
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
    let (mut cursor, mut frames, mut last) = (Cursor::new(bytes), Vec::new(), None);
    let mut whole = cursor.take(HEAD_BYTES).map_or(0, <[u8]>::len);
    while whole < bytes.len() {
        let before = last.map(|sequence: u64| (sequence, out.base));
        match next_frame(&mut cursor, before) {
            Ok((sequence, base, payload)) => {
                if last.is_none() {
                    (out.first_sequence, out.base) = (sequence, base);
                }
                last = Some(sequence);
                frames.push((whole, payload));
            }
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

/// The sequence number, base and payload of the next record. The first record decides both for all that follow; `before` has those
/// of the record before it.
fn next_frame<'a>(cursor: &mut Cursor<'a>, before: Option<(u64, u64)>) -> Result<(u64, u64, &'a [u8]), Fault> {
    let at = cursor.offset();
    let length = cursor.u32()?;
    let sum = cursor.u32()?;
    let (sequence, base) = (cursor.u64()?, cursor.u64()?);
    let payload = cursor.take(usize::try_from(length).map_err(|_| Fault::new(at, "the record is too long"))?)?;
    if checksum(sequence, base, payload) != sum {
        return Err(Fault::new(at, "checksum mismatch"));
    }
    if before.is_some_and(|(last, of)| last.checked_add(1) != Some(sequence) || of != base) {
        return Err(Fault::new(at, "not the successor of the record before it"));
    }
    Ok((sequence, base, payload))
}

/// Reads a record. Offsets of faults are from the start of the payload.
fn read_payload(payload: &[u8]) -> Result<Event, Fault> {
    let (command, patch) = command_in(payload)?;
    let patch_at = payload.len().saturating_sub(patch.len());
    let fault = |error: WadError| {
        let within = error.offset().and_then(|offset| usize::try_from(offset).ok()).unwrap_or(0);
        Fault::new(patch_at.saturating_add(within), error.to_string())
    };
    let has_lumps = matches!(command, Command::Start { .. } | Command::Step { .. });
    if patch.is_empty() || !has_lumps {
        return Ok(event_of(command, Vec::new()));
    }
    let patch = Archive::open(patch).map_err(fault)?;
    let (expanded, max) = (patch.expanded().all, payload.len().saturating_mul(EXPANSION));
    if expanded > max {
        let reason = format!("the lumps of the record decompress to {expanded} bytes; the maximum is {max}");
        return Err(Fault::new(patch_at, reason));
    }
    Ok(event_of(command, patch.to_lumps().map_err(fault)?))
}

fn event_of(command: Command, lumps: Vec<Lump>) -> Event {
    match command {
        Command::Start { first, saved } => Event::Start { first, saved, lumps },
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
