//! `keypose import` and `keypose inspect` as a person runs them: exit codes, sentences, JSON.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::folder::folder;
use crate::glb::Glb;

/// A folder of the test's own, gone when it ends.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        Folder(folder(name))
    }

    fn write(&self, name: &str, bytes: &[u8]) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn keypose(arguments: &[&str]) -> Result<String, String> {
    let output = Command::new(env!("CARGO_BIN_EXE_keypose")).args(arguments).output().unwrap();
    match output.status.success() {
        true => Ok(String::from_utf8(output.stdout).unwrap()),
        false => Err(String::from_utf8(output.stderr).unwrap()),
    }
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&keypose(arguments).unwrap()).unwrap()
}

#[test]
fn a_model_and_its_archive_inspect_the_same() {
    let folder = Folder::new("same");
    let (model, archive) = (folder.write("small.glb", &Glb::small().bytes()), folder.path("small.wad"));
    let output = keypose(&["import", &model, "-o", &archive, "--name", "Limb"]).unwrap();
    assert!(output.starts_with("Limb: 3 bones, 1 meshes with 5 vertices, 1 clips -> "), "{output}");
    let ask = |file: &str, clip: &[&str]| json(&[&["inspect", file, "--json", "--time", "0,0.5,99,-1"], clip].concat());
    for clip in [&["--clip", "wave"][..], &["--clip-index", "0"], &[]] {
        assert_eq!(ask(&model, clip), ask(&archive, clip));
    }
    let posed = ask(&archive, &["--clip", "wave"]);
    assert_eq!(posed["bones"][2], serde_json::json!({ "name": "child", "parent": 0, "source_node": 1 }));
    let clip = serde_json::json!({ "name": "wave", "duration_secs": 1.25, "keyframes": 3, "looping": true });
    assert_eq!(posed["clips"][0], clip);
    assert_eq!(posed["meshes"][0]["vertices"], 5);
    let poses = posed["poses"].as_array().unwrap();
    assert_eq!(
        poses.iter().map(|pose| pose["time_secs"].as_f64().unwrap()).collect::<Vec<_>>(),
        [0.0, 0.5, 99.0, -1.0]
    );
    assert_eq!(poses[0]["bones"], poses[3]["bones"], "before the clip it clamps");
    assert_ne!(poses[0]["meshes"], poses[1]["meshes"]);
    assert_eq!(poses[1]["meshes"][0].as_array().unwrap().len(), 15);
    assert_eq!(json(&["inspect", &archive, "--json", "--model", "Limb"])["poses"][0]["clip"], Value::Null);
    let text = keypose(&["inspect", &archive]).unwrap();
    assert!(text.contains("model Limb") && text.contains("\n  root\n    child\n  body\n"), "{text}");
    assert!(text.contains("wave: 1.250 s, 3 keyframes, loop"), "{text}");
}

#[test]
fn errors_are_one_sentence() {
    let folder = Folder::new("refused");
    let (model, archive) = (folder.write("small.glb", &Glb::small().bytes()), folder.path("small.wad"));
    keypose(&["import", &model, "-o", &archive]).unwrap();
    let (empty, text) = (folder.write("empty.glb", b""), folder.write("notes.txt", b"hello"));
    let mut alone = Glb::small();
    alone.buffer.clear();
    let alone = folder.write("alone.gltf", &alone.text("gone%20away.bin"));
    let here = folder.0.to_str().unwrap().to_owned();
    let gone = folder.path("gone.glb");
    let out = folder.path("out.wad");
    let cases: [(&[&str], &str); 12] = [
        (&["inspect", &gone], "gone.glb: no such file"),
        (&["inspect", &here], "this is a folder, not a file"),
        (&["inspect", &empty], "empty.glb: the file is empty"),
        (&["inspect", &text], "notes.txt: neither an archive nor a model"),
        (&["inspect", &alone], "gone away.bin: no such file"),
        (&["inspect", &model, "--clip", "run"], "no clip \"run\"; the clips are: wave"),
        (&["inspect", &model, "--clip-index", "1"], "no clip 1; the count of clips is 1"),
        (&["inspect", &archive, "--model", "dog"], "no model \"dog\"; the models are: small"),
        (&["inspect", &model, "--time", "nan"], "--time: NaN is not a valid time"),
        (&["import", &archive, "-o", &out], "this is already an archive"),
        (&["import", &model, "-o", &model], "an existing file that is not an archive is not replaced"),
        (&["import", &model, "-o", &out, "--name", " "], "--name: the name of a model can't be empty"),
    ];
    for (arguments, words) in cases {
        let error = keypose(arguments).unwrap_err();
        assert!(error.contains(words), "{arguments:?}: {error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
    assert!(!Path::new(&out).exists());
    assert_eq!(std::fs::read(&model).unwrap(), Glb::small().bytes());
}
