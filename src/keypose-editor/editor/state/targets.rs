//! The items that commands act on, found from the selection and the playhead.

use crate::editor::ops::mirror::Pairs;
use crate::editor::session::selection::ItemKind;
use crate::editor::state::Editor;
use keypose::anim::skeleton::BoneIndex;
use keypose::anim::time::Time;
use keypose::assets::id::ClipId;

/// The parents of the selected bones; the selected bones if none has a parent.
pub fn parents(editor: &Editor) -> Vec<BoneIndex> {
    let Some(model) = editor.model() else { return Vec::new() };
    let selected = &editor.session.focus.selection.bones;
    let parents: Vec<_> = selected.iter().filter_map(|&bone| model.skeleton.parent(bone)).collect();
    if parents.is_empty() { selected.clone() } else { parents }
}

/// The first children of the selected bones; the selected bones if none has a child.
pub fn children(editor: &Editor) -> Vec<BoneIndex> {
    let Some(model) = editor.model() else { return Vec::new() };
    let selected = &editor.session.focus.selection.bones;
    let children: Vec<_> = selected.iter().filter_map(|&bone| model.skeleton.children(bone).next()).collect();
    if children.is_empty() { selected.clone() } else { children }
}

/// The chains of the selected bones: up and down while there is exactly one child.
pub fn chain(editor: &Editor) -> Vec<BoneIndex> {
    let Some(model) = editor.model() else { return Vec::new() };
    let skeleton = &model.skeleton;
    let mut only_children = vec![None; skeleton.len()];
    let mut counts = vec![0_u32; skeleton.len()];
    for (bone, parent) in skeleton.indices().filter_map(|bone| Some((bone, usize::from(skeleton.parent(bone)?)))) {
        counts[parent] += 1;
        only_children[parent] = (counts[parent] == 1).then_some(bone);
    }
    let only_child = |bone: BoneIndex| only_children[usize::from(bone)];
    let (mut found, mut is_found) = (Vec::new(), vec![false; skeleton.len()]);
    for &bone in &editor.session.focus.selection.bones {
        // One that is found has its whole chain there.
        if is_found.get(usize::from(bone)) == Some(&false) {
            let up = |&bone: &BoneIndex| skeleton.parent(bone).filter(|&parent| only_child(parent) == Some(bone));
            let top = std::iter::successors(Some(bone), up).last().unwrap_or(bone);
            let chain = std::iter::successors(Some(top), |&bone| only_child(bone));
            found.extend(chain.inspect(|bone| is_found[usize::from(*bone)] = true));
        }
    }
    found
}

/// The selected bones.
pub fn bones(editor: &Editor) -> Vec<BoneIndex> {
    editor.session.focus.selection.bones.clone()
}

/// The mirror partners of the selected bones.
pub fn mirrored(editor: &Editor) -> Vec<BoneIndex> {
    let Some(model) = editor.model() else { return Vec::new() };
    let pairs = Pairs::of_model(model);
    editor.session.focus.selection.bones.iter().map(|&bone| pairs.partner(bone)).collect()
}

/// The bones that aren't selected.
pub fn other_bones(editor: &Editor) -> Vec<BoneIndex> {
    let bones = editor.model().map(|model| model.skeleton.indices()).into_iter().flatten();
    bones.filter(|&bone| !editor.session.focus.selection.has_bone(bone)).collect()
}

/// The selected keyframes, or else the one under the playhead.
pub fn keyframes(editor: &Editor) -> Vec<usize> {
    let selected: Vec<usize> = editor.session.focus.selection.keyframes.iter().copied().collect();
    if !selected.is_empty() {
        return selected;
    }
    let here = editor.clip().and_then(|slot| slot.clip.keyframe_containing(editor.session.focus.playhead.time));
    here.into_iter().collect()
}

/// The keyframes to mark: those of the selected keys if keys were selected last, else [`keyframes`].
pub fn marked(editor: &Editor) -> Vec<usize> {
    let selection = &editor.session.focus.selection;
    if selection.kind != ItemKind::Keys || selection.keys.is_empty() {
        return keyframes(editor);
    }
    let mut of_keys: Vec<usize> = selection.keys.iter().map(|key| key.keyframe).collect();
    of_keys.dedup();
    of_keys
}

/// From the first to the last of [`keyframes`].
pub fn loop_section(editor: &Editor) -> Option<(Time, Time)> {
    let (clip, keyframes) = (&editor.clip()?.clip, keyframes(editor));
    Some((clip.start_of(*keyframes.first()?), clip.start_of(keyframes.last()? + 1)))
}

/// The clip for a ghost of another clip: one that is selected in the list beside the open one, or else the next one.
pub fn other_clip(editor: &Editor) -> Option<ClipId> {
    let (model, open) = (editor.model()?, editor.session.focus.clip);
    let is_other = |id: &ClipId| Some(*id) != open && model.clip(*id).is_some();
    let picked = editor.session.focus.selection.clips.iter().copied().find(is_other);
    let at = open.and_then(|id| model.clip_index(id)).map_or(0, |at| at + 1);
    let next = model.clips.iter().cycle().skip(at).take(model.clips.len()).map(|slot| slot.id).find(is_other);
    picked.or(next)
}
