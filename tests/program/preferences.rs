//! The preference file: written and read the same; a damaged one costs no more than what is damaged, and is kept.

use std::fs;

use keypose::assets::import_options::ImportOptions;
use keypose_app::app::play::controls::pad::PadButton;
use keypose_app::app::play::controls::{Control, KEYS, Press, Slot};
use keypose_app::app::preferences::{Layout, SavedState, StateWriter, load, parse, text};
use keypose_editor::editor::session::command::Command;
use keypose_editor::editor::session::preferences::{Arrangement, FileDialogs, ModelFiles, Preferences, Shade};
use keypose_editor::editor::session::shortcuts::{KeyName, Stroke};
use serde_json::Value;
use winit::keyboard::KeyCode;

use crate::folder::Folder;

fn kept() -> SavedState {
    let mut kept = SavedState {
        preferences: Preferences {
            shade: Shade::Light,
            scale_percent: 150,
            arrangement: Arrangement::Timing,
            auto_perspective: false,
            recent: vec!["/a/ä b.wad".into(), "c.glb".into()],
            folders: vec!["/a".into()],
            favourites: vec!["/models".into(), "/b c".into()],
            dialogs: FileDialogs::System,
            model_files: ModelFiles::Anywhere,
            import_options: ImportOptions { scale: 0.01, max_error: Some(0.001), ..ImportOptions::default() },
            knows_first_steps: true,
            is_muted: true,
            printed_keys: [('Q', 'A'), (']', '$')].into_iter().collect(),
        },
        window: Some([1280.0, 720.5]),
        is_maximized: true,
        layout: Some(Layout {
            ini: "[Window][Log]\nPos=0,1\nCollapsed=0\n\n\n".into(),
            panels: vec!["Log".into()],
            untouched: Some([1280.0, 660.0]),
        }),
        ..SavedState::default()
    };
    kept.bindings.set(Command::Save, vec![Stroke::new(KeyName::F(9)), Stroke::new(KeyName::Char('W')).ctrl()]);
    kept.bindings.set(Command::Undo, vec![]);
    kept.controls.assign(Slot { control: Control::Roll, column: KEYS }, Press::Pad(PadButton::North));
    kept.controls.assign(Slot { control: Control::Jump, column: 0 }, Press::Key(KeyCode::KeyX));
    kept
}

#[test]
fn what_is_written_is_read() {
    for kept in [SavedState::default(), kept()] {
        assert_eq!(parse(text(&kept).as_bytes()), (kept, vec![], vec![]));
    }
    let written: Value = serde_json::from_str(&text(&kept())).unwrap();
    assert_eq!(written["controls"]["Roll"]["gamepad"], "North");
    assert_eq!(written["controls"]["Left"], Value::Null, "it is not changed");
}

#[test]
fn one_wrong_preference_costs_only_itself() {
    let good = text(&kept());
    let cases = [
        ("\"theme\": \"Light\"", "\"theme\": 7", "\"theme\" is not valid"),
        ("\"size\": 150", "\"size\": \"big\"", "\"size\" is not valid"),
        ("720.5", "-1", "\"window\" is not valid"),
        ("\"]\": \"$\"", "\"]\": \"$$\"", "\"printed_keys\" is not valid"),
        ("\"F9\"", "\"F99\"", "\"keys\" is not valid"),
        ("\"/a/ä b.wad\"", "[]", "\"recent\" is not valid"),
        ("\"/models\"", "{}", "\"favourites\" is not valid"),
        ("\"System\"", "0", "\"dialogs\" is not valid"),
        ("\"Anywhere\"", "true", "\"model_files\" is not valid"),
        ("Pos=0,1", "Pos=0,2", "\"panels\" is not valid"),
    ];
    for (is, becomes, fault) in cases {
        assert!(good.contains(is), "{is} in {good}");
        let (read, faults, _) = parse(good.replace(is, becomes).as_bytes());
        assert_eq!(faults, [fault]);
        assert!(read.preferences.knows_first_steps && read.is_maximized, "{fault}");
    }
}

