//! Archives to be saved with their journals: as bytes, or encoded while they are written.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Seek};
use std::path::Path;

use crate::app::journal::header_hash;
use crate::app::regular_files::read_archive;
use crate::app::save::Content;
use crate::wad::Encoder;
use crate::wad::pack::{PackError, Packed};

/// The content of an archive.
pub trait ArchiveContent: Content {
    /// The hash of its header, once it is written.
    fn hash(&self) -> u64;
    /// Its size, once it is written.
    fn size(&self) -> u64;
    /// All its bytes, once it is saved under that path.
    fn bytes(&self, path: &Path) -> io::Result<Cow<'_, [u8]>>;
}

impl ArchiveContent for &[u8] {
    fn hash(&self) -> u64 {
        header_hash(self)
    }

    fn size(&self) -> u64 {
        self.len() as u64
    }

    fn bytes(&self, _path: &Path) -> io::Result<Cow<'_, [u8]>> {
        Ok((*self).into())
    }
}

/// An archive that is encoded lump by lump while it is written: it is never in memory as a whole.
#[derive(Debug)]
pub struct Encoded {
    encoder: Encoder,
    written: Option<Packed>,
}

/// How much is written at a time.
const BUFFER_BYTES: usize = 1 << 20;

impl Encoded {
    /// What an encoder makes.
    pub fn new(encoder: Encoder) -> Encoded {
        Encoded { encoder, written: None }
    }
}

impl Content for Encoded {
    fn write(&mut self, file: &File) -> io::Result<()> {
        let mut out = BufWriter::with_capacity(BUFFER_BYTES, file);
        let written = self.encoder.encode_into(&mut out).map_err(|error| match error {
            PackError::File(error) => error,
            PackError::Wad(error) => io::Error::other(error),
        });
        self.written = Some(written?);
        Ok(())
    }

    fn is_in(&self, mut file: &File) -> io::Result<bool> {
        file.rewind()?;
        self.written
            .as_ref()
            .map_or(Ok(false), |written| written.is_in(&mut BufReader::with_capacity(BUFFER_BYTES, file)))
    }
}

impl ArchiveContent for Encoded {
    fn hash(&self) -> u64 {
        self.written.as_ref().map_or(0, Packed::hash)
    }

    fn size(&self) -> u64 {
        self.written.as_ref().map_or(0, Packed::bytes)
    }

    fn bytes(&self, path: &Path) -> io::Result<Cow<'_, [u8]>> {
        read_archive(path).map(Cow::Owned)
    }
}
