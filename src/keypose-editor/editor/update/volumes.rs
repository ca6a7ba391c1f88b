//! Hit volumes, hurt volumes and colliders of springs: selecting, adding, fitting, mirroring, deleting.

use std::collections::BTreeSet;

use crate::editor::document::edit::{ClipEdit, Edit, ModelEdit};
use crate::editor::ops::mirror::Pairs;
use crate::editor::session::selection::VolumePick;
use crate::editor::session::volumes::Picked;
use crate::editor::state::Editor;
use crate::editor::state::action::VolumeAction;
use crate::editor::update::{info, lanes, step, step_all};
use keypose::assets::combat::fitted::{fitted, fitted_all, fitted_held};
use keypose::assets::combat::{LaneKind, Volume};
use keypose::assets::project::unique_name;

/// Handles an action.
pub fn act(editor: &mut Editor, action: VolumeAction) {
    match action {
        VolumeAction::Pick(pick) => self::pick(editor, pick),
        VolumeAction::Add => add(editor),
        VolumeAction::Fit => fit(editor),
        VolumeAction::Mirror => mirror(editor),
        VolumeAction::SetBone => set_bone(editor),
        VolumeAction::Delete => {
            if let Some(edit) = picked(editor).and_then(|picked| picked.edit(None)) {
                step(editor, "Delete volume", edit);
                pick(editor, None);
            }
        }
        VolumeAction::FitAll => fit_all(editor),
    }
}

fn pick(editor: &mut Editor, volume: Option<VolumePick>) {
    (editor.session.focus.selection.volume, editor.session.focus.selection.has_socket) = (volume, false);
    editor.tidy();
}

fn picked(editor: &Editor) -> Option<Picked> {
    Picked::of(editor.model()?, &editor.session.focus)
}

fn add(editor: &mut Editor) {
    let Some(volume) = lanes::new_volume(editor) else {
        return info(editor, "Select a bone first.");
    };
    add_to_list(editor, "Add volume", volume);
}

/// Adds a volume to the list of the selected one: to the colliders, to the hit or, without a selection, to the hurt volumes; and selects it.
fn add_to_list(editor: &mut Editor, label: &'static str, mut volume: Volume) {
    let Some(model) = editor.model().cloned() else { return };
    let focus = &editor.session.focus;
    let is_hurt = matches!(focus.selection.volume, Some(VolumePick::Hurt(_)));
    let hit = focus.selection.range.filter(|(lane, _)| *lane == LaneKind::Hits && !is_hurt);
    let (edit, pick): (Edit, _) = match (focus.selection.volume, focus.clip.zip(hit)) {
        (Some(VolumePick::Collider(_)), _) => {
            let mut rig = model.rig.clone();
            let colliders = &mut rig.springs.colliders;
            volume.name = unique_name(&volume.bone, |name| colliders.iter().any(|other| other.name == name));
            colliders.push(volume);
            let pick = VolumePick::Collider(colliders.len() - 1);
            (ModelEdit::SetRig { model: focus.model, rig: rig.into() }.into(), pick)
        }
        (_, Some((clip, (_, hit)))) => {
            let mut lanes = model.combat.lanes_of(clip);
            let Some(hit) = lanes.hits.get_mut(hit) else { return };
            let is_taken = |name: &str| hit.volumes.iter().any(|other| other.name == name);
            volume.name = (1..).map(|number| number.to_string()).find(|name| !is_taken(name)).unwrap_or_default();
            hit.volumes.push(volume);
            let pick = VolumePick::OfRange(hit.volumes.len() - 1);
            (ClipEdit::SetLanes { clip, lanes: Box::new(lanes) }.into(), pick)
        }
        (_, None) => {
            let mut volumes = model.combat.hurt.clone();
            let is_taken = |name: &str| volumes.iter().any(|other| other.name == name);
            volume.name = unique_name(&volume.bone, is_taken);
            volumes.push(volume);
            let pick = VolumePick::Hurt(volumes.len() - 1);
            (ModelEdit::SetHurtVolumes { model: focus.model, volumes }.into(), pick)
        }
    };
    step(editor, label, edit);
    self::pick(editor, Some(pick));
}

