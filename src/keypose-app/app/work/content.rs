//! The content that is saved: an archive that is encoded while it is written, or a patch.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek};

use keypose::wad::Encoder;
use keypose::wad::archive::{header_of, set_id};
use keypose::wad::directory::HEADER_BYTES;
use keypose::wad::pack::{PackError, Packed};

use crate::app::files::layers;
use crate::app::files::save::Content;

/// An archive or a patch that is about to be saved.
#[derive(Debug)]
pub enum ArchiveContent {
    /// An archive that is encoded lump by lump while it is written: it is never in memory as a whole.
    Encoded {
        /// Makes the lumps.
        encoder: Encoder,
        /// The lumps that it wrote, once it did.
        written: Option<Packed>,
    },
    /// A patch over other archives.
    Patch {
        /// The patch as a file.
        bytes: Vec<u8>,
        /// The header hashes of the archives below.
        below: Vec<u64>,
    },
}

/// How much is written at a time.
const BUFFER_BYTES: usize = 1 << 20;

impl ArchiveContent {
    /// An archive that an encoder makes.
    pub fn new(encoder: Encoder) -> ArchiveContent {
        ArchiveContent::Encoded { encoder, written: None }
    }

    /// Sets the document's id, before the content is written.
    pub fn set_id(&mut self, id: u64) {
        match self {
            ArchiveContent::Encoded { encoder, .. } => encoder.id = id,
            ArchiveContent::Patch { bytes, .. } => set_id(bytes, id),
        }
    }

    /// The digest of the document's files, once the content is written.
    pub fn digest(&self) -> u64 {
        self.digest_with(match self {
            ArchiveContent::Encoded { written, .. } => written.as_ref().map_or(0, Packed::hash),
            ArchiveContent::Patch { bytes, .. } => {
                let head = bytes.get(..HEADER_BYTES).unwrap_or_default();
                header_of(head, bytes.len() as u64).map_or(0, |header| header.hash)
            }
        })
    }

    /// The digest of the document's files if the file that is written had this header hash.
    pub fn digest_with(&self, hash: u64) -> u64 {
        match self {
            ArchiveContent::Encoded { .. } => hash,
            ArchiveContent::Patch { below, .. } => layers::digest(&[below.as_slice(), &[hash]].concat()),
        }
    }

    /// The size, once the content is written.
    pub fn size(&self) -> u64 {
        match self {
            ArchiveContent::Encoded { written, .. } => written.as_ref().map_or(0, Packed::bytes),
            ArchiveContent::Patch { bytes, .. } => bytes.len() as u64,
        }
    }
}

impl Content for ArchiveContent {
    fn write(&mut self, file: &File) -> io::Result<()> {
        let (encoder, written) = match self {
            ArchiveContent::Encoded { encoder, written } => (encoder, written),
            ArchiveContent::Patch { bytes, .. } => return bytes.as_slice().write(file),
        };
        let mut out = BufWriter::with_capacity(BUFFER_BYTES, file);
        let packed = encoder.encode_into(&mut out).map_err(|error| match error {
            PackError::File(error) => error,
            PackError::Wad(error) => io::Error::other(error),
        });
        *written = Some(packed?);
        Ok(())
    }

    fn is_in(&self, mut file: &File) -> io::Result<bool> {
        match self {
            ArchiveContent::Encoded { written: None, .. } => Ok(false),
            ArchiveContent::Encoded { written: Some(written), .. } => {
                file.rewind()?;
                written.is_in(&mut BufReader::with_capacity(BUFFER_BYTES, file.take(u64::MAX)))
            }
            ArchiveContent::Patch { bytes, .. } => bytes.as_slice().is_in(file),
        }
    }
}
