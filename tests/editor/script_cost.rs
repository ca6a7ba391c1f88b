//! The cost of scripts of many lines: the steps of a growing list share unchanged parts.

use std::time::{Duration, Instant};

use keypose_editor::editor::script;

use crate::editor_kit;

/// The time that a script takes on a new document, and the bytes of its undo steps, of which none is dropped.
fn cost(lines: usize, line: fn(usize) -> String) -> (Duration, usize) {
    let mut editor = editor_kit::editor();
    script::run(&mut editor, "select root").unwrap();
    let text: String = (0..lines).map(line).collect();
    let start = Instant::now();
    script::run(&mut editor, &text).unwrap();
    assert_eq!(editor.history.undo_count(), lines);
    (start.elapsed(), editor.history.bytes())
}

/// Four times the lines take no more than six times the memory, and no more than eight times as long.
fn grows_in_proportion(line: fn(usize) -> String) {
    let what = line(0);
    // A machine that does much else disturbs some of the rounds; something quadratic fails in all of them.
    for round in 1.. {
        let (few, many) = (cost(250, line), cost(1000, line));
        assert!(many.1 < few.1 * 6, "{what}: {} bytes, then {}", few.1, many.1);
        if many.0 < few.0 * 8 {
            return;
        }
        assert!(round < 8, "{what}: {:?}, then {:?}", few.0, many.0);
    }
}

#[test]
fn groups_cost_what_they_add() {
    grows_in_proportion(|number| format!("group p{number}\n"));
}

#[test]
fn saved_poses_cost_what_they_add() {
    grows_in_proportion(|number| format!("save-pose p{number}\n"));
}

#[test]
fn events_cost_what_they_add() {
    grows_in_proportion(|number| format!("event {}f a{number}\n", number % 20));
}
