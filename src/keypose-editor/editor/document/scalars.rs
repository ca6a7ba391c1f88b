//! The scalars of a model's skeleton: properties, visibilities and texture frames come and go, weights belong to morph targets.

use std::sync::Arc;

use crate::editor::document::apply::refused;
use crate::editor::document::edit::EditError;
use keypose::anim::key::{Channel, Key};
use keypose::anim::scalar::{Scalar, ScalarIndex};
use keypose::assets::model::Model;
use keypose::assets::saved_pose;

/// Appends a scalar.
pub fn add(model: &mut Model, scalar: &Scalar) -> Result<(), EditError> {
    let mut scalars = model.skeleton.scalars().to_vec();
    scalars.push(scalar.clone());
    put(model, scalars)
}

/// Replaces name and default of a scalar, and the sheet of a frame. Saved poses follow the name.
pub fn set(model: &mut Model, index: ScalarIndex, with: &Scalar) -> Result<(), EditError> {
    let mut scalars = model.skeleton.scalars().to_vec();
    let before = scalars.get_mut(usize::from(index)).ok_or_else(|| missing(model, index))?;
    if (before.bone, before.kind.name()) != (with.bone, with.kind.name()) {
        return Err(refused(model, "the bone and the kind of a scalar can't change"));
    }
    let before = std::mem::replace(before, with.clone());
    put(model, scalars)?;
    if before.name != with.name {
        let bone = model.skeleton.get(before.bone).map(|bone| bone.name.clone()).unwrap_or_default();
        saved_pose::rename_value(&mut model.poses, (&bone, &before.name), &with.name);
    }
    Ok(())
}

/// Removes a scalar with its keys. Those behind it move up.
pub fn remove(model: &mut Model, index: ScalarIndex) -> Result<(), EditError> {
    let mut scalars = model.skeleton.scalars().to_vec();
    if usize::from(index) >= scalars.len() {
        return Err(missing(model, index));
    }
    if model.meshes.iter().flat_map(|slot| &slot.mesh.morphs).any(|target| target.scalar == index) {
        return Err(refused(model, "a morph target needs this weight"));
    }
    scalars.remove(usize::from(index));
    put(model, scalars)?;
    for slot in model.clips.iter_mut().filter(|slot| slot.clip.keyframes.has_scalars()) {
        for keyframe in Arc::make_mut(&mut slot.clip).keyframes.iter_mut() {
            keyframe.keys = keyframe.keys.iter().filter_map(|key| without(key, index)).collect();
        }
    }
    for draft in &mut model.drafts {
        draft.keys = draft.keys.iter().filter_map(|key| without(key, index)).collect();
    }
    model.drafts.retain(|draft| !draft.keys.is_empty());
    for slot in &mut model.meshes {
        if slot.mesh.morphs.iter().any(|target| target.scalar > index) {
            let targets = Arc::make_mut(&mut slot.mesh).morphs.iter_mut();
            targets.filter(|target| target.scalar > index).for_each(|target| target.scalar -= 1);
        }
    }
    Ok(())
}

/// A key after the removal of a scalar; `None` if it was one of its keys.
fn without(key: &Key, removed: ScalarIndex) -> Option<Key> {
    match key.channel {
        Channel::Scalar(scalar) if scalar == removed => None,
        Channel::Scalar(scalar) if scalar > removed => Some(Key { channel: Channel::Scalar(scalar - 1), ..*key }),
        _ => Some(*key),
    }
}

fn put(model: &mut Model, scalars: Vec<Scalar>) -> Result<(), EditError> {
    let skeleton = (*model.skeleton).clone().with_scalars(scalars);
    model.skeleton = Arc::new(skeleton.map_err(|reason| EditError::Skeleton { reason })?);
    Ok(())
}

fn missing(model: &Model, index: ScalarIndex) -> EditError {
    refused(model, format!("scalar {index} doesn't exist"))
}
