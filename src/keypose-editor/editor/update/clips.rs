//! Whole clips: new, duplicate, delete, derive, reduce.

use crate::editor::document::edit::{ClipEdit, Label};
use crate::editor::gesture::Driver;
use crate::editor::gesture::poses::PoseDrag;
use crate::editor::session::notice::Offer;
use crate::editor::session::transient::Request;
use crate::editor::state::Editor;
use crate::editor::state::action::{ClipAction, Reduced};
use crate::editor::update::{active, gesture, info, layers, offer, springs, step, step_all, transaction};
use keypose::anim::clip::{Clip, LoopMode};
use keypose::anim::fit;
use keypose::anim::reduce_poses::PoseSearch;
use keypose::anim::root_motion::RootMotion;
use keypose::anim::skeleton::BoneIndex;
use keypose::assets::clip_notes::Derivation;
use keypose::assets::id::ClipId;
use keypose::assets::model::{ClipSlot, Model};
use keypose_tools::root_motion;

/// Handles a clip action.
pub fn act(editor: &mut Editor, action: ClipAction) {
    match action {
        ClipAction::New => new_clip(editor),
        ClipAction::Name(name) => self::name(editor, name),
        ClipAction::Duplicate => duplicate(editor),
        ClipAction::Delete => delete(editor),
        ClipAction::SetLoopMode(loop_mode) => set_loop_mode(editor, loop_mode),
        ClipAction::AddDerived(how) => add_derived(editor, how),
        ClipAction::AddLayer => layers::add_layer(editor),
        ClipAction::MaskLayer(bones) => layers::mask(editor, &bones),
        ClipAction::KeyLayerWeight(value) => layers::key_weight(editor, value),
        ClipAction::Flatten(tolerance) => layers::flatten(editor, tolerance),
        ClipAction::AddTrimmed => add_trimmed(editor),
        ClipAction::Unlock => unlock(editor),
        ClipAction::ReduceKeys => reduce_keys(editor),
        ClipAction::BakeSprings => springs::bake(editor),
        ClipAction::ExtractRootMotion => extract_root_motion(editor),
        ClipAction::ReduceToPoses(which) => reduce_to_poses(editor, which),
        ClipAction::SearchPoses => gesture::pose_drag(editor, PoseDrag::search),
        ClipAction::LimitPoses(limit) => gesture::pose_drag(editor, |drag| drag.set(limit)),
    }
}

/// Adds a clip after the active one and makes it active.
fn new_clip(editor: &mut Editor) {
    let open = editor.session.focus.clip.and_then(|id| editor.model()?.clip_index(id));
    let at = open.map_or(usize::MAX, |at| at + 1);
    let clip = Box::new(Clip::new("clip"));
    add(editor, "Add clip", ClipEdit::AddClip { model: editor.session.focus.model, at, clip, tags: Vec::new() });
    editor.session.transient.new_clip = editor.session.focus.clip;
    editor.session.transient.requests.push(Request::NameClip);
}

/// Renames the active clip. If the last undo step added it, that step is made again with the name.
fn name(editor: &mut Editor, name: String) {
    let Some(slot) = editor.clip().cloned() else { return };
    let rename = ClipEdit::RenameClip { clip: slot.id, name };
    if editor.session.transient.new_clip != Some(slot.id) {
        return step(editor, "Rename clip", rename);
    }
    let at = editor.model().and_then(|model| model.clip_index(slot.id)).unwrap_or_default();
    transaction::undo(editor);
    let clip = Box::new(Clip::clone(&slot.clip));
    let add = ClipEdit::AddClip { model: editor.session.focus.model, at, clip, tags: Vec::new() };
    step_all(editor, "Add clip", vec![add.into(), rename.into()]);
    if editor.model().is_some_and(|model| model.clip(slot.id).is_none()) {
        // The name was refused.
        return transaction::redo(editor);
    }
    active::select_clip(editor, Some(slot.id));
}

