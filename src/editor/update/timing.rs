//! The panel of time: its views, keys in hand, events.

use crate::anim::clip::Event;
use crate::anim::time::Time;
use crate::editor::document::edit::Label;
use crate::editor::document::edit::{Edit, Original};
use crate::editor::gesture::keys::{KeysInHand, Lock};
use crate::editor::posing::change::Change;
use crate::editor::session::notice::NoticeKind;
use crate::editor::session::pointer::{Axis, ModalKey};
use crate::editor::session::selection::ItemKind;
use crate::editor::session::switch::Switch;
use crate::editor::session::timing::{Grip, Lifted};
use crate::editor::session::timing::{TakeKeys, TimeAction, TimePoint, TimeView};
use crate::editor::session::tool::TransformKind;
use crate::editor::session::transient::Request;
use crate::editor::state::Editor;
use crate::editor::state::effect::Effect;
use crate::editor::update::{blocks, notice, select, step, transaction};
use crate::editor::view::dope_sheet;

/// What was done in the panel of time.
pub fn update(editor: &mut Editor, action: TimeAction, effects: &mut Vec<Effect>) {
    let timing = &mut editor.session.focus.timing;
    match action {
        TimeAction::Show(view) => timing.view = view,
        TimeAction::Filter(text) => timing.filter = text,
        TimeAction::Boxing(is_boxing) => timing.is_boxing = is_boxing,
        TimeAction::Take(take) => self::take(editor, take, effects),
        TimeAction::TypeDuration { keyframes, first } => blocks::type_duration(editor, keyframes, first, effects),
        TimeAction::Point(point) => self::point(editor, point, effects),
        TimeAction::Lift(lifted) => lift(editor, lifted, effects),
        TimeAction::PickCurves(curves) => timing.curves = curves,
        TimeAction::PickEvent(event) => pick_event(editor, event),
        TimeAction::Naming(event) => timing.naming = event,
    }
}

/// From the dope sheet to the curves and back.
pub fn next_view(editor: &mut Editor) {
    let view = &mut editor.session.focus.timing.view;
    *view = if *view == TimeView::Sheet { TimeView::Curves } else { TimeView::Sheet };
}

/// The field of the filter is to have the keyboard.
pub fn ask_filter(editor: &mut Editor) {
    editor.session.transient.requests.push(Request::FocusRowFilter);
    let timing = &mut editor.session.focus.timing;
    if timing.view == TimeView::Strip {
        timing.view = TimeView::Sheet;
    }
}

/// The view is to fit what is there.
pub fn fit(editor: &mut Editor) {
    editor.session.transient.requests.push(Request::FitTimeline);
}

/// Selects all keys of the rows that are shown.
pub fn select_all(editor: &mut Editor) {
    let (Some(slot), Some(model)) = (editor.clip(), editor.model()) else { return };
    let keys = match editor.session.focus.timing.view {
        TimeView::Strip => (0..slot.clip.keyframes.len())
            .flat_map(|keyframe| dope_sheet::RowKind::Summary.refs(&slot.clip, keyframe))
            .collect(),
        _ => dope_sheet::shown_keys(&model.skeleton, &slot.clip, &editor.session),
    };
    select::keys_quietly(editor, &keys);
}

/// Selects no key, no keyframe and no event.
pub fn select_none(editor: &mut Editor) {
    let selection = &mut editor.session.focus.selection;
    selection.keyframes.clear();
    selection.keys.clear();
    selection.event = None;
}

/// The selected keys in the hand of a modal gesture; the panel says where the mouse is.
pub fn take_modal(editor: &mut Editor, grip: Grip, original: Original, effects: &mut Vec<Effect>) {
    take(editor, TakeKeys { grip, original, is_modal: true, lifted: None, from: None }, effects);
}

/// Takes the selected keys in hand.
fn take(editor: &mut Editor, take: TakeKeys, effects: &mut Vec<Effect>) {
    transaction::commit(editor);
    if editor.session.focus.selection.keys.is_empty() {
        return notice(editor, NoticeKind::Info, "Select keys first.", effects);
    }
    let label: Label = match (take.grip, take.original) {
        (_, Original::Stays) => "duplicate keys".into(),
        (Grip::Move, _) => "move keys".into(),
        (Grip::Ripple, _) => "move keys and what follows".into(),
        (Grip::Scale { .. }, _) => "scale keys in time".into(),
    };
    transaction::begin(editor, label);
    editor.session.focus.selection.focus = ItemKind::Keys;
    if let Some(gesture) = &mut editor.gesture {
        gesture.place.selection.focus = ItemKind::Keys;
        gesture.keys = Some(KeysInHand::new(take));
    }
}

fn point(editor: &mut Editor, point: TimePoint, effects: &mut Vec<Effect>) {
    let hand = editor.gesture.as_mut().and_then(|gesture| gesture.keys.as_mut());
    if let Some(hand) = hand {
        hand.point(point);
        preview(editor, effects);
    }
}

