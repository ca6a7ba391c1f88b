//! Keying the current pose, discarding its draft, easing keys, clearing, mirroring and mixing channels.

use glam::Vec3;

use crate::editor::commands::needs;
use crate::editor::document::edit::{DraftEdit, Handles, KeyEdit, KeyRef};
use crate::editor::document::keys::of_keyframe;
use crate::editor::gesture::Driver;
use crate::editor::gesture::path::{PathDrag, PathRange};
use crate::editor::gesture::slide::SlideDrag;
use crate::editor::ops::delay_chain;
use crate::editor::ops::mirror::Pairs;
use crate::editor::ops::posed::Posed;
use crate::editor::ops::sentence::counted;
use crate::editor::ops::stroke::Stroke;
use crate::editor::posing::change::Change;
use crate::editor::posing::keying;
use crate::editor::posing::mixing::{self, Mix};
use crate::editor::session::keying::{KeyMask, KeyWhat};
use crate::editor::session::selection::ItemKind;
use crate::editor::state::Editor;
use crate::editor::state::action::PoseAction;
use crate::editor::update::{info, step, step_all, transaction};
use keypose::anim::bezier;
use keypose::anim::key::{Ease, HandleKind, Key};
use keypose::anim::time::Time;
use keypose::anim::track::Track;

/// Handles a pose action.
pub fn act(editor: &mut Editor, action: PoseAction) {
    match action {
        PoseAction::Key(what) => key(editor, what),
        PoseAction::DiscardDraft => drop_draft(editor),
        PoseAction::SetEase(ease) => set_ease(editor, ease),
        PoseAction::SetHandleKind(kind) => set_handle_kind(editor, kind),
        PoseAction::SetHandleLengths(lengths) => set_handle_lengths(editor, lengths),
        PoseAction::ToHermite => to_hermite(editor),
        PoseAction::Clear(mask) => clear(editor, mask),
        PoseAction::Mirror => mirror(editor),
        PoseAction::Mix(mix) => self::mix(editor, mix),
        PoseAction::DelayChain => delay_chain(editor),
        PoseAction::DrawPath => draw_path(editor),
        PoseAction::FollowPath(points) => follow_path(editor, &points),
    }
}

/// Keys the current pose at the playhead.
pub fn key(editor: &mut Editor, what: KeyWhat) {
    transaction::commit(editor);
    if editor.session.is_in_motion() {
        super::playback::set_playing(editor, false);
    }
    let edits = keying::edits_to_key(&editor.view(), &editor.session, what);
    if edits.is_empty() {
        let text = match what {
            KeyWhat::All if needs::layered_clip(editor).is_ok() => "Nothing to key: pose a bone first.",
            KeyWhat::All => "Nothing to key: the model has no bones, or the key mask is empty.",
            KeyWhat::Selected => "Select a bone first.",
            KeyWhat::Changed => "Nothing to key: no channel was changed here.",
        };
        return info(editor, text);
    }
    let had_clip = editor.session.focus.clip;
    step_all(editor, "Key pose", edits);
    if had_clip.is_none() {
        editor.session.focus.clip = editor.model().and_then(|model| model.clips.last()).map(|slot| slot.id);
    }
}

/// Discards the draft at the playhead.
pub fn drop_draft(editor: &mut Editor) {
    if editor.view().draft.is_some() {
        let (model, clip, time) =
            (editor.session.focus.model, editor.session.focus.clip, editor.session.focus.playhead.time);
        step(editor, "Discard draft", DraftEdit::DiscardDraft { model, clip, time });
    }
}

/// The keys that an operation applies to: the selected keys; otherwise the keys of the selected keyframes, or the keys
/// of the selected bones in the keyframe under the playhead, or all of that keyframe.
pub fn target_keys(editor: &Editor) -> Vec<KeyRef> {
    let selection = &editor.session.focus.selection;
    let Some(slot) = editor.clip() else { return Vec::new() };
    // A picked event or range leaves the keys selected.
    let are_meant = matches!(selection.kind, ItemKind::Keys | ItemKind::Events | ItemKind::Ranges);
    if are_meant && !selection.keys.is_empty() {
        return selection.keys.iter().copied().collect();
    }
    if selection.kind == ItemKind::Keyframes && !selection.keyframes.is_empty() {
        return selection.keyframes.iter().flat_map(|&keyframe| of_keyframe(&slot.clip, keyframe)).collect();
    }
    let here = slot.clip.keyframe_containing(editor.session.focus.playhead.time);
    let keys = here.map(|keyframe| of_keyframe(&slot.clip, keyframe)).unwrap_or_default();
    let of_bones: Vec<_> = keys.iter().copied().filter(|key| selection.has_bone(key.bone)).collect();
    if of_bones.is_empty() { keys } else { of_bones }
}

