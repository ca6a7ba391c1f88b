//! What stands in a lump of each kind: frozen records, and the way from them to assets and back. The only place that
//! knows serde and bincode.
//!
//! A record never changes once it was released: a new version is added beside it, with its conversion, and the schema
//! version in the directory says which one a lump holds. bincode is fenced in: numbers of fixed size, a limit for every
//! kind and never more than four times what is there, all bytes used, no recursive types, no elements without size.

use bincode::config::{Configuration, Fixint, Limit, LittleEndian, standard};
use bincode::error::DecodeError;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::wad::error::Fault;

pub mod bake;
mod bake_pairs;
mod bake_short;
pub mod clip;
pub mod clip_notes;
pub mod draft;
pub mod journal;
pub mod keys;
pub mod level;
pub mod machine;
pub mod material;
pub mod mesh;
pub mod model;
pub mod poses;
pub mod reference;
pub mod rig;
pub mod skeleton;
pub mod skin;
pub mod source;
pub mod texture;
pub mod transform;

/// One version of what stands in a lump.
pub trait Record: Serialize + DeserializeOwned {
    /// More bytes are refused before anything is read.
    const MAX_BYTES: usize;
}

/// The record's bytes.
pub fn to_bytes<R: Record>(record: &R) -> Result<Vec<u8>, String> {
    let config = standard().with_little_endian().with_fixed_int_encoding();
    let bytes = bincode::serde::encode_to_vec(record, config).map_err(|error| error.to_string())?;
    match bytes.len() <= R::MAX_BYTES {
        true => Ok(bytes),
        false => Err(format!("{} bytes of record, at most {} are possible", bytes.len(), R::MAX_BYTES)),
    }
}

/// The record that all of these bytes are.
pub fn from_bytes<R: Record>(bytes: &[u8]) -> Result<R, Fault> {
    if bytes.len() > R::MAX_BYTES {
        let reason = format!("{} bytes of record, at most {} are possible", bytes.len(), R::MAX_BYTES);
        return Err(Fault::from(reason));
    }
    // A length in the bytes is only believed up to the limit, so the limit follows the bytes that are there.
    let (record, used) = match bytes.len() {
        0..=0x100 => limited::<R, 0x100>(bytes),
        0x101..=0x400 => limited::<R, 0x400>(bytes),
        0x401..=0x1000 => limited::<R, 0x1000>(bytes),
        0x1001..=0x4000 => limited::<R, 0x4000>(bytes),
        0x4001..=0x1_0000 => limited::<R, 0x1_0000>(bytes),
        0x10001..=0x4_0000 => limited::<R, 0x4_0000>(bytes),
        0x40001..=0x10_0000 => limited::<R, 0x10_0000>(bytes),
        _ => limited::<R, 0x100_0000>(bytes),
    }?;
    match bytes.len().checked_sub(used) {
        Some(0) => Ok(record),
        _ => Err(Fault::from(format!("the record ends after {used} of {} bytes", bytes.len()))),
    }
}

type Config<const LIMIT: usize> = Configuration<LittleEndian, Fixint, Limit<LIMIT>>;

fn limited<R: Record, const LIMIT: usize>(bytes: &[u8]) -> Result<(R, usize), Fault> {
    let config: Config<LIMIT> = standard().with_little_endian().with_fixed_int_encoding().with_limit::<LIMIT>();
    bincode::serde::decode_from_slice(bytes, config)
        .map_err(|error| Fault::from(format!("the record can't be read: {}", reason_of(&error))))
}

fn reason_of(error: &DecodeError) -> String {
    match error {
        DecodeError::UnexpectedEnd { .. } | DecodeError::LimitExceeded => "it says that it is longer than it is".into(),
        DecodeError::UnexpectedVariant { found, .. } => format!("the choice {found} is not known"),
        DecodeError::InvalidBooleanValue(found) => format!("{found} is neither yes nor no"),
        DecodeError::Utf8 { .. } => "a text is not UTF-8".into(),
        DecodeError::OtherString(reason) => reason.clone(),
        other => other.to_string(),
    }
}

/// The numbers with -0 as 0; an error where one is not finite.
pub fn finite<const N: usize>(values: [f32; N], what: &str) -> Result<[f32; N], String> {
    match values.iter().all(|value| value.is_finite()) {
        true => Ok(values.map(|value| if value == 0.0 { 0.0 } else { value })),
        false => Err(format!("a number of its {what} is not finite")),
    }
}

/// An index as it is stored.
pub fn index(value: usize, what: &str) -> Result<u32, String> {
    u32::try_from(value).map_err(|_| format!("{what} {value} is out of range"))
}

/// A stored index.
pub fn to_index(value: u32) -> usize {
    usize::try_from(value).unwrap_or(usize::MAX)
}
