//! iMPO: the options that a model was imported with, as the arguments of `keypose import`. See docs/wad-format.md, "iMPO".

use crate::assets::import_options::{ImportOptions, words_of};
use crate::wad::record::stored::{Invalid, Stored};

impl Stored<Vec<String>> for ImportOptions {
    fn to_record(&self) -> Result<Vec<String>, Invalid> {
        Ok(words_of(self))
    }

    fn from_record(words: Vec<String>) -> Result<ImportOptions, Invalid> {
        Ok(ImportOptions::of_words(&words)?)
    }
}
