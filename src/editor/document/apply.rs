//! Applies one edit to a project that is already a copy. [`Edit`] documents what each edit means.

use std::sync::Arc;

use crate::anim::clip::{Clip, LoopMode};
use crate::anim::key::{Channel, Key};
use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::assets::clip_notes::ClipNotes;
use crate::assets::id::ClipId;
use crate::assets::model::Model;
use crate::assets::project::Project;
use crate::assets::reference;
use crate::assets::saved_pose;
use crate::editor::document::edit::{Edit, EditError};
use crate::editor::document::{clips, drafts, follow, keyframes, keys, materials};

/// Applies one edit. If it fails, the project is in an unknown state and must be discarded.
pub fn apply(project: &mut Project, edit: &Edit) -> Result<(), EditError> {
    match edit {
        Edit::AddModel { add } => add_model(project, add),
        Edit::RenameModel { model, name } => rename_model(project, *model, name),
        Edit::RemoveModel { model } => remove_model(project, *model),
        Edit::SetVisibility { model, mesh, visibility } => {
            let model = model_mut(project, *model)?;
            let missing = EditError::NoMesh { model: model.name.clone(), mesh: *mesh };
            model.meshes.get_mut(*mesh).ok_or(missing)?.visibility = *visibility;
            Ok(())
        }
        Edit::SetRest { model, bone, transform } => {
            let model = model_mut(project, *model)?;
            let mut bones = model.skeleton.bones().to_vec();
            let missing = EditError::NoBone { model: model.name.clone(), bone: *bone };
            bones.get_mut(usize::from(*bone)).ok_or(missing)?.rest = *transform;
            let skeleton = Skeleton::new(bones).map_err(|reason| EditError::Skeleton { reason })?;
            model.skeleton = Arc::new(skeleton);
            Ok(())
        }
        Edit::SetMachine { model, machine } => {
            model_mut(project, *model)?.machine = machine.clone();
            Ok(())
        }
        Edit::SetPoses { model, poses } => {
            let model = model_mut(project, *model)?;
            model.poses = poses.clone();
            let checked = saved_pose::check(poses.iter().map(|pose| &**pose));
            checked.map_err(|reason| EditError::Model { model: model.name.clone(), reason })
        }
        Edit::SetRig { model, rig } => {
            let model = model_mut(project, *model)?;
            model.rig = rig.clone();
            rig.check().map_err(|reason| EditError::Model { model: model.name.clone(), reason })
        }
        Edit::SetMaterial { model, material, with } => {
            materials::set_material(model_mut(project, *model)?, *material, with)
        }
        Edit::SetImage { model, material, image } => {
            materials::set_image(model_mut(project, *model)?, *material, image)
        }
        Edit::SetReferences { model, references } => {
            let model = model_mut(project, *model)?;
            model.references = references.clone();
            let checked = reference::check(references);
            checked.map_err(|reason| EditError::Model { model: model.name.clone(), reason })
        }
        Edit::SetSockets { model, sockets } => {
            let model = model_mut(project, *model)?;
            model.sockets = sockets.clone();
            model.check().map_err(|error| EditError::Model { model: model.name.clone(), reason: error.reason })
        }
        Edit::AddClip { model, at, clip } => clips::add(project, *model, *at, clip),
        Edit::DuplicateClip { clip } => clips::duplicate(project, *clip),
        Edit::AddDerived { source, how } => follow::add(project, *source, *how),
        Edit::SetDerived { clip, how } => follow::set(project, *clip, *how),
        Edit::UnlockClip { clip } => clips::note(project, *clip, |notes| notes.derived = None),
        Edit::SetFolder { clip, folder } => {
            clips::note(project, *clip, |notes| notes.folder = folder.trim().to_owned())
        }
        Edit::SetTags { clip, tags } => {
            clips::note(project, *clip, |notes| notes.tags = ClipNotes::tags_of(&tags.join(" ")))
        }
        Edit::RenameClip { clip, name } => clips::rename(project, *clip, name),
        Edit::DeleteClip { clip } => clips::delete(project, *clip),
        Edit::MoveClip { clip, to } => clips::reorder(project, *clip, *to),
        Edit::SetLoopMode { clip, loop_mode } => {
            let (model, at) = clip_place(project, *clip)?;
            let skeleton = model.skeleton.clone();
            change(model, at, |clip| clips::set_loop_mode(clip, &skeleton, *loop_mode))
        }
        Edit::SetFrameRate { clip, frame_rate } => change_clip(project, *clip, |clip| {
            clip.frame_rate = *frame_rate;
            Ok(())
        }),
        Edit::ReplaceClip { clip, with } => clips::replace(project, *clip, with),
        Edit::SetEvents { clip, events } => change_clip(project, *clip, |clip| {
            clip.events = events.clone();
            clip.events.sort_by_key(|event| event.time);
            Ok(())
        }),
        _ => apply_in_time(project, edit),
    }
}

