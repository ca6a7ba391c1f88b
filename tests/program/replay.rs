//! `keypose play --replay GAME --check`: a recorded game is checked against an archive, without a window.

use std::path::{Path, PathBuf};

use keypose::assets::project::Project;
use keypose::wad;
use keypose_app::app::files::layers;
use keypose_editor::game::input::Buttons;
use keypose_editor::game::play::Play;
use keypose_editor::game::replay::Replay;

use crate::editor_kit;
use crate::folder::Folder;
use crate::process::{keypose, ran, refused};

/// Exit code, output and errors of the check of a game.
fn check(folder: &Folder, archive: &Path) -> (i32, String, String) {
    ran(keypose(folder).arg("play").arg(archive).args(["--replay", "game.txt", "--check"]))
}

fn archive(folder: &Path, name: &str, model: &str) -> PathBuf {
    let mut project = Project::default();
    project.add_model(keypose::assets::model::Model { name: model.into(), ..editor_kit::model() });
    let path = folder.join(name);
    std::fs::write(&path, wad::encode(&project, &[]).unwrap()).unwrap();
    path
}

#[test]
fn a_recorded_game_is_checked_against_an_archive() {
    let folder = Folder::new("replay");
    let (file, other) = (archive(&folder, "a.wad", "puppet"), archive(&folder, "b.wad", "other"));
    let opened = layers::open(std::slice::from_ref(&file), &Default::default()).unwrap();
    let play = Play::new(&opened.characters, None, 5);
    let buttons: Vec<Buttons> =
        (0..300).map(|tick| if tick % 70 < 60 { Buttons::RIGHT } else { Buttons::JUMP }).collect();
    let replay = Replay::record(play.world().clone(), opened.digest, 5, &buttons);
    let game = folder.join("game.txt");
    std::fs::write(&game, replay.to_text()).unwrap();

    let (code, printed, errors) = check(&folder, &file);
    assert!(printed.contains("all 300 ticks match the recording"), "{printed}");
    assert_eq!((code, errors.as_str()), (0, ""));
    let (_, _, errors) = check(&folder, &other);
    assert!(errors.contains("another archive"), "{errors}");

    let mut changed = replay.clone();
    changed.digests[123] ^= 1;
    std::fs::write(&game, changed.to_text()).unwrap();
    let (code, printed, _) = check(&folder, &file);
    assert_eq!(code, 1);
    assert!(printed.contains("differs from the recording from tick 123 on"), "{printed}");

    std::fs::write(&game, "keypose replay 1\narchive 0\nseed x\n").unwrap();
    let (code, _, errors) = check(&folder, &file);
    assert!(code != 0 && errors.contains("game.txt: line 3"), "{errors}");
}

/// A recording is written at the end of a game. It would cost an archive, or any other file, if its path were mistyped.
#[test]
fn a_recording_replaces_recordings_only() {
    let folder = Folder::new("record");
    let file = archive(&folder, "a.wad", "puppet");
    let before = std::fs::read(&file).unwrap();
    let game = |to: &Path| {
        let mut command = keypose(&folder);
        command.arg("play").arg(&file).arg("--record").arg(to);
        ran(command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY")).2
    };
    assert!(game(&file).contains("a.wad: an existing file that is not a recording is not replaced"));
    assert_eq!(std::fs::read(&file).unwrap(), before);
    // Another recording, and an empty file, are not refused; without a display, the game can't start.
    let opened = layers::open(std::slice::from_ref(&file), &Default::default()).unwrap();
    let text = Replay::record(Play::new(&opened.characters, None, 5).world().clone(), 1, 5, &[]).to_text();
    for content in [text, String::new()] {
        let to = folder.join("game.txt");
        std::fs::write(&to, content).unwrap();
        assert!(!game(&to).contains("not replaced"));
    }
}

#[test]
fn a_game_without_its_file_is_an_error_and_no_window() {
    let folder = Folder::new("nothing");
    let mut command = keypose(&folder);
    let command = command.args(["play", "nothing.wad"]).env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
    assert_eq!(refused(command), "keypose: nothing.wad: no such file");
}
