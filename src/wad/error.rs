//! Why bytes are not an archive, or a project can't become one: one sentence with place and reason.

use thiserror::Error;

/// Every way in which reading or writing an archive fails.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum WadError {
    /// The first bytes are not those of an archive.
    #[error("this is not a Keypose archive: offset 0: {reason}")]
    NotAnArchive {
        /// What stands there instead.
        reason: &'static str,
    },
    /// Written by a program that knows more.
    #[error(
        "header, offset 8: this archive has format version {major}.{minor}; this Keypose reads version {}.x",
        super::directory::MAJOR
    )]
    Version {
        /// The file's.
        major: u16,
        /// The file's.
        minor: u16,
    },
    /// Header, directory, padding or trailer.
    #[error("{}, offset {offset}: {}", one_line(.place), one_line(.reason))]
    Container {
        /// "header", "directory entry 3", "trailer", …
        place: String,
        /// From the start of the file.
        offset: u64,
        /// What is wrong.
        reason: String,
    },
    /// The contents of one lump.
    #[error("lump {}, offset {offset}: {}", one_line(.lump), one_line(.reason))]
    Lump {
        /// KIND/name.
        lump: String,
        /// From the start of the lump.
        offset: u64,
        /// What is wrong.
        reason: String,
    },
    /// A kind, or a version of a kind, that must be understood and is not.
    #[error(
        "lump {}{}: {what} is not known to this version of Keypose, and can't be left out", one_line(.lump),
        in_file(.offset)
    )]
    Unknown {
        /// KIND/name.
        lump: String,
        /// Of its entry in the directory, from the start of the file; `None` outside a file.
        offset: Option<u64>,
        /// "the kind XYZW", "version 7 of the kind MESH".
        what: String,
    },
    /// A lump that is valid on its own and does not fit the others.
    #[error("lump {}{}: {}", one_line(.lump), in_file(.offset), one_line(.reason))]
    Mismatch {
        /// KIND/name.
        lump: String,
        /// Of the value that does not fit where that can be told, else of the lump's record, else of the lump; from the
        /// start of the file. `None` outside a file.
        offset: Option<u64>,
        /// What is wrong.
        reason: String,
    },
    /// What is not said of bytes: a project that can't be written, a change of lumps that can't be made.
    #[error("{}: {}", one_line(.place), one_line(.reason))]
    Content {
        /// Which model, which part.
        place: String,
        /// What is wrong.
        reason: String,
    },
}

/// The text with control characters spelled out: a forger's names must not break a sentence into lines.
pub(super) fn one_line(text: &str) -> String {
    let spelled = |letter: char| if letter.is_control() { letter.escape_default().to_string() } else { letter.into() };
    text.chars().map(spelled).collect()
}

fn in_file(offset: &Option<u64>) -> String {
    offset.map_or(String::new(), |offset| format!(", offset {offset} of the file"))
}

impl WadError {
    /// KIND/name of the lump that is to blame, where it is one.
    pub fn lump(&self) -> Option<&str> {
        match self {
            WadError::Lump { lump, .. } | WadError::Unknown { lump, .. } | WadError::Mismatch { lump, .. } => {
                Some(lump)
            }
            WadError::Container { place, .. } => place.strip_prefix("lump "),
            _ => None,
        }
    }

    /// Where: from the start of the lump for its contents, else of the file. `None` where there is no file.
    pub fn offset(&self) -> Option<u64> {
        match self {
            WadError::Container { offset, .. } | WadError::Lump { offset, .. } => Some(*offset),
            WadError::NotAnArchive { .. } => Some(0),
            WadError::Version { .. } => Some(8),
            WadError::Unknown { offset, .. } | WadError::Mismatch { offset, .. } => *offset,
            WadError::Content { .. } => None,
        }
    }
}

/// What is wrong within one lump, before the lump's name is known.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Fault {
    /// From the start of the lump; `None` for a value of its record.
    pub offset: Option<usize>,
    pub reason: String,
}

impl Fault {
    pub fn new(offset: usize, reason: impl Into<String>) -> Fault {
        Fault { offset: Some(offset), reason: reason.into() }
    }

    /// What is wrong with the record of a lump is found where that begins, `record` bytes from its start.
    pub fn in_record_at(self, record: usize) -> Fault {
        Fault { offset: self.offset.or(Some(record)), ..self }
    }

    pub fn in_lump(self, lump: impl ToString) -> WadError {
        WadError::Lump { lump: lump.to_string(), offset: self.offset.unwrap_or(0) as u64, reason: self.reason }
    }
}

impl From<String> for Fault {
    fn from(reason: String) -> Fault {
        Fault { offset: None, reason }
    }
}
