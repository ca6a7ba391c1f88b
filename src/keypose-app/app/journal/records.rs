//! The open file of a journal: records are appended to it, and a part of one is cut off.

use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;

use crate::app::journal::{JournalError, access, in_file};
use crate::app::own_files;
use crate::wad::journal::{Event, Read, head, record_in_room, room};

/// The file of a journal, open for appending.
#[derive(Debug)]
pub(super) struct OpenFile {
    pub file: Arc<File>,
    /// The header hash in all records.
    pub base: u64,
    pub sequence: u64,
    pub whole_bytes: u64,
    /// The sum of what the compressed lumps decompress to.
    pub expanded_bytes: usize,
    /// A part of a record follows the whole ones.
    pub is_torn: bool,
}

impl OpenFile {
    /// Creates a file with these records, on the disk, with the permissions of a journal.
    pub fn holding(path: &Path, journal: &Path, bytes: &[u8], records: &Read) -> io::Result<OpenFile> {
        let file = own_files::write_new(path, bytes, access(journal))?;
        Ok(OpenFile { whole_bytes: bytes.len() as u64, ..OpenFile::of(file, records) })
    }

    /// An open file with these records.
    pub fn of(file: File, records: &Read) -> OpenFile {
        OpenFile {
            file: Arc::new(file),
            base: records.base,
            sequence: records.events.len() as u64,
            whole_bytes: records.whole_bytes as u64,
            expanded_bytes: records.expanded_bytes,
            is_torn: false,
        }
    }

    pub fn append(&mut self, path: &Path, event: &Event) -> Result<(), JournalError> {
        let content = |reason| JournalError::Content { path: path.to_owned(), reason };
        let room = room(usize::try_from(self.whole_bytes).unwrap_or(usize::MAX), self.expanded_bytes);
        let record = record_in_room(event, (self.sequence, self.base), room);
        let (bytes, expanded) = record.map_err(|error| content(error.to_string()))?;
        if self.is_torn {
            self.cut().map_err(in_file(path))?;
        }
        if let Err(source) = (&*self.file).write_all(&bytes) {
            // A partial record would hide all that follow.
            self.is_torn = true;
            let _ = self.cut();
            return Err(JournalError::Write { path: path.to_owned(), source });
        }
        self.sequence += 1;
        self.whole_bytes += bytes.len() as u64;
        self.expanded_bytes += expanded;
        Ok(())
    }

    /// Cuts off a part of a record.
    fn cut(&mut self) -> io::Result<()> {
        let at = self.whole_bytes;
        (&*self.file).seek(SeekFrom::Start(at)).and_then(|_| self.file.set_len(at))?;
        self.is_torn = false;
        Ok(())
    }
}

/// Creates the file of a journal without records.
pub(super) fn create(path: &Path, base: u64) -> io::Result<OpenFile> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut file = own_files::create(path, access(path))?;
    let written = file.write_all(&head());
    written.inspect_err(|_| drop(fs::remove_file(path)))?;
    let none = Read { base, whole_bytes: head().len(), ..Read::default() };
    Ok(OpenFile::of(file, &none))
}
