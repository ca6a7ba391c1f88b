//! `keypose import` and `keypose inspect` as a person runs them: exit codes, sentences, JSON.

use serde_json::Value;

use crate::folder::Folder;
use crate::glb::Glb;
use crate::process::{done, keypose, refused};

/// Writes a file. Returns its name.
fn write<'a>(folder: &Folder, name: &'a str, bytes: &[u8]) -> &'a str {
    std::fs::write(folder.join(name), bytes).unwrap();
    name
}

fn json(folder: &Folder, arguments: &[&str]) -> Value {
    serde_json::from_str(&done(keypose(folder).args(arguments))).unwrap()
}

#[test]
fn a_model_and_its_archive_inspect_the_same() {
    let folder = Folder::new("same");
    let (model, archive) = (write(&folder, "small.glb", &Glb::small().bytes()), "small.wad");
    let output = done(keypose(&folder).args(["import", model, "-o", archive, "--name", "Limb"]));
    assert!(output.starts_with("Limb: 3 bones, 1 meshes with 5 vertices, 1 clips -> "), "{output}");
    let ask = |file: &str, clip: &[&str]| {
        json(&folder, &[&["inspect", file, "--json", "--time", "0,0.5,99,-1"], clip].concat())
    };
    for clip in [&["--clip", "wave"][..], &["--clip-index", "0"], &[]] {
        assert_eq!(ask(model, clip), ask(archive, clip));
    }
    let posed = ask(archive, &["--clip", "wave"]);
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
    assert_eq!(json(&folder, &["inspect", archive, "--json", "--model", "Limb"])["poses"][0]["clip"], Value::Null);
    let text = done(keypose(&folder).args(["inspect", archive]));
    assert!(text.contains("model Limb") && text.contains("\n  root\n    child\n  body\n"), "{text}");
    assert!(text.contains("wave: 1.250 s, 3 keyframes, loop"), "{text}");
}

#[test]
fn errors_are_one_sentence() {
    let folder = Folder::new("refused");
    let (model, archive, out) = (write(&folder, "small.glb", &Glb::small().bytes()), "small.wad", "out.wad");
    done(keypose(&folder).args(["import", model, "-o", archive]));
    let (empty, text) = (write(&folder, "empty.glb", b""), write(&folder, "notes.txt", b"hello"));
    let mut alone = Glb::small();
    alone.buffer.clear();
    let alone = write(&folder, "alone.gltf", &alone.text("gone%20away.bin"));
    let cases: [(&[&str], &str); 12] = [
        (&["inspect", "gone.glb"], "gone.glb: no such file"),
        (&["inspect", "."], "this is a folder, not a file"),
        (&["inspect", empty], "empty.glb: the file is empty"),
        (&["inspect", text], "notes.txt: neither an archive nor a model"),
        (&["inspect", alone], "gone away.bin: no such file"),
        (&["inspect", model, "--clip", "run"], "no clip \"run\"; the clips are: wave"),
        (&["inspect", model, "--clip-index", "1"], "no clip 1; the count of clips is 1"),
        (&["inspect", archive, "--model", "dog"], "no model \"dog\"; the models are: small"),
        (&["inspect", model, "--time", "nan"], "--time: NaN is not a valid time"),
        (&["import", archive, "-o", out], "this is already an archive"),
        (&["import", model, "-o", model], "an existing file that is not an archive is not replaced"),
        (&["import", model, "-o", out, "--name", " "], "--name: the name of a model can't be empty"),
    ];
    for (arguments, words) in cases {
        let error = refused(keypose(&folder).args(arguments));
        assert!(error.contains(words), "{arguments:?}: {error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
    assert!(!folder.join(out).exists());
    assert_eq!(std::fs::read(folder.join(model)).unwrap(), Glb::small().bytes());
}
