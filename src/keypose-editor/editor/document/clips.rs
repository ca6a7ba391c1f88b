//! Edits of clips as a whole: add, duplicate, rename, delete, reorder, loop mode.

use std::sync::Arc;

use crate::editor::document::apply::{checked_name, clip_place, model_mut};
use crate::editor::document::edit::EditError;
use crate::editor::document::{drafts, follow, keyframes};
use crate::editor::ops::pose::sample;
use keypose::anim::clip::{Clip, LoopMode};
use keypose::anim::key::Channel;
use keypose::anim::root_motion::take_back;
use keypose::anim::skeleton::Skeleton;
use keypose::anim::time::Time;
use keypose::anim::track::Track;
use keypose::assets::clip_notes::ClipNotes;
use keypose::assets::combat::Lanes;
use keypose::assets::id::ClipId;
use keypose::assets::model::{ClipSlot, Model};
use keypose::assets::project::{Project, unique_name};

/// A loop is closed if its first and last pose differ by no more than this in any component.
const SEAM_TOLERANCE: f32 = 1e-4;

/// Adds a clip under a new id.
pub fn add(project: &mut Project, model: usize, at: usize, clip: &Clip, tags: &[String]) -> Result<(), EditError> {
    clip.check().map_err(|reason| EditError::Clip { clip: clip.name.clone(), reason })?;
    let id = project.new_clip_id();
    let model = model_mut(project, model)?;
    let mut clip = clip.clone();
    clip.name = free_name(model, &clip.name);
    let at = at.min(model.clips.len());
    model.clips.insert(at, ClipSlot { id, clip: Arc::new(clip) });
    if !tags.is_empty() {
        model.note(id, |notes| notes.tags = ClipNotes::tags_of(&tags.join(" ")));
    }
    Ok(())
}

/// Duplicates a clip and its drafts.
pub fn duplicate(project: &mut Project, original: ClipId) -> Result<(), EditError> {
    let id = project.new_clip_id();
    let (model, at) = clip_place(project, original)?;
    let mut clip = Clip::clone(&model.clips[at].clip);
    clip.name = free_name(model, &clip.name);
    model.clips.insert(at + 1, ClipSlot { id, clip: Arc::new(clip) });
    if let Some(notes) = model.clip_notes.get(&original).cloned() {
        model.clip_notes.insert(id, notes);
    }
    if let Some(lanes) = model.combat.lanes.get(&original).cloned() {
        model.combat_mut().lanes.insert(id, lanes);
    }
    let copies: Vec<_> = model.drafts.iter().filter(|draft| draft.clip == Some(original)).cloned().collect();
    for mut draft in copies {
        draft.clip = Some(id);
        drafts::add(model, draft);
    }
    Ok(())
}

/// Renames a clip, also in the animation table, the state machine and cancels.
pub fn rename(project: &mut Project, clip: ClipId, name: &str) -> Result<(), EditError> {
    let (model, at) = clip_place(project, clip)?;
    let name = checked_name(name, |name| model.clips.iter().any(|slot| slot.id != clip && slot.clip.name == name))?;
    let before = std::mem::replace(&mut Arc::make_mut(&mut model.clips[at].clip).name, name.clone());
    model.machine.rename_clip(&before, &name);
    model.combat_mut().rename_clip(&before, &name);
    if model.sprites.clips.contains(&before) {
        Arc::make_mut(&mut model.sprites).rename_clip(&before, &name);
    }
    Ok(())
}

/// Deletes a clip and its drafts.
pub fn delete(project: &mut Project, clip: ClipId) -> Result<(), EditError> {
    let (model, at) = clip_place(project, clip)?;
    model.clips.remove(at);
    model.drafts.retain(|draft| draft.clip != Some(clip));
    model.clip_notes.remove(&clip);
    model.combat_mut().lanes.remove(&clip);
    // Clips that were derived from it stay as they are, unlocked.
    let others: Vec<ClipId> = model.clips.iter().map(|slot| slot.id).collect();
    for id in others {
        if model.derived(id).is_some_and(|derived| derived.source == clip) {
            model.note(id, |notes| notes.derived = None);
        }
    }
    Ok(())
}

/// Sets the lanes of a clip.
pub fn set_lanes(project: &mut Project, clip: ClipId, lanes: &Lanes) -> Result<(), EditError> {
    let (model, at) = clip_place(project, clip)?;
    follow::require_free(model, at)?;
    model.combat_mut().set_lanes(clip, lanes.clone());
    let checked = model.combat.lanes.get(&clip).map_or(Ok(()), Lanes::check);
    checked.map_err(|reason| EditError::Lanes { clip: model.clips[at].clip.name.clone(), reason })
}

/// Changes the notes of a clip.
pub fn note(project: &mut Project, clip: ClipId, change: impl FnOnce(&mut ClipNotes)) -> Result<(), EditError> {
    let (model, _) = clip_place(project, clip)?;
    model.note(clip, change);
    Ok(())
}

/// Moves a clip in the list.
pub fn reorder(project: &mut Project, clip: ClipId, to: usize) -> Result<(), EditError> {
    let (model, at) = clip_place(project, clip)?;
    let slot = model.clips.remove(at);
    let to = to.min(model.clips.len());
    model.clips.insert(to, slot);
    Ok(())
}

/// Replaces the contents of a clip; a taken name gets a number.
pub fn replace(project: &mut Project, id: ClipId, with: &Clip) -> Result<(), EditError> {
    with.check().map_err(|reason| EditError::Clip { clip: with.name.clone(), reason })?;
    let (model, at) = clip_place(project, id)?;
    follow::require_free(model, at)?;
    let is_taken = |name: &str| model.clips.iter().any(|slot| slot.id != id && slot.clip.name == name);
    let name = unique_name(&with.name, is_taken);
    model.clips[at].clip = Arc::new(Clip { name, ..with.clone() });
    Ok(())
}

/// See [`crate::editor::document::edit::ClipEdit::SetLoopMode`].
pub fn set_loop_mode(clip: &mut Clip, skeleton: &Skeleton, loop_mode: LoopMode) -> Result<(), EditError> {
    if clip.loop_mode == loop_mode {
        return Ok(());
    }
    let differs = seam_differs(clip, skeleton);
    clip.loop_mode = loop_mode;
    keyframes::open_seam(clip, differs);
    Ok(())
}

/// Whether the last pose differs from the first one, but for the way of root motion: the next round starts there.
fn seam_differs(clip: &Clip, skeleton: &Skeleton) -> bool {
    let mut held = Clip { loop_mode: LoopMode::Once, ..clip.clone() };
    // Keys of delayed bones are played around the seam.
    held.set_delays(Vec::new());
    let [start, mut end] = [Time::ZERO, clip.length()].map(|time| sample(&held, skeleton, time));
    take_back(skeleton, clip.root_motion, &start, &mut end);
    Track::keyed(&held, |_| true).iter().filter(|track| usize::from(track.bone) < skeleton.len()).any(|track| {
        let [start, end] = [&start, &end].map(|pose| pose.value(track.bone, track.channel));
        let distance = (end - start).abs().max_element();
        let is_rotation = track.channel == Channel::Rotation;
        let flipped = if is_rotation { (end + start).abs().max_element() } else { distance };
        distance.min(flipped) > SEAM_TOLERANCE
    })
}

fn free_name(model: &Model, name: &str) -> String {
    unique_name(name, |name| model.clip_named(name).is_some())
}
