//! Actions on the keyframes of the active clip.

use crate::editor::document::edit::{ClipEdit, Edit, Gap, KeyEdit, KeyRef};
use crate::editor::document::keyframes::mean_duration;
use crate::editor::document::keys::of_keyframe;
use crate::editor::ops::derived::derive;
use crate::editor::ops::derived_lanes;
use crate::editor::posing::keying;
use crate::editor::session::keying::KeyWhat;
use crate::editor::session::selection::Pick;
use crate::editor::state::Editor;
use crate::editor::state::action::KeyframeAction;
use crate::editor::state::targets;
use crate::editor::update::playback::stop;
use crate::editor::update::{blocks, info, pose, select, step, step_all, transaction};
use keypose::anim::clip::{Clip, Event, Keyframe, KeyframeKind, LoopMode};
use keypose::anim::key::Key;
use keypose::anim::time::Time;
use keypose::assets::clip_notes::Derivation;
use keypose::assets::combat::Range;
use keypose::assets::id::ClipId;

/// Handles a keyframe action.
pub fn act(editor: &mut Editor, action: KeyframeAction) {
    match action {
        KeyframeAction::Split => blocks::split(editor),
        KeyframeAction::Append => append(editor, |editor| editor.view().containing),
        KeyframeAction::Extend => append(editor, |editor| editor.clip()?.clip.keyframes.len().checked_sub(1)),
        KeyframeAction::Merge => blocks::merge(editor),
        KeyframeAction::Hold => blocks::hold(editor),
        KeyframeAction::Duplicate => duplicate(editor),
        KeyframeAction::Delete => delete(editor, targets::keyframes(editor), Gap::Kept),
        KeyframeAction::DeleteKeys => delete_keys(editor),
        KeyframeAction::EndClip => end_clip(editor),
        KeyframeAction::SetKind(kind) => set_kind(editor, kind),
        KeyframeAction::Reorder { keyframes, before } => reorder(editor, keyframes, before),
    }
}

/// Moves keyframes together before another one, and selects them.
fn reorder(editor: &mut Editor, keyframes: std::ops::Range<usize>, before: usize) {
    let Some(clip) = editor.session.focus.clip.filter(|_| !transaction::refuse_follower(editor)) else { return };
    let count = keyframes.len();
    let is_later = before >= keyframes.end;
    let step = |at: usize| {
        if is_later {
            KeyEdit::MoveKeyframe { clip, from: keyframes.start, to: before - 1 }
        } else {
            KeyEdit::MoveKeyframe { clip, from: keyframes.start + at, to: before + at }
        }
    };
    let old = editor.document.clone();
    step_all(editor, "Reorder keyframes", (0..count).map(|at| step(at).into()).collect());
    if !editor.document.is_equal(&old) {
        let to = if is_later { before - count } else { before };
        select::keyframe_group(editor, to..to + count, Pick::Only);
    }
}

/// The active clip.
pub fn open_clip(editor: &Editor) -> Option<std::sync::Arc<Clip>> {
    editor.clip().map(|slot| slot.clip.clone())
}

/// Sets the kind of the selected keyframes, of those of the selected keys, or of the one under the playhead.
fn set_kind(editor: &mut Editor, kind: KeyframeKind) {
    let (Some(of), Some(clip)) = (open_clip(editor), editor.session.focus.clip) else { return };
    let times = targets::marked(editor).into_iter().map(|keyframe| of.start_of(keyframe)).collect();
    let label = match kind {
        KeyframeKind::Plain => "Clear mark",
        KeyframeKind::Extreme => "Mark as extreme",
        KeyframeKind::Breakdown => "Mark as breakdown",
    };
    step(editor, label, KeyEdit::SetKind { clip, times, kind });
}

/// Inserts a keyframe with the current pose after another one; the following keyframes move.
fn append(editor: &mut Editor, after: fn(&Editor) -> Option<usize>) {
    stop(editor);
    let (Some(clip), Some(id)) = (open_clip(editor), editor.session.focus.clip) else { return };
    let view = editor.view();
    let Some(at) = after(editor) else {
        return pose::key(editor, KeyWhat::All);
    };
    let duration = match clip.keyframes[at].duration {
        Time::ZERO => mean_duration(&clip),
        duration => duration,
    };
    let keys = keying::keys_of_pose(&view, &editor.session);
    let kind = view.draft.as_ref().map_or(KeyframeKind::Plain, |draft| draft.kind);
    let mut edits: Vec<Edit> = Vec::new();
    if view.draft.is_some() {
        edits.push(keying::drop_of(&view, &editor.session, keys.iter().map(Key::address).collect(), KeyWhat::All));
    }
    let new = Keyframe { duration, kind, keys: keys.into() };
    edits.push(KeyEdit::InsertAfter { clip: id, keyframe: at, new: vec![new] }.into());
    step_all(editor, "Insert keyframe", edits);
    select::keyframe(editor, at + 1, Pick::Only);
}

