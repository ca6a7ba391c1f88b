//! Every command of the catalogue: it runs by its name, and either changes the document in one step that is undone, or is no
//! edit and leaves the document alone.

use glam::Vec2;
use keypose_editor::editor::commands::CATALOGUE;
use keypose_editor::editor::script;
use keypose_editor::editor::session::command::Command;
use keypose_editor::editor::session::pointer::{Axis, ModalKey, PointerKind};
use keypose_editor::editor::state::Editor;
use keypose_editor::editor::state::action::{DocumentAction, GestureAction};

use crate::editor_kit;

/// Scripts for the states in which commands run: every command changes something in one of them.
const STATES: &[&str] = &[
    "",
    "select upper.L hand.L; seek 4f; pose upper.L rotation 0 0 40; pose hand.L position 1 2 3; pose hand.L scale 2 2 2",
    "seek 10f; select upper.L; run copy; select upper.L upper.R; seek 5f",
    "select upper.L; seek 10f; pose upper.L position 1 2 3; pose upper.L scale 2 2 2; run copy",
    "pick-key 2 upper.L rotation; add-key 1 upper.L rotation; run copy; seek 15f",
    "pick-keyframe 1; loop once; ease linear",
    "pick-keyframe 2; loop ping-pong; ease step; mark-keyframes breakdown",
    "new-ease step; pick-key 1 upper.L rotation; ease cubic",
    "pick-key 2 upper.L rotation; run handles-flat",
    "pick-key 1 upper.L rotation; ease cubic; handle-lengths 0.6 0.2",
    "select foot.L",
    "run mirrored-clip",
    "clip wave; undo-all",
    "run add-layer; select upper.L; run limit-layer; select hand.L",
    "machine make; machine pick move",
    "seek 5f; run key-pose; seek 10f; run key-pose",
    "hurt-volume chest root 0.3",
    "select hand.L; socket add; select root",
    "bone move hand.L 0.9 1.5 0.2; select hand.L",
    "level new; level add solid 12 0 14 1; level copy; level add-kind",
    "select upper.L; spring chain upper.L; seek 5f",
    "material plate frames 4 1; clip wave; seek 5f",
    "clip attack; hit 0t 4t shin.L 0.2; contact 0t 6t hand.L; select thigh.L; pick-range hits 1",
];

/// Commands that replace the document, or go through its history.
const OTHER_DOCUMENT: &[Command] = &[Command::New, Command::Undo, Command::Redo];

/// An editor in each of the states. Panics if a command of a script fails: the state would not be what it says.
fn states() -> Vec<(&'static str, Editor)> {
    let editor = |state: &&'static str| {
        let mut editor = match *state {
            _ if state.contains("foot.L") => editor_kit::legs_editor(),
            _ if state.contains("shin.L") => editor_kit::demo(),
            _ => editor_kit::editor(),
        };
        editor_kit::run(&mut editor, state);
        (*state, editor)
    };
    STATES.iter().map(editor).collect()
}

/// Runs a command, and ends the gesture where it began one.
fn run(editor: &mut Editor, command: Command) {
    editor.update(command);
    if editor.gesture.is_some() {
        for key in [ModalKey::Axis(Axis::X), ModalKey::Char('2'), ModalKey::Confirm] {
            editor.update(GestureAction::Modal(key));
        }
    }
    if editor.gesture.as_ref().is_some_and(|gesture| gesture.path().is_some()) {
        editor_kit::press(editor, Vec2::splat(200.0));
        editor_kit::mouse(editor, PointerKind::Moved, Vec2::splat(300.0));
        editor_kit::mouse(editor, PointerKind::Released, Vec2::splat(300.0));
    }
}

#[test]
fn every_command_runs_by_its_name_in_scripts() {
    for def in &CATALOGUE {
        let words = format!("run {:?}", def.command);
        assert!(script::run(&mut editor_kit::editor(), &words).is_ok(), "{words}");
    }
}

#[test]
fn every_edit_is_one_step_that_is_undone_and_done_again() {
    let (states, mut failures) = (states(), Vec::new());
    for command in CATALOGUE.iter().map(|def| def.command).filter(|command| command.row().edits) {
        let mut has_changed = false;
        for (state, start) in states.iter().filter(|(_, start)| command.can_run(start).is_ok()) {
            let mut editor = start.clone();
            let (before, steps) = (editor.document.clone(), editor.history.undo_count());
            run(&mut editor, command);
            let after = editor.document.clone();
            let is_same = after.is_equal(&before);
            let done = editor.history.undo_count() - steps;
            if done != usize::from(!is_same) {
                failures.push(format!("{command:?} in \"{state}\": {done} steps, changed: {}", !is_same));
            }
            after.check().unwrap();
            if !is_same {
                has_changed = true;
                editor.update(DocumentAction::Undo);
                assert!(editor.document.is_equal(&before), "{command:?} in \"{state}\" is not undone");
                editor.update(DocumentAction::Redo);
                assert!(editor.document.is_equal(&after), "{command:?} in \"{state}\" is not done again");
            }
        }
        if !has_changed {
            failures.push(format!("{command:?} changes the document in none of the states"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn what_is_no_edit_leaves_the_document_alone() {
    let others = CATALOGUE.iter().map(|def| def.command).filter(|command| !command.row().edits);
    let (states, mut failures) = (states(), Vec::new());
    for command in others.filter(|command| !OTHER_DOCUMENT.contains(command)) {
        for (state, start) in states.iter().filter(|(_, start)| command.can_run(start).is_ok()) {
            let mut editor = start.clone();
            let (before, steps) = (editor.document.clone(), editor.history.undo_count());
            run(&mut editor, command);
            if !editor.document.is_same(&before) || editor.history.undo_count() != steps {
                failures.push(format!("{command:?} in \"{state}\" is not marked as an edit"));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn a_command_that_can_not_run_says_why_and_changes_nothing() {
    for (state, mut editor) in states() {
        let before = editor.document.clone();
        for command in CATALOGUE.iter().map(|def| def.command) {
            let Err(reason) = command.can_run(&editor) else { continue };
            editor.session.transient.notice = None;
            editor.update(command);
            assert!(editor.document.is_same(&before), "{command:?} in \"{state}\"");
            assert_eq!(editor_kit::notice(&editor), reason, "{command:?} in \"{state}\"");
        }
    }
}
