//! Errors of reading and writing archives: one sentence with place and reason.

use thiserror::Error;

use crate::assets::printable::printable;

/// Why an archive can't be read or written.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum WadError {
    /// The file is no archive.
    #[error("not a Keypose archive: offset 0: {reason}")]
    NotAnArchive {
        /// A part of a sentence: "checksum mismatch".
        reason: &'static str,
    },
    /// The archive has another major format version.
    #[error(
        "header, offset 8: the archive has format version {major}.{minor}; this version of Keypose reads {}.x",
        super::directory::MAJOR
    )]
    Version {
        /// The major version of the file.
        major: u16,
        /// The minor version of the file.
        minor: u16,
    },
    /// The file is shorter than its header says: a copy or a download that did not end.
    #[error("cut off: {} (header, offset 24)", part_of(*.bytes, *.of))]
    CutOff {
        /// The size of the file.
        bytes: u64,
        /// The size that the header has.
        of: u64,
    },
    /// A fault of the header, directory, padding or trailer.
    #[error("{}, offset {offset}: {}", printable(.place), printable(.reason))]
    Container {
        /// "header", "directory entry 3", "trailer", …
        place: String,
        /// From the start of the file.
        offset: u64,
        /// A part of a sentence: "checksum mismatch".
        reason: String,
    },
    /// A fault in one lump.
    #[error("lump {}, offset {offset}: {}", printable(.lump), printable(.reason))]
    Lump {
        /// `KIND/name`.
        lump: String,
        /// From the start of the lump.
        offset: u64,
        /// A part of a sentence: "checksum mismatch".
        reason: String,
    },
    /// A critical lump of an unknown kind or version.
    #[error(
        "lump {}{}: {what} is not known to this version of Keypose, and can't be skipped", printable(.lump),
        in_file(.offset)
    )]
    Unknown {
        /// `KIND/name`.
        lump: String,
        /// The offset of its directory entry in the file; `None` outside a file.
        offset: Option<u64>,
        /// "the kind XYZW", "version 7 of the kind MESH".
        what: String,
    },
    /// A lump that is valid alone and does not match the others.
    #[error("lump {}{}: {}", printable(.lump), in_file(.offset), printable(.reason))]
    Mismatch {
        /// `KIND/name`.
        lump: String,
        /// The offset of the lump in the file; `None` outside a file.
        offset: Option<u64>,
        /// A part of a sentence: "checksum mismatch".
        reason: String,
    },
    /// An error that is not about bytes: a project that can't be written, an edit that is not possible.
    #[error("{}: {}", printable(.place), printable(.reason))]
    Content {
        /// The model and part.
        place: String,
        /// A part of a sentence: "checksum mismatch".
        reason: String,
    },
}

/// "0.3 of 1.5 MB", or "40 of 900 bytes".
fn part_of(bytes: u64, of: u64) -> String {
    let megabytes = |bytes: u64| bytes as f64 / 1e6;
    if of < 1_000_000 {
        format!("{bytes} of {of} bytes")
    } else {
        format!("{:.1} of {:.1} MB", megabytes(bytes), megabytes(of))
    }
}

fn in_file(offset: &Option<u64>) -> String {
    offset.map_or(String::new(), |offset| format!(", offset {offset} of the file"))
}

impl WadError {
    /// `KIND/name` of the lump that the error is about.
    pub fn lump(&self) -> Option<&str> {
        match self {
            WadError::Lump { lump, .. } | WadError::Unknown { lump, .. } | WadError::Mismatch { lump, .. } => {
                Some(lump)
            }
            WadError::Container { place, .. } => place.strip_prefix("lump "),
            _ => None,
        }
    }

    /// The offset: from the start of the lump for [`WadError::Lump`], else of the file. `None` outside a file.
    pub fn offset(&self) -> Option<u64> {
        match self {
            WadError::Container { offset, .. } | WadError::Lump { offset, .. } => Some(*offset),
            WadError::NotAnArchive { .. } => Some(0),
            WadError::Version { .. } => Some(8),
            WadError::CutOff { .. } => Some(24),
            WadError::Unknown { offset, .. } | WadError::Mismatch { offset, .. } => *offset,
            WadError::Content { .. } => None,
        }
    }
}

/// A fault in a lump whose name is not known yet.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Fault {
    /// The offset in the lump; `None` for a value of its record.
    pub offset: Option<usize>,
    pub reason: String,
}

impl Fault {
    pub fn new(offset: usize, reason: impl Into<String>) -> Fault {
        Fault { offset: Some(offset), reason: reason.into() }
    }

    /// Sets the offset of a fault in the record to the start of the record.
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
