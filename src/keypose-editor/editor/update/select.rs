//! Selecting bones, keyframes and keys; sets of bones; hiding.

use std::ops::Range;

use crate::editor::document::edit::KeyRef;
use crate::editor::document::keys::of_keyframe;
use crate::editor::session::selection::{ItemKind, Pick, Selection};
use crate::editor::state::Editor;
use crate::editor::state::action::SelectAction;
use crate::editor::update::{active, playback};
use crate::editor::view::bone_list;
use keypose::anim::key::Key;
use keypose::anim::skeleton::BoneIndex;

/// Handles a selection action.
pub fn act(editor: &mut Editor, action: SelectAction) {
    match action {
        SelectAction::Model(model) => active::select_model(editor, model),
        SelectAction::Clip(clip) => active::select_clip(editor, clip),
        SelectAction::Clips(clips) => active::select_clips(editor, clips),
        SelectAction::Bones { bones, pick } => self::bones(editor, &bones, pick),
        SelectAction::BoneRange { range, clicked, pick } => bone_range(editor, &range, clicked, pick),
        SelectAction::KeyframeGroup { keyframes, pick } => keyframe_group(editor, keyframes, pick),
        SelectAction::KeyframeRange(keyframes) => keyframe_range(editor, keyframes),
        SelectAction::Keys { keys, pick } => self::keys(editor, &keys, pick),
        SelectAction::Column => column(editor),
        SelectAction::Focus(focus) => editor.session.focus.selection.kind = focus,
        SelectAction::Hover(bone) => editor.session.transient.hover = bone,
        SelectAction::All => all(editor),
        SelectAction::Listed => listed(editor),
        SelectAction::None => none(editor),
        SelectAction::Back => back(editor),
        SelectAction::Forward => forward(editor),
    }
}

/// Selects bones; those that the model lacks are ignored.
pub fn bones(editor: &mut Editor, bones: &[BoneIndex], pick: Pick) {
    let there = existing(editor, bones);
    change_bones(editor, |selection| selection.pick_bones(&there, pick));
}

/// Selects a range of the bone list, whose clicked end becomes active.
fn bone_range(editor: &mut Editor, range: &[BoneIndex], clicked: BoneIndex, pick: Pick) {
    let there = existing(editor, range);
    change_bones(editor, |selection| selection.pick_bone_range(&there, clicked, pick));
}

/// The bones that the model has.
fn existing(editor: &Editor, bones: &[BoneIndex]) -> Vec<BoneIndex> {
    let count = editor.model().map_or(0, |model| model.skeleton.len());
    bones.iter().copied().filter(|&bone| usize::from(bone) < count).collect()
}

fn change_bones(editor: &mut Editor, change: impl FnOnce(&mut Selection)) {
    let was_on_keys = editor.session.focus.selection.kind == ItemKind::Keys;
    change(&mut editor.session.focus.selection);
    if was_on_keys {
        // Keys of a deselected bone are deselected, too.
        let selection = &mut editor.session.focus.selection;
        let bones: std::collections::BTreeSet<BoneIndex> = selection.bones.iter().copied().collect();
        selection.keys.retain(|key| bones.contains(&key.bone));
        whole_keyframes(editor);
    }
}

/// Selects a keyframe with its keys and moves the playhead to it.
pub fn keyframe(editor: &mut Editor, keyframe: usize, pick: Pick) {
    keyframe_group(editor, keyframe..keyframe + 1, pick);
}

/// Selects keyframes with their keys and moves the playhead to the first. Toggling deselects them if all are selected.
pub fn keyframe_group(editor: &mut Editor, keyframes: Range<usize>, pick: Pick) {
    let keyframes = existing_keyframes(editor, keyframes);
    let are_selected = keyframes.clone().all(|at| editor.session.focus.selection.keyframes.contains(&at));
    let rest = if pick == Pick::Toggle && are_selected { Pick::Toggle } else { Pick::Add };
    let first = if pick == Pick::Only { Pick::Only } else { rest };
    for at in keyframes.clone() {
        editor.session.focus.selection.pick_keyframe(at, if at == keyframes.start { first } else { rest });
    }
    if let Some((clip, start)) = editor.clip().map(|slot| slot.clip.clone()).zip(keyframes.clone().next()) {
        editor.session.focus.selection.last_keyframe = Some(start);
        keys_follow(editor);
        playback::seek(editor, clip.start_of(start));
        editor.session.focus.selection.kind = ItemKind::Keyframes;
    }
}

/// Selects exactly a range of keyframes. The keyframe that was picked last stays the start of the next range.
pub fn keyframe_range(editor: &mut Editor, keyframes: Range<usize>) {
    let keyframes = existing_keyframes(editor, keyframes);
    let selection = &mut editor.session.focus.selection;
    if !keyframes.is_empty() {
        selection.last_keyframe.get_or_insert(keyframes.start);
        selection.keyframes = keyframes.collect();
        selection.kind = ItemKind::Keyframes;
        keys_follow(editor);
    }
}

