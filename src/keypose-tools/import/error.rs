//! Import errors: the file, the place in it and the reason.

use std::fmt::Display;

use thiserror::Error;

use crate::import::assembly::names::shortened;
use crate::import::format::extension_list;

/// A file that could not be imported.
#[derive(Clone, Debug, Error, PartialEq)]
#[error("{file}: {fault}")]
pub struct ImportError {
    /// The file's name, as the caller gave it.
    pub file: String,
    /// The fault in the file.
    pub fault: Fault,
}

/// A fault in an imported file.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)]
pub enum Fault {
    #[error("the file is empty")]
    Empty,
    #[error("nothing to import: no mesh, no joint, no animation")]
    Nothing,
    #[error("neither an archive nor a model in a format that Keypose imports: {}", extension_list())]
    Foreign,
    #[error("invalid XML: {reason}")]
    Xml { reason: String },
    #[error("the FBX file can't be read: {reason}")]
    Fbx { reason: String },
    #[error("offset {offset}: {reason}")]
    Container { offset: usize, reason: String },
    #[error("invalid JSON: {reason}")]
    Json { reason: String },
    #[error(
        "asset: glTF {version} is not supported; only 2.0 is. Convert it, for example by opening and exporting it in Blender"
    )]
    Version { version: String },
    #[error("extensionsRequired: {name} is not supported")]
    Required { name: String },
    #[error("{place}: {reason}")]
    Data { place: String, reason: String },
}

impl Fault {
    /// A fault at a place in the file, such as "mesh 3, primitive 0". A name of the file in it is shortened, and has no line breaks.
    pub fn at(place: impl Display, reason: impl Display) -> Fault {
        let line = |text: String| text.replace(char::is_control, " ");
        Fault::Data { place: shortened(&line(place.to_string())).into_owned(), reason: line(reason.to_string()) }
    }
}
