//! FBX files in the program, which reads them in a process of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use keypose::app::files;

fn keypose(arguments: &[&Path]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_keypose")).args(arguments).output().unwrap()
}

fn model(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data/tests/models/fbx").join(name)
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn a_model_is_the_same_from_another_process() {
    let folder = folder("import-process");
    let (file, archive) = (model("limb2.fbx"), folder.join("limb.wad"));
    let output = keypose(&["import".as_ref(), &file, "-o".as_ref(), &archive]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let (here, there) = (files::open(&file).unwrap(), files::open(&archive).unwrap());
    assert_eq!(*there.project.models[0], *here.project.models[0]);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_damaged_model_is_one_sentence_with_its_file() {
    let folder = folder("import-damaged");
    let file = folder.join("cut.fbx");
    let bytes = fs::read(model("limb2.fbx")).unwrap();
    fs::write(&file, &bytes[..bytes.len() / 2]).unwrap();
    let output = keypose(&["inspect".as_ref(), &file]);
    assert_eq!(output.status.code(), Some(1));
    let error = String::from_utf8(output.stderr).unwrap();
    let expected = format!("keypose: {}: the FBX file can't be read: ", file.display());
    assert!(error.starts_with(&expected) && error.lines().count() == 1, "{error}");
    fs::remove_dir_all(folder).unwrap();
}

/// The hidden command answers with a report and an archive.
#[test]
fn the_hidden_command_answers_on_its_output() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_keypose"));
    command.args(["read-model", "limb.fbx"]).stdin(fs::File::open(model("limb2.fbx")).unwrap());
    let output = command.stdout(Stdio::piped()).output().unwrap();
    assert!(output.status.success());
    assert!(output.stdout.starts_with(b"KPMODEL1"));
    let help = keypose(&["--help".as_ref()]);
    assert!(!String::from_utf8(help.stdout).unwrap().contains("read-model"));
}
