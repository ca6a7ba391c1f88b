//! Journeys: words → actions → printed state, one line a case (`tests/editor/journeys/*.txt`). The same words run with
//! `keypose edit --script SCRIPT`.

use keypose_editor::editor::script;

use crate::editor_kit;
use crate::root::root;

/// A case is a line of a script that expects something (docs/scripts.md); each begins with a new editor on the kit's model.
#[test]
fn every_journey_ends_as_its_line_says() {
    let folder = root().join("tests/editor/journeys");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "txt"));
    files.sort();
    let (mut cases, mut failures) = (0, Vec::new());
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        for (number, line) in (1..).zip(text.lines()) {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            cases += 1;
            let start = match file.file_stem().and_then(|stem| stem.to_str()) {
                Some("ik") => editor_kit::legs_editor,
                Some("retargeted") => editor_kit::two_sizes,
                _ => editor_kit::editor,
            };
            if let Err(reason) = case(line, start) {
                failures.push(format!("{}:{number}: {line}\n    {reason}", file.display()));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(cases > 700, "{cases} cases");
}

fn case(line: &str, start: fn() -> keypose_editor::editor::state::Editor) -> Result<(), String> {
    if !line.contains("=>") {
        return Err("there is no =>".to_owned());
    }
    let mut editor = start();
    let first = editor.document.clone();
    script::run(&mut editor, line)?;
    editor.document.check()?;
    script::run(&mut editor, "cancel; undo-all")?;
    let steps = editor.history.redo_count();
    if steps > 0 && !editor.document.is_equal(&first) {
        return Err("undoing all does not lead back to the start".to_owned());
    }
    script::run(&mut editor, "redo-all")?;
    Ok(())
}

#[test]
fn what_a_script_can_not_do_is_refused_with_its_line() {
    let cases = [
        ("seek 4f\nfly away", "line 2: fly away: unknown word"),
        ("select tail", "line 1: select tail: there is no bone tail"),
        ("seek soon", "line 1: seek soon: \"soon\" is not a time: write 6 or 6f for frames, 120ms, or 0.5s"),
        ("clip \"wave", "line 1: missing closing quote in clip \"wave"),
        ("run jump", "line 1: run jump: there is no command jump"),
        ("clip none; move-keyframe 1 2", "line 1: move-keyframe 1 2: no clip is open"),
        ("duration 1", "line 1: duration 1: expected duration KEYFRAME TIME"),
        (
            "mouse press 400 300 shfit",
            "line 1: mouse press 400 300 shfit: unknown modifier shfit: expected ctrl, shift or alt",
        ),
        (
            "collider add k root 0.1 0 0.5",
            "line 1: collider add k root 0.1 0 0.5: the other end of a collider has X, Y and Z",
        ),
        ("seek 4f => time = 4f\nseek 6f => playing = no, time = 5f", "line 2: time = 6f, expected 5f"),
        ("seek 4f => 4f", "line 1: 4f: expected FACT = VALUE"),
        ("# a note\n\nshow colour", "line 3: fact colour: unknown word"),
    ];
    for (script, expected) in cases {
        let mut editor = editor_kit::editor();
        assert_eq!(script::run(&mut editor, script).err().as_deref(), Some(expected));
    }
}

#[test]
fn the_gizmo_places_a_socket_and_the_pose_stays() {
    let mut editor = editor_kit::editor();
    let place = |editor: &keypose_editor::editor::state::Editor| editor.document.models[0].sockets[0].transform;
    script::run(&mut editor, "select hand.L; socket add; key G over viewport; type x 2 enter").unwrap();
    assert!((place(&editor).translation.length() - 2.0).abs() < 1e-4, "{:?}", place(&editor));
    script::run(&mut editor, "key R over viewport; type z 9 0 enter").unwrap();
    assert!((place(&editor).rotation.to_axis_angle().1.to_degrees() - 90.0).abs() < 0.01, "{:?}", place(&editor));
    script::run(&mut editor, "key S over viewport; type 3 enter").unwrap();
    assert!((place(&editor).scale - glam::Vec3::splat(3.0)).length() < 1e-4, "{:?}", place(&editor));
    let (rest, pose) = (editor.document.models[0].skeleton.rest_pose(), editor.view());
    let hand = editor.document.models[0].skeleton.find("hand.L").unwrap();
    assert_eq!(pose.local.get(usize::from(hand)), rest.get(usize::from(hand)));
}
