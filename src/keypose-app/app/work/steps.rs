//! The file with the steps of a document: records are appended to it, and a part of one is cut off.

use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;

use keypose::wad::error::WadError;
use keypose::wad::journal::{Event, Read, head, record_in_room, room, whole_and_expanded};

use crate::app::files::own_files::{self, Access};

/// Where the whole records of the file end.
#[derive(Clone, Copy, Debug, Default)]
pub struct End {
    /// The header hash of the base, in all records.
    base: u64,
    sequence: u64,
    bytes: u64,
    /// The sum of what the compressed lumps decompress to.
    expanded_bytes: usize,
}

impl End {
    /// The end of records that were read.
    pub fn of(read: &Read) -> End {
        let Read { base, events, whole_bytes, expanded_bytes, .. } = read;
        End { base: *base, sequence: events.len() as u64, bytes: *whole_bytes as u64, expanded_bytes: *expanded_bytes }
    }
}

/// The file, open for appending.
#[derive(Debug)]
pub struct StepsFile {
    pub file: Arc<File>,
    end: End,
    /// A part of a record follows the whole ones.
    is_torn: bool,
}

impl StepsFile {
    /// Creates the file without records.
    pub fn create(path: &Path, base: u64) -> io::Result<StepsFile> {
        let mut file = own_files::create(path, Access::Private)?;
        file.write_all(&head()).inspect_err(|_| drop(fs::remove_file(path)))?;
        let end = End { base, bytes: head().len() as u64, ..End::default() };
        Ok(StepsFile { file: Arc::new(file), end, is_torn: false })
    }

    /// Creates the file with these events, on the disk. An existing one is replaced.
    pub fn write(path: &Path, events: &[Event], base: u64) -> io::Result<StepsFile> {
        let (bytes, expanded_bytes) = whole_and_expanded(events, base).map_err(invalid)?;
        let _ = fs::remove_file(path);
        let file = own_files::write_new(path, &bytes, Access::Private)?;
        let end = End { base, sequence: events.len() as u64, bytes: bytes.len() as u64, expanded_bytes };
        Ok(StepsFile { file: Arc::new(file), end, is_torn: false })
    }

    /// Continues a file behind its whole records.
    pub fn open(path: &Path, end: End) -> io::Result<StepsFile> {
        let mut steps = StepsFile { file: Arc::new(own_files::open(path)?), end, is_torn: true };
        steps.cut().map(|()| steps)
    }

    /// The size of the file.
    pub fn bytes(&self) -> u64 {
        self.end.bytes
    }

    /// Appends a record with one write. After it returns, a crash of the program doesn't lose it; a power failure does for a
    /// fraction of a second.
    pub fn append(&mut self, event: &Event) -> io::Result<()> {
        let End { base, sequence, bytes, expanded_bytes } = self.end;
        let room = room(usize::try_from(bytes).unwrap_or(usize::MAX), expanded_bytes);
        let (record, expanded) = record_in_room(event, (sequence, base), room).map_err(invalid)?;
        if self.is_torn {
            self.cut()?;
        }
        if let Err(error) = (&*self.file).write_all(&record) {
            // A partial record would hide all that follow.
            self.is_torn = true;
            let _ = self.cut();
            return Err(error);
        }
        let (bytes, expanded_bytes) = (bytes + record.len() as u64, expanded_bytes + expanded);
        self.end = End { base, sequence: sequence + 1, bytes, expanded_bytes };
        Ok(())
    }

    /// Cuts off a part of a record.
    fn cut(&mut self) -> io::Result<()> {
        let at = self.end.bytes;
        if self.file.metadata()?.len() != at {
            self.file.set_len(at)?;
        }
        (&*self.file).seek(SeekFrom::Start(at))?;
        self.is_torn = false;
        Ok(())
    }
}

fn invalid(error: WadError) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error)
}
