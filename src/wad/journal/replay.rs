//! Replays a journal over its archive to the document and its undo history.

use crate::assets::project::Project;
use crate::wad::archive::Archive;
use crate::wad::assemble::{self, ClipIds, assemble};
use crate::wad::decode::read_parts;
use crate::wad::encode::parts_and_ids;
use crate::wad::error::WadError;
use crate::wad::journal::{Event, Place, Read};
use crate::wad::kind::{Kind, Role};
use crate::wad::pack::Lump;
use crate::wad::part::{Part, Parts};

/// One undo step.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Its label.
    pub label: String,
    /// Selection and playhead before it.
    pub before: Place,
    /// Selection and playhead after it.
    pub after: Place,
    /// The document after it. Clips keep their ids in all states; unchanged values are shared.
    pub project: Project,
}

/// The document and undo history of a journal.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Replayed {
    /// The document before the first step.
    pub start: Project,
    /// The steps that are done, then those that were undone.
    pub steps: Vec<Step>,
    /// The number of steps that are done.
    pub done: usize,
    /// The last selection and playhead; `None` if the journal has none.
    pub place: Option<Place>,
}

impl Replayed {
    /// The last state of the document.
    pub fn project(&self) -> &Project {
        match self.done.checked_sub(1).and_then(|last| self.steps.get(last)) {
            Some(step) => &step.project,
            None => &self.start,
        }
    }
}

/// Replays a journal over its archive (empty bytes without one). An error names the record and its offset.
pub fn replay(base: &[u8], journal: Read) -> Result<Replayed, WadError> {
    let mut state = State::open(base)?;
    let starts = journal.offsets.into_iter().chain(std::iter::repeat(journal.whole_bytes));
    let records = (0_u64..).zip(starts).map(|(number, offset)| Record { number, offset });
    let mut records = records.zip(journal.events).peekable();
    let is_start = |(_, event): &(Record, Event)| matches!(event, Event::Start { .. });
    if let Some((record, Event::Start { lumps })) = records.next_if(is_start) {
        state.apply(lumps).map_err(|error| record.error(&error))?;
    }
    let mut out = Replayed { start: state.project()?, ..Replayed::default() };
    let mut latest = out.start.clone();
    for (record, event) in records {
        match event {
            Event::Start { .. } => return Err(record.error(&"a second start record")),
            Event::Step { label, before, after, lumps } => {
                out.steps.truncate(out.done);
                state.apply(lumps).map_err(|error| record.error(&error))?;
                latest = state.project().map_err(|error| record.error(&error))?;
                out.place = Some(after.clone());
                out.steps.push(Step { label, before, after, project: latest.clone() });
                out.done = out.steps.len();
            }
            Event::Position { done, place } => {
                let done = usize::try_from(done).ok().filter(|done| *done <= out.steps.len());
                out.done = done.ok_or_else(|| record.error(&"a position past the last step"))?;
                out.place = Some(place);
                state.go_to(out.project(), latest.next_id);
            }
            Event::Place(place) => out.place = Some(place),
        }
    }
    for project in [&out.start, out.project()] {
        check(project)?;
    }
    Ok(out)
}

/// A record of the journal, for errors about it.
#[derive(Clone, Copy)]
struct Record {
    number: u64,
    offset: usize,
}

impl Record {
    fn error(self, reason: &dyn std::fmt::Display) -> WadError {
        let Record { number, offset } = self;
        let place = format!("journal, record {number}");
        WadError::Container { place, offset: offset as u64, reason: reason.to_string() }
    }
}

/// All parts of one state, and the ids of its clips.
struct State {
    parts: Parts,
    ids: ClipIds,
    /// The last id that was assigned; ids of removed clips are not assigned again.
    next_id: u32,
    /// Whether a part changed that models must be checked with.
    must_check: bool,
}

impl State {
    fn open(base: &[u8]) -> Result<State, WadError> {
        let parts = if base.is_empty() { Parts::new() } else { read_parts(&Archive::open(base)?)? };
        Ok(State { parts, ids: ClipIds::new(), next_id: 0, must_check: true })
    }

    fn apply(&mut self, lumps: Vec<Lump>) -> Result<(), WadError> {
        // Baked clips are made again from the clips.
        for Lump { kind, name, version, bytes, .. } in lumps.into_iter().filter(|lump| lump.kind != Kind::BAKED) {
            self.must_check |= kind.role().is_none_or(Role::affects_model);
            let own = |part: &[u8]| part.to_vec().into();
            let part = bytes.map(|bytes| Part::read(kind, version, &name, &bytes, own)).transpose()?;
            if let Some(Part::Model(new)) = &part
                && let Some(Part::Model(old)) = self.parts.get(&(kind, name.clone()))
            {
                rename(&mut self.ids, &old.clips, &new.clips);
            }
            match part {
                Some(part) => drop(self.parts.insert((kind, name), part)),
                None => drop(self.parts.remove(&(kind, name))),
            }
        }
        // A new clip with the name of a removed one is another clip.
        self.ids.retain(|lump, _| self.parts.contains_key(&(Kind::CLIP, lump.clone())));
        Ok(())
    }

    fn project(&mut self) -> Result<Project, WadError> {
        let assembled = assemble(&self.parts, &mut self.ids, self.next_id)?;
        self.next_id = assembled.project.next_id;
        if std::mem::take(&mut self.must_check) {
            assemble::check(&assembled, &self.parts)?;
        }
        Ok(assembled.project)
    }

    /// Restores a state of the history.
    fn go_to(&mut self, project: &Project, next_id: u32) {
        (self.parts, self.ids) = parts_and_ids(project);
        self.next_id = next_id;
    }
}

/// Keeps the ids of renamed clips, which keep their index in the list.
fn rename(ids: &mut ClipIds, old: &[String], new: &[String]) {
    if old.len() != new.len() {
        return;
    }
    for (from, to) in old.iter().zip(new) {
        if from != to && !new.contains(from) && !old.contains(to) {
            let id = ids.remove(from);
            ids.extend(id.map(|id| (to.clone(), id)));
        }
    }
}

fn check(project: &Project) -> Result<(), WadError> {
    let content = |name: &str, reason| WadError::Content { place: format!("journal, model {name}"), reason };
    let models = &project.models;
    models.iter().try_for_each(|model| model.check().map_err(|error| content(&model.name, error.reason)))
}
