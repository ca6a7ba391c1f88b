//! Selecting bones, keyframes and keys; sets of bones; hiding.

use crate::anim::key::Key;
use crate::anim::skeleton::BoneIndex;
use crate::editor::document::edit::KeyRef;
use crate::editor::document::keys::of_keyframe;
use crate::editor::session::selection::ItemKind;
use crate::editor::session::selection::Pick;
use crate::editor::state::Editor;
use crate::editor::state::action::SelectAction;
use crate::editor::update::{active, playback};

/// Handles a selection action.
pub fn act(editor: &mut Editor, action: SelectAction) {
    match action {
        SelectAction::Model(model) => active::select_model(editor, model),
        SelectAction::Clip(clip) => active::select_clip(editor, clip),
        SelectAction::Clips(clips) => active::select_clips(editor, clips),
        SelectAction::Bones { bones, pick } => self::bones(editor, &bones, pick),
        SelectAction::Keyframe { keyframe, pick } => self::keyframe(editor, keyframe, pick),
        SelectAction::KeyframesTo(keyframe) => keyframes_to(editor, keyframe),
        SelectAction::Keys { keys, pick } => self::keys(editor, &keys, pick),
        SelectAction::Column => column(editor),
        SelectAction::Focus(focus) => editor.session.focus.selection.kind = focus,
        SelectAction::Hover(bone) => editor.session.transient.hover = bone,
        SelectAction::All => all(editor),
        SelectAction::None => none(editor),
        SelectAction::Back => back(editor),
        SelectAction::Forward => forward(editor),
    }
}

/// Picks bones that are there.
pub fn bones(editor: &mut Editor, bones: &[BoneIndex], pick: Pick) {
    let count = editor.model().map_or(0, |model| model.skeleton.len());
    let there: Vec<_> = bones.iter().copied().filter(|&bone| usize::from(bone) < count).collect();
    let was_on_keys = editor.session.focus.selection.kind == ItemKind::Keys;
    editor.session.focus.selection.pick_bones(&there, pick);
    if was_on_keys {
        // Keys and bones stay in step: keys of a bone that is not selected any more are not either.
        let selection = &mut editor.session.focus.selection;
        let bones: std::collections::BTreeSet<BoneIndex> = selection.bones.iter().copied().collect();
        selection.keys.retain(|key| bones.contains(&key.bone));
        whole_keyframes(editor);
    }
}

/// Picks a keyframe and goes there; its keys are selected with it.
pub fn keyframe(editor: &mut Editor, keyframe: usize, pick: Pick) {
    let Some(clip) = editor.clip().map(|slot| slot.clip.clone()) else { return };
    if keyframe >= clip.keyframes.len() {
        return;
    }
    editor.session.focus.selection.pick_keyframe(keyframe, pick);
    keys_follow(editor);
    playback::seek(editor, clip.start_of(keyframe));
    editor.session.focus.selection.kind = ItemKind::Keyframes;
}

/// Picks all keyframes from the one that was picked last.
pub fn keyframes_to(editor: &mut Editor, keyframe: usize) {
    let count = editor.clip().map_or(0, |slot| slot.clip.keyframes.len());
    let selection = &mut editor.session.focus.selection;
    let from = selection.last_keyframe.unwrap_or(keyframe);
    if keyframe < count {
        selection.keyframes = (from.min(keyframe)..=from.max(keyframe)).collect();
        selection.last_keyframe = Some(from);
        selection.kind = ItemKind::Keyframes;
        keys_follow(editor);
    }
}

/// The keys of the selected keyframes are selected.
fn keys_follow(editor: &mut Editor) {
    let Some(clip) = editor.clip().map(|slot| slot.clip.clone()) else { return };
    let selection = &mut editor.session.focus.selection;
    selection.keys = selection.keyframes.iter().flat_map(|&keyframe| of_keyframe(&clip, keyframe)).collect();
}

/// Picks keys; keyframes are selected with them where all of their keys are, bones where one is.
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
        selection.bones = bones;
    }
    editor.tidy();
}

/// Keyframes are selected where all of their keys are.
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

/// Exactly these keys, with the bones as they are selected.
pub fn keys_quietly(editor: &mut Editor, keys: &[KeyRef]) {
    let bones = editor.session.focus.selection.bones.clone();
    self::keys(editor, keys, Pick::Only);
    editor.session.focus.selection.bones = bones;
}

/// Everything of what has the focus: all bones that are shown, or all keyframes with their keys.
fn all(editor: &mut Editor) {
    match editor.session.focus.selection.kind {
        ItemKind::Bones | ItemKind::Clips | ItemKind::Events => {
            let hidden = &editor.session.focus.hidden;
            let bones = editor.model().map(|model| model.skeleton.indices()).into_iter().flatten();
            let shown: Vec<_> = bones.filter(|bone| !hidden.contains(bone)).collect();
            self::bones(editor, &shown, Pick::Only);
        }
        focus @ (ItemKind::Keyframes | ItemKind::Keys) => {
            let count = editor.clip().map_or(0, |slot| slot.clip.keyframes.len());
            editor.session.focus.selection.keyframes = (0..count).collect();
            keys_follow(editor);
            editor.session.focus.selection.kind = focus;
        }
    }
}

/// Nothing of what has the focus.
fn none(editor: &mut Editor) {
    let selection = &mut editor.session.focus.selection;
    match selection.kind {
        ItemKind::Bones | ItemKind::Clips | ItemKind::Events => selection.bones.clear(),
        ItemKind::Keyframes | ItemKind::Keys => {
            selection.keyframes.clear();
            selection.keys.clear();
        }
    }
}

/// All keys of the keyframes in which a key is selected; else of the keyframe under the playhead.
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

/// What was selected before.
fn back(editor: &mut Editor) {
    let now = editor.session.focus.selection.bones.clone();
    if let Some(before) = editor.session.focus.selection_history.back(&now) {
        bones(editor, &before, Pick::Only);
    }
}

/// What was selected before one went back.
fn forward(editor: &mut Editor) {
    if let Some(next) = editor.session.focus.selection_history.forward() {
        bones(editor, &next, Pick::Only);
    }
}
