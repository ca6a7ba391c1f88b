//! `keypose play --replay GAME --check`: a recorded game is checked against an archive, without a window.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use keypose::assets::project::Project;
use keypose::wad;
use keypose_app::app::files::layers;
use keypose_editor::game::input::Buttons;
use keypose_editor::game::play::Play;
use keypose_editor::game::replay::Replay;

use crate::editor_kit;
use crate::folder::folder;

fn check(archive: &Path, game: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_keypose"));
    command.arg("play").arg(archive).arg("--replay").arg(game).arg("--check").output().unwrap()
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
    let folder = folder("replay");
    let (file, other) = (archive(&folder, "a.wad", "puppet"), archive(&folder, "b.wad", "other"));
    let opened = layers::open(std::slice::from_ref(&file), &Default::default()).unwrap();
    let play = Play::new(&opened.characters, None, 5);
    let buttons: Vec<Buttons> =
        (0..300).map(|tick| if tick % 70 < 60 { Buttons::RIGHT } else { Buttons::JUMP }).collect();
    let replay = Replay::record(play.world().clone(), opened.digest, 5, &buttons);
    let game = folder.join("game.txt");
    std::fs::write(&game, replay.to_text()).unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();

    let same = check(&file, &game);
    assert!(same.status.success() && text(&same.stdout).contains("all 300 ticks match the recording"), "{same:?}");
    assert_eq!(text(&same.stderr), "");
    let elsewhere = check(&other, &game);
    assert!(text(&elsewhere.stderr).contains("another archive"), "{elsewhere:?}");

    let mut changed = replay.clone();
    changed.digests[123] ^= 1;
    std::fs::write(&game, changed.to_text()).unwrap();
    let parted = check(&file, &game);
    assert_eq!(parted.status.code(), Some(1));
    assert!(text(&parted.stdout).contains("differs from the recording from tick 123 on"), "{parted:?}");

    std::fs::write(&game, "keypose replay 1\narchive 0\nseed x\n").unwrap();
    let refused = check(&file, &game);
    assert!(!refused.status.success() && text(&refused.stderr).contains("game.txt: line 3"), "{refused:?}");
    std::fs::remove_dir_all(folder).unwrap();
}

/// A recording is written at the end of a game. It would cost an archive, or any other file, if its path were mistyped.
#[test]
fn a_recording_replaces_recordings_only() {
    let folder = folder("record");
    let file = archive(&folder, "a.wad", "puppet");
    let before = std::fs::read(&file).unwrap();
    let game = |to: &Path| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_keypose"));
        command.arg("play").arg(&file).arg("--record").arg(to).env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
        String::from_utf8(command.output().unwrap().stderr).unwrap()
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
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_game_without_its_file_is_an_error_and_no_window() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_keypose"));
    let output = command.args(["play", "nothing.wad"]).env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").output();
    let output = output.unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.success(), errors.trim()), (false, "keypose: nothing.wad: no such file"));
}