/// Duplicates the last selected keyframe, or else the one under the playhead.
pub fn duplicate(editor: &mut Editor) {
    stop(editor);
    let (Some(clip), Some(keyframe)) = (editor.session.focus.clip, targets::keyframes(editor).last().copied()) else {
        return;
    };
    step(editor, "Duplicate keyframe", KeyEdit::DuplicateKeyframe { clip, keyframe });
    select::keyframe(editor, keyframe + 1, Pick::Only);
}

/// Deletes keyframes.
pub fn delete(editor: &mut Editor, keyframes: Vec<usize>, gap: Gap) {
    stop(editor);
    let Some(clip) = editor.session.focus.clip else { return };
    if keyframes.is_empty() {
        return;
    }
    let label = if keyframes.len() == 1 { "Delete keyframe" } else { "Delete keyframes" };
    step(editor, label, KeyEdit::DeleteKeyframes { clip, keyframes, gap });
    // Their indices now refer to other keyframes.
    editor.session.focus.selection.clear_keys();
}

/// Deletes the keys of the selected bones, or of all bones if none is selected, in the keyframe at the playhead.
pub fn delete_keys(editor: &mut Editor) {
    stop(editor);
    let (Some(slot), time) = (editor.clip(), editor.session.focus.playhead.time) else { return };
    let bones = &editor.session.focus.selection.bones;
    let is_target = |key: &KeyRef| bones.is_empty() || bones.contains(&key.bone);
    let here = slot.clip.keyframe_at(time);
    let keys = here.map(|keyframe| of_keyframe(&slot.clip, keyframe)).unwrap_or_default();
    let keys: Vec<KeyRef> = keys.into_iter().filter(is_target).collect();
    let clip = slot.id;
    if keys.is_empty() {
        info(editor, "No keys at the playhead.")
    } else {
        step(editor, "Delete keys", KeyEdit::RemoveKeys { clip, keys })
    }
}

/// The edits that keep the events and ranges of a clip up to a time as they are, and remove the others.
fn kept_until(editor: &Editor, (id, clip): (ClipId, &Clip), end: Time) -> Vec<Edit> {
    let is_inside = |event: &&Event| event.time < end || event.time == end && clip.loop_mode != LoopMode::Loop;
    let events = clip.events.iter().filter(is_inside).cloned().collect();
    let mut edits: Vec<Edit> = Vec::new();
    if !clip.events.is_empty() {
        edits.push(ClipEdit::SetEvents { clip: id, events }.into());
    }
    if let Some(lanes) = editor.model().and_then(|model| model.combat.lanes.get(&id)) {
        let mut lanes = Box::new(lanes.clone());
        derived_lanes::trim(&mut lanes, Range { start: Time::ZERO, end });
        edits.push(ClipEdit::SetLanes { clip: id, lanes }.into());
    }
    edits
}

/// Ends the clip at the playhead: deletes the following keyframes, and shortens or extends the one under the playhead. In a clip that
/// doesn't loop a keyframe at the playhead stays or is made, without a duration: the motion until there stays as it is. Events and ranges
/// stay, too, up to there.
fn end_clip(editor: &mut Editor) {
    stop(editor);
    let (Some(clip), Some(id)) = (open_clip(editor), editor.session.focus.clip) else { return };
    let time = editor.session.focus.playhead.time;
    let Some(last) = clip.starts().take_while(|&start| start < time).count().checked_sub(1) else {
        return info(editor, "A clip can't end where it starts.");
    };
    let mut edits: Vec<Edit> = Vec::new();
    let (mut end, mut count) = (last, clip.keyframes.len());
    let mut duration = time - clip.start_of(last);
    if clip.loop_mode != LoopMode::Loop && last + 1 < count {
        if clip.keyframe_at(time).is_none() {
            edits.push(KeyEdit::Split { clip: id, time }.into());
            count += 1;
        }
        (end, duration) = (last + 1, Time::ZERO);
    }
    let following: Vec<usize> = (end + 1..count).collect();
    if !following.is_empty() {
        edits.push(KeyEdit::DeleteKeyframes { clip: id, keyframes: following, gap: Gap::Closed }.into());
    }
    edits.push(KeyEdit::SetDurations { clip: id, durations: vec![(end, duration)] }.into());
    if let Some(model) = editor.model().filter(|_| end > last && clip.delays.is_empty()) {
        let part = derive(&clip, model, Derivation::Trimmed(Time::ZERO, time));
        let keys = |(keyframe, one): (usize, &Keyframe)| {
            KeyEdit::ReplaceKeys { clip: id, keyframe, keys: one.keys.iter().copied().collect() }.into()
        };
        let is_same = |(a, b): (&Keyframe, &Keyframe)| a.keys.iter().eq(b.keys.iter());
        let same = clip.keyframes.iter().zip(part.keyframes.iter()).take_while(|pair| is_same(*pair)).count();
        edits.extend(part.keyframes.iter().enumerate().skip(same).map(keys));
    }
    edits.extend(kept_until(editor, (id, &clip), time));
    step_all(editor, "End clip at playhead", edits);
}
