//! Removing the active model, and setting its rest pose.

use crate::editor::document::edit::{DraftEdit, Edit, ModelEdit};
use crate::editor::ops::sentence::counted;
use crate::editor::session::transient::Request;
use crate::editor::state::Editor;
use crate::editor::state::action::ModelAction;
use crate::editor::update::{active, info, step, step_all};
use keypose::anim::key::Channel;
use keypose::anim::skeleton::BoneIndex;

/// Handles an action on the active model.
pub fn act(editor: &mut Editor, action: ModelAction) {
    match action {
        ModelAction::RequestRename => editor.session.transient.requests.push(Request::NameModel),
        ModelAction::Remove => remove(editor),
        ModelAction::SetRestPose => set_rest_pose(editor),
    }
}

/// Removes the active model with its clips, and opens the one before it.
fn remove(editor: &mut Editor) {
    let Some(name) = editor.model().map(|model| model.name.clone()) else { return };
    let model = editor.session.focus.model;
    step(editor, "Remove model", ModelEdit::RemoveModel { model });
    active::show_model(editor, model.saturating_sub(1));
    info(editor, format!("Removed model {name}. Undo restores it."));
}

/// Makes the pose on screen the rest pose of the selected bones, or of all bones if none is selected. Keys stay as they
/// are; channels without keys change in all clips. In the rest pose itself, the draft of these bones is discarded.
fn set_rest_pose(editor: &mut Editor) {
    let view = editor.view();
    let Some(skeleton) = view.model.as_ref().map(|model| model.skeleton.clone()) else { return };
    let (model, selection) = (editor.session.focus.model, &editor.session.focus.selection);
    let is_target = |bone: &BoneIndex| selection.bones.is_empty() || selection.has_bone(*bone);
    let differs_from_rest = |bone: &BoneIndex| {
        let rest = skeleton.get(*bone).map(|bone| bone.rest);
        usize::from(*bone) < view.local.len() && rest != Some(view.local.get(usize::from(*bone)))
    };
    let bones: Vec<BoneIndex> = skeleton.indices().filter(is_target).filter(differs_from_rest).collect();
    if bones.is_empty() {
        return info(editor, "The rest pose has these transforms already.");
    }
    let rest = |&bone: &BoneIndex| -> Edit {
        ModelEdit::SetRest { model, bone, transform: view.local.get(usize::from(bone)) }.into()
    };
    let mut edits: Vec<Edit> = bones.iter().map(rest).collect();
    if view.clip.is_none() && view.draft.is_some() {
        let channels = bones.iter().flat_map(|&bone| Channel::ALL.map(|channel| (bone, channel))).collect();
        edits.push(DraftEdit::DropDraftKeys { model, clip: None, time: view.time, channels }.into());
    }
    step_all(editor, "Set rest pose", edits);
    let what = counted(bones.len(), "bone");
    info(editor, format!("Set the rest pose of {what}. Clips change where these bones have no keys."));
}
