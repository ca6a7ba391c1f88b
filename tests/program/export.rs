//! `keypose export` as a person runs it: GLB and JSON, what it refuses to replace, and `--watch`.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::folder::Folder;
use crate::glb::Glb;
use crate::process::{self, done, keypose, ran};
use crate::root::root;

/// A folder of the test's own with a copy of an archive.
fn folder(name: &str, archive: &str) -> Folder {
    let folder = Folder::new(&format!("export-{name}"));
    fs::copy(root().join("data").join(archive), folder.join("demo.wad")).unwrap();
    folder
}

fn command(folder: &Folder, arguments: &[&str]) -> Command {
    let mut command = keypose(folder);
    command.arg("export").args(arguments);
    command
}

fn refused(folder: &Folder, arguments: &[&str]) -> String {
    process::refused(&mut command(folder, arguments))
}

fn printed(folder: &Folder, arguments: &[&str]) -> String {
    done(&mut command(folder, arguments)).trim_end().to_owned()
}

fn names(glb: &Path) -> Vec<String> {
    let glb = Glb::parse(&fs::read(glb).unwrap());
    let animations = glb.json["animations"].as_array().unwrap().iter();
    animations.map(|animation| animation["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_glb_has_the_model_and_a_second_export_replaces_it() {
    let folder = folder("glb", "demo.wad");
    let line = printed(&folder, &["demo.wad", "-o", "hero.glb"]);
    assert!(line.starts_with("knight: ") && line.contains(" clips -> hero.glb, "), "{line}");
    assert!(names(&folder.join("hero.glb")).contains(&"walk".to_owned()));
    printed(&folder, &["demo.wad", "-o", "hero.glb", "--loop-names", "godot"]);
    assert!(names(&folder.join("hero.glb")).contains(&"walk-loop".to_owned()));
    printed(&folder, &["demo.wad", "-o", "sword.glb", "--model", "sword"]);
    let all: Vec<_> = fs::read_dir(&*folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(all.len(), 3, "nothing is left behind: {all:?}");
}

#[test]
fn files_of_others_are_not_replaced() {
    let folder = folder("refused", "tests/arm.wad");
    fs::write(folder.join("mine.glb"), b"glTF, made with much work").unwrap();
    let reason = refused(&folder, &["demo.wad", "-o", "mine.glb"]);
    assert_eq!(reason, "keypose: mine.glb: not an export of Keypose, so it is not replaced; --force replaces it");
    assert_eq!(fs::read(folder.join("mine.glb")).unwrap(), b"glTF, made with much work");
    printed(&folder, &["demo.wad", "-o", "mine.glb", "--force"]);
    let same = refused(&folder, &["mine.glb", "-o", "mine.glb", "--force"]);
    assert!(same.contains("can't be replaced by its own export"), "{same}");
    assert!(refused(&folder, &["demo.wad", "-o", "hero.fbx"]).contains("must end in .glb, .json or .html"));
    assert!(refused(&folder, &["demo.wad", "-o", "hero.glb", "--game"]).contains("--game is for pages"));
    assert!(refused(&folder, &["demo.wad", "-o", "hero.html", "--fps", "30"]).contains("--fps is for JSON"));
    assert!(refused(&folder, &["demo.wad", "-o", "hero.glb", "--fps", "30"]).contains("--fps is for JSON"));
    assert!(refused(&folder, &["demo.wad", "-o", "hero.json", "--fps", "nan"]).contains("--fps"));
    assert!(refused(&folder, &["demo.wad", "-o", "no/hero.glb"]).contains("could not be written"));
}

/// `tests/web` opens pages in a browser; this is what needs none.
#[test]
fn a_page_has_the_archive_or_a_sentence_says_how_to_get_the_player() {
    let folder = folder("page", "demo.wad");
    let (code, _, reason) = ran(&mut command(&folder, &["demo.wad", "-o", "hero.html", "--model", "sword"]));
    let Ok(page) = fs::read_to_string(folder.join("hero.html")) else {
        assert!(code != 0 && reason.contains("run tools/web"), "{reason}");
        return;
    };
    assert_eq!(code, 0, "{reason}");
    let names = ["<title>demo</title>", "data-mode=\"viewer\"", "data-model=\"sword\"", "default-src 'none'"];
    names.iter().for_each(|name| assert!(page.contains(name), "{name}"));
    let archive = page.split_once("id=\"archive\">").unwrap().1.split_once('<').unwrap().0;
    assert!(
        archive.len() > 100_000 && archive.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte))
    );
    fs::write(folder.join("mine.html"), "<html>mine</html>").unwrap();
    assert!(refused(&folder, &["demo.wad", "-o", "mine.html"]).contains("not an export of Keypose"));
    printed(&folder, &["demo.wad", "-o", "hero.html", "--game"]);
    assert!(fs::read_to_string(folder.join("hero.html")).unwrap().contains("data-mode=\"game\""));
}

#[test]
fn json_has_a_row_for_each_frame_of_what_moves() {
    let folder = folder("json", "demo.wad");
    printed(&folder, &["demo.wad", "-o", "hero.json", "--fps", "20"]);
    let json: Value = serde_json::from_slice(&fs::read(folder.join("hero.json")).unwrap()).unwrap();
    assert_eq!((&json["format"], &json["version"]), (&"keypose-clips".into(), &1.into()));
    let bones = json["bones"].as_array().unwrap();
    let clips = json["clips"].as_array().unwrap();
    assert!(bones.len() > 20 && clips.len() > 5);
    for (at, bone) in bones.iter().enumerate() {
        assert!(bone["parent"].as_i64().unwrap() < at as i64 && bone["rotation"].as_array().unwrap().len() == 4);
    }
    for clip in clips {
        let frames = clip["frames"].as_u64().unwrap() as usize;
        assert_eq!(frames, (clip["length"].as_f64().unwrap() * 20.0).round() as usize + 1, "{}", clip["name"]);
        for track in clip["tracks"].as_array().unwrap() {
            let rows = track["values"].as_array().unwrap();
            assert!([1, frames].contains(&rows.len()) && (track["bone"].as_u64().unwrap() as usize) < bones.len());
            let width = if track["channel"] == "rotation" { 4 } else { 3 };
            assert!(rows.iter().all(|row| row.as_array().unwrap().len() == width));
        }
    }
}

/// Adds a clip to the archive and saves it.
fn add_clip(folder: &Folder) {
    fs::write(folder.join("words"), "run new-clip; save").unwrap();
    done(keypose(folder).args(["edit", "demo.wad", "--script", "words"]));
}

#[test]
fn a_watched_file_is_exported_again_after_each_save() {
    let folder = folder("watch", "tests/arm.wad");
    let mut watching = command(&folder, &["demo.wad", "-o", "hero.glb", "--watch"]);
    let mut child = watching.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut warnings = BufReader::new(child.stderr.take().unwrap()).lines();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.next().unwrap().unwrap().contains("hero.glb"));
    let before = names(&folder.join("hero.glb"));
    add_clip(&folder);
    assert!(lines.next().unwrap().unwrap().contains("hero.glb"));
    let after = names(&folder.join("hero.glb"));
    // What another program writes there is not replaced.
    fs::write(folder.join("hero.glb"), b"of another program").unwrap();
    add_clip(&folder);
    let is_refusal = |line: &String| line.contains("not an export of Keypose");
    assert!(warnings.by_ref().map_while(Result::ok).any(|line| is_refusal(&line)));
    assert_eq!(fs::read(folder.join("hero.glb")).unwrap(), b"of another program");
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(after.len(), before.len() + 1, "{after:?}");
}
