//! Visibility, pins, sets, groups, mirror pairs, Euler orders, bone map and values of bones.

use crate::editor::document::edit::ModelEdit;
use crate::editor::ops::bone_groups;
use crate::editor::ops::bone_groups::GroupEdit;
use crate::editor::ops::joint_limits;
use crate::editor::session::bone_map::MappedTo;
use crate::editor::session::selection::Pick;
use crate::editor::state::Editor;
use crate::editor::state::action::BoneAction;
use crate::editor::update::{info, scalars, select, step};
use keypose::anim::skeleton::{BoneIndex, Skeleton};
use keypose::assets::euler_order::EulerOrder;
use keypose::assets::rig_notes::{self, RigNotes};

/// Handles a bone action.
pub fn act(editor: &mut Editor, action: BoneAction) {
    match action {
        BoneAction::SetHidden { bones, is_hidden } => set_hidden(editor, &bones, is_hidden),
        BoneAction::SetPinned { bones, is_pinned } => set_pinned(editor, &bones, is_pinned),
        BoneAction::Filter(text) => editor.session.focus.bone_filter = text,
        BoneAction::RecallSet(number) => recall_set(editor, number),
        BoneAction::StoreSet(number) => store_set(editor, number),
        BoneAction::Group(edit) => edit_groups(editor, &edit),
        BoneAction::SetMirrorPair { bone, partner } => set_mirror_pair(editor, bone, partner),
        BoneAction::ClearMirrorPair(bone) => clear_mirror_pair(editor, bone),
        BoneAction::SetEulerOrder { bones, order } => set_euler_order(editor, &bones, order),
        BoneAction::ProposeLimits => propose_limits(editor),
        BoneAction::Map(choices) => map(editor, &choices),
        BoneAction::KeyScalars(list) => scalars::key(editor, &list),
        BoneAction::NoteAngles { time, angles } => {
            let focus = &mut editor.session.focus;
            for (bone, degrees) in angles {
                focus.entered_angles.note(focus.clip, bone, time, degrees);
            }
        }
    }
}

/// Selects a stored set of bones.
fn recall_set(editor: &mut Editor, number: u8) {
    if let Some(set) = editor.session.focus.bone_sets.get(&number).cloned() {
        select::bones(editor, &set, Pick::Only);
    }
}

/// Stores the selected bones as a set.
fn store_set(editor: &mut Editor, number: u8) {
    if number <= 9 {
        let bones = editor.session.focus.selection.bones.clone();
        editor.session.focus.bone_sets.insert(number, bones);
    }
}

/// Hides or shows bones. Hidden bones are deselected.
fn set_hidden(editor: &mut Editor, bones: &[BoneIndex], is_hidden: bool) {
    for &bone in bones {
        if is_hidden {
            editor.session.focus.hidden.insert(bone);
        } else {
            editor.session.focus.hidden.remove(&bone);
        }
    }
    let session = &mut editor.session;
    session.focus.selection.bones.retain(|bone| !session.focus.hidden.contains(bone));
    editor.tidy();
}

/// Pins or unpins bones.
fn set_pinned(editor: &mut Editor, bones: &[BoneIndex], is_pinned: bool) {
    for &bone in bones {
        if is_pinned {
            editor.session.focus.pins.insert(bone);
        } else {
            editor.session.focus.pins.remove(&bone);
        }
    }
    editor.tidy();
}

/// Replaces the notes of the rig as one undo step.
fn set_rig(editor: &mut Editor, label: &'static str, rig: RigNotes) {
    step(editor, label, ModelEdit::SetRig { model: editor.session.focus.model, rig: rig.into() });
}

/// Changes the notes of the rig as one undo step.
fn edit_rig(editor: &mut Editor, label: &'static str, change: impl FnOnce(&Skeleton, &mut RigNotes)) {
    let Some(model) = editor.model().cloned() else { return };
    set_rig(editor, label, model.rig.with(|rig| change(&model.skeleton, rig)));
}

/// Overrides the mirror pair of two bones.
fn set_mirror_pair(editor: &mut Editor, bone: BoneIndex, partner: BoneIndex) {
    edit_rig(editor, "Set mirror pair", |skeleton, rig| {
        if let (Some(a), Some(b)) = (skeleton.get(bone), skeleton.get(partner)) {
            rig.pair(&a.name, &b.name);
        }
    });
}

/// Limits the joints of a humanoid.
fn propose_limits(editor: &mut Editor) {
    let Some(rig) = editor.model().map(|model| joint_limits::proposed(model)) else { return };
    match rig {
        Some(rig) => set_rig(editor, "Propose joint limits", rig),
        None => {
            info(editor, "The model has no arms and legs that are known by name: set the limits of its bones by hand.")
        }
    }
}

/// Edits the groups of bones, in one step.
fn edit_groups(editor: &mut Editor, edit: &GroupEdit) {
    let Some(model) = editor.model().cloned() else { return };
    match bone_groups::edited(&model, &editor.session.focus.selection.bones, edit) {
        Some(rig) => set_rig(editor, "Edit bone groups", rig),
        None => info(editor, "Select a bone first."),
    }
}

/// Removes the override: the pair is found by names and positions again.
fn clear_mirror_pair(editor: &mut Editor, bone: BoneIndex) {
    edit_rig(editor, "Clear mirror pair", |skeleton, rig| {
        if let Some(bone) = skeleton.get(bone) {
            rig.unpair(&bone.name);
        }
    });
}

/// Chooses the bones that follow bones of other files.
fn map(editor: &mut Editor, choices: &[(String, MappedTo)]) {
    edit_rig(editor, "Map bones", |skeleton, rig| {
        for (theirs, to) in choices {
            let ours = match to {
                MappedTo::Found => None,
                MappedTo::Nothing => Some(String::new()),
                MappedTo::Bone(bone) => skeleton.get(*bone).map(|bone| bone.name.clone()),
            };
            rig_notes::put(&mut rig.bone_map, theirs, ours);
        }
    });
}

/// Sets the order in which the rotations of bones are read.
fn set_euler_order(editor: &mut Editor, bones: &[BoneIndex], order: EulerOrder) {
    edit_rig(editor, "Set Euler order", |skeleton, rig| {
        for bone in bones.iter().filter_map(|&bone| skeleton.get(bone)) {
            rig.set_order(&bone.name, order);
        }
    });
}
