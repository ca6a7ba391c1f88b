//! dRFT: poses in hand that are not keyed yet. A clip is named by its lump, because ids are not saved.

use serde::{Deserialize, Serialize};

use crate::anim::key::Key;
use crate::anim::time::Time;
use crate::wad::error::Fault;
use crate::wad::record::keys::{KeyModes, key_of, modes_of};
use crate::wad::record::{Record, finite, from_bytes, to_bytes};
use crate::wad::sections::{join, split};

#[derive(Serialize, Deserialize)]
struct DraftsRecordV1 {
    drafts: Vec<DraftRecordV1>,
}

#[derive(Serialize, Deserialize)]
struct DraftRecordV1 {
    /// The name of a lump of kind ANIM.
    clip: Option<String>,
    flicks: i64,
    keys: Vec<KeyRecordV1>,
}

#[derive(Serialize, Deserialize)]
struct KeyRecordV1 {
    bone: u16,
    modes: KeyModes,
    /// Value, in-tangent, out-tangent.
    numbers: [[f32; 4]; 3],
}

impl Record for DraftsRecordV1 {
    const MAX_BYTES: usize = 0x100_0000;
}

/// A draft whose clip is named by its lump.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedDraft {
    pub clip: Option<String>,
    pub time: Time,
    pub keys: Vec<Key>,
}

pub fn write(drafts: &[NamedDraft]) -> Result<Vec<u8>, String> {
    let key = |key: &Key| {
        let numbers = [key.value, key.in_tangent, key.out_tangent];
        let [value, into, out] = numbers.map(|numbers| finite(numbers.to_array(), "draft"));
        Ok(KeyRecordV1 { bone: key.bone, modes: modes_of(key), numbers: [value?, into?, out?] })
    };
    let draft = |draft: &NamedDraft| {
        let keys = draft.keys.iter().map(key).collect::<Result<_, String>>()?;
        Ok(DraftRecordV1 { clip: draft.clip.clone(), flicks: draft.time.0, keys })
    };
    let drafts = drafts.iter().map(draft).collect::<Result<_, String>>()?;
    join(&to_bytes(&DraftsRecordV1 { drafts })?, &[])
}

pub fn read(bytes: &[u8]) -> Result<Vec<NamedDraft>, Fault> {
    let parts = split(bytes)?;
    let record: DraftsRecordV1 = from_bytes(parts.record)?;
    parts.end()?;
    record.drafts.into_iter().map(read_draft).collect()
}

fn read_draft(draft: DraftRecordV1) -> Result<NamedDraft, Fault> {
    let keys = draft.keys.into_iter().map(|key| key_of(key.bone, key.modes, key.numbers));
    let keys = keys.collect::<Result<Vec<_>, _>>()?;
    let sorted = keys.is_sorted_by(|a, b| a.address() < b.address());
    if keys.is_empty() || !sorted || !keys.iter().all(Key::is_valid) {
        return Err(Fault::from("a draft has no keys, or one that is not valid, or out of order".to_owned()));
    }
    Ok(NamedDraft { clip: draft.clip, time: Time(draft.flicks), keys })
}
