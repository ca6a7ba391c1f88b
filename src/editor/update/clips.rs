//! Commands on clips, and Duplicate and Delete of whatever has the focus.

use crate::anim::bake::measure::Reach;
use crate::anim::clip::{Clip, LoopMode};
use crate::anim::fit::{self, Tolerance};
use crate::assets::id::ClipId;
use crate::editor::derived;
use crate::editor::document::edit::{Edit, Gap, Original};
use crate::editor::editor::Editor;
use crate::editor::effect::{Effect, NoticeKind};
use crate::editor::gesture::keys::Grip;
use crate::editor::mirror::Pairs;
use crate::editor::selection::Focus;
use crate::editor::update::{clipsel, notice, step, timeline};

/// A new clip behind the open one, and opens it.
pub fn new_clip(editor: &mut Editor, effects: &mut Vec<Effect>) {
    let open = editor.session.clip.and_then(|id| editor.model()?.clip_index(id));
    let at = open.map_or(usize::MAX, |at| at + 1);
    let edit = Edit::AddClip { model: editor.session.model, at, clip: Box::new(Clip::new("clip")) };
    add(editor, "new clip", edit, effects);
}

/// A copy of the open clip behind it, and opens the copy.
pub fn duplicate_clip(editor: &mut Editor, effects: &mut Vec<Effect>) {
    if let Some(clip) = editor.session.clip {
        add(editor, "duplicate clip", Edit::DuplicateClip { clip }, effects);
    }
}

/// Does an edit that makes a clip, and opens that.
fn add(editor: &mut Editor, label: &'static str, edit: Edit, effects: &mut Vec<Effect>) {
    step(editor, label, vec![edit], effects);
    let newest = editor.model().and_then(|model| model.clips.iter().map(|slot| slot.id).max());
    if newest == Some(ClipId(editor.document.next_id)) {
        clipsel::select_clip(editor, newest);
    }
}

/// Deletes the open clip and opens its neighbour.
pub fn delete_clip(editor: &mut Editor, effects: &mut Vec<Effect>) {
    let Some(clip) = editor.session.clip else { return };
    let at = editor.model().and_then(|model| model.clip_index(clip)).unwrap_or_default();
    step(editor, "delete clip", vec![Edit::DeleteClip { clip }], effects);
    let next = editor.model().and_then(|model| model.clips.get(at).or(model.clips.last())).map(|slot| slot.id);
    clipsel::select_clip(editor, next);
}

/// What happens at the end of the open clip.
pub fn set_loop_mode(editor: &mut Editor, loop_mode: LoopMode, effects: &mut Vec<Effect>) {
    if let Some(clip) = editor.session.clip {
        step(editor, format!("play {}", loop_mode.name()), vec![Edit::SetLoopMode { clip, loop_mode }], effects);
    }
}

/// Duplicates what has the focus.
pub fn duplicate(editor: &mut Editor, effects: &mut Vec<Effect>) {
    match editor.session.selection.focus {
        Focus::Clips => duplicate_clip(editor, effects),
        Focus::Keys if !editor.session.selection.keys.is_empty() => {
            super::timing::take_modal(editor, Grip::Move, Original::Stays, effects);
        }
        Focus::Events if editor.session.selection.event.is_some() => super::timing::duplicate_event(editor, effects),
        _ => timeline::duplicate_keyframe(editor, effects),
    }
}

/// Deletes what has the focus: a clip, keyframes, keys. With the focus on bones, their keys under the playhead: bones
/// themselves come from the model's file.
pub fn delete(editor: &mut Editor, gap: Gap, effects: &mut Vec<Effect>) {
    let selection = editor.session.selection.clone();
    let Some(clip) = editor.session.clip else { return };
    match selection.focus {
        Focus::Clips => delete_clip(editor, effects),
        Focus::Keyframes if !selection.keyframes.is_empty() => {
            let keyframes: Vec<usize> = selection.keyframes.iter().copied().collect();
            timeline::delete_keyframes(editor, keyframes, gap, effects);
        }
        Focus::Keys if !selection.keys.is_empty() => {
            let keys = selection.keys.iter().copied().collect();
            step(editor, "delete keys", vec![Edit::RemoveKeys { clip, keys }], effects);
        }
        Focus::Events if selection.event.is_some() => super::timing::delete_event(editor, effects),
        _ => timeline::delete_key_here(editor, effects),
    }
}

/// Deletes what is selected in time: with the focus elsewhere the keyframes, else the keys. Never a clip.
pub fn delete_in_time(editor: &mut Editor, gap: Gap, effects: &mut Vec<Effect>) {
    let selection = &mut editor.session.selection;
    if matches!(selection.focus, Focus::Clips | Focus::Bones) {
        selection.focus = if selection.keyframes.is_empty() { Focus::Keys } else { Focus::Keyframes };
    }
    delete(editor, gap, effects);
}

/// A copy of the open clip on the other side: what the left did, the right does.
pub fn mirrored_copy(editor: &mut Editor, effects: &mut Vec<Effect>) {
    let (Some(slot), Some(model)) = (editor.clip(), editor.model()) else { return };
    let pairs = Pairs::of_model(model);
    let clip = derived::mirrored(&slot.clip, &model.skeleton, &pairs);
    add_derived(editor, clip, "mirrored copy", effects);
}

/// A copy of the open clip that runs backwards.
pub fn reversed_copy(editor: &mut Editor, effects: &mut Vec<Effect>) {
    let Some(slot) = editor.clip() else { return };
    let clip = derived::reversed(&slot.clip);
    add_derived(editor, clip, "reversed copy", effects);
}

/// Removes the keys of the open clip without which it stays within a thousandth of the model's size, a fifth of a degree
/// and a thousandth of a scale.
pub fn reduce_keys(editor: &mut Editor, effects: &mut Vec<Effect>) {
    let (Some(slot), Some(model)) = (editor.clip(), editor.model()) else { return };
    let size = Reach::of(&model.skeleton).model_size;
    let tolerance = Tolerance { translation: size * 1e-3, rotation: 0.2_f32.to_radians(), scale: 1e-3 };
    let reduced = fit::reduce_clip(&slot.clip, &tolerance);
    let count = |clip: &Clip| clip.keyframes.iter().map(|keyframe| keyframe.keys.len()).sum::<usize>();
    let (clip, before, after) = (slot.id, count(&slot.clip), count(&reduced));
    if before == after {
        return notice(editor, NoticeKind::Info, "Every key of this clip changes something.", effects);
    }
    step(editor, "reduce keys", vec![Edit::ReplaceClip { clip, with: Box::new(reduced) }], effects);
    // What stands at those places now is not what was selected.
    editor.session.selection.keyframes.clear();
    editor.session.selection.keys.clear();
    let position = size * 1e-3;
    let said = format!("{after} of {before} keys are left: within {position:.2} units, 0.2° and 0.001 of a scale.");
    notice(editor, NoticeKind::Info, said, effects);
}

fn add_derived(editor: &mut Editor, clip: Clip, label: &'static str, effects: &mut Vec<Effect>) {
    let open = editor.session.clip.and_then(|id| editor.model()?.clip_index(id));
    let at = open.map_or(usize::MAX, |at| at + 1);
    add(editor, label, Edit::AddClip { model: editor.session.model, at, clip: Box::new(clip) }, effects);
}
