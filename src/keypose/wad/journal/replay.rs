//! Replays a journal over its base to the document and its undo history.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use crate::anim::clip::Keyframe;
use crate::assets::model::{ClipSlot, Model};
use crate::assets::project::Project;
use crate::wad::archive::Archive;
use crate::wad::assemble::{self, ClipIds, ModelLumps, assemble};
use crate::wad::decode::read_parts;
use crate::wad::encode::parts_and_ids;
use crate::wad::error::WadError;
use crate::wad::journal::delta::{CLIP_CHANGE, apply};
use crate::wad::journal::{Event, Place, Read};
use crate::wad::kind::{Kind, Role};
use crate::wad::pack::Lump;
use crate::wad::part::{Part, Parts};

/// One undo step.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Label of the step in menus.
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
    /// The document of the base.
    pub base: Project,
    /// The document before the first step.
    pub start: Project,
    /// The steps that are done, then those that were undone.
    pub steps: Vec<Step>,
    /// The number of steps that are done.
    pub done: usize,
    /// The last selection and playhead; `None` if the journal has none.
    pub place: Option<Place>,
    /// The number of steps that lead to the first state: those before a start, and those that were left out because their states would
    /// take more than [`MAX_STATE_BYTES`]. Undo doesn't reach back to them.
    pub first: usize,
}

/// The maximum size of the states of all steps together, without what they share, in bytes. The last state is kept in any case.
pub const MAX_STATE_BYTES: usize = 128 << 20;

impl Replayed {
    /// Merges the first of the steps into the first state. Returns false if it was undone.
    fn merge_first(&mut self, steps: &mut VecDeque<(Step, usize)>, bytes: &mut usize) -> bool {
        let Some(done) = self.done.checked_sub(1) else { return false };
        let Some((first, size)) = steps.pop_front() else { return false };
        *bytes = bytes.saturating_sub(size);
        (self.start, self.done) = (first.project, done);
        self.first = self.first.saturating_add(1);
        true
    }

    /// The last state of the document.
    pub fn project(&self) -> &Project {
        match self.done.checked_sub(1).and_then(|last| self.steps.get(last)) {
            Some(step) => &step.project,
            None => &self.start,
        }
    }
}

/// Replays a journal over its base (empty bytes: nothing). An error names the record and its offset.
pub fn replay(base: &[u8], mut journal: Read) -> Result<Replayed, WadError> {
    let Path { first, start, steps, done, place } = Path::of(&journal)?;
    let steps: Vec<Record> = steps.into_iter().map(|(record, _)| record).collect();
    let (mut state, [base, start]) = State::start(base, start)?;
    let mut out = Replayed { base, start, first, done, place, ..Replayed::default() };
    let (mut kept, mut bytes) = (VecDeque::new(), 0_usize);
    for record in steps {
        // What a step holds is dropped as soon as it is applied.
        let Some(Event::Step { label, before, after, lumps }) = record.take(&mut journal.events) else { continue };
        let size = state.apply(&lumps).map(|()| state.unshared_bytes(&lumps));
        let (size, project) = match size.and_then(|size| Ok((size, state.project()?))) {
            Ok(made) => made,
            // Only steps that were undone are left.
            Err(_) if kept.len() >= out.done => break,
            Err(error) => return Err(record.error(&error)),
        };
        bytes = bytes.saturating_add(size);
        kept.push_back((Step { label, before, after, project }, size));
        while bytes > MAX_STATE_BYTES && kept.len() > 1 && out.merge_first(&mut kept, &mut bytes) {}
        if bytes > MAX_STATE_BYTES && kept.len() > out.done {
            // Only steps that were undone are left.
            break;
        }
    }
    out.steps = kept.into_iter().map(|(step, _)| step).collect();
    for project in [&out.start, out.project()] {
        check(project)?;
    }
    Ok(out)
}

/// The last state of a journal that is valid, and what is invalid about the last one; for journals that [`replay`] refuses.
pub fn last_valid_state(base: &[u8], journal: &Read) -> Result<(Project, Option<WadError>), WadError> {
    let Path { start, steps, done, .. } = Path::of(journal)?;
    let (mut state, [_, mut last]) = State::start(base, start)?;
    let mut fault = None;
    for (record, event) in steps.into_iter().take(done) {
        let Event::Step { lumps, .. } = event else { continue };
        if let Err(error) = state.apply(lumps) {
            // Later steps may need what can't be read.
            return Ok((last, fault.or(Some(record.error(&error)))));
        }
        match state.project().and_then(|project| check(&project).map(|()| project)) {
            Ok(project) => (last, fault) = (project, None),
            Err(error) => {
                (state.changed_clips, state.must_check) = (None, true);
                fault = fault.or(Some(record.error(&error)));
            }
        }
    }
    Ok((last, fault))
}

