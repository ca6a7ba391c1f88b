//! The pose library: saving, applying, renaming, updating, deleting and reordering poses.

use std::sync::Arc;

use crate::editor::document::edit::ModelEdit;
use crate::editor::posing::change::Change;
use crate::editor::posing::library;
use crate::editor::posing::library::{AppliedPose, LibraryAction};
use crate::editor::session::transient::Request;
use crate::editor::state::Editor;
use crate::editor::update::{info, step, transaction};
use keypose::assets::saved_pose::SavedPose;

/// Makes an edit of the pose library, as one undo step.
pub fn edit(editor: &mut Editor, edit: LibraryAction) {
    let Some(model) = editor.model().cloned() else {
        return info(editor, crate::editor::commands::needs::NO_MODEL);
    };
    let mut poses = model.poses.clone();
    let is_unnamed = matches!(edit, LibraryAction::Save(None));
    let label = match edit {
        LibraryAction::Save(name) => {
            let bones = library::captured(&editor.view(), &editor.session);
            if bones.is_empty() {
                return info(editor, "Nothing to save: the model has no bones, or the key mask is empty.");
            }
            let name = name.unwrap_or_else(|| library::next_name(&model));
            poses.push(Arc::new(SavedPose { name: name.trim().to_owned(), bones }));
            "Save pose"
        }
        LibraryAction::Apply { at, side, amount } => {
            let Some(pose) = poses.get(at).cloned() else { return };
            let applied = AppliedPose { pose, side, amount };
            if library::applied(&editor.view(), &editor.session, &applied).is_empty() {
                return info(editor, "Nothing to apply: the bones of this pose are missing or not selected.");
            }
            return transaction::edit(editor, "Apply pose".into(), &Change::Saved(applied));
        }
        LibraryAction::Rename { at, name } => {
            let Some(pose) = poses.get_mut(at) else { return };
            Arc::make_mut(pose).name = name.trim().to_owned();
            "Rename pose"
        }
        LibraryAction::Update(at) => {
            let Some(pose) = poses.get_mut(at) else { return };
            let bones = library::recaptured(&editor.view(), pose);
            Arc::make_mut(pose).bones = bones;
            "Update pose"
        }
        LibraryAction::Delete(at) => {
            if at >= poses.len() {
                return;
            }
            poses.remove(at);
            "Delete pose"
        }
        LibraryAction::Move { from, to } => {
            if from >= poses.len() {
                return;
            }
            let pose = poses.remove(from);
            poses.insert(to.min(poses.len()), pose);
            "Reorder poses"
        }
    };
    step(editor, label, ModelEdit::SetPoses { model: editor.session.focus.model, poses });
    if is_unnamed {
        editor.session.transient.requests.push(Request::NamePose);
    }
}
