//! The active model and clip.

use crate::editor::session::selection::{ItemKind, Selection};
use crate::editor::state::Editor;
use crate::editor::update::transaction;
use keypose::anim::time::Time;
use keypose::assets::id::ClipId;

/// Opens a model and its first clip.
pub fn select_model(editor: &mut Editor, model: usize) {
    transaction::commit(editor);
    if model < editor.document.models.len() && model != editor.session.focus.model {
        show_model(editor, model);
    }
}

/// Shows a model from the start. Selected, hidden and pinned bones of the previous model are forgotten.
pub fn show_model(editor: &mut Editor, model: usize) {
    editor.session.focus.model = model;
    editor.session.focus.skeleton = None;
    editor.session.focus.selection = Selection::default();
    editor.forget_bones();
    let first = editor.model().and_then(|model| model.clips.first()).map(|slot| slot.id);
    select_clip(editor, first);
    editor.frame_all();
}

/// Opens a clip at its start; playback continues.
pub fn select_clip(editor: &mut Editor, clip: Option<ClipId>) {
    transaction::commit(editor);
    editor.session.focus.selection.kind = ItemKind::Clips;
    editor.session.focus.selection.clips.clear();
    if clip != editor.session.focus.clip {
        editor.session.focus.clip = clip;
        editor.session.focus.selection.clear_keys();
        editor.session.focus.playhead.loop_section = None;
        editor.session.focus.playhead.seek(Time::ZERO);
        editor.tidy();
    }
}

/// Selects clips in the list. The open clip is one of them: if it isn't, the first one is opened.
pub fn select_clips(editor: &mut Editor, clips: Vec<ClipId>) {
    if !clips.is_empty() && editor.session.focus.clip.is_none_or(|open| !clips.contains(&open)) {
        select_clip(editor, clips.first().copied());
    }
    editor.session.focus.selection.clips = clips.into_iter().collect();
    editor.session.focus.selection.kind = ItemKind::Clips;
    editor.tidy();
}
