//! The contents of the lumps: frozen records and their conversion from and to assets. The only module that uses serde and
//! bincode. See docs/wad-format.md, "Inside a lump".
//!
//! A record never changes after its release: a change is a new version, `…RecordV2`, beside the old one. The schema version
//! in the directory of an archive selects the function that reads a lump (the table `lump_kinds!` in [`crate::wad::part`]).
//! The tests below have an example.
//!
//! bincode is restricted: numbers of fixed size, a size limit for every record
//! that is also at most four times the bytes at hand, no unused bytes, no recursive types, no elements of size zero.

use bincode::config::{Configuration, Fixint, Limit, LittleEndian, standard};
use bincode::error::DecodeError;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::assets::bytes::Bytes;
use crate::wad::error::Fault;
use crate::wad::record::stored::Stored;
use crate::wad::sections::{Parts, join, split};

mod stored;

pub mod bake;
mod bake_packed;
mod bake_quantized;
pub mod clip;
pub mod clip_change;
pub mod clip_notes;
pub mod draft;
mod import_options;
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
pub mod sound;
pub mod source;
mod sprite_recipe;
pub mod texture;
pub mod transform;
pub mod volumes;

/// A version of the record of a kind.
pub trait Record: Serialize + DeserializeOwned {}

impl<R: Serialize + DeserializeOwned> Record for R {}

/// The maximum size of a record; a larger one is refused before it is read.
const MAX_BYTES: usize = 0x100_0000;

/// A lump to read.
#[derive(Clone, Copy)]
pub struct Input<'a> {
    /// The whole lump, decompressed.
    pub bytes: &'a [u8],
    /// Makes bytes to keep of a part of the lump, without a copy if possible.
    pub share: &'a dyn Fn(&[u8]) -> Bytes,
}

impl<'a> Input<'a> {
    /// A lump whose parts are copied.
    pub fn new(bytes: &'a [u8]) -> Input<'a> {
        Input { bytes, share: &|part| part.to_vec().into() }
    }

    /// Takes the lump apart: the decoded record, and the sections.
    pub fn split<R: Record>(&self) -> Result<(R, Parts<'a>), Fault> {
        let parts = split(self.bytes)?;
        Ok((from_bytes(parts.record)?, parts))
    }

    /// The record of a lump without sections.
    pub fn record<R: Record>(&self) -> Result<R, Fault> {
        let (record, parts) = self.split()?;
        parts.end()?;
        Ok(record)
    }
}

/// The value of a lump that is one record.
pub fn value<R: Record, T: Stored<R>>(input: Input<'_>) -> Result<T, Fault> {
    Ok(T::from_record(input.record::<R>()?)?)
}

/// The bytes of a lump that is one record.
pub fn write_value<R: Record>(value: &impl Stored<R>) -> Result<Vec<u8>, String> {
    join(&to_bytes(&value.to_record().map_err(|error| error.to_string())?)?, &[] as &[Vec<u8>])
}

/// Encodes a record.
pub fn to_bytes<R: Record>(record: &R) -> Result<Vec<u8>, String> {
    let config = standard().with_little_endian().with_fixed_int_encoding();
    let bytes = bincode::serde::encode_to_vec(record, config).map_err(|error| error.to_string())?;
    if bytes.len() > MAX_BYTES {
        return Err(too_large(&bytes));
    }
    Ok(bytes)
}

fn too_large(bytes: &[u8]) -> String {
    format!("the record has {} bytes, more than the maximum of {MAX_BYTES}", bytes.len())
}

/// Decodes a record, which must use all bytes.
pub fn from_bytes<R: Record>(bytes: &[u8]) -> Result<R, Fault> {
    if bytes.len() > MAX_BYTES {
        return Err(Fault::from(too_large(bytes)));
    }
    // bincode allocates what a length in the record says, up to its limit: so the limit follows the number of bytes.
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
        .map_err(|error| Fault::from(format!("can't decode the record: {}", reason_of(&error))))
}

fn reason_of(error: &DecodeError) -> String {
    match error {
        DecodeError::UnexpectedEnd { .. } | DecodeError::LimitExceeded => "a length exceeds the bytes left".into(),
        DecodeError::UnexpectedVariant { found, .. } => format!("unknown variant {found}"),
        DecodeError::InvalidBooleanValue(found) => format!("invalid boolean {found}"),
        DecodeError::Utf8 { .. } => "a string is not UTF-8".into(),
        DecodeError::OtherString(reason) => reason.clone(),
        other => other.to_string(),
    }
}

/// How a kind gets a second version.
#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::stored::record;
    use super::*;

    #[derive(Clone, Debug, PartialEq)]
    struct Sign {
        text: String,
        is_lit: bool,
    }

    // As released. It stays when the value gets a field, and its conversion gives the field its value in old files.
    #[derive(Serialize, Deserialize)]
    struct SignRecordV1 {
        text: String,
    }

    record! { struct SignRecordV2 of Sign { text: String, is_lit: bool } }

    // The row of the kind in `lump_kinds!` lists both: `[sign::read_v1, value::<SignRecordV2, _>]`.
    fn read_v1(input: Input<'_>) -> Result<Sign, Fault> {
        let SignRecordV1 { text } = input.record()?;
        Ok(Sign { text, is_lit: false })
    }

    fn read(input: Input<'_>) -> Result<Sign, Fault> {
        value::<SignRecordV2, _>(input)
    }

    #[test]
    fn a_second_version_is_written_and_both_are_read() {
        let sign = Sign { text: "Ausgang".into(), is_lit: true };
        let bytes = write_value::<SignRecordV2>(&sign).unwrap();
        assert_eq!(read(Input::new(&bytes)).unwrap(), sign);
        let old = to_bytes(&SignRecordV1 { text: sign.text.clone() }).unwrap();
        let old = join(&old, &[] as &[Vec<u8>]).unwrap();
        assert_eq!(read_v1(Input::new(&old)).unwrap(), Sign { is_lit: false, ..sign });
        assert!(read(Input::new(&old)).is_err() && read_v1(Input::new(&bytes)).is_err());
    }
}
