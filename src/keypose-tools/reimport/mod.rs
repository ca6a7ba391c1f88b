//! Re-import: a changed model replaces the imported one, and authored parts stay: clips, sockets,
//! poses, drafts, the state machine. Bones are found by name, then by place. Meshes, skins, materials and textures are those of
//! the changed model.

mod bones;
mod clips;
mod materials;
mod merge;
mod moved;
mod posed;
mod poses;
mod table;
mod weights;

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::anim::transform::Transform;
use crate::assets::combat::Lanes;
use crate::assets::id::ClipId;
use crate::assets::model::{MeshSlot, Model, Source};
use crate::assets::project::Project;
use crate::bone_data::move_points;
use crate::reimport::bones::{FoundBy, match_changed};
use crate::reimport::merge::{Merged, merge};
pub use crate::reimport::table::{Change, Row, Subject, summary};

/// Clips to keep if the changed model has clips of the same names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SameClips {
    /// Keep the clips of the model: they may have been edited.
    #[default]
    Keep,
    /// Take the clips of the changed model, except derived ones.
    Replace,
}

/// The result of a re-import.
#[derive(Clone, Debug, PartialEq)]
pub struct Reimport {
    /// The model. Clips that it did not have before have ids that it did not have, until [`put`] gives them others.
    pub model: Model,
    /// Changes, sorted by subject; empty if bones, meshes and clips are the same.
    pub table: Vec<Row>,
}

/// Brings a changed model into the place of another. Both pass [`Model::check`], and so does the result.
///
/// Bones that are gone stay, without a mesh, if anything authored uses them.
///
/// # Errors
/// If the two have no bone in common, so that the changed model is another one, or too many bones together.
pub fn reimport(before: &Model, changed: &Model, same_clips: SameClips) -> Result<Reimport, String> {
    let found = match_changed(&before.skeleton, &changed.skeleton);
    if is_another(&found) {
        return Err(format!("{} has no bone of {}: it is another model", changed.name, before.name));
    }
    let renamed = materials::renamed(before, changed);
    let before = &materials::with_names(before, &renamed)?;
    let uses = clips::uses(before);
    let merged = merge(before, changed, &found, &uses)?;
    let mut table = table::bones(before, changed, &found, (&merged, &uses));
    table.extend(table::meshes(before, changed));
    table.extend(materials::rows(&renamed));
    let skeletons: [&Skeleton; 2] = [&before.skeleton, &changed.skeleton];
    table.extend(weights::rows(skeletons, &merged.found_scalars, |at| merged.keeps_scalar(at)));
    let mut model = looks(before, changed, &merged);
    clips::keep(&mut model, &merged);
    poses::keep(&mut model, &before.skeleton, &merged);
    keep_in_spaces(&mut model, &before.skeleton, &merged);
    rename_bones(&mut model, &merged.renamed(&before.skeleton));
    table.extend(clips::add(&mut model, changed, &merged, same_clips));
    model.check().map_err(|error| error.reason)?;
    Ok(Reimport { model, table })
}

/// Whether bones have no name in common and few are at the same places: two models may have a root at the origin.
fn is_another(found: &[Option<(BoneIndex, FoundBy)>]) -> bool {
    let (count, has_name) =
        (found.iter().flatten().count(), found.iter().flatten().any(|(_, by)| *by != FoundBy::Place));
    !has_name && count * 2 < found.len()
}

/// Replaces a model of a project by the result of its re-import. New clips get ids.
pub fn put(project: &mut Project, at: usize, mut model: Model) {
    let Some(before) = project.models.get(at).cloned() else { return };
    let mut ids: BTreeMap<ClipId, ClipId> = BTreeMap::new();
    for slot in model.clips.iter_mut().filter(|slot| before.clip(slot.id).is_none()) {
        let new = project.new_clip_id();
        ids.insert(std::mem::replace(&mut slot.id, new), new);
    }
    if !ids.is_empty() {
        let new = |id: ClipId| ids.get(&id).copied().unwrap_or(id);
        let notes = std::mem::take(&mut model.clip_notes);
        model.clip_notes = notes.into_iter().map(|(id, notes)| (new(id), notes)).collect();
        let lanes = std::mem::take(&mut model.combat_mut().lanes);
        model.combat_mut().lanes = lanes.into_iter().map(|(id, lanes)| (new(id), lanes)).collect();
    }
    if let Some(place) = project.models.get_mut(at) {
        *place = Arc::new(model);
    }
}

