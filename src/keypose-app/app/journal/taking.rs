//! Several journals of one document: one that a save or a rewriting did not finish, one that could not be read, one that was kept in
//! the folder for application state. What holds all the work becomes the document's journal.
//!
//! One rule holds for all of them: a journal is replaced or deleted only if another one is proved to hold its work, or after its bytes
//! got another name. If that fails, everything stays.

use std::fs;
use std::io;
use std::path::PathBuf;

use crate::app::journal::places::unread;
use crate::app::journal::recover::{DAMAGED, Found, OTHER_VERSION, not_read};
use crate::app::journal::{ORPHAN, UNREAD, archive_note};
use crate::app::own_files::{self, with_ending};
use crate::assets::project::Project;
use crate::wad::equality::{is_among, is_same_content};
use crate::wad::journal::{Event, Read, Replayed, is_torn_head, read, rebase, replay};

/// What became of journals elsewhere.
#[derive(Debug, Default)]
pub(super) struct Elsewhere {
    /// Those with other work.
    pub others: Vec<PathBuf>,
    /// One with all the work that could not be taken in, because writing failed.
    pub stuck: Option<PathBuf>,
}

/// The result of taking in a journal.
enum Taken {
    Yes,
    /// There is other work here.
    No,
    /// It has all the work, but could not be written here.
    Stuck(String),
}

impl Found<'_> {
    /// An interrupted save leaves two journals. The one that belongs to the archive is kept.
    pub fn settle_interrupted_save(&self, ending: &str, notes: &mut Vec<String>) {
        let next = with_ending(self.path, ending);
        let bytes = match own_files::read(&next) {
            Ok(None) => return,
            Ok(Some(bytes)) => bytes,
            // A link or a folder is not ours.
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => return,
            Err(error) => {
                self.set_aside(&next, UNREAD, &not_read(&error), notes);
                return;
            }
        };
        let written = match read(&bytes) {
            Ok(written) => written,
            Err(_) if is_torn_head(&bytes) => Read::default(),
            // It is no journal, or one of a newer version.
            Err(_) => return,
        };
        let here = own_files::read(self.path);
        let recorded = self.read_of_this(&here).filter(|recorded| !recorded.is_damaged());
        let (settled, aside) = match recorded {
            // It was never finished.
            _ if written.events.is_empty() && !written.is_damaged() => (fs::remove_file(&next), None),
            Some(_) if written.is_damaged() => (Ok(()), Some((DAMAGED, RECORD_DAMAGED))),
            // The journal was being shortened, perhaps when the archive was saved.
            Some(recorded) if has_steps(&recorded, &written) => (fs::remove_file(&next), None),
            _ if !written.is_of(self.hash) => (Ok(()), Some((ORPHAN, OTHER_VERSION))),
            Some(recorded) if self.holds_all(&recorded, &written) => (fs::remove_file(&next), None),
            Some(_) => (Ok(()), Some((ORPHAN, OTHER_WORK))),
            None if self.make_way(&here, notes) => (fs::rename(&next, self.path), None),
            None => return,
        };
        if let Some((ending, reason)) = aside {
            self.set_aside(&next, ending, reason, notes);
        }
        if let Err(error) = settled {
            notes.push(format!("{}: {error}", next.display()));
        }
    }

    /// Takes in journals of this document that lie elsewhere: one that could not be read, or that was kept in the folder for
    /// application state.
    pub fn take_in(&self, elsewhere: &[PathBuf], notes: &mut Vec<String>) -> Elsewhere {
        let mut left = Elsewhere::default();
        for other in
            unread(self.path).into_iter().chain(elsewhere.iter().cloned()).filter(|other| own_files::is_taken(other))
        {
            match own_files::read(&other) {
                Ok(Some(bytes)) => match self.take(&bytes, notes) {
                    Ok(Taken::Yes) => {
                        let error = fs::remove_file(&other).err();
                        notes.extend(error.map(|error| format!("{}: {error}", other.display())));
                        archive_note::remove(&other);
                    }
                    Ok(Taken::No) => left.others.push(other),
                    Ok(Taken::Stuck(reason)) => {
                        notes.push(format!("The journal {} could not be moved: {reason}", other.display()));
                        left.stuck = elsewhere.contains(&other).then_some(other).or(left.stuck);
                    }
                    Err(error) => notes.push(format!("{}: {error}", other.display())),
                },
                Ok(None) => {}
                Err(error) => notes.push(format!("{}: {}", other.display(), not_read(&error))),
            }
        }
        left
    }

    /// Makes this journal of another one, if that holds everything that this one holds. What can't be read of this one, or is of
    /// another version of the archive, is kept under another name.
    fn take(&self, other: &[u8], notes: &mut Vec<String>) -> io::Result<Taken> {
        let recorded = read(other).ok().filter(|recorded| !recorded.events.is_empty());
        let Some((recorded, wanted)) = recorded.and_then(|read| Some((self.rebased(other, &read)?, read))) else {
            return Ok(Taken::No);
        };
        if wanted.base == 0 && !self.is_same_work(&recorded, &wanted) {
            return Ok(Taken::Stuck("this file can't lead to its states".into()));
        }
        let here = Ok(own_files::read(self.path)?);
        let now = self.read_of_this(&here);
        // What is proved to be held needs no other name.
        let is_proved = now.as_ref().is_some_and(|now| !now.is_damaged());
        if let Some((now, taken)) = now.zip(read(&recorded).ok())
            && !self.holds_all(&taken, &now)
        {
            let is_older = is_proved && !wanted.is_damaged() && self.holds_all(&now, &taken);
            return Ok(if is_older { Taken::Yes } else { Taken::No });
        }
        if !is_proved && !self.make_way(&here, notes) {
            return Ok(Taken::Stuck("another file has its name".into()));
        }
        let torn = self.keep_damaged(other, &wanted)?;
        if !torn.is_empty() {
            notes.push(format!("Another journal was taken in{torn}"));
        }
        Ok(self.replace(&recorded).map_or_else(|error| Taken::Stuck(error.to_string()), |()| Taken::Yes))
    }

    /// The whole records of another journal of this document, based on this archive. `None` if it is of another archive.
    fn rebased(&self, other: &[u8], recorded: &Read) -> Option<Vec<u8>> {
        let whole = other.get(..recorded.whole_bytes)?;
        match recorded.base {
            _ if recorded.is_of(self.hash) => Some(whole.to_vec()),
            0 => rebase(whole, &[], self.base).ok(),
            _ => None,
        }
    }

    /// Whether a history continues another one, or has its last state and the last one that redo reaches. Both are of this
    /// archive. Bytes prove nothing: a history that is written again has fewer records.
    fn holds_all(&self, all: &Read, of: &Read) -> bool {
        if continues(all, of) {
            return true;
        }
        let replayed = |read: &Read| replay(self.base, read.clone()).ok();
        let Some((all, of)) = replayed(all).zip(replayed(of)) else { return false };
        let tip = of.steps.last().map_or(&of.start, |step| &step.project);
        [of.project(), tip].into_iter().all(|state| has_state(&all, state))
    }

    /// Whether a journal leads from this archive to the last state of one that holds the document itself.
    fn is_same_work(&self, rebased: &[u8], whole: &Read) -> bool {
        let rebased = read(rebased).ok().and_then(|read| replay(self.base, read).ok());
        let states = rebased.zip(replay(&[], whole.clone()).ok());
        states.is_some_and(|(rebased, whole)| is_same_content(rebased.project(), whole.project()))
    }

    /// The journal, of which these are the bytes, if it is of this archive.
    fn read_of_this(&self, here: &io::Result<Option<Vec<u8>>>) -> Option<Read> {
        let bytes = here.as_ref().ok()?.as_ref()?;
        read(bytes).ok().filter(|recorded| recorded.is_of(self.hash))
    }

    /// Frees the journal's name, where these bytes are, for another one. What may be work gets another name. Returns false if the
    /// name is still taken: if that failed, or if a link or a folder has it.
    fn make_way(&self, here: &io::Result<Option<Vec<u8>>>, notes: &mut Vec<String>) -> bool {
        let bytes = match here {
            Ok(None) => return true,
            Ok(Some(bytes)) => bytes,
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => {
                notes.push(format!("{}: {error}", self.path.display()));
                return false;
            }
            Err(error) => return self.set_aside(self.path, UNREAD, &not_read(error), notes),
        };
        match read(bytes) {
            Err(_) if is_torn_head(bytes) => true,
            Err(error) => self.set_aside(self.path, ORPHAN, &error.to_string(), notes),
            Ok(read) if read.is_damaged() => self.set_aside(self.path, DAMAGED, RECORD_DAMAGED, notes),
            Ok(read) if read.events.is_empty() => true,
            Ok(_) => self.set_aside(self.path, ORPHAN, OTHER_VERSION, notes),
        }
    }
}

