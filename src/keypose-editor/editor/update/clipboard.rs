//! Copy, paste, duplicate and delete, for the kind of item that has the focus.

use std::collections::BTreeSet;

use crate::editor::document::edit::{Gap, KeyEdit, KeyRef, Original};
use crate::editor::ops::sentence::counted;
use crate::editor::posing::clipboard::{self, Pasted};
use crate::editor::posing::clipboard_text;
use crate::editor::session::clipboard::{Copied, Side, Subject};
use crate::editor::session::selection::{ItemKind, Pick};
use crate::editor::session::timing::KeyDragKind;
use crate::editor::state::action::ClipboardAction;
use crate::editor::state::effect::Effect;
use crate::editor::state::{Editor, targets};
use crate::editor::update::{
    clips, info, keyframes, lanes, level_clipboard, playback, select, step, timing, transaction, warning,
};
use keypose::anim::key::Channel;
use keypose::anim::skeleton::BoneIndex;
use keypose::anim::time::Time;

/// Handles a clipboard action.
pub fn act(editor: &mut Editor, action: ClipboardAction) {
    match action {
        ClipboardAction::Copy(subject) => copy(editor, subject),
        ClipboardAction::Paste { subject, side } => paste(editor, subject, side),
        ClipboardAction::Arrived(text) => arrived(editor, &text),
        ClipboardAction::Duplicate => duplicate(editor),
        ClipboardAction::DuplicateInTimeline => {
            focus_timeline(editor);
            duplicate(editor);
        }
        ClipboardAction::Delete(gap) => delete(editor, gap),
        ClipboardAction::DeleteInTimeline(gap) => {
            focus_timeline(editor);
            delete(editor, gap);
        }
    }
}

/// Copies, for this program and as text for others.
fn copy(editor: &mut Editor, subject: Subject) {
    let Some(copied) = clipboard::copy(&editor.session, &editor.view(), subject) else {
        return info(editor, "Nothing to copy.");
    };
    let text = match &copied {
        Copied::Pose { keys, .. } => {
            let bones: BTreeSet<&str> = keys.iter().map(|named| named.bone.as_str()).collect();
            format!("Copied the pose of {}.", counted(bones.len(), "bone"))
        }
        Copied::Keyframes(columns) => format!("Copied {}.", counted(columns.len(), "keyframe")),
        Copied::Keys(keys) => format!("Copied {}.", counted(keys.len(), "key")),
    };
    editor.effects.push(Effect::Copy(clipboard_text::print(&copied)));
    editor.session.workspace.copied = Some(copied);
    info(editor, text);
}

/// Takes the text of another window or an earlier run. Foreign text keeps the previous clipboard.
fn arrived(editor: &mut Editor, text: &str) {
    if clipboard_text::is_level(text) {
        if let Err(reason) = level_clipboard::arrived(editor, text) {
            warning(editor, reason);
        }
        return;
    }
    match clipboard_text::parse(text) {
        Ok(Some(copied)) => editor.session.workspace.copied = Some(copied),
        Ok(None) => {}
        Err(reason) => warning(editor, reason),
    }
}

/// Pastes at the playhead. Keyframes are inserted after the selected ones, or after the one under the playhead; later
/// keyframes move. The pasted items are selected.
fn paste(editor: &mut Editor, subject: Subject, side: Side) {
    if editor.session.is_in_motion() {
        playback::set_playing(editor, false);
    }
    let Some(copied) = editor.session.workspace.copied.clone() else {
        return info(editor, "Copy something first.");
    };
    let copied = match subject {
        Subject::Focused => copied,
        Subject::Pose | Subject::Timeline if editor.clip().is_none() => copied.as_pose(),
        // Copied keyframes never replace the pose under the playhead, which may be one of them.
        Subject::Pose if matches!(copied, Copied::Keyframes(_)) && editor.view().containing.is_some() => copied,
        Subject::Pose => copied.as_pose(),
        Subject::Timeline => copied.as_keyframes(),
    };
    let behind = targets::keyframes(editor).last().copied();
    let paste = match clipboard::paste(&editor.view(), &copied, behind.unwrap_or_default(), side) {
        Ok(paste) => paste,
        Err(reason) => return info(editor, reason),
    };
    transaction::edit(editor, paste_label(&copied, side).into(), &paste.change);
    let what = select_pasted(editor, &paste.pasted, side, behind);
    info(editor, format!("{what}{}", paste.left_out.report()));
}

