//! Why a foreign file cannot be read: the file, the place in it and the reason, in one sentence.

use std::fmt::Display;

use thiserror::Error;

/// A file that was refused.
#[derive(Clone, Debug, Error, PartialEq)]
#[error("{file}: {fault}")]
pub struct ImportError {
    /// The name that the caller gave.
    pub file: String,
    /// What is wrong with it.
    pub fault: Fault,
}

/// What is wrong with a foreign file.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)]
pub enum Fault {
    #[error("the file is empty")]
    Empty,
    #[error("it is not glTF: it begins neither with \"glTF\" nor with a JSON object")]
    Foreign,
    #[error("offset {offset}: {reason}")]
    Container { offset: usize, reason: String },
    #[error("its JSON cannot be read: {reason}")]
    Json { reason: String },
    #[error("asset: glTF {version} is not supported, only 2.0 is")]
    Version { version: String },
    #[error("extensionsRequired: it needs {name}, which Keypose cannot read")]
    Required { name: String },
    #[error("{place}: {reason}")]
    Data { place: String, reason: String },
}

impl Fault {
    /// A fault at a place of the file's JSON, "mesh 3, primitive 0" say.
    pub fn at(place: impl Display, reason: impl Display) -> Fault {
        Fault::Data { place: place.to_string(), reason: reason.to_string() }
    }
}
