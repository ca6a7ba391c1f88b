//! The blocks of the pose strip: typing durations, splitting, merging, holding.

use std::ops::Range;

use glam::Vec4;

use crate::editor::document::edit::{ClipEdit, Edit, Gap, KeyEdit};
use crate::editor::document::keyframes::mean_duration;
use crate::editor::gesture::Driver;
use crate::editor::gesture::duration::DurationEntry;
use crate::editor::ops::derived::keyed_at;
use crate::editor::session::pointer::ModalKey;
use crate::editor::session::selection::Pick;
use crate::editor::state::Editor;
use crate::editor::state::targets;
use crate::editor::update::keyframes::open_clip;
use crate::editor::update::playback::stop;
use crate::editor::update::{gesture, info, select, step, step_all, transaction};
use keypose::anim::clip::{Clip, Keyframe};
use keypose::anim::key::{Ease, HandleKind, Key};
use keypose::anim::time::Time;
use keypose::anim::track::Track;

/// Starts to type the duration of keyframes and selects them. `first` is the first character.
pub fn type_duration(editor: &mut Editor, keyframes: Vec<usize>, first: Option<char>) {
    transaction::commit(editor);
    if transaction::refuse_follower(editor) {
        return;
    }
    let count = open_clip(editor).map_or(0, |clip| clip.keyframes.len());
    let keyframes: Vec<usize> = keyframes.into_iter().filter(|&keyframe| keyframe < count).collect();
    let Some(&one) = keyframes.first() else {
        return info(editor, "Select a keyframe first.");
    };
    if !keyframes.iter().all(|keyframe| editor.session.focus.selection.keyframes.contains(keyframe)) {
        select::keyframe(editor, one, Pick::Only);
        keyframes.iter().skip(1).for_each(|&keyframe| select::keyframe(editor, keyframe, Pick::Add));
    }
    let entry = DurationEntry { keyframes, text: String::new() };
    transaction::begin_with(editor, "Set duration".into(), Driver::Duration(entry));
    if let Some(first) = first {
        gesture::key(editor, ModalKey::Char(first));
    }
}

/// Splits the keyframe under the playhead, or extends the clip to the playhead. The animation does not change.
pub fn split(editor: &mut Editor) {
    stop(editor);
    let (Some(clip), time) = (editor.session.focus.clip, editor.session.focus.playhead.time) else { return };
    let reason = open_clip(editor).and_then(|clip| match clip.keyframe_at(time) {
        Some(_) => Some("A keyframe already starts here."),
        None => (time >= clip.length()).then_some("The clip ends here; there is no keyframe to split."),
    });
    if let Some(reason) = reason {
        return info(editor, reason);
    }
    step(editor, "Split keyframe", KeyEdit::Split { clip, time });
}

/// Merges adjacent selected keyframes, or a single one with the next. The first of them gets their durations and keeps
/// its pose; the keys of the others are deleted.
///
/// ```text
/// before   |0----|1---|2------|
/// 0 and 1  |0---------|1------|
/// ```
pub fn merge(editor: &mut Editor) {
    stop(editor);
    let (Some(clip), Some(id)) = (open_clip(editor), editor.session.focus.clip) else { return };
    let mut merged = targets::keyframes(editor);
    if let [one] = merged[..] {
        merged.push(one + 1);
    }
    let is_merged = |at: &usize| *at > 0 && *at < clip.keyframes.len() && merged.contains(&(*at - 1));
    let gone: Vec<usize> = merged.iter().copied().filter(is_merged).collect();
    let Some(first) = gone.first().map(|first| first - 1) else {
        return info(editor, "No next keyframe to merge with. Select adjacent keyframes, or one before the last.");
    };
    let mut edits: Vec<Edit> = Vec::new();
    let heads = gone.iter().map(|at| at - 1).filter(|at| !gone.contains(at));
    for head in heads {
        let run = gone.iter().skip_while(|at| **at <= head).zip(head + 1..).take_while(|(at, next)| **at == *next);
        let lost = run.flat_map(|(at, _)| &clip.keyframes[*at].keys);
        let start = clip.start_of(head);
        let keys: Vec<_> = kept_pose(&clip, head, lost).into_iter().map(|key| (start, key)).collect();
        if !keys.is_empty() {
            edits.push(KeyEdit::KeysAt { clip: id, keys }.into());
        }
    }
    edits.push(KeyEdit::DeleteKeyframes { clip: id, keyframes: gone, gap: Gap::Kept }.into());
    step_all(editor, "Merge keyframes", edits);
    select::keyframe(editor, first, Pick::Only);
}

