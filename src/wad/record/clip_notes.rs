//! cLPN: folders and tags of clips, and which clip follows which. Clips are named by their lumps, because ids are not
//! saved.

use serde::{Deserialize, Serialize};

use crate::anim::time::Time;
use crate::assets::clip_notes::Derivation;
use crate::wad::error::Fault;
use crate::wad::record::{Record, from_bytes, to_bytes};
use crate::wad::sections::{join, split};

#[derive(Serialize, Deserialize)]
struct ClipNotesRecordV1 {
    notes: Vec<NoteRecordV1>,
}

#[derive(Serialize, Deserialize)]
struct NoteRecordV1 {
    /// The name of a lump of kind ANIM.
    clip: String,
    folder: String,
    tags: Vec<String>,
    derived: Option<DerivedRecordV1>,
}

#[derive(Serialize, Deserialize)]
struct DerivedRecordV1 {
    /// The name of a lump of kind ANIM.
    source: String,
    how: HowRecordV1,
}

#[derive(Serialize, Deserialize)]
enum HowRecordV1 {
    Mirrored,
    Reversed,
    Retimed { percent: u32 },
    Trimmed { from_flicks: i64, to_flicks: i64 },
}

impl Record for ClipNotesRecordV1 {
    const MAX_BYTES: usize = 0x10_0000;
}

/// Notes of a clip that is named by its lump.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedNotes {
    pub clip: String,
    pub folder: String,
    pub tags: Vec<String>,
    pub derived: Option<(String, Derivation)>,
}

pub fn write(notes: &[NamedNotes]) -> Result<Vec<u8>, String> {
    let how = |how: &Derivation| match *how {
        Derivation::Mirrored => HowRecordV1::Mirrored,
        Derivation::Reversed => HowRecordV1::Reversed,
        Derivation::Retimed(percent) => HowRecordV1::Retimed { percent },
        Derivation::Trimmed(from, to) => HowRecordV1::Trimmed { from_flicks: from.0, to_flicks: to.0 },
    };
    let note = |notes: &NamedNotes| NoteRecordV1 {
        clip: notes.clip.clone(),
        folder: notes.folder.clone(),
        tags: notes.tags.clone(),
        derived: notes.derived.as_ref().map(|(source, by)| DerivedRecordV1 { source: source.clone(), how: how(by) }),
    };
    join(&to_bytes(&ClipNotesRecordV1 { notes: notes.iter().map(note).collect() })?, &[])
}

pub fn read(bytes: &[u8]) -> Result<Vec<NamedNotes>, Fault> {
    let parts = split(bytes)?;
    let record: ClipNotesRecordV1 = from_bytes(parts.record)?;
    parts.end()?;
    record.notes.into_iter().map(read_note).collect()
}

fn read_note(note: NoteRecordV1) -> Result<NamedNotes, Fault> {
    let NoteRecordV1 { clip, folder, tags, derived } = note;
    let derived = derived.map(|DerivedRecordV1 { source, how }| {
        let how = match how {
            HowRecordV1::Mirrored => Derivation::Mirrored,
            HowRecordV1::Reversed => Derivation::Reversed,
            HowRecordV1::Retimed { percent } => Derivation::Retimed(percent),
            HowRecordV1::Trimmed { from_flicks, to_flicks } => Derivation::Trimmed(Time(from_flicks), Time(to_flicks)),
        };
        how.check().map_err(|reason| Fault::from(format!("clip {clip}: {reason}")))?;
        Ok::<_, Fault>((source, how))
    });
    Ok(NamedNotes { folder, tags, derived: derived.transpose()?, clip })
}
