//! The pose library: saving, applying, renaming, updating, deleting and reordering poses.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::editor::document::edit::ModelEdit;
use crate::editor::ops::posed::Posed;
use crate::editor::ops::sentence::counted;
use crate::editor::posing::change::Change;
use crate::editor::posing::library;
use crate::editor::posing::library::{AppliedPose, LibraryAction};
use crate::editor::session::notice::Offer;
use crate::editor::session::transient::Request;
use crate::editor::state::Editor;
use crate::editor::update::{info, offer, step, transaction};
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
            return apply(editor, at, AppliedPose { pose, side, amount });
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

/// Applies a saved pose, and says to how many bones: the selected ones are easily overlooked, so the notice offers all others, too.
fn apply(editor: &mut Editor, at: usize, applied: AppliedPose) {
    let view = editor.view();
    let bones = |posed: &[Posed]| posed.iter().map(|one| one.bone).collect::<BTreeSet<_>>().len();
    let all = bones(&library::channels(&view, &applied.pose, applied.side));
    let count = bones(&library::applied(&view, &editor.session, &applied));
    if count == 0 {
        return info(editor, "Nothing to apply: the model lacks the bones of this pose.");
    }
    let (name, side, is_whole) = (applied.pose.name.clone(), applied.side, applied.amount == 1.0);
    transaction::edit(editor, "Apply pose".into(), &Change::Saved(applied));
    if count == all {
        return info(editor, format!("Applied {name} to {}.", counted(all, "bone")));
    }
    let text = format!("Applied {name} to {} only.", counted(count, "selected bone"));
    offer(editor, &text, is_whole.then_some(Offer::ApplyToAll(at, side)));
}
