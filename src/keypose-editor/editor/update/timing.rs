//! The timeline: its views, drags of keys, events.

use crate::editor::document::edit::Label;
use crate::editor::document::edit::{ClipEdit, Original};
use crate::editor::gesture::Driver;
use crate::editor::gesture::keys::KeyDrag;
use crate::editor::session::selection::ItemKind;
use crate::editor::session::timing::KeyDragKind;
use crate::editor::session::timing::{KeyDragStart, TimeAction, TimeView};
use crate::editor::session::transient::Request;
use crate::editor::state::Editor;
use crate::editor::update::{blocks, gesture, info, lanes, select, step, transaction};
use crate::editor::view::dope_sheet;
use keypose::anim::clip::Event;
use keypose::anim::time::Time;

/// Applies an action of the timeline.
pub fn update(editor: &mut Editor, action: TimeAction) {
    let timing = &mut editor.session.focus.timing;
    match action {
        TimeAction::Show(view) => timing.view = view,
        TimeAction::Filter(text) => timing.filter = text,
        TimeAction::SetBoxSelect(is_boxing) => timing.is_boxing = is_boxing,
        TimeAction::StartKeyDrag(start) => start_key_drag(editor, start),
        TimeAction::TypeDuration { keyframes, first } => blocks::type_duration(editor, keyframes, first),
        TimeAction::MouseMoved(point) => {
            gesture::key_drag(editor, |drag, base, session| drag.point(base, session, point));
        }
        TimeAction::DragValues(values) => {
            gesture::key_drag(editor, |drag, base, session| drag.drag_values(base, session, values));
        }
        TimeAction::PickCurves(curves) => timing.curves = curves,
        TimeAction::PickEvent(event) => pick_event(editor, event),
        TimeAction::RenameEvent(event) => timing.naming = event,
        TimeAction::PickRange(range) => lanes::pick(editor, range),
        TimeAction::AddRange(lane) => lanes::add(editor, lane),
        TimeAction::SelectAll => select_all(editor),
        TimeAction::SelectNone => select_none(editor),
        TimeAction::AddEvent => add_event(editor),
        TimeAction::FocusFilter => focus_filter(editor),
        TimeAction::Fit => fit(editor),
    }
}

/// Moves the keyboard focus to the row filter.
pub fn focus_filter(editor: &mut Editor) {
    editor.session.transient.requests.push(Request::FocusRowFilter);
    let timing = &mut editor.session.focus.timing;
    if timing.view == TimeView::Strip {
        timing.view = TimeView::Sheet;
    }
}

/// Asks the panel to fit its view to the keys.
pub fn fit(editor: &mut Editor) {
    editor.session.transient.requests.push(Request::FitTimeline);
}

/// Selects all keyframes of the strip, or all keys of the visible rows.
pub fn select_all(editor: &mut Editor) {
    let (Some(slot), Some(model)) = (editor.clip(), editor.model()) else { return };
    let count = slot.clip.keyframes.len();
    match editor.session.focus.timing.view {
        // Its blocks are keyframes: a copy of all is pasted behind them, not over the keys at the playhead.
        TimeView::Strip => select::keyframe_range(editor, 0..count),
        TimeView::Sheet | TimeView::Curves => {
            let keys = dope_sheet::shown_keys(&model.skeleton, &slot.clip, &editor.session);
            select::keys_quietly(editor, &keys);
        }
    }
}

/// Deselects all keys, keyframes and events.
pub fn select_none(editor: &mut Editor) {
    let selection = &mut editor.session.focus.selection;
    selection.clear_keys();
    selection.event = None;
    selection.range = None;
}

/// Starts a drag of the selected keys that ends with a click.
pub fn start_modal_key_drag(editor: &mut Editor, kind: KeyDragKind, original: Original) {
    start_key_drag(editor, KeyDragStart { original, ..KeyDragStart::modal(kind) });
}

/// Starts a drag of the selected keys.
fn start_key_drag(editor: &mut Editor, start: KeyDragStart) {
    transaction::commit(editor);
    if editor.session.focus.selection.keys.is_empty() {
        return info(editor, "Select keys first.");
    }
    let label: Label = match (start.kind, start.original) {
        (_, Original::Stays) => "Duplicate keys".into(),
        (KeyDragKind::Move, _) => "Move keys".into(),
        (KeyDragKind::Ripple, _) => "Ripple keys".into(),
        (KeyDragKind::Scale { .. }, _) => "Scale keys".into(),
    };
    editor.session.focus.selection.kind = ItemKind::Keys;
    transaction::begin_with(editor, label, Driver::Keys(KeyDrag::new(start)));
}

/// Selects an event.
fn pick_event(editor: &mut Editor, event: Option<usize>) {
    let count = editor.clip().map_or(0, |slot| slot.clip.events.len());
    let selection = &mut editor.session.focus.selection;
    selection.event = event.filter(|&event| event < count);
    if selection.event.is_some() {
        selection.kind = ItemKind::Events;
    }
}

/// Adds an event at the playhead, or picks the one that is there, and starts to rename it.
pub fn add_event(editor: &mut Editor) {
    let (Some(slot), at) = (editor.clip(), editor.session.focus.playhead.time) else { return };
    let (clip, length) = (slot.id, slot.clip.length());
    let mut events = slot.clip.events.clone();
    if at > length {
        return info(editor, "The clip ends before the playhead, so no event can be added here.");
    }
    let existing = events.iter().position(|event| event.time == at);
    let place = existing.unwrap_or_else(|| events.partition_point(|event| event.time <= at));
    if existing.is_none() {
        events.insert(place, Event { time: at, name: "event".to_owned() });
        step(editor, "Add event", ClipEdit::SetEvents { clip, events });
    }
    pick_event(editor, Some(place));
    editor.session.focus.timing.naming = editor.session.focus.selection.event;
}

/// Deletes the selected event.
pub fn delete_event(editor: &mut Editor) {
    let (Some(slot), Some(event)) = (editor.clip(), editor.session.focus.selection.event) else { return };
    let (clip, mut events) = (slot.id, slot.clip.events.clone());
    if event < events.len() {
        events.remove(event);
        step(editor, "Delete event", ClipEdit::SetEvents { clip, events });
    }
    editor.session.focus.selection.event = None;
}

/// Duplicates the selected event one frame later.
pub fn duplicate_event(editor: &mut Editor) {
    let (Some(slot), Some(event)) = (editor.clip(), editor.session.focus.selection.event) else { return };
    let (clip, mut events, frame) = (slot.id, slot.clip.events.clone(), slot.clip.frame_rate.frame());
    let Some(Event { time, name }) = events.get(event).cloned() else { return };
    let time: Time = (time + frame).min(slot.clip.length());
    let place = events.partition_point(|other| other.time <= time);
    events.insert(place, Event { time, name });
    step(editor, "Duplicate event", ClipEdit::SetEvents { clip, events });
    pick_event(editor, Some(place));
}
