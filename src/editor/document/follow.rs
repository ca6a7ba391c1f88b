//! Derived clips: generated again after every edit that changed their source.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::anim::clip::Clip;
use crate::assets::clip_notes::{Derivation, Derived};
use crate::assets::combat::Lanes;
use crate::assets::id::ClipId;
use crate::assets::model::{ClipSlot, Model};
use crate::assets::project::{Project, unique_name};
use crate::editor::document::apply::{clip_place, model_mut};
use crate::editor::document::edit::EditError;
use crate::editor::ops::derived::derive;
use crate::editor::ops::derived_lanes;

/// See [`crate::editor::document::edit::ClipEdit::AddDerived`].
pub fn add(project: &mut Project, source: ClipId, how: Derivation) -> Result<(), EditError> {
    let id = project.new_clip_id();
    let (model, at) = clip_place(project, source)?;
    let mut clip = made(model, source, how)?;
    clip.name = unique_name(&clip.name, |name| model.clip_named(name).is_some());
    model.clips.insert(at + 1, ClipSlot { id, clip: Arc::new(clip) });
    model.combat.set_lanes(id, made_lanes(model, source, how));
    let folder = model.clip_notes.get(&source).map(|notes| notes.folder.clone()).unwrap_or_default();
    model.note(id, |notes| (notes.folder, notes.derived) = (folder, Some(Derived { source, how })));
    Ok(())
}

/// See [`crate::editor::document::edit::ClipEdit::SetDerived`].
pub fn set(project: &mut Project, id: ClipId, how: Derivation) -> Result<(), EditError> {
    let (model, at) = clip_place(project, id)?;
    let Some(Derived { source, .. }) = model.derived(id) else { return Ok(()) };
    let clip = made(model, source, how)?;
    let name = model.clips[at].clip.name.clone();
    model.clips[at].clip = Arc::new(Clip { name, ..clip });
    model.combat.set_lanes(id, made_lanes(model, source, how));
    model.note(id, |notes| notes.derived = Some(Derived { source, how }));
    Ok(())
}

fn made(model: &Model, source: ClipId, how: Derivation) -> Result<Clip, EditError> {
    let clip = model.clip(source).ok_or(EditError::NoClip)?;
    how.check().map_err(|reason| EditError::Model { model: model.name.clone(), reason })?;
    let mut made = derive(clip, model, how);
    crate::anim::tangent::resolve_tangents(&mut made);
    made.check().map_err(|reason| EditError::Clip { clip: clip.name.clone(), reason })?;
    Ok(made)
}

fn made_lanes(model: &Model, source: ClipId, how: Derivation) -> Lanes {
    match (model.combat.lanes.get(&source), model.clip(source)) {
        (Some(lanes), Some(clip)) => {
            let last = clip.start_of(clip.keyframes.len().saturating_sub(1));
            derived_lanes::derive(lanes, model, how, last)
        }
        _ => Lanes::default(),
    }
}

/// Fails if a clip is derived: it can't be edited directly.
pub fn require_free(model: &Model, at: usize) -> Result<(), EditError> {
    let Some(slot) = model.clips.get(at) else { return Ok(()) };
    let Some(Derived { source, .. }) = model.derived(slot.id) else { return Ok(()) };
    let leader = model.clip(source).map(|clip| clip.name.clone()).unwrap_or_default();
    Err(EditError::Follows { clip: slot.clip.name.clone(), leader })
}

/// Generates every derived clip again whose source changed.
pub fn follow(project: &mut Project, before: &Project) -> Result<(), EditError> {
    for at in 0..project.models.len() {
        if project.models[at].clip_notes.values().any(|notes| notes.derived.is_some()) {
            follow_in(project, at, before)?;
        }
    }
    Ok(())
}

fn follow_in(project: &mut Project, at: usize, before: &Project) -> Result<(), EditError> {
    let model = &project.models[at];
    let old = before.models.iter().find(|old| model.clips.first().is_some_and(|slot| old.clip(slot.id).is_some()));
    let has_new_rig = old.is_some_and(|old| !Arc::ptr_eq(&old.skeleton, &model.skeleton) || old.rig != model.rig);
    let is_other = |slot: &&ClipSlot| {
        let has_other_keys = |old: &Arc<Clip>| !Arc::ptr_eq(old, &slot.clip);
        old.and_then(|old| old.clip(slot.id)).is_none_or(has_other_keys)
            || old.is_some_and(|old| old.combat.lanes.get(&slot.id) != model.combat.lanes.get(&slot.id))
    };
    let mut changed: BTreeSet<ClipId> = model.clips.iter().filter(is_other).map(|slot| slot.id).collect();
    let mut waiting: Vec<(ClipId, Derived)> =
        model.clip_notes.iter().filter_map(|(id, notes)| Some((*id, notes.derived?))).collect();
    // A clip derived from a derived clip waits for it. Malformed files may contain cycles.
    for _ in 0..waiting.len() {
        let is_due = |(_, derived): &(ClipId, Derived)| {
            changed.contains(&derived.source) || (has_new_rig && derived.how == Derivation::Mirrored)
        };
        let Some(next) = waiting.iter().position(is_due) else { break };
        let (id, derived) = waiting.swap_remove(next);
        let model = &project.models[at];
        let clip = made(model, derived.source, derived.how)?;
        let Some(place) = model.clip_index(id) else { continue };
        let clip = Clip { name: model.clips[place].clip.name.clone(), ..clip };
        let lanes = made_lanes(model, derived.source, derived.how);
        let has_other_lanes = lanes != model.combat.lanes_of(id);
        if has_other_lanes {
            model_mut(project, at)?.combat.set_lanes(id, lanes);
        }
        let has_other_keys = *project.models[at].clips[place].clip != clip;
        if has_other_keys {
            model_mut(project, at)?.clips[place].clip = Arc::new(clip);
        }
        if has_other_keys || has_other_lanes {
            changed.insert(id);
        }
    }
    Ok(())
}
