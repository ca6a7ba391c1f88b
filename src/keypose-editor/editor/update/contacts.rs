//! Contacts of the open clip: proposed, cleaned, and as events; and the arcs of what is between them.

use crate::editor::document::edit::ClipEdit;
use crate::editor::ops::sentence::counted;
use crate::editor::ops::{arcs, contacts};
use crate::editor::state::Editor;
use crate::editor::state::action::ContactAction;
use crate::editor::update::{info, step, transaction};
use keypose::anim::clip::{Clip, Event};
use keypose::assets::combat::{Contact, LaneKind, Lanes};
use keypose_tools::clip_check::contacts::proposed;
use keypose_tools::clip_check::{Footing, Kind, Subject, check};
use keypose_tools::lengths::length_text;

/// Handles an action.
pub fn act(editor: &mut Editor, action: ContactAction) {
    if transaction::refuse_follower(editor) {
        return;
    }
    match action {
        ContactAction::Propose => propose(editor),
        ContactAction::Clean => clean(editor),
        ContactAction::AddEvents => add_events(editor),
        ContactAction::FollowArc => follow_arc(editor),
    }
}

/// Replaces the contacts of feet by the ranges in which they stand.
fn propose(editor: &mut Editor) {
    let (Some(slot), Some(model)) = (editor.clip().cloned(), editor.model().cloned()) else { return };
    let found = proposed(&Subject::of(&model), &slot.clip);
    if found.is_empty() {
        return info(editor, "No foot stands on the ground in this clip. Select a bone and add a contact.");
    }
    let mut lanes = model.combat.lanes_of(slot.id);
    lanes.contacts.retain(|old| found.iter().all(|new| new.bone != old.bone));
    let count = found.len();
    lanes.contacts.extend(found);
    lanes.sort();
    step(editor, "Propose contacts", ClipEdit::SetLanes { clip: slot.id, lanes: Box::new(lanes) });
    info(
        editor,
        format!("Found {}. Drag their ends; Clean contacts holds the feet in them.", counted(count, "contact")),
    );
}

/// Holds the bone of the selected contact, or of all, in place.
fn clean(editor: &mut Editor) {
    let (Some(slot), Some(model)) = (editor.clip().cloned(), editor.model().cloned()) else { return };
    let lanes = model.combat.lanes_of(slot.id);
    let selected = editor.session.focus.selection.range.filter(|(lane, _)| *lane == LaneKind::Contacts);
    let bone = selected.and_then(|(_, at)| lanes.contacts.get(at)).map(|contact| contact.bone.clone());
    let is_wanted = |contact: &Contact| bone.as_ref().is_none_or(|bone| *bone == contact.bone);
    let wanted = Lanes { contacts: lanes.contacts.iter().filter(|it| is_wanted(it)).cloned().collect(), ..lanes };
    match contacts::cleaned(&slot.clip, &model, &wanted) {
        Some(with) => {
            let found = check(&Subject::of(&model), (&with, &wanted), Footing::Ground);
            let sliding: Vec<&str> =
                found.iter().filter(|it| it.kind == Kind::ContactSlide).map(|it| it.text.as_str()).collect();
            step(editor, "Clean contacts", ClipEdit::ReplaceClip { clip: slot.id, with: Box::new(with) });
            let left = contacts::left_to_others(&model, &wanted);
            if let [first, ..] = left[..] {
                let text = format!("{first} shares its limb with the bone of another contact. Only that one was held.");
                info(editor, text);
            } else if let [first, others @ ..] = &sliding[..] {
                let more = if others.is_empty() { String::new() } else { format!(" (and {} more)", others.len()) };
                info(editor, format!("Out of reach: {first}{more}. Move the hips nearer, or shorten the contact."));
            }
        }
        None => info(editor, "No bone of a contact ends a limb that could hold it."),
    }
}

/// Adds an event `contact BONE` at the start of each contact, and removes those of the same bones where none starts any more.
fn add_events(editor: &mut Editor) {
    let (Some(slot), Some(model)) = (editor.clip().cloned(), editor.model().cloned()) else { return };
    let start = |Contact { range, bone }: &Contact| Event {
        time: range.start.min(slot.clip.length()),
        name: format!("contact {bone}"),
    };
    let mut starts: Vec<Event> = model.combat.lanes_of(slot.id).contacts.iter().map(start).collect();
    starts.dedup();
    let before = &slot.clip.events;
    let is_kept = |event: &&Event| starts.contains(event) || starts.iter().all(|start| start.name != event.name);
    let is_new = |start: &&Event| before.iter().all(|event| event != *start);
    let events = before.iter().filter(is_kept).chain(starts.iter().filter(is_new)).cloned().collect();
    step(editor, "Add contact events", ClipEdit::SetEvents { clip: slot.id, events });
}

/// Moves the body onto its arc: in the flight at the playhead, or in all of the clip.
fn follow_arc(editor: &mut Editor) {
    let (Some(slot), Some(model)) = (editor.clip().cloned(), editor.model().cloned()) else { return };
    let (lanes, time) = (model.combat.lanes_of(slot.id), editor.session.focus.playhead.time);
    let caches = &editor.caches;
    let balance = caches.balance.of(&model, &caches.root_speeds);
    let all = caches.balance.motion(&slot.clip, &balance, &lanes).flights.clone();
    let here = all.iter().find(|flight| (flight.arc.range.start..=flight.arc.range.end).contains(&time));
    let flights = here.map_or(&all[..], std::slice::from_ref);
    if flights.is_empty() {
        return info(
            editor,
            "The clip is never in the air: some contact stands all the time, or a foot is near the ground.",
        );
    }
    let mut with = Clip::clone(&slot.clip);
    for flight in flights {
        let Some(followed) = arcs::followed(&with, &model.skeleton, &balance, &flight.arc) else {
            return info(editor, "No bone carries the body: it has no mass. Set masses in the inspector.");
        };
        with = followed;
    }
    let left = flights.iter().map(|flight| arcs::residual(&with, &model.skeleton, &balance, &flight.arc));
    let left = length_text(left.fold(0.0, f32::max) * balance.scale);
    let height = flights.iter().map(|flight| flight.arc.height()).fold(0.0, f32::max) * balance.scale;
    step(editor, "Follow the arc", ClipEdit::ReplaceClip { clip: slot.id, with: Box::new(with) });
    info(editor, format!("The centre of mass is within {left} of its arc, {} high.", length_text(height)));
}
