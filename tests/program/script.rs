//! `keypose edit --script`: a wave of three keyframes made, saved, opened again and found the same.

use std::path::Path;
use std::process::Command;

use crate::folder::Folder;
use crate::process::{done, keypose, ran, refused};
use crate::root::root;

/// A script on a file.
fn script(folder: &Folder, file: &Path, words: &str) -> Command {
    std::fs::write(folder.join("words.txt"), words).unwrap();
    let mut command = keypose(folder);
    command.arg("edit").arg(file).args(["--script", "words.txt"]);
    command
}

#[test]
fn a_wave_is_made_saved_and_found_again() {
    let folder = Folder::new("script");
    let make = "run new-clip; rename-clip hello\n\
         pose upper_arm.L rotation 0 0 100; key I\n\
         seek 8f; pose forearm.L rotation 0 0 40; key I\n\
         seek 12f; pose forearm.L rotation 0 0 -30; key I\n\
         duration 3 10; loop loop; show strip; show pose forearm.L rotation\n\
         seek 20f; pose head rotation 0 25 0; show drafts\n\
         save wave.wad";
    let made = done(&mut script(&folder, &root().join("data/demo.wad"), make)).replace('\r', "");
    let expected = "strip = 8f 4f 10f\npose forearm.L rotation = 0 0 -30\ndrafts = hello at 20f: head.rotation\n";
    assert_eq!(made, expected);
    let look = "clip hello; show strip; seek 12f; show pose forearm.L rotation; show drafts; show loop";
    let found = done(&mut script(&folder, Path::new("wave.wad"), look)).replace('\r', "");
    assert_eq!(found, format!("{expected}loop = loop\n"));
}

#[test]
fn a_model_is_not_replaced_by_an_archive() {
    let folder = Folder::new("script-model");
    let arm = root().join("data/tests/arm.wad");
    for (name, is_saved) in [("hero.glb", true), ("hero.wad", false)] {
        let model = folder.join(name);
        std::fs::write(&model, b"glTF and more").unwrap();
        let (code, _, errors) = ran(&mut script(&folder, &arm, &format!("save {name}")));
        let is_refused = errors.contains("not an archive is not replaced");
        assert_eq!((code == 0, is_refused), (is_saved, !is_saved), "{name}: {errors}");
        assert_eq!(std::fs::read(&model).unwrap(), b"glTF and more");
    }
    assert!(folder.join("hero.glb.wad").exists());
}

#[test]
fn errors_name_their_line() {
    let folder = Folder::new("script-bad");
    let arm = root().join("data/tests/arm.wad");
    let errors = refused(&mut script(&folder, &arm, "seek 4f\nselect tail"));
    assert!(errors.contains("line 2") && errors.contains("there is no bone tail"), "{errors}");
    let differs = "seek 4f => time = 4f\nseek 6f => playing = no, time = 5f";
    let (code, _, errors) = ran(&mut script(&folder, &arm, differs));
    assert_eq!(code, 1, "{errors}");
    assert!(errors.contains("line 2: time = 6f, expected 5f"), "{errors}");
}