/// The keys that a keyframe needs to keep its pose when `lost` are deleted.
fn kept_pose<'a>(clip: &Clip, keyframe: usize, lost: impl Iterator<Item = &'a Key>) -> Vec<Key> {
    let is_open = |key: &&Key| clip.keyframes[keyframe].key(key.bone, key.channel).is_none();
    lost.filter(is_open).map(|key| passing(clip, keyframe, key)).collect()
}

/// A key like another one with what its channel has at the start of a keyframe, before its bone's delay.
fn passing(clip: &Clip, keyframe: usize, like: &Key) -> Key {
    let track = Track::of_keys(clip, like.bone, like.channel);
    let value = track.map_or(like.value, |track| track.sample(clip.start_of(keyframe)));
    Key { value, handles: HandleKind::Auto, ..*like }
}

/// Holds the pose of the selected keyframe, or of the one under the playhead, for its duration again. Later keyframes
/// move; the motion before and after the hold stays the same.
///
/// ```text
/// before      |0----|1---|
/// hold of 0   |0----|0----|1---|
/// ```
pub fn hold(editor: &mut Editor) {
    stop(editor);
    let (Some(clip), Some(id)) = (open_clip(editor), editor.session.focus.clip) else { return };
    let Some(&keyframe) = targets::keyframes(editor).last() else { return };
    let clip = keyed_at(&clip, keyframe);
    let end = held_keys(&clip, keyframe);
    let start = end.iter().map(|key| Key { ease: Ease::Step, ..*key }).collect();
    let duration = match clip.keyframes[keyframe].duration {
        Time::ZERO => mean_duration(&clip),
        duration => duration,
    };
    let held = Keyframe { duration, keys: end.into(), ..Keyframe::default() };
    let edits = vec![
        ClipEdit::ReplaceClip { clip: id, with: Box::new(clip) }.into(),
        KeyEdit::ReplaceKeys { clip: id, keyframe, keys: start }.into(),
        KeyEdit::InsertAfter { clip: id, keyframe, new: vec![held] }.into(),
    ];
    step_all(editor, "Hold keyframe", edits);
    select::keyframe(editor, keyframe, Pick::Only);
}

/// A key of every channel that the clip keys, with the pose of a keyframe. Tangents keep their slopes, so the motion
/// beside the hold stays the same.
fn held_keys(clip: &Clip, keyframe: usize) -> Vec<Key> {
    let mut channels: Vec<Key> = Vec::new();
    // Each channel continues like its last key at or before the keyframe, or like the first one after it.
    let order = (0..=keyframe).rev().chain(keyframe + 1..clip.keyframes.len());
    for key in order.flat_map(|at| &clip.keyframes[at].keys) {
        if !channels.iter().any(|known| known.address() == key.address()) {
            channels.push(*key);
        }
    }
    let held = |key: Key| match clip.keyframes[keyframe].key(key.bone, key.channel) {
        Some(here) if here.handles == HandleKind::Auto && has_slope(here) => Key { handles: HandleKind::Free, ..*here },
        Some(here) => *here,
        None => passing(clip, keyframe, &key),
    };
    channels.into_iter().map(held).collect()
}

fn has_slope(key: &Key) -> bool {
    key.in_tangent != Vec4::ZERO || key.out_tangent != Vec4::ZERO
}

/// The keyframes whose duration a typed number sets: the selected ones, or only those under the mouse – one, or a group –
/// if not all of them are selected.
pub fn typed_over(editor: &Editor, hovered: Range<usize>) -> Vec<usize> {
    let selected = &editor.session.focus.selection.keyframes;
    if hovered.clone().all(|keyframe| selected.contains(&keyframe)) {
        selected.iter().copied().collect()
    } else {
        hovered.collect()
    }
}
