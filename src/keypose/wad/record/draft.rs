//! dRFT: draft poses. Clips are identified by their lumps, because ids are not saved. See docs/wad-format.md, "dRFT".

use serde::{Deserialize, Serialize};

use crate::anim::bezier::HERMITE;
use crate::anim::clip::KeyframeKind;
use crate::anim::key::Key;
use crate::assets::draft::Draft;
use crate::wad::error::Fault;
use crate::wad::record::keys::{KeyModes, key_of, modes_of};
use crate::wad::record::stored::{Invalid, Stored, record};
use crate::wad::record::{Input, value};

/// A draft with the lump name of its clip.
pub type NamedDraft = Draft<String>;

record! {
    struct DraftRecordV1 of NamedDraft {
        /// None for the rest pose.
        clip: Option<String>,
        /// In flicks.
        time: i64,
        kind: KeyframeKindRecordV1,
        keys: Vec<KeyRecordV1>,
    }
}

record! { enum KeyframeKindRecordV1 of KeyframeKind { Plain, Extreme, Breakdown } }

#[derive(Serialize, Deserialize)]
pub struct KeyRecordV1 {
    bone: u16,
    modes: KeyModes,
    /// Value, in-tangent, out-tangent. The handles of drafts are a third.
    numbers: [[f32; 4]; 3],
}

impl Stored<KeyRecordV1> for Key {
    fn to_record(&self) -> Result<KeyRecordV1, Invalid> {
        let numbers = [self.value, self.in_tangent, self.out_tangent].map(|numbers| numbers.to_array());
        Ok(KeyRecordV1 { bone: self.bone, modes: modes_of(self), numbers: numbers.to_record()? })
    }

    fn from_record(record: KeyRecordV1) -> Result<Key, Invalid> {
        key_of(record.bone, record.modes, record.numbers, HERMITE)
    }
}

pub fn read(input: Input<'_>) -> Result<Vec<NamedDraft>, Fault> {
    let drafts: Vec<NamedDraft> = value::<Vec<DraftRecordV1>, _>(input)?;
    for Draft { keys, .. } in &drafts {
        let is_sorted = keys.is_sorted_by(|a, b| a.address() < b.address());
        if keys.is_empty() || !is_sorted || !keys.iter().all(Key::is_valid) {
            return Err(Fault::from("a draft without keys, or with invalid or unsorted keys".to_owned()));
        }
    }
    Ok(drafts)
}