/// Sets the interpolation of the target keys.
pub fn set_ease(editor: &mut Editor, ease: Ease) {
    let keys = target_keys(editor);
    if let (Some(clip), false) = (editor.session.focus.clip, keys.is_empty()) {
        step(editor, format!("Set {} interpolation", ease.name()), KeyEdit::SetEase { clip, keys, ease });
    }
}

/// Sets the lengths of the handles of the target keys: before and after each.
fn set_handle_lengths(editor: &mut Editor, lengths: [f32; 2]) {
    let keys = target_keys(editor);
    let Some((clip, slot)) = editor.session.focus.clip.and_then(|id| Some((id, editor.document.clip(id)?))) else {
        return;
    };
    let of = |at: KeyRef| Some((at, slot.clip.keyframes.get(at.keyframe)?.key(at.bone, at.channel)?));
    let handles = |(at, key)| (at, Handles { lengths, ..Handles::of(key) });
    let handles: Vec<(KeyRef, Handles)> = keys.into_iter().filter_map(of).map(handles).collect();
    if !handles.is_empty() {
        step(editor, "Set handle lengths", KeyEdit::SetHandles { clip, handles });
    }
}

/// The maximum error of [`to_hermite`], as a fraction of the change during a segment.
const HERMITE_ERROR: f32 = 1e-3;

/// Converts the channels of the target keys to Hermite curves: to handles of a third, with more keys where others were.
fn to_hermite(editor: &mut Editor) {
    if transaction::refuse_follower(editor) {
        return;
    }
    let mut channels: Vec<_> = target_keys(editor).into_iter().map(|key| (key.bone, key.channel)).collect();
    channels.sort_unstable();
    channels.dedup();
    let Some(slot) = editor.clip().cloned() else { return };
    let tracks = channels.into_iter().filter_map(|(bone, channel)| Track::of_keys(&slot.clip, bone, channel));
    let converted: Vec<_> =
        tracks.filter_map(|track| Some((bezier::to_hermite(&track, HERMITE_ERROR)?, track))).collect();
    if converted.is_empty() {
        return info(editor, "Nothing to convert: all handles are a third long, as those of Hermite curves are.");
    }
    let segments: usize = converted.iter().map(|(one, _)| one.segments).sum();
    let error = converted.iter().fold(0.0_f32, |error, (one, _)| error.max(one.error));
    let keys: Vec<(Time, Key)> = converted.iter().flat_map(|(one, before)| settled(&one.track, before)).collect();
    let before = slot.clip.keyframes.len();
    step(editor, "Convert to Hermite curves", KeyEdit::KeysAt { clip: slot.id, keys });
    let added = editor.clip().map_or(0, |slot| slot.clip.keyframes.len()) - before;
    let (segments, added) = (counted(segments, "Bézier segment"), counted(added, "keyframe"));
    info(editor, format!("Converted {segments}: {added} added, within {:.2} % of the change.", error * 100.0));
}

/// The keys of a converted track. Handles that were computed from neighbours stay as they are where the neighbours are new.
fn settled(track: &Track, before: &Track) -> Vec<(Time, Key)> {
    let (keys, count) = (&track.keys, track.keys.len());
    let is_new = |at: usize| before.keys.binary_search_by_key(&keys[at % count].0, |(time, _)| *time).is_err();
    let settle = |(at, &(time, key)): (usize, &(Time, Key))| {
        let has_new_neighbour = is_new(at + 1) || is_new(at + count - 1);
        let handles = match key.handles {
            HandleKind::Auto | HandleKind::Vector if !has_new_neighbour => key.handles,
            HandleKind::Flat => HandleKind::Flat,
            _ if key.in_tangent == key.out_tangent => HandleKind::Aligned,
            _ => HandleKind::Free,
        };
        (time, Key { handles, ..key })
    };
    keys.iter().enumerate().map(settle).collect()
}

