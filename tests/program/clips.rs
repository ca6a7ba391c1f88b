//! `keypose clip …` as a user runs it.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;

use keypose::anim::clip::Clip;
use keypose::assets::id::ClipId;
use keypose::assets::model::ClipSlot;
use keypose::assets::project::Project;
use keypose::wad::decode;

use crate::folder::folder;
use crate::sample;

struct Folder(PathBuf);

impl Folder {
    /// A folder with `base.wad` and an empty folder `texts`.
    fn new(name: &str) -> Folder {
        let folder = folder(&format!("clip-{name}"));
        fs::create_dir_all(folder.join("texts")).unwrap();
        fs::write(folder.join("base.wad"), sample::encode(&sample::rich())).unwrap();
        Folder(folder)
    }

    /// Runs `keypose clip` in the folder. Returns whether it succeeded, stdout and stderr.
    fn clip(&self, arguments: &[&str]) -> (bool, String, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_keypose"));
        let output = command.arg("clip").args(arguments).current_dir(&self.0).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.success(), text(output.stdout), text(output.stderr))
    }

    fn done(&self, arguments: &[&str]) -> String {
        let (is_done, printed, error) = self.clip(arguments);
        assert!(is_done, "{arguments:?}: {error}");
        printed
    }

    fn project(&self) -> Project {
        decode(&fs::read(self.0.join("base.wad")).unwrap()).unwrap().project
    }

    fn change(&self, text: &str, from: &str, to: &str) {
        let path = self.0.join(text);
        let before = fs::read_to_string(&path).unwrap();
        assert!(before.contains(from), "{before}");
        fs::write(path, before.replace(from, to)).unwrap();
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn clip<'a>(project: &'a Project, name: &str) -> &'a Clip {
    &project.models[0].clips.iter().find(|slot| slot.clip.name == name).unwrap().clip
}

#[test]
fn all_clips_go_out_as_texts_and_come_back_the_same() {
    let folder = Folder::new("round");
    let before = folder.project();
    let names: Vec<&str> = before.models[0].clips.iter().map(|slot| slot.clip.name.as_str()).collect();
    let derived = before.models[0].clips.iter().filter(|slot| before.models[0].derived(slot.id).is_some()).count();
    let printed = folder.done(&["export", "base.wad", "-o", "texts"]);
    assert_eq!(printed.lines().filter(|line| line.contains("left out")).count(), derived, "{printed}");
    assert_eq!(fs::read_dir(folder.0.join("texts")).unwrap().count(), names.len() - derived);
    let bytes = fs::read(folder.0.join("base.wad")).unwrap();
    folder.done(&["import", "base.wad", "texts"]);
    assert!(fs::read(folder.0.join("base.wad")).unwrap() == bytes, "nothing changed");
}

#[test]
fn texts_of_clips_have_names_that_a_disk_takes() {
    let folder = Folder::new("names");
    let mut project = folder.project();
    let model = Arc::make_mut(&mut project.models[0]);
    let [chinese, long, longer] = ["走".repeat(30), "x".repeat(252), "y".repeat(1000)];
    let clips =
        [&chinese, &long, &longer, "../up", ".", "con: a/b", "aux", "com²", "coma", "\u{115f}\u{3164}"].into_iter();
    model.clips =
        (100..).zip(clips).map(|(id, name)| ClipSlot { id: ClipId(id), clip: Arc::new(Clip::new(name)) }).collect();
    model.clip_notes.clear();
    model.drafts.clear();
    project.next_id = 200;
    fs::write(folder.0.join("base.wad"), sample::encode(&project)).unwrap();
    folder.done(&["export", "base.wad", "-o", "texts"]);
    let texts = fs::read_dir(folder.0.join("texts")).unwrap().map(|entry| entry.unwrap().file_name());
    let texts: BTreeSet<String> = texts.map(|name| name.into_string().unwrap()).collect();
    assert!(texts.contains(&format!("{chinese}.txt")) && texts.contains("..%2Fup.txt"), "{texts:?}");
    assert!(texts.contains("~aux.txt") && texts.contains("%E1%85%9F%E3%85%A4.txt"), "{texts:?}");
    assert!(texts.contains("~com².txt") && texts.contains("coma.txt"), "{texts:?}");
    assert!(texts.len() == 10 && texts.iter().all(|name| name.len() < 240), "{texts:?}");
}

#[test]
fn a_text_replaces_the_clip_of_its_name_or_adds_one() {
    let folder = Folder::new("changed");
    let before = folder.project();
    let name = before.models[0].clips[0].clip.name.clone();
    folder.done(&["export", "base.wad", "--clip", &name, "-o", "one.txt"]);
    folder.change("one.txt", "\nloop ", "\ntag new\nevent 0f cheer\nloop ");
    folder.change("one.txt", "event 0f cheer\n", "");
    assert_eq!(folder.done(&["import", "base.wad", "one.txt"]), "1 clip -> base.wad\n");
    let after = folder.project();
    let slot = &after.models[0].clips[0];
    assert_eq!(slot.clip, before.models[0].clips[0].clip);
    assert!(after.models[0].clip_notes[&slot.id].tags.contains(&"new".to_owned()));
    folder.change("one.txt", &format!("name {name}"), "name \"another one\"");
    folder.done(&["import", "base.wad", "one.txt"]);
    let added = folder.project();
    assert_eq!(added.models[0].clips.len(), before.models[0].clips.len() + 1);
    assert_eq!(clip(&added, "another one").keyframes, clip(&before, &name).keyframes);
    assert_eq!(added.models[0].clips.last().unwrap().clip.name, "another one");
}