/// Adds a copy of the active clip after it and makes the copy active.
pub fn duplicate(editor: &mut Editor) {
    if let Some(clip) = editor.session.focus.clip {
        add(editor, "Duplicate clip", ClipEdit::DuplicateClip { clip });
    }
}

/// Makes an edit that adds a clip, and makes the clip active.
pub fn add(editor: &mut Editor, label: impl Into<Label>, edit: ClipEdit) {
    step(editor, label, edit);
    let newest = editor.model().and_then(|model| model.clips.iter().map(|slot| slot.id).max());
    if newest == Some(ClipId(editor.document.next_id)) {
        active::select_clip(editor, newest);
    }
}

/// Deletes the target clips; the next clip that stays becomes active, or the last one.
pub fn delete(editor: &mut Editor) {
    let clips = target_clips(editor);
    let Some(open) = editor.session.focus.clip else { return };
    let next = editor.model().and_then(|model| {
        let is_kept = |slot: &&ClipSlot| !clips.contains(&slot.id);
        let after = &model.clips[model.clip_index(open)?..];
        after.iter().find(is_kept).or_else(|| model.clips.iter().rfind(is_kept)).map(|slot| slot.id)
    });
    let label = if clips.len() == 1 { "Delete clip" } else { "Delete clips" };
    step_all(editor, label, clips.into_iter().map(|clip| ClipEdit::DeleteClip { clip }.into()).collect());
    active::select_clip(editor, next);
}

/// Sets the loop mode of the active clip.
fn set_loop_mode(editor: &mut Editor, loop_mode: LoopMode) {
    if let Some(clip) = editor.session.focus.clip {
        step(editor, "Set loop mode", ClipEdit::SetLoopMode { clip, loop_mode });
    }
}

/// Adds a clip that is derived from the active one and makes it active.
fn add_derived(editor: &mut Editor, how: Derivation) {
    if let Some(source) = editor.session.focus.clip {
        add(editor, format!("Add {} clip", how.name()), ClipEdit::AddDerived { source, how });
    }
}

/// Adds the loop section, or else the selected keyframes, as a clip that is derived from the active one.
fn add_trimmed(editor: &mut Editor) {
    let Some(clip) = editor.clip().map(|slot| slot.clip.clone()) else { return };
    let selected = &editor.session.focus.selection.keyframes;
    let ends = selected.first().zip(selected.last());
    let chosen = ends.map(|(first, last)| (clip.start_of(*first), clip.start_of(last + 1)));
    let part = editor.session.focus.playhead.loop_section.or(chosen).filter(|(from, to)| from < to);
    match part {
        Some((from, to)) => add_derived(editor, Derivation::Trimmed(from, to)),
        None => {
            info(editor, "Set a loop section or select keyframes first.");
        }
    }
}

/// Makes the target clips independent of the clips they are derived from.
fn unlock(editor: &mut Editor) {
    let edits = target_clips(editor).into_iter().map(|clip| ClipEdit::UnlockClip { clip }.into()).collect();
    step_all(editor, "Make own keys", edits);
}

/// The clips that an operation applies to: the selected ones if the active clip is one of them, else the active one.
fn target_clips(editor: &Editor) -> Vec<ClipId> {
    let Some(open) = editor.session.focus.clip else { return Vec::new() };
    let selected = &editor.session.focus.selection.clips;
    if selected.contains(&open) { selected.iter().copied().collect() } else { vec![open] }
}

/// The number of keys of a clip.
pub fn key_count(clip: &Clip) -> usize {
    clip.keyframes.iter().map(|keyframe| keyframe.keys.len()).sum()
}

