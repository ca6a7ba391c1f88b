//! `keypose edit --script`: a wave of three keyframes made, saved, opened again and found the same.

use std::path::Path;
use std::process::{Command, Output};

use crate::folder::folder;
use crate::root::root;

fn run(file: &Path, script: &Path, words: &str) -> Output {
    std::fs::write(script, words).unwrap();
    let program = env!("CARGO_BIN_EXE_keypose");
    Command::new(program).arg("edit").arg(file).arg("--script").arg(script).output().unwrap()
}

#[test]
fn a_wave_is_made_saved_and_found_again() {
    let folder = folder("script");
    let (script, saved) = (folder.join("wave.txt"), folder.join("wave.wad"));
    let demo = root().join("data/demo.wad");
    let make = format!(
        "run new-clip; rename-clip hello\n\
         pose upper_arm.L rotation 0 0 100; key I\n\
         seek 8f; pose forearm.L rotation 0 0 40; key I\n\
         seek 12f; pose forearm.L rotation 0 0 -30; key I\n\
         duration 3 10; loop loop; show strip; show pose forearm.L rotation\n\
         seek 20f; pose head rotation 0 25 0; show drafts\n\
         save \"{}\"",
        saved.display()
    );
    let made = run(&demo, &script, &make);
    let text = |output: &Output| String::from_utf8_lossy(&output.stdout).replace('\r', "");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let expected = "strip = 8f 4f 10f\npose forearm.L rotation = 0 0 -30\ndrafts = hello at 20f: head.rotation\n";
    assert_eq!(text(&made), expected);
    let look = "clip hello; show strip; seek 12f; show pose forearm.L rotation; show drafts; show loop";
    let found = run(&saved, &script, look);
    assert!(found.status.success(), "{}", String::from_utf8_lossy(&found.stderr));
    assert_eq!(text(&found), format!("{expected}loop = loop\n"));
    let _ = std::fs::remove_dir_all(&folder);
}

#[test]
fn a_model_is_not_replaced_by_an_archive() {
    let folder = folder("script-model");
    let arm = root().join("data/tests/arm.wad");
    for (name, is_saved) in [("hero.glb", true), ("hero.wad", false)] {
        let model = folder.join(name);
        std::fs::write(&model, b"glTF and more").unwrap();
        let done = run(&arm, &folder.join("save.txt"), &format!("save \"{}\"", model.display()));
        let errors = String::from_utf8_lossy(&done.stderr);
        let is_refused = errors.contains("not an archive is not replaced");
        assert_eq!((done.status.success(), is_refused), (is_saved, !is_saved), "{name}: {errors}");
        assert_eq!(std::fs::read(&model).unwrap(), b"glTF and more");
    }
    assert!(folder.join("hero.glb.wad").exists());
    let _ = std::fs::remove_dir_all(&folder);
}

#[test]
fn errors_name_their_line() {
    let folder = folder("script-bad");
    let arm = root().join("data/tests/arm.wad");
    let refused = run(&arm, &folder.join("bad.txt"), "seek 4f\nselect tail");
    assert!(!refused.status.success());
    let errors = String::from_utf8_lossy(&refused.stderr);
    assert!(errors.contains("line 2") && errors.contains("there is no bone tail"), "{errors}");
    let differs = run(&arm, &folder.join("bad.txt"), "seek 4f => time = 4f\nseek 6f => playing = no, time = 5f");
    let errors = String::from_utf8_lossy(&differs.stderr);
    assert_eq!(differs.status.code(), Some(1), "{errors}");
    assert!(errors.contains("line 2: time = 6f, expected 5f"), "{errors}");
    let _ = std::fs::remove_dir_all(&folder);
}
