//! The keyframes of the open clip.

use crate::anim::clip::Clip;
use crate::anim::time::Time;
use crate::editor::document::edit::{DraftEdit, Gap, KeyEdit, KeyRef};
use crate::editor::document::keyframes::mean_duration;
use crate::editor::document::keys::of_keyframe;
use crate::editor::posing::keying;
use crate::editor::session::keying::KeyWhat;
use crate::editor::session::notice::NoticeKind;
use crate::editor::state::Editor;
use crate::editor::state::action::KeyframeAction;
use crate::editor::state::effect::Effect;
use crate::editor::update::playback::stop;
use crate::editor::update::{blocks, notice, pose, select, step};

/// Handles a keyframe action.
pub fn act(editor: &mut Editor, action: KeyframeAction, effects: &mut Vec<Effect>) {
    match action {
        KeyframeAction::Split => blocks::split(editor, effects),
        KeyframeAction::Append => append(editor, effects),
        KeyframeAction::Merge => blocks::merge(editor, effects),
        KeyframeAction::Hold => blocks::hold(editor, effects),
        KeyframeAction::Duplicate => duplicate(editor, effects),
        KeyframeAction::Delete => delete(editor, keyframes_meant(editor), Gap::Kept, effects),
        KeyframeAction::DeleteKeys => delete_keys(editor, effects),
        KeyframeAction::EndClip => end_clip(editor, effects),
    }
}

/// The open clip.
pub fn open_clip(editor: &Editor) -> Option<std::sync::Arc<Clip>> {
    editor.clip().map(|slot| slot.clip.clone())
}

/// The end of the open clip.
pub fn last_frame(editor: &Editor) -> Time {
    open_clip(editor).map_or(Time::ZERO, |clip| clip.length())
}

/// A keyframe of the pose in hand behind the one under the playhead; what follows moves.
fn append(editor: &mut Editor, effects: &mut Vec<Effect>) {
    stop(editor);
    let (Some(clip), Some(id)) = (open_clip(editor), editor.session.focus.clip) else { return };
    let view = editor.view();
    let Some(at) = view.containing else {
        return pose::key(editor, KeyWhat::All, effects);
    };
    let duration = match clip.keyframes[at].duration {
        Time::ZERO => mean_duration(&clip),
        duration => duration,
    };
    let keys = keying::keys_of_pose(&view, &editor.session);
    let mut edits = vec![KeyEdit::InsertAfter { clip: id, keyframe: at, duration, keys }.into()];
    if view.draft.is_some() {
        edits.insert(
            0,
            DraftEdit::DropDraft { model: editor.session.focus.model, clip: Some(id), time: view.time }.into(),
        );
    }
    step(editor, "Insert keyframe", edits, effects);
    go_to_keyframe(editor, at + 1);
}

/// A copy behind the selected keyframe, else behind the one under the playhead.
pub fn duplicate(editor: &mut Editor, effects: &mut Vec<Effect>) {
    stop(editor);
    let (Some(clip), Some(keyframe)) = (editor.session.focus.clip, keyframes_meant(editor).last().copied()) else {
        return;
    };
    step(editor, "Duplicate keyframe", vec![KeyEdit::DuplicateKeyframe { clip, keyframe }.into()], effects);
    go_to_keyframe(editor, keyframe + 1);
}

/// Deletes keyframes.
pub fn delete(editor: &mut Editor, keyframes: Vec<usize>, gap: Gap, effects: &mut Vec<Effect>) {
    stop(editor);
    let Some(clip) = editor.session.focus.clip.filter(|_| !keyframes.is_empty()) else { return };
    let label = if keyframes.len() == 1 { "Delete keyframe" } else { "Delete keyframes" };
    step(editor, label, vec![KeyEdit::DeleteKeyframes { clip, keyframes, gap }.into()], effects);
    // What stands at those places now is not what was selected.
    editor.session.focus.selection.keyframes.clear();
    editor.session.focus.selection.keys.clear();
}

/// The selected keyframes, else the one under the playhead.
pub fn keyframes_meant(editor: &Editor) -> Vec<usize> {
    let selected: Vec<usize> = editor.session.focus.selection.keyframes.iter().copied().collect();
    if !selected.is_empty() {
        return selected;
    }
    open_clip(editor)
        .and_then(|clip| clip.keyframe_containing(editor.session.focus.playhead.time))
        .into_iter()
        .collect()
}

/// Selects a keyframe alone and goes there.
pub fn go_to_keyframe(editor: &mut Editor, keyframe: usize) {
    let pick = crate::editor::session::selection::Pick::Only;
    select::keyframe(editor, keyframe, pick);
}

/// Removes the keys of the selected bones (of all where none is selected) in the keyframe under the playhead.
pub fn delete_keys(editor: &mut Editor, effects: &mut Vec<Effect>) {
    stop(editor);
    let (Some(slot), time) = (editor.clip(), editor.session.focus.playhead.time) else { return };
    let bones = &editor.session.focus.selection.bones;
    let is_meant = |key: &KeyRef| bones.is_empty() || bones.contains(&key.bone);
    let here = slot.clip.keyframe_at(time);
    let keys = here.map(|keyframe| of_keyframe(&slot.clip, keyframe)).unwrap_or_default();
    let keys: Vec<KeyRef> = keys.into_iter().filter(is_meant).collect();
    let clip = slot.id;
    match keys.is_empty() {
        true => notice(editor, NoticeKind::Info, "There is no key under the playhead to delete.", effects),
        false => step(editor, "Delete keys", vec![KeyEdit::RemoveKeys { clip, keys }.into()], effects),
    }
}

/// The clip ends at the playhead: what lies behind goes, the keyframe under it is cut or stretched.
fn end_clip(editor: &mut Editor, effects: &mut Vec<Effect>) {
    stop(editor);
    let (Some(clip), Some(id)) = (open_clip(editor), editor.session.focus.clip) else { return };
    let time = editor.session.focus.playhead.time;
    let Some(last) = clip.starts().take_while(|&start| start < time).count().checked_sub(1) else {
        return notice(editor, NoticeKind::Info, "A clip can't end where it starts.", effects);
    };
    let behind: Vec<usize> = (last + 1..clip.keyframes.len()).collect();
    let duration = time - clip.start_of(last);
    let mut edits = vec![KeyEdit::SetDuration { clip: id, keyframe: last, duration }.into()];
    if !behind.is_empty() {
        edits.insert(0, KeyEdit::DeleteKeyframes { clip: id, keyframes: behind, gap: Gap::Closed }.into());
    }
    step(editor, "End clip at playhead", edits, effects);
}

/// Loops the selected keyframes, else the one under the playhead.
pub fn set_loop_section(editor: &mut Editor) {
    let (Some(clip), keyframes) = (open_clip(editor), keyframes_meant(editor)) else { return };
    if let (Some(first), Some(last)) = (keyframes.first(), keyframes.last()) {
        let section = (clip.start_of(*first), clip.start_of(last + 1));
        editor.session.focus.playhead.loop_section = Some(section).filter(|(from, to)| from < to);
    }
}