/// Removes keys of the active clip that change the pose by less than [`layers::fine`].
fn reduce_keys(editor: &mut Editor) {
    if transaction::refuse_follower(editor) {
        return;
    }
    let (Some(slot), Some(model)) = (editor.clip(), editor.model()) else { return };
    let tolerance = layers::fine(&model.skeleton);
    let reduced = fit::reduce_clip(&slot.clip, &model.skeleton.parent_scales(), &tolerance);
    let (clip, before, after) = (slot.id, key_count(&slot.clip), key_count(&reduced));
    if before == after {
        return info(editor, "No keys to remove: every key of the clip is needed.");
    }
    step(editor, "Reduce keys", ClipEdit::ReplaceClip { clip, with: Box::new(reduced) });
    let position = tolerance.translation;
    info(editor, format!("Kept {after} of {before} keys, within {position:.4} units, 0.2° and 0.001 of a scale."));
}

/// Moves the motion of the body to the root of the active clip; along the ground if its root motion is off.
fn extract_root_motion(editor: &mut Editor) {
    if transaction::refuse_follower(editor) {
        return;
    }
    let (Some(slot), Some(model)) = (editor.clip().cloned(), editor.model().cloned()) else { return };
    let part = if slot.clip.root_motion == RootMotion::None { RootMotion::Ground } else { slot.clip.root_motion };
    let Some(body) = root_motion::body(&slot.clip, &model.skeleton) else { return };
    let Some(with) = root_motion::extracted(&slot.clip, &model.skeleton, body, part) else { return };
    step(editor, "Extract root motion", ClipEdit::ReplaceClip { clip: slot.id, with: Box::new(with) });
    let name = |bone: BoneIndex| model.skeleton.get(bone).map_or("", |bone| &bone.name).to_owned();
    info(
        editor,
        format!("\"{}\" now moves as \"{}\" did, and the other bones keep their places.", name(0), name(body)),
    );
}

/// The minimum number of keyframes of a clip that is offered to be reduced.
const MANY: usize = 12;

/// The clips with many keyframes that last hardly more than a frame each, as exporters write them.
fn dense_clips(model: &Model) -> Vec<ClipId> {
    let is_dense = |slot: &&ClipSlot| {
        let (clip, count) = (&slot.clip, slot.clip.keyframes.len());
        let is_many = count >= MANY && model.derived(slot.id).is_none();
        is_many && clip.frame_rate.frames_in(clip.length()) < 1.5 * count as f64
    };
    model.clips.iter().filter(is_dense).map(|slot| slot.id).collect()
}

/// Offers to reduce the clips of an imported model if many have a keyframe at every frame.
pub fn offer_reduction(editor: &mut Editor) {
    let Some(model) = editor.model() else { return };
    let (dense, all) = (dense_clips(model).len(), model.clips.len());
    let text = match dense {
        0 => return,
        1 => "A clip has a keyframe at every frame. Few poses are easier to edit.".to_owned(),
        _ => format!("{dense} of {all} clips have a keyframe at every frame. Few poses are easier to edit."),
    };
    offer(editor, &text, Some(Offer::ReduceClips(dense)));
}

/// Starts to reduce clips to few poses, with a first preview if they are short.
pub fn reduce_to_poses(editor: &mut Editor, which: Reduced) {
    transaction::show_clip(editor);
    let Some(model) = editor.model().cloned() else { return };
    let wanted = match which {
        Reduced::Selected => target_clips(editor),
        Reduced::Dense => dense_clips(&model),
    };
    let can_reduce = |slot: &&ClipSlot| {
        wanted.contains(&slot.id) && slot.clip.keyframes.len() > 2 && model.derived(slot.id).is_none()
    };
    let search = |slot: &ClipSlot| (slot.id, PoseSearch::new(&slot.clip, &model.skeleton));
    let clips: Vec<_> = model.clips.iter().filter(can_reduce).map(search).collect();
    if clips.is_empty() {
        return info(editor, "The clip has only two poses, or is derived from another clip.");
    }
    // Their indices will refer to other keyframes.
    editor.session.focus.selection.clear_keys();
    let drag = PoseDrag::new(clips, editor.caches.root_speeds.fit(&model).scale);
    let first = drag.progress().is_none().then(|| drag.change());
    transaction::begin_with(editor, "Reduce to poses".into(), Driver::Poses(drag));
    if let Some(change) = first {
        transaction::preview(editor, &change);
    }
}