fn lift(editor: &mut Editor, lifted: Vec<Lifted>, effects: &mut Vec<Effect>) {
    if let Some(hand) = editor.gesture.as_mut().and_then(|gesture| gesture.keys.as_mut()) {
        hand.lifted = Some(lifted);
        preview(editor, effects);
    }
}

fn preview(editor: &mut Editor, effects: &mut Vec<Effect>) {
    let snaps = editor.session.is_on(Switch::SnapTime);
    let Some(gesture) = &editor.gesture else { return };
    let clip = editor.session.focus.clip.and_then(|clip| gesture.base.clip(clip)).map(|slot| slot.clip.clone());
    let (Some(clip), Some(hand)) = (clip, &gesture.keys) else { return };
    let change = Change::Keys(hand.change(&clip, snaps));
    transaction::preview(editor, &change, effects);
}

/// A key of the keyboard while keys are in hand.
pub fn modal(editor: &mut Editor, key: ModalKey, effects: &mut Vec<Effect>) {
    let playhead = editor.session.focus.playhead.time;
    let Some(hand) = editor.gesture.as_mut().and_then(|gesture| gesture.keys.as_mut()) else { return };
    match key {
        ModalKey::Confirm => return transaction::commit(editor),
        ModalKey::Cancel => return transaction::cancel(editor),
        ModalKey::Digit('-') => match hand.typed.strip_prefix('-') {
            Some(rest) => hand.typed = rest.to_owned(),
            None => hand.typed.insert(0, '-'),
        },
        ModalKey::Digit('.') if hand.typed.contains('.') => {}
        ModalKey::Digit(digit) => hand.typed.push(digit),
        ModalKey::Backspace => drop(hand.typed.pop()),
        ModalKey::Axis(axis) | ModalKey::Plane(axis) => {
            let lock = if axis == Axis::X { Lock::Time } else { Lock::Value };
            hand.lock = if hand.lock == Some(lock) { None } else { Some(lock) };
        }
        ModalKey::Switch(TransformKind::Move) => hand.grip = Grip::Move,
        ModalKey::Switch(TransformKind::Scale) => hand.grip = Grip::Scale { about: playhead },
        ModalKey::Switch(_) | ModalKey::Longer | ModalKey::Shorter => {}
    }
    preview(editor, effects);
}

/// Selects an event.
fn pick_event(editor: &mut Editor, event: Option<usize>) {
    let count = editor.clip().map_or(0, |slot| slot.clip.events.len());
    let selection = &mut editor.session.focus.selection;
    selection.event = event.filter(|&event| event < count);
    if selection.event.is_some() {
        selection.focus = ItemKind::Events;
    }
}

/// An event at the playhead, whose name is typed next; the name of the one that is there already.
pub fn add_event(editor: &mut Editor, effects: &mut Vec<Effect>) {
    let (Some(slot), at) = (editor.clip(), editor.session.focus.playhead.time) else { return };
    let (clip, length) = (slot.id, slot.clip.length());
    let mut events = slot.clip.events.clone();
    if at > length {
        return notice(
            editor,
            NoticeKind::Info,
            "The clip ends before the playhead: no event can stand here.",
            effects,
        );
    }
    let there = events.iter().position(|event| event.time == at);
    let place = there.unwrap_or_else(|| events.partition_point(|event| event.time <= at));
    if there.is_none() {
        events.insert(place, Event { time: at, name: "event".to_owned() });
        step(editor, "add event", vec![Edit::SetEvents { clip, events }], effects);
    }
    pick_event(editor, Some(place));
    editor.session.focus.timing.naming = editor.session.focus.selection.event;
}

/// Deletes the selected event.
pub fn delete_event(editor: &mut Editor, effects: &mut Vec<Effect>) {
    let (Some(slot), Some(event)) = (editor.clip(), editor.session.focus.selection.event) else { return };
    let (clip, mut events) = (slot.id, slot.clip.events.clone());
    if event < events.len() {
        events.remove(event);
        step(editor, "delete event", vec![Edit::SetEvents { clip, events }], effects);
    }
    editor.session.focus.selection.event = None;
}

/// A copy of the selected event, a frame later.
pub fn duplicate_event(editor: &mut Editor, effects: &mut Vec<Effect>) {
    let (Some(slot), Some(event)) = (editor.clip(), editor.session.focus.selection.event) else { return };
    let (clip, mut events, frame) = (slot.id, slot.clip.events.clone(), slot.clip.frame_rate.frame());
    let Some(Event { time, name }) = events.get(event).cloned() else { return };
    let time: Time = (time + frame).min(slot.clip.length());
    let place = events.partition_point(|other| other.time <= time);
    events.insert(place, Event { time, name });
    step(editor, "duplicate event", vec![Edit::SetEvents { clip, events }], effects);
    pick_event(editor, Some(place));
}