/// The edits of keyframes, keys and drafts.
fn apply_in_time(project: &mut Project, edit: &Edit) -> Result<(), EditError> {
    match edit {
        Edit::KeyAt { clip, time, keys } => change_clip(project, *clip, |clip| keyframes::key_at(clip, *time, keys)),
        Edit::InsertAfter { clip, keyframe, duration, keys } => {
            retime(project, *clip, |clip| keyframes::insert_after(clip, *keyframe, *duration, keys))
        }
        Edit::DuplicateKeyframe { clip, keyframe } => {
            retime(project, *clip, |clip| keyframes::duplicate(clip, *keyframe))
        }
        Edit::DeleteKeyframes { clip, keyframes, gap } => {
            retime(project, *clip, |clip| keyframes::delete(clip, keyframes, *gap))
        }
        Edit::MoveKeyframe { clip, from, to } => retime(project, *clip, |clip| keyframes::reorder(clip, *from, *to)),
        Edit::SetDuration { clip, keyframe, duration } => {
            retime(project, *clip, |clip| keyframes::set_duration(clip, *keyframe, *duration))
        }
        Edit::SetKeys { clip, keyframe, keys } => {
            change_channels(project, *clip, keys.iter().map(Key::address), |clip| keys::set(clip, *keyframe, keys))
        }
        Edit::ReplaceKeys { clip, keyframe, keys } => {
            change_clip(project, *clip, |clip| keys::replace(clip, *keyframe, keys))
        }
        Edit::SetValues { clip, values } => {
            let channels = values.iter().map(|(key, _)| (key.bone, key.channel));
            change_channels(project, *clip, channels, |clip| keys::set_values(clip, values))
        }
        Edit::KeysAt { clip, keys } => {
            let channels = keys.iter().map(|(_, key)| key.address());
            change_channels(project, *clip, channels, |clip| keys::set_at(clip, keys))
        }
        Edit::RemoveKeys { clip, keys } => {
            let channels = keys.iter().map(|key| (key.bone, key.channel));
            change_channels(project, *clip, channels, |clip| keys::remove(clip, keys))
        }
        Edit::MoveKeys { clip, moves, original } => {
            let channels = moves.iter().map(|one| (one.from.bone, one.from.channel));
            change_channels(project, *clip, channels, |clip| keys::move_in_time(clip, moves, *original))
        }
        Edit::SetEase { clip, keys, ease } => change_clip(project, *clip, |clip| keys::set_ease(clip, keys, *ease)),
        Edit::SetTangentKind { clip, keys, kind } => {
            change_clip(project, *clip, |clip| keys::set_kind(clip, keys, *kind))
        }
        Edit::SetTangents { clip, key, in_tangent, out_tangent } => {
            change_clip(project, *clip, |clip| keys::set_tangents(clip, *key, *in_tangent, *out_tangent))
        }
        Edit::SetDraft { model, clip, time, keys } => drafts::set(model_mut(project, *model)?, *clip, *time, keys),
        Edit::DropDraft { model, clip, time } => {
            model_mut(project, *model)?.drafts.retain(|draft| (draft.clip, draft.time) != (*clip, *time));
            Ok(())
        }
        Edit::DropDraftKeys { model, clip, time, channels } => {
            drafts::drop_keys(model_mut(project, *model)?, *clip, *time, channels);
            Ok(())
        }
        // The rest is done by `apply`; naming it here would make a second list to keep.
        _ => Ok(()),
    }
}

fn add_model(project: &mut Project, model: &Model) -> Result<(), EditError> {
    model.check().map_err(|error| EditError::Model { model: model.name.clone(), reason: error.reason })?;
    project.add_model(model.clone());
    Ok(())
}

fn rename_model(project: &mut Project, index: usize, name: &str) -> Result<(), EditError> {
    let name = checked_name(name, |name| {
        project.models.iter().enumerate().any(|(at, model)| at != index && model.name == name)
    })?;
    let before = std::mem::replace(&mut model_mut(project, index)?.name, name.clone());
    for level in project.levels.iter_mut().filter(|level| level.player == before) {
        Arc::make_mut(level).player = name.clone();
    }
    for model in &mut project.models {
        if model.sockets.iter().any(|socket| socket.attached == before) {
            let sockets = Arc::make_mut(model).sockets.iter_mut();
            sockets.filter(|socket| socket.attached == before).for_each(|socket| socket.attached = name.clone());
        }
    }
    Ok(())
}