fn fit(editor: &mut Editor) {
    let Some((picked, model)) = picked(editor).zip(editor.model().cloned()) else { return };
    let Some(volume) = picked.volume() else { return };
    let bone = model.skeleton.find(&volume.bone);
    let around = |bone: usize| fitted(&model, bone).or_else(|| fitted_held(&model, bone, &editor.document.models));
    match bone.and_then(|bone| around(usize::from(bone))) {
        Some(fitted) => {
            let edit = picked.edit(Some(Volume { name: volume.name.clone(), ..fitted }));
            step_all(editor, "Fit volume", edit.into_iter().collect());
        }
        None => {
            info(editor, format!("The bone {} moves no part of the mesh, so nothing can be fitted.", volume.bone));
        }
    }
}

/// Adds the mirror image, or puts it in the place of the volume on the other side that is the image of this one rather than of another one.
fn mirror(editor: &mut Editor) {
    let Some((picked, model)) = picked(editor).zip(editor.model().cloned()) else { return };
    let Some((volume, bone)) = picked.volume().and_then(|it| Some((it, model.skeleton.find(&it.bone)?))) else {
        return;
    };
    let pairs = Pairs::of_model(&model);
    let partner = pairs.partner(bone);
    let (Some(on), false) = (model.skeleton.get(partner), partner == bone) else {
        return info(editor, format!("The bone {} has no bone on the other side.", volume.bone));
    };
    let image = |volume: &Volume| {
        let [from, to] = [volume.from, volume.to].map(|point| pairs.mirrored_point(bone, point));
        Volume { bone: on.name.clone(), from, to, ..volume.clone() }
    };
    let mirrored = image(volume);
    let (list, pick_of): (&[Volume], fn(usize) -> VolumePick) = match editor.session.focus.selection.volume {
        Some(VolumePick::Hurt(_)) => (&model.combat.hurt, VolumePick::Hurt),
        Some(VolumePick::Collider(_)) => (&model.rig.springs.colliders, VolumePick::Collider),
        Some(VolumePick::OfRange(_)) | None => (&[], VolumePick::OfRange),
    };
    let distance = |a: &Volume, b: &Volume| (a.from - b.from).length() + (a.to - b.to).length();
    let source_of = |other: &Volume| {
        let here = list.iter().filter(|here| here.bone == volume.bone);
        here.min_by(|a, b| distance(&image(a), other).total_cmp(&distance(&image(b), other)))
    };
    let is_image = |other: &Volume| other.bone == mirrored.bone && source_of(other) == Some(volume);
    let Some(at) = list.iter().position(is_image) else {
        return add_to_list(editor, "Mirror volume", mirrored);
    };
    let mirrored = Volume { name: list[at].name.clone(), ..mirrored };
    let mut focus = editor.session.focus.clone();
    focus.selection.volume = Some(pick_of(at));
    let edit = Picked::of(&model, &focus).and_then(|picked| picked.edit(Some(mirrored)));
    step_all(editor, "Mirror volume", edit.into_iter().collect());
    pick(editor, focus.selection.volume);
}

fn set_bone(editor: &mut Editor) {
    let Some((picked, model)) = picked(editor).zip(editor.model().cloned()) else { return };
    let Some(active) = editor.session.focus.selection.active_bone() else { return };
    let Some((volume, on)) = picked.volume().zip(model.skeleton.get(active)) else { return };
    let view = editor.view();
    let new = view.pose.get(active).to_mat4().inverse();
    let old = model.skeleton.find(&volume.bone).map(|bone| view.pose.get(bone).to_mat4()).unwrap_or_default();
    let [from, to] = [volume.from, volume.to].map(|point| (new * old).transform_point3(point));
    let moved = Volume { bone: on.name.clone(), from, to, ..volume.clone() };
    step_all(editor, "Move volume to bone", picked.edit(Some(moved)).into_iter().collect());
}

fn fit_all(editor: &mut Editor) {
    let Some(model) = editor.model().cloned() else { return };
    let mut volumes = model.combat.hurt.clone();
    let taken: BTreeSet<&str> = model.combat.hurt.iter().map(|volume| volume.bone.as_str()).collect();
    let names: BTreeSet<&str> = model.combat.hurt.iter().map(|volume| volume.name.as_str()).collect();
    for mut volume in fitted_all(&model).into_iter().filter(|volume| !taken.contains(volume.bone.as_str())) {
        volume.name = unique_name(&volume.name, |name| names.contains(name));
        volumes.push(volume);
    }
    if volumes.len() == model.combat.hurt.len() {
        return info(editor, "Every large part of the mesh has a hurt volume.");
    }
    let edit = ModelEdit::SetHurtVolumes { model: editor.session.focus.model, volumes };
    step(editor, "Fit hurt volumes", edit);
    // Shows them all.
    pick(editor, Some(VolumePick::Hurt(model.combat.hurt.len())));
}