fn existing_keyframes(editor: &Editor, keyframes: Range<usize>) -> Range<usize> {
    let count = editor.clip().map_or(0, |slot| slot.clip.keyframes.len());
    keyframes.start.min(count)..keyframes.end.min(count)
}

/// Selects the keys of the selected keyframes.
fn keys_follow(editor: &mut Editor) {
    let Some(clip) = editor.clip().map(|slot| slot.clip.clone()) else { return };
    let selection = &mut editor.session.focus.selection;
    selection.keys = selection.keyframes.iter().flat_map(|&keyframe| of_keyframe(&clip, keyframe)).collect();
}

/// Selects keys. Keyframes are selected if all of their keys are, bones if one of their keys is.
pub fn keys(editor: &mut Editor, keys: &[KeyRef], pick: Pick) {
    let Some(clip) = editor.clip().map(|slot| slot.clip.clone()) else { return };
    let selection = &mut editor.session.focus.selection;
    selection.pick_keys(keys, pick);
    let has = |key: &KeyRef| {
        clip.keyframes.get(key.keyframe).is_some_and(|keyframe| keyframe.key(key.bone, key.channel).is_some())
    };
    selection.keys.retain(has);
    whole_keyframes(editor);
    let selection = &mut editor.session.focus.selection;
    let mut bones: Vec<BoneIndex> = selection.keys.iter().map(|key| key.bone).collect();
    bones.sort_unstable();
    bones.dedup();
    if !bones.is_empty() {
        selection.set_bones(bones);
    }
    editor.tidy();
}

/// Selects the keyframes whose keys are all selected.
fn whole_keyframes(editor: &mut Editor) {
    let Some(clip) = editor.clip().map(|slot| slot.clip.clone()) else { return };
    let selection = &mut editor.session.focus.selection;
    let is_whole = |&keyframe: &usize| {
        let keys = &clip.keyframes[keyframe].keys;
        let key = |key: &Key| KeyRef { keyframe, bone: key.bone, channel: key.channel };
        !keys.is_empty() && keys.iter().all(|one| selection.keys.contains(&key(one)))
    };
    let touched: std::collections::BTreeSet<usize> = selection.keys.iter().map(|key| key.keyframe).collect();
    selection.keyframes = touched.into_iter().filter(is_whole).collect();
}

/// Selects exactly these keys and keeps the selected bones.
pub fn keys_quietly(editor: &mut Editor, keys: &[KeyRef]) {
    let bones = editor.session.focus.selection.bones.clone();
    self::keys(editor, keys, Pick::Only);
    editor.session.focus.selection.bones = bones;
}

/// Selects all visible bones.
fn all(editor: &mut Editor) {
    let shown = editor.model().map(|model| bone_list::all_bones(model, &editor.session.focus));
    bones(editor, &shown.unwrap_or_default(), Pick::Only);
}

/// Selects all bones of the bone list.
fn listed(editor: &mut Editor) {
    let listed = editor.model().map(|model| bone_list::listed_bones(model, &editor.session.focus));
    bones(editor, &listed.unwrap_or_default(), Pick::Only);
}

/// Deselects all bones, volumes and sockets.
fn none(editor: &mut Editor) {
    bones(editor, &[], Pick::Only);
}

/// Selects all keys of the keyframes with a selected key, or else of the keyframe under the playhead.
fn column(editor: &mut Editor) {
    let Some(clip) = editor.clip().map(|slot| slot.clip.clone()) else { return };
    let selection = &mut editor.session.focus.selection;
    let mut columns: std::collections::BTreeSet<usize> = selection.keys.iter().map(|key| key.keyframe).collect();
    if columns.is_empty() {
        columns.extend(clip.keyframe_containing(editor.session.focus.playhead.time));
    }
    selection.keyframes = columns;
    selection.kind = ItemKind::Keys;
    keys_follow(editor);
}

/// Restores the previous selection of bones.
fn back(editor: &mut Editor) {
    let now = editor.session.focus.selection.bones.clone();
    if let Some(before) = editor.session.focus.selection_history.back(&now) {
        restore(editor, &before);
    }
}

/// Restores the next selection of bones.
fn forward(editor: &mut Editor) {
    if let Some(next) = editor.session.focus.selection_history.forward() {
        restore(editor, &next);
    }
}

/// Selects exactly these bones, in this order.
fn restore(editor: &mut Editor, bones: &[BoneIndex]) {
    editor.session.focus.selection.bones.clear();
    self::bones(editor, bones, Pick::Only);
}
