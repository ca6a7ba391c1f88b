//! Selecting bones, keyframes and keys; sets of bones; hiding.

use crate::anim::key::Key;
use crate::anim::skeleton::BoneIndex;
use crate::editor::document::edit::{Edit, KeyRef};
use crate::editor::document::keys::of_keyframe;
use crate::editor::ops::bone_groups;
use crate::editor::ops::bone_groups::GroupEdit;
use crate::editor::session::notice::NoticeKind;
use crate::editor::session::selection::ItemKind;
use crate::editor::session::selection::Pick;
use crate::editor::state::Editor;
use crate::editor::state::effect::Effect;

/// Picks bones that are there.
pub fn bones(editor: &mut Editor, bones: &[BoneIndex], pick: Pick) {
    let count = editor.model().map_or(0, |model| model.skeleton.len());
    let there: Vec<_> = bones.iter().copied().filter(|&bone| usize::from(bone) < count).collect();
    let was_on_keys = editor.session.focus.selection.focus == ItemKind::Keys;
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
    super::clipsel::seek(editor, clip.start_of(keyframe));
    editor.session.focus.selection.focus = ItemKind::Keyframes;
}

/// Picks all keyframes from the one that was picked last.
pub fn keyframes_to(editor: &mut Editor, keyframe: usize) {
    let count = editor.clip().map_or(0, |slot| slot.clip.keyframes.len());
    let selection = &mut editor.session.focus.selection;
    let from = selection.last_keyframe.unwrap_or(keyframe);
    if keyframe < count {
        selection.keyframes = (from.min(keyframe)..=from.max(keyframe)).collect();
        selection.last_keyframe = Some(from);
        selection.focus = ItemKind::Keyframes;
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

/// Selects a kept set of bones.
pub fn recall(editor: &mut Editor, number: u8) {
    if let Some(set) = editor.session.focus.bone_sets.get(&number).cloned() {
        bones(editor, &set, Pick::Only);
    }
}

/// Keeps the selected bones.
pub fn store(editor: &mut Editor, number: u8) {
    if number <= 9 {
        let bones = editor.session.focus.selection.bones.clone();
        editor.session.focus.bone_sets.insert(number, bones);
    }
}

/// Hides bones or shows them again; what is hidden is not selected.
pub fn set_hidden(editor: &mut Editor, bones: &[BoneIndex], is_hidden: bool) {
    for &bone in bones {
        if is_hidden {
            editor.session.focus.hidden.insert(bone);
        } else {
            editor.session.focus.hidden.remove(&bone);
        }
    }
    let session = &mut editor.session;
    session.focus.selection.bones.retain(|bone| !session.focus.hidden.contains(bone));
    editor.tidy();
}

/// Pins bones where they are, or lets them go.
pub fn set_pinned(editor: &mut Editor, bones: &[BoneIndex], is_pinned: bool) {
    for &bone in bones {
        if is_pinned {
            editor.session.focus.pins.insert(bone);
        } else {
            editor.session.focus.pins.remove(&bone);
        }
    }
    editor.tidy();
}

/// Pins the selected bones; lets them go where all of them are pinned.
pub fn toggle_pins(editor: &mut Editor) {
    let selected = editor.session.focus.selection.bones.clone();
    let is_pinned = selected.iter().all(|bone| editor.session.focus.pins.contains(bone));
    set_pinned(editor, &selected, !is_pinned);
}

/// Everything of what has the focus: all bones that are shown, or all keyframes with their keys.
pub fn all(editor: &mut Editor) {
    match editor.session.focus.selection.focus {
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
            editor.session.focus.selection.focus = focus;
        }
    }
}

/// Nothing of what has the focus.
pub fn none(editor: &mut Editor) {
    let selection = &mut editor.session.focus.selection;
    match selection.focus {
        ItemKind::Bones | ItemKind::Clips | ItemKind::Events => selection.bones.clear(),
        ItemKind::Keyframes | ItemKind::Keys => {
            selection.keyframes.clear();
            selection.keys.clear();
        }
    }
}

/// The parents of the selected bones.
pub fn parent(editor: &mut Editor, pick: Pick) {
    let Some(model) = editor.model().cloned() else { return };
    let selected = editor.session.focus.selection.bones.clone();
    let parents: Vec<_> = selected.iter().filter_map(|&bone| model.skeleton.parent(bone)).collect();
    if !parents.is_empty() {
        bones(editor, &parents, pick);
    }
}

/// The first children of the selected bones.
pub fn child(editor: &mut Editor, pick: Pick) {
    let Some(model) = editor.model().cloned() else { return };
    let selected = editor.session.focus.selection.bones.clone();
    let children: Vec<_> = selected.iter().filter_map(|&bone| model.skeleton.children(bone).next()).collect();
    if !children.is_empty() {
        bones(editor, &children, pick);
    }
}

/// The chains of the selected bones: up and down as long as there is one child.
pub fn chain(editor: &mut Editor) {
    let Some(model) = editor.model().cloned() else { return };
    let only_child = |bone| {
        let mut children = model.skeleton.children(bone);
        children.next().filter(|_| children.next().is_none())
    };
    let mut found = Vec::new();
    for &bone in &editor.session.focus.selection.bones {
        let up = |&bone: &BoneIndex| model.skeleton.parent(bone).filter(|&parent| only_child(parent) == Some(bone));
        let top = std::iter::successors(Some(bone), up).last().unwrap_or(bone);
        found.extend(std::iter::successors(Some(top), |&bone| only_child(bone)));
    }
    bones(editor, &found, Pick::Add);
}

/// All keys of the keyframes in which a key is selected; else of the keyframe under the playhead.
pub fn column(editor: &mut Editor) {
    let Some(clip) = editor.clip().map(|slot| slot.clip.clone()) else { return };
    let selection = &mut editor.session.focus.selection;
    let mut columns: std::collections::BTreeSet<usize> = selection.keys.iter().map(|key| key.keyframe).collect();
    if columns.is_empty() {
        columns.extend(clip.keyframe_containing(editor.session.focus.playhead.time));
    }
    selection.keyframes = columns;
    selection.focus = ItemKind::Keys;
    keys_follow(editor);
}

/// What was selected before.
pub fn back(editor: &mut Editor) {
    let now = editor.session.focus.selection.bones.clone();
    if let Some(before) = editor.session.focus.selection_history.back(&now) {
        bones(editor, &before, Pick::Only);
    }
}

/// What was selected before one went back.
pub fn forward(editor: &mut Editor) {
    if let Some(next) = editor.session.focus.selection_history.forward() {
        bones(editor, &next, Pick::Only);
    }
}

/// Hides the selected bones.
pub fn hide_selected(editor: &mut Editor) {
    let selected = editor.session.focus.selection.bones.clone();
    set_hidden(editor, &selected, true);
}

/// Hides every bone that is not selected.
pub fn hide_others(editor: &mut Editor) {
    let Some(model) = editor.model().cloned() else { return };
    let selected = editor.session.focus.selection.bones.clone();
    let others: Vec<_> = model.skeleton.indices().filter(|bone| !selected.contains(bone)).collect();
    set_hidden(editor, &others, true);
}

/// The other side of the selected bones.
pub fn mirror(editor: &mut Editor) {
    let Some(model) = editor.model().cloned() else { return };
    let pairs = crate::editor::ops::mirror::Pairs::of_model(&model);
    let partners: Vec<_> = editor.session.focus.selection.bones.iter().map(|&bone| pairs.partner(bone)).collect();
    bones(editor, &partners, Pick::Only);
}

/// Corrects the table of mirror pairs, on both sides.
pub fn set_mirror_pair(editor: &mut Editor, bone: BoneIndex, partner: BoneIndex, effects: &mut Vec<Effect>) {
    let Some(model) = editor.model().cloned() else { return };
    let (Some(a), Some(b)) = (model.skeleton.get(bone), model.skeleton.get(partner)) else { return };
    let mut rig = model.rig.clone();
    rig.pair(&a.name, &b.name);
    super::step(editor, "mirror pair", vec![Edit::SetRig { model: editor.session.focus.model, rig }], effects);
}

/// Changes the groups of bones; each change is one step.
pub fn edit_groups(editor: &mut Editor, edit: &GroupEdit, effects: &mut Vec<Effect>) {
    let Some(model) = editor.model().cloned() else { return };
    match bone_groups::edited(&model, &editor.session.focus.selection.bones, edit) {
        Some(rig) => {
            super::step(editor, "bone groups", vec![Edit::SetRig { model: editor.session.focus.model, rig }], effects)
        }
        None => super::notice(editor, NoticeKind::Info, "Select a bone first.", effects),
    }
}

/// What is found by names and places counts again.
pub fn clear_mirror_pair(editor: &mut Editor, bone: BoneIndex, effects: &mut Vec<Effect>) {
    let Some(model) = editor.model().cloned() else { return };
    let Some(bone) = model.skeleton.get(bone) else { return };
    let mut rig = model.rig.clone();
    rig.unpair(&bone.name);
    super::step(editor, "mirror pair", vec![Edit::SetRig { model: editor.session.focus.model, rig }], effects);
}
