//! Copy, paste, duplicate and delete, for the kind of item that has the focus.

use crate::editor::document::edit::{Gap, KeyEdit, Original};
use crate::editor::session::selection::ItemKind;
use crate::editor::session::timing::KeyDragKind;
use crate::editor::state::Editor;
use crate::editor::state::action::ClipboardAction;
use crate::editor::state::effect::Effect;
use crate::editor::update::{clips, keyframes, pose, step, timing};

/// Handles a clipboard action.
pub fn act(editor: &mut Editor, action: ClipboardAction, effects: &mut Vec<Effect>) {
    match action {
        ClipboardAction::Copy => pose::copy(editor, effects),
        ClipboardAction::Paste(side) => pose::paste(editor, side, effects),
        ClipboardAction::Duplicate => duplicate(editor, effects),
        ClipboardAction::Delete(gap) => delete(editor, gap, effects),
        ClipboardAction::DeleteInTimeline(gap) => delete_in_timeline(editor, gap, effects),
    }
}

fn duplicate(editor: &mut Editor, effects: &mut Vec<Effect>) {
    match editor.session.focus.selection.kind {
        ItemKind::Clips => clips::duplicate(editor, effects),
        ItemKind::Keys if !editor.session.focus.selection.keys.is_empty() => {
            timing::take_modal(editor, KeyDragKind::Move, Original::Stays, effects);
        }
        ItemKind::Events if editor.session.focus.selection.event.is_some() => timing::duplicate_event(editor, effects),
        ItemKind::Bones | ItemKind::Keyframes | ItemKind::Keys | ItemKind::Events => {
            keyframes::duplicate(editor, effects)
        }
    }
}

/// Deletes a clip, keyframes, keys or an event. If bones have the focus, deletes their keys under the playhead: bones
/// themselves come from the model's file.
fn delete(editor: &mut Editor, gap: Gap, effects: &mut Vec<Effect>) {
    let selection = editor.session.focus.selection.clone();
    let Some(clip) = editor.session.focus.clip else { return };
    match selection.kind {
        ItemKind::Clips => clips::delete(editor, effects),
        ItemKind::Keyframes if !selection.keyframes.is_empty() => {
            keyframes::delete(editor, selection.keyframes.iter().copied().collect(), gap, effects);
        }
        ItemKind::Keys if !selection.keys.is_empty() => {
            let keys = selection.keys.iter().copied().collect();
            step(editor, "Delete keys", vec![KeyEdit::RemoveKeys { clip, keys }.into()], effects);
        }
        ItemKind::Events if selection.event.is_some() => timing::delete_event(editor, effects),
        ItemKind::Bones | ItemKind::Keyframes | ItemKind::Keys | ItemKind::Events => {
            keyframes::delete_keys(editor, effects)
        }
    }
}

/// Deletes keyframes or keys, never a clip.
fn delete_in_timeline(editor: &mut Editor, gap: Gap, effects: &mut Vec<Effect>) {
    let selection = &mut editor.session.focus.selection;
    if matches!(selection.kind, ItemKind::Clips | ItemKind::Bones) {
        selection.kind = if selection.keyframes.is_empty() { ItemKind::Keys } else { ItemKind::Keyframes };
    }
    delete(editor, gap, effects);
}