/// The changed model with the merged skeleton, and with what doesn't depend on bones of the one before.
fn looks(before: &Model, changed: &Model, merged: &Merged) -> Model {
    let shown = |slot: &MeshSlot| {
        let known = before.meshes.iter().find(|known| known.mesh.name == slot.mesh.name);
        let mesh = Arc::new(merged.mesh(&slot.mesh));
        MeshSlot { mesh, visibility: known.map_or(slot.visibility, |known| known.visibility) }
    };
    let mut bone_nodes = vec![None; merged.skeleton.len()];
    for (node, bone) in changed.source.bone_nodes.iter().zip(&merged.of_changed) {
        bone_nodes[usize::from(*bone)] = *node;
    }
    Model {
        name: before.name.clone(),
        skeleton: Arc::new(merged.skeleton.clone()),
        skins: changed.skins.iter().map(|skin| Arc::new(merged.skin(skin))).collect(),
        meshes: changed.meshes.iter().map(shown).collect(),
        source: Arc::new(Source { bone_nodes, ..Source::clone(&changed.source) }),
        ..Model { materials: changed.materials.clone(), textures: changed.textures.clone(), ..before.clone() }
    }
}

/// Converts joint limits, volumes and tips of springs to the units and axes of their bones, which have their names before.
fn keep_in_spaces(model: &mut Model, before: &Skeleton, merged: &Merged) {
    move_points(model, |bone| {
        let space = merged.spaces.get(usize::from(before.find(bone)?))?;
        (*space != Transform::IDENTITY).then(|| space.to_mat4())
    });
    for (bone, limit) in &mut model.rig.limits {
        if let Some(moved) = before.find(bone).and_then(|bone| merged.moved[usize::from(bone)]) {
            *limit = moved.limit(limit);
        }
    }
}

/// Renames bones in saved poses, volumes, the machine and the rig notes. `renamed` has new names by the old ones.
pub fn rename_bones(model: &mut Model, renamed: &BTreeMap<&str, String>) {
    if renamed.is_empty() {
        return;
    }
    let rename = |name: &mut String| {
        if let Some(new) = renamed.get(name.as_str()) {
            name.clone_from(new);
        }
    };
    for pose in model.poses.iter_mut() {
        Arc::make_mut(pose).bones.iter_mut().for_each(|bone| rename(&mut bone.bone));
    }
    model.rig.groups.iter_mut().flat_map(|group| &mut group.bones).for_each(rename);
    let combat = model.combat_mut();
    let of_lanes = combat.lanes.values_mut().flat_map(Lanes::bones_mut);
    combat.hurt.iter_mut().map(|volume| &mut volume.bone).chain(of_lanes).for_each(rename);
    model.clip_notes.values_mut().flat_map(|notes| &mut notes.mask).for_each(rename);
    model.machine.rename_bones(rename);
    for (left, right) in &mut model.rig.mirror {
        rename(left);
        rename(right);
    }
    rename_keys(&mut model.rig.orders, renamed);
    rename_keys(&mut model.rig.limits, renamed);
    rename_keys(&mut model.rig.chains, renamed);
    rename_keys(&mut model.rig.masses, renamed);
    model.rig.springs.rename_bones(rename);
    model.rig.humanoid.values_mut().chain(model.rig.bone_map.values_mut()).for_each(rename);
}

fn rename_keys<T>(notes: &mut BTreeMap<String, T>, renamed: &BTreeMap<&str, String>) {
    let all = std::mem::take(notes).into_iter();
    *notes = all.map(|(name, note)| (renamed.get(name.as_str()).cloned().unwrap_or(name), note)).collect();
}

/// Describes how a bone was found, for the table.
fn how(by: FoundBy) -> &'static str {
    match by {
        FoundBy::Name => "same name",
        FoundBy::PlainName => "same name without prefix",
        FoundBy::Place => "same place",
    }
}

#[cfg(test)]
mod tests;