/// Sets the kind of handles of the target keys.
pub fn set_handle_kind(editor: &mut Editor, kind: HandleKind) {
    let keys = target_keys(editor);
    if let (Some(clip), false) = (editor.session.focus.clip, keys.is_empty()) {
        step(editor, "Set handles", KeyEdit::SetHandleKind { clip, keys, kind });
    }
}

/// Resets channels of the selected bones to their rest values.
pub fn clear(editor: &mut Editor, mask: KeyMask) {
    let Some(model) = editor.model() else { return };
    let (skeleton, rest) = (&model.skeleton, &model.skeleton.rest_pose());
    let bones = editor.session.focus.selection.bones.iter().copied().filter(|&bone| skeleton.get(bone).is_some());
    let posed = bones.flat_map(|bone| {
        let posed = move |channel| Posed { bone, channel, value: rest.value(bone, channel) };
        mask.channels(skeleton, bone).map(posed)
    });
    let posed: Vec<_> = posed.collect();
    if !posed.is_empty() {
        transaction::edit(editor, "Clear pose".into(), &Change::Pose(posed));
    }
}

/// Mirrors the pose of the selected bones, or of all if none is selected.
pub fn mirror(editor: &mut Editor) {
    let view = editor.view();
    let Some(model) = &view.model else { return };
    let pairs = Pairs::of_model(model);
    let mirrored = pairs.mirrored_pose(&model.skeleton, &view.local);
    let selected = &editor.session.focus.selection.bones;
    let is_meant =
        |bone: &u16| selected.is_empty() || selected.contains(bone) || selected.contains(&pairs.partner(*bone));
    let bones = model.skeleton.indices().filter(is_meant);
    let posed = bones.flat_map(|bone| {
        let posed = |channel| Posed { bone, channel, value: mirrored.value(bone, channel) };
        let mask = editor.session.workspace.key_mask;
        mask.channels(&model.skeleton, bone).map(posed).collect::<Vec<_>>()
    });
    let change = Change::Pose(posed.collect());
    // Both sides are posed, so live mirror adds nothing.
    transaction::edit(editor, "Mirror pose".into(), &change);
}

/// Starts a mix with its default amount, which the mouse then changes. The playhead moves to a keyframe that it makes.
pub fn mix(editor: &mut Editor, mix: Mix) {
    let drag = SlideDrag::mix(mix, editor.session.transient.pointer.pixel, editor.session.workspace.pixels_per_point);
    let change = drag.change();
    transaction::begin_with(editor, mix.name().into(), Driver::Slide(drag));
    if let Some(time) = mixing::place(&editor.view(), mix) {
        editor.session.focus.playhead.seek(time);
    }
    transaction::preview(editor, &change);
}

/// Starts to delay the chain of the selected bones by a frame each, which the mouse then changes.
fn delay_chain(editor: &mut Editor) {
    let (Some(slot), Some(model)) = (editor.clip().cloned(), editor.model()) else { return };
    let chain = delay_chain::chain(&model.skeleton, &editor.session.focus.selection.bones);
    let (pixel, scale) = (editor.session.transient.pointer.pixel, editor.session.workspace.pixels_per_point);
    let drag = SlideDrag::delay((slot.id, &slot.clip), chain, pixel, scale);
    let change = drag.change();
    transaction::begin_with(editor, "Delay chain".into(), Driver::Slide(drag));
    transaction::preview(editor, &change);
}

/// The keyframes of the active bone that a path is for, unless there is a reason not to.
fn path_range(editor: &mut Editor) -> Option<PathRange> {
    transaction::show_clip(editor);
    if transaction::refuse_derived(editor) {
        return None;
    }
    PathRange::new(&editor.view(), &editor.session).map_err(|reason| info(editor, reason)).ok()
}

fn draw_path(editor: &mut Editor) {
    let Some(range) = path_range(editor) else { return };
    let drag = PathDrag::new(range, editor.session.workspace.pixels_per_point);
    transaction::begin_with(editor, "Draw motion path".into(), Driver::Path(Box::new(drag)));
}

/// Poses the active bone along a path; one whose ends are equal closes a loop.
fn follow_path(editor: &mut Editor, points: &[Vec3]) {
    let Some(range) = path_range(editor) else { return };
    let is_closed = range.loop_length.is_some() && points.first() == points.last();
    match Stroke::new(points, is_closed) {
        Some(path) => {
            transaction::edit(editor, "Follow path".into(), &range.change(is_closed, |part, _| path.at(part)))
        }
        None => info(editor, "A path needs at least two different points."),
    }
}
