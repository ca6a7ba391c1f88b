//! iMPO: the options that a model was imported with, as the arguments of `keypose import`. See docs/wad-format.md, "iMPO".

use serde::{Deserialize, Serialize};

use crate::assets::import_options::{ImportOptions, words_of};
use crate::wad::error::Fault;
use crate::wad::record::{Input, Record, to_bytes};
use crate::wad::sections::join;

#[derive(Serialize, Deserialize)]
struct ImportOptionsRecordV1 {
    words: Vec<String>,
}

impl Record for ImportOptionsRecordV1 {
    const MAX_BYTES: usize = 0x10_0000;
}

pub fn write(options: &ImportOptions) -> Result<Vec<u8>, String> {
    join(&to_bytes(&ImportOptionsRecordV1 { words: words_of(options) })?, &[] as &[Vec<u8>])
}

pub fn read(input: Input<'_>) -> Result<ImportOptions, Fault> {
    let ImportOptionsRecordV1 { words } = input.record()?;
    Ok(ImportOptions::of_words(&words)?)
}
