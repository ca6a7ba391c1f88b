//! Undo steps: edits and gestures, each from a base document to a commit; undo and redo.

use crate::editor::document::edit::{DraftEdit, Edit, EditError, KeyRef, Label};
use crate::editor::document::retiming::Retiming;
use crate::editor::document::{Document, follow};
use crate::editor::gesture::{Driver, Gesture};
use crate::editor::ops::keyframe_match;
use crate::editor::ops::posed::Posed;
use crate::editor::ops::sentence::sentence;
use crate::editor::posing::change::Change;
use crate::editor::posing::key_times::{self, Grid, KeysChange};
use crate::editor::posing::{keying, library, mixing, pins};
use crate::editor::session::Session;
use crate::editor::session::keying::AutoKey;
use crate::editor::session::notice::Offer;
use crate::editor::session::place::Place;
use crate::editor::session::scene::PoseSource;
use crate::editor::session::selection::Pick;
use crate::editor::session::switch::Switch;
use crate::editor::state::Editor;
use crate::editor::state::action::DocumentAction;
use crate::editor::state::history::History;
use crate::editor::update::{offer, playback, select, state_clips, warning};
use crate::editor::view::View;
use keypose::anim::time::Time;
use keypose::assets::combat::Range;

/// Handles an edit, a gesture of a widget, undo or redo.
pub fn act(editor: &mut Editor, action: DocumentAction) {
    match action {
        DocumentAction::Edit { label, change } => edit(editor, label, &change),
        DocumentAction::Begin { label } => begin(editor, label),
        DocumentAction::Preview(change) => preview(editor, &change),
        DocumentAction::Commit => confirm(editor),
        DocumentAction::Cancel => cancel(editor),
        DocumentAction::Undo => undo(editor),
        DocumentAction::Redo => redo(editor),
        DocumentAction::GoToStep(steps) => go_to_step(editor, steps),
    }
}

/// A change as one undo step.
pub fn edit(editor: &mut Editor, label: Label, change: &Change) {
    begin(editor, label);
    preview(editor, change);
    commit(editor);
}

/// Opens the gesture of a widget.
pub fn begin(editor: &mut Editor, label: Label) {
    begin_with(editor, label, Driver::Widget);
}

/// Opens a gesture. An open one is committed first.
pub fn begin_with(editor: &mut Editor, label: Label, driver: Driver) {
    show_clip(editor);
    let (base, place) = (editor.document.clone(), editor.place());
    editor.gesture = Some(Gesture { label, base, place, driver });
}

/// Commits the open gesture, stops playback, and shows the pose of the clip, which is the one that can be edited.
pub fn show_clip(editor: &mut Editor) {
    commit(editor);
    if editor.session.is_in_motion() {
        playback::set_playing(editor, false);
    }
    if !editor.session.transient.pose.is_preview() {
        editor.session.transient.pose = PoseSource::default();
    }
}

/// Applies the whole change to the base. If it fails, the preview before it stays.
pub fn preview(editor: &mut Editor, change: &Change) {
    let Some(gesture) = &editor.gesture else { return };
    match changed(editor, gesture, change) {
        Ok((document, selected)) => {
            let before = std::mem::replace(&mut editor.document, document);
            if selected.is_none() {
                follow_clip(editor, &before);
                follow_section(editor);
            }
            // The selection may name a keyframe that only the previous preview had.
            editor.tidy();
            if let Some(keys) = selected {
                select::keys(editor, &keys, Pick::Only);
            }
        }
        Err(error @ EditError::Follows { .. }) => refuse(editor, &error),
        Err(error) => {
            // A drag may fail at every move of the mouse; the reason is reported once.
            let text = sentence(&error);
            if editor.session.transient.notice.as_ref().is_none_or(|notice| notice.text != text) {
                warning(editor, text);
            }
        }
    }
}

/// Keeps the same keyframes, event and range selected when the document changed.
fn follow_clip(editor: &mut Editor, before: &Document) {
    let Some(id) = editor.session.focus.clip else { return };
    let place = |document: &Document| {
        let (model, at) = document.find_clip(id)?;
        let model = document.models.get(model)?.clone();
        Some((model.clips.get(at)?.clip.clone(), model))
    };
    if let (Some((old, old_model)), Some((now, model))) = (place(before), place(&editor.document)) {
        let selection = &mut editor.session.focus.selection;
        let found = keyframe_match::found(&old, &now);
        found.iter().for_each(|found| selection.follow(found));
        let retiming = found.map(|found| Retiming::between(&old, &now, &found));
        let lanes = || [&old_model, &model].map(|model| model.combat.lanes_of(id));
        selection.follow_marks([&old, &now], retiming.as_ref(), lanes);
    }
}

