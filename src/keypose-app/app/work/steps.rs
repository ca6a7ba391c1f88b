//! The file with the steps of a document: records are appended to it, and a part of one is cut off.

use std::fs::{self, File};
use std::io::{self, Read as _, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;

use keypose::wad::error::WadError;
use keypose::wad::journal::{Event, Read, head, record};

use crate::app::files::own_files::{self, Access};

/// Where the whole records of the file end. Steps are counted from the first one of the document's history.
#[derive(Clone, Debug, Default)]
pub struct End {
    /// The header hash of the base, in all records.
    base: u64,
    /// The number of the next record.
    sequence: u64,
    bytes: u64,
    /// The number of steps that lead to the first state in the file.
    first: usize,
    /// The number of steps that are done.
    pub done: usize,
    /// The number of steps that lead to the last state in the file.
    last: usize,
    /// The records before which everything can be left out.
    cuts: Vec<Cut>,
}

/// The end of a step's record. Undo has not gone behind the step since, so that nothing after it needs what is before.
#[derive(Clone, Copy, Debug)]
pub struct Cut {
    /// The number of steps that are done there.
    pub done: usize,
    /// The number of the next record.
    pub sequence: u64,
    /// The offset of the next record.
    pub at: u64,
}

impl End {
    /// The end of records that were read.
    pub fn of(read: &Read) -> End {
        let mut end = End { base: read.base, sequence: read.first_sequence, ..End::default() };
        let ends = read.offsets.iter().skip(1).chain([&read.whole_bytes]);
        for (event, bytes) in read.events.iter().zip(ends) {
            end.add(event, *bytes as u64);
        }
        end.bytes = read.whole_bytes as u64;
        end
    }

    /// Adds the record of an event.
    fn add(&mut self, event: &Event, bytes: u64) {
        (self.sequence, self.bytes) = (self.sequence + 1, bytes);
        match event {
            Event::Start { first, .. } => {
                self.done = steps(*first);
                (self.first, self.last) = (self.done, self.done);
            }
            Event::Step { .. } => {
                self.done += 1;
                self.last = self.done;
                self.cuts.push(Cut { done: self.done, sequence: self.sequence, at: bytes });
            }
            Event::Position { done, .. } => {
                self.done = steps(*done);
                self.cuts.truncate(self.cuts.partition_point(|cut| cut.done <= self.done));
            }
            Event::Place(_) | Event::Saved { .. } => {}
        }
    }
}

fn steps(count: u32) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

/// The file, open for appending.
#[derive(Debug)]
pub struct StepsFile {
    pub file: Arc<File>,
    pub end: End,
    /// A part of a record follows the whole ones.
    is_torn: bool,
}

impl StepsFile {
    /// Creates the file; an existing one is replaced. `sequence` is the number of its first record.
    pub fn create(path: &Path, base: u64, sequence: u64) -> io::Result<StepsFile> {
        let _ = fs::remove_file(path);
        let mut file = own_files::create(path, Access::Private)?;
        file.write_all(&head()).inspect_err(|_| drop(fs::remove_file(path)))?;
        let end = End { base, sequence, bytes: head().len() as u64, ..End::default() };
        Ok(StepsFile { file: Arc::new(file), end, is_torn: false })
    }

    /// Continues a file behind its whole records.
    pub fn open(path: &Path, end: End) -> io::Result<StepsFile> {
        let mut steps = StepsFile { file: Arc::new(own_files::open(path)?), end, is_torn: true };
        steps.cut_off().map(|()| steps)
    }

    /// The size of the file.
    pub fn bytes(&self) -> u64 {
        self.end.bytes
    }

    /// The number of steps that lead to the first state in the file.
    pub fn first(&self) -> usize {
        self.end.first
    }

    /// Whether the file has the state after a number of steps.
    pub fn reaches(&self, done: usize) -> bool {
        (self.end.first..=self.end.last).contains(&done)
    }

    /// Where the file is cut so that at most `budget` bytes stay, or one step that is done. The state there has at least `oldest` steps.
    pub fn cut(&self, budget: u64, oldest: usize) -> Option<Cut> {
        let End { bytes, done, cuts, .. } = &self.end;
        let from = bytes.saturating_sub(budget);
        let wanted = cuts.partition_point(|cut| cut.at < from || cut.done < oldest);
        let last = cuts.partition_point(|cut| cut.done < *done).checked_sub(1)?;
        cuts.get(wanted.min(last)).copied().filter(|cut| cut.done >= oldest)
    }

    /// Appends a record with one write. After it returns, a crash of the program doesn't lose it; a power failure does for a
    /// fraction of a second.
    pub fn append(&mut self, event: &Event) -> io::Result<()> {
        let record = record(event, self.end.sequence, self.end.base).map_err(invalid)?;
        if self.is_torn {
            self.cut_off()?;
        }
        if let Err(error) = (&*self.file).write_all(&record) {
            // A partial record would hide all that follow.
            self.is_torn = true;
            let _ = self.cut_off();
            return Err(error);
        }
        self.end.add(event, self.end.bytes + record.len() as u64);
        Ok(())
    }

    /// Copies records of another file, which have the next numbers: `bytes` bytes of them.
    pub fn copy(&mut self, from: &mut File, bytes: u64) -> io::Result<()> {
        let copied = io::copy(&mut from.take(bytes), &mut &*self.file)?;
        self.end.bytes += copied;
        if copied == bytes { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }

    /// Continues the other file, of which everything after the cut was copied.
    pub fn follow(&mut self, other: &StepsFile, cut: Cut) {
        let cuts = other.end.cuts.iter().filter(|later| later.done > cut.done);
        let cuts = cuts.map(|later| Cut { at: (later.at + self.end.bytes) - other.end.bytes, ..*later }).collect();
        self.end = End { bytes: self.end.bytes, first: cut.done, cuts, ..other.end.clone() };
    }

    /// Cuts off a part of a record.
    fn cut_off(&mut self) -> io::Result<()> {
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
