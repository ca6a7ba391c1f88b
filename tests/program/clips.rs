//! `keypose clip …` as a user runs it.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;
use std::sync::Arc;

use keypose::anim::clip::Clip;
use keypose::assets::id::ClipId;
use keypose::assets::model::ClipSlot;
use keypose::assets::project::Project;
use keypose::wad::decode;

use crate::folder::Folder;
use crate::process::{done, keypose, refused};
use crate::sample;

/// A folder with `base.wad` and an empty folder `texts`.
fn folder(name: &str) -> Folder {
    let folder = Folder::new(&format!("clip-{name}"));
    fs::create_dir_all(folder.join("texts")).unwrap();
    fs::write(folder.join("base.wad"), sample::encode(&sample::rich())).unwrap();
    folder
}

/// `keypose clip` in the folder.
fn command(folder: &Folder, arguments: &[&str]) -> Command {
    let mut command = keypose(folder);
    command.arg("clip").args(arguments);
    command
}

fn project(folder: &Folder) -> Project {
    decode(&fs::read(folder.join("base.wad")).unwrap()).unwrap().project
}

/// Replaces a part of a text.
fn change(folder: &Folder, text: &str, from: &str, to: &str) {
    let path = folder.join(text);
    let before = fs::read_to_string(&path).unwrap();
    assert!(before.contains(from), "{before}");
    fs::write(path, before.replace(from, to)).unwrap();
}

fn clip<'a>(project: &'a Project, name: &str) -> &'a Clip {
    &project.models[0].clips.iter().find(|slot| slot.clip.name == name).unwrap().clip
}

#[test]
fn all_clips_go_out_as_texts_and_come_back_the_same() {
    let folder = folder("round");
    let before = project(&folder);
    let names: Vec<&str> = before.models[0].clips.iter().map(|slot| slot.clip.name.as_str()).collect();
    let derived = before.models[0].clips.iter().filter(|slot| before.models[0].derived(slot.id).is_some()).count();
    let printed = done(&mut command(&folder, &["export", "base.wad", "-o", "texts"]));
    assert_eq!(printed.lines().filter(|line| line.contains("left out")).count(), derived, "{printed}");
    assert_eq!(fs::read_dir(folder.join("texts")).unwrap().count(), names.len() - derived);
    let bytes = fs::read(folder.join("base.wad")).unwrap();
    done(&mut command(&folder, &["import", "base.wad", "texts"]));
    assert!(fs::read(folder.join("base.wad")).unwrap() == bytes, "nothing changed");
}

#[test]
fn texts_of_clips_have_names_that_a_disk_takes() {
    let folder = folder("names");
    let mut project = project(&folder);
    let model = Arc::make_mut(&mut project.models[0]);
    let [chinese, long, longer] = ["走".repeat(30), "x".repeat(252), "y".repeat(1000)];
    let clips =
        [&chinese, &long, &longer, "../up", ".", "con: a/b", "aux", "com²", "coma", "\u{115f}\u{3164}"].into_iter();
    model.clips =
        (100..).zip(clips).map(|(id, name)| ClipSlot { id: ClipId(id), clip: Arc::new(Clip::new(name)) }).collect();
    model.clip_notes.clear();
    model.drafts.clear();
    project.next_id = 200;
    fs::write(folder.join("base.wad"), sample::encode(&project)).unwrap();
    done(&mut command(&folder, &["export", "base.wad", "-o", "texts"]));
    let texts = fs::read_dir(folder.join("texts")).unwrap().map(|entry| entry.unwrap().file_name());
    let texts: BTreeSet<String> = texts.map(|name| name.into_string().unwrap()).collect();
    assert!(texts.contains(&format!("{chinese}.txt")) && texts.contains("..%2Fup.txt"), "{texts:?}");
    assert!(texts.contains("~aux.txt") && texts.contains("%E1%85%9F%E3%85%A4.txt"), "{texts:?}");
    assert!(texts.contains("~com².txt") && texts.contains("coma.txt"), "{texts:?}");
    assert!(texts.len() == 10 && texts.iter().all(|name| name.len() < 240), "{texts:?}");
}

