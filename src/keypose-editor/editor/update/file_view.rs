//! Shows a file as it was shown before.

use crate::editor::session::file_view::FileView;
use crate::editor::state::Editor;
use crate::editor::update::active;
use keypose::anim::skeleton::{BoneIndex, Skeleton};

/// Shows the document as in `view`. What the document lacks is skipped.
pub fn restore(editor: &mut Editor, view: &FileView) {
    let Some(at) = editor.document.model_named(&view.model) else { return };
    active::select_model(editor, at);
    let Some(model) = editor.model().cloned() else { return };
    match &view.clip {
        None => active::select_clip(editor, None),
        Some(name) => {
            if let Some(slot) = model.clip_named(name) {
                active::select_clip(editor, Some(slot.id));
                editor.session.focus.playhead.seek(view.time);
            }
        }
    }
    let focus = &mut editor.session.focus;
    if view.camera.is_valid() {
        focus.camera = view.camera;
    }
    focus.hidden = bones(&model.skeleton, &view.hidden).into_iter().collect();
    focus.pins = bones(&model.skeleton, &view.pins).into_iter().collect();
    let set = |(number, names): (&u8, &Vec<String>)| (*number, bones(&model.skeleton, names));
    focus.bone_sets = view.bone_sets.iter().filter(|(number, _)| **number <= 9).map(set).collect();
    focus.timing.view = view.time_view;
    focus.selection.kind = Default::default();
    // The panels are not arranged again: the program restores their layout.
    editor.session.workspace.preferences.arrangement = view.arrangement;
}

fn bones(skeleton: &Skeleton, names: &[String]) -> Vec<BoneIndex> {
    names.iter().filter_map(|name| skeleton.find(name)).collect()
}