/// The steps that lead to the last state, without those that were undone and replaced.
struct Path<'a> {
    /// The number of steps that lead to the first state.
    first: usize,
    /// Record of the change from the base to the first state.
    start: Option<(Record, &'a [Lump])>,
    /// The steps after the first state: done, then undone.
    steps: Vec<(Record, &'a Event)>,
    done: usize,
    place: Option<Place>,
}

impl<'a> Path<'a> {
    fn of(journal: &'a Read) -> Result<Path<'a>, WadError> {
        let mut path = Path { first: 0, start: None, steps: Vec::new(), done: 0, place: None };
        let starts = journal.offsets.iter().copied().chain(std::iter::repeat(journal.whole_bytes));
        for ((number, offset), event) in (0_u64..).zip(starts).zip(&journal.events) {
            let record = Record { number, offset };
            path.add(record, event).map_err(|reason| record.error(&reason))?;
        }
        Ok(path)
    }

    fn add(&mut self, record: Record, event: &'a Event) -> Result<(), &'static str> {
        match event {
            Event::Start { .. } if record.number > 0 => return Err("a second start record"),
            Event::Start { first, lumps, .. } => {
                self.first = usize::try_from(*first).unwrap_or(usize::MAX);
                self.start = Some((record, lumps));
            }
            Event::Step { after, .. } => {
                self.steps.truncate(self.done);
                self.steps.push((record, event));
                (self.done, self.place) = (self.steps.len(), Some(after.clone()));
            }
            Event::Position { done, place } => {
                let done = usize::try_from(*done).ok().and_then(|done| done.checked_sub(self.first));
                self.done = done.ok_or("a position before the first state")?;
                if self.done > self.steps.len() {
                    return Err("a position past the last step");
                }
                self.place = Some(place.clone());
            }
            Event::Place(place) => self.place = Some(place.clone()),
            Event::Saved { .. } => {}
        }
        Ok(())
    }
}

/// A record of the journal, for errors about it.
#[derive(Clone, Copy)]
struct Record {
    number: u64,
    offset: usize,
}

impl Record {
    /// Takes the event out of its list.
    fn take(self, events: &mut [Event]) -> Option<Event> {
        let event = events.get_mut(usize::try_from(self.number).ok()?)?;
        Some(std::mem::replace(event, Event::Place(Place::default())))
    }

    fn error(self, reason: &dyn std::fmt::Display) -> WadError {
        let Record { number, offset } = self;
        let place = format!("journal, record {number}");
        WadError::Container { place, offset: offset as u64, reason: reason.to_string() }
    }
}

/// All parts of one state, and the ids of its clips.
#[derive(Default)]
struct State {
    parts: Parts,
    ids: ClipIds,
    /// The last id that was assigned; ids of removed clips are not assigned again.
    next_id: u32,
    /// Whether a part changed that models must be checked with.
    must_check: bool,
    /// The lumps of clips that changed since the last assembly, if nothing else did.
    changed_clips: Option<Vec<String>>,
    /// The last assembly.
    last: Project,
    /// The model and the index of each clip in it, by its lump.
    places: BTreeMap<String, (usize, usize)>,
}

impl State {
    fn open(base: &[u8]) -> Result<State, WadError> {
        let parts = if base.is_empty() { Parts::new() } else { read_parts(&Archive::open(base)?)? };
        Ok(State { parts, must_check: true, ..State::default() })
    }

    /// Opens the base and applies the change to the first state. Returns both states.
    fn start(base: &[u8], start: Option<(Record, &[Lump])>) -> Result<(State, [Project; 2]), WadError> {
        let mut state = State::open(base)?;
        let base = state.project()?;
        if let Some((record, lumps)) = start {
            // Steps know no other names of lumps than those that a writer gives them.
            state.continue_from(&base);
            state.must_check = true;
            state.apply(lumps).map_err(|error| record.error(&error))?;
        }
        let start = state.project()?;
        state.continue_from(&start);
        Ok((state, [base, start]))
    }

    /// Continues from an assembled state, with the names that a writer gives its lumps.
    fn continue_from(&mut self, start: &Project) {
        (self.parts, self.ids) = parts_and_ids(start);
        self.changed_clips = None;
    }

    fn apply(&mut self, lumps: &[Lump]) -> Result<(), WadError> {
        // Baked clips are made again from the clips.
        for lump in lumps.iter().filter(|lump| lump.kind != Kind::BAKED) {
            self.must_check |= lump.kind != CLIP_CHANGE && lump.kind.role().is_none_or(Role::affects_model);
            let kind = if lump.kind == CLIP_CHANGE { Kind::CLIP } else { lump.kind };
            let key = (kind, lump.name.clone());
            let old = matches!(kind, Kind::MODEL | Kind::CLIP).then(|| self.parts.get(&key).cloned()).flatten();
            apply(&mut self.parts, lump)?;
            match (&old, self.parts.get(&key)) {
                (Some(Part::Clip(old)), Some(Part::Clip(new))) if old.name == new.name => {
                    if let Some(changed) = &mut self.changed_clips {
                        changed.push(lump.name.clone());
                    }
                    continue;
                }
                (Some(Part::Model(old)), Some(Part::Model(new))) => rename(&mut self.ids, &old.clips, &new.clips),
                _ => {}
            }
            self.changed_clips = None;
        }
        if self.changed_clips.is_none() {
            // A new clip with the name of a removed one is another clip.
            self.ids.retain(|lump, _| self.parts.contains_key(&(Kind::CLIP, lump.clone())));
        }
        Ok(())
    }

    /// At most about how many bytes the next state doesn't share with the last one: lists of models and keyframes, and what a step holds.
    fn unshared_bytes(&self, lumps: &[Lump]) -> usize {
        let lists = self.last.models.iter().map(|model| {
            let slots = model.clips.len().saturating_mul(size_of::<ClipSlot>());
            slots.saturating_add(size_of::<Model>())
        });
        let held = lumps.iter().filter_map(|lump| Some(lump.bytes.as_ref()?.len()));
        let keyframes = lumps.iter().map(|lump| match self.parts.get(&(Kind::CLIP, lump.name.clone())) {
            Some(Part::Clip(clip)) if lump.kind == CLIP_CHANGE => {
                clip.keyframes.len().saturating_mul(size_of::<Keyframe>())
            }
            _ => 0,
        });
        lists.chain(held).chain(keyframes).fold(0, usize::saturating_add)
    }

    /// The project of these parts. It takes the time of the lists that changed: mostly, those are none.
    fn project(&mut self) -> Result<Project, WadError> {
        match self.changed_clips.replace(Vec::new()) {
            Some(changed) => {
                for lump in &changed {
                    self.replace_clip(lump);
                }
            }
            None => self.assemble()?,
        }
        Ok(self.last.clone())
    }

    fn assemble(&mut self) -> Result<(), WadError> {
        let assembled = assemble(&self.parts, &mut self.ids, self.next_id)?;
        if std::mem::take(&mut self.must_check) {
            assemble::check(&assembled, &self.parts)?;
        }
        let clips_of = |(model, lumps): (usize, &ModelLumps)| {
            let clips = lumps.clips.iter().cloned().zip(0..);
            clips.map(|(lump, clip)| (lump, (model, clip))).collect::<Vec<_>>()
        };
        self.places = assembled.models.iter().enumerate().flat_map(clips_of).collect();
        self.next_id = assembled.project.next_id;
        let last = std::mem::replace(&mut self.last, assembled.project);
        for (model, last) in self.last.models.iter_mut().zip(&last.models) {
            if !Arc::ptr_eq(model, last) && model.combat == last.combat {
                Arc::make_mut(model).combat = last.combat.clone();
            }
        }
        Ok(())
    }

    /// Replaces a clip, whose name is the same, in the last assembly.
    fn replace_clip(&mut self, lump: &str) {
        let Some((model, clip)) = self.places.get(lump) else { return };
        let part = self.parts.get(&(Kind::CLIP, lump.to_owned()));
        let model = self.last.models.get_mut(*model).map(Arc::make_mut);
        if let (Some(Part::Clip(new)), Some(slot)) = (part, model.and_then(|model| model.clips.get_mut(*clip))) {
            let old = std::mem::replace(&mut slot.clip, new.clone());
            // A model may give a second clip of one name another name.
            if slot.clip.name != old.name {
                Arc::make_mut(&mut slot.clip).name.clone_from(&old.name);
            }
        }
    }
}

/// Keeps the ids of renamed clips, which keep their index in the list.
fn rename(ids: &mut ClipIds, old: &[String], new: &[String]) {
    if old.len() != new.len() {
        return;
    }
    let (before, after): (BTreeSet<&String>, BTreeSet<&String>) = (old.iter().collect(), new.iter().collect());
    for (from, to) in old.iter().zip(new) {
        if from != to && !after.contains(from) && !before.contains(to) {
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
