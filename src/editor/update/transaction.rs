//! Steps: edits at once and gestures, undo and redo.

use crate::editor::document::Document;
use crate::editor::document::edit::Label;
use crate::editor::document::edit::{EditError, KeyRef};
use crate::editor::gesture::Gesture;
use crate::editor::posing::change::Change;
use crate::editor::posing::key_times;
use crate::editor::posing::key_times::Grid;
use crate::editor::posing::{keying, library, mixing, pins};
use crate::editor::session::display::ShownPose;
use crate::editor::session::notice::NoticeKind;
use crate::editor::session::pointer::{ModalKey, PointerEvent};
use crate::editor::session::selection::Pick;
use crate::editor::session::switch::Switch;
use crate::editor::session::tool::TransformKind;
use crate::editor::state::Editor;
use crate::editor::state::effect::Effect;
use crate::editor::update::{notice, select};
use crate::editor::view::View;

/// A step at once.
pub fn edit(editor: &mut Editor, label: Label, change: &Change, effects: &mut Vec<Effect>) {
    begin(editor, label);
    preview(editor, change, effects);
    commit(editor);
}

/// Opens a gesture; an open one is committed first.
pub fn begin(editor: &mut Editor, label: Label) {
    commit(editor);
    if editor.session.is_in_motion() {
        super::clipsel::set_playing(editor, false);
    }
    editor.session.workspace.display.pose = ShownPose::Clip;
    let (base, place) = (editor.document.clone(), editor.place());
    editor.gesture = Some(Gesture { label, base, place, transform: None, slide: None, keys: None, typed: None });
}

/// Applies the whole change to the base. A change that fails leaves the preview before it.
pub fn preview(editor: &mut Editor, change: &Change, effects: &mut Vec<Effect>) {
    if editor.gesture.is_none() {
        return;
    }
    match changed(editor, change) {
        Ok((document, selected)) => {
            editor.document = document;
            // A keyframe that only the preview before had may have been picked meanwhile.
            editor.tidy();
            if let Some(keys) = selected {
                select::keys(editor, &keys, Pick::Only);
            }
        }
        Err(error) => {
            // A drag is refused with every movement of the mouse: said once.
            let text = sentence(&error);
            if editor.session.transient.notice.as_ref().is_none_or(|notice| notice.text != text) {
                notice(editor, NoticeKind::Warning, text, effects);
            }
        }
    }
}

/// The gesture's base with a change, and the keys that are selected after it where that changes.
fn changed(editor: &Editor, change: &Change) -> Result<(Document, Option<Vec<KeyRef>>), EditError> {
    let session = &editor.session;
    let (base, selection) = match &editor.gesture {
        Some(gesture) => (&gesture.base, &gesture.place.selection),
        None => (&editor.document, &session.focus.selection),
    };
    let view = || View::of(base, session, &editor.caches.bakes);
    match change {
        Change::Edits(edits) => Ok((base.with(edits)?, None)),
        Change::Pose(posed) if !session.is_on(Switch::LiveMirror) && session.focus.pins.is_empty() => {
            Ok((base.with(&keying::edits_of_pose(base, session, posed))?, None))
        }
        Change::Pose(posed) => {
            let view = view();
            let posed = keying::with_live_mirror(&view, session, posed);
            let posed = pins::with_pins(&view, session, &posed);
            Ok((base.with(&keying::edits_of_pose(base, session, &posed))?, None))
        }
        Change::Mix(mix, amount) => {
            let posed = mixing::mixed(&view(), session, *mix, *amount);
            Ok((base.with(&keying::edits_of_pose(base, session, &posed))?, None))
        }
        Change::Saved(applied) => {
            let posed = library::applied(&view(), session, applied);
            Ok((base.with(&keying::edits_of_pose(base, session, &posed))?, None))
        }
        Change::Keys(change) => {
            let Some(slot) = session.focus.clip.and_then(|clip| base.clip(clip)) else {
                return Ok((base.clone(), None));
            };
            let by_switch = if session.is_on(Switch::SnapTime) { Grid::Frames } else { Grid::Free };
            let grid = change.grid.unwrap_or(by_switch);
            let (edits, moves) = key_times::edits(&slot.clip, slot.id, selection, change, grid);
            let document = base.with(&edits)?;
            let moved = document.clip(slot.id).filter(|_| !moves.is_empty());
            let keys = moved.map(|slot| key_times::after(&slot.clip, &moves));
            Ok((document, keys))
        }
    }
}

/// Makes the preview a step, if it changed anything.
pub fn commit(editor: &mut Editor) {
    let Some(Gesture { label, base, place, .. }) = editor.gesture.take() else { return };
    if editor.document.is_equal(&base) {
        editor.document = base;
        return;
    }
    editor.tidy();
    editor.history.push(label, base, place, &editor.document);
}

/// Puts the document back to where the gesture began.
pub fn cancel(editor: &mut Editor) {
    (editor.session.transient.pointer.is_boxing, editor.session.transient.pointer.press) = (false, None);
    editor.session.focus.timing.is_boxing = false;
    if let Some(gesture) = editor.gesture.take() {
        editor.document = gesture.base;
        editor.go_to(&gesture.place);
    }
}

/// Back by one step; an open gesture is cancelled instead.
pub fn undo(editor: &mut Editor) {
    if editor.gesture.is_some() {
        return cancel(editor);
    }
    let mut place = editor.place();
    if editor.history.undo(&mut editor.document, &mut place) {
        editor.go_to(&place);
    }
}

/// Forward by one step.
pub fn redo(editor: &mut Editor) {
    if editor.gesture.is_some() {
        return;
    }
    let mut place = editor.place();
    if editor.history.redo(&mut editor.document, &mut place) {
        editor.go_to(&place);
    }
}

/// Back or forward until this many steps are behind.
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

/// The mouse over the viewport.
pub fn pointer(editor: &mut Editor, event: PointerEvent, effects: &mut Vec<Effect>) {
    crate::editor::gesture::viewport::pointer(editor, event, effects);
}

/// Starts a modal transform of the selected bones.
pub fn start_transform(editor: &mut Editor, kind: TransformKind, effects: &mut Vec<Effect>) {
    crate::editor::gesture::viewport::start(editor, kind, effects);
}

/// A key while a transform runs.
pub fn modal(editor: &mut Editor, key: ModalKey, effects: &mut Vec<Effect>) {
    match &editor.gesture {
        Some(gesture) if gesture.keys.is_some() => super::timing::modal(editor, key, effects),
        Some(gesture) if gesture.typed.is_some() => super::blocks::type_key(editor, key, effects),
        _ => crate::editor::gesture::viewport::modal(editor, key, effects),
    }
}

/// With a capital letter, as a sentence.
pub fn sentence(error: &EditError) -> String {
    let text = error.to_string();
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}", letters.as_str())
}