#[test]
fn a_text_replaces_the_clip_of_its_name_or_adds_one() {
    let folder = folder("changed");
    let before = project(&folder);
    let name = before.models[0].clips[0].clip.name.clone();
    done(&mut command(&folder, &["export", "base.wad", "--clip", &name, "-o", "one.txt"]));
    change(&folder, "one.txt", "\nloop ", "\ntag new\nevent 0f cheer\nloop ");
    change(&folder, "one.txt", "event 0f cheer\n", "");
    assert_eq!(done(&mut command(&folder, &["import", "base.wad", "one.txt"])), "1 clip -> base.wad\n");
    let after = project(&folder);
    let slot = &after.models[0].clips[0];
    assert_eq!(slot.clip, before.models[0].clips[0].clip);
    assert!(after.models[0].clip_notes[&slot.id].tags.contains(&"new".to_owned()));
    change(&folder, "one.txt", &format!("name {name}"), "name \"another one\"");
    done(&mut command(&folder, &["import", "base.wad", "one.txt"]));
    let added = project(&folder);
    assert_eq!(added.models[0].clips.len(), before.models[0].clips.len() + 1);
    assert_eq!(clip(&added, "another one").keyframes, clip(&before, &name).keyframes);
    assert_eq!(added.models[0].clips.last().unwrap().clip.name, "another one");
}

#[test]
fn refusals_name_file_line_and_reason_and_change_nothing() {
    let folder = folder("refused");
    fs::write(folder.join("bad.txt"), "keypose-clip 1\nname x\nkeyframe 3f\nkey tail scale 1 1 1\n").unwrap();
    fs::write(folder.join("one.txt"), "keypose-clip 1\nname x\n").unwrap();
    fs::write(folder.join("two.txt"), "keypose-clip 1\nname x\n").unwrap();
    fs::write(folder.join("notes.txt"), "buy milk\n").unwrap();
    let before = fs::read(folder.join("base.wad")).unwrap();
    let model = &sample::rich().models[0];
    let derived = model.clips.iter().find(|slot| model.derived(slot.id).is_some()).unwrap();
    let text = format!("keypose-clip 1\nname \"{}\"\nrate 12\n", derived.clip.name);
    fs::write(folder.join("derived.txt"), text).unwrap();
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
        let error = refused(&mut command(&folder, arguments));
        assert!(error.contains(expected), "{arguments:?}: {error}");
        assert!(fs::read(folder.join("base.wad")).unwrap() == before, "{arguments:?}");
    }
    assert_eq!(fs::read_to_string(folder.join("notes.txt")).unwrap(), "buy milk\n");
}

/// A folder may hold what others put there under the names of clips.
#[test]
#[cfg(unix)]
fn texts_replace_ordinary_files_of_clips_only() {
    let folder = folder("names");
    let texts = folder.join("texts");
    done(&mut command(&folder, &["export", "base.wad", "-o", "texts"]));
    let first = fs::read_dir(&texts).unwrap().map(|entry| entry.unwrap().path()).min().unwrap();
    let text = fs::read_to_string(&first).unwrap();
    // One with a comment in front is a clip as well.
    fs::write(&first, format!("\u{feff}# mine\n\n{text}")).unwrap();
    done(&mut command(&folder, &["export", "base.wad", "-o", "texts"]));
    assert_eq!(fs::read_to_string(&first).unwrap(), text);
    let refused = |reason: &str| {
        let error = refused(&mut command(&folder, &["export", "base.wad", "-o", "texts"]));
        assert!(error.contains(reason), "{error}");
    };
    let mut only_read = fs::metadata(&first).unwrap().permissions();
    only_read.set_readonly(true);
    fs::set_permissions(&first, only_read).unwrap();
    refused("the file is read-only");
    fs::remove_file(&first).unwrap();
    let elsewhere = folder.join("elsewhere.txt");
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
    let folder = folder("picture");
    let render = |output: &str| {
        let mut command = keypose(&folder);
        command.args(["render", "base.wad", "--clip", "walk", "--frames", "1", "--size", "32x32", "-o", output]);
        command
    };
    fs::copy(folder.join("base.wad"), folder.join("a.png")).unwrap();
    let error = refused(&mut render("a.png"));
    assert!(error.contains("not a picture is not replaced"), "{error}");
    for _again in 0..2 {
        done(&mut render("b.png"));
    }
}