/// Plays the section of the start of the gesture: what one preview takes away of it comes back with the next.
fn follow_section(editor: &mut Editor) {
    let Some(Gesture { base, place, .. }) = &editor.gesture else { return };
    let clip = |document: &Document| Some(document.clip(place.clip?)?.clip.clone());
    let Some((old, now)) = clip(base).zip(clip(&editor.document)) else { return };
    let moved = |(start, end): (Time, Time)| match keyframe_match::found(&old, &now) {
        None => Some((start, end)),
        Some(found) => {
            let range = Retiming::between(&old, &now, &found).map_range(Range { start, end })?;
            Some((range.start, range.end))
        }
    };
    if editor.session.focus.clip == place.clip {
        editor.session.focus.playhead.loop_section = place.loop_section.and_then(moved);
    }
}

/// Refuses to pose a derived clip, before anything is dragged. Returns whether the active clip is one that can't be posed.
pub fn refuse_derived(editor: &mut Editor) -> bool {
    let Some(slot) = editor.clip() else { return false };
    let (model, clip) = (editor.session.focus.model, Some(slot.id));
    let nothing = DraftEdit::SetDraft { model, clip, time: Time::ZERO, keys: Vec::new() };
    match editor.document.with(&[nothing.into()]) {
        Err(error @ EditError::Follows { .. }) => {
            refuse(editor, &error);
            true
        }
        Ok(_) | Err(_) => false,
    }
}

/// Refuses to edit the keys, times and lanes of a derived clip, also of one with a layer, which can only be posed. Returns whether the
/// active clip is one.
pub fn refuse_follower(editor: &mut Editor) -> bool {
    let place = editor.session.focus.clip.and_then(|clip| editor.document.find_clip(clip));
    let free = place.map(|(model, at)| follow::require_free(&editor.document.models[model], at));
    let Some(Err(error)) = free else { return false };
    commit(editor);
    refuse(editor, &error);
    true
}

/// Cancels the open gesture, and offers to give the clip keys of its own.
fn refuse(editor: &mut Editor, error: &EditError) {
    cancel(editor);
    offer(editor, &sentence(error), Some(Offer::OwnKeys));
}

/// A document and the keys to select in it; `None` keeps the selection.
type Changed = (Document, Option<Vec<KeyRef>>);

/// The gesture's base with a change.
fn changed(editor: &Editor, gesture: &Gesture, change: &Change) -> Result<Changed, EditError> {
    let (base, session) = (&gesture.base, &editor.session);
    let view = || View::of(base, session, &editor.caches.bakes);
    let edits = match change {
        Change::Edits(edits) => edits.clone(),
        Change::Pose(posed) => edits_of_pose(base, session, view, posed),
        Change::Mix(mix, amount) => {
            let view = view();
            let place = mixing::place(&view, *mix).map(|time| (time, AutoKey::Always));
            let here = (view.time, session.workspace.auto_key);
            let posed = mixing::mixed(&view, session, *mix, *amount);
            let mut edits = keying::edits_at(base, session, place.unwrap_or(here), &posed);
            let model = base.models.get(session.focus.model);
            edits.extend(model.and_then(|model| keying::mark(model, edits.first()?, mix.kind())));
            edits
        }
        Change::Saved(applied) => keying::edits_of_pose(base, session, &library::applied(&view(), session, applied)),
        Change::Keys(change) => return with_keys(editor, gesture, change),
    };
    Ok((base.with(&edits)?, None))
}

/// The edits of a pose, with the bones that live mirror and pins add to it.
fn edits_of_pose(base: &Document, session: &Session, view: impl Fn() -> View, posed: &[Posed]) -> Vec<Edit> {
    if !session.is_on(Switch::LiveMirror) && session.focus.pins.is_empty() {
        return keying::edits_of_pose(base, session, posed);
    }
    let view = view();
    let posed = keying::with_live_mirror(&view, session, posed);
    keying::edits_of_pose(base, session, &pins::with_pins(&view, session, &posed))
}