#[test]
fn an_unknown_command_or_field_is_no_fault() {
    let text = r#"{ "keys": { "Fly": ["F9"] }, "later": [1] }"#;
    assert_eq!(parse(text.as_bytes()), (SavedState::default(), vec![], vec!["\"Fly\"".to_owned()]));
}

#[test]
fn unknown_commands_are_named_and_the_file_stays() {
    let folder = Folder::new("unknown");
    let path = folder.join("preferences.json");
    fs::write(&path, r#"{ "theme": "Light", "keys": { "Fly": ["F9"], "Save": ["F8"], "Di\nve": [] } }"#).unwrap();
    let (read, notes) = load(&path);
    assert_eq!(
        (read.preferences.shade, read.bindings.changed()[&Command::Save][0]),
        (Shade::Light, Stroke::new(KeyName::F(8)))
    );
    assert_eq!(notes.len(), 1);
    assert!(notes[0].contains(r#"no such commands: "Di\nve", "Fly". Their keys are ignored"#), "{}", notes[0]);
    assert!(path.exists());
}

#[test]
fn any_bytes_are_survived() {
    let good = text(&kept()).into_bytes();
    for end in 0..good.len() {
        parse(&good[..end]);
        let mut changed = good.clone();
        changed[end] ^= 0x15;
        parse(&changed);
    }
}

#[test]
fn a_damaged_file_is_reported_and_kept_beside_the_new_one() {
    let folder = Folder::new("damaged");
    let path = folder.join("preferences.json");
    assert_eq!(load(&path), (SavedState::default(), vec![]), "no file is no fault");
    fs::write(&path, "{ \"theme\": \"Light\"").unwrap();
    let (read, notes) = load(&path);
    assert_eq!((read, notes.len()), (SavedState::default(), 1));
    assert!(notes[0].contains("The defaults are used"), "{}", notes[0]);
    assert!(!path.exists());
    assert_eq!(fs::read_to_string(folder.join("preferences.json.damaged")).unwrap(), "{ \"theme\": \"Light\"");
}

#[test]
fn a_keeper_writes_what_changed_before_it_ends() {
    let folder = Folder::new("state_writer");
    let path = folder.join("deeper/preferences.json");
    let mut state_writer = StateWriter::new(Some(path.clone()), SavedState::default());
    state_writer.save(SavedState::default());
    for percent in [125, 150, 175] {
        let mut kept = kept();
        kept.preferences.scale_percent = percent;
        state_writer.save(kept);
    }
    drop(state_writer);
    let (read, notes) = load(&path);
    assert_eq!((read.preferences.scale_percent, notes), (175, vec![]));
    assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1, "nothing is left beside it");
}

#[test]
fn a_window_keeps_what_another_one_wrote() {
    let folder = Folder::new("two_windows");
    let path = folder.join("preferences.json");
    let [mut one, mut other] = [(), ()].map(|()| StateWriter::new(Some(path.clone()), SavedState::default()));
    let mut kept = SavedState::default();
    kept.preferences.knows_first_steps = true;
    other.save(kept);
    drop(other);
    let mut kept = SavedState::default();
    kept.preferences.scale_percent = 150;
    one.save(kept);
    drop(one);
    let (read, notes) = load(&path);
    assert_eq!((read.preferences.knows_first_steps, read.preferences.scale_percent, notes), (true, 150, vec![]));
}

#[test]
fn a_failure_to_save_is_reported_once() {
    let folder = Folder::new("refused");
    fs::write(folder.join("file"), "").unwrap();
    let mut state_writer = StateWriter::new(Some(folder.join("file/preferences.json")), SavedState::default());
    state_writer.save(kept());
    let output = loop {
        if let Some(output) = state_writer.take_error() {
            break output;
        }
        std::thread::yield_now();
    };
    assert!(output.contains("could not save the preferences"), "{output}");
    drop(state_writer);
}
