//! Random walks: after every action the document is valid; undoing all is the first document, redoing all the last.
//! `KEYPOSE_WALK=100000` makes them longer.

use keypose_editor::editor::state::action::{Action, DocumentAction};

use crate::editor_kit::dice::Dice;
use crate::editor_kit::{do_all, editor};

/// How many steps can be undone in the end.
fn walk(seed: u64, actions: usize) -> usize {
    let mut dice = Dice(seed);
    let mut editor = editor();
    let first = editor.document.clone();
    for number in 0..actions {
        let action = dice.action(&editor);
        if matches!(action, Action::Run(keypose_editor::editor::session::command::Command::New)) {
            continue;
        }
        let text = format!("seed {seed}, action {number}: {action:?}");
        editor.update(action);
        editor.session.transient.question = None;
        editor.document.check().unwrap_or_else(|reason| panic!("{text}: {reason}"));
        let view = editor.view();
        assert!(view.pose.bones.iter().all(|bone| bone.is_finite()), "{text}");
        let places = editor
            .session
            .focus
            .selection
            .keyframes
            .iter()
            .all(|&at| at < view.clip.as_ref().map_or(0, |clip| clip.keyframes.len()));
        assert!(places, "{text}");
    }
    // Steps that were undone on the way are done again first: then the document is the last one there is.
    do_all(
        &mut editor,
        [Action::Document(DocumentAction::Commit), Action::Document(DocumentAction::GoToStep(usize::MAX))],
    );
    let last = editor.document.clone();
    let steps = editor.history.undo_count();
    editor.update(DocumentAction::GoToStep(0));
    assert!(editor.document.is_equal(&first), "seed {seed}: undoing all");
    editor.update(DocumentAction::GoToStep(usize::MAX));
    assert!(editor.document.is_equal(&last), "seed {seed}: redoing all");
    steps
}

#[test]
fn undoing_all_is_the_start_and_redoing_all_is_the_end() {
    let length = std::env::var("KEYPOSE_WALK").ok().and_then(|text| text.parse().ok()).unwrap_or(10_000_usize);
    let walks = length / WALK;
    let steps: usize = (0..walks).map(|seed| walk(seed as u64, WALK)).sum();
    assert!(steps > length / 20, "the walks did next to nothing: {steps} steps");
}

/// Actions of one walk: long enough for everything to meet, short enough that clips do not grow without end.
const WALK: usize = 1250;