fn with_keys(editor: &Editor, gesture: &Gesture, change: &KeysChange) -> Result<Changed, EditError> {
    let (base, session) = (&gesture.base, &editor.session);
    let Some(slot) = session.focus.clip.and_then(|clip| base.clip(clip)) else { return Ok((base.clone(), None)) };
    let default_grid = if session.is_on(Switch::SnapTime) { Grid::Frames } else { Grid::Free };
    let grid = change.grid.unwrap_or(default_grid);
    let (edits, moves) = key_times::edits(&slot.clip, slot.id, &gesture.place.selection, change, grid);
    let document = base.with(&edits)?;
    let moved = if moves.is_empty() { None } else { document.clip(slot.id) };
    let keys = moved.map(|slot| key_times::after(&slot.clip, &moves));
    Ok((document, keys))
}

/// Ends the open gesture because something else begins: makes its preview an undo step. A reduction to poses is cancelled
/// instead, because only the user applies it.
pub fn commit(editor: &mut Editor) {
    if is_reducing(editor) { cancel(editor) } else { confirm(editor) }
}

/// Commits the open gesture because the playhead moves. A reduction to poses stays open, and its preview is shown.
pub fn commit_for_playhead(editor: &mut Editor) {
    if !is_reducing(editor) {
        confirm(editor);
    }
}

fn is_reducing(editor: &Editor) -> bool {
    editor.gesture.as_ref().is_some_and(|gesture| gesture.poses().is_some())
}

/// Makes the preview an undo step if it changed anything.
pub fn confirm(editor: &mut Editor) {
    let Some(Gesture { label, base, place, .. }) = editor.gesture.take() else { return };
    if editor.document.is_equal(&base) {
        editor.document = base;
        return;
    }
    editor.tidy();
    end_followups(editor);
    state_clips::note(editor, &base);
    editor.history.push(label, base, place, &editor.document);
}

/// Ends the open gesture and restores the document and the place of its start. Ends a box selection, too.
pub fn cancel(editor: &mut Editor) {
    (editor.session.transient.pointer.is_boxing, editor.session.transient.pointer.press) = (false, None);
    editor.session.focus.timing.is_boxing = false;
    let (is_reducing, mut playhead) = (is_reducing(editor), editor.session.focus.playhead.clone());
    if let Some(gesture) = editor.gesture.take() {
        editor.document = gesture.base;
        editor.go_to(&gesture.place);
    }
    if is_reducing {
        // It may have been moved or played to look at the preview.
        playhead.loop_section = editor.session.focus.playhead.loop_section;
        editor.session.focus.playhead = playhead;
    }
}

/// Undoes one step; cancels the gesture instead if one is open.
pub fn undo(editor: &mut Editor) {
    if editor.gesture.is_some() {
        return cancel(editor);
    }
    travel(editor, History::undo);
}

/// Redoes one step; does nothing while a gesture is open.
pub fn redo(editor: &mut Editor) {
    if editor.gesture.is_some() {
        return;
    }
    travel(editor, History::redo);
}

/// Goes to the document and the place before or after a step. A loop section stays if the step didn't change the times of its clip.
fn travel(editor: &mut Editor, go: fn(&mut History, &mut Document, &mut Place) -> bool) {
    let (here, before) = (editor.place(), editor.document.clone());
    let mut place = here.clone();
    if !go(&mut editor.history, &mut editor.document, &mut place) {
        return;
    }
    let clip = |document: &Document| Some(document.clip(here.clip?)?.clip.clone());
    let is_retimed =
        clip(&before).zip(clip(&editor.document)).is_none_or(|(old, now)| keyframe_match::found(&old, &now).is_some());
    if place.clip == here.clip && !is_retimed {
        place.loop_section = here.loop_section;
    }
    editor.go_to(&place);
    end_followups(editor);
}

/// Ends what refers to the last undo step, because there is another one: a notice with an offer, and naming a new clip.
fn end_followups(editor: &mut Editor) {
    editor.session.transient.new_clip = None;
    editor.session.transient.notice.take_if(|notice| notice.offer.is_some());
}

/// Undoes or redoes until `steps` steps can be undone.
pub fn go_to_step(editor: &mut Editor, steps: usize) {
    commit(editor);
    let steps = steps.min(editor.history.undo_count() + editor.history.redo_count());
    while editor.history.undo_count() > steps {
        undo(editor);
    }
    while editor.history.undo_count() < steps {
        redo(editor);
    }
}