#[test]
fn refusals_name_file_line_and_reason_and_change_nothing() {
    let folder = Folder::new("refused");
    fs::write(folder.0.join("bad.txt"), "keypose-clip 1\nname x\nkeyframe 3f\nkey tail scale 1 1 1\n").unwrap();
    fs::write(folder.0.join("one.txt"), "keypose-clip 1\nname x\n").unwrap();
    fs::write(folder.0.join("two.txt"), "keypose-clip 1\nname x\n").unwrap();
    fs::write(folder.0.join("notes.txt"), "buy milk\n").unwrap();
    let before = fs::read(folder.0.join("base.wad")).unwrap();
    let model = &sample::rich().models[0];
    let derived = model.clips.iter().find(|slot| model.derived(slot.id).is_some()).unwrap();
    let text = format!("keypose-clip 1\nname \"{}\"\nrate 12\n", derived.clip.name);
    fs::write(folder.0.join("derived.txt"), text).unwrap();
    let first = &model.clips[0].clip.name;
    let cases: [(&[&str], &str); 8] = [
        (&["import", "base.wad", "bad.txt"], "keypose: bad.txt: line 4: the skeleton has no bone tail"),
        (&["import", "base.wad", "one.txt", "two.txt"], "keypose: one.txt and two.txt: two texts of a clip x"),
        (&["import", "base.wad", "none.txt"], "keypose: none.txt: no such file"),
        (&["import", "base.wad", "texts"], "keypose: texts: no texts of clips (.txt) in this folder"),
        (&["import", "base.wad", "derived.txt"], "it has no keys of its own"),
        (&["export", "base.wad", "--clip", "none"], "no clip \"none\""),
        (&["export", "base.wad", "-o", "notes.txt"], "keypose: notes.txt: "),
        (
            &["export", "base.wad", "--clip", first, "-o", "notes.txt"],
            "keypose: notes.txt: an existing file that is not a clip is not replaced",
        ),
    ];
    for (arguments, expected) in cases {
        let (is_done, _, error) = folder.clip(arguments);
        assert!(!is_done && error.contains(expected), "{arguments:?}: {error}");
        assert!(fs::read(folder.0.join("base.wad")).unwrap() == before, "{arguments:?}");
    }
    assert_eq!(fs::read_to_string(folder.0.join("notes.txt")).unwrap(), "buy milk\n");
}

/// A folder may hold what others put there under the names of clips.
#[test]
#[cfg(unix)]
fn texts_replace_ordinary_files_of_clips_only() {
    let folder = Folder::new("names");
    let texts = folder.0.join("texts");
    folder.done(&["export", "base.wad", "-o", "texts"]);
    let first = fs::read_dir(&texts).unwrap().map(|entry| entry.unwrap().path()).min().unwrap();
    let text = fs::read_to_string(&first).unwrap();
    // One with a comment in front is a clip as well.
    fs::write(&first, format!("\u{feff}# mine\n\n{text}")).unwrap();
    folder.done(&["export", "base.wad", "-o", "texts"]);
    assert_eq!(fs::read_to_string(&first).unwrap(), text);
    let refused = |reason: &str| {
        let (is_done, _, error) = folder.clip(&["export", "base.wad", "-o", "texts"]);
        assert!(!is_done && error.contains(reason), "{error}");
    };
    let mut only_read = fs::metadata(&first).unwrap().permissions();
    only_read.set_readonly(true);
    fs::set_permissions(&first, only_read).unwrap();
    refused("the file is read-only");
    fs::remove_file(&first).unwrap();
    let elsewhere = folder.0.join("elsewhere.txt");
    fs::write(&elsewhere, &text).unwrap();
    std::os::unix::fs::symlink(&elsewhere, &first).unwrap();
    refused("no ordinary file");
    fs::remove_file(&first).unwrap();
    // A pipe that nothing reads.
    assert!(Command::new("mkfifo").arg(&first).status().unwrap().success());
    refused("no ordinary file");
}

#[test]
fn a_picture_replaces_pictures_only() {
    let folder = Folder::new("picture");
    let render = |output: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_keypose"));
        let arguments = ["render", "base.wad", "--clip", "walk", "--frames", "1", "--size", "32x32", "-o", output];
        let output = command.args(arguments).current_dir(&folder.0).output().unwrap();
        (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    fs::copy(folder.0.join("base.wad"), folder.0.join("a.png")).unwrap();
    let (is_done, error) = render("a.png");
    assert!(!is_done && error.contains("not a picture is not replaced"), "{error}");
    for _again in 0..2 {
        let (is_done, error) = render("b.png");
        assert!(is_done, "{error}");
    }
}
