//! Springs of the rig become keys of the open clip.

use crate::editor::document::edit::ClipEdit;
use crate::editor::ops::pose::sample;
use crate::editor::ops::springs::Motion;
use crate::editor::state::Editor;
use crate::editor::update::{info, step};
use keypose::anim::pose::LocalPose;
use keypose::anim::time::Time;

/// Keys the open clip as its springs swing, in one undo step.
pub fn bake(editor: &mut Editor) {
    let (Some(slot), Some(model)) = (editor.clip().cloned(), editor.model().cloned()) else { return };
    let springs = model.rig.springs.of(&model.skeleton);
    let keys = |time: Time, pose: &mut LocalPose| pose.copy_from(&sample(&slot.clip, &model.skeleton, time));
    let motion = Motion { springs: &springs, skeleton: &model.skeleton, clip: &slot.clip, sample: &keys };
    let Some(baked) = motion.baked().filter(|_| !springs.is_empty()) else {
        return info(editor, "The clip has no length, or no spring of the rig has its bones.");
    };
    let count = springs.bones().len();
    step(editor, "Bake springs", ClipEdit::ReplaceClip { clip: slot.id, with: Box::new(baked) });
    editor.session.focus.selection.clear_keys();
    info(
        editor,
        format!("Keyed {count} bones as they swing. Springs would swing these keys, too: turn them off here."),
    );
}
