//! The progress of the first steps: a step is done when its result is there, however it was reached.

use crate::editor::session::first_steps::{FirstSteps, STEPS};
use crate::editor::state::Editor;

/// Begins a step; the last one if the index is too high.
pub fn at(step: usize, editor: &Editor) -> FirstSteps {
    let step = step.min(STEPS.len() - 1);
    let begun = FirstSteps { step, steps_before: editor.history.undo_count(), is_open: false };
    FirstSteps { is_open: !is_done(&begun, editor), ..begun }
}

/// The next step if this one has just been done, else the same one. The last step ends with playing.
pub fn advanced(current: &FirstSteps, editor: &Editor) -> FirstSteps {
    let is_done = is_done(current, editor);
    if current.is_open && is_done {
        at(current.step + 1, editor)
    } else {
        FirstSteps { is_open: current.is_open || !is_done, ..*current }
    }
}

fn is_done(current: &FirstSteps, editor: &Editor) -> bool {
    let focus = &editor.session.focus;
    let has_edited = editor.history.undo_count() > current.steps_before;
    match current.step {
        0 => !focus.selection.bones.is_empty(),
        1 => has_edited && editor.gesture.is_none(),
        2 => has_edited && editor.model().is_none_or(|model| model.drafts.is_empty()),
        3 => focus.playhead.is_playing,
        _ => false,
    }
}