fn paste_label(copied: &Copied, side: Side) -> &'static str {
    match (copied, side) {
        (Copied::Pose { .. }, Side::Same) => "Paste pose",
        (Copied::Pose { .. }, Side::Mirrored) => "Paste mirrored pose",
        (Copied::Keyframes(_), Side::Same) => "Paste keyframes",
        (Copied::Keyframes(_), Side::Mirrored) => "Paste mirrored keyframes",
        (Copied::Keys(_), Side::Same) => "Paste keys",
        (Copied::Keys(_), Side::Mirrored) => "Paste mirrored keys",
    }
}

/// Selects the pasted items. Returns the sentence that reports them.
fn select_pasted(editor: &mut Editor, pasted: &Pasted, side: Side, behind: Option<usize>) -> String {
    let mirrored = if side == Side::Mirrored { "mirrored " } else { "" };
    match pasted {
        Pasted::Pose(bones) => {
            select::bones(editor, bones, Pick::Only);
            format!("Pasted the {mirrored}pose of {}.", counted(bones.len(), "bone"))
        }
        Pasted::Keyframes(count) => {
            let first = behind.map_or(0, |behind| behind + 1);
            select::keyframe(editor, first, Pick::Only);
            select::keyframe_range(editor, first..first + count);
            let place =
                behind.map_or("into the empty clip".to_owned(), |behind| format!("after keyframe {}", behind + 1));
            format!("Pasted {} {place}.", counted(*count, &format!("{mirrored}keyframe")))
        }
        Pasted::Keys(keys) => {
            let clip = keyframes::open_clip(editor).unwrap_or_default();
            let key = |&(time, bone, channel): &(Time, BoneIndex, Channel)| {
                Some(KeyRef { keyframe: clip.keyframe_at(time)?, bone, channel })
            };
            select::keys(editor, &keys.iter().filter_map(key).collect::<Vec<_>>(), Pick::Only);
            format!("Pasted {}.", counted(keys.len(), &format!("{mirrored}key")))
        }
    }
}

fn duplicate(editor: &mut Editor) {
    match editor.session.focus.selection.kind {
        ItemKind::Clips => clips::duplicate(editor),
        ItemKind::Keys if !editor.session.focus.selection.keys.is_empty() => {
            timing::start_modal_key_drag(editor, KeyDragKind::Move, Original::Stays);
        }
        ItemKind::Events if editor.session.focus.selection.event.is_some() => timing::duplicate_event(editor),
        ItemKind::Ranges if editor.session.focus.selection.range.is_some() => lanes::duplicate(editor),
        ItemKind::Bones | ItemKind::Keyframes | ItemKind::Keys | ItemKind::Events | ItemKind::Ranges => {
            keyframes::duplicate(editor)
        }
    }
}

/// Deletes a clip, keyframes, keys or an event. If bones have the focus, deletes their keys under the playhead: bones
/// themselves come from the model's file.
fn delete(editor: &mut Editor, gap: Gap) {
    let selection = editor.session.focus.selection.clone();
    let Some(clip) = editor.session.focus.clip else { return };
    match selection.kind {
        ItemKind::Clips => clips::delete(editor),
        ItemKind::Keyframes if !selection.keyframes.is_empty() => {
            keyframes::delete(editor, selection.keyframes.iter().copied().collect(), gap);
        }
        ItemKind::Keys if !selection.keys.is_empty() => {
            let keys = selection.keys.iter().copied().collect();
            step(editor, "Delete keys", KeyEdit::RemoveKeys { clip, keys });
        }
        ItemKind::Events if selection.event.is_some() => timing::delete_event(editor),
        ItemKind::Ranges if selection.range.is_some() => lanes::delete(editor),
        ItemKind::Bones | ItemKind::Keyframes | ItemKind::Keys | ItemKind::Events | ItemKind::Ranges => {
            keyframes::delete_keys(editor)
        }
    }
}

/// Moves the focus from a clip or bones to keyframes or keys.
fn focus_timeline(editor: &mut Editor) {
    let selection = &mut editor.session.focus.selection;
    if matches!(selection.kind, ItemKind::Clips | ItemKind::Bones) {
        selection.kind = if selection.keyframes.is_empty() { ItemKind::Keys } else { ItemKind::Keyframes };
    }
}