const RECORD_DAMAGED: &str = "a record is damaged";
const OTHER_WORK: &str = "it holds other work on this file";

/// Whether a history that starts from an archive that another history knows, too, has only steps of that one. One without steps proves
/// that only if it breaks off.
fn has_steps(all: &Read, of: &Read) -> bool {
    let step = |event: &Event| match event {
        Event::Step { label, lumps, .. } => Some((label.clone(), lumps.clone())),
        _ => None,
    };
    let mut known = all.events.iter().filter_map(step);
    let mut steps = of.events.iter().filter_map(step).peekable();
    let is_some = steps.peek().is_some() || of.torn.is_some();
    is_some && all.is_of(of.base) && steps.all(|step| known.any(|other| other == step))
}

/// Whether a history began with all that another one of the same archive holds, and went on from there: what is missing was undone
/// in it.
fn continues(all: &Read, of: &Read) -> bool {
    let is_place = |event: &&Event| matches!(event, Event::Place(_));
    let mut known = all.events.iter().filter(|event| !is_place(event));
    let mut events = of.events.iter().filter(|event| !is_place(event)).peekable();
    all.base == of.base && events.peek().is_some() && events.all(|event| known.next() == Some(event))
}

/// Whether a history has a state. It looks at the last ones first.
fn has_state(history: &Replayed, state: &Project) -> bool {
    is_among(history.steps.iter().rev().map(|step| &step.project).chain([&history.start]), state)
}
