//! Shared parts of edits: checks of names, and changes of a clip with its tangents, events and drafts.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::editor::document::edit::EditError;
use crate::editor::document::retiming::{self, Places, Retiming};
use crate::editor::document::{drafts, follow};
use keypose::anim::clip::Clip;
use keypose::anim::key::Channel;
use keypose::anim::skeleton::{BoneIndex, Skeleton};
use keypose::anim::tangent::{resolve_changed, resolve_changed_channels};
use keypose::assets::clip_event::{self, What};
use keypose::assets::id::ClipId;
use keypose::assets::model::Model;
use keypose::assets::project::Project;

/// A trimmed name that is neither empty nor taken nor too long.
pub fn checked_name(name: &str, is_taken: impl Fn(&str) -> bool) -> Result<String, EditError> {
    let name = name.trim();
    match name {
        "" => Err(EditError::EmptyName),
        name if name.len() > Skeleton::MAX_NAME_BYTES => Err(EditError::LongName { bytes: name.len() }),
        name if is_taken(name) => Err(EditError::NameTaken { name: name.to_owned() }),
        name => Ok(name.to_owned()),
    }
}

/// A model to change; copies it if it is shared.
pub fn model_mut(project: &mut Project, model: usize) -> Result<&mut Model, EditError> {
    project.models.get_mut(model).map(Arc::make_mut).ok_or(EditError::NoModel { model })
}

/// The old and the new names of what was renamed in a list: both lists are equally long, and no element has the old name any more.
pub fn renamed<'n, T>(before: &'n [T], after: &'n [T], name: impl Fn(&'n T) -> &'n str) -> Vec<[&'n str; 2]> {
    if before.len() != after.len() {
        return Vec::new();
    }
    let kept: BTreeSet<&str> = after.iter().map(&name).collect();
    let names = before.iter().zip(after).map(|(old, new)| [name(old), name(new)]);
    names.filter(|[old, _]| !kept.contains(old)).collect()
}

/// Lets the events of a model's clips follow a new name.
pub fn rename_in_events(model: &mut Arc<Model>, what: What, names: [&str; 2]) {
    clip_event::rename(model, |event| clip_event::renamed(event, what, names));
}

/// Why a model can't be changed so.
pub fn refused(model: &Model, reason: impl Into<String>) -> EditError {
    EditError::Model { model: model.name.clone(), reason: reason.into() }
}

/// The model of a clip, to change, and the index of the clip in it.
pub fn clip_place(project: &mut Project, clip: ClipId) -> Result<(&mut Model, usize), EditError> {
    let found = project.models.iter().enumerate().find_map(|(index, model)| Some((index, model.clip_index(clip)?)));
    let (model, at) = found.ok_or(EditError::NoClip)?;
    Ok((model_mut(project, model)?, at))
}

/// Changes a clip, updates its automatic tangents and checks it.
pub fn change_clip(
    project: &mut Project,
    clip: ClipId,
    edit: impl FnOnce(&mut Clip) -> Result<(), EditError>,
) -> Result<(), EditError> {
    let (model, at) = clip_place(project, clip)?;
    change(model, at, edit)
}

/// Changes keys of some channels. A drag does this on every mouse move, so only these channels get new tangents: no
/// other key has new neighbours unless the seam of a loop moved.
pub fn change_channels(
    project: &mut Project,
    clip: ClipId,
    channels: impl Iterator<Item = (BoneIndex, Channel)>,
    edit: impl FnOnce(&mut Clip) -> Result<(), EditError>,
) -> Result<(), EditError> {
    let (model, at) = clip_place(project, clip)?;
    follow::require_free(model, at)?;
    let (before, clip) = to_change(model, at);
    edit(clip)?;
    resolve_changed_channels(clip, &before, channels.collect());
    clip.check_changed(&before).map_err(|reason| EditError::Clip { clip: clip.name.clone(), reason })
}

/// A clip as it is, and to change. Both share their keys, so that what changes is found by comparing.
fn to_change(model: &mut Model, at: usize) -> (Arc<Clip>, &mut Clip) {
    let before = model.clips[at].clip.clone();
    before.keyframes.decode();
    (before, Arc::make_mut(&mut model.clips[at].clip))
}

pub fn change(
    model: &mut Model,
    at: usize,
    edit: impl FnOnce(&mut Clip) -> Result<(), EditError>,
) -> Result<(), EditError> {
    follow::require_free(model, at)?;
    let (before, clip) = to_change(model, at);
    edit(clip)?;
    resolve_changed(clip, &before);
    clip.check_changed(&before).map_err(|reason| EditError::Clip { clip: clip.name.clone(), reason })
}

/// Changes a clip and moves its events, lanes and drafts along with its keyframes.
pub fn retime(
    project: &mut Project,
    clip: ClipId,
    edit: impl FnOnce(&mut Clip) -> Result<Places, EditError>,
) -> Result<(), EditError> {
    let (model, at) = clip_place(project, clip)?;
    let before = model.clips[at].clip.clone();
    let mut map = None;
    change(model, at, |clip| {
        let places = edit(clip)?;
        let durations = clip.keyframes.iter().map(|keyframe| keyframe.duration).collect();
        let retiming = Retiming::new(&before, places, durations);
        retiming::move_events(clip, &retiming);
        map = Some(retiming);
        Ok(())
    })?;
    if let Some(map) = map {
        drafts::retime(model, clip, |time| map.map(time));
        if let Some(lanes) = model.combat_mut().lanes.get_mut(&clip) {
            lanes.map_ranges(|range| map.map_range(range));
        }
        follow::retime_parts(model, clip, |range| map.map_range(range));
    }
    Ok(())
}