fn remove_model(project: &mut Project, model: usize) -> Result<(), EditError> {
    if model >= project.models.len() {
        return Err(EditError::NoModel { model });
    }
    project.models.remove(model);
    Ok(())
}

/// A trimmed name that is neither empty nor taken.
pub fn checked_name(name: &str, is_taken: impl Fn(&str) -> bool) -> Result<String, EditError> {
    let name = name.trim();
    match name {
        "" => Err(EditError::EmptyName),
        name if is_taken(name) => Err(EditError::NameTaken { name: name.to_owned() }),
        name => Ok(name.to_owned()),
    }
}

/// A model to change; copies it if it is shared.
pub fn model_mut(project: &mut Project, model: usize) -> Result<&mut Model, EditError> {
    project.models.get_mut(model).map(Arc::make_mut).ok_or(EditError::NoModel { model })
}

/// The model of a clip, to change, and the index of the clip in it.
pub fn clip_place(project: &mut Project, clip: ClipId) -> Result<(&mut Model, usize), EditError> {
    let found = project.models.iter().enumerate().find_map(|(index, model)| Some((index, model.clip_index(clip)?)));
    let (model, at) = found.ok_or(EditError::NoClip)?;
    Ok((model_mut(project, model)?, at))
}

/// Changes a clip, updates its automatic tangents and checks it.
fn change_clip(
    project: &mut Project,
    clip: ClipId,
    edit: impl FnOnce(&mut Clip) -> Result<(), EditError>,
) -> Result<(), EditError> {
    let (model, at) = clip_place(project, clip)?;
    change(model, at, edit)
}

/// Changes keys of some channels. A drag does this on every mouse move, so only these channels get new tangents: no
/// other key has new neighbours unless the seam of a loop moved.
fn change_channels(
    project: &mut Project,
    clip: ClipId,
    channels: impl Iterator<Item = (BoneIndex, Channel)>,
    edit: impl FnOnce(&mut Clip) -> Result<(), EditError>,
) -> Result<(), EditError> {
    let (model, at) = clip_place(project, clip)?;
    follow::require_free(model, at)?;
    let clip = Arc::make_mut(&mut model.clips[at].clip);
    let length = clip.length();
    edit(clip)?;
    match clip.loop_mode == LoopMode::Loop && clip.length() != length {
        true => crate::anim::tangent::resolve_tangents(clip),
        false => keys::resolve_channels(clip, channels.collect()),
    }
    clip.check().map_err(|reason| EditError::Clip { clip: clip.name.clone(), reason })
}

fn change(
    model: &mut Model,
    at: usize,
    edit: impl FnOnce(&mut Clip) -> Result<(), EditError>,
) -> Result<(), EditError> {
    follow::require_free(model, at)?;
    let clip = Arc::make_mut(&mut model.clips[at].clip);
    edit(clip)?;
    crate::anim::tangent::resolve_tangents(clip);
    clip.check().map_err(|reason| EditError::Clip { clip: clip.name.clone(), reason })
}

/// Changes a clip and moves its events and drafts along with its keyframes.
fn retime(
    project: &mut Project,
    clip: ClipId,
    edit: impl FnOnce(&mut Clip) -> Result<keyframes::Places, EditError>,
) -> Result<(), EditError> {
    let (model, at) = clip_place(project, clip)?;
    let before = model.clips[at].clip.clone();
    let mut map = None;
    change(model, at, |clip| {
        let retiming = keyframes::Retiming::new(&before, clip_after(clip, edit)?);
        keyframes::move_events(clip, &retiming);
        map = Some(retiming);
        Ok(())
    })?;
    if let Some(map) = map {
        drafts::retime(model, clip, |time| map.map(time));
    }
    Ok(())
}

/// The new places of the keyframes, and their new durations.
fn clip_after(
    clip: &mut Clip,
    edit: impl FnOnce(&mut Clip) -> Result<keyframes::Places, EditError>,
) -> Result<(keyframes::Places, Vec<crate::anim::time::Time>), EditError> {
    let places = edit(clip)?;
    Ok((places, clip.keyframes.iter().map(|keyframe| keyframe.duration).collect()))
}
