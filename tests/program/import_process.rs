//! FBX files in the program, which reads them in a process of its own.

use std::fs;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, Stdio};

use keypose_app::app::files;

use crate::folder::Folder;
use crate::process::{done, keypose, refused};
use crate::root::root;

fn model(name: &str) -> PathBuf {
    root().join("data/tests/models/fbx").join(name)
}

#[test]
fn a_model_is_the_same_from_another_process() {
    let folder = Folder::new("import-process");
    let (file, archive) = (model("limb2.fbx"), folder.join("limb.wad"));
    done(keypose(&folder).arg("import").arg(&file).arg("-o").arg(&archive));
    let (here, there) = (files::open(&file).unwrap(), files::open(&archive).unwrap());
    assert_eq!(*there.project.models[0], *here.project.models[0]);
}

#[test]
fn a_damaged_model_is_one_sentence_with_its_file() {
    let folder = Folder::new("import-damaged");
    let file = folder.join("cut.fbx");
    let bytes = fs::read(model("limb2.fbx")).unwrap();
    fs::write(&file, &bytes[..bytes.len() / 2]).unwrap();
    let error = refused(keypose(&folder).arg("inspect").arg(&file));
    let expected = format!("keypose: {}: the FBX file can't be read: ", file.display());
    assert!(error.starts_with(&expected) && error.lines().count() == 1, "{error}");
}

/// Starts the hidden command with a file on its input, which stays open.
fn reader(folder: &Folder, bytes: &[u8]) -> Child {
    let mut command = keypose(folder);
    command.args(["read-model", "limb.fbx"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let stdin = child.stdin.as_mut().unwrap();
    stdin.write_all(&(bytes.len() as u64).to_le_bytes()).unwrap();
    stdin.write_all(bytes).unwrap();
    child
}

/// The hidden command answers with a report and an archive.
#[test]
fn the_hidden_command_answers_on_its_output() {
    let folder = Folder::new("import-hidden");
    let mut child = reader(&folder, &fs::read(model("limb2.fbx")).unwrap());
    let mut answer = Vec::new();
    child.stdout.take().unwrap().read_to_end(&mut answer).unwrap();
    assert!(child.wait().unwrap().success());
    assert!(answer.starts_with(b"KPMODEL1"));
    assert!(!done(keypose(&folder).arg("--help")).contains("read-model"));
}

/// 32,000 animations of nothing: the reader needs minutes for them.
fn slow() -> Vec<u8> {
    let mut text =
        String::from("; FBX 7.4.0 project file\nFBXHeaderExtension:  {\n\tFBXVersion: 7400\n}\nObjects:  {\n");
    for at in 0..32_000 {
        text += &format!("\tModel: {}, \"Model::n{at}\", \"Null\" {{\n\t}}\n", 1_000_000 + at);
        text += &format!("\tAnimationStack: {}, \"AnimStack::a{at}\", \"\" {{\n\t}}\n", 2_000_000 + at);
    }
    text += "}\n";
    text.into_bytes()
}

#[test]
fn the_process_ends_when_its_input_is_closed() {
    let folder = Folder::new("import-slow");
    let mut child = reader(&folder, &slow());
    assert_eq!(child.try_wait().unwrap(), None, "it takes long enough for this test");
    drop(child.stdin.take());
    assert_eq!(child.wait().unwrap().code(), Some(1));
}
